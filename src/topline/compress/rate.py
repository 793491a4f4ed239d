"""Rating sheets for people: blind, shuffled, the same for the same seed; and the key that opens them."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from random import Random

from topline.errors import CorpusError, OptionError, Where

QUESTION = "How well does each summary read?"
_LETTERS = "abcdefghjkmnpqrstuvwxyz"
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_FORMULAS = ("=", "+", "-", "@", "\t")
"""What a spreadsheet takes for the beginning of a formula."""


@dataclass(frozen=True, slots=True)
class Item:
    """A summary on the sheet: systems that wrote the very same share one."""

    item: str
    """Its code: it says nothing about the system."""
    topic: str
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """The question and the ratings that answer it."""

    question: str = QUESTION
    low: int = 1
    high: int = 5
    worst: str = "very poor"
    best: str = "very good"

    def __post_init__(self) -> None:
        if not self.low < self.high <= self.low + 100:
            raise OptionError(f"a scale from {self.low} to {self.high} makes no sense", hint="e.g. 1-5")


@dataclass(frozen=True, slots=True)
class Key:
    """Which code hides which system; raters must not see it."""

    seed: int
    scale: Scale
    items: tuple[Item, ...]

    def text(self) -> str:
        """The key as a JSON file."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n"


@dataclass(frozen=True, slots=True)
class Entry:
    """An item with its text."""

    item: Item
    sentences: tuple[str, ...]


Topic = tuple[str, Sequence[tuple[str, Sequence[str]]]]
"""A topic's id, and its summaries as system and sentences."""


def entries(topics: Iterable[Topic], seed: int = 0) -> list[Entry]:
    """Every different summary of every topic, each under a code of its own."""
    random = Random(seed)
    grouped = []
    for topic, summaries in topics:
        authors: dict[tuple[str, ...], list[str]] = {}
        for system, sentences in summaries:
            said = tuple(" ".join(sentence.split()) for sentence in sentences)
            authors.setdefault(said, []).append(system)
        grouped += [(topic, tuple(sorted(systems)), said) for said, systems in sorted(authors.items())]
    codes = _codes(random, len(grouped))
    return [
        Entry(Item(code, topic, systems), said)
        for code, (topic, systems, said) in zip(codes, grouped, strict=True)
    ]


def _codes(random: Random, count: int) -> list[str]:
    """Different short codes without any order."""
    known: dict[str, None] = {}
    width = 3 if count < 5_000 else 6
    while len(known) < count:
        known["".join(random.choice(_LETTERS) for _ in range(width))] = None
    return list(known)


def key_of(found: Sequence[Entry], scale: Scale, seed: int) -> Key:
    """The key to the sheets of these entries."""
    return Key(seed, scale, tuple(sorted((entry.item for entry in found), key=lambda item: item.item)))


def order(found: Sequence[Entry], seed: int, sheet: int) -> list[tuple[str, list[Entry]]]:
    """The order of a sheet: topics shuffled, and each topic's summaries; another for every sheet."""
    random = Random(f"{seed}/{sheet}")
    topics: dict[str, list[Entry]] = {}
    for entry in found:
        topics.setdefault(entry.item.topic, []).append(entry)
    shuffled = list(topics.items())
    random.shuffle(shuffled)
    for _, items in shuffled:
        random.shuffle(items)
    return shuffled


def html(found: Sequence[Entry], scale: Scale, seed: int, sheet: int) -> str:
    """A sheet as one page that needs nothing else: ratings are saved as CSV by the browser."""
    from jinja2 import Environment

    template = files("topline.compress").joinpath("templates/rate.html").read_text("utf-8")
    page = Environment(autoescape=True, keep_trailing_newline=True).from_string(template)
    topics = [
        (topic, [(e.item.item, e.sentences) for e in items]) for topic, items in order(found, seed, sheet)
    ]
    digest = "-".join(sorted(entry.item.item for entry in found)[:4])
    return page.render(topics=topics, number=sheet, sheet=f"{digest}-{seed}-{sheet}", **asdict(scale))


def sheet_csv(found: Sequence[Entry], seed: int, sheet: int) -> str:
    """A sheet as a table to fill in: the last column is empty."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(["topic", "item", "summary", "rating"])
    for number, (_, items) in enumerate(order(found, seed, sheet), 1):
        for entry in items:
            text = " ".join(entry.sentences)
            harmless = f"'{text}" if text.startswith(_FORMULAS) else text
            writer.writerow([number, entry.item.item, harmless, ""])
    return stream.getvalue()


def read_key(path: Path) -> Key:
    """The key that was written with the sheets."""
    where = Where(file=str(path))
    try:
        row = json.loads(path.read_text("utf-8"))
        items = tuple(Item(one["item"], one["topic"], tuple(one["systems"])) for one in row["items"])
        return Key(row["seed"], Scale(**row["scale"]), items)
    except OSError as error:
        raise CorpusError(f"cannot read: {error.strerror}", where=where) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        hint = "the file key.json that topline rate wrote beside the sheets"
        raise CorpusError("this is no key to rating sheets", where=where, hint=hint) from error


@dataclass(frozen=True, slots=True)
class Rating:
    """What one rater gave one item."""

    rater: str
    item: str
    value: int


def read_ratings(path: Path, key: Key) -> list[Rating]:
    """A filled-in sheet; rows without a rating are left out. The file's name may stand for the rater."""
    where = Where(file=str(path))
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(f"cannot read: {error}", where=where, hint="save it as CSV in UTF-8") from error
    first = text.split("\n", 1)[0]
    separator = max(",;\t", key=first.count)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    if not {"item", "rating"} <= set(rows.fieldnames or ()):
        raise CorpusError("a filled-in sheet has the columns item and rating", where=where)
    known = {item.item for item in key.items}
    found: dict[tuple[str, str], Rating] = {}
    for row in _rows(rows, path):
        rating = _rating(row, path, rows.line_num, key.scale, known)
        if rating is None:
            continue
        if (rating.rater, rating.item) in found:
            raise CorpusError(
                f"{rating.rater!r} rates {rating.item!r} twice",
                where=Where(file=str(path), line=rows.line_num),
            )
        found[rating.rater, rating.item] = rating
    return list(found.values())


def _rows(rows: csv.DictReader[str], path: Path) -> Iterator[dict[str, str]]:
    """The rows of a table; what the reader of CSV refuses is an error with its line."""
    try:
        yield from rows
    except csv.Error as error:
        where = Where(file=str(path), line=rows.line_num + 1)
        raise CorpusError(f"no table: {error}", where=where, hint="save it as CSV in UTF-8") from error


def _rating(row: dict[str, str], path: Path, line: int, scale: Scale, known: set[str]) -> Rating | None:
    where = Where(file=str(path), line=line)
    item, given = (row["item"] or "").strip(), (row["rating"] or "").strip()
    if not given:
        return None
    if item not in known:
        raise CorpusError(f"no item {item!r} in the key", where=where, hint="is it another sheet's key?")
    number = given.removesuffix(".0")
    if not _NUMBER.fullmatch(number) or not scale.low <= int(number) <= scale.high:
        hint = f"whole numbers from {scale.low} to {scale.high}, or nothing"
        raise CorpusError(f"bad rating {given[:20]!r} of item {item!r}", where=where, hint=hint)
    return Rating((row.get("rater") or "").strip() or path.stem, item, int(number))
