"""Branch and bound over covers: ranges tighten, what is left is descended, what is too much is split."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from topline.errors import ToplineError
from topline.problem.problem import Ints, Problem
from topline.search.compact import compact
from topline.search.descent import Found
from topline.search.exact import Limits
from topline.search.kernels.cover import DROPPED, LEAST, MORE, Cover
from topline.search.kernels.descend import ONE
from topline.search.kernels.greedy import greedy
from topline.search.node import Node, Tight, split, tighten, whole
from topline.search.turns import BETTER, HARD, LIMIT, Aim, Spent, Turns

ROUNDS, WARM_ROUNDS = 200, 150
"""Rounds of the multipliers at the root and after a branching."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A part that was searched to its end."""

    cover: Cover
    fates: tuple[Ints, ...]
    found: Found


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
        if self.tight is None:
            raise ValueError("prepare() first")
        stack = [whole(self.tight)]
        splits = 0
        while stack and not self.exhausted:
            tight = self._tightened(stack.pop(), target, splits)
            if tight.bound < target * self.scale:
                continue
            descent, end = Turns(tight, Aim(target, self.bound, mode, self.scale), splits).run(self.spent)
            self.exhausted = end == LIMIT
            if mode == ONE:
                if descent is not None and descent.found.value >= target:
                    self._keep(descent.found, tight)
                    target = self.value + 1
                    if self.value >= self.bound:
                        return
            elif end == BETTER:
                raise Better
            elif end != HARD and descent is not None:
                yield Leaf(tight.cover, tight.fates, descent.found)
            if end == HARD:
                splits += 1
                stack.extend(split(tight))

    def _tightened(self, node: Node, target: int, splits: int) -> Tight:
        """The node's multipliers; the root has them already, unless the target has changed."""
        if splits == 0 and target == self.aimed and self.tight is not None:
            return self.tight
        return tighten(node, target, target - 1e-3, WARM_ROUNDS if splits else 40, 0.3, self.scale)

    def _keep(self, found: Found, tight: Tight) -> None:
        """The best set so far."""
        self.value, self.fates = found.value, tight.fates
        self.take = tight.cover.items[LEAST] + found.take

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


def _scale(problem: Problem) -> int:
    """The unit of multipliers: as fine as 64 bits allow, at most 2^-20."""
    most = int(problem.counts.sum()) * int(problem.gains.max(initial=0)) + int(np.abs(problem.charges).sum())
    spare = 60 - most.bit_length()
    if spare < 4:
        raise ToplineError(f"gains and charges of up to {most} are too large for exact 64-bit arithmetic")
    return 1 << min(20, spare)
