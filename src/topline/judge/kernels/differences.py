"""Differences between systems under resampling, sign flips and ranks.

Scores arrive as whole numbers held in doubles (see `significance.whole`): sums and comparisons are exact,
so no result hangs on the order of summation or the number of threads.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@njit(cache=True, nogil=True)
def count_extreme(projected: Floats, totals: Floats, pairs: Ints, counts: Ints) -> None:
    """For each pair of systems, the resamples whose difference is at least the observed one."""
    samples = projected.shape[1]
    for k in range(len(pairs)):
        one, other = projected[pairs[k, 0]], projected[pairs[k, 1]]
        observed = abs(totals[pairs[k, 0]] - totals[pairs[k, 1]])
        extreme = 0
        for b in range(samples):
            extreme += abs(one[b] - other[b]) >= observed
        counts[k] += extreme


@njit(cache=True, nogil=True)
def _signed_sums(values: Ints, out: Ints) -> int:
    """All sums of the values under every choice of signs, rising, by merging; their number."""
    out[0] = 0
    size = 1
    down, up = np.empty_like(out), np.empty_like(out)
    for v in values:
        step = abs(v)
        for i in range(size):
            down[i] = out[i] - step
            up[i] = out[i] + step
        a, b = 0, 0
        for i in range(2 * size):
            if b == size or (a < size and down[a] <= up[b]):
                out[i] = down[a]
                a += 1
            else:
                out[i] = up[b]
                b += 1
        size *= 2
    return size


@njit(cache=True, nogil=True)
def _signs_at_least(differences: Ints, observed: int) -> int:
    """How many choices of signs give a sum of `observed` or more: the two halves meet in the middle."""
    half = len(differences) // 2
    left = np.empty(1 << half, np.int64)
    right = np.empty(1 << (len(differences) - half), np.int64)
    lefts = _signed_sums(differences[:half], left)
    rights = _signed_sums(differences[half:], right)
    reached, at = 0, rights
    for i in range(lefts):
        while at > 0 and left[i] + right[at - 1] >= observed:
            at -= 1
        reached += rights - at
    return reached


@njit(cache=True, nogil=True)
def exact_randomisation(
    scores: Floats, totals: Floats, pairs: Ints, most: int, extreme: Floats, of: Ints
) -> None:
    """For each pair with at most `most` differing topics: choices of signs as extreme, and bits of all.

    `of` is the number of differing topics (2 to its power are all choices), or -1 where there are more.
    """
    topics = scores.shape[1]
    differences = np.empty(topics, np.int64)
    for k in range(len(pairs)):
        differing = 0
        for t in range(topics):
            d = int(scores[pairs[k, 0], t] - scores[pairs[k, 1], t])
            if d != 0:
                differences[differing] = d
                differing += 1
        if differing > most:
            of[k] = -1
            continue
        observed = int(abs(totals[pairs[k, 0]] - totals[pairs[k, 1]]))
        of[k] = differing
        if observed == 0:
            extreme[k] = 2.0**differing
        else:
            extreme[k] = 2.0 * _signs_at_least(differences[:differing], observed)


@njit(cache=True, nogil=True)
def _wilcoxon_exact(ranks: Ints, statistic: int) -> float:
    """Share of sign choices whose rank sum is as far from its mean; ranks are doubled, ties included."""
    total = 0
    for r in ranks:
        total += r
    ways = np.zeros(total + 1)
    ways[0] = 1.0
    reach = 0
    for r in ranks:
        reach += r
        for s in range(reach, r - 1, -1):
            ways[s] += ways[s - r]
    far = abs(2 * statistic - total)
    extreme = 0.0
    for s in range(total + 1):
        if abs(2 * s - total) >= far:
            extreme += ways[s]
    return extreme / 2.0 ** len(ranks)


DIGIT = 8


@njit(cache=True, nogil=True)
def _sort(keys: Ints, spare: Ints, fill: Ints) -> None:
    """Sort whole numbers in place, digit by digit: faster than comparing, and quick to compile."""
    highest = 0
    for key in keys:
        highest = max(highest, key)
    shift, n = 0, len(keys)
    while highest >> shift:
        fill[:] = 0
        for key in keys:
            fill[((key >> shift) & ((1 << DIGIT) - 1)) + 1] += 1
        for digit in range(1 << DIGIT):
            fill[digit + 1] += fill[digit]
        for i in range(n):
            digit = (keys[i] >> shift) & ((1 << DIGIT) - 1)
            spare[fill[digit]] = keys[i]
            fill[digit] += 1
        keys[:] = spare[:n]
        shift += DIGIT


@njit(cache=True, nogil=True)
def wilcoxon(scores: Floats, pairs: Ints, most: int, p: Floats, of: Ints) -> None:
    """Two-sided signed-rank p of each pair, zeros dropped: exact up to `most` differences, else normal."""
    topics = scores.shape[1]
    keys = np.empty(topics, np.int64)
    ranks = np.empty(topics, np.int64)
    spare = np.empty(topics, np.int64)
    fill = np.empty((1 << DIGIT) + 1, np.int64)
    for k in range(len(pairs)):
        n = 0
        for t in range(topics):
            d = int(scores[pairs[k, 0], t] - scores[pairs[k, 1], t])
            if d != 0:
                keys[n] = abs(d) * 2 + (d > 0)
                n += 1
        of[k] = n
        if n == 0:
            p[k] = 1.0
            continue
        _sort(keys[:n], spare, fill)
        positive, ties, at = 0, 0.0, 0
        while at < n:
            end, above = at, 0
            while end < n and keys[end] >> 1 == keys[at] >> 1:
                above += keys[end] & 1
                end += 1
            rank = at + end + 1
            for i in range(at, end):
                ranks[i] = rank
            positive += rank * above
            size = end - at
            ties += float(size) * size * size - size
            at = end
        if n <= most:
            p[k] = _wilcoxon_exact(ranks[:n], positive)
        else:
            mean = n * (n + 1) / 4.0
            variance = n * (n + 1) * (2.0 * n + 1) / 24.0 - ties / 48.0
            p[k] = math.erfc(abs(positive / 2.0 - mean) / math.sqrt(2.0 * variance))
