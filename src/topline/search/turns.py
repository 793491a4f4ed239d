"""Searches of one part in several orders, by turns, within the limits."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Generic, Protocol, TypeVar

from topline.search.exact import Limits
from topline.search.kernels.layout import Plan
from topline.search.layout import layout
from topline.search.node import Tight

DONE, HARD, LIMIT = range(3)
"""How the turns end: all was seen; no order got through with the patience there is; a limit was reached."""
_DONE, _OUT_OF_NODES = range(2)
"""How an order's turn ends, as the kernels say it; anything else is the end of it."""
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
    """Spent in turns; the time for `nodes`."""

    def budget(self, wanted: int) -> int:
        """Nodes for the next turn; 0 when a limit is reached."""
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
    scale: int


class Engine(Protocol):
    """What goes through a part in one order, piece by piece."""

    @property
    def nodes(self) -> int:
        """Nodes visited so far."""

    def go_on(self, nodes: int) -> int:
        """Visit so many nodes more, at most; how it stopped."""


E = TypeVar("E", bound=Engine)


class Turns(Generic[E]):
    """The orders that wait for their next turn."""

    def __init__(
        self,
        begin: Callable[[Tight, Plan, Aim, int], E],
        tight: Tight,
        aim: Aim,
        tilts: tuple[float, ...],
        patience: int,
        stretch: int | None = None,
    ) -> None:
        self.begin, self.tight, self.aim, self.patience = begin, tight, aim, patience
        self.stretch = stretch or patience
        """Nodes of the next turn; they grow from turn to turn."""
        self.orders = len(tilts)
        self.waiting: deque[E | float] = deque(tilts)

    def run(self, spent: Spent) -> tuple[E | None, int]:
        """Turn after turn to the end: the order that brought it about, or was the last, and how it ended."""
        last: E | None = None
        while True:
            turn = self.waiting.popleft()
            done = 0 if isinstance(turn, float) else turn.nodes
            nodes = spent.budget(min(self.stretch, self.patience - done, STRETCH))
            if nodes == 0:
                return last, LIMIT
            last, status = self._turn(turn, nodes, spent)
            if status == _DONE:
                return last, DONE
            if status == _OUT_OF_NODES and last.nodes < self.patience:
                self.waiting.append(last)
            elif not self.waiting:
                return last, HARD
            self.stretch *= 2

    def _turn(self, turn: E | float, nodes: int, spent: Spent) -> tuple[E, int]:
        """Go on with an order, or begin one."""
        start = perf_counter()
        engine = self._first(turn, spent.limits.memory or _MEMORY) if isinstance(turn, float) else turn
        before = engine.nodes
        status = engine.go_on(nodes)
        spent.nodes += engine.nodes - before
        spent.seconds += perf_counter() - start
        return engine, status

    def _first(self, tilt: float, memory: int) -> E:
        tight, aim = self.tight, self.aim
        plan = layout(tight.cover, tight.whole, tight.density, aim.scale, _CELLS, tilt)
        return self.begin(tight, plan, aim, memory // self.orders)
