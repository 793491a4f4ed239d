"""A part of the search: classes and their ranges, tightened by multipliers, or cut in two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topline.problem.problem import Ints
from topline.search.compact import compact
from topline.search.kernels.arrays import Floats
from topline.search.kernels.cover import LENGTH, MORE, OWN, Cover
from topline.search.multipliers import price

WARM_ROUNDS = 150
"""Rounds of the multipliers after a branching."""


@dataclass(frozen=True, slots=True)
class Node:
    """A part of the search: classes of a cover, the ranges they may still take, multipliers to start from."""

    cover: Cover
    low: Ints
    high: Ints
    u: Floats
    fates: tuple[Ints, ...]
    """What became of the classes of the root, tightening by tightening."""


@dataclass(frozen=True, slots=True)
class Tight:
    """A node after its multipliers have decided what they can."""

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


def tighten(node: Node, target: int, aim: float, rounds: int, theta: float, scale: int) -> Tight:
    """Multipliers and compaction in turn, until so few ranges are cut that another would not pay."""
    cover, low, high, u, fates = node.cover, node.low, node.high, node.u, node.fates
    while True:
        cover, u, fate = compact(cover, low, high, u)
        fates = (*fates, fate)
        u, whole, density, bound, mean, low, high, cuts = price(cover, u, target, aim, rounds, theta, scale)
        if cuts * 20 <= len(low):
            return Tight(cover, u, whole, density, bound, mean, fates)
        rounds = 40 if cuts * 10 > len(low) else 10


def whole(tight: Tight) -> Node:
    """All that multipliers have left."""
    more = tight.cover.items[MORE]
    return Node(tight.cover, np.zeros(len(more), np.int64), more, tight.u, tight.fates)


def split(tight: Tight) -> list[Node]:
    """Two halves of a node: the most undecided class takes few or many copies; many come first."""
    cover, u, mean, fates = tight.cover, tight.u, tight.mean, tight.fates
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
    few = Node(cover, zeros, high, u, fates)
    if low[i] * cover.items[LENGTH, i] > cover.room:
        return [few]
    return [few, Node(cover, low, more, u, fates)]


def halves(tight: Tight, target: int, scale: int) -> list[Tight]:
    """The halves of a node that may hold sets worth `target`, tightened; itself where all is decided."""
    if tight.cover.items.shape[1] == 0:
        return [tight]
    found = [tighten(node, target, target - 1e-3, WARM_ROUNDS, 0.3, scale) for node in split(tight)]
    return [half for half in found if half.bound >= target * scale]
