"""MEAD's `sentjudge` and `extract` files, so that judged collections work (their texts: `corpus/mead.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path

from topline.corpus.xml import Element, elements
from topline.errors import CorpusError, Where
from topline.judge.judged import Key, Rating, millionths


@dataclass(frozen=True, slots=True)
class MeadExtract:
    """An `extract` file: which sentences a system chose, named by document and number."""

    id: str
    system: str
    rate: Fraction | None
    """The compression the file states."""
    keys: tuple[Key, ...]
    where: Where


def _key(element: Element, file: Path) -> Key:
    document, number = (element.attributes.get(name, "").strip() for name in ("DID", "SNO"))
    if not document or not (number.isascii() and number.isdigit()) or len(number) > 9:
        raise CorpusError(f"<{element.tag}> lacks DID or SNO", where=Where(str(file), element.line))
    return document, int(number)


def _topic_id(root: Element, file: Path) -> str:
    """A file's topic: its QID, or the file's name up to the first dot (MEAD writes QID="none")."""
    stated = root.attributes.get("QID", "").strip()
    return stated if stated and stated.lower() != "none" else file.name.split(".")[0]


def sentjudge(file: Path) -> Iterator[Rating | CorpusError]:
    """A judge's utilities, one rating a judge; a sentence that a judge left out is said by name."""
    found = elements(file, "SENT-JUDGE")
    topic = _topic_id(found[0], file)
    keys: dict[Key, None] = {}
    given: dict[str, dict[int, tuple[str | None, int]]] = {}
    for element in found:
        if element.tag == "S":
            key = _key(element, file)
            if key in keys:
                raise CorpusError(
                    f"sentence {key[1]} of {key[0]} is there twice",
                    where=Where(str(file), element.line, topic),
                )
            keys[key] = None
        elif element.tag == "JUDGE":
            judge = element.attributes.get("N", "")
            if not judge or not keys:
                raise CorpusError("<JUDGE> without N or outside <S>", where=Where(str(file), element.line))
            value = element.attributes.get("UTIL"), element.line
            if given.setdefault(judge, {}).setdefault(len(keys) - 1, value) is not value:
                raise CorpusError(
                    f"judge {judge} rates one sentence twice", where=Where(str(file), element.line)
                )
    for judge, values in given.items():
        yield _rating(topic, judge, values, tuple(keys), file)


def _rating(
    topic: str, judge: str, values: Mapping[int, tuple[str | None, int]], keys: tuple[Key, ...], file: Path
) -> Rating | CorpusError:
    try:
        utilities = []
        for i, (document, number) in enumerate(keys):
            value, line = values.get(i, (None, 0))
            where = Where(str(file), line or None, topic)
            utilities.append(millionths(value, judge, f"{number} of {document}", where))
        return Rating(topic, judge, tuple(utilities), None, keys, Where(str(file), id=topic))
    except CorpusError as error:
        return error


def extract(file: Path) -> MeadExtract:
    """Which sentences a system chose, in the order the file gives them."""
    found = elements(file, "EXTRACT")
    root = found[0]
    where = Where(file=str(file), id=_topic_id(root, file))
    stated = root.attributes.get("COMPRESSION", "").strip().rstrip("%")
    try:
        percent = Decimal(stated) if stated else None
    except InvalidOperation:
        percent = Decimal(-1)
    if percent is not None and not 0 < percent <= 100:
        raise CorpusError(f"COMPRESSION={stated!r} is no percentage", where=where)
    rate = None if percent is None else Fraction(percent) / 100
    keys = tuple(_key(element, file) for element in found if element.tag == "S")
    return MeadExtract(where.id or "", root.attributes.get("SYSTEM") or file.stem, rate, keys, where)
