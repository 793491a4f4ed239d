"""Maximum coverage in whole numbers: the density greedy, a knapsack, and a power iteration for weights."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@njit(cache=True, nogil=True)
def new_weight(starts: Ints, grams: Ints, gains: Ints, covered: Flags, row: int) -> int:
    """The weight of what a row covers and nothing before it did."""
    weight = 0
    for k in range(starts[row], starts[row + 1]):
        if not covered[grams[k]]:
            weight += gains[grams[k]]
    return weight


@njit(cache=True, nogil=True)
def greedy_cover(starts: Ints, grams: Ints, gains: Ints, lengths: Ints, budget: int, begun: Ints) -> Ints:
    """Behind the rows `begun`, always the fitting row with most new weight per cost.

    Densities are compared crosswise in whole numbers; ties go to the first row.
    """
    rows = len(starts) - 1
    covered = np.zeros(len(gains), np.bool_)
    weight = np.empty(rows, np.int64)
    open_ = np.ones(rows, np.bool_)
    chosen = np.empty(rows, np.int64)
    size = 0
    used = 0
    for row in begun:
        for k in range(starts[row], starts[row + 1]):
            covered[grams[k]] = True
        open_[row] = False
        used += lengths[row]
        chosen[size] = row
        size += 1
    while True:
        best = -1
        for row in range(rows):
            if not open_[row] or used + lengths[row] > budget:
                continue
            weight[row] = new_weight(starts, grams, gains, covered, row)
            if weight[row] == 0:
                continue
            if best < 0 or weight[row] * max(lengths[best], 1) > weight[best] * max(lengths[row], 1):
                best = row
        if best < 0:
            break
        for k in range(starts[best], starts[best + 1]):
            covered[grams[k]] = True
        open_[best] = False
        used += lengths[best]
        chosen[size] = best
        size += 1
    return chosen[:size].copy()


@njit(cache=True, nogil=True)
def first_cover(starts: Ints, grams: Ints, gains: Ints, order: Ints) -> Ints:
    """For each row in this order the weight that it is the first to cover."""
    covered = np.zeros(len(gains), np.bool_)
    worth = np.empty(len(order), np.int64)
    for place in range(len(order)):
        row = order[place]
        worth[place] = new_weight(starts, grams, gains, covered, row)
        for k in range(starts[row], starts[row + 1]):
            covered[grams[k]] = True
    return worth


@njit(cache=True, nogil=True)
def knapsack(lengths: Ints, worth: Ints, room: int) -> Flags:
    """Which items weigh most within the room: exact, by dynamic programming over the room."""
    items = len(lengths)
    room = min(room, lengths.sum())
    best = np.zeros(room + 1, np.int64)
    taken = np.zeros((items, room + 1), np.bool_)
    for item in range(items):
        for size in range(room, lengths[item] - 1, -1):
            value = best[size - lengths[item]] + worth[item]
            if value > best[size]:
                best[size] = value
                taken[item, size] = True
    picked = np.zeros(items, np.bool_)
    for item in range(items - 1, -1, -1):
        if taken[item, room]:
            picked[item] = True
            room -= lengths[item]
    return picked


@njit(cache=True, nogil=True)
def leading_direction(starts: Ints, terms: Ints32, values: Floats, columns: int) -> Floats:
    """The first right singular vector of a non-negative matrix (so non-negative too), by power iteration."""
    rows = len(starts) - 1
    now = np.ones(columns) / np.sqrt(max(columns, 1))
    for _ in range(200):
        after = np.zeros(columns)
        for row in range(rows):
            product = 0.0
            for entry in range(starts[row], starts[row + 1]):
                product += values[entry] * now[terms[entry]]
            for entry in range(starts[row], starts[row + 1]):
                after[terms[entry]] += values[entry] * product
        length = np.sqrt(np.sum(after * after))
        if length == 0.0:
            break
        moved = 0.0
        for column in range(columns):
            after[column] /= length
            moved += abs(after[column] - now[column])
        now = after
        if moved < 1e-10:
            break
    return now
