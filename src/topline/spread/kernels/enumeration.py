"""Visiting every extract: depth first over sets of sentences, vectors over the last sentence.

Sentences stand by falling length, so that those that can close a set for some room are a run of positions,
and those that can join it another. Eight byte-wide bins lie in one 64-bit word: an extract that gains `g`
adds `1 << 8g` to it. A row of bins belongs to the index before the gain and is shifted into place at the
end; its first bin is not kept but follows from the number of extracts, so padding may fall into it.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from topline.spread.kernels.bits import popcount
from topline.spread.kernels.lanes import close

CHUNK = 248
"""Extracts that bins of a byte can take, in whole vectors."""
_ONE, _LAST = np.uint64(1), np.uint64(63)


@njit(cache=True, nogil=True)
def _one_by_one(
    states: NDArray[np.uint64], depth: int, clear: NDArray[np.uint64], keep: NDArray[np.uint64], t: int,
    steps: int, table: NDArray[np.uint64], k: int, weights: NDArray[np.uint32], alive: NDArray[np.uint64],
    seen: int, begin: int, stop: int, top: int, totals: NDArray[np.int64], mine: bool,
) -> None:  # fmt: skip
    """The plain form: for gains or documents that are too large for bins of a byte."""
    width = len(weights)
    for w in range(width):
        states[depth + 1, w] = states[depth, w]
    for z in range(steps):
        for w in range(width):
            bits = states[depth + 1, w]
            down = (bits >> _ONE) | (states[depth + 1, w + 1] << _LAST)
            states[depth + 1, w] = (bits & ~clear[z, w, t]) | (down & keep[z, w, t])
    base = np.int64(top)
    for w in range(width):
        base -= np.int64(weights[w] * popcount(states[depth + 1, w]))
    for q in range(begin, stop):
        gain = np.int64(0)
        for w in range(width):
            gain += np.int64(weights[w] * popcount(table[k, w, q] & states[depth + 1, w]))
        if not (mine and q == t):
            totals[base + gain] += np.int64(alive[seen, q])


@njit(cache=True, nogil=True)
def visit(
    members: NDArray[np.int64],
    first_child: int,
    last_child: int,
    lengths: NDArray[np.int64],
    room: int,
    joins: NDArray[np.int64],
    joins_end: NDArray[np.int64],
    closes: NDArray[np.int64],
    chopped: bool,
    table: NDArray[np.uint64],
    eligible: NDArray[np.uint64],
    forms: NDArray[np.int64],
    weights: NDArray[np.uint32],
    state: NDArray[np.uint64],
    clear: NDArray[np.uint64],
    keep: NDArray[np.uint64],
    steps: NDArray[np.int64],
    always: int,
    top: int,
    rows: NDArray[np.int64],
    totals: NDArray[np.int64],
) -> None:
    """Add every extract whose set is `members`, one of the children given, and any later positions.

    With room `r` left, positions `joins[r]` to `joins_end[r]` may join the set and those before `closes[r]`
    close an extract (only those behind the last member, unless `chopped`). `table[r, w, s]` is what `s`
    can take (row 0 serves every room unless `chopped`), `eligible[r, s]` is 1 where `s` closes (unless
    `chopped`, where the table says it and there is one row of ones); `forms[r]` chooses the
    inner loop (-1: the plain one), `top` is the index of no open demand, `steps[s]` the steps of sentence
    `s`, of which `always` are made anyway.
    """
    width = len(weights)
    low = depth = len(members)
    n = len(lengths)
    padded = table.shape[2]
    states = np.zeros((n + 2, width + 1), np.uint64)
    rooms = np.zeros(n + 2, np.int64)
    cursor = np.zeros(n + 2, np.int64)
    ends = np.zeros(n + 2, np.int64)
    path = np.zeros(n + 2, np.int64)
    alive = eligible.copy() if chopped else eligible
    dead = np.zeros(padded // 64 + 1, np.uint64)
    for w in range(width):
        states[depth, w] = state[w]
    if chopped:
        for m in members:
            alive[0, m] = np.uint64(0)
            dead[m >> 6] |= _ONE << np.uint64(m & 63)
    rooms[depth] = room
    cursor[depth] = first_child
    ends[depth] = last_child
    while True:
        t = cursor[depth]
        if t >= ends[depth]:
            if depth == low:
                return
            m = path[depth]
            if chopped:
                alive[0, m] = _ONE
                dead[m >> 6] &= ~(_ONE << np.uint64(m & 63))
            depth -= 1
            continue
        cursor[depth] = t + 1
        left = rooms[depth] - lengths[t]
        begin = 0 if chopped else max(t + 1, joins[left])
        stop = max(closes[left], begin)
        mine = chopped and t < stop
        k = left if chopped and stop > 0 else 0
        seen = 0 if chopped else left
        if forms[left] < 0:
            _one_by_one(
                states,
                depth,
                clear,
                keep,
                t,
                steps[t],
                table,
                k,
                weights,
                alive,
                seen,
                begin,
                stop,
                top,
                totals,
                mine,
            )
        else:
            base: int = close(
                forms[left], states, depth, clear, keep, t, always, steps[t], table, k * width * padded,
                padded, width, weights, alive, seen * padded + begin,
                begin, (stop - begin + 7) >> 3, top, rows,
                rows.shape[1], mine,
            )  # fmt: skip
            totals[base] += stop - begin - mine
            if chopped:
                for w in range(stop >> 6):
                    totals[base] -= np.int64(popcount(dead[w]))
                below = (_ONE << np.uint64(stop & 63)) - _ONE
                totals[base] -= np.int64(popcount(dead[stop >> 6] & below))
        first = max(t + 1, joins[left])
        if first < joins_end[left]:
            depth += 1
            path[depth] = t
            rooms[depth] = left
            cursor[depth] = first
            ends[depth] = joins_end[left]
            if chopped:
                alive[0, t] = np.uint64(0)
                dead[t >> 6] |= _ONE << np.uint64(t & 63)
