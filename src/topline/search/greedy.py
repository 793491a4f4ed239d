"""Greedy extracts: Hirao's Algorithm 2, with the bound that its branch and bound starts from.

The greedy on F1 that training pipelines use is `f1.greedy_f1`; Schluter's, which cuts the last
sentence, is `chop.greedy_chop`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from topline.problem.problem import Ints, Problem
from topline.search.exact import Solution

if TYPE_CHECKING:
    from topline.search.kernels.counts import Counts


def counts_of(problem: Problem) -> Counts:
    """The problem's arrays as the kernels take them."""
    from topline.search.kernels.counts import Counts

    return Counts(
        problem.lengths,
        problem.starts,
        problem.grams,
        problem.counts,
        problem.gain_starts,
        problem.gains,
    )


def overlapping(problem: Problem) -> Ints:
    """The sentences that share an n-gram with the references: the paper's D."""
    return np.flatnonzero(np.diff(problem.starts) > 0).astype(np.int64)


def single_hits(problem: Problem) -> Ints:
    """The hits of every sentence alone."""
    from topline.search.kernels.published import hits_alone

    hits: Ints = hits_alone(counts_of(problem))
    return hits


def greedy(problem: Problem) -> Solution:
    """Algorithm 2 as printed: by gain per length, then compared with the best single sentence.

    Ties go to the sentence with the smaller number, and to the single sentence. The bound is Algorithm
    1's at the root of the search; charges play no part.
    """
    from topline.search.kernels.published import greedy_by_density

    eligible = overlapping(problem)
    taken, _, joined = greedy_by_density(counts_of(problem), problem.budget, eligible)
    chosen = tuple(sorted(map(int, joined[:taken])))
    value = problem.hits(chosen)
    alone = single_hits(problem)
    fitting = eligible[problem.lengths[eligible] <= problem.budget]
    if len(fitting):
        best = int(fitting[np.argmax(alone[fitting])])
        if int(alone[best]) >= value:
            chosen, value = (best,), int(alone[best])
    bound = max(value, root_bound(problem, alone))
    return Solution(chosen, value, problem.length(chosen), bound, bound == value, 0)


def root_bound(problem: Problem, alone: Ints) -> int:
    """Algorithm 1 before anything is chosen: the fractional knapsack of the sentences' own hits, floored."""
    order = sorted(
        map(int, np.flatnonzero(alone > 0)), key=lambda i: Fraction(int(problem.lengths[i]), int(alone[i]))
    )
    room, bound = problem.budget, 0
    for i in order:
        length = int(problem.lengths[i])
        if length > room:
            return bound + int(alone[i]) * room // length
        bound += int(alone[i])
        room -= length
    return bound
