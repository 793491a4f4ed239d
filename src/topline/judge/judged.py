"""Judgments: what people said of each sentence (utility 0-10) and which sentence says it again.

A line of JSON a judge and topic:

    {"id": "d1", "judge": "A", "utilities": [10, 8, 2, 5], "subsumed": [[1, 0]]}

`subsumed` lists pairs of 0-based sentence numbers, the first contained in the second; either field may
be missing. MEAD's `sentjudge` files are read as well (`topline.judge.mead`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topline.corpus.files import LINE_LIMIT
from topline.corpus.jsonl import rows
from topline.corpus.records import Topic
from topline.corpus.xml import is_xml
from topline.errors import CorpusError, Where
from topline.judge.samples import resolved

MOST = 10
"""The highest utility: "a 10 marks an essential sentence"."""
SCALE = 10**6
"""Utilities are kept in whole millionths, so that ties and sums are exact."""

Ints = NDArray[np.int64]
Link = tuple[int, int]
Key = tuple[str, int]
Bad = list[CorpusError]


@dataclass(frozen=True, slots=True)
class Rating:
    """What one judge said of one topic."""

    id: str
    judge: str
    utilities: tuple[int, ...] | None
    """One a sentence, in millionths; None if this judge gave links only."""
    subsumed: frozenset[Link] | None
    """Pairs (a, b): the information of sentence a is contained in sentence b; None if not asked."""
    keys: tuple[Key, ...] = ()
    """(document, 1-based number) of each sentence, where the file says so."""
    where: Where = field(default_factory=Where)


@dataclass(frozen=True, slots=True)
class Judged:
    """A topic with the utilities and the subsumption links that its judges gave."""

    id: str
    sentences: int
    judges: tuple[str, ...]
    """Who gave utilities."""
    utilities: Ints
    """Judge by sentence, in millionths."""
    links: tuple[tuple[str, frozenset[Link]], ...] = ()
    """Judge and links, for each judge who was asked for subsumption."""
    keys: tuple[Key, ...] = ()

    def label(self, sentence: int) -> str:
        """The sentence's name in tables: `A1-3` where documents are known, else its number."""
        if self.keys:
            document, number = self.keys[sentence]
            return f"{document}-{number}"
        return str(sentence)


def read_judgments(path: Path, *, bad: Bad | None = None) -> list[Judged]:
    """Read the judgments in a file or in all files of a folder, in the order of first appearance.

    Bad records raise a CorpusError, or are appended to `bad` and left out where that list is given.
    """
    from topline.judge.mead import sentjudge

    ratings: list[Rating] = []
    for file in files_of(path, ("*.jsonl", "*.sentjudge")):
        read = sentjudge(file) if is_xml(file) else _lines(file)
        ratings.extend(rating for rating in _kept(read, bad))
    if not ratings and not bad:
        raise CorpusError(
            "holds no judgments",
            where=Where(file=str(path)),
            hint='a line is {"id": …, "judge": …, "utilities": […]}',
        )
    return _topics(ratings, bad)


def judged_by_topic(paths: Iterable[Path], *, bad: Bad | None = None) -> dict[str, Judged]:
    """The judgments in several files or folders; `sample:judgments` names the bundled ones."""
    found: dict[str, Judged] = {}
    for path in paths:
        for one in read_judgments(resolved(path), bad=bad):
            if one.id in found:
                raise CorpusError(f"{one.id} is judged in two files", hint="put its judgments into one")
            found[one.id] = one
    return found


def files_of(path: Path, patterns: Sequence[str]) -> list[Path]:
    """The file itself, or a folder's files that match, sorted by name."""
    if not path.exists():
        raise CorpusError("no such file or folder", where=Where(file=str(path)))
    if not path.is_dir():
        return [path]
    found = sorted(file for pattern in patterns for file in path.glob(pattern))
    if not found:
        raise CorpusError(f"holds no {' or '.join(patterns)} file", where=Where(file=str(path)))
    return found


def _kept(read: Iterator[Rating | CorpusError], bad: Bad | None) -> Iterator[Rating]:
    for item in read:
        if isinstance(item, Rating):
            yield item
        elif bad is None:
            raise item
        else:
            bad.append(item)


def as_object(record: Any, where: Where) -> dict[str, Any]:
    """The record of a line; what is wrong with the line is raised."""
    if isinstance(record, CorpusError):
        raise record
    if not isinstance(record, dict):
        raise CorpusError("is no JSON object", where=where)
    return record


def text_field(record: dict[str, Any], name: str, where: Where) -> str:
    """A field that must be there and be text (numbers are taken as text)."""
    value = record.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value:
        raise CorpusError(f"lacks {name!r}", where=where)
    return value


def _lines(file: Path) -> Iterator[Rating | CorpusError]:
    for where, record in rows(file, LINE_LIMIT):
        try:
            yield _rating(as_object(record, where), where)
        except CorpusError as error:
            yield error


def _rating(record: dict[str, Any], where: Where) -> Rating:
    topic = text_field(record, "id", where)
    where = Where(where.file, where.line, topic)
    judge = text_field(record, "judge", where)
    utilities, subsumed = record.get("utilities"), record.get("subsumed")
    if utilities is None and subsumed is None:
        raise CorpusError("has neither 'utilities' nor 'subsumed'", where=where)
    if not isinstance(utilities, (list, type(None))) or not isinstance(subsumed, (list, type(None))):
        raise CorpusError("'utilities' and 'subsumed' must be lists", where=where)
    values = None
    if utilities is not None:
        values = tuple(millionths(value, judge, str(i), where) for i, value in enumerate(utilities))
    return Rating(topic, judge, values, None if subsumed is None else _links(subsumed, where), where=where)


