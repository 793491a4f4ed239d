"""Scores from files: people's (CSV, JSON Lines, NIST's tables) and metrics' (`topline score --json`)."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from topline.corpus.files import LINE_LIMIT, decoded, lines
from topline.corpus.jsonl import rows
from topline.errors import CorpusError, Where
from topline.judge.grid import FIELDS, Grid, grid
from topline.judge.judged import Bad, as_object, text_field

SYSTEM = ("system", "peer", "peerid", "summarizer", "model")
TOPIC = ("id", "topic", "docset", "setid", "set", "cluster")
HEAD = 100
"""Lines among which the first score of one of NIST's tables has to be."""
EVERY = "*"
"""The topic of a score that was given to a system as a whole."""
_NIST = re.compile(
    r"(?P<topic>[dD]\d{2,}\S*)\s+(?P<selector>[A-Za-z])\s+(?P<assessor>[A-Za-z])\s+(?P<peer>\w+)\s+"
    r"(?:(?P<question>[1-9])\s+)?(?P<score>\d+(?:\.\d+)?)\s*"
)


@dataclass(frozen=True, slots=True)
class HumanScore:
    """What people said of a system's summary, or of a system."""

    measure: str
    system: str
    id: str
    """The topic; `*` for a system as a whole."""
    score: float
    where: Where


def read_human(path: Path, *, bad: Bad | None = None) -> list[HumanScore]:
    """Human scores from a file, whichever of the known forms it has."""
    found: list[HumanScore] = []
    for item in _human(path):
        if isinstance(item, HumanScore):
            found.append(item)
        elif bad is None:
            raise item
        else:
            bad.append(item)
    if not found and not bad:
        raise CorpusError(
            "holds no human score",
            where=Where(file=str(path)),
            hint="a CSV with the columns system, id and a column a measure; JSON Lines; or NIST's table",
        )
    return found


def _human(path: Path) -> Iterator[HumanScore | CorpusError]:
    if path.suffix.lower() in (".jsonl", ".ndjson", ".json"):
        return _json(path)
    if path.suffix.lower() in (".csv", ".tsv"):
        return _csv(path)
    head = [line for _, line in islice(_text_lines(path), HEAD)]
    if any(_NIST.fullmatch(line.strip()) for line in head):
        return _nist(path)
    return _csv(path) if head and any(mark in head[0] for mark in ",\t;") else _nist(path)


def _text_lines(path: Path) -> Iterator[tuple[int, str]]:
    for line in lines(path):
        where = Where(str(path), line.number)
        if line.data is None:
            raise CorpusError("the line is too long", where=where)
        yield line.number, decoded(line.data, where).rstrip("\r\n")


def _json(path: Path) -> Iterator[HumanScore | CorpusError]:
    for where, row in rows(path, LINE_LIMIT):
        try:
            yield from _record(as_object(row, where), where)
        except CorpusError as error:
            yield error


def _csv(path: Path) -> Iterator[HumanScore | CorpusError]:
    text = [line for _, line in _text_lines(path)]
    counts = {mark: text[0].count(mark) for mark in ",\t;"} if text else {",": 0}
    reader = csv.DictReader(text, delimiter=max(counts, key=lambda mark: counts[mark]), strict=True)
    try:
        _check_header(reader.fieldnames or (), path)
        for row in reader:
            where = Where(str(path), reader.line_num)
            if None in row or None in row.values():
                yield CorpusError("has not as many cells as the header", where=where)
                continue
            try:
                yield from _record({name.strip(): cell.strip() for name, cell in row.items()}, where)
            except CorpusError as error:
                yield error
    except csv.Error as error:
        raise CorpusError(f"is no CSV: {error}", where=Where(str(path), reader.line_num)) from error


def _check_header(names: Iterable[str], path: Path) -> None:
    """No column may be there twice: one of the two would be dropped unsaid."""
    seen: set[str] = set()
    for name in (name.strip() for name in names):
        if name and name in seen:
            raise CorpusError(
                f"the header names {name!r} twice", where=Where(str(path), 1), hint="a name a column"
            )
        seen.add(name)


def _record(row: Mapping[str, Any], where: Where) -> Iterator[HumanScore]:
    """The scores of one row: `measure` and `score`, or every other column a measure."""
    names = {name.lower(): name for name in row}
    system_name = next((names[name] for name in SYSTEM if name in names), None)
    if system_name is None:
        raise CorpusError("names no system", where=where, hint=f"a column {' or '.join(SYSTEM[:2])}")
    topic_name = next((names[name] for name in TOPIC if name in names), None)
    system = text_field(dict(row), system_name, where)
    topic = text_field(dict(row), topic_name, where) if topic_name and row[topic_name] else EVERY
    where = Where(where.file, where.line, system if topic == EVERY else f"{system}, {topic}")
    if "measure" in names:
        measure = text_field(dict(row), names["measure"], where)
        if "score" not in names:
            raise CorpusError("names a measure but has no 'score'", where=where)
        yield HumanScore(measure, system, topic, _number(row[names["score"]], where), where)
        return
    # a column without a name counts rows, as spreadsheets and data frames write it
    others = [name for name in row if name and name not in (system_name, topic_name)]
    given = [name for name in others if row[name] not in (None, "")]
    if not given:
        raise CorpusError("holds no score", where=where)
    for name in given:
        yield HumanScore(name, system, topic, _number(row[name], where), where)


