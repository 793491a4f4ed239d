"""Systems' extracts of judged topics: JSON Lines with `selected`, or MEAD's `extract` files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Any

from topline.corpus.files import LINE_LIMIT
from topline.corpus.jsonl import rows
from topline.corpus.records import Topic
from topline.corpus.xml import is_xml
from topline.errors import CorpusError, OptionError, Where
from topline.judge import mead
from topline.judge.judged import Bad, Judged, as_object, files_of, text_field


@dataclass(frozen=True, slots=True)
class Chosen:
    """The sentences a system chose from a topic."""

    id: str
    system: str
    rate: Fraction | None
    """The compression rate it was made for, where the file says so (MEAD's COMPRESSION, or `"rate"`)."""
    sentences: tuple[int, ...]


def parse_rate(text: str) -> Fraction:
    """`20%`, `20` or `0.2` as a fraction: from 1 on, a number is a percentage."""
    try:
        number = Fraction(Decimal(text.strip().rstrip("%")))
    except (InvalidOperation, ValueError, OverflowError):
        number = Fraction(-1)
    rate = number / 100 if number >= 1 or text.strip().endswith("%") else number
    if not 0 < rate <= 1:
        raise OptionError(f"{text!r} is no compression rate", hint="e.g. 20%, 20 or 0.2")
    return rate


def parse_rates(text: str) -> list[Fraction]:
    """Several rates: `10%,20%,50%`."""
    return [parse_rate(part) for part in text.split(",")]


def read_extracts(
    paths: Iterable[Path],
    judged: Mapping[str, Judged],
    topics: Mapping[str, Topic],
    *,
    bad: Bad | None = None,
) -> list[Chosen]:
    """The extracts in these files, held against the judged topics; `topics` may give their texts."""
    found: dict[tuple[str, str, Fraction | None], Chosen] = {}
    for path in paths:
        for file in files_of(path, ("*.jsonl", "*.extract")):
            for where, read in _extracts(file, judged, topics):
                if isinstance(read, CorpusError):
                    _refuse(read, bad)
                    continue
                key = (read.id, read.system, read.rate)
                if key in found:
                    _refuse(CorpusError(f"second extract by {read.system!r}", where=where), bad)
                    continue
                found[key] = read
    return list(found.values())


def _refuse(error: CorpusError, bad: Bad | None) -> None:
    if bad is None:
        raise error
    bad.append(error)


def _extracts(
    file: Path, judged: Mapping[str, Judged], topics: Mapping[str, Topic]
) -> Iterator[tuple[Where, Chosen | CorpusError]]:
    if is_xml(file):
        read = mead.extract(file)
        try:
            yield read.where, _named(read, judged)
        except CorpusError as error:
            yield read.where, error
        return
    for where, row in rows(file, LINE_LIMIT):
        try:
            yield where, _row(as_object(row, where), where, file, judged, topics)
        except CorpusError as error:
            yield where, error


def _judged(id: str, judged: Mapping[str, Judged], where: Where) -> Judged:
    if id not in judged:
        raise CorpusError(
            "nobody judged this topic", where=Where(where.file, where.line, id), hint="ids must be equal"
        )
    return judged[id]


def _named(read: mead.MeadExtract, judged: Mapping[str, Judged]) -> Chosen:
    topic = _judged(read.id, judged, read.where)
    if not topic.keys:
        raise CorpusError(
            "names sentences by document, the judgments by number",
            where=read.where,
            hint="give the corpus or cluster too",
        )
    place = {key: i for i, key in enumerate(topic.keys)}
    unknown = [key for key in read.keys if key not in place]
    if unknown:
        raise CorpusError(f"sentence {unknown[0][1]} of {unknown[0][0]} is not judged", where=read.where)
    return Chosen(
        read.id, read.system, read.rate, _whole([place[key] for key in read.keys], topic, read.where)
    )


def _row(
    row: dict[str, Any],
    where: Where,
    file: Path,
    judged: Mapping[str, Judged],
    topics: Mapping[str, Topic],
) -> Chosen:
    id = text_field(row, "id", where)
    where = Where(where.file, where.line, id)
    system = text_field(row, "system", where) if "system" in row else file.stem
    topic = _judged(id, judged, where)
    rate = _stated_rate(row["rate"], where) if row.get("rate") is not None else None
    selected = row.get("selected")
    if selected is None:
        if id not in topics or not isinstance(row.get("sentences"), list):
            raise CorpusError(
                "gives no 'selected'",
                where=where,
                hint="sentence numbers from 0; or sentences and the corpus",
            )
        selected = numbers_of(row["sentences"], topics[id].texts(), where)
    if not isinstance(selected, list) or any(type(number) is not int for number in selected):
        raise CorpusError("'selected' must be a list of whole numbers", where=where)
    return Chosen(id, system, rate, _whole(selected, topic, where))


def _stated_rate(stated: Any, where: Where) -> Fraction:
    try:
        return parse_rate(str(stated))
    except OptionError as error:
        raise CorpusError(error.what, where=where, hint=error.hint) from error


def numbers_of(sentences: Sequence[Any], source: Sequence[str], where: Where) -> list[int]:
    """The numbers of an extract's sentences, by their text; equal ones are taken in order."""
    places: dict[str, list[int]] = {}
    for number, text in enumerate(source):
        places.setdefault(" ".join(text.split()), []).append(number)
    numbers = []
    for sentence in sentences:
        left = places.get(" ".join(str(sentence).split()))
        if not left:
            raise CorpusError(
                f"{str(sentence)[:60]!r} is not a sentence of the topic",
                where=where,
                hint="relative utility judges extracts: whole sentences",
            )
        numbers.append(left.pop(0))
    return numbers


def _whole(numbers: Sequence[int], topic: Judged, where: Where) -> tuple[int, ...]:
    if not numbers:
        raise CorpusError("the extract is empty", where=where)
    wrong = [number for number in numbers if not 0 <= number < topic.sentences]
    if wrong:
        raise CorpusError(
            f"selects sentence {wrong[0]}, but {topic.sentences} are judged",
            where=where,
            hint="numbers count from 0, documents in corpus order",
        )
    if len(set(numbers)) < len(numbers):
        raise CorpusError("selects a sentence twice", where=where)
    return tuple(sorted(numbers))
