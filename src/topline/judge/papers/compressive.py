"""Hirao, Nishino & Nagata 2017, "Oracle Summaries of Compressive Summarization": Tables 1 and 2.

Of the paper's figures the text gives the gains of compressive over extractive oracles that are best for
ROUGE-1: these stand beside ours.
"""

from __future__ import annotations

from topline.compress.cross import Cross, variants
from topline.compress.parsed import source
from topline.errors import SearchLimit, Where
from topline.judge.papers import Given, Lacking, Maker, Row, Table, beside
from topline.judge.papers.oracles import mean, recalls, summaries_of

NAME = "compressive"
CORPORA = ("duc2004",)
METRICS = variants()
_GAINS = {"rouge-1": 0.083, "rouge-2": 0.007, "rouge-su0": 0.036}


def cross(given: Given) -> Table:
    """Table 1: best for one variant, scored by each; systems below."""
    if given.corpus is None:
        raise Lacking("this table needs the corpus's file, and its parses", hint="--parses FILE.conllu")
    parses = source(given.corpus, given.parses)
    found = Cross(given.budget, limits=given.limits)
    for topic in given.topics:
        found.add(parses.parsed(topic))
    if found.unproved:
        raise SearchLimit(
            "a best summary was not proved within the limits",
            where=Where(id=found.unproved[0]),
            hint="a larger --time-limit, or a smaller budget",
        )
    rows: list[Row] = [{k: v for k, v in row.items() if k != "signature"} for row in found.rows()]
    rows += _gains(given, rows)
    for system in given.systems:
        own = summaries_of(given, system)
        scores = {name: mean(recalls(metric, own)) for name, metric in variants().items()}
        rows.append({"summary": system, "best_for": None, **scores})
    title = "Compressive and extractive oracles, best for one variant and scored by each (recall)"
    return Table(NAME, "1", title, tuple(rows))


def _gains(given: Given, rows: list[Row]) -> list[Row]:
    """What trimming gains, for each variant the summaries are best for."""
    by_kind = {(row["summary"], row["best_for"]): row for row in rows}
    gains = []
    for name in variants():
        trimmed, whole = by_kind["compressive", name], by_kind["extractive", name]
        gain = {score: trimmed[score] - whole[score] for score in variants()}
        printed = _GAINS if given.known and name == "rouge-1" else None
        gains.append({"summary": "gain", "best_for": name, **beside(gain, printed)})
    return gains


def readability(given: Given) -> Table:
    """Table 2: the mean of people's ratings."""
    ratings: dict[tuple[str, str], list[float]] = {}
    for one in given.need_human():
        ratings.setdefault((one.measure, one.system), []).append(one.score)
    rows = [
        {"measure": measure, "system": system, "mean": mean(values), "ratings": len(values)}
        for (measure, system), values in ratings.items()
    ]
    return Table(NAME, "2", "What people say of the summaries", tuple(rows))


TABLES: dict[str, Maker] = {"1": cross, "2": readability}
