"""The covering problem as arrays, and its compaction once ranges of copies are known."""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from topline.search.kernels.arrays import (
    INNER,
    OUTER,
    Floats,
    Ints,
    cut,
    filled,
    grid,
    larger,
    lesser,
    reals,
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
def _mix(code: int, word: int) -> int:
    code = (code ^ word) * -7046029254386353131
    return code ^ ((code >> 29) & 0x7FFFFFFFF)


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


@njit(**INNER)
def _fold(
    items: Ints,
    starts: Ints,
    grams: Ints,
    counts: Ints,
    first: Ints,
    steps: Ints,
    low: Ints,
    span: Ints,
    own: Ints,
) -> tuple[int, Ints, Ints]:
    """What `low` copies cover, and per n-gram where its gains go on and how many still matter.

    An n-gram that cannot saturate, or that one single copy holds, goes into `own`: none of its gains matter.
    """
    n, m = items.shape[1], len(first) - 1
    covered = 0
    begin, width = zeros(m), zeros(m)
    supply, holders = zeros(m), zeros(m)
    for i in range(n):
        for e in range(starts[i], starts[i + 1]):
            j = grams[e]
            begin[j] += low[i] * counts[e]
            supply[j] += span[i] * counts[e]
            holders[j] += span[i]
    for j in range(m):
        used = lesser(begin[j], first[j + 1] - first[j])
        for s in range(first[j], first[j] + used):
            covered += steps[s]
        begin[j] = first[j] + used
        left = first[j + 1] - begin[j]
        width[j] = lesser(left, supply[j])
        if 0 < supply[j] <= left and steps[begin[j]] == steps[begin[j] + width[j] - 1]:
            holders[j] = 1
    for i in range(n):
        if span[i] > 0:
            for e in range(starts[i], starts[i + 1]):
                j = grams[e]
                if holders[j] == 1:
                    # one copy alone, or a gain that stays the same: either way each copy adds this
                    for s in range(begin[j], begin[j] + lesser(counts[e], width[j])):
                        own[i] += steps[s]
    for j in range(m):
        if holders[j] == 1:
            width[j] = 0
    return covered, begin, width


@njit(**INNER)
def _columns(m: int, leader: Ints, ends: Ints, grams: Ints, counts: Ints) -> tuple[Ints, Ints, Ints]:
    """Merge n-grams whose columns are equal up to a factor: group, factor, and each group's first n-gram."""
    first = zeros(m + 1)
    for k in range(len(leader)):
        for e in range(ends[leader[k]], ends[leader[k] + 1]):
            first[grams[e] + 1] += 1
    for j in range(m):
        first[j + 1] += first[j]
    fill = cut(first, m)
    rows, values = zeros(first[m]), zeros(first[m])
    for k in range(len(leader)):
        for e in range(ends[leader[k]], ends[leader[k] + 1]):
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
            code = 17
            for e in range(first[j], first[j + 1]):
                values[e] //= common
                code = _mix(code, rows[e] * 1000003 + values[e])
            factor[j] = common
            slot = _place(table, lead, code, j, first, rows, values)
            if table[slot] < 0:
                table[slot] = found
                lead[found] = j
                found += 1
            group[j] = table[slot]
    return group, factor, cut(lead, found)


@njit(**INNER)
def _gains(
    steps: Ints, group: Ints, factor: Ints, groups: int, begin: Ints, width: Ints
) -> tuple[Ints, Ints]:
    """The summed gains of merged n-grams, one step for each `factor` occurrences."""
    first = zeros(groups + 1)
    for j in range(len(group)):
        if group[j] >= 0:
            first[group[j] + 1] = larger(first[group[j] + 1], (width[j] + factor[j] - 1) // factor[j])
    for k in range(groups):
        first[k + 1] += first[k]
    sums = zeros(first[groups])
    for j in range(len(group)):
        if group[j] >= 0:
            for d in range(width[j]):
                sums[first[group[j]] + d // factor[j]] += steps[begin[j] + d]
    return first, sums


@njit(**OUTER)
def compact(c: Cover, low: Ints, high: Ints, u: Floats) -> tuple[Cover, Floats, Ints]:
    """The problem that is left when class `i` takes between `low[i]` and `high[i]` further copies.

    Equal classes merge, n-grams with proportional columns merge (their multipliers `u` add up), what can no
    longer interact becomes a constant of its class. `low` must fit into the room. Gives also each class's
    fate: its new number; `DROPPED`; or, for one that is decided with `x > 0` copies, `-1 - x`.
    """
    items, starts, first, steps = c.items, c.starts, c.first, c.steps
    n, m = items.shape[1], len(first) - 1
    base, room = c.base, c.room
    span, own = zeros(n), cut(items[OWN], n)
    for i in range(n):
        base += low[i] * own[i]
        room -= low[i] * items[LENGTH, i]
    for i in range(n):
        span[i] = high[i] - low[i]
        if items[LENGTH, i] > 0:
            span[i] = lesser(span[i], room // items[LENGTH, i])
    covered, begin, width = _fold(items, starts, c.grams, c.counts, first, steps, low, span, own)
    ends = zeros(n + 1)
    grams, counts = zeros(len(c.grams)), zeros(len(c.grams))
    at = 0
    for i in range(n):
        if span[i] > 0:
            for e in range(starts[i], starts[i + 1]):
                j = c.grams[e]
                if width[j] > 0:
                    grams[at], counts[at] = j, lesser(c.counts[e], width[j])
                    at += 1
        ends[i + 1] = at
    # the row of a class begins with its length and own gain, so that equal rows are equal classes
    rows, keys, values = zeros(n + 1), zeros(at + n), zeros(at + n)
    table, leader, fate = _table(n), zeros(n), filled(n, DROPPED)
    at, found = 0, 0
    for i in range(n):
        if span[i] > 0:
            keys[at], values[at] = items[LENGTH, i], own[i]
            code = _mix(_mix(17, keys[at]), values[at])
            at += 1
            for e in range(ends[i], ends[i + 1]):
                keys[at], values[at] = grams[e], counts[e]
                code = _mix(code, keys[at] * 1000003 + values[at])
                at += 1
        elif items[LEAST, i] + low[i] > 0:
            fate[i] = -1 - items[LEAST, i] - low[i]
        rows[i + 1] = at
        if span[i] > 0:
            # a class whose range was cut by branching stays alone: its copies are not free to move
            uncut = span[i] == items[SIZE, i]
            if items[LENGTH, i] > 0 and span[i] == room // items[LENGTH, i]:
                uncut = True
            fresh = True
            if uncut and items[LEAST, i] + low[i] == 0:
                slot = _place(table, leader, code, i, rows, keys, values)
                fresh = table[slot] < 0
                if fresh:
                    table[slot] = found
                else:
                    fate[i] = table[slot]
            if fresh:
                fate[i], leader[found] = found, i
                found += 1
    leader = cut(leader, found)
    group, factor, lead = _columns(m, leader, ends, grams, counts)
    new_first, sums = _gains(steps, group, factor, len(lead), begin, width)
    new, new_starts = grid(5, found), zeros(found + 1)
    for i in range(n):
        if fate[i] >= 0:
            new[SIZE, fate[i]] += items[SIZE, i]
            new[MORE, fate[i]] += span[i]
    at = 0
    for k in range(found):
        i = leader[k]
        new[LENGTH, k], new[OWN, k], new[LEAST, k] = items[LENGTH, i], own[i], items[LEAST, i] + low[i]
        if new[LENGTH, k] > 0:
            new[MORE, k] = lesser(new[MORE, k], room // new[LENGTH, k])
        for e in range(ends[i], ends[i + 1]):
            j = grams[e]
            if lead[group[j]] == j:
                grams[at], counts[at] = group[j], counts[e] // factor[j]
                at += 1
        new_starts[k + 1] = at
    price = reals(len(lead))
    for j in range(m):
        if group[j] >= 0:
            price[group[j]] += u[j] * factor[j]
    return (
        Cover(base + covered, room, new, new_starts, cut(grams, at), cut(counts, at), new_first, sums),
        price,
        fate,
    )
