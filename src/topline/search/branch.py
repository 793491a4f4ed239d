"""One best set by branch and bound: ranges tighten, what is left is descended, what is too much is split."""

from __future__ import annotations

import numpy as np

from topline.errors import ToplineError
from topline.problem.problem import Ints, Problem
from topline.search.compact import compact
from topline.search.descent import Descent
from topline.search.exact import Limits
from topline.search.kernels.cover import DROPPED, LEAST, Cover
from topline.search.kernels.greedy import greedy
from topline.search.kernels.layout import Plan
from topline.search.node import Tight, halves, narrow, priced
from topline.search.turns import HARD, LIMIT, Aim, Spent, Turns

ROUNDS = 100
"""Rounds of the multipliers at the root."""
NODES, MOST_NODES = 200_000, 2_000_000
"""Nodes before a part is split; more when many had to be split."""
TILTS = (0.1, -1.0, 0.5)
"""How far prices count in the order of classes, part by part: no single order wins. Below 0: the order in
which each n-gram is open for the shortest stretch."""


class Search:
    """One problem's search: the root prepared once, then asked for one best set, or handed on for all."""

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
        self.exhausted = False

    def prepare(self, target: int) -> None:
        """Multipliers at the root, for sets worth `target` or more."""
        c = self.cover
        u = c.steps[c.first[:-1]].astype(np.float64) / 2
        self.tight = priced(c, u, float(max(self.value, target)), ROUNDS, 1.0, self.scale)
        self.bound = max(self.tight.bound // self.scale, target - 1)

    def narrowed(self, target: int) -> Tight:
        """The root for sets worth `target` or more."""
        if self.tight is None:
            raise ValueError("prepare() first")
        return narrow(self.tight, target, target - 1e-3, self.scale)

    def _rise(self) -> None:
        """Look for better and better sets, until there is none or a limit is reached."""
        target = self.value + 1
        stack, splits = [self.narrowed(target)], 0
        while stack and self.value < self.bound and not self.exhausted:
            tight = stack.pop()
            if self.value >= target:
                target = self.value + 1
                tight = narrow(tight, target, target - 1e-3, self.scale)
            if tight.bound < target * self.scale:
                continue
            aim = Aim(target, self.bound, self.scale)
            patience = min(int(NODES * max(1.0, splits / 10)), MOST_NODES)
            descent, end = Turns(_begin, tight, aim, (TILTS[splits % len(TILTS)],), patience).run(self.spent)
            self.exhausted = end == LIMIT
            if descent is not None and descent.value >= target:
                self._keep(descent, tight)
            if end == HARD:
                splits += 1
                stack.extend(halves(tight, self.value + 1, self.scale))

    def _keep(self, found: Descent, tight: Tight) -> None:
        """The best set so far."""
        self.value, self.fates = found.value, tight.fates
        self.take = tight.cover.items[LEAST] + found.take

    def aim(self, target: int) -> tuple[Tight, Aim]:
        """The root for all sets worth `target` or more, and what is sought."""
        return self.narrowed(target), Aim(target, self.bound, self.scale)

    def best(self) -> bool:
        """Find one best set; whether that was proved. The target rises with every better set that is met."""
        if self.tight is None:
            self.prepare(self.value + 1)
        self._rise()
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


def _begin(tight: Tight, plan: Plan, aim: Aim, memory: int) -> Descent:
    return Descent(tight.cover.base, plan, aim.scale, aim.target, aim.upper, memory)


def _scale(problem: Problem) -> int:
    """The unit of multipliers: as fine as 64 bits allow, at most 2^-20."""
    most = int(problem.counts.sum()) * int(problem.gains.max(initial=0)) + int(np.abs(problem.charges).sum())
    spare = 60 - most.bit_length()
    if spare < 4:
        raise ToplineError(f"gains and charges of up to {most} are too large for exact 64-bit arithmetic")
    return 1 << min(20, spare)
