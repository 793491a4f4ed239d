"""The greedy choice: node by node, each with those missing above it."""

from __future__ import annotations

import numpy as np
from numba import njit

from topline.compress.arrays import Arrays, Bytes, Ints

ROOT = -1


@njit(cache=True, nogil=True)
def _put(arrays: Arrays, kept: Bytes, counts: Ints, c: int, sign: int) -> None:
    """Keep a node (`sign` 1) or take it out again (-1), with all occurrences that it makes or breaks."""
    for e in range(arrays.entry_starts[c], arrays.entry_starts[c + 1]):
        counts[arrays.entry_grams[e]] += sign * arrays.entry_counts[e]
    for m in range(arrays.node_starts[c], arrays.node_starts[c + 1]):
        place = arrays.node_members[m]
        v = arrays.member_links[place]
        others = True
        for k in range(arrays.member_starts[v], arrays.member_starts[v + 1]):
            others = others and (k == place or kept[arrays.members[k]] == arrays.signs[k])
        if others:
            counts[arrays.link_grams[v]] += sign if arrays.signs[place] == 1 else -sign
    kept[c] = 1 if sign == 1 else 0


@njit(cache=True, nogil=True)
def _touched(arrays: Arrays, path: Ints, size: int, marks: Ints, clock: int, grams: Ints) -> int:
    """The n-grams that the nodes of a path have to do with, each once."""
    many = 0
    for i in range(size):
        c = path[i]
        for e in range(arrays.entry_starts[c], arrays.entry_starts[c + 1]):
            j = arrays.entry_grams[e]
            if marks[j] != clock:
                marks[j], grams[many] = clock, j
                many += 1
        for m in range(arrays.node_starts[c], arrays.node_starts[c + 1]):
            j = arrays.link_grams[arrays.member_links[arrays.node_members[m]]]
            if marks[j] != clock:
                marks[j], grams[many] = clock, j
                many += 1
    return many


@njit(cache=True, nogil=True)
def _gain(arrays: Arrays, counts: Ints, grams: Ints, many: int) -> int:
    """What the present counts of some n-grams gain."""
    total = 0
    for i in range(many):
        first = arrays.gain_starts[grams[i]]
        for t in range(first, min(first + counts[grams[i]], arrays.gain_starts[grams[i] + 1])):
            total += arrays.gains[t]
    return total


@njit(cache=True, nogil=True)
def grow(arrays: Arrays, budget: int, kept: Bytes) -> None:
    """Again and again keep the node, with those missing above it, that gains most for its length."""
    n, count = len(kept), len(arrays.gain_starts) - 1
    counts, marks, grams = np.zeros(count, np.int64), np.zeros(count, np.int64), np.empty(count, np.int64)
    path = np.empty(n + 1, np.int64)
    room, clock = budget, 0
    while True:
        winner, most, least = -1, 0, 1
        for c in range(n):
            if kept[c] == 1 or arrays.hollow[c] == 1:
                continue
            size = cost = 0
            d = c
            while d != ROOT and kept[d] == 0:
                path[size] = d
                size += 1
                cost += arrays.lengths[d]
                d = arrays.parents[d]
            if cost > room:
                continue
            clock += 1
            many = _touched(arrays, path, size, marks, clock, grams)
            more = -_gain(arrays, counts, grams, many)
            for i in range(size):
                _put(arrays, kept, counts, path[i], 1)
            more += _gain(arrays, counts, grams, many)
            for i in range(size):
                _put(arrays, kept, counts, path[i], -1)
            cost = max(cost, 1)
            if more > 0 and (more * least, more) > (most * cost, most):
                winner, most, least = c, more, cost
        if winner < 0:
            return
        d = winner
        while d != ROOT and kept[d] == 0:
            room -= arrays.lengths[d]
            _put(arrays, kept, counts, d, 1)
            d = arrays.parents[d]
