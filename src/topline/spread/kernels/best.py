"""Visiting every extract when the best reference counts: an index a reference, the best rank wins."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from topline.spread.kernels.bits import popcount

_ONE, _LAST = np.uint64(1), np.uint64(63)


@njit(cache=True, nogil=True)
def visit_best(
    members: NDArray[np.int64],
    first_child: int,
    last_child: int,
    lengths: NDArray[np.int64],
    room: int,
    joins: NDArray[np.int64],
    starts: NDArray[np.int64],
    closes: NDArray[np.int64],
    chopped: bool,
    table: NDArray[np.uint64],
    weights: NDArray[np.int64],
    groups: NDArray[np.int64],
    reach: NDArray[np.int64],
    ranks: NDArray[np.int64],
    state: NDArray[np.uint64],
    clear: NDArray[np.uint64],
    keep: NDArray[np.uint64],
    steps: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Count the extracts whose set is `members`, one of the children, and any positions before that.

    Each counts by the best of `ranks[g, index]`. `state` is the demand that the members leave open. Positions
    from `joins[r]` on are short enough for room `r`; only those before the last member close a set, unless
    `chopped`. The other arguments are those of `enumeration.visit`.
    """
    width = len(weights)
    n = len(lengths)
    states = np.zeros((n + 2, width + 1), np.uint64)
    rooms = np.zeros(n + 2, np.int64)
    cursor = np.zeros(n + 2, np.int64)
    ends = np.zeros(n + 2, np.int64)
    path = np.zeros(n + 2, np.int64)
    inside = np.zeros(n, np.bool_)
    inside[members] = True
    index = np.zeros(len(reach), np.int64)
    depth = 0
    for w in range(width):
        states[0, w] = state[w]
    rooms[0], cursor[0], ends[0] = room, first_child, last_child
    while True:
        t = cursor[depth]
        if t >= ends[depth]:
            if depth == 0:
                return
            inside[path[depth]] = False
            depth -= 1
            continue
        cursor[depth] = t + 1
        left = rooms[depth] - lengths[t]
        for w in range(width):
            states[depth + 1, w] = states[depth, w]
        for z in range(steps[t]):
            for w in range(width):
                bits = states[depth + 1, w]
                down = (bits >> _ONE) | (states[depth + 1, w + 1] << _LAST)
                states[depth + 1, w] = (bits & ~clear[z, w, t]) | (down & keep[z, w, t])
        for q in range(0 if chopped else joins[left], closes[left] if chopped else min(t, closes[left])):
            if inside[q] or q == t:
                continue
            index[:] = reach
            for w in range(width):
                open_ = states[depth + 1, w] & ~table[left if chopped else 0, w, q]
                index[groups[w]] -= np.int64(np.uint64(weights[w]) * popcount(open_))
            best = 0
            for g in range(len(reach)):
                best = max(best, ranks[g, index[g]])
            counts[best] += 1
        first = starts[left]
        if first < t:
            depth += 1
            path[depth], rooms[depth], cursor[depth], ends[depth] = t, left, first, t
            inside[t] = True
