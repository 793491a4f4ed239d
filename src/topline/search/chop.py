"""The best extract whose last sentence may be cut at the budget, as ROUGE's `-l` and `-b` cut it.

A chopped extract is a set `A` of whole sentences with `len(A) < L` and the first `L - len(A)` words (or
bytes) of one more sentence that is at least so long; the best of these and of the extracts that fit
uncut is found. For every sentence and every place where cutting it later matches something new, a
Lagrangian bound in whole numbers says what an extract cut there can reach; the few that could exceed
the best known are solved exactly, each as a coverage problem in what the kept words leave over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from time import perf_counter

import numpy as np

from topline.problem.cuts import Choppable, Cuts, leftover, value_of
from topline.problem.problem import Problem
from topline.search.exact import NO_LIMITS, Limits, Solution, solve
from topline.search.greedy import root_bound, single_hits
from topline.search.optima import at_least
from topline.search.prices import cut_bounds
from topline.search.timing import deadline_of, until

_MOST_LISTED = 100_000
"""Extracts that are looked through for one of a certain length before the search gives up on the proof."""


@dataclass(frozen=True, slots=True)
class Chopped:
    """The best extract found: whole sentences, and the one that is cut with what is kept of it."""

    chosen: tuple[int, ...]
    """The whole sentences."""
    cut: int | None
    """The sentence that comes last and is cut; None if everything fits uncut."""
    kept: int
    """Words or bytes of it that are kept."""
    value: int
    length: int
    bound: int
    proved: bool
    nodes: int


def best_chop(given: Choppable, limits: Limits = NO_LIMITS) -> Chopped:
    """The best chopped or uncut extract, best bound first."""
    return _Search(given, limits).run()


def greedy_chop(given: Choppable) -> Chopped:
    """Schluter's greedy: the best gain per length joins, cut at the budget, until the budget is full.

    A sentence that no longer fits counts what would be kept of it, over its whole length; ties by number.
    """
    problem, cuts = given.instance.problem, given.cuts
    chosen: list[int] = []
    best = _extract(problem, cuts, (), None)
    while best.cut is None and best.length < problem.budget:
        following, density = None, Fraction(0)
        for i in range(problem.sentences):
            if i in chosen or problem.starts[i] == problem.starts[i + 1]:
                continue
            candidate = _extract(problem, cuts, tuple(chosen), i)
            gain = Fraction(candidate.value - best.value, max(1, int(problem.lengths[i])))
            if gain > density:
                following, density = candidate, gain
        if following is None:
            break
        best = following
        chosen = list(best.chosen)
    return best


def most_chopped(given: Choppable) -> int:
    """A quick bound on chopped extracts: the Lagrangian bound of the best cut, or of cutting nothing."""
    problem = given.instance.problem
    return max([root_bound(problem, single_hits(problem)), *cut_bounds(problem, given.cuts, 0)])


def _extract(problem: Problem, cuts: Cuts, chosen: tuple[int, ...], last: int | None) -> Chopped:
    """The extract of whole sentences and one more, which is cut if it does not fit; its hits counted anew."""
    length = problem.length(chosen)
    if last is None or length + int(problem.lengths[last]) <= problem.budget:
        chosen = tuple(sorted(chosen if last is None else (*chosen, last)))
        value = problem.hits(chosen)
        return Chopped(chosen, None, 0, value, problem.length(chosen), value, False, 0)
    kept = problem.budget - length
    cut = cuts.at(last, kept)
    value = problem.hits(chosen) if cut is None else value_of(problem, cuts, chosen, cut)
    return Chopped(tuple(sorted(chosen)), last, kept, value, problem.budget, value, False, 0)


class _Search:
    """The cuts that may still beat the best extract known."""

    def __init__(self, given: Choppable, limits: Limits) -> None:
        self.problem, self.cuts = given.instance.problem, given.cuts
        self.limits, self.deadline = limits, deadline_of(limits)
        self.whole: Solution = solve(self.problem, limits)
        self.nodes = self.whole.nodes
        uncut = _extract(self.problem, self.cuts, self.whole.chosen, None)
        self.best = max(uncut, greedy_chop(given), key=lambda extract: extract.value)

    def run(self) -> Chopped:
        """Solve cut after cut until no bound exceeds the best, those after whole words first."""
        bounds = cut_bounds(self.problem, self.cuts, self.best.value)
        above = self.whole.bound
        for whole in (True, False):
            cuts = np.flatnonzero(self.cuts.whole == whole).tolist()
            for cut in sorted(cuts, key=lambda cut: (-bounds[cut], cut)):
                if bounds[cut] <= self.best.value:
                    break
                if perf_counter() > self.deadline or self.nodes > (self.limits.nodes or inf):
                    above = max(above, bounds[cut])
                    break
                above = max(above, self._solve(cut))
        bound = max(above, self.best.value)
        return replace(self.best, bound=bound, proved=bound == self.best.value, nodes=self.nodes)

    def _solve(self, cut: int) -> int:
        """Look for a better extract that ends in this cut; returns a bound for all of these."""
        last = int(self.cuts.sentence[cut])
        room = self.problem.budget - int(self.cuts.low[cut])
        rest = leftover(self.problem, *self.cuts.entries(cut), last, room)
        base = self.problem.total - rest.total
        found = solve(rest, until(self.deadline, self.limits))
        self.nodes += found.nodes
        value = base + found.value
        if self.cuts.whole[cut] or self._fill(cut, rest, found.chosen) or value <= self.best.value:
            self._keep(found.chosen, last)
            return value if found.proved else base + found.bound
        return self._look_through(cut, rest, base) if found.proved else base + found.bound

    def _keep(self, chosen: Sequence[int], last: int) -> None:
        extract = _extract(self.problem, self.cuts, tuple(map(int, chosen)), last)
        if extract.value > self.best.value:
            self.best = extract

    def _fill(self, cut: int, rest: Problem, chosen: Sequence[int]) -> bool:
        """Whether sentences that match nothing can fill an extract up to the cut; keep it if so."""
        last = int(self.cuts.sentence[cut])
        free = [i for i in np.flatnonzero(np.diff(rest.starts) == 0).tolist() if i != last]
        most = rest.budget - rest.length(list(chosen))
        least = most - int(self.cuts.high[cut] - self.cuts.low[cut])
        pad = _subset(free, [int(rest.lengths[i]) for i in free], least, most)
        if pad is None:
            return False
        self._keep((*chosen, *pad), last)
        return True

    def _look_through(self, cut: int, rest: Problem, base: int) -> int:
        """Every extract before this cut that would be better, for the best that has the right length."""
        optima = at_least(rest, self.best.value + 1 - base, until(self.deadline, self.limits))
        highest = self.best.value
        if not optima.proved or optima.count > _MOST_LISTED:
            return base + optima.bound
        for chosen in optima:
            value = base + rest.hits(list(chosen))
            if value > highest and self._fill(cut, rest, chosen):
                highest = value
        return highest


def _subset(items: list[int], lengths: list[int], least: int, most: int) -> list[int] | None:
    """Items whose lengths add up to something between `least` and `most`; None if there are none."""
    if least <= 0 <= most:
        return []
    if most < 0:
        return None
    reach = [1]
    for length in lengths:
        reach.append((reach[-1] | reach[-1] << length) & ((1 << most + 1) - 1))
    fitting = reach[-1] >> max(least, 0)
    if not fitting:
        return None
    length = max(least, 0) + (fitting & -fitting).bit_length() - 1
    chosen = []
    for place in range(len(items), 0, -1):
        if not reach[place - 1] >> length & 1:
            chosen.append(items[place - 1])
            length -= lengths[place - 1]
    return chosen
