"""Parts of the problem: multipliers that bound them, nodes that the bound decides, how they are split."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic

import numpy as np

from topline.compress.arrays import Bytes, Floats, Ints, Prices
from topline.compress.core import Core
from topline.compress.tree import ROOT
from topline.search.exact import NO_LIMITS, Limits

MORE_ROUNDS = 120
"""Rounds of the multipliers for a part of the problem."""
CELLS = 1 << 21
"""Size of the table of what the free nodes can still be worth."""
_ROOM = 1 << 60
"""Whole numbers stay below this."""


@dataclass(slots=True)
class Multipliers:
    """Prices of the n-grams, each link's shares of its price, and the charge for a unit of length."""

    prices: Floats
    shares: Floats
    charge: Floats

    def copy(self) -> Multipliers:
        """A copy to go on from."""
        return Multipliers(self.prices.copy(), self.shares.copy(), self.charge.copy())


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the problem: some nodes decided, and multipliers to start from."""

    status: Bytes
    at: Multipliers
    rounds: int


class LimitReached(Exception):
    """Time or states ran out."""


@dataclass(slots=True)
class Parts:
    """A core in parts: bounds, decides, searches and splits them; counts states, watches the clock."""

    core: Core
    limits: Limits = NO_LIMITS
    states: int = 0
    started: float = field(default_factory=monotonic)
    scale: int = field(init=False)
    """How many units one gain is cut into for whole-number multipliers."""

    def __post_init__(self) -> None:
        arrays = self.core.arrays
        gains = int(arrays.gains.sum())
        held = int(arrays.gains.max(initial=0)) * (int(arrays.entry_counts.sum()) + len(arrays.members))
        charged = gains * (self.core.budget + int(np.abs(arrays.lengths).sum()))
        self.scale = max(1, min(1 << 20, _ROOM // (1 + gains + held + charged)))

    def start(self) -> Multipliers:
        """Half of every n-gram's first gain as its price."""
        arrays = self.core.arrays
        first = arrays.gains[arrays.gain_starts[:-1]].astype(float)
        sizes = np.diff(arrays.member_starts)
        charge = float(arrays.gains.sum()) / 2 / max(1, self.core.budget)
        return Multipliers(first / 2, np.repeat(1.0 / np.maximum(sizes, 1), sizes), np.array([charge]))

    def check(self) -> None:
        """Stop if a limit is reached."""
        late = self.limits.seconds is not None and monotonic() - self.started > self.limits.seconds
        if late or (self.limits.nodes is not None and self.states >= self.limits.nodes):
            raise LimitReached

    def relax(self, part: Part, target: int) -> Floats:
        """Better multipliers, put into `part.at`; returns how often each node was kept of late."""
        from topline.compress.kernels.bound import relax

        often = np.zeros(self.core.nodes)
        at = part.at
        relax(
            self.core.arrays, self.core.budget, part.status, at.prices, at.shares, at.charge,
            float(target), part.rounds, often,
        )  # fmt: skip
        return often

    def whole(self, at: Multipliers) -> Prices:
        """The multipliers in whole numbers."""
        arrays, scale = self.core.arrays, self.scale
        prices = np.rint(at.prices * scale).astype(np.int64)
        of_link = prices[arrays.link_grams]
        shares = np.ceil(of_link[arrays.member_links] * at.shares).astype(np.int64)
        given = np.zeros(len(of_link), np.int64)
        np.add.at(given, arrays.member_links, shares)
        shares[arrays.member_starts[:-1]] += np.maximum(of_link - given, 0)
        return Prices(prices, shares, max(0, round(float(at.charge[0]) * scale)), scale)

    def settle(self, part: Part, at: Prices, target: int) -> int:
        """The scaled bound of a part; decides the nodes of `part.status` that `target` leaves no choice."""
        from topline.compress.kernels.bound import settle

        return int(settle(self.core.arrays, self.core.budget, part.status, at, target))

    def explore(
        self, part: Part, at: Prices, target: int, *, states: int, room: int = 0
    ) -> tuple[list[tuple[int, Bytes]], bool]:
        """Depth-first search of a part: finds with their gains, and whether everything was searched.

        With `room` 0 each find must be better than the last and the best one is returned; else up to
        `room` finds of at least `target`.
        """
        from topline.compress.kernels.explore import explore

        order, skips = self._order(part.status, at)
        found = np.zeros((max(room, 1), self.core.nodes), np.int8)
        hits = np.zeros(max(room, 1), np.int64)
        finds, visited, done = explore(
            self.core.arrays, self.core.budget, part.status, at, order, skips, target, states, CELLS,
            room == 0, found, hits,
        )  # fmt: skip
        self.states += visited
        kept = min(finds, 1) if room == 0 else finds
        return [(int(hits[f]), found[f]) for f in range(kept)], bool(done)

    def profits(self, at: Prices) -> Ints:
        """What each node is worth at these prices, its length charged."""
        arrays = self.core.arrays
        owners = np.repeat(np.arange(self.core.nodes), np.diff(arrays.entry_starts))
        worth: Ints = -at.charge * arrays.lengths
        np.add.at(worth, owners, at.prices[arrays.entry_grams] * arrays.entry_counts)
        np.add.at(worth, arrays.members, np.where(arrays.signs == 1, at.shares, -at.shares))
        return worth

    def _order(self, status: Bytes, at: Prices) -> tuple[Ints, Ints]:
        """The free nodes, each subtree in a run, the most decided runs first; and where each subtree ends."""
        worth = np.abs(self.profits(at)).tolist()
        parents = self.core.arrays.parents.tolist()
        runs: list[list[int]] = []
        for c in np.flatnonzero(status == 0).tolist():
            if parents[c] == ROOT or status[parents[c]] == 1:
                runs.append([c])
            else:
                runs[-1].append(c)
        runs.sort(key=lambda run: (-max(worth[c] for c in run), run[0]))
        order = [c for run in runs for c in run]
        place = {c: t for t, c in enumerate(order)}
        skips = list(range(1, len(order) + 1))
        for t in range(len(order) - 1, -1, -1):
            above = place.get(parents[order[t]])
            if above is not None:
                skips[above] = max(skips[above], skips[t])
        return np.array(order, np.int64), np.array(skips, np.int64)

    def split(self, part: Part, often: Floats, at: Prices) -> list[Part]:
        """Two parts that differ in the most doubtful node that matters, the likelier one last."""
        free = np.flatnonzero(part.status == 0)
        doubt = np.abs(often[free] - 0.5)
        worth = np.abs(self.profits(at)[free])
        node = int(free[np.lexsort((free, -worth, np.round(doubt, 1)))[0]])
        parts = []
        for choice in (-1, 1) if often[node] >= 0.5 else (1, -1):
            status = part.status.copy()
            self._decide(status, node, choice)
            parts.append(Part(status, part.at.copy(), MORE_ROUNDS))
        return parts

    def _decide(self, status: Bytes, node: int, choice: int) -> None:
        """Keep a node with those above it, or drop it with those below it."""
        parents = self.core.arrays.parents
        status[node] = choice
        if choice == 1:
            while (node := int(parents[node])) != ROOT:
                status[node] = 1
            return
        for c in range(node + 1, len(parents)):
            if parents[c] < node:
                break
            status[c] = -1
