"""Pearson, Spearman and Kendall of many resamples."""

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
