"""The own search: multipliers for a bound, a proof in integers, depth-first search of what is left open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from time import monotonic

import numpy as np

from topline.compress.arrays import Bytes, Floats, Ints, Prices
from topline.compress.core import Core, reduce
from topline.compress.narrow import narrowed
from topline.compress.problem import CompressiveProblem
from topline.compress.tree import ROOT
from topline.search.exact import NO_LIMITS, Limits

FIRST_ROUNDS, MORE_ROUNDS = 600, 120
"""Rounds of the multipliers for the whole problem and for a part of it."""
STATES = 2_000
"""States that the depth-first search may visit before the problem is split: new multipliers for the parts
prune more than a longer search."""
FINDS = 1 << 26
"""Bytes of the choices that one depth-first search may collect before the problem is split."""
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
class Outcome:
    """The best choice found, and what is proven about it."""

    kept: list[int]
    """The problem's chunks, rising."""
    hits: int
    bound: int
    """No choice gains more: proven in integers."""
    states: int
    """States visited by the depth-first search."""

    @property
    def proved(self) -> bool:
        """Whether nothing better exists."""
        return self.bound == self.hits


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the problem: some nodes decided, and multipliers to start from."""

    status: Bytes
    at: Multipliers
    rounds: int


class LimitReached(Exception):
    """Time or states ran out."""


@dataclass(slots=True)
class Search:
    """The search's view of a core: calls the kernels, counts states, watches the clock."""

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

    def first(self) -> Part:
        """The whole problem, nothing decided."""
        return Part(np.zeros(self.core.nodes, np.int8), self.start(), FIRST_ROUNDS)

    def narrow(self, part: Part, target: int) -> Part | None:
        """Leave out for good what no choice that gains `target` keeps; None if there is no such choice."""
        status, whole = part.status.copy(), self.whole(part.at)
        if self.settle(Part(status, part.at, 0), whole, target) < target * self.scale:
            return None
        self.core, prices, shares = narrowed(self.core, status, part.at.prices, part.at.shares)
        return Part(status[status != -1], Multipliers(prices, shares, part.at.charge), part.rounds)

    def maximise(self, best: int, kept: list[int]) -> tuple[int, int, list[int]]:
        """From a first choice to the best: what none exceeds, and the best found with its gain.

        The target comes from above: if nothing reaches the bound, the bound falls.
        """
        part: Part | None = self.first()
        bound = -1
        for look in (True, False):
            assert part is not None
            self.relax(part, best)
            limit = self.settle(Part(part.status.copy(), part.at, 0), self.whole(part.at), 0) // self.scale
            # what was left out gains no more than the best
            bound = max(best, limit if bound < 0 else min(bound, limit))
            part = self.narrow(part, best + 1)
            if part is None:
                return best, best, kept
            if look:
                best, kept = self._quick(part, bound, best, kept)
        step = max(1, bound // 1000)
        try:
            while part is not None and best < bound:
                target = max(best + 1, bound - step + 1)
                found = self.better(part, target)
                if found is None:
                    bound = target - 1
                    step *= 2
                else:
                    best, kept = found
                    part = self.narrow(part, best + 1)
        except LimitReached:
            return max(best, bound), best, kept
        return best, best, kept

    def _quick(self, part: Part, bound: int, best: int, kept: list[int]) -> tuple[int, list[int]]:
        """The best that short searches find: a target for the multipliers, an answer if time runs out.

        The nearer the target to the bound, the more is pruned: so from above, a little lower each time.
        """
        whole = self.whole(part.at)
        for share in (4, 1):
            target = max(best + 1, bound - (bound - best) // share)
            here = replace(part, status=part.status.copy())
            if self.settle(here, whole, target) >= target * self.scale:
                finds, _ = self.explore(here, whole, target, states=STATES)
                if finds:
                    return self._kept(finds[-1])
        return best, kept

    def _kept(self, find: tuple[int, Bytes]) -> tuple[int, list[int]]:
        """A find with the problem's chunks in the place of nodes."""
        return find[0], self.core.kept(find[1])

    def better(self, first: Part, target: int) -> tuple[int, list[int]] | None:
        """A choice that gains `target` or more, or None if there is none."""
        parts = [Part(first.status.copy(), first.at.copy(), MORE_ROUNDS)]
        while parts:
            self.check()
            part = parts.pop()
            often = self.relax(part, target)
            whole = self.whole(part.at)
            if self.settle(part, whole, target) < target * self.scale:
                continue
            finds, done = self.explore(part, whole, target, states=STATES)
            if finds:
                return self._kept(finds[-1])
            if not done:
                parts.extend(self.split(part, often, whole))
        return None

    def every(self, target: int, most: int) -> Iterator[list[int]]:
        """All choices that gain `target`, in no particular order; stops at a limit or after `most`."""
        first = self.first()
        self.relax(first, target)
        narrow = self.narrow(first, target)
        parts, given = [] if narrow is None else [narrow], 0
        room = max(1, min(most, FINDS // max(1, self.core.nodes)))
        while parts:
            self.check()
            part = replace(parts.pop(), rounds=MORE_ROUNDS)
            often = self.relax(part, target)
            whole = self.whole(part.at)
            if self.settle(part, whole, target) < target * self.scale:
                continue
            finds, done = self.explore(part, whole, target, states=10 * STATES, room=room)
            if not done:
                parts.extend(self.split(part, often, whole))
                continue
            yield from (self.core.kept(chosen) for _, chosen in finds)
            given += len(finds)
            if given >= most and parts:
                raise LimitReached


def solve(problem: CompressiveProblem, limits: Limits = NO_LIMITS, start: Iterable[int] = ()) -> Outcome:
    """The best rooted subtrees within the budget, proven best unless a limit is reached.

    `start` are chunks that fit, and may be better than what the search finds before a limit.
    """
    core = reduce(problem)
    given = sorted(start)
    most, kept = problem.hits(given), given
    best, chosen = greedy(core)
    if core.nodes == 0:
        return Outcome(kept, most, most, 0)
    search = Search(core, limits)
    if best > most:
        most, kept = best, core.kept(chosen)
    bound, most, kept = search.maximise(most, kept)
    return Outcome(kept, problem.hits(kept), bound, search.states)


def greedy(core: Core) -> tuple[int, Bytes]:
    """Add what gains most for its length while it fits: the gain, and the nodes as a 0/1 row."""
    from topline.compress.kernels.grow import grow

    kept = np.zeros(core.nodes, np.int8)
    grow(core.arrays, core.budget, kept)
    return core.hits(kept), kept
