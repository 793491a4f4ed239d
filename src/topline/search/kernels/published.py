"""Compiled search of the published algorithms: whole numbers only, fractions by cross-multiplying.

The sentences of FINDORACLE stand in the paper's order: by their own score, falling.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from topline.search.kernels.counts import Array, Counts, change, gain

DEPTH, TAU, FOUND, CHECKED, WRITTEN = 0, 1, 2, 3, 4
"""Places in the state of a search that can be interrupted."""


@njit(cache=True, nogil=True)
def _before(worth: Array, lengths: Array, order: Array, a: int, b: int) -> bool:
    """Whether item `order[a]` is denser than `order[b]`, or equally dense with a smaller number."""
    i, j = order[a], order[b]
    left, right = worth[i] * lengths[j], worth[j] * lengths[i]
    return left > right or (left == right and i < j)


@njit(cache=True, nogil=True)
def _sift(worth: Array, lengths: Array, order: Array, at: int, size: int) -> None:
    """Restore the heap of densities below a place."""
    while True:
        child = 2 * at + 1
        if child >= size:
            return
        if child + 1 < size and _before(worth, lengths, order, child + 1, child):
            child += 1
        if not _before(worth, lengths, order, child, at):
            return
        order[at], order[child] = order[child], order[at]
        at = child


@njit(cache=True, nogil=True)
def greedy_by_density(c: Counts, budget: int, eligible: Array) -> tuple[int, int, Array]:
    """Algorithm 2's loop over the eligible sentences: the densest joins until one does not fit.

    Gains only fall, so the densest by its old gain that is still the densest by its new one is the
    densest of all. As printed, the first sentence that does not fit uses up the room. Returns how many
    joined, the sentence that did not fit (-1 if all did), and the sentences in order of joining.
    """
    size = len(eligible)
    order = eligible.copy()
    have = np.zeros(len(c.gain_starts), np.int64)
    worth = np.zeros(len(c.lengths), np.int64)
    for i in eligible:
        worth[i] = gain(c, i, have)
    for at in range(size // 2 - 1, -1, -1):
        _sift(worth, c.lengths, order, at, size)
    joined = np.empty(size, np.int64)
    taken = 0
    room = budget
    while size > 0:
        best = order[0]
        fresh = gain(c, best, have)
        if fresh < worth[best]:
            worth[best] = fresh
            _sift(worth, c.lengths, order, 0, size)
            continue
        room -= c.lengths[best]
        if room < 0:
            return taken, best, joined
        joined[taken] = best
        taken += 1
        change(c, best, 1, have)
        size -= 1
        order[0] = order[size]
        _sift(worth, c.lengths, order, 0, size)
    return taken, -1, joined


@njit(cache=True, nogil=True)
def _may_reach(
    target: int,
    value: int,
    room: int,
    first: int,
    c: Counts,
    have: Array,
    worth: Array,
    order: Array,
) -> bool:
    """Algorithm 1: whether the fractional knapsack of the later sentences' gains reaches the target."""
    size = len(c.lengths) - first
    for w in range(size):
        order[w] = first + w
        worth[first + w] = gain(c, first + w, have)
    for at in range(size // 2 - 1, -1, -1):
        _sift(worth, c.lengths, order, at, size)
    while size > 0:
        best = order[0]
        if room - c.lengths[best] < 0:
            return value * c.lengths[best] + worth[best] * room >= target * c.lengths[best]
        value += worth[best]
        room -= c.lengths[best]
        size -= 1
        order[0] = order[size]
        _sift(worth, c.lengths, order, 0, size)
    return value >= target


@njit(cache=True, nogil=True)
def find_oracles(
    c: Counts,
    have: Array,
    chosen: Array,
    following: Array,
    values: Array,
    rooms: Array,
    state: Array,
    most: int,
    found: Array,
) -> None:
    """Algorithm 3's FINDORACLE on sentences in the paper's order, until done or `most` were checked.

    The stack (`chosen`, the `following` sentence, `values`, `rooms` by depth) and `state` carry on where
    an earlier call stopped. Optima go to `found`, each as its size and its sentences; when a better
    value appears the earlier ones are dropped (FOUND and WRITTEN start again).
    """
    n = len(c.lengths)
    worth = np.empty(n, np.int64)
    order = np.empty(n, np.int64)
    depth = state[DEPTH]
    stop = state[CHECKED] + most
    while depth >= 0:
        if state[CHECKED] >= stop or state[WRITTEN] + depth + 2 > len(found):
            break
        s = following[depth]
        if s >= n:
            depth -= 1
            if depth >= 0:
                change(c, chosen[depth], -1, have)
            continue
        following[depth] = s + 1
        room = rooms[depth] - c.lengths[s]
        if room < 0:
            continue
        state[CHECKED] += 1
        value = values[depth] + gain(c, s, have)
        change(c, s, 1, have)
        chosen[depth] = s
        descend = True
        if value >= state[TAU]:
            if value > state[TAU]:
                state[TAU] = value
                state[FOUND] = 0
                state[WRITTEN] = 0
            state[FOUND] += 1
            at = state[WRITTEN]
            found[at] = depth + 1
            for d in range(depth + 1):
                found[at + 1 + d] = chosen[d]
            state[WRITTEN] = at + depth + 2
        else:
            descend = _may_reach(state[TAU], value, room, s + 1, c, have, worth, order)
        if descend:
            depth += 1
            following[depth] = s + 1
            values[depth] = value
            rooms[depth] = room
        else:
            change(c, s, -1, have)
    state[DEPTH] = depth


@njit(cache=True, nogil=True)
def hits_alone(c: Counts) -> Array:
    """The hits of every sentence alone."""
    have = np.zeros(len(c.gain_starts), np.int64)
    hits = np.empty(len(c.lengths), np.int64)
    for i in range(len(c.lengths)):
        hits[i] = gain(c, i, have)
    return hits
