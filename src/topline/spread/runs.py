"""Runs of positions: which sentences may join a set, which close it, and how much work lies ahead.

Sentences stand by falling length, so what a room lets in is an interval.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topline.spread.encode import Ints
from topline.spread.extracts import Frame


@dataclass(frozen=True, slots=True)
class Runs:
    """For every room: which positions may join a set, and which close an extract (see the kernel).

    Members join by falling position, the shortest sentence first: what can still join a set that is nearly
    full is short, so hardly a set has others that begin with it.
    """

    joins: Ints
    """The first position that is short enough to join."""
    starts: Ints
    """The same, but for positions of which, with all before them, no set could become an extract."""
    closes: Ints
    """Behind the last position that is long enough to close."""

    @classmethod
    def of(cls, lengths: Ints, frame: Frame) -> Runs:
        """The runs of a frame: `lengths` fall, so every run is an interval of positions."""
        free = lengths[: frame.free]
        rooms = np.arange(frame.room + 1)

        def at_least(length: Ints) -> Ints:
            found: Ints = np.searchsorted(-free, -length, side="right")
            return found

        if frame.chopped:
            joins, closes, reach = at_least(rooms), at_least(rooms), int(free.max(initial=0))
        else:
            joins, closes, reach = at_least(rooms + 1), at_least(rooms - frame.slack), frame.slack
        starts = np.maximum(joins, np.searchsorted(np.cumsum(free), rooms - reach))
        return cls(joins, starts, closes)


@dataclass(frozen=True, slots=True)
class Work:
    """How many extracts the sets beginning in some way make, in floats: to split the work evenly."""

    ahead: NDArray[np.float64]
    """`ahead[t, r]`: the extracts of the sets that add any of the positions before `t` to room `r`."""

    @classmethod
    def of(cls, lengths: Ints, frame: Frame, runs: Runs) -> Work:
        """Count from the longest sentence on."""
        ahead = np.zeros((frame.free + 1, frame.room + 1))
        first = 0 if frame.chopped else runs.joins
        ahead[0] = np.maximum(runs.closes - first, 0) + 1.0
        for t in range(frame.free):
            ahead[t + 1] = ahead[t]
            if lengths[t] <= frame.room:
                ahead[t + 1, lengths[t] :] += ahead[t, : frame.room + 1 - lengths[t]]
        return cls(ahead)

    @property
    def total(self) -> float:
        """All of it."""
        return float(self.ahead[-1, -1])

    def below(self, child: int, left: int) -> float:
        """The extracts of the sets whose last member so far is `child`, with so much room left."""
        return float(self.ahead[child, left])