def _links(pairs: Iterable[Any], where: Where) -> frozenset[Link]:
    links = set()
    for pair in pairs:
        whole = isinstance(pair, list) and len(pair) == 2 and all(type(i) is int and i >= 0 for i in pair)
        if not whole or pair[0] == pair[1]:
            raise CorpusError(f"{pair!r} is no pair of two different sentence numbers", where=where)
        links.add((pair[0], pair[1]))
    return frozenset(links)


def millionths(value: Any, judge: str, sentence: str, where: Where) -> int:
    """A utility as a whole number of millionths; a skipped or impossible one is said with its place."""
    if value is None or value == "":
        raise CorpusError(
            f"judge {judge} skipped sentence {sentence}",
            where=where,
            hint="every sentence needs a utility from 0 to 10",
        )
    try:
        number = Decimal(str(value)) if isinstance(value, (int, str, float)) else None
    except InvalidOperation:
        number = None
    if number is None or isinstance(value, bool) or not number.is_finite():
        raise CorpusError(f"judge {judge}: {value!r} for sentence {sentence} is no number", where=where)
    if not 0 <= number <= MOST:
        raise CorpusError(
            f"judge {judge}: utility {value} of sentence {sentence} is outside 0-10", where=where
        )
    return int((number * SCALE).to_integral_value())


def _topics(ratings: Sequence[Rating], bad: Bad | None) -> list[Judged]:
    groups: dict[str, list[Rating]] = {}
    for rating in ratings:
        groups.setdefault(rating.id, []).append(rating)
    topics = []
    for id, group in groups.items():
        good: list[Rating] = []
        for rating in group:
            try:
                _fits(rating, good)
                good.append(rating)
            except CorpusError as error:
                if bad is None:
                    raise
                bad.append(error)
        try:
            topics.extend([_judged(id, good)] if good else [])
        except CorpusError as error:
            if bad is None:
                raise
            bad.append(error)
    return topics


def _fits(rating: Rating, before: Sequence[Rating]) -> None:
    """Hold a rating against those already read of its topic."""
    for other in before:
        if other.judge != rating.judge:
            continue
        if (other.utilities and rating.utilities) or (
            other.subsumed is not None and rating.subsumed is not None
        ):
            raise CorpusError(f"judge {rating.judge} is there twice", where=rating.where)
    first = next((other for other in before if other.utilities is not None), None)
    if rating.utilities is None:
        return
    if not rating.utilities:
        raise CorpusError(f"judge {rating.judge} rated no sentence", where=rating.where)
    if not any(rating.utilities):
        raise CorpusError(
            f"judge {rating.judge} gives every sentence 0: relative utility to that judge is undefined",
            where=rating.where,
        )
    if first is not None and first.utilities is not None and len(first.utilities) != len(rating.utilities):
        raise CorpusError(
            f"judge {rating.judge} rated {len(rating.utilities)} sentences, "
            f"judge {first.judge} {len(first.utilities)}",
            where=rating.where,
            hint="every judge rates every sentence, in the same order",
        )


def _judged(id: str, ratings: Sequence[Rating]) -> Judged:
    rated = [rating for rating in ratings if rating.utilities is not None]
    links = tuple((r.judge, r.subsumed) for r in ratings if r.subsumed is not None)
    utilities = np.array([rating.utilities for rating in rated], np.int64)
    highest = max((number for _, pairs in links for pair in pairs for number in pair), default=-1)
    sentences = utilities.shape[1] if rated else highest + 1
    if highest >= sentences:
        where = next(r.where for r in ratings if r.subsumed and any(highest in pair for pair in r.subsumed))
        raise CorpusError(f"sentence {highest} in 'subsumed' is not among the {sentences} rated", where=where)
    if not rated:
        utilities = np.zeros((0, sentences), np.int64)
    keys = next((rating.keys for rating in rated if rating.keys), ())
    return Judged(id, sentences, tuple(rating.judge for rating in rated), utilities, links, keys)


def align(judged: Judged, topic: Topic) -> Judged:
    """Hold judgments against their topic: same sentences, in the topic's order."""
    keys = tuple((doc.id, i + 1) for doc in topic.documents for i in range(len(doc.sentences)))
    if len(keys) != judged.sentences:
        raise CorpusError(
            f"{judged.sentences} sentences are judged, the corpus has {len(keys)}", where=Where(id=judged.id)
        )
    if not judged.keys:
        return Judged(judged.id, judged.sentences, judged.judges, judged.utilities, judged.links, keys)
    place = {key: i for i, key in enumerate(judged.keys)}
    missing = [key for key in keys if key not in place]
    if missing:
        document, number = missing[0]
        raise CorpusError(f"sentence {number} of {document} is not judged", where=Where(id=judged.id))
    order = [place[key] for key in keys]
    back = {old: new for new, old in enumerate(order)}
    links = tuple((who, frozenset((back[a], back[b]) for a, b in pairs)) for who, pairs in judged.links)
    return Judged(judged.id, judged.sentences, judged.judges, judged.utilities[:, order], links, keys)
