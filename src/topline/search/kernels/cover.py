"""The covering problem as arrays; equal rows and proportional columns of its matrix."""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from topline.search.kernels.arrays import (
    INNER,
    OUTER,
    Ints,
    cut,
    filled,
    zeros,
)

LENGTH, OWN, SIZE, LEAST, MORE = range(5)
"""The rows of `Cover.items`; see there."""
DROPPED = -1
"""The fate of a class of which no copy can be chosen."""


class Cover(NamedTuple):
    """A coverage problem over classes of interchangeable sentences.

    Few arrays with named rows: compiling a kernel costs time for every array it takes.
    """

    base: int
    """The value of what is decided."""
    room: int
    """The length that is left."""
    items: Ints
    """A column a class: its length; what each copy gains whatever else is chosen (`OWN`, negative for a
    charge); how many sentences it stands for (`SIZE`); how many of them are chosen already (`LEAST`, part of
    `base`, not of `room`); how many more may be (`MORE`)."""
    starts: Ints
    """Class `i` holds entries `starts[i]:starts[i + 1]` of `grams` and `counts`."""
    grams: Ints
    counts: Ints
    first: Ints
    """N-gram `j` gains `steps[first[j]:first[j + 1]]`, never rising, for its further occurrences."""
    steps: Ints


@njit(**INNER)
def _code(start: int, end: int, keys: Ints, values: Ints) -> int:
    """A hash of part of a list."""
    code = 17
    for e in range(start, end):
        code = (code ^ (keys[e] * 1000003 + values[e])) * -7046029254386353131
        code ^= (code >> 29) & 0x7FFFFFFFF
    return code


@njit(**INNER)
def _place(table: Ints, leader: Ints, code: int, item: int, ends: Ints, keys: Ints, values: Ints) -> int:
    """The slot of a list that equals list `item`, or the empty slot where it belongs."""
    slot = code & (len(table) - 1)
    start, size = ends[item], ends[item + 1] - ends[item]
    while table[slot] >= 0:
        other = ends[leader[table[slot]]]
        equal = ends[leader[table[slot]] + 1] - other == size
        d = 0
        while equal and d < size:
            equal = keys[start + d] == keys[other + d] and values[start + d] == values[other + d]
            d += 1
        if equal:
            break
        slot = (slot + 1) & (len(table) - 1)
    return slot


@njit(**INNER)
def _table(n: int) -> Ints:
    slots = 8
    while slots < 2 * n:
        slots *= 2
    return filled(slots, -1)


@njit(**OUTER)
def classes(rows: Ints, keys: Ints, values: Ints, join: Ints) -> tuple[Ints, Ints]:
    """Number different rows (`rows[i]:rows[i + 1]` of keys, values): each row's number, each one's first row.

    Only rows that `join` (1) take the number of an equal row; of those that are out (-1) none is given.
    """
    n = len(join)
    table, leader, number = _table(n), zeros(n), filled(n, -1)
    found = 0
    for i in range(n):
        if join[i] >= 0:
            number[i] = found
            if join[i] > 0:
                slot = _place(table, leader, _code(rows[i], rows[i + 1], keys, values), i, rows, keys, values)
                if table[slot] < 0:
                    table[slot] = found
                number[i] = table[slot]
            if number[i] == found:
                leader[found] = i
                found += 1
    return number, cut(leader, found)


@njit(**OUTER)
def columns(m: int, starts: Ints, grams: Ints, counts: Ints) -> tuple[Ints, Ints, Ints]:
    """Merge n-grams whose columns are equal up to a factor: group, factor, and each group's first n-gram."""
    first = zeros(m + 1)
    for e in range(len(grams)):
        first[grams[e] + 1] += 1
    for j in range(m):
        first[j + 1] += first[j]
    fill = cut(first, m)
    rows, values = zeros(first[m]), zeros(first[m])
    for k in range(len(starts) - 1):
        for e in range(starts[k], starts[k + 1]):
            at = fill[grams[e]]
            rows[at], values[at] = k, counts[e]
            fill[grams[e]] = at + 1
    table = _table(m)
    group, factor, lead = filled(m, -1), filled(m, 1), zeros(m)
    found = 0
    for j in range(m):
        if first[j + 1] > first[j]:
            common = 0
            for e in range(first[j], first[j + 1]):
                a = values[e]
                while a:
                    a, common = common % a, a
            for e in range(first[j], first[j + 1]):
                values[e] //= common
            code = _code(first[j], first[j + 1], rows, values)
            factor[j] = common
            slot = _place(table, lead, code, j, first, rows, values)
            if table[slot] < 0:
                table[slot] = found
                lead[found] = j
                found += 1
            group[j] = table[slot]
    return group, factor, cut(lead, found)
