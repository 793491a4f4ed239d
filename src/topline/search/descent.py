"""A descent that can stop and go on: its arrays, and what it found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topline.problem.problem import Ints
from topline.search.kernels.descend import (
    ASKED,
    BEST,
    DRAWN,
    ENTERING,
    FILLED,
    GOAL,
    GROWS,
    MADE,
    NODES,
    RESULT,
    ROOM,
    SHORT,
    TOP,
    TURN,
    VALUE,
    WAYS,
    WORDS,
    T,
    Work,
    descend,
    move,
)
from topline.search.kernels.layout import COPIES, KIND, Plan

OUT_OF_MEMORY = SHORT + 1
"""What a descent that may not take longer arrays says instead of `SHORT`."""
_SHORT, _MEMO = 1 << 8, 1 << 9
"""Lengths to begin with: of the diagram's arrays and of the memo."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a descent found. Node 0 stands for no completion, node 1 for the empty one."""

    value: int
    """The best value seen (of one set, or one better than all that were sought)."""
    take: Ints
    """The copies of each class that reach it (of one set)."""
    root: int
    place: Ints
    """The class that node `v` decides."""
    arcs: Ints
    """Node `v` has arcs `arcs[v]:arcs[v + 1]`."""
    copies: Ints
    child: Ints


class Descent:
    """One order of the classes of a cover, gone through piece by piece."""

    def __init__(
        self, base: int, plan: Plan, scale: int, target: int, upper: int, mode: int, memory: int
    ) -> None:
        self.plan, self.scale, self.upper, self.mode, self.memory = plan, scale, upper, mode, memory
        n, most = plan.spot.shape[1] - 1, int(plan.spot[COPIES].max(initial=1)) + 1
        now = np.zeros(GROWS + 1, np.int64)
        now[ENTERING], now[GOAL], now[BEST], now[MADE], now[GROWS] = 1, target * scale, target - 1, 2, 1
        level = np.zeros((ASKED + 1, n + 1), np.int64)
        level[VALUE, 0], level[TOP, 0], level[ROOM, 0] = base * scale, plan.root + base * scale, plan.room
        pick, pick_top, pick_value, arc_copies, arc_child = np.zeros((5, n + 1, most), np.int64)
        place, arcs, copies, child = np.zeros((4, _SHORT + most), np.int64)
        self.work = Work(
            now=now,
            have=np.zeros(plan.gram.shape[1], np.int64),
            level=level,
            key=np.zeros((n + 1, plan.words), np.int64),
            pick=pick,
            pick_top=pick_top,
            pick_value=pick_value,
            arc_copies=arc_copies,
            arc_child=arc_child,
            memo=np.zeros((_MEMO, WORDS + plan.words), np.int64),
            fresh=np.zeros(WORDS + plan.words, np.int64),
            take=np.zeros(n, np.int64),
            place=place,
            arcs=arcs,
            copies=copies,
            child=child,
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
            status: int = descend(self.plan, self.work, self.scale, self.upper, self.mode, left)
            if status != SHORT:
                return status
            if not self._longer():
                return OUT_OF_MEMORY

    def close(self) -> None:
        """End it before its time: the diagram then holds what was found so far. For all sets only."""
        now, level = self.work.now, self.work.level
        now[T] -= now[ENTERING]
        now[ENTERING] = now[RESULT] = 0
        # no level tries a further choice
        level[WAYS, : now[T] + 1] = level[TURN, : now[T] + 1]
        self.memory *= 4
        self.go_on(1)

    def _longer(self) -> bool:
        """Twice the memo, or twice the diagram; False where that would take too much memory."""
        work, memory = self.work, self.memory
        now, memo = work.now, work.memo
        if 2 * now[FILLED] > len(memo) and now[GROWS]:
            now[GROWS] = 24 * memo.size < memory
            if now[GROWS]:
                larger = np.zeros((2 * len(memo), memo.shape[1]), np.int64)
                now[FILLED] = move(memo, larger)
                self.work = work._replace(memo=larger)
            return True
        if 32 * (len(work.place) + len(work.copies)) + 8 * memo.size > memory:
            return False
        twice = {
            name: np.concatenate((old, np.zeros_like(old)))
            for name, old in work._asdict().items()
            if name in ("place", "arcs", "copies", "child")
        }
        self.work = work._replace(**twice)
        return True

    @property
    def found(self) -> Found:
        """What was found, once it has stopped."""
        work = self.work
        now, made, drawn = work.now, int(work.now[MADE]), int(work.now[DRAWN])
        take = np.zeros_like(work.take)
        take[self.plan.spot[KIND, : len(take)]] = work.take
        arcs = work.arcs[: made + 1].copy()
        arcs[made] = drawn
        place, copies, child = work.place[:made].copy(), work.copies[:drawn].copy(), work.child[:drawn].copy()
        return Found(int(now[BEST]), take, int(now[RESULT]), place, arcs, copies, child)
