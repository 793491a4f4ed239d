"""Where the sentences of a text begin and end; the text itself is never changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from topline.errors import OptionError

LONGEST_PIECE = 100_000
"""Characters handed to the splitter at once: a longer paragraph is cut at white space, so that a text
without any full stop costs memory and time in proportion to its length only."""

_LINE = re.compile(r"[^\r\n\u2029]+")
_BREAK = re.compile(r"\r\n|[\r\n]|\u2029")


_DECIMAL = re.compile(r"(?<=\d)[.,](?=\d)")
_TITLE = re.compile(
    r"\b(?:Amb|Atty|Cmdr|Cpl|Fr|Gov|Govs|Hon|Lt|Maj|Messrs|Pres|Pvt|Rep|Reps|Rev|Sens|Sgt|Supt)\.(?=\s+[A-Z])"
)
"""Titles before names that syntok does not know."""
_DATELINE = re.compile(r"\s*[A-Z][^\n.!?()]{1,60}\((?:\w+ ?){1,4}\)\s{1,3}(?:_|--?|–|—)(?=\s)")
"""`BERLIN (AP) _ ` before a story's first sentence: its beginning, not a sentence."""


class Span(NamedTuple):
    """Characters `start` to `end` (exclusive) of a text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Splitter:
    """A way to split, as a value: `syntok` finds sentences in prose, `lines` takes a line for a sentence."""

    name: str = "syntok"

    def __post_init__(self) -> None:
        if self.name not in SPLITTERS:
            raise OptionError(f"unknown splitter {self.name!r}", hint=f"one of: {', '.join(SPLITTERS)}")

    def spans(self, text: str, *, lines_end: bool = False) -> list[Span]:
        """The sentences in order, without white space around them; together they hold all other characters.

        A blank line always ends a sentence; with `lines_end` every line break does.

        >>> Splitter().spans("Mr. Low paid $3.50. He left!")
        [Span(start=0, end=19), Span(start=20, end=28)]
        """
        return list(SPLITTERS[self.name](text, lines_end))

    @property
    def signature(self) -> str:
        """The splitter with its library's version: part of a result's signature."""
        return f"syntok-{_syntok_version()}" if self.name == "syntok" else self.name


def paragraphs(text: str) -> Iterator[Span]:
    """Runs of lines without a blank line between them."""
    start = end = -1
    for line in lines(text):
        if start >= 0 and _is_blank_line(text[end : line.start]):
            yield Span(start, end)
            start = -1
        start, end = (line.start if start < 0 else start), line.end
    if start >= 0:
        yield Span(start, end)


def _is_blank_line(gap: str) -> bool:
    """Whether the white space between two lines ends more than one line, or a paragraph by its own sign."""
    breaks = _BREAK.findall(gap)
    return len(breaks) > 1 or breaks == ["\u2029"]


def lines(text: str) -> Iterator[Span]:
    """Lines that are not blank, without the white space around them."""
    for match in _LINE.finditer(text):
        if span := _stripped(text, match.start(), match.end()):
            yield span


def _stripped(text: str, start: int, end: int) -> Span | None:
    """The span without white space at its ends; None if nothing is left."""
    piece = text[start:end]
    body = piece.lstrip()
    if not body:
        return None
    first = end - len(body)
    return Span(first, first + len(body.rstrip()))


def _pieces(text: str, span: Span) -> Iterator[Span]:
    """The span in pieces of bounded length, cut at the last white space that fits."""
    start, end = span
    while end - start > LONGEST_PIECE:
        head = text[start : start + LONGEST_PIECE]
        words = head.rsplit(None, 1)
        cut = start + (len(words[0]) if len(words) == 2 else LONGEST_PIECE)
        yield Span(start, cut)
        start = cut
    yield Span(start, end)


def _prose(text: str, lines_end: bool) -> Iterator[Span]:
    """Sentences as syntok sees them, a paragraph at a time."""
    starts = _syntok_starts()
    for paragraph in lines(text) if lines_end else paragraphs(text):
        for piece in _pieces(text, paragraph):
            borders = [piece.start, *starts(text[piece.start : piece.end], piece.start), piece.end]
            for start, end in pairwise(borders):
                if span := _stripped(text, start, end):
                    yield span


def _lines(text: str, lines_end: bool) -> Iterator[Span]:  # noqa: ARG001 - every splitter takes both
    """Every line that is not blank."""
    return lines(text)


SPLITTERS: dict[str, Callable[[str, bool], Iterator[Span]]] = {"syntok": _prose, "lines": _lines}


def _masked(piece: str) -> str:
    """The piece as syntok reads it better, character for character: only where its sentences start is used.

    It takes the point of `$9.25` for that of an abbreviation, and knows neither typewriter's quotation
    marks (`` and '') nor the titles and datelines of newswire.
    """
    if dateline := _DATELINE.match(piece):
        piece = re.sub(r"[^\w\s,]|_", ",", dateline[0]) + piece[dateline.end() :]
    piece = _DECIMAL.sub("0", piece).replace("``", '" ').replace("''", '" ')
    return _TITLE.sub(lambda title: title[0][:-1] + "x", piece)


@cache
def _syntok_starts() -> Callable[[str, int], list[int]]:
    """A function that gives where syntok's sentences start, the first one left out."""
    from syntok.segmenter import segment
    from syntok.tokenizer import Tokenizer

    tokenizer = Tokenizer(replace_not_contraction=False)

    def starts(piece: str, offset: int) -> list[int]:
        sentences = segment(iter(tokenizer.tokenize(_masked(piece), offset)))
        return [sentence[0].offset for sentence in sentences][1:]

    return starts


@cache
def _syntok_version() -> str:
    from importlib.metadata import version

    return version("syntok")
