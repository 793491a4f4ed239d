"""Between what draws can tell and the exact tail: draws tilted towards high scores, and bounds from them.

An extract's worth `p` is what the multipliers of `bounds` say of its occurrences: additive, so that extracts
can be drawn in proportion to `e^(theta p)` by a table, whose total is `Z`. One that reaches index `h` has
`p >= h - T`, with `T` what the open demand is worth. Hence at most `Z e^(-theta (h - T))` extracts reach
`h`; and if a draw that does is accepted with probability `e^(-theta (p - h + T))`, the accepted share of the
draws is the share of that bound which is true. Clopper and Pearson's interval of it holds however skewed the
tail is, which estimates by weighted draws cannot promise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, floor, inf, isfinite, log

import numpy as np
from numpy.typing import NDArray

from topline.spread.bounds import SCALE, Bound, best_multipliers
from topline.spread.encode import Encoding, Ints, Tables, Words
from topline.spread.extracts import Frame
from topline.spread.intervals import HALF, clopper_pearson
from topline.spread.sample import start_of

DRAWS = 200_000
"""The most draws for a group of thresholds."""
_GROUP, _GROUPS = 4, 12
"""So many neighbouring thresholds share draws, or more if there were too many groups."""
_SLOPES = (0.01, 10.0)
_GOLDEN = (5**0.5 - 1) / 2
_SEARCH = 11
"""Rounds of the search for the slope."""
_SHARES = (0.0, 0.5, 0.8, 1.0)
"""How far the multipliers are moved towards the whole weights."""
_COST, _TABLE = 8, 12_000
"""Work of a draw's meeting a sentence, and of a sentence in a table."""
_LEAST = 10_000
_OUTWARD = Fraction(1, 10**9)
"""Relative widening that covers the rounding of `Z`."""
Floats = NDArray[np.float64]
Bounds = dict[int, tuple[int, int]]


