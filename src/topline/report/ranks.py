"""Each system's place among all extracts, from the stored distribution of a topic."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor
from statistics import fmean
from typing import TYPE_CHECKING, Any

from topline.report.page import Cell, Figure, Section, Table
from topline.report.study import Study, TopicStudy
from topline.report.unit import Unit
from topline.spread.extracts import CHOPPED, MAXIMAL

if TYPE_CHECKING:
    from topline.spread.distribution import Distribution


def distribution_of(stored: Mapping[str, Any]) -> Distribution:
    """The distribution as `spread` made it."""
    from topline.spread.distribution import Distribution

    return Distribution(
        extracts=int(stored["extracts"]),
        total=stored["total"],
        counts=_whole(stored["counts"]),
        exact=stored["exact"],
        draws=stored["draws"],
        tail=_whole(stored["tail"]),
        tail_from=stored["tail_from"],
        rare={int(hits): (int(low), int(high)) for hits, (low, high) in stored.get("rare", {}).items()},
    )


def _whole(counts: Mapping[str, str]) -> dict[int, int]:
    return {int(hits): int(count) for hits, count in counts.items()}


def rank(unit: Unit) -> Any:
    """The systems and four marks (oracle, greedy, lead, random) among all extracts of the topic."""
    from topline.spread.document import Spread
    from topline.spread.rank import standings

    topic, settings = unit.topic, unit.settings
    stored = unit.known.get("spread")
    if not stored:
        return {}
    limit = settings.budget.limit(topic.texts())
    found = Spread(topic.id, str(settings.metric), "pooled", distribution_of(stored), stored["method"], limit)
    places = standings(
        topic,
        found,
        unit.summaries,
        settings.metric,
        settings.budget,
        settings.seed,
        extracts=settings.extracts,
    )
    return {
        one.system: {
            "score": one.score,
            # where no draw came so far, its share of them says more than is known
            "percentile": min(max(one.percentile, one.interval[0]), one.interval[1]),
            "interval": list(one.interval),
            "better": str(one.better),
            "share": (one.better.low + one.better.high) / (2 * one.better.of),
        }
        for one in places
    }


def place_of(stored: Mapping[str, Any] | None, score: float) -> dict[str, Any] | None:
    """The place of a score among all extracts; None where there is no distribution, or no such score."""
    if not stored:
        return None
    found = distribution_of(stored)
    hits = round(score * found.total)
    if abs(score * found.total - hits) > _ROUNDING:
        return None
    return {"interval": list(found.percentile(hits)), "better": str(found.better(hits))}


_ROUNDING = 1e-6
"""Hits are whole; a score that is off by more than this is a mean of several."""


def percentile_of(place: Mapping[str, Any]) -> str:
    """A percentile as a reader wants it: with its bounds where it was sampled."""
    low, high = place["interval"]
    return _down(low, 4) if low == high else f"{_down(low, 3)}–{-float(_down(-high, 3)):.3f}"


def _down(percent: float, digits: int) -> str:
    """Rounded down: nothing but all extracts is 100 percent."""
    return f"{floor(percent * 10**digits) / 10**digits:.{digits}f}"


_KINDS = {
    CHOPPED: "They fill the budget, their last sentence cut, so they may score otherwise than the whole"
    " sentences of the scale.",
    MAXIMAL: "They are sets of whole sentences to which no other can be added.",
}


def ranks_section(study: Study) -> Section | None:
    """Each system's percentile among all extracts, over the topics."""
    places: dict[str, list[Mapping[str, Any]]] = {}
    for topic in study.topics:
        for system, place in (topic.results.get("rank") or {}).items():
            places.setdefault(system, []).append(place)
    if not places:
        return None
    rows = []
    for system, ranks in places.items():
        percents = [one["percentile"] for one in ranks]
        least = min(ranks, key=lambda one: float(one["percentile"]))
        shown = (sum(percents) / len(percents), min(percents), max(percents))
        rows.append(
            [
                Cell(system),
                *(Cell(_down(percent, 3), percent) for percent in shown),
                Cell(least["better"], least["share"]),
                Cell(str(len(ranks)), len(ranks)),
            ]
        )
    rows.sort(key=lambda row: -(row[1].value or 0.0))
    methods = sorted(
        {topic.results["spread"]["method"] for topic in study.topics if "spread" in topic.results}
    )
    text = (
        "Of all extracts, how many score lower: 50 is chance, and near 100 every further digit is hard won. "
        + _KINDS[study.settings.extracts]
        + " Rows in brackets are marks, extracts of the same kind: the best one, greedy, the first sentences,"
        " and sentences in random order."
    )
    note = f"Distributions: {', '.join(methods)}. A sampled percentile is a share of draws."
    columns = ("system", "mean percentile", "lowest", "highest", "better extracts at its lowest", "topics")
    caption = "Percentile ranks among all extracts, over the topics"
    signature = f"{study.settings.signature}|extracts:{study.settings.extracts}"
    table = Table(caption, columns, rows)
    return Section(
        "ranks", "Among all extracts", "Percentiles", [text], ensemble_of(study), [table], [note], [signature]
    )


def figure_of(topic: TopicStudy, metric: str) -> str:
    """The topic's distribution with the systems marked on it; on a log scale, since all is in the tail."""
    from topline.report.plots import Mark, histogram

    stored = topic.results.get("spread")
    if not stored:
        return ""
    places = (topic.results.get("rank") or {}).items()
    marks = [Mark(system, place["score"]) for system, place in places]
    return histogram(distribution_of(stored), f"Every extract of {topic.topic.id}", metric, marks, log=True)


def ensemble_of(study: Study) -> list[Figure]:
    """All topics' distributions over each other, the systems' mean scores marked on them."""
    from topline.report.plots import Mark, ensemble

    found = [distribution_of(one.results["spread"]) for one in study.topics if one.results.get("spread")]
    if not found:
        return []
    metric = str(study.settings.metric)
    scores: dict[str, list[float]] = {}
    for topic in study.topics:
        for system, place in (topic.results.get("rank") or {}).items():
            scores.setdefault(system, []).append(place["score"])
    marks = [Mark(system, fmean(some)) for system, some in scores.items()]
    drawn = ensemble(found, "The topics' distributions", metric, marks)
    caption = f"The distribution of {metric} over all extracts, a curve a topic; marks: mean scores"
    return [Figure(drawn, caption)]


def method_of(study: TopicStudy) -> str:
    """How the distribution came about, in a sentence."""
    from topline.spread.words import short

    stored = study.results.get("spread")
    if not stored:
        return ""
    number = short(int(stored["extracts"]))
    note = f"; {stored['note']}" if stored["note"] else ""
    pale = "; pale: estimates from bounds" if stored["rare"] else ""
    return f"{number} extracts, {stored['method']}{note}{pale}"
