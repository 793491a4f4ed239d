"""Length budgets as values: `100w`, `665b`, `3s`, `20%`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from topline.errors import BudgetError

_FORM = re.compile(r"(\d+)(w|b|s|%)")
_UNITS = {"w": "words", "b": "bytes", "s": "sentences"}
MOST = 2**31 - 1
"""The largest budget: lengths are 32-bit in the kernels."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long an extract may be."""

    amount: int
    unit: str
    """`w` words (white-space separated), `b` bytes of UTF-8, `s` sentences, `%` of the source's words."""
    chop: bool = False
    """The last sentence may be cut at the budget, as ROUGE's `-l` and `-b` do."""

    def __post_init__(self) -> None:
        if self.unit not in (*_UNITS, "%"):
            raise BudgetError(f"unknown unit {self.unit!r} of a budget", hint="w, b, s or %")
        if not 0 < self.amount <= MOST or (self.unit == "%" and self.amount > 100):
            raise BudgetError(
                f"a budget of {self.amount}{self.unit} makes no sense", hint="e.g. 100w, 665b, 3s, 20%"
            )
        if self.chop and self.unit == "s":
            raise BudgetError("a budget in sentences cannot be chopped", hint="give words or bytes")

    @classmethod
    def parse(cls, text: str, *, chop: bool = False) -> Budget:
        """Read `100w`, `665b`, `3s` or `20%`.

        >>> Budget.parse("100w")
        Budget(amount=100, unit='w', chop=False)
        """
        match = _FORM.fullmatch(text.strip())
        if match is None:
            raise BudgetError(f"{text!r} is no budget", hint="e.g. 100w, 665b, 3s, 20%")
        return cls(int(match[1]), match[2], chop)

    def length(self, sentence: str) -> int:
        """What a sentence costs in this budget's unit."""
        if self.unit == "b":
            return len(sentence.encode("utf-8", "surrogatepass"))
        return 1 if self.unit == "s" else len(sentence.split())

    def limit(self, sentences: Sequence[str]) -> int:
        """The budget for these source sentences as a number: a share is taken of their words."""
        if self.unit == "%":
            return self.amount * sum(len(sentence.split()) for sentence in sentences) // 100
        return self.amount

    def __str__(self) -> str:
        return f"{self.amount}{self.unit}"

    @property
    def signature(self) -> str:
        """The part of a result's signature that says the budget."""
        return f"budget:{self}|chop:{'yes' if self.chop else 'no'}"
