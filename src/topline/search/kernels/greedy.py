"""A first extract: the best gain per length, copy by copy."""

from __future__ import annotations

from numba import njit

from topline.search.kernels.arrays import INNER, OUTER, Ints, larger, lesser, zeros
from topline.search.kernels.cover import LENGTH, MORE, OWN, Cover


@njit(**INNER)
def _gain(c: Cover, i: int, have: Ints) -> int:
    """What one more copy of class `i` adds to counts `have`."""
    gain = c.items[OWN, i]
    for e in range(c.starts[i], c.starts[i + 1]):
        j = c.grams[e]
        for s in range(c.first[j] + have[j], lesser(c.first[j] + have[j] + c.counts[e], c.first[j + 1])):
            gain += c.steps[s]
    return gain


@njit(**OUTER)
def greedy(c: Cover) -> tuple[int, Ints]:
    """Value and copies of the densest choice, or of the best single copy where that is worth more."""
    length, more = c.items[LENGTH], c.items[MORE]
    n = len(length)
    have, take, gains = zeros(len(c.first) - 1), zeros(n), zeros(n)
    alone = -1
    for i in range(n):
        gains[i] = _gain(c, i, have)
        if gains[i] > 0 and (alone < 0 or gains[i] > gains[alone]):
            alone = i
    single = gains[alone] if alone >= 0 else 0
    value, room = c.base, c.room
    while True:
        best = -1
        for i in range(n):
            if take[i] == more[i] or length[i] > room or gains[i] <= 0:
                continue
            # gains only fall: one that was too small before needs no second look
            if best >= 0 and gains[i] * larger(length[best], 1) <= gains[best] * larger(length[i], 1):
                continue
            gains[i] = _gain(c, i, have)
            if gains[i] > 0 and (
                best < 0 or gains[i] * larger(length[best], 1) > gains[best] * larger(length[i], 1)
            ):
                best = i
        if best < 0:
            break
        take[best] += 1
        value += gains[best]
        room -= length[best]
        for e in range(c.starts[best], c.starts[best + 1]):
            have[c.grams[e]] += c.counts[e]
    if c.base + single > value:
        take = zeros(n)
        take[alone] = 1
        value = c.base + single
    return value, take
