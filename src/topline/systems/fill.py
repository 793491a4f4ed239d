"""Selection under a budget, the same for every system: sentences are added while they fit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from topline.errors import BudgetError
from topline.systems.matrix import Floats, Ints
from topline.text.budget import Budget

Accept = Callable[[int, list[int]], bool]
"""Whether a sentence may join those already chosen."""


@dataclass(frozen=True)
class Room:
    """A budget for one topic: what each sentence costs, and how much there is to spend."""

    lengths: Ints
    limit: int
    unit: str
    """As in `Budget`."""
    chop: bool = False
    """The sentence that crosses the limit is taken too and will be cut there."""

    @classmethod
    def of(cls, budget: Budget, texts: Sequence[str]) -> Room:
        """The room that a budget gives these sentences."""
        each = budget.unit == "s"
        lengths = (
            np.ones(len(texts), np.int64) if each else np.array(list(map(budget.length, texts)), np.int64)
        )
        return cls(lengths, budget.limit(texts), budget.unit, budget.chop)

    @classmethod
    def rate(cls, rate: Fraction, texts: Sequence[str], *, up: bool = False) -> Room:
        """A compression rate: `rate x n` of n sentences, at least one.

        To the nearest, halves up (the paper takes 2 of 12 at 20 % and 3 of 25 at 10 %), or always up.
        """
        exact = rate * len(texts)
        size = math.ceil(exact) if up else math.floor(exact + Fraction(1, 2))
        return cls(np.ones(len(texts), np.int64), max(size, 1), "s")

    def fits(self, row: int, used: int) -> bool:
        """Whether a sentence may be added to what is used already."""
        return used < self.limit if self.chop else used + int(self.lengths[row]) <= self.limit

    def part(self, rows: Sequence[int], limit: int) -> Room:
        """Room for some of the sentences."""
        return replace(self, lengths=self.lengths[list(rows)], limit=limit)

    def used(self, chosen: Iterable[int]) -> int:
        """What the chosen cost together, before any cut."""
        return sum(int(self.lengths[row]) for row in chosen)


def as_rate(rate: float | str | Fraction) -> Fraction:
    """A compression rate as the exact fraction that was typed."""
    try:
        text = str(rate).strip()
        exact = Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise BudgetError(f"{rate!r} is no compression rate", hint="a share such as 0.2 or 20%") from error
    if not 0 < exact <= 1:
        raise BudgetError(f"a compression rate of {rate} makes no sense", hint="above 0, at most 1")
    return exact


def ranked(scores: Floats) -> list[int]:
    """Rows by falling score; scores equal to ten digits of the largest are ties, in sentence order."""
    largest = float(np.abs(scores).max(initial=0.0))
    steps = np.round(scores / largest, 10) if largest > 0.0 and math.isfinite(largest) else scores
    order: list[int] = np.argsort(-steps, kind="stable").tolist()
    return order


def fill(order: Iterable[int], room: Room, accept: Accept | None = None) -> list[int]:
    """Take sentences in this order while they fit; one that does not is passed over for the next."""
    chosen: list[int] = []
    used = 0
    for row in order:
        if used >= room.limit:
            break
        if room.fits(row, used) and (accept is None or accept(row, chosen)):
            chosen.append(row)
            used += int(room.lengths[row])
    return chosen


def fill_nearest(order: Iterable[int], room: Room, accept: Accept | None = None) -> list[int]:
    """MEAD 3's reading: also past the limit, if that brings the total nearer to it; the first always."""
    chosen: list[int] = []
    used = 0
    for row in order:
        with_it = used + int(room.lengths[row])
        nearer = abs(with_it - room.limit) < abs(used - room.limit)
        wanted = not chosen or with_it <= room.limit or nearer
        if wanted and (accept is None or accept(row, chosen)):
            chosen.append(row)
            used = with_it
    return chosen


def cut(text: str, room: int, unit: str) -> str:
    """The first words or bytes of a sentence; a character is never split."""
    if unit == "b":
        return text.encode("utf-8", "surrogatepass")[:room].decode("utf-8", "ignore")
    return " ".join(text.split()[:room])


def share(weights: Sequence[int], total: int) -> list[int]:
    """Split a whole number in proportion to weights; the largest remainders round up, earlier ones first."""
    sum_ = sum(weights)
    if sum_ == 0:
        return [0] * len(weights)
    parts = [weight * total // sum_ for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda i: (-(weights[i] * total % sum_), i))
    for i in by_remainder[: total - sum(parts)]:
        parts[i] += 1
    return parts
