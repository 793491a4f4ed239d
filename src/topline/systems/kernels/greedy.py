"""Greedy selections: a gain a sentence, the best that fits, until nothing fits. Ties go to the first."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

CLOSE = 1e-10
"""Values that differ by less than this share of their scale are ties, whatever their rounding."""


@njit(cache=True, nogil=True, inline="always")
def fits(length: int, used: int, limit: int, chop: bool) -> bool:
    """Whether a sentence may be added; with `chop` the last one may cross the limit."""
    return used < limit if chop else used + length <= limit


@njit(cache=True, nogil=True, inline="always")
def better(value: float, best: float, scale: float) -> bool:
    """Above the best so far by more than rounding.

    `scale` is that of the terms the values are made of, where these may cancel to almost nothing.
    """
    return value > best + CLOSE * max(scale, abs(best))


@njit(cache=True, nogil=True)
def sumbasic(
    starts: Ints,
    terms: Ints32,
    counts: Ints32,
    column_starts: Ints,
    column_rows: Ints32,
    chances: Floats,
    lengths: Ints,
    limit: int,
    chop: bool,
) -> Ints:
    """SumBasic: the most probable word, the best sentence that holds it, its words' chances squared."""
    rows = len(starts) - 1
    chances = chances.copy()
    open_ = np.ones(rows, np.bool_)
    chosen = np.empty(rows, np.int64)
    size = 0
    used = 0
    while used < limit:
        word = -1
        for column in range(len(chances)):
            if chances[column] > 0.0 and (word < 0 or better(chances[column], chances[word], 0.0)):
                for k in range(column_starts[column], column_starts[column + 1]):
                    row = column_rows[k]
                    if open_[row] and fits(lengths[row], used, limit, chop):
                        word = column
                        break
        if word < 0:
            break
        best = -1
        best_score = 0.0
        for k in range(column_starts[word], column_starts[word + 1]):
            row = column_rows[k]
            if not open_[row] or not fits(lengths[row], used, limit, chop):
                continue
            score = 0.0
            number = 0
            for entry in range(starts[row], starts[row + 1]):
                score += counts[entry] * chances[terms[entry]]
                number += counts[entry]
            score /= number
            if best < 0 or better(score, best_score, 0.0):
                best, best_score = row, score
        for entry in range(starts[best], starts[best + 1]):
            chances[terms[entry]] *= chances[terms[entry]]
        open_[best] = False
        chosen[size] = best
        size += 1
        used += lengths[best]
    return chosen[:size].copy()


@njit(cache=True, nogil=True)
def greedy_kl(
    starts: Ints,
    terms: Ints32,
    counts: Ints32,
    chances: Floats,
    smoothing: float,
    lengths: Ints,
    limit: int,
    chop: bool,
) -> Ints:
    """Add the sentence that leaves the least KL(topic || summary).

    That is the one with the largest `sum_w p(w) log(c(w) + smoothing) - log(size + smoothing x words)`.
    """
    rows = len(starts) - 1
    have = np.zeros(len(chances))
    mass = smoothing * len(chances)
    level = 0.0
    for chance in chances:
        level += chance * np.log(smoothing)
    open_ = np.ones(rows, np.bool_)
    chosen = np.empty(rows, np.int64)
    size = 0
    used = 0
    while used < limit:
        best = -1
        best_score = 0.0
        best_level = 0.0
        for row in range(rows):
            if not open_[row] or not fits(lengths[row], used, limit, chop) or starts[row] == starts[row + 1]:
                continue
            after = level
            number = 0
            for entry in range(starts[row], starts[row + 1]):
                term = terms[entry]
                before = have[term] + smoothing
                after += chances[term] * np.log((before + counts[entry]) / before)
                number += counts[entry]
            score = after - np.log(mass + number)
            if best < 0 or better(score, best_score, 1.0):
                best, best_score, best_level = row, score, after
        if best < 0:
            break
        for entry in range(starts[best], starts[best + 1]):
            have[terms[entry]] += counts[entry]
            mass += counts[entry]
        level = best_level
        open_[best] = False
        chosen[size] = best
        size += 1
        used += lengths[best]
    return chosen[:size].copy()


@njit(cache=True, nogil=True)
def mmr(
    starts: Ints,
    neighbours: Ints32,
    weights: Floats,
    relevance: Floats,
    balance: float,
    lengths: Ints,
    limit: int,
    chop: bool,
) -> Ints:
    """Maximal marginal relevance on a graph of cosines."""
    rows = len(starts) - 1
    nearest = np.zeros(rows)
    open_ = np.ones(rows, np.bool_)
    chosen = np.empty(rows, np.int64)
    size = 0
    used = 0
    while used < limit:
        best = -1
        best_score = 0.0
        for row in range(rows):
            if not open_[row] or not fits(lengths[row], used, limit, chop):
                continue
            score = balance * relevance[row] - (1.0 - balance) * nearest[row]
            if best < 0 or better(score, best_score, 1.0):
                best, best_score = row, score
        if best < 0:
            break
        for k in range(starts[best], starts[best + 1]):
            nearest[neighbours[k]] = max(nearest[neighbours[k]], weights[k])
        open_[best] = False
        chosen[size] = best
        size += 1
        used += lengths[best]
    return chosen[:size].copy()


@njit(cache=True, nogil=True)
def dpp_greedy(
    starts: Ints, neighbours: Ints32, weights: Floats, quality: Floats, lengths: Ints, limit: int, chop: bool
) -> Ints:
    """Greedy MAP of L = diag(q) S diag(q): the largest gain of log det per cost among what fits.

    `left[i]` is det(L with i) / det(L) by an incremental Cholesky factor, its columns in `factor`.
    """
    rows = len(starts) - 1
    left = np.zeros(rows)
    for row in range(rows):
        for k in range(starts[row], starts[row + 1]):
            if neighbours[k] == row:
                left[row] = quality[row] * quality[row] * weights[k]
    full = left.copy()
    factor = np.zeros((16, rows))
    column = np.empty(rows)
    open_ = np.ones(rows, np.bool_)
    chosen = np.empty(rows, np.int64)
    size = 0
    used = 0
    while used < limit:
        best = -1
        best_score = 0.0
        for row in range(rows):
            # what is left of a copy is rounding, not volume
            if not open_[row] or left[row] <= 1e-9 * full[row] or not fits(lengths[row], used, limit, chop):
                continue
            score = np.log(left[row]) / max(lengths[row], 1)
            if best < 0 or better(score, best_score, 1.0):
                best, best_score = row, score
        if best < 0:
            break
        column[:] = 0.0
        for k in range(starts[best], starts[best + 1]):
            column[neighbours[k]] = quality[best] * quality[neighbours[k]] * weights[k]
        for step in range(size):
            known = factor[step, best]
            if known != 0.0:
                for row in range(rows):
                    column[row] -= known * factor[step, row]
        root = np.sqrt(left[best])
        if size == len(factor):
            larger = np.zeros((2 * len(factor), rows))
            larger[:size] = factor
            factor = larger
        for row in range(rows):
            factor[size, row] = column[row] / root
            left[row] -= factor[size, row] * factor[size, row]
        open_[best] = False
        chosen[size] = best
        size += 1
        used += lengths[best]
    return chosen[:size].copy()
