"""A step of counting without visiting: every state meets the next sentence, equal states become one.

A state is a row of words, the open demand as far as later sentences can still meet it, and behind it
`2 * index + closed`: the index so far, and whether the chopped sentence has been chosen. Its value counts the
ways to reach it by their length so far, once for each modulus.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from topline.spread.kernels.bits import popcount

FULL = -1
"""Returned in place of the number of states when there are too many, or too much work, for the limits."""
_ONE, _BYTE = np.uint64(1), np.uint64(255)


@njit(cache=True, nogil=True)
def _find(slots: NDArray[np.int32], keys: NDArray[np.uint64], key: NDArray[np.uint64], used: int) -> int:
    """The row of a state; `used` if it is new and has now been written there."""
    words = len(key)
    mixed = np.uint64(0)
    for w in range(words):
        mixed ^= key[w]
        mixed ^= mixed >> np.uint64(33)
        mixed *= np.uint64(0xFF51AFD7ED558CCD)
        mixed ^= mixed >> np.uint64(33)
        mixed *= np.uint64(0xC4CEB9FE1A85EC53)
        mixed ^= mixed >> np.uint64(33)
    mask = np.uint64(len(slots) - 1)
    place = mixed & mask
    while True:
        row = np.int64(slots[place])
        if row < 0:
            slots[place] = used
            for w in range(words):
                keys[used, w] = key[w]
            return used
        same = True
        for w in range(words):
            if keys[row, w] != key[w]:
                same = False
                break
        if same:
            return int(row)
        place = (place + _ONE) & mask


@njit(cache=True, nogil=True)
def _add(
    to: NDArray[np.uint64], at: int, ways: NDArray[np.uint64], low: int, high: int, moduli: NDArray[np.uint64]
) -> None:
    """Add the ways of lengths `low` to `high` to those of lengths from `at` on."""
    for m in range(len(moduli)):
        modulus = moduli[m]
        if modulus == 0:
            for c in range(high - low + 1):
                to[m, at + c] += ways[m, low + c]
        else:
            for c in range(high - low + 1):
                total = to[m, at + c] + ways[m, low + c]
                to[m, at + c] = total - modulus if total >= modulus else total


@njit(cache=True, nogil=True)
def advance(
    keys: NDArray[np.uint64],
    values: NDArray[np.uint64],
    lows: NDArray[np.int64],
    highs: NDArray[np.int64],
    states: int,
    room: int,
    length: int,
    takes: NDArray[np.uint64],
    clear: NDArray[np.uint64],
    keep: NDArray[np.uint64],
    steps: NDArray[np.int64],
    firsts: NDArray[np.int64],
    lasts: NDArray[np.int64],
    weights: NDArray[np.int64],
    reachable: NDArray[np.uint64],
    moduli: NDArray[np.uint64],
    scale: int,
    need: int,
    slack: NDArray[np.int64],
    ahead: NDArray[np.int64],
    slots: NDArray[np.int32],
    new_keys: NDArray[np.uint64],
    new_values: NDArray[np.uint64],
    new_lows: NDArray[np.int64],
    new_highs: NDArray[np.int64],
) -> int:
    """Leave the sentence out, take it (row 0 of `takes`, `clear`, `keep`), or chop it (the rows behind).

    Chopping to `firsts[q]` up to `lasts[q]` words gives what row `q` holds. Afterwards only the demand in
    `reachable` can be met. What is sure to stay below `need` is dropped: `scale * index`, the `slack` of the
    open demand (a table a byte) and `ahead[closed, room left]` bound what a state can come to.
    """
    width = len(weights)
    key = np.zeros(width + 1, np.uint64)
    open_ = np.zeros(width + 1, np.uint64)
    sums = np.zeros((len(moduli), room + 2), np.uint64)
    used = 0
    for i in range(states):
        head = keys[i, width]
        closed = np.int64(head & _ONE)
        low, high = lows[i], highs[i]
        summed = False
        for choice in range(-1, len(takes) if closed == 0 else 1):
            # -1 leaves the sentence out, 0 takes it whole, the others chop it
            first = last = 0
            if choice == 0:
                first = last = length
            elif choice > 0:
                first, last = firsts[choice], lasts[choice]
            if low + first > room:
                continue
            gain = np.uint64(0)
            for w in range(width):
                open_[w] = keys[i, w]
                if choice >= 0:
                    gain += np.uint64(weights[w]) * popcount(open_[w] & takes[choice, w])
            if choice >= 0:
                for z in range(steps[choice]):
                    for w in range(width):
                        down = (open_[w] >> _ONE) | (open_[w + 1] << np.uint64(63))
                        open_[w] = (open_[w] & ~clear[choice, z, w]) | (down & keep[choice, z, w])
            for w in range(width):
                key[w] = open_[w] & reachable[w]
            key[width] = (head + np.uint64(2) * gain) | (_ONE if choice > 0 else np.uint64(0))
            to_closed = np.int64(key[width] & _ONE)
            top = min(high + last, room)
            if need > 0:
                bound = scale * np.int64(key[width] >> _ONE)
                for w in range(width):
                    for b in range(8):
                        bound += slack[8 * w + b, np.int64((key[w] >> np.uint64(8 * b)) & _BYTE)]
                if bound + ahead[to_closed, room - (low + first)] < need:
                    continue
                while bound + ahead[to_closed, room - top] < need:
                    top -= 1
            row = _find(slots, new_keys, key, used)
            if row == used:
                used += 1
                if used + 1 >= len(new_keys):
                    return FULL
                new_lows[row], new_highs[row] = low + first, top
                new_values[row] = np.uint64(0)
            else:
                new_lows[row] = min(new_lows[row], low + first)
                new_highs[row] = max(new_highs[row], top)
            if choice <= 0:
                _add(new_values[row], low + first, values[i], low, min(high, top - first), moduli)
                continue
            if not summed:
                summed = True
                for m in range(len(moduli)):
                    total = np.uint64(0)
                    sums[m, low] = total
                    for c in range(low, high + 1):
                        total += values[i, m, c]
                        if moduli[m] != 0 and total >= moduli[m]:
                            total -= moduli[m]
                        sums[m, c + 1] = total
                    for c in range(high + 1, room + 1):
                        sums[m, c + 1] = total
            for m in range(len(moduli)):
                modulus = moduli[m]
                for c in range(low + first, top + 1):
                    ways = sums[m, c - first + 1]
                    if c - last > low:
                        before = sums[m, c - last]
                        ways = ways + modulus - before if ways < before else ways - before
                    total = new_values[row, m, c] + ways
                    new_values[row, m, c] = total - modulus if modulus != 0 and total >= modulus else total
    return used
