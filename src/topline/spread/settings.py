"""How distributions are computed, beside metric and budget."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from pathlib import Path

from topline.errors import OptionError
from topline.spread import extracts
from topline.spread.extracts import CHOPPED
from topline.text.budget import Budget

METHODS = ("auto", "enumerate", "count", "sample")
SECTIONS = ("none", "given", "auto")
REFERENCES = ("pooled", "each", "best")
SECOND = 400_000_000
"""Work that any of the methods does in a second of one core of a small machine, with something to spare."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may choose."""

    extracts: str = CHOPPED
    """`chopped`, `fitting` or `maximal`; see `extracts`."""
    references: str = "pooled"
    """`pooled`, `each` or `best`."""
    sections: str = "none"
    """`given` boundaries, `auto`matic segmentation, or `none`: the document as a whole."""
    method: str = "auto"
    """`auto`, or one of `enumerate`, `count`, `sample` without regard to time."""
    seconds: float = 60.0
    """About how long a document may take on one core."""
    draws: int | None = None
    """How many, if it comes to sampling; else as many as a narrow band needs, or the time allows."""
    seed: int = 0
    jobs: int = 1
    journal: Path | None = None
    """Where finished pieces are kept, so that an interrupted run can go on."""

    @property
    def work(self) -> int:
        """What the time comes to in work."""
        return int(self.seconds * SECOND)

    def check(self, budget: Budget) -> None:
        """Refuse what makes no sense."""
        extracts.check(self.extracts, budget.unit)
        if not 0 < self.seconds < inf:
            raise OptionError(
                f"{self.seconds} seconds are no time limit",
                hint="--method enumerate goes on as long as it takes",
            )
        if self.draws is not None and self.draws < 1:
            raise OptionError(f"{self.draws} draws say nothing", hint="give at least one")
        for name, value, known in (
            ("method", self.method, METHODS),
            ("sections", self.sections, SECTIONS),
            ("references", self.references, REFERENCES),
        ):
            if value not in known:
                raise OptionError(f"{value!r} is no choice for {name}", hint=f"one of {', '.join(known)}")
        if self.sections != "none" and self.references == "best":
            raise OptionError(
                "the best reference of a sum of sections is not the sum of the sections' best references",
                hint="pool the references, or take each",
            )
        if self.sections != "none" and budget.unit == "s":
            raise OptionError("sections share out words or bytes, not sentences", hint="give --budget 100w")
        if self.references == "best" and self.method == "count":
            raise OptionError("the best of several references cannot be counted without visiting")
