"""Basic elements: HEAD|MODIFIER|RELATION a line, matched as strings."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from topline.errors import CorpusError, Where

TOTAL = "_cn_"
"""The script keeps the number of elements among the elements; a head of this name counts twice."""
_WORD = re.compile("[A-Za-z0-9]")
_SPACES = re.compile(r"[ \t\n\r\f\v]+")
_CAPITALS = str.maketrans({chr(c): chr(c + 32) for c in range(ord("A"), ord("Z") + 1)})


@dataclass(frozen=True, slots=True)
class Elements:
    """A text's basic elements: how often each occurs, and how many there are in all."""

    counts: dict[str, int]
    lines: int
    """How many the file has, whether the form takes them or not."""

    @property
    def total(self) -> int:
        """All elements that the form takes."""
        return self.counts[TOTAL]

    def hits(self, peer: Elements) -> int:
        """How many of these (a model's) elements the peer has, clipped."""
        shared = self.counts.keys() & peer.counts.keys() - {TOTAL}
        return sum(min(self.counts[element], peer.counts[element]) for element in shared)


def elements(lines: Sequence[bytes], form: str, stem: Callable[[str], str] | None, path: bytes) -> Elements:
    """Count a file's elements in a form: H, HM, HMR, HM1, HMR1, HMR2 (any other takes none)."""
    counts = {TOTAL: 0}
    for number, line in enumerate(lines, 1):
        fields = _fields(line.decode("latin-1").translate(_CAPITALS))
        if len(fields) != 3:
            where = Where(os.fsdecode(path), number)
            raise CorpusError("no basic element", where=where, hint="a line is HEAD|MODIFIER|RELATION")
        element = _element(fields, form, stem)
        if element is not None:
            counts[element] = counts.get(element, 0) + 1
            counts[TOTAL] += 1
    return Elements(counts, len(lines))


def _fields(line: str) -> list[str]:
    """What lies between the bars; empty fields at the end do not count."""
    fields = line.split("|")
    while fields and not fields[-1]:
        fields.pop()
    return fields


def _element(fields: Sequence[str], form: str, stem: Callable[[str], str] | None) -> str | None:
    """The string that is matched; None where the form does not take this element."""
    head, modifier, relation = fields
    if stem is not None:
        head, modifier = _stemmed(head, stem), _stemmed(modifier, stem)
    if form == "H":
        return head if modifier == "nil" else None
    if form == "HM1" or (form == "HM" and modifier != "nil"):
        return f"{head}|{modifier}"
    # HMR1 looks at the modifier before it was stemmed, HM after
    taken = {"HMR": relation != "nil", "HMR1": fields[1] != "nil", "HMR2": True}
    return f"{head}|{modifier}|{relation}" if taken.get(form) else None


def _stemmed(field: str, stem: Callable[[str], str]) -> str:
    """A field of more than three characters with each of its words stemmed, however short."""
    if len(field) <= 3:
        return field
    words = _SPACES.split(field)
    while words and not words[-1]:
        words.pop()
    return " ".join(stem(word) if _WORD.search(word) else word for word in words)