@dataclass(slots=True)
class Tilt:
    """Draws extracts of a frame in proportion to `e^(theta p)`, for any `theta`."""

    encoding: Encoding
    frame: Frame
    tables: Tables
    state: Words
    worth: list[Ints]
    """For every free position what each prefix of it is worth, `[0]` nothing; in units of `1 / SCALE`."""
    base: int
    """`T` in these units."""

    @classmethod
    def of(cls, encoding: Encoding, frame: Frame, tables: Tables) -> list[Tilt]:
        """For several multipliers: from those that bound the best extract to the whole weights.

        Near the optimum n-grams are met more than often enough, further down hardly one twice.
        """
        fields = list(encoding.offsets)
        best = best_multipliers(encoding, frame.room)
        weights = np.array([field.weight for field in fields], float)
        mixed = [best + share * (weights - best) for share in _SHARES]
        return [
            cls._at(encoding, frame, tables, Bound.at(encoding, dict(zip(fields, one.tolist(), strict=True))))
            for one in mixed
        ]

    @classmethod
    def _at(cls, encoding: Encoding, frame: Frame, tables: Tables, bound: Bound) -> Tilt:
        state = start_of(encoding, frame)
        open_ = int((encoding.weights * np.bitwise_count(state)).sum())
        bytes_ = state.view(np.uint8)
        slack = int(bound.slack[np.arange(len(bytes_)), bytes_].sum())
        worth = []
        for sentence in encoding.sentences[: frame.free]:
            by_run = bound.of_prefixes(sentence)
            runs = np.searchsorted(sentence.starts, np.arange(sentence.length + 1), side="right") - 1
            worth.append(by_run[runs])
        start = int(encoding.reach[0]) - open_
        return cls(encoding, frame, tables, state, worth, SCALE * start + slack)

    def table(self, theta: float) -> tuple[Floats, Floats]:
        """`[i, c]`: the weight of all ways to go on from position `i` with room `c`, open and closed.

        A chopped extract is open until its chopped sentence is chosen; others are closed from the start.
        """
        room, n = self.frame.room, self.frame.free
        open_, closed = np.zeros((n + 1, room + 1)), np.zeros((n + 1, room + 1))
        closed[n, : self.frame.slack + 1] = 1.0
        with np.errstate(over="ignore", invalid="ignore"):
            for i in range(n - 1, -1, -1):
                weights = np.exp(theta / SCALE * self.worth[i])
                length, whole = len(weights) - 1, weights[-1]
                open_[i], closed[i] = open_[i + 1], closed[i + 1]
                if self.frame.chopped:
                    weights[0] = 0.0
                    open_[i] += np.convolve(closed[i + 1], weights)[: room + 1]
                if length <= room:
                    open_[i, length:] += whole * open_[i + 1, : room + 1 - length]
                    closed[i, length:] += whole * closed[i + 1, : room + 1 - length]
        return open_, closed

    def slope(self, index: int) -> tuple[float, float]:
        """The smallest bound for an index, as a logarithm, and the `theta` that gives it; it is convex."""
        need = (SCALE * index - self.base) / SCALE

        def bound(theta: float) -> float:
            total = self.total(self.table(theta))
            return log(total) - theta * need if isfinite(total) else inf

        # golden section on a logarithmic scale
        low, high = log(_SLOPES[0]), log(_SLOPES[1])
        inner = [high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)]
        values = [bound(exp(at)) for at in inner]
        for _ in range(_SEARCH):
            if values[0] <= values[1]:
                high = inner[1]
                inner = [high - _GOLDEN * (high - low), inner[0]]
                values = [bound(exp(inner[0])), values[0]]
            else:
                low = inner[0]
                inner = [inner[1], low + _GOLDEN * (high - low)]
                values = [values[1], bound(exp(inner[1]))]
        return min((value, exp(at)) for value, at in zip(values, inner, strict=True))

    def total(self, tables: tuple[Floats, Floats]) -> float:
        """`Z`."""
        return float(tables[0 if self.frame.chopped else 1][0, self.frame.room])

    def draw(
        self, theta: float, tables: tuple[Floats, Floats], draws: int, random: np.random.Generator
    ) -> tuple[Ints, Ints]:
        """The indices and the worths of so many draws: all of them meet one sentence after the other."""
        hand = _Hand.of(self, draws)
        for i in range(self.frame.free):
            at = tuple(table[i] for table in tables), tuple(table[i + 1] for table in tables)
            total, stay = (np.where(hand.closed, of[1][hand.room], of[0][hand.room]) for of in at)
            point = random.random(draws) * total
            going = np.flatnonzero(point >= stay)
            hand.meet(self, i, going, (point - stay)[going], theta, at[1])
        return hand.indices(self), hand.worth


