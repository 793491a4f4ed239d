"""Algorithms 1-3 of Hirao et al. (2017) exactly as printed: every oracle by branch and bound.

Beside the oracles it counts what Table 7 shows: the extracts that were checked, and the feasible ones
(by dynamic programming over lengths). D is the set of sentences that share an n-gram with a reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from topline.errors import MetricError
from topline.problem.problem import Problem
from topline.search.exact import NO_LIMITS, Limits, Solution
from topline.search.greedy import counts_of, greedy, overlapping, root_bound, single_hits
from topline.search.timing import deadline_of

_LARGEST = 2**62
_SLICE = 1 << 14
"""Extracts checked between two looks at the clock."""
_ROOM = 1 << 16
"""Numbers a slice may write before they are fetched."""


@dataclass(frozen=True, slots=True)
class Enumeration:
    """All oracles, and what it took to find them."""

    optima: tuple[tuple[int, ...], ...]
    """Each as rising sentence numbers; in lexicographic order."""
    value: int
    checked: int
    """Extracts within the budget whose score was computed: Table 7's "Proposed"."""
    proved: bool
    """Whether the search was complete; otherwise `optima` are the best found, perhaps not all."""
    bound: int


def feasible(problem: Problem) -> int:
    """How many non-empty sets of overlapping sentences keep the budget: Table 7's "Naive".

    The counts by length are the digits of one large number, so that a sentence is a shift and a sum.
    """
    lengths = [int(problem.lengths[i]) for i in overlapping(problem)]
    lengths = [length for length in lengths if length <= problem.budget]
    limit = min(problem.budget, sum(lengths))
    digit = len(lengths) + 1
    mask = (1 << digit * (limit + 1)) - 1
    counts = 1
    for length in lengths:
        counts += counts << digit * length & mask
    total = 0
    ones = (1 << digit) - 1
    for place in range(limit + 1):
        total += counts >> digit * place & ones
    return total - 1


def published(problem: Problem, limits: Limits = NO_LIMITS) -> Enumeration:
    """Algorithm 3 with Algorithm 2's score as first threshold and Algorithm 1 as bound."""
    if problem.charges.any():
        raise MetricError("the published algorithms maximise recall", hint="use the exact solver for F1")
    longest = max(int(problem.lengths.max(initial=1)), problem.budget, 1)
    if problem.total * longest >= _LARGEST:
        raise MetricError("the scores times the lengths do not fit 64 bits", hint="use the exact solver")
    return _Search(problem).run(limits)


class _Search:
    """The state of FINDORACLE between two slices."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.alone = single_hits(problem)
        eligible = overlapping(problem)
        self.order = eligible[np.argsort(-self.alone[eligible], kind="stable")]
        n = len(self.order)
        entries = [np.arange(problem.starts[i], problem.starts[i + 1]) for i in self.order]
        places = np.concatenate(entries) if entries else np.zeros(0, np.int64)
        sizes = np.array([len(entry) for entry in entries], np.int64)
        self.counts = counts_of(problem)._replace(
            lengths=problem.lengths[self.order],
            starts=np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]),
            grams=problem.grams[places],
            counts=problem.counts[places],
        )
        self.have = np.zeros(len(problem.gain_starts), np.int64)
        self.chosen, self.following, self.values, self.rooms = np.zeros((4, n + 2), np.int64)
        self.rooms[0] = problem.budget
        self.state = np.zeros(5, np.int64)
        self.found = np.zeros(_ROOM + 2 * n, np.int64)
        self.optima: list[tuple[int, ...]] = []

    def run(self, limits: Limits) -> Enumeration:
        """Slice by slice until the search is complete or a limit is reached."""
        from topline.search.kernels.published import CHECKED, DEPTH, FOUND, TAU, WRITTEN, find_oracles

        deadline, nodes = deadline_of(limits), limits.nodes or _LARGEST
        state = self.state
        state[TAU] = greedy(self.problem).value
        while True:
            threshold = int(state[TAU])
            most = max(1, min(_SLICE, nodes - int(state[CHECKED])))
            find_oracles(
                self.counts,
                self.have,
                self.chosen,
                self.following,
                self.values,
                self.rooms,
                state,
                most,
                self.found,
            )
            if state[TAU] > threshold:
                self.optima.clear()
            self._fetch(int(state[WRITTEN]))
            state[WRITTEN] = 0
            complete = bool(state[DEPTH] < 0)
            if complete or perf_counter() > deadline or state[CHECKED] >= nodes:
                break
        value = int(state[TAU])
        assert len(self.optima) == state[FOUND]
        bound = value if complete else max(value, root_bound(self.problem, self.alone))
        return Enumeration(tuple(sorted(self.optima)), value, int(state[CHECKED]), complete, bound)

    def _fetch(self, written: int) -> None:
        cells = self.found[:written].tolist()
        at = 0
        while at < written:
            chosen = self.order[cells[at + 1 : at + 1 + cells[at]]]
            self.optima.append(tuple(sorted(map(int, chosen))))
            at += 1 + cells[at]


def solve_published(problem: Problem, limits: Limits = NO_LIMITS) -> Solution:
    """The first oracle in lexicographic order; Algorithm 2's extract if the search found no better one."""
    found = published(problem, limits)
    chosen = found.optima[0] if found.optima else greedy(problem).chosen
    return Solution(chosen, found.value, problem.length(chosen), found.bound, found.proved, found.checked)
