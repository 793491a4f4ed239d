"""Branch and bound over covers: ranges tighten, what is left is descended, what is too much is split."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from topline.errors import ToplineError
from topline.problem.problem import Ints, Problem
from topline.search.compact import compact
from topline.search.exact import Limits
from topline.search.kernels.arrays import Floats
from topline.search.kernels.cover import DROPPED, LEAST, LENGTH, MORE, OWN, Cover
from topline.search.kernels.descend import BETTER, DONE, ONE, Found, descend
from topline.search.kernels.greedy import greedy
from topline.search.layout import layout
from topline.search.multipliers import price

ROUNDS, WARM_ROUNDS = 200, 150
"""Rounds of the multipliers at the root and after a branching."""
NODES = 200_000
"""Nodes of a first descent; more when many had to be split."""
MOST_NODES = 2_000_000
"""Nodes of one descent at most, so that time limits and Ctrl-C are heard about once a second."""
CELLS = 1 << 22
MEMORY = 2 << 30
TILTS = (0.1, -1.0, 0.5)
"""How far prices count in the order of classes, from attempt to attempt: no single order
wins. Below 0: the order in which each n-gram is open for the shortest stretch."""


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
    """Multipliers and compaction in turn, until few ranges are cut: a compaction costs more than those bring."""
    cover, low, high, u, fates = node.cover, node.low, node.high, node.u, node.fates
    while True:
        cover, u, fate = compact(cover, low, high, u)
        fates = (*fates, fate)
        u, whole, density, bound, mean, low, high, cuts = price(cover, u, target, aim, rounds, theta, scale)
        if cuts * 20 <= len(low):
            return Tight(cover, u, whole, density, bound, mean, fates)
        rounds = 40 if cuts * 10 > len(low) else 10


@dataclass(frozen=True, slots=True)
class Leaf:
    """A part that was searched to its end."""

    cover: Cover
    fates: tuple[Ints, ...]
    found: Found


@dataclass(slots=True)
class Spent:
    """What the search has used, against its limits."""

    limits: Limits
    start: float = field(default_factory=perf_counter)
    nodes: int = 0
    seconds: float = 1e-3
    """Spent in descents; the time for `nodes`."""

    def budget(self, wanted: int) -> int:
        """Nodes for the next descent; 0 when a limit is reached."""
        if self.limits.nodes is not None:
            wanted = min(wanted, self.limits.nodes - self.nodes)
        if self.limits.seconds is not None:
            left = self.limits.seconds - (perf_counter() - self.start)
            wanted = min(wanted, int(left * max(self.nodes, 10_000) / self.seconds) + 1000) if left > 0 else 0
        return max(wanted, 0)


class Better(Exception):
    """A set worth more than what was taken for the best."""


class Search:
    """One problem's search: the root prepared once, then asked for one set or for all sets above a value."""

    def __init__(self, problem: Problem, limits: Limits) -> None:
        self.spent = Spent(limits)
        self.problem = problem
        n, m = problem.sentences, len(problem.gain_starts) - 1
        counts = np.diff(problem.starts)
        high = ((problem.lengths <= problem.budget) & ((counts > 0) | (problem.charges != 0))).astype(
            np.int64
        )
        zeros = np.zeros(n, np.int64)
        ones = np.ones(n, np.int64)
        items = np.stack((problem.lengths, -problem.charges, ones, zeros, ones))
        raw = Cover(
            0,
            problem.budget,
            items,
            problem.starts,
            problem.grams,
            problem.counts,
            problem.gain_starts,
            problem.gains,
        )
        self.scale = _scale(problem)
        self.cover, _, self.classes = compact(raw, zeros, high, np.zeros(m))
        self.value, self.take = greedy(self.cover)
        self.fates: tuple[Ints, ...] = ()
        """Where the classes of `take` stand."""
        self.bound = self.value
        self.tight: Tight | None = None
        self.aimed = 0
        self.exhausted = False

    def prepare(self, target: int) -> None:
        """Multipliers at the root, ranges for sets worth `target` or more."""
        c = self.cover
        zeros = np.zeros(c.items.shape[1], np.int64)
        node = Node(c, zeros, c.items[MORE], c.steps[c.first[:-1]].astype(np.float64) / 2, ())
        tight = tighten(node, target, float(max(self.value, target)), ROUNDS, 1.0, self.scale)
        self.bound = max(tight.bound // self.scale, target - 1)
        self.tight, self.aimed = tight, target

    def explore(self, target: int, mode: int) -> Iterator[Leaf]:
        """Search all that may hold sets worth `target`; gives the parts searched to their end.

        Ends early, without a word, when `exhausted` holds.
        """
        root = self.tight
        if root is None:
            raise ValueError("prepare() first")
        stack = [_whole(root)]
        splits = 0
        while stack:
            node = stack.pop()
            if splits == 0 and target == self.aimed:
                tight = root
            else:
                rounds = WARM_ROUNDS if splits else 40
                tight = tighten(node, target, target - 1e-3, rounds, 0.3, self.scale)
            if tight.bound < target * self.scale:
                continue
            cover, fates = tight.cover, tight.fates
            budget = self.spent.budget(min(int(NODES * max(1.0, splits / 10)), MOST_NODES))
            if budget == 0:
                self.exhausted = True
                return
            start = perf_counter()
            tilt = TILTS[splits % len(TILTS)]
            plan = layout(cover, tight.whole, tight.density, self.scale, CELLS, tilt)
            memory = self.spent.limits.memory or MEMORY
            found = Found(*descend(cover.base, plan, self.scale, target, self.bound, mode, budget, memory))
            self.spent.nodes += found.nodes
            self.spent.seconds += perf_counter() - start
            if mode == ONE and found.value >= target:
                self.value, self.take, self.fates = found.value, cover.items[LEAST] + found.take, fates
                target = found.value + 1
                if found.value >= self.bound:
                    return
            if found.status == BETTER:
                raise Better
            if found.status == DONE:
                yield Leaf(cover, fates, found)
                continue
            splits += 1
            stack.extend(_split(tight))

    def parts(self, target: int, mode: int) -> list[Leaf]:
        """All parts that hold sets worth `target` (or more, by `mode`); complete unless `exhausted`."""
        return [leaf for leaf in self.explore(target, mode) if leaf.found.root > 0]

    def best(self) -> bool:
        """Find one best set; whether that was proved. The target rises with every better set that is met."""
        if self.tight is None:
            self.prepare(self.value + 1)
        if self.bound > self.value:
            for _ in self.explore(self.value + 1, ONE):
                pass
            if not self.exhausted:
                self.bound = self.value
        return bool(self.bound == self.value)

    def chosen(self) -> tuple[int, ...]:
        """The sentences of the best set found: of interchangeable ones those that come first."""
        sentences = np.flatnonzero(self.classes >= 0)
        now = self.classes[sentences]
        picked: list[int] = []
        for fate in self.fates:
            then = fate[now]
            for k in set(now[then < DROPPED].tolist()):
                picked.extend(sentences[now == k][: DROPPED - fate[k]].tolist())
            sentences, now = sentences[then >= 0], then[then >= 0]
        for k in np.flatnonzero(self.take).tolist():
            picked.extend(sentences[now == k][: self.take[k]].tolist())
        return tuple(sorted(picked))


def _whole(tight: Tight) -> Node:
    """All that multipliers have left."""
    more = tight.cover.items[MORE]
    return Node(tight.cover, np.zeros(len(more), np.int64), more, tight.u, tight.fates)


def _scale(problem: Problem) -> int:
    """The unit of multipliers: as fine as 64 bits allow, at most 2^-20."""
    most = int(problem.counts.sum()) * int(problem.gains.max(initial=0)) + int(np.abs(problem.charges).sum())
    spare = 60 - most.bit_length()
    if spare < 4:
        raise ToplineError(f"gains and charges of up to {most} are too large for exact 64-bit arithmetic")
    return 1 << min(20, spare)


def _split(tight: Tight) -> list[Node]:
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
