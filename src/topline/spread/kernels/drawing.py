"""Draws that are exactly uniform: a random number below the number of extracts, and the extract of that rank.

Counts are whole numbers of several 64-bit limbs, the highest first. A table holds for every position and room
how many extracts lie beyond; a rank walks through it by comparing and subtracting.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from topline.spread.kernels.bits import popcount

_ONE, _LAST = np.uint64(1), np.uint64(63)


@njit(cache=True, nogil=True)
def _mix(x: np.uint64) -> np.uint64:
    """SplitMix64's finaliser."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@njit(cache=True, nogil=True)
def _below(rank: NDArray[np.uint64], table: NDArray[np.uint64], row: int, i: int) -> bool:
    """Whether the rank is below the count at `table[row, :, i]`."""
    for k in range(len(rank)):
        other = table[row, k, i]
        if rank[k] != other:
            return rank[k] < other
    return False


@njit(cache=True, nogil=True)
def _subtract(rank: NDArray[np.uint64], table: NDArray[np.uint64], row: int, i: int) -> None:
    """Subtract the count from the rank, in place."""
    borrow = np.uint64(0)
    for k in range(len(rank) - 1, -1, -1):
        other = table[row, k, i]
        before = rank[k]
        rank[k] = before - other - borrow
        borrow = _ONE if before < other or (before == other and borrow == _ONE) else np.uint64(0)


@njit(cache=True, nogil=True)
def _random_below(
    limits: NDArray[np.uint64], last: int, top_mask: np.uint64, rank: NDArray[np.uint64], seed: np.uint64
) -> np.uint64:
    """Fill `rank` with a uniform number below the last limit; the generator's next state."""
    while True:
        for k in range(len(rank)):
            seed += np.uint64(0x9E3779B97F4A7C15)
            rank[k] = _mix(seed)
        rank[0] &= top_mask
        if _below(rank, limits, last, 0):
            return seed


@njit(cache=True, nogil=True)
def _move_on(
    state: NDArray[np.uint64],
    begins: NDArray[np.int64],
    touched: NDArray[np.int64],
    clear: NDArray[np.uint64],
    keep: NDArray[np.uint64],
    s: int,
) -> None:
    """Let sentence `s` take what it can: its moves are those from `begins[s]` on, of a word each."""
    for k in range(begins[s], begins[s + 1]):
        w = touched[k]
        down = (state[w] >> _ONE) | (state[w + 1] << _LAST)
        state[w] = (state[w] & ~clear[k]) | (down & keep[k])


@njit(cache=True, nogil=True)
def _indices(
    state: NDArray[np.uint64],
    weights: NDArray[np.int64],
    groups: NDArray[np.int64],
    reach: NDArray[np.int64],
    out: NDArray[np.int64],
) -> None:
    """The index that each demand has come to."""
    for g in range(len(reach)):
        out[g] = reach[g]
    for w in range(len(weights)):
        out[groups[w]] -= np.int64(np.uint64(weights[w]) * popcount(state[w]))


@njit(cache=True, nogil=True)
def draw_chopped(
    lengths: NDArray[np.int64],
    room: int,
    beyond: NDArray[np.uint64],
    total: NDArray[np.uint64],
    top_mask: np.uint64,
    prefix: NDArray[np.uint64],
    weights: NDArray[np.int64],
    groups: NDArray[np.int64],
    reach: NDArray[np.int64],
    start: NDArray[np.uint64],
    begins: NDArray[np.int64],
    touched: NDArray[np.int64],
    clear: NDArray[np.uint64],
    keep: NDArray[np.uint64],
    seed: np.uint64,
    out: NDArray[np.int64],
) -> None:
    """Draw as many chopped extracts as `out` has rows.

    `beyond[2 * c + closed, :, i]`: the ways to fill `c` from position `i` on, `closed` if one is chopped.
    """
    n = len(lengths)
    rank = np.zeros(beyond.shape[1], np.uint64)
    state = np.zeros(len(weights) + 1, np.uint64)
    for m in range(len(out)):
        seed = _random_below(total, 0, top_mask, rank, seed)
        for w in range(len(weights)):
            state[w] = start[w]
        c, closed, i = room, 0, 0
        cut, cut_at = 0, 0
        while c > 0:
            row = 2 * c + closed
            # the next sentence that is taken is near: steps that double come to few lines of memory
            low, high, step = i, n - 1, 1
            while low + step <= high and _below(rank, beyond, row, low + step):
                low += step
                step *= 2
            high = min(high, low + step - 1)
            while low < high:
                middle = (low + high) >> 1
                if _below(rank, beyond, row, middle + 1):
                    low = middle + 1
                else:
                    high = middle
            _subtract(rank, beyond, row, low + 1)
            i = low + 1
            length = lengths[low]
            if closed == 1 or (c >= length and _below(rank, beyond, 2 * (c - length), i)):
                _move_on(state, begins, touched, clear, keep, low)
                c -= length
                continue
            if c >= length:
                _subtract(rank, beyond, 2 * (c - length), i)
            r = 1
            while not _below(rank, beyond, 2 * (c - r) + 1, i):
                _subtract(rank, beyond, 2 * (c - r) + 1, i)
                r += 1
            cut, cut_at, closed = r, low, 1
            c -= r
        _indices(state, weights, groups, reach, out[m])
        for w in range(len(weights)):
            out[m, groups[w]] += np.int64(np.uint64(weights[w]) * popcount(state[w] & prefix[cut, w, cut_at]))