@dataclass(slots=True)
class _Hand:
    """Many draws at once, half done."""

    room: Ints
    closed: NDArray[np.bool_]
    open_: Words
    worth: Ints
    cut: Ints
    """How much is kept of the chopped sentence, and its position."""
    cut_at: Ints

    @classmethod
    def of(cls, tilt: Tilt, draws: int) -> _Hand:
        frame = tilt.frame
        return cls(
            np.full(draws, frame.room),
            np.full(draws, not frame.chopped),
            np.repeat(tilt.state[None], draws, 0),
            np.zeros(draws, np.int64),
            np.zeros(draws, np.int64),
            np.zeros(draws, np.int64),
        )

    def meet(
        self, tilt: Tilt, i: int, going: Ints, point: Floats, theta: float, beyond: Sequence[Floats]
    ) -> None:
        """Let some of the draws take sentence `i`, whole or chopped, as their point says."""
        worth = tilt.worth[i]
        length = len(worth) - 1
        room, closed = self.room[going], self.closed[going]
        left = np.maximum(room - length, 0)
        weight = np.where(closed, beyond[1][left], beyond[0][left]) * exp(theta / SCALE * int(worth[-1]))
        weight[room < length] = 0.0
        # rounding may leave a point a little outside: nothing of no weight is taken
        taking = (closed | (point < weight)) & (weight > 0)
        self._take(tilt, i, going[taking])
        cutting = ~taking & ~closed
        if cutting.any():
            self._chop(tilt, i, going[cutting], (point - weight)[cutting], theta, beyond[1])

    def _take(self, tilt: Tilt, i: int, takers: Ints) -> None:
        tables = tilt.tables
        state = self.open_[takers]
        for step in range(int(tables.steps[i])):
            down = state >> np.uint64(1)
            down[:, :-1] |= state[:, 1:] << np.uint64(63)
            state = (state & ~tables.clear[step, :, i]) | (down & tables.keep[step, :, i])
        self.open_[takers] = state
        self.room[takers] -= len(tilt.worth[i]) - 1
        self.worth[takers] += tilt.worth[i][-1]

    def _chop(self, tilt: Tilt, i: int, cutters: Ints, point: Floats, theta: float, closed: Floats) -> None:
        worth = tilt.worth[i]
        sizes = np.arange(1, len(worth))
        left = self.room[cutters][:, None] - sizes
        weights = np.where(left >= 0, closed[np.maximum(left, 0)], 0.0) * np.exp(theta / SCALE * worth[1:])
        sums = weights.cumsum(1)
        size = 1 + np.argmax(
            (sums > np.minimum(point, sums[:, -1] * (1 - 1e-15))[:, None]) & (weights > 0), 1
        )
        self.cut[cutters], self.cut_at[cutters], self.closed[cutters] = size, i, True
        self.room[cutters] -= size
        self.worth[cutters] += worth[size]

    def indices(self, tilt: Tilt) -> Ints:
        """What the draws have come to."""
        open_ = self.open_
        if tilt.frame.chopped:
            open_ = open_ & ~tilt.tables.prefix[self.cut, :, self.cut_at]
        lost = (np.bitwise_count(open_) * tilt.encoding.weights).sum(1)
        found: Ints = tilt.encoding.reach[0] - lost
        return found


def rare(tilts: Sequence[Tilt], thresholds: Sequence[int], work: int, seed: int) -> Bounds:
    """Bounds, each at 99.5% confidence, of how many extracts have at least each of these indices."""
    found: Bounds = {}
    sentences = max(1, tilts[0].frame.free)
    slope = _TABLE * sentences * len(tilts) * (_SEARCH + 2)
    most = max(1, min(_GROUPS, work // 2 // slope))
    size = max(_GROUP, -(-len(thresholds) // most))
    groups = [thresholds[first : first + size] for first in range(0, len(thresholds), size)]
    affordable = work // 2 // (_COST * sentences * max(1, len(groups)))
    draws = min(DRAWS, max(_LEAST, affordable))
    for group in groups:
        slopes = [tilt.slope(group[len(group) // 2]) for tilt in tilts]
        chosen = min(range(len(tilts)), key=lambda i: slopes[i])
        random = np.random.default_rng([seed, group[0]])
        found |= _group(tilts[chosen], group, slopes[chosen][1], draws, random)
    return found


def _group(
    tilt: Tilt, thresholds: Sequence[int], theta: float, draws: int, random: np.random.Generator
) -> Bounds:
    """The bounds for neighbouring thresholds, from the same draws."""
    tables = tilt.table(theta)
    total = tilt.total(tables)
    if not isfinite(total):
        return {}
    indices, worth = tilt.draw(theta, tables, draws, random)
    luck = random.random(draws)
    found: Bounds = {}
    for index in thresholds:
        reaching = indices >= index
        excess = worth[reaching] - (SCALE * index - tilt.base)
        accepted = int((luck[reaching] < np.exp(-theta / SCALE * excess)).sum())
        most = Fraction(total) * Fraction(exp(-theta * (index - tilt.base / SCALE)))
        found[index] = _bounds(most, *clopper_pearson(accepted, draws, HALF))
    return found


def _bounds(most: Fraction, low: float, high: float) -> tuple[int, int]:
    """Whole bounds, which only a proof makes equal: that no more than a part of one extract is possible."""
    if most * (1 + _OUTWARD) < 1:
        return 0, 0
    least = floor(most * Fraction(low) * (1 - _OUTWARD))
    return least, max(least + 1, floor(most * Fraction(high) * (1 + _OUTWARD)))