def _number(value: Any, where: Where) -> float:
    try:
        number = float(value) if not isinstance(value, bool) else float("nan")
    except (TypeError, ValueError):
        number = float("nan")
    if not isfinite(number):
        raise CorpusError(f"{value!r} is no score", where=where)
    return number


def _nist(path: Path) -> Iterator[HumanScore | CorpusError]:
    """NIST's tables of DUC 2005-2007: topic, selector, assessor, peer, (question,) score; a head before.

    2006 has two of responsiveness, to content and overall: which of them a table holds, its name says.
    """
    measure = "overall" if "overall" in path.name.lower() else "responsiveness"
    questions: dict[tuple[str, str], list[HumanScore]] = {}
    begun = False
    for number, line in _text_lines(path):
        match = _NIST.fullmatch(line.strip())
        where = Where(str(path), number)
        if match is None:
            if begun:
                yield CorpusError("is no line of NIST's table", where=where)
            continue
        begun = True
        topic, system, score = match["topic"], match["peer"], float(match["score"])
        if match["question"] is None:
            yield HumanScore(measure, system, topic, score, where)
        else:
            one = HumanScore(f"linguistic-{match['question']}", system, topic, score, where)
            questions.setdefault((system, topic), []).append(one)
            yield one
    for (system, topic), given in questions.items():
        mean = sum(one.score for one in given) / len(given)
        yield HumanScore("linguistic", system, topic, mean, given[0].where)


def human_grid(
    scores: Iterable[HumanScore],
    measure: str,
    systems: Iterable[str],
    topics: Iterable[str],
    *,
    skip_unknown: bool = False,
) -> Grid:
    """One measure's scores for systems and topics that the metrics know; several assessors' are averaged.

    A score of an unknown system or topic is an error, or passed over where `skip_unknown` says so.
    """
    known, ids = set(systems), _Ids(topics)
    cells: dict[tuple[str, str], list[float]] = {}
    for score in scores:
        if score.measure != measure:
            continue
        topic = EVERY if score.id == EVERY else ids.find(score.id)
        if score.system not in known or topic is None:
            if skip_unknown:
                continue
            what = "system" if score.system not in known else "topic"
            name = score.system if what == "system" else score.id
            raise CorpusError(
                f"human score for the unknown {what} {name!r}",
                where=score.where,
                hint="--common leaves out what only one side knows",
            )
        cells.setdefault((score.system, topic), []).append(score.score)
    return grid({cell: float(np.mean(values)) for cell, values in cells.items()})


class _Ids:
    """Topics by the names that NIST's tables and folders give them: D0701A, d0701; D0701A-A, D0701-A."""

    def __init__(self, topics: Iterable[str]) -> None:
        self.exact = {topic: topic for topic in topics}
        self.loose: dict[str, list[str]] = {}
        for topic in self.exact:
            self.loose.setdefault(_bare(topic), []).append(topic)

    def find(self, name: str) -> str | None:
        """The corpus's topic of that name, or the only one that differs in case and end letters only."""
        if name in self.exact:
            return name
        near = self.loose.get(_bare(name), [])
        return near[0] if len(near) == 1 else None


def _bare(topic: str) -> str:
    match = re.fullmatch(r"(d\d{3,})[a-z]*(-[a-z])?", topic.lower())
    return match[1] + (match[2] or "") if match else topic.lower()


def measures(scores: Iterable[HumanScore]) -> list[str]:
    """The measures there are, in the order of their first appearance."""
    return list(dict.fromkeys(score.measure for score in scores))


def metric_rows(path: Path, by: str) -> Iterator[tuple[str, str, str, float]]:
    """(metric, system, topic, score) from the lines of `topline score --json` or `topline optima --json`.

    Averages are passed over. Where each reference has a line of its own, the mean over them counts.
    """
    found: dict[tuple[str, str, str], dict[str, float]] = {}
    for where, row in rows(path, LINE_LIMIT):
        record = as_object(row, where)
        if record.get("id") is None:
            continue
        topic, system = text_field(record, "id", where), text_field(record, "system", where)
        metric = str(record.get("metric") or path.stem)
        reference = str(record.get("reference") or record.get("references") or "pooled")
        if by not in record:
            raise CorpusError(f"lacks {by!r}", where=where, hint=f"--by one of {', '.join(FIELDS)}")
        of_references = found.setdefault((metric, system, topic), {})
        if reference in of_references:
            raise CorpusError(
                f"{system!r} is scored twice by {metric}", where=Where(where.file, where.line, topic)
            )
        of_references[reference] = _number(record[by], where)
    if not found:
        where = Where(file=str(path))
        raise CorpusError(
            "holds no score of a topic", where=where, hint="as topline score --json writes them"
        )
    for (metric, system, topic), values in found.items():
        yield metric, system, topic, sum(values.values()) / len(values)
