"""Which scores a command line asks for, in the order in which they are printed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from topline.rouge.metric import Part
from topline.rouge.perl.figures import number
from topline.rouge.perl.flags import Flags

_WIDE = 2**31 - 1
"""A gap that no text can exceed."""


@dataclass(frozen=True, slots=True)
class Step:
    """One score: its name in the print-out, and what is counted."""

    tag: str
    part: Part | None
    """None for basic elements."""

    @property
    def kind(self) -> str:
        """`n`, `l`, `w`, `s`, `su` or `be`."""
        return self.part.kind if self.part else "be"

    @property
    def clears_stemming(self) -> bool:
        """Whether `-M` ends `-m` after this score's first reference."""
        return self.kind != "n"


def steps(flags: Flags) -> Iterator[Step]:
    """All scores of a system."""
    n = 1
    while n <= number(flags.value("n", "0")):
        yield Step(f"ROUGE-{n}", Part("n", n=n))
        n += 1
    if not flags.has("x") and not flags.has("3"):
        yield Step("ROUGE-L", Part("l"))
    if flags.has("w"):
        weight = flags.value("w")
        yield Step(f"ROUGE-W-{weight}", Part("w", weight=repr(number(weight))))
    if flags.has("2"):
        yield from _skip_bigrams(flags)
    if flags.has("3"):
        yield Step(f"ROUGE-BE-{flags.value('3')}", None)


def _skip_bigrams(flags: Flags) -> Iterator[Step]:
    typed = flags.value("2")
    distance = number(typed)
    gap = None if distance < 0 else min(_WIDE, math.floor(min(distance, _WIDE)))
    name = "*" if distance < 0 else typed
    if not flags.has("u"):
        yield Step(f"ROUGE-S{name}", Part("s", gap=gap))
    if flags.has("u") or flags.has("U"):
        yield Step(f"ROUGE-SU{name}", Part("su", gap=gap))
