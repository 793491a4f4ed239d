"""Descents of one part of the search in several orders, by turns, within the limits."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from time import perf_counter

from topline.search.descent import Descent
from topline.search.exact import Limits
from topline.search.kernels.descend import BETTER as _BETTER
from topline.search.kernels.descend import DONE as _DONE
from topline.search.kernels.descend import ONE, OUT_OF_NODES
from topline.search.layout import layout
from topline.search.node import Tight

DONE, BETTER, HARD, LIMIT = range(4)
"""How the turns end: all was seen; a set is worth more than those that are sought; no order got through with
the patience there is; a limit was reached."""
STRETCH = 1_000_000
"""Nodes at a stretch, so that time limits and Ctrl-C are heard about once a second."""
_CELLS = 1 << 22
_MEMORY = 2 << 30


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


@dataclass(frozen=True, slots=True)
class Aim:
    """What is sought: sets worth `target`; none is worth more than `upper`."""

    target: int
    upper: int
    mode: int
    """`ONE`, `ALL` or `AT_LEAST`."""
    scale: int


class Turns:
    """The orders that wait for their next turn."""

    def __init__(
        self, tight: Tight, aim: Aim, tilts: tuple[float, ...], patience: int, stretch: int | None = None
    ) -> None:
        self.tight, self.aim, self.patience = tight, aim, patience
        self.stretch = stretch or patience
        """Nodes of the next turn; they grow from turn to turn."""
        self.orders = len(tilts)
        self.waiting: deque[Descent | float] = deque(tilts)

    def run(self, spent: Spent) -> tuple[Descent | None, int]:
        """Turn after turn to the end: the descent that brought it about, and how it ended.

        At a limit it is the one that stopped last, if any, closed with what it had found.
        """
        last: Descent | None = None
        while True:
            turn = self.waiting.popleft()
            nodes = spent.budget(self._wanted(turn))
            if nodes == 0:
                if last is not None and self.aim.mode != ONE:
                    last.close()
                return last, LIMIT
            last, status = self._turn(turn, nodes, spent)
            if status in (_DONE, _BETTER):
                return last, DONE if status == _DONE else BETTER
            if status == OUT_OF_NODES and last.nodes < self.patience:
                self.waiting.append(last)
            elif not self.waiting:
                return last, HARD
            self.stretch *= 2

    def _wanted(self, turn: Descent | float) -> int:
        done = turn.nodes if isinstance(turn, Descent) else 0
        return min(self.stretch, self.patience - done, STRETCH)

    def _turn(self, turn: Descent | float, nodes: int, spent: Spent) -> tuple[Descent, int]:
        """Go on with a descent, or begin one."""
        start = perf_counter()
        descent = turn if isinstance(turn, Descent) else self._begin(turn, spent.limits.memory or _MEMORY)
        before = descent.nodes
        status = descent.go_on(nodes)
        spent.nodes += descent.nodes - before
        spent.seconds += perf_counter() - start
        return descent, status

    def _begin(self, tilt: float, memory: int) -> Descent:
        tight, aim = self.tight, self.aim
        plan = layout(tight.cover, tight.whole, tight.density, aim.scale, _CELLS, tilt)
        base = tight.cover.base
        return Descent(base, plan, aim.scale, aim.target, aim.upper, aim.mode, memory // self.orders)
