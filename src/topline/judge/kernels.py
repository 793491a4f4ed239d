"""Compiled counting for correlation and significance: plain arrays in, plain arrays out.

Scores arrive as whole numbers held in doubles (see `significance.whole`): sums and comparisons are exact,
so no result hangs on the order of summation or the number of threads.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PEARSON, SPEARMAN, KENDALL = 0, 1, 2


@njit(cache=True, nogil=True)
def _ratio(xy: float, xx: float, yy: float) -> float:
    """`xy / sqrt(xx yy)`, exactly 1 where it is; roots apart where the product would overflow."""
    product = xx * yy
    if 1e-280 < product < 1e280:
        return max(-1.0, min(1.0, xy / math.sqrt(product)))
    return max(-1.0, min(1.0, xy / math.sqrt(xx) / math.sqrt(yy)))


@njit(cache=True, nogil=True)
def _pearson(x: Floats, y: Floats) -> float:
    n = len(x)
    mx, my = 0.0, 0.0
    same_x, same_y = True, True
    for i in range(n):
        mx += x[i]
        my += y[i]
        same_x &= x[i] == x[0]
        same_y &= y[i] == y[0]
    if same_x or same_y:
        return math.nan
    mx /= n
    my /= n
    xx, yy, xy = 0.0, 0.0, 0.0
    for i in range(n):
        dx, dy = x[i] - mx, y[i] - my
        xx += dx * dx
        yy += dy * dy
        xy += dx * dy
    if xx == 0.0 or yy == 0.0:
        return math.nan
    return _ratio(xy, xx, yy)


@njit(cache=True, nogil=True)
def _midranks(codes: Ints, levels: int, ranks: Floats) -> None:
    """Twice the mean rank of each value, from its level: whole numbers."""
    counts = np.zeros(levels + 1, np.int64)
    for c in codes:
        counts[c + 1] += 1
    for level in range(levels):
        counts[level + 1] += counts[level]
    for i in range(len(codes)):
        ranks[i] = counts[codes[i]] + counts[codes[i] + 1] + 1


@njit(cache=True, nogil=True)
def _kendall(cx: Ints, cy: Ints, x_levels: int, y_levels: int) -> float:
    """Tau-b: pairs counted with a binary indexed tree over y, in the order of x."""
    n = len(cx)
    starts = np.zeros(x_levels + 1, np.int64)
    y_counts = np.zeros(y_levels, np.int64)
    for i in range(n):
        starts[cx[i] + 1] += 1
        y_counts[cy[i]] += 1
    x_ties: Any = 0
    y_ties: Any = 0
    for level in range(x_levels):
        x_ties += starts[level + 1] * (starts[level + 1] - 1) // 2
        starts[level + 1] += starts[level]
    for count in y_counts:
        y_ties += count * (count - 1) // 2
    pairs = n * (n - 1) // 2
    if pairs in (x_ties, y_ties):
        return math.nan
    order = np.empty(n, np.int64)
    fill = starts.copy()
    for i in range(n):
        order[fill[cx[i]]] = i
        fill[cx[i]] += 1
    tree = np.zeros(y_levels + 1, np.int64)
    score, before = 0, 0
    for level in range(x_levels):
        for place in range(starts[level], starts[level + 1]):
            c = cy[order[place]]
            less = 0
            at = c
            while at > 0:
                less += tree[at]
                at -= at & -at
            up_to = 0
            at = c + 1
            while at > 0:
                up_to += tree[at]
                at -= at & -at
            score += less - (before - up_to)
        for place in range(starts[level], starts[level + 1]):
            at = cy[order[place]] + 1
            while at <= y_levels:
                tree[at] += 1
                at += at & -at
            before += 1
    return _ratio(float(score), float(pairs - x_ties), float(pairs - y_ties))


@njit(cache=True, nogil=True)
def coefficients(
    kind: int, x: Floats, y: Floats, cx: Ints, cy: Ints, rows: Ints, columns: Ints, out: Floats
) -> None:
    """One coefficient for each resample: pairs (x[rows[b, i]], y[columns[b, i]]); NaN where undefined.

    `cx` and `cy` are the levels of the values (their places among the sorted distinct ones).
    """
    n = rows.shape[1]
    x_levels, y_levels = cx.max() + 1, cy.max() + 1
    a, b = np.empty(n), np.empty(n)
    ca, cb = np.empty(n, np.int64), np.empty(n, np.int64)
    for r in range(rows.shape[0]):
        for i in range(n):
            a[i], b[i] = x[rows[r, i]], y[columns[r, i]]
            ca[i], cb[i] = cx[rows[r, i]], cy[columns[r, i]]
        if kind == KENDALL:
            out[r] = _kendall(ca, cb, x_levels, y_levels)
            continue
        if kind == SPEARMAN:
            _midranks(ca, x_levels, a)
            _midranks(cb, y_levels, b)
        out[r] = _pearson(a, b)


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


BUCKETS, CROWD = 1024, 32


@njit(cache=True, nogil=True)
def _sort(keys: Ints, ordered: Ints, fill: Ints) -> None:
    """Sort differences: into buckets by size, then by insertion; crowded buckets are sorted outright.

    Differences of scores spread evenly enough that this takes a third of a quicksort's time.
    """
    n = len(keys)
    highest = 0
    for key in keys:
        highest = max(highest, key)
    shift = 0
    while highest >> shift >= BUCKETS:
        shift += 1
    fill[: BUCKETS + 1] = 0
    for key in keys:
        fill[(key >> shift) + 1] += 1
    crowded = False
    for b in range(BUCKETS):
        crowded |= fill[b + 1] > CROWD
        fill[b + 1] += fill[b]
    if crowded:
        ordered[:n] = np.sort(keys)
        return
    for key in keys:
        b = key >> shift
        ordered[fill[b]] = key
        fill[b] += 1
    for i in range(1, n):
        key, at = ordered[i], i
        while at > 0 and ordered[at - 1] > key:
            ordered[at] = ordered[at - 1]
            at -= 1
        ordered[at] = key


@njit(cache=True, nogil=True)
def wilcoxon(scores: Floats, pairs: Ints, most: int, p: Floats, of: Ints) -> None:
    """Two-sided signed-rank p of each pair, zeros dropped: exact up to `most` differences, else normal."""
    topics = scores.shape[1]
    keys = np.empty(topics, np.int64)
    ranks = np.empty(topics, np.int64)
    ordered = np.empty(topics, np.int64)
    fill = np.empty(BUCKETS + 1, np.int64)
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
        _sort(keys[:n], ordered, fill)
        positive, ties, at = 0, 0.0, 0
        while at < n:
            end, above = at, 0
            while end < n and ordered[end] >> 1 == ordered[at] >> 1:
                above += ordered[end] & 1
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


def pairs_of(systems: int) -> NDArray[Any]:
    """All pairs of systems, the lower number first."""
    return np.stack(np.triu_indices(systems, 1), axis=1).astype(np.int64)
