"""The far tail by branch and bound: depth first, a subtree is left as soon as its bound says so."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from topline.spread.kernels.bits import popcount

_ONE, _LAST, _BYTE = np.uint64(1), np.uint64(63), np.uint64(255)


@njit(cache=True, nogil=True)
def _open_worth(slack: NDArray[np.int64], state: NDArray[np.uint64], mask: NDArray[np.uint64]) -> int:
    """What the open demand counts as far as the mask lets it be met."""
    worth = 0
    for w in range(len(mask)):
        bits = state[w] & mask[w]
        for b in range(8):
            worth += slack[8 * w + b, np.int64((bits >> np.uint64(8 * b)) & _BYTE)]
    return worth


@njit(cache=True, nogil=True)
def tail(
    order: NDArray[np.int64],
    lengths: NDArray[np.int64],
    start: int,
    room: int,
    spare: int,
    chopped: bool,
    closes: NDArray[np.int64],
    whole: NDArray[np.uint64],
    table: NDArray[np.uint64],
    weights: NDArray[np.int64],
    state: NDArray[np.uint64],
    clear: NDArray[np.uint64],
    keep: NDArray[np.uint64],
    steps: NDArray[np.int64],
    scale: int,
    need: int,
    slack: NDArray[np.int64],
    masks: NDArray[np.uint64],
    ahead: NDArray[np.int64],
    limit: int,
    found: NDArray[np.int64],
) -> int:
    """Add to `found` every extract whose index is at least `need`; the nodes it took, -1 beyond `limit`.

    Sentences are decided in `order`. Behind the `t`-th, open demand can be met as far as `masks[t]` says and
    the rest of the room `r` is worth at most `ahead[t, r]`; the last row of both is for closing alone. A
    chopped extract is closed by a sentence before `closes[r]`; another counts if it leaves at most `spare`.
    """
    n = len(order)
    width = len(weights)
    states = np.zeros((n + 2, width + 1), np.uint64)
    indices = np.zeros(n + 2, np.int64)
    rooms = np.zeros(n + 2, np.int64)
    cursor = np.zeros(n + 2, np.int64)
    path = np.zeros(n + 2, np.int64)
    taken = np.zeros(len(lengths), np.bool_)
    for w in range(width):
        states[0, w] = state[w]
    indices[0] = start
    rooms[0] = room
    depth = 0
    nodes = 0
    fresh = True
    while True:
        r = rooms[depth]
        now = indices[depth]
        if fresh:
            fresh = False
            if not chopped:
                if r <= spare and now >= need:
                    found[now] += 1
            elif closes[r] > 0:
                bound = scale * now + _open_worth(slack, states[depth], masks[n + 1]) + ahead[n + 1, r]
                if bound >= scale * need:
                    nodes += 1
                    for q in range(closes[r]):
                        gain = now
                        for w in range(width):
                            gain += np.int64(
                                np.uint64(weights[w]) * popcount(table[r, w, q] & states[depth, w])
                            )
                        if gain >= need and not taken[q]:
                            found[gain] += 1
        t = cursor[depth]
        if t < n and scale * now + _open_worth(slack, states[depth], masks[t]) + ahead[t, r] < scale * need:
            t = n
        if t >= n:
            if depth == 0:
                return nodes
            depth -= 1
            taken[path[depth]] = False
            continue
        cursor[depth] = t + 1
        s = order[t]
        left = r - lengths[s]
        if left < 0 or (chopped and left == 0):
            continue
        nodes += 1
        if nodes > limit:
            return -1
        gain = now
        for w in range(width):
            bits = states[depth, w]
            gain += np.int64(np.uint64(weights[w]) * popcount(bits & whole[0, w, s]))
            states[depth + 1, w] = bits
        for z in range(steps[s]):
            for w in range(width):
                bits = states[depth + 1, w]
                down = (bits >> _ONE) | (states[depth + 1, w + 1] << _LAST)
                states[depth + 1, w] = (bits & ~clear[z, w, s]) | (down & keep[z, w, s])
        if (
            scale * gain + _open_worth(slack, states[depth + 1], masks[t + 1]) + ahead[t + 1, left]
            < scale * need
        ):
            continue
        path[depth] = s
        taken[s] = True
        depth += 1
        indices[depth] = gain
        rooms[depth] = left
        cursor[depth] = t + 1
        fresh = True
