"""What a descent stands on: an order of the classes, and the tables of its bound and its keys."""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from topline.search.kernels.arrays import INNER, OUTER, Ints, grid, larger, lesser, reals, zeros
from topline.search.kernels.cover import LEAST, LENGTH, MORE, OWN, Cover

KIND, SPAN, GAIN, COPIES, BEGUN, FALL, SLACK = range(7)
"""Rows of a position: its class, length, own gain, copies, and those already decided; what own gains below 0
from here on can take away; what reduced costs above 0 can add."""
GRAM, HOLDS, BEFORE, AFTER = range(4)
"""Rows of an entry: n-gram, count, and the n-gram's row of cells while its class is open and once it is
decided (as many occurrences left as later classes supply)."""
CAP, WORD, OFFSET, STOP = range(4)
"""Rows of an n-gram: the count at which it saturates, the word of the key it lives in, where its values
start, and the count up to which its gains exceed its multiplier."""
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


@njit(**INNER)
def _rarest_first(c: Cover) -> Ints:
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


@njit(**INNER)
def _order(c: Cover, u: Ints, density: int, scale: int, tilt: float) -> tuple[Ints, Ints]:
    """Classes by falling `|reduced cost| + tilt * price`, and their prices (shell sort: short to compile).

    A `tilt` below 0 asks for the order in which n-grams are open for the shortest stretch.
    """
    n = c.items.shape[1]
    price, order, keys = zeros(n), zeros(n), reals(n)
    for i in range(n):
        p = c.items[OWN, i] * scale
        for e in range(c.starts[i], c.starts[i + 1]):
            p += u[c.grams[e]] * c.counts[e]
        price[i] = p
        keys[i] = abs(p - density * c.items[LENGTH, i]) + tilt * p
        order[i] = i
    if tilt < 0.0:
        rank = _rarest_first(c)
        for i in range(n):
            keys[i] = -rank[i]
    gap = 1
    while gap < n // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n):
            k = order[i]
            j = i
            while j >= gap:
                other = order[j - gap]
                if keys[other] > keys[k] or (keys[other] == keys[k] and other < k):
                    break
                order[j] = other
                j -= gap
            order[j] = k
        gap //= 3
    return order, price


@njit(**INNER)
def _positions(c: Cover, order: Ints, price: Ints, density: int, scale: int) -> tuple[Ints, Ints, Ints, int]:
    """Rows of positions and entries, where each position's entries start, and the room that matters."""
    n = len(order)
    spot, starts = grid(7, n + 1), zeros(n + 1)
    entry = grid(4, len(c.grams))
    at, all_of_it = 0, 0
    for t in range(n):
        i = order[t]
        spot[KIND, t], spot[SPAN, t], spot[COPIES, t] = i, c.items[LENGTH, i], c.items[MORE, i]
        spot[GAIN, t], spot[BEGUN, t] = c.items[OWN, i] * scale, c.items[LEAST, i]
        all_of_it += c.items[LENGTH, i] * c.items[MORE, i]
        for e in range(c.starts[i], c.starts[i + 1]):
            entry[GRAM, at], entry[HOLDS, at] = c.grams[e], c.counts[e]
            at += 1
        starts[t + 1] = at
    room = c.room
    if all_of_it <= room:
        # everything fits: lengths do not matter
        room, density = 0, 0
        for t in range(n):
            spot[SPAN, t] = 0
    for t in range(n - 1, -1, -1):
        spot[FALL, t] = spot[FALL, t + 1] + larger(0, -spot[GAIN, t]) * spot[COPIES, t]
        reduced = price[order[t]] - density * spot[SPAN, t]
        spot[SLACK, t] = spot[SLACK, t + 1] + larger(0, reduced) * spot[COPIES, t]
    return spot, entry, starts, room


@njit(**INNER)
def _cells(
    c: Cover, u: Ints, scale: int, spot: Ints, entry: Ints, starts: Ints
) -> tuple[Ints, Ints, Ints, int, int]:
    """Tables of n-grams, cells and values; a key's number of words; the n-grams' bound at the root."""
    n, m = len(starts) - 1, len(c.first) - 1
    gram = grid(4, m + 1)
    bits, words, size = 0, 1, 0
    shift, last, supply = zeros(m), zeros(m), zeros(m)
    for j in range(m):
        cap = c.first[j + 1] - c.first[j]
        wide = 0
        while cap >> wide:
            wide += 1
        if bits + wide > 63:
            bits = 0
            words += 1
        gram[CAP, j], gram[WORD, j], gram[OFFSET, j + 1] = cap, words - 1, gram[OFFSET, j] + cap + 1
        shift[j] = bits
        bits += wide
        size += cap + 1
    for e in range(entry.shape[1]):
        size += gram[CAP, entry[GRAM, e]] + 1
    worth, run = zeros(gram[OFFSET, m]), zeros(gram[OFFSET, m])
    cell = grid(2, size)
    at = 0
    for j in range(m):
        o, s, cap = gram[OFFSET, j], c.first[j], gram[CAP, j]
        last[j] = at
        for d in range(cap + 1):
            run[o + d] = d
            if 0 < d < cap and c.steps[s + d] == c.steps[s + d - 1]:
                run[o + d] = run[o + d - 1]
            if d < cap:
                worth[o + d + 1] = worth[o + d] + c.steps[s + d] * scale
                if c.steps[s + d] * scale > u[j]:
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
                cell[KEY, at + d] = state << shift[j]
            at += cap + 1
    root = 0
    for j in range(m):
        root += cell[BOUND, last[j]]
    return gram, cell, worth, words, root


@njit(**INNER)
def _knapsack(spot: Ints, order: Ints, price: Ints, room: int, unit: int) -> Ints:
    """`K[t, r]`: the most the classes from position `t` on are worth in room `r`, prices alone counted."""
    n, width = len(order), room // unit + 1
    table = grid(n + 1, width)
    for t in range(n - 1, -1, -1):
        size, p, copies = spot[SPAN, t] // unit, price[order[t]], spot[COPIES, t]
        free = larger(0, p) * copies if size == 0 else 0
        for r in range(width):
            table[t, r] = table[t + 1, r] + free
        if p > 0 and size > 0:
            for k in range(1, lesser(copies, room // unit // size) + 1):
                for r in range(k * size, width):
                    table[t, r] = larger(table[t, r], table[t + 1, r - k * size] + k * p)
    return table


@njit(**OUTER)
def layout(c: Cover, u: Ints, density: int, scale: int, cells: int, tilt: float) -> Plan:
    """Order the classes and lay out the tables; `cells` bounds the knapsack table."""
    order, price = _order(c, u, density, scale, tilt)
    spot, entry, starts, room = _positions(c, order, price, density, scale)
    gram, cell, worth, words, root = _cells(c, u, scale, spot, entry, starts)
    unit = 1
    while (len(order) + 1) * (room // unit + 1) > cells and unit <= room:
        unit *= 2
    table = _knapsack(spot, order, price, room, unit)
    return Plan(spot, entry, starts, gram, cell, worth, table, room, unit, words, root, density)
