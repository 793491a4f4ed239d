"""The own search: multipliers for a bound, a proof in integers, depth-first search of what is left open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from topline.compress.arrays import Bytes
from topline.compress.core import Core, reduce
from topline.compress.narrow import narrowed
from topline.compress.parts import MORE_ROUNDS, LimitReached, Multipliers, Part, Parts
from topline.compress.problem import CompressiveProblem
from topline.search.exact import NO_LIMITS, Limits

FIRST_ROUNDS = 600
"""Rounds of the multipliers for the whole problem."""
STATES = 2_000
"""States that the depth-first search may visit before the problem is split: new multipliers for the parts
prune more than a longer search."""
FINDS = 1 << 26
"""Bytes of the choices that one depth-first search may collect before the problem is split."""


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
    greedy: int
    """What the greedy choice gains."""

    @property
    def proved(self) -> bool:
        """Whether nothing better exists."""
        return self.bound == self.hits


class Search(Parts):
    """From the whole problem to its best choice, or to all of its best choices."""

    __slots__ = ()

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
    kept = sorted(start)
    most = problem.hits(kept)
    first, chosen = greedy(core)
    if core.nodes == 0:
        return Outcome(kept, most, most, 0, first)
    search = Search(core, limits)
    if first > most:
        most, kept = first, core.kept(chosen)
    bound, most, kept = search.maximise(most, kept)
    return Outcome(kept, problem.hits(kept), bound, search.states, first)


def greedy(core: Core) -> tuple[int, Bytes]:
    """Add what gains most for its length while it fits: the gain, and the nodes as a 0/1 row."""
    from topline.compress.kernels.grow import grow

    kept = np.zeros(core.nodes, np.int8)
    grow(core.arrays, core.budget, kept)
    return core.hits(kept), kept
