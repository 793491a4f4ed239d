"""All sets layer by layer: every state that sets can come to, position after position, each of them once."""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from topline.search.kernels.arrays import INNER, OUTER, Ints, lesser
from topline.search.kernels.layout import (
    AFTER,
    BEFORE,
    BOUND,
    CAP,
    COPIES,
    FALL,
    GAIN,
    GRAM,
    HOLDS,
    KEY,
    MASK,
    OFFSET,
    SHIFT,
    SLACK,
    SPAN,
    WORD,
    Plan,
)

DONE, OUT_OF_NODES, SHORT = range(3)
"""How it stops; `SHORT`: states, arcs or the table need longer arrays."""
FREE = 1 << 61
"""The value of a state from which every choice that fits is good."""

VALUE, TOP = range(2)
"""Rows of a state: the value so far, the bound without knapsack."""
T, TURN, COUNT, MADE, DRAWN, NODES, ENTER = range(7)
"""Single numbers: the position, the state there whose turn it is, how many there are; states and arcs made;
states gone through; whether the table has lost the states of the next position."""


class Work(NamedTuple):
    """Where the layers stand: they can stop and go on.

    A state is what sets come to: the same value, the same n-grams covered as far as later classes can tell.
    The room is no part of it: a state knows the most room that a set leaves.
    """

    now: Ints
    """Single numbers, named above."""
    key: Ints
    """The keys of the states of a position and of the next one: by turns `key[0]` and `key[1]`."""
    rows: Ints
    """Their rows, the same way."""
    first: Ints
    """The number of each position's first state."""
    room: Ints
    """The most room left in state `v`."""
    arcs: Ints
    """State `v` has arcs `arcs[v]:arcs[v + 1]`."""
    copies: Ints
    child: Ints
    table: Ints
    """The number of a state of the next position, found by key and value; lower numbers are of the past."""


@njit(**INNER)
def _find(key: Ints, rows: Ints, side: int, i: int, begin: int, table: Ints) -> int:
    """The slot of a state that equals the `i`-th one of a side, or the empty slot where it belongs."""
    code = rows[side, VALUE, i] * -7046029254386353131
    for w in range(key.shape[2]):
        code = (code ^ key[side, i, w]) * -4658895280553007687
        code ^= (code >> 31) & 0x1FFFFFFFF
    code *= -7723592293110705685
    slot = (code >> 20) & (len(table) - 1)
    while table[slot] >= begin:
        other = table[slot] - begin
        equal = rows[side, VALUE, other] == rows[side, VALUE, i]
        for w in range(key.shape[2]):
            if key[side, other, w] != key[side, i, w]:
                equal = False
        if equal:
            break
        slot = (slot + 1) & (len(table) - 1)
    return slot


@njit(**OUTER)
def advance(plan: Plan, work: Work, goal: int, budget: int, until: int) -> int:
    """Make the states up to position `until` of all sets worth the goal or more; says how it stopped.

    After `budget` states, or where arrays have become too short, it can go on.
    """
    spot, entry, starts, gram = plan.spot, plan.entry, plan.starts, plan.gram
    cell, worth, knapsack = plan.cell, plan.worth, plan.table
    now, key, rows, room, table = work.now, work.key, work.rows, work.room, work.table
    arcs, copies, child = work.arcs, work.copies, work.child
    t, turn, count, made, drawn = now[T], now[TURN], now[COUNT], now[MADE], now[DRAWN]
    budget += now[NODES]
    status = DONE
    while t < until:
        first, side = work.first[t], t & 1
        begin, most, span = first + count, spot[COPIES, t], spot[SPAN, t]
        for i in range((made - begin) * now[ENTER]):
            table[_find(key, rows, 1 - side, i, begin, table)] = begin + i
        now[ENTER] = 0
        while turn < count:
            i = made - begin
            if now[NODES] >= budget:
                status = OUT_OF_NODES
                break
            if made + most + 1 >= len(room) or drawn + most >= len(child):
                status = SHORT
                break
            if i + most >= key.shape[1] or 2 * (i + most) >= len(table):
                status = SHORT
                break
            v = first + turn
            arcs[v] = drawn
            for k in range(most + 1):
                left = room[v] - k * span
                if left < 0:
                    break
                i = made - begin
                for w in range(plan.words):
                    key[1 - side, i, w] = key[side, turn, w]
                value, top = rows[side, VALUE, turn], rows[side, TOP, turn]
                if value < FREE:
                    value += k * spot[GAIN, t]
                    top += k * spot[GAIN, t]
                    for e in range(starts[t], starts[t + 1]):
                        j = entry[GRAM, e]
                        before, after = entry[BEFORE, e], entry[AFTER, e]
                        x = (key[side, turn, gram[WORD, j]] >> gram[SHIFT, j]) & gram[MASK, j]
                        y = lesser(x + k * entry[HOLDS, e], gram[CAP, j])
                        value += worth[gram[OFFSET, j] + y] - worth[gram[OFFSET, j] + x]
                        top += cell[BOUND, after + y] - cell[BOUND, before + x]
                        key[1 - side, i, gram[WORD, j]] += cell[KEY, after + y] - cell[KEY, before + x]
                    rest = knapsack[t + 1, left // plan.unit]
                    if plan.unit > 1 and spot[SLACK, t + 1] + plan.density * left < rest:
                        rest = spot[SLACK, t + 1] + plan.density * left
                    if top + rest < goal:
                        continue
                    if value - spot[FALL, t + 1] >= goal:
                        value = top = FREE
                        for w in range(plan.words):
                            key[1 - side, i, w] = 0
                rows[1 - side, VALUE, i], rows[1 - side, TOP, i] = value, top
                slot = _find(key, rows, 1 - side, i, begin, table)
                if table[slot] < begin:
                    table[slot], room[made] = made, left
                    made += 1
                elif room[table[slot]] < left:
                    room[table[slot]] = left
                copies[drawn], child[drawn] = k, table[slot]
                drawn += 1
            turn += 1
            now[NODES] += 1
        if turn < count:
            break
        t, turn, count = t + 1, 0, made - begin
        work.first[t] = begin
    now[T], now[TURN], now[COUNT], now[MADE], now[DRAWN] = t, turn, count, made, drawn
    return status
