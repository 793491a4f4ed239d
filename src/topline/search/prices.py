"""What an extract that ends in a cut can reach at most: a Lagrangian bound in whole numbers."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from topline.problem.cuts import Cuts
from topline.problem.problem import Ints, Problem

Number = TypeVar("Number", np.int64, np.float64)
_ROUNDS = 150
"""Steps towards good prices."""


def cut_bounds(problem: Problem, cuts: Cuts, target: int) -> list[int]:
    """What an extract that ends in each cut can reach at most: Lagrangian, its multipliers whole numbers.

    For prices `u_j` of n-grams and `v` of room, `sum_jt max(0, w_jt - u_j) + v L + sum_i max(0, p_i - v l_i)`
    bounds every extract; the cut sentence brings the price of what is kept instead of its own.
    """
    scale = 1 << max(0, min(12, 50 - problem.total.bit_length() - problem.budget.bit_length()))
    prices, density = _multipliers(problem, target)
    u = np.floor(prices * scale).astype(np.int64)
    v = int(density * scale)
    constant = int(np.maximum(problem.gains * scale - np.repeat(u, np.diff(problem.gain_starts)), 0).sum())
    reduced = np.maximum(_sums(u[problem.grams] * problem.counts, problem.starts) - v * problem.lengths, 0)
    everything = constant + v * problem.budget + int(reduced.sum())
    kept = _sums(u[cuts.grams] * cuts.counts, cuts.starts) - v * cuts.low
    bounds: list[int] = ((everything - reduced[cuts.sentence] + kept) // scale).tolist()
    return bounds


def _sums(values: NDArray[Number], starts: Ints) -> NDArray[Number]:
    """The sums of runs of values."""
    total = np.concatenate([np.zeros(1, values.dtype), np.cumsum(values)])
    sums: NDArray[Number] = total[starts[1:]] - total[starts[:-1]]
    return sums


def _multipliers(problem: Problem, target: int) -> tuple[NDArray[np.float64], float]:
    """Good prices of n-grams and of room, by a subgradient with Polyak's step; any prices would be valid."""
    sizes = np.diff(problem.gain_starts)
    most = problem.gains[problem.gain_starts[:-1]].astype(np.float64) if len(sizes) else np.zeros(0)
    u = most / 2
    best, kept, density = np.inf, u, 0.0
    momentum = np.zeros(len(sizes))
    lengths = np.maximum(problem.lengths, 1)
    reach, stalls = 1.0, 0
    for _ in range(_ROUNDS):
        price = _sums(u[problem.grams] * problem.counts, problem.starts)
        order = np.argsort(-price / lengths, kind="stable")
        filled = np.cumsum(problem.lengths[order])
        share = np.clip((problem.budget - filled + problem.lengths[order]) / lengths[order], 0.0, 1.0)
        share[price[order] <= 0] = 0.0
        critical = np.flatnonzero((share < 1.0) & (price[order] > 0))
        v = float(price[order[critical[0]]] / lengths[order[critical[0]]]) if len(critical) else 0.0
        above = problem.gains - np.repeat(u, sizes)
        value = float(np.maximum(above, 0).sum() + (share * price[order]).sum())
        take = np.zeros(problem.sentences)
        take[order] = share
        supply = np.bincount(
            problem.grams, np.repeat(take, np.diff(problem.starts)) * problem.counts, minlength=len(sizes)
        )
        slope = supply - _sums((above > 0).astype(np.float64), problem.gain_starts)
        if value < best - 1e-9:
            best, kept, density, stalls = value, u, v, 0
        else:
            stalls += 1
            if stalls % 10 == 0:
                reach /= 2
        momentum = 0.7 * momentum + slope
        norm = float(momentum @ momentum)
        if norm == 0.0 or best <= target:
            break
        u = np.clip(u - reach * max(value - target, 0.05) / norm * momentum, 0.0, most)
    return kept, density
