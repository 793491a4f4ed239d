"""All sets of a part of the search, layer by layer; what was found is a decision diagram."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topline.problem.problem import Ints
from topline.search.kernels.layers import (
    COUNT,
    DONE,
    DRAWN,
    ENTER,
    FREE,
    MADE,
    NODES,
    SHORT,
    TOP,
    TURN,
    VALUE,
    T,
    Work,
    advance,
)
from topline.search.kernels.layout import BEGUN, COPIES, FALL, KIND, SPAN, Plan
from topline.search.kernels.rooms import BITS, States, reach, shortest, unfold

OUT_OF_MEMORY = SHORT + 1
"""What is said instead of `SHORT` by layers that may not take longer arrays."""
_SHORT = 1 << 10
"""Lengths to begin with."""
_BEAM = 256
"""States of a position that go on where there is no time for all."""


@dataclass(frozen=True, slots=True)
class Found:
    """A diagram. Node 0 stands for no completion, node 1 for the empty one."""

    root: int
    place: Ints
    """The class that node `v` decides."""
    arcs: Ints
    """Node `v` has arcs `arcs[v]:arcs[v + 1]`."""
    copies: Ints
    child: Ints

    @property
    def bytes(self) -> int:
        """The memory it takes."""
        return sum(array.nbytes for array in (self.place, self.arcs, self.copies, self.child))


class Layers:
    """One order of the classes of a cover, gone through layer by layer, piece by piece."""

    def __init__(self, base: int, plan: Plan, scale: int, target: int, memory: int) -> None:
        self.plan, self.goal, self.memory = plan, target * scale, memory
        self.end = plan.spot.shape[1] - 1
        self.found: Found | None = None
        most = int(plan.spot[COPIES].max(initial=0)) + 1
        size = _SHORT + most
        now = np.zeros(ENTER + 1, np.int64)
        now[COUNT] = now[MADE] = 1
        rows = np.zeros((2, TOP + 1, size), np.int64)
        rows[0, VALUE, 0], rows[0, TOP, 0] = base * scale, plan.root + base * scale
        room, arcs, copies, child = np.zeros((4, size), np.int64)
        room[0] = plan.room
        if base * scale - int(plan.spot[FALL, 0]) >= self.goal:
            rows[0, :, 0] = FREE
        elif self.end == 0:
            room[0] = -1
        self.work = Work(
            now=now,
            key=np.zeros((2, size, plan.words), np.int64),
            rows=rows,
            first=np.zeros(self.end + 2, np.int64),
            room=room,
            arcs=arcs,
            copies=copies,
            child=child,
            table=np.full(2 * _SHORT, -1, np.int64),
        )

    @property
    def nodes(self) -> int:
        """States gone through so far."""
        return int(self.work.now[NODES])

    def go_on(self, nodes: int) -> int:
        """Go through so many states more, at most; how it stopped."""
        status = self._until(self.end, nodes)
        if status != DONE:
            return status
        return self._unfold()

    def _until(self, position: int, nodes: int) -> int:
        until = self.nodes + nodes
        while True:
            status: int = advance(self.plan, self.work, self.goal, until - self.nodes, position)
            if status != SHORT:
                return status
            if not self._longer():
                return OUT_OF_MEMORY

    def close(self) -> None:
        """End it before its time: of each further layer the most promising states alone go on."""
        work = self.work
        self.memory *= 4
        while work.now[T] < self.end:
            t, turn, count = (int(work.now[name]) for name in (T, TURN, COUNT))
            left, first = np.arange(turn, count), int(work.first[t])
            room = work.room[first + turn : first + count]
            promise = work.rows[t & 1, TOP, turn:count] + self.plan.table[t, room // self.plan.unit]
            late = left[np.argsort(-promise, kind="stable")[_BEAM:]]
            work.rows[t & 1, :, late] = -FREE
            if self._until(t + 1, count) != DONE:
                return
            work = self.work
        self._unfold()

    def _longer(self) -> bool:
        """Twice the arrays that are too short; False where that would take too much memory."""
        work = self.work
        t, count, made, drawn = (int(work.now[name]) for name in (T, COUNT, MADE, DRAWN))
        most = int(self.plan.spot[COPIES, t])
        states = made - int(work.first[t]) - count + most
        longer: dict[str, Ints] = {}
        if made + most + 1 >= len(work.room):
            longer |= {"room": _twice(work.room), "arcs": _twice(work.arcs)}
        if drawn + most >= len(work.child):
            longer |= {"copies": _twice(work.copies), "child": _twice(work.child)}
        if states >= work.key.shape[1]:
            longer |= {"key": _twice(work.key, 1), "rows": _twice(work.rows, 2)}
        if 2 * states >= len(work.table):
            longer["table"] = np.full(4 * len(work.table), -1, np.int64)
            work.now[ENTER] = 1
        if sum(array.nbytes for array in (work._replace(**longer))[1:]) > self.memory:
            return False
        self.work = work._replace(**longer)
        return True

    def _unfold(self) -> int:
        """The diagram of what was found, where memory allows for it."""
        work, spot = self.work, self.plan.spot
        made, drawn = int(work.now[MADE]), int(work.now[DRAWN])
        done = int(work.first[self.end])
        work.arcs[done : made + 1] = drawn
        nothing = np.zeros(0, np.int64)
        states = States(
            kind=spot[KIND],
            span=spot[SPAN],
            begun=spot[BEGUN],
            first=np.append(work.first[: self.end + 1], made),
            room=work.room[:made],
            arcs=work.arcs[: made + 1],
            copies=work.copies[:drawn],
            child=work.child[:drawn],
            low=np.zeros(made, np.int64),
            start=nothing,
            lengths=nothing,
            rooms=nothing,
            rank=nothing,
        )
        shortest(states)
        start = np.zeros(made + 1, np.int64)
        np.cumsum((states.room - states.low + BITS) // BITS, out=start[1:])
        lengths, rooms, rank = np.zeros((3, int(start[-1])), np.int64)
        states = states._replace(start=start, lengths=lengths, rooms=rooms, rank=rank)
        nodes, links = reach(states)
        if 8 * (4 * nodes + 2 * links) > self.memory:
            return OUT_OF_MEMORY
        number, place, arcs = np.zeros((3, nodes + 3), np.int64)
        copies, child = np.zeros((2, links), np.int64)
        made, drawn = unfold(states, number, place, arcs, copies, child)
        root = int(number[0]) if nodes else 0
        self.found = Found(root, place[:made], arcs[: made + 1], copies[:drawn], child[:drawn])
        return DONE


def _twice(array: Ints, axis: int = 0) -> Ints:
    return np.concatenate((array, np.zeros_like(array)), axis)
