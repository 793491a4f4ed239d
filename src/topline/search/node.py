"""A part of the search: classes and their ranges, narrowed by multipliers, or cut in two."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from topline.problem.problem import Ints
from topline.search.compact import compact
from topline.search.kernels.arrays import Floats
from topline.search.kernels.cover import LENGTH, MORE, OWN, Cover
from topline.search.multipliers import price, ranges

WARM_ROUNDS = 150
"""Rounds of the multipliers after a branching."""
_MANY = 64
"""Classes that make a search long enough for better multipliers to pay."""
_THETA = 0.3
"""The step of multipliers that were good before something changed."""


@dataclass(frozen=True, slots=True)
class Tight:
    """A part of the search with multipliers: classes of a cover, and what the relaxation says of them."""

    cover: Cover
    u: Floats
    whole: Ints
    """The multipliers in whole units of `1/scale`."""
    density: int
    bound: int
    """In the same units; below the target's, nothing is left."""
    mean: Floats
    """How much of each class the relaxation takes, on average."""
    fates: tuple[Ints, ...]
    """What became of the classes of the root, step by step."""


def priced(
    cover: Cover, u: Floats, aim: float, rounds: int, theta: float, scale: int, fates: tuple[Ints, ...] = ()
) -> Tight:
    """A part with good multipliers, sought from `u` on."""
    return Tight(cover, *price(cover, u, aim, rounds, theta, scale), fates)


def narrow(tight: Tight, target: int, aim: float, scale: int, *, fresh: bool = False) -> Tight:
    """Compaction and multipliers in turn, until so few ranges are cut that another would not pay.

    Multipliers that were sought for another target are sought once more, unless they are `fresh`.
    """
    while tight.bound >= target * scale:
        low, high, cuts = ranges(tight.cover, tight.whole, tight.density, tight.bound - target * scale, scale)
        if cuts < 0:
            return replace(tight, bound=target * scale - 1)
        if fresh and cuts * 20 <= len(low):
            break
        many = int((low < high).sum()) > _MANY
        rounds = 10 if fresh and cuts * 10 <= len(low) else WARM_ROUNDS if many and not fresh else 40
        tight, fresh = _within(tight, low, high, aim, rounds, scale), True
    return tight


def _within(tight: Tight, low: Ints, high: Ints, aim: float, rounds: int, scale: int) -> Tight:
    """The part in which classes take between `low` and `high` further copies."""
    cover, u, fate = compact(tight.cover, low, high, tight.u)
    return priced(cover, u, aim, rounds, _THETA, scale, (*tight.fates, fate))


def halves(tight: Tight, target: int, scale: int) -> list[Tight]:
    """The halves of a part that may hold sets worth `target`, narrowed; itself where all is decided."""
    if tight.cover.items.shape[1] == 0:
        return [tight]
    aim = target - 1e-3
    found = [
        narrow(_within(tight, *half, aim, WARM_ROUNDS, scale), target, aim, scale, fresh=True)
        for half in split(tight)
    ]
    return [half for half in found if half.bound >= target * scale]


def split(tight: Tight) -> list[tuple[Ints, Ints]]:
    """The ranges of two halves: the most undecided class takes few or many copies; many come last."""
    cover, u, mean = tight.cover, tight.u, tight.mean
    more = cover.items[MORE]
    price = cover.items[OWN] + np.bincount(
        np.repeat(np.arange(len(more)), np.diff(cover.starts)), u[cover.grams] * cover.counts, len(more)
    )
    x = np.clip(mean, 0, more)
    part = x - np.floor(x + 1e-9)
    i = int(np.argmax(price * (0.01 + np.minimum(part, 1 - part))))
    cut = min(int(x[i] + 1e-9), int(more[i]) - 1)
    zeros = np.zeros(len(more), np.int64)
    low, high = zeros.copy(), more.copy()
    high[i], low[i] = cut, cut + 1
    if low[i] * cover.items[LENGTH, i] > cover.room:
        return [(zeros, high)]
    return [(zeros, high), (low, more)]
