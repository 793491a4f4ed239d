"""Visiting every extract: depth first over sets of sentences, vectors over the last sentence.

Sentences stand by falling length, so that those that can close a set for some room are a run of positions,
and those that can join it another. All children of a set are closed together (see `lanes`), then visited.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from topline.spread.kernels.lanes import FIELD, GROUP, close
from topline.spread.kernels.vectors import LANES

_FIELD = np.uint64(FIELD)
_SPAN = LANES * GROUP


@njit(cache=True, nogil=True)
def empty(fields: NDArray[np.uint64], totals: NDArray[np.int64]) -> None:
    """Add the fields to the totals by index and gain, and clear them.

    Vectors come in twos or fours, as bins had eight bits or four; field `f` of the `k`-th of them counts the
    gain `f * together + k`. Behind the first four stand those of gains from 16 on.
    """
    vectors = fields.shape[1]
    together = min(vectors, 4)
    for index in range(len(fields)):
        for k in range(vectors):
            for lane in range(fields.shape[2]):
                word = fields[index, k, lane]
                if word == 0:
                    continue
                fields[index, k, lane] = 0
                for f in range(4):
                    count = np.int64((word >> np.uint64(16 * f)) & _FIELD)
                    if count:
                        totals[index + k // together * 16 + f * together + k % together] += count


@njit(cache=True, nogil=True)
def visit(
    first_child: int,
    last_child: int,
    room: int,
    lengths: NDArray[np.int64],
    starts: NDArray[np.int64],
    closes: NDArray[np.int64],
    table: NDArray[np.uint64],
    extra: NDArray[np.uint64],
    row_size: int,
    line: int,
    forms: NDArray[np.int64],
    weights: NDArray[np.uint32],
    clear: NDArray[np.uint64],
    keep: NDArray[np.uint64],
    amounts: NDArray[np.uint64],
    taken: NDArray[np.uint64],
    top: int,
    others: NDArray[np.uint32],
    eligible: NDArray[np.uint32],
    alive: NDArray[np.uint32],
    states: NDArray[np.uint64],
    few: NDArray[np.uint64],
    many: NDArray[np.uint64],
    totals: NDArray[np.int64],
) -> None:
    """Add every extract whose set is a given one, one of the children, and any positions before that.

    The given set has the demand `states[0, :, 0]`, and those outside it are `alive[0]`. With room `r` left,
    positions from `starts[r]` on, but before the last member, may join the set, and those before `closes[r]`
    may close an extract. `forms[r]` chooses the inner loop for the children of a set with room `r`, `top` is
    the given set's index if it left no demand open; for the others see `close`.
    """
    depths = len(states)
    rooms = np.zeros(depths, np.int64)
    cursor = np.zeros(depths, np.int64)
    ends = np.zeros(depths, np.int64)
    tops = np.zeros(depths, np.int64)
    indices = np.zeros(states.shape[2], np.int64)
    fresh = FIELD
    depth = 0
    p = 0
    rooms[0], cursor[0], ends[0], tops[0] = room, first_child, last_child, top
    while True:
        first, last = cursor[depth], ends[depth]
        while first < last:
            # a child adds at most one to a field for each of its blocks, and the first has most blocks
            blocks = (closes[rooms[depth] - lengths[first]] + _SPAN - 1) // _SPAN * GROUP
            until = min(last, first + FIELD // max(1, blocks))
            added = (until - first) * blocks
            if added > fresh:
                empty(few, totals)
                empty(many, totals)
                fresh = FIELD
            fresh -= added
            close(
                forms[rooms[depth]], states, depth, p, first, until, rooms[depth], lengths, closes,
                row_size, line, clear, keep, amounts, table, extra, weights, taken, tops[depth], alive,
                others, eligible, indices, few, many, totals,
            )  # fmt: skip
            first = until
        while True:
            t = cursor[depth]
            if t >= ends[depth]:
                if depth == 0:
                    empty(few, totals)
                    empty(many, totals)
                    return
                depth -= 1
                continue
            cursor[depth] = t + 1
            left = rooms[depth] - lengths[t]
            first = starts[left]
            if first < t:
                break
        for b in range(alive.shape[1]):
            alive[depth + 1, b] = alive[depth, b] & others[t, b]
        tops[depth + 1] = tops[depth] + np.int64(taken[t])
        depth += 1
        p = t
        rooms[depth], cursor[depth], ends[depth] = left, first, t