@njit(cache=True, nogil=True)
def _subtract_between(
    rank: NDArray[np.uint64], table: NDArray[np.uint64], c: int, slack: int, i: int
) -> bool:
    """Subtract the sets of the first `i` positions that leave at most `slack` of room `c`, if they are few.

    Returns whether the rank was below their number, and then leaves it as it was.
    """
    limbs = len(rank)
    borrow = np.uint64(0)
    below = np.uint64(0)
    for k in range(limbs - 1, -1, -1):
        other = table[c, k, i]
        less = table[c - slack - 1, k, i] if c > slack else np.uint64(0)
        ways = other - less - borrow
        borrow = _ONE if other < less or (other == less and borrow == _ONE) else np.uint64(0)
        before = rank[k]
        rank[k] = before - ways - below
        below = _ONE if before < ways or (before == ways and below == _ONE) else np.uint64(0)
    if below == 0:
        return False
    carry = np.uint64(0)
    borrow = np.uint64(0)
    for k in range(limbs - 1, -1, -1):
        other = table[c, k, i]
        less = table[c - slack - 1, k, i] if c > slack else np.uint64(0)
        ways = other - less - borrow
        borrow = _ONE if other < less or (other == less and borrow == _ONE) else np.uint64(0)
        total = rank[k] + ways
        over = _ONE if total < ways else np.uint64(0)
        rank[k] = total + carry
        carry = over | (_ONE if carry == _ONE and rank[k] == 0 else np.uint64(0))
    return True


@njit(cache=True, nogil=True)
def draw_whole(
    lengths: NDArray[np.int64],
    free: NDArray[np.int64],
    rooms: NDArray[np.int64],
    slacks: NDArray[np.int64],
    ways: NDArray[np.uint64],
    limits: NDArray[np.uint64],
    top_mask: np.uint64,
    weights: NDArray[np.int64],
    groups: NDArray[np.int64],
    reach: NDArray[np.int64],
    starts: NDArray[np.uint64],
    begins: NDArray[np.int64],
    touched: NDArray[np.int64],
    clear: NDArray[np.uint64],
    keep: NDArray[np.uint64],
    seed: np.uint64,
    out: NDArray[np.int64],
) -> None:
    """Draw sets of whole sentences from frames; `limits` are the frames' sizes, then the sum of them all.

    `ways[c, :, i]`: the sets of the first `i` positions with a length of at most `c`.
    """
    rank = np.zeros(ways.shape[1], np.uint64)
    state = np.zeros(len(weights) + 1, np.uint64)
    frames = len(free)
    for m in range(len(out)):
        seed = _random_below(limits, frames, top_mask, rank, seed)
        f = 0
        while not _below(rank, limits, f, 0):
            _subtract(rank, limits, f, 0)
            f += 1
        for w in range(len(weights)):
            state[w] = starts[f, w]
        c, i = rooms[f], free[f]
        while i > 0:
            i -= 1
            if not _subtract_between(rank, ways, c, slacks[f], i):
                _move_on(state, begins, touched, clear, keep, i)
                c -= lengths[i]
        _indices(state, weights, groups, reach, out[m])
