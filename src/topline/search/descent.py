"""A descent for one best set that can stop and go on: its arrays, and what it found."""

from __future__ import annotations

import numpy as np

from topline.problem.problem import Ints
from topline.search.kernels.descend import (
    BEST,
    DOWN,
    ENTERING,
    FILLED,
    GOAL,
    GROWS,
    NODES,
    ROOM,
    SHORT,
    TOP,
    VALUE,
    WORDS,
    Work,
    descend,
    move,
)
from topline.search.kernels.layout import COPIES, KIND, Plan

_MEMO = 1 << 9
"""Rows of the memo to begin with."""


class Descent:
    """One order of the classes of a cover, gone through piece by piece."""

    def __init__(self, base: int, plan: Plan, scale: int, target: int, upper: int, memory: int) -> None:
        self.plan, self.scale, self.upper, self.memory = plan, scale, upper, memory
        n, most = plan.spot.shape[1] - 1, int(plan.spot[COPIES].max(initial=1)) + 1
        now = np.zeros(GROWS + 1, np.int64)
        now[ENTERING], now[GOAL], now[BEST], now[GROWS] = 1, target * scale, target - 1, 1
        level = np.zeros((DOWN + 1, n + 1), np.int64)
        level[VALUE, 0], level[TOP, 0], level[ROOM, 0] = base * scale, plan.root + base * scale, plan.room
        pick, pick_top, pick_value = np.zeros((3, n + 1, most), np.int64)
        self.work = Work(
            now=now,
            have=np.zeros(plan.gram.shape[1], np.int64),
            level=level,
            key=np.zeros((n + 1, WORDS + plan.words), np.int64),
            pick=pick,
            pick_top=pick_top,
            pick_value=pick_value,
            memo=np.zeros((_MEMO, WORDS + plan.words), np.int64),
            take=np.zeros(n + 1, np.int64),
            best=np.zeros(n, np.int64),
        )

    @property
    def nodes(self) -> int:
        """Nodes visited so far."""
        return int(self.work.now[NODES])

    def go_on(self, nodes: int) -> int:
        """Visit so many nodes more, at most; how it stopped."""
        until = self.nodes + nodes
        while True:
            left = until - self.nodes
            status: int = descend(self.plan, self.work, self.scale, self.upper, left)
            if status != SHORT:
                return status
            self._longer()

    def _longer(self) -> None:
        """Twice the memo; where that would take too much memory, older states give way from now on."""
        now, memo = self.work.now, self.work.memo
        now[GROWS] = 24 * memo.size < self.memory
        if now[GROWS]:
            larger = np.zeros((2 * len(memo), memo.shape[1]), np.int64)
            now[FILLED] = move(memo, larger)
            self.work = self.work._replace(memo=larger)

    @property
    def value(self) -> int:
        """The best value seen; one less than the target if there was none."""
        return int(self.work.now[BEST])

    @property
    def take(self) -> Ints:
        """The copies of each class that reach it."""
        take = np.zeros_like(self.work.best)
        take[self.plan.spot[KIND, : len(take)]] = self.work.best
        return take
