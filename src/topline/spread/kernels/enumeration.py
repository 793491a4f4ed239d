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
from topline.spread.kernels.lanes import (
    BINS,
    close_1_8,
    close_1_16,
    close_1_32,
    close_2_8,
    close_2_16,
    close_2_32,
    close_3_8,
    close_3_16,
    close_3_32,
    close_4_8,
    close_4_16,
    close_4_32,
    tally_8,
    tally_16,
    tally_32,
)

_CHUNK = 248
"""Extracts that bins of a byte can take, in whole vectors."""
_ZERO, _ONE, _LAST = np.uint64(0), np.uint64(1), np.uint64(63)


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
    widest: NDArray[np.int64],
    weights: NDArray[np.uint32],
    state: NDArray[np.uint64],
    clear: NDArray[np.uint64],
    keep: NDArray[np.uint64],
    steps: NDArray[np.int64],
    top: int,
    rows: NDArray[np.int64],
    totals: NDArray[np.int64],
) -> None:
    """Add every extract whose set is `members`, one of the children given, and any later positions.

    With room `r` left, positions `joins[r]` to `joins_end[r]` may join the set and those before `closes[r]`
    close an extract (only those behind the last member, unless `chopped`). `table[r, w, s]` is what `s`
    can take (row 0 serves every room unless `chopped`), zero where `s` does not close; `widest[r]` is the
    largest possible gain, `top` the index of no open demand, `steps[s]` the steps of sentence `s`.
    """
    width = len(weights)
    depth = len(members)
    n = len(lengths)
    padded = table.shape[2]
    states = np.zeros((n + 2, width + 1), np.uint64)
    rooms = np.zeros(n + 2, np.int64)
    cursor = np.zeros(n + 2, np.int64)
    path = np.zeros(n + 2, np.int64)
    alive = np.ones(padded, np.uint64)
    after = np.zeros(width + 1, np.uint64)
    unit = width <= 4
    for w in range(width):
        states[depth, w] = state[w]
        unit = unit and weights[w] == 1
    for d in range(depth):
        path[d + 1] = members[d]
        if chopped:
            alive[members[d]] = _ZERO
    rooms[depth] = room
    low = depth
    fresh = True
    while True:
        r = rooms[depth]
        if depth == low:
            start, end = first_child, last_child
        else:
            start, end = max(path[depth] + 1, joins[r]), joins_end[r]
        if fresh:
            fresh = False
            cursor[depth] = start
            inside = depth
            for t in range(start, end):
                left = r - lengths[t]
                begin = 0 if chopped else max(t + 1, joins[left])
                stop = closes[left]
                if stop <= begin:
                    continue
                k = left if chopped else 0
                wide = widest[left]
                if wide < BINS and unit and stop - begin <= _CHUNK:
                    at = k * width * padded
                    blocks = (stop - begin + 7) >> 3
                    mine = chopped and t < stop
                    base = 0
                    if width == 1:
                        if wide < 8:
                            base = close_1_8(
                                states,
                                depth,
                                clear,
                                keep,
                                t,
                                steps[t],
                                table,
                                at,
                                padded,
                                alive,
                                begin,
                                blocks,
                                top,
                                rows,
                                mine,
                            )
                        elif wide < 16:
                            base = close_1_16(
                                states,
                                depth,
                                clear,
                                keep,
                                t,
                                steps[t],
                                table,
                                at,
                                padded,
                                alive,
                                begin,
                                blocks,
                                top,
                                rows,
                                mine,
                            )
                        else:
                            base = close_1_32(
                                states,
                                depth,
                                clear,
                                keep,
                                t,
                                steps[t],
                                table,
                                at,
                                padded,
                                alive,
                                begin,
                                blocks,
                                top,
                                rows,
                                mine,
                            )
                    elif width == 2:
                        if wide < 8:
                            base = close_2_8(
                                states,
                                depth,
                                clear,
                                keep,
                                t,
                                steps[t],
                                table,
                                at,
                                padded,
                                alive,
                                begin,
                                blocks,
                                top,
                                rows,
                                mine,
                            )
                        elif wide < 16:
                            base = close_2_16(
                                states,
                                depth,
                                clear,
                                keep,
                                t,
                                steps[t],
                                table,
                                at,
                                padded,
                                alive,
                                begin,
                                blocks,
                                top,
                                rows,
                                mine,
                            )
                        else:
                            base = close_2_32(
                                states,
                                depth,
                                clear,
                                keep,
                                t,
                                steps[t],
                                table,
                                at,
                                padded,
                                alive,
                                begin,
                                blocks,
                                top,
                                rows,
                                mine,
                            )
                    elif width == 3:
                        if wide < 8:
                            base = close_3_8(
                                states,
                                depth,
                                clear,
                                keep,
                                t,
                                steps[t],
                                table,
                                at,
                                padded,
                                alive,
                                begin,
                                blocks,
                                top,
                                rows,
                                mine,
                            )
                        elif wide < 16:
                            base = close_3_16(
                                states,
                                depth,
                                clear,
                                keep,
                                t,
                                steps[t],
                                table,
                                at,
                                padded,
                                alive,
                                begin,
                                blocks,
                                top,
                                rows,
                                mine,
                            )
                        else:
                            base = close_3_32(
                                states,
                                depth,
                                clear,
                                keep,
                                t,
                                steps[t],
                                table,
                                at,
                                padded,
                                alive,
                                begin,
                                blocks,
                                top,
                                rows,
                                mine,
                            )
                    else:
                        if wide < 8:
                            base = close_4_8(
                                states,
                                depth,
                                clear,
                                keep,
                                t,
                                steps[t],
                                table,
                                at,
                                padded,
                                alive,
                                begin,
                                blocks,
                                top,
                                rows,
                                mine,
                            )
                        elif wide < 16:
                            base = close_4_16(
                                states,
                                depth,
                                clear,
                                keep,
                                t,
                                steps[t],
                                table,
                                at,
                                padded,
                                alive,
                                begin,
                                blocks,
                                top,
                                rows,
                                mine,
                            )
                        else:
                            base = close_4_32(
                                states,
                                depth,
                                clear,
                                keep,
                                t,
                                steps[t],
                                table,
                                at,
                                padded,
                                alive,
                                begin,
                                blocks,
                                top,
                                rows,
                                mine,
                            )
                    totals[base] += stop - begin
                    if chopped:
                        while inside > 0 and path[inside] >= stop:
                            inside -= 1
                        totals[base] -= inside + mine
                    continue
                for w in range(width):
                    after[w] = states[depth, w]
                for z in range(steps[t]):
                    for w in range(width):
                        down = (after[w] >> _ONE) | (after[w + 1] << _LAST)
                        after[w] = (after[w] & ~clear[z, w, t]) | (down & keep[z, w, t])
                base = top
                for w in range(width):
                    base -= np.int64(weights[w] * popcount(after[w]))
                if wide < BINS:
                    totals[base] += stop - begin
                    if chopped:
                        while inside > 0 and path[inside] >= stop:
                            inside -= 1
                        totals[base] -= inside
                for chunk in range(begin, stop, _CHUNK):
                    many = min(stop - chunk, _CHUNK)
                    at = k * width * padded + chunk
                    blocks = (many + 7) >> 3
                    if wide < 8:
                        tally_8(table, at, padded, width, after, weights, alive, chunk, blocks, rows, base)
                    elif wide < 16:
                        tally_16(table, at, padded, width, after, weights, alive, chunk, blocks, rows, base)
                    elif wide < BINS:
                        tally_32(table, at, padded, width, after, weights, alive, chunk, blocks, rows, base)
                    else:
                        for q in range(chunk, chunk + many):
                            gain = 0
                            for w in range(width):
                                gain += np.int64(weights[w] * popcount(table[k, w, q] & after[w]))
                            totals[base + gain] += np.int64(alive[q])
                if chopped and t < stop:
                    own = 0
                    for w in range(width):
                        own += np.int64(weights[w] * popcount(table[k, w, t] & after[w]))
                    if wide < BINS:
                        totals[base] -= 1
                        rows[base, own] -= 1
                    else:
                        totals[base + own] -= 1
        t = cursor[depth]
        if t >= end:
            if depth == low:
                return
            if chopped:
                alive[path[depth]] = _ONE
            depth -= 1
            continue
        cursor[depth] = t + 1
        left = r - lengths[t]
        if max(t + 1, joins[left]) < joins_end[left]:
            for w in range(width):
                states[depth + 1, w] = states[depth, w]
            for z in range(steps[t]):
                for w in range(width):
                    bits = states[depth + 1, w]
                    down = (bits >> _ONE) | (states[depth + 1, w + 1] << _LAST)
                    states[depth + 1, w] = (bits & ~clear[z, w, t]) | (down & keep[z, w, t])
            depth += 1
            path[depth] = t
            rooms[depth] = left
            if chopped:
                alive[t] = _ZERO
            fresh = True
