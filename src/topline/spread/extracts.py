"""What counts as an extract, and how many there are.

`chopped`: Ceylan et al.'s: a set of sentences shorter than the budget and one more sentence, outside the set,
of which what still fits is kept. If the two fill the budget exactly, the same text counts once for each
choice of the last sentence. `fitting`: every set of whole sentences within the budget, the empty one
included. `maximal`: the fitting sets to which no sentence can be added.

Sentences are numbered by falling length. Sets of whole sentences come in *frames*: the maximal sets whose
shortest missing sentence is `k` hold all that are behind `k`, and leave less room than `k` is long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from topline.errors import OptionError

CHOPPED, FITTING, MAXIMAL = "chopped", "fitting", "maximal"
KINDS = (CHOPPED, FITTING, MAXIMAL)


@dataclass(frozen=True, slots=True)
class Frame:
    """A family of extracts: some sentences are in, some are free, the room left over is bounded."""

    chopped: bool
    """Whether the free sentences are closed off by a chopped one that fills the room."""
    free: int
    """Positions below this are free; those behind `forced` are all in; none else is."""
    forced: int
    """First position of those that are all in."""
    room: int
    """What the budget leaves to the free sentences."""
    slack: int
    """A set counts if it leaves at most so much room (0 for chopped extracts: they leave none)."""


def check(kind: str, unit: str) -> None:
    """Refuse what makes no sense."""
    if kind not in KINDS:
        raise OptionError(f"{kind!r} is no kind of extract", hint=f"one of {', '.join(KINDS)}")
    if kind == CHOPPED and unit == "s":
        raise OptionError(
            "a budget in sentences leaves nothing to chop", hint="--extracts maximal, or a budget in words"
        )


def fits_whole(lengths: Sequence[int], budget: int) -> bool:
    """Whether the whole document is shorter than the budget: then it is its only chopped extract."""
    return sum(lengths) < budget


def frames(lengths: Sequence[int], budget: int, kind: str) -> list[Frame]:
    """The families that make up all extracts of a kind; `lengths` fall."""
    n = len(lengths)
    if kind == CHOPPED and not fits_whole(lengths, budget):
        return [Frame(True, n, n, budget, 0)]
    if kind == FITTING:
        return [Frame(False, n, n, budget, budget)]
    found = []
    behind = 0
    for missing in range(n - 1, -1, -1):
        room = budget - behind
        slack = min(lengths[missing] - 1, room)
        if sum(lengths[:missing]) >= room - slack:
            found.append(Frame(False, missing, missing + 1, room, slack))
        behind += lengths[missing]
        if behind > budget:
            return found
    return [*found, Frame(False, 0, 0, budget - behind, budget - behind)]


def count(lengths: Sequence[int], frames: Sequence[Frame]) -> int:
    """The number of extracts, by dynamic programming over lengths."""
    return sum(size(lengths, frame) for frame in frames)


def size(lengths: Sequence[int], frame: Frame) -> int:
    """The number of extracts of a frame."""
    free = lengths[: frame.free]
    if frame.chopped:
        return chopped_ways(free, frame.room)[1][frame.room]
    ways = subsets(free, frame.room)
    return sum(ways[frame.room - frame.slack :])


def subsets(lengths: Sequence[int], most: int) -> list[int]:
    """How many sets have each total length, up to a most."""
    ways = np.zeros(most + 1, object)
    ways[0] = 1
    for length in lengths:
        if length <= most:
            ways[length:] = ways[length:] + ways[: most + 1 - length]
    return [int(way) for way in ways]


def chopped_ways(lengths: Sequence[int], most: int) -> tuple[list[int], list[int]]:
    """How many ways there are to each length, with no sentence chopped and with exactly one.

    A chopped sentence gives any of its prefixes, the whole of it included.
    """
    none = np.zeros(most + 1, object)
    one = np.zeros(most + 1, object)
    none[0] = 1
    for length in lengths:
        below = np.array([0, *accumulate(none)], object)
        cut = below[:-1].copy()
        cut[length:] = cut[length:] - below[: max(0, most + 1 - length)]
        one = one + cut
        if length <= most:
            before = one - cut
            one[length:] = one[length:] + before[: most + 1 - length]
            none[length:] = none[length:] + none[: most + 1 - length]
    return [int(way) for way in none], [int(way) for way in one]
