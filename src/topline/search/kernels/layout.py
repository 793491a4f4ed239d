"""The tables of a descent: what its bound and its keys look up."""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from topline.search.kernels.arrays import OUTER, Ints, grid, larger, lesser, zeros
from topline.search.kernels.cover import Cover

KIND, SPAN, GAIN, COPIES, BEGUN, FALL, SLACK = range(7)
"""Rows of a position: its class, length, own gain, copies, and those already decided; what own gains below 0
from here on can take away; what reduced costs above 0 can add."""
GRAM, HOLDS, BEFORE, AFTER = range(4)
"""Rows of an entry: n-gram, count, and the n-gram's row of cells while its class is open and once it is
decided (as many occurrences left as later classes supply)."""
CAP, WORD, SHIFT, MASK, OFFSET, STOP = range(6)
"""Rows of an n-gram: the count at which it saturates, the word of the key it lives in, the bits of its count
there, where its values start, and the count up to which its gains exceed its multiplier."""
BOUND, KEY = range(2)
"""Rows of a cell (n-gram, supply left, count): its most worth, multipliers paid; its share of a key."""


class Plan(NamedTuple):
    """What a descent stands on: its rows are named above."""

    spot: Ints
    entry: Ints
    starts: Ints
    """Position `t` has the entries `starts[t]:starts[t + 1]`."""
    gram: Ints
    cell: Ints
    worth: Ints
    """What `d` occurrences of n-gram `j` gain: `worth[gram[OFFSET, j] + d]`."""
    table: Ints
    """`K[t, r]`: the most the classes from position `t` on are worth in room `r`, prices alone counted."""
    room: int
    unit: int
    """The unit of the table's rooms; lengths are rounded down to it."""
    words: int
    """How many words a key has."""
    root: int
    """The bound of the n-grams before anything is decided."""
    density: int


@njit(**OUTER)
def rarest_first(c: Cover) -> Ints:
    """A rank for each class: again and again all that hold the n-gram which the fewest still hold.

    So each n-gram is open for a short stretch of positions, and few states differ.
    """
    n, m = c.items.shape[1], len(c.first) - 1
    rank, left = zeros(n), zeros(m)
    for e in range(len(c.grams)):
        left[c.grams[e]] += 1
    ranked = 0
    while ranked < n:
        rare = -1
        for j in range(m):
            if left[j] > 0 and (rare < 0 or left[j] < left[rare]):
                rare = j
        for i in range(n):
            if rank[i] == 0:
                holds = rare < 0
                for e in range(c.starts[i], c.starts[i + 1]):
                    if c.grams[e] == rare:
                        holds = True
                if holds:
                    ranked += 1
                    rank[i] = ranked
                    for e in range(c.starts[i], c.starts[i + 1]):
                        left[c.grams[e]] -= 1
    return rank


@njit(**OUTER)
def cells(
    first: Ints, steps: Ints, u: Ints, scale: int, spot: Ints, entry: Ints, starts: Ints
) -> tuple[Ints, Ints, Ints, int, int]:
    """Tables of n-grams, cells and values; a key's number of words; the n-grams' bound at the root."""
    n, m = len(starts) - 1, len(first) - 1
    gram = grid(6, m + 1)
    bits, words, size = 0, 1, 0
    last, supply = zeros(m), zeros(m)
    for j in range(m):
        cap = first[j + 1] - first[j]
        wide = 0
        while cap >> wide:
            wide += 1
        if bits + wide > 63:
            bits = 0
            words += 1
        gram[CAP, j], gram[WORD, j], gram[OFFSET, j + 1] = cap, words - 1, gram[OFFSET, j] + cap + 1
        gram[SHIFT, j], gram[MASK, j] = bits, (1 << wide) - 1
        bits += wide
        size += cap + 1
    for e in range(entry.shape[1]):
        size += gram[CAP, entry[GRAM, e]] + 1
    worth, run = zeros(gram[OFFSET, m]), zeros(gram[OFFSET, m])
    cell = grid(2, size)
    at = 0
    for j in range(m):
        o, s, cap = gram[OFFSET, j], first[j], gram[CAP, j]
        last[j] = at
        for d in range(cap + 1):
            run[o + d] = d
            if 0 < d < cap and steps[s + d] == steps[s + d - 1]:
                run[o + d] = run[o + d - 1]
            if d < cap:
                worth[o + d + 1] = worth[o + d] + steps[s + d] * scale
                if steps[s + d] * scale > u[j]:
                    gram[STOP, j] = d + 1
            cell[BOUND, at + d] = worth[o + d]
        at += cap + 1
    for t in range(n - 1, -1, -1):
        for e in range(starts[t], starts[t + 1]):
            j = entry[GRAM, e]
            o, cap = gram[OFFSET, j], gram[CAP, j]
            supply[j] += entry[HOLDS, e] * spot[COPIES, t]
            entry[AFTER, e], entry[BEFORE, e] = last[j], at
            last[j] = at
            for d in range(cap + 1):
                top = larger(d, lesser(d + supply[j], gram[STOP, j]))
                cell[BOUND, at + d] = worth[o + top] - u[j] * (top - d)
                # counts whose further gains are all the same from here on are one state
                end = d + supply[j]
                state = d
                if d < cap and end <= cap and run[o + end - 1] <= d:
                    state = run[o + d]
                cell[KEY, at + d] = state << gram[SHIFT, j]
            at += cap + 1
    root = 0
    for j in range(m):
        root += cell[BOUND, last[j]]
    return gram, cell, worth, words, root


@njit(**OUTER)
def knapsack(spot: Ints, price: Ints, room: int, unit: int) -> Ints:
    """`K[t, r]`: the most the classes from position `t` on are worth in room `r`, prices alone counted."""
    n, width = len(price), room // unit + 1
    table = grid(n + 1, width)
    for t in range(n - 1, -1, -1):
        size, p, copies = spot[SPAN, t] // unit, price[t], spot[COPIES, t]
        free = larger(0, p) * copies if size == 0 else 0
        for r in range(width):
            table[t, r] = table[t + 1, r] + free
        if p > 0 and size > 0:
            for k in range(1, lesser(copies, room // unit // size) + 1):
                for r in range(k * size, width):
                    table[t, r] = larger(table[t, r], table[t + 1, r - k * size] + k * p)
    return table
