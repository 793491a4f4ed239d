"""Depth first over the classes that are left, for one best set; what led nowhere is remembered."""

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
    GAIN,
    GRAM,
    HOLDS,
    KEY,
    OFFSET,
    SLACK,
    SPAN,
    WORD,
    Plan,
)

DONE, OUT_OF_NODES, SHORT = range(3)
"""How a descent stops; `SHORT`: the memo needs a longer array."""
PROBES = 64
"""Places in the memo that are tried before an older state gives way. States that differ in need or room alone
stand together; with few places they would drive each other out."""

VALUE, TOP, ROOM, WAYS, TURN, DOWN = range(6)
"""Rows of a level: the value so far, the bound without knapsack, the room; surviving choices, those tried,
and whether the last of them are tried first."""
AT, NEED, MOST, WORDS = range(4)
"""Columns of the memo: position + 1, what is still needed, the room in which that cannot be had."""


class Work(NamedTuple):
    """Where a descent stands: it can stop and go on."""

    now: Ints
    """Single numbers, named below."""
    have: Ints
    """Occurrences of each n-gram so far."""
    level: Ints
    key: Ints
    pick: Ints
    """A level's surviving choices: copies; and, below, the bound and the value with them."""
    pick_top: Ints
    pick_value: Ints
    memo: Ints
    take: Ints
    """The copies at each position so far."""
    best: Ints
    """Those of the best set seen."""


T, ENTERING, GOAL, BEST, NODES, FILLED, GROWS = range(7)
"""Single numbers: the position, whether it is new; what is needed, the best value seen, nodes visited; rows
of the memo in use, whether it may grow."""


@njit(**INNER)
def _slot(memo: Ints, t: int, key: Ints, row: int) -> int:
    """The first place of a state: by its position and its key, row `row` of `key`, from column `WORDS` on."""
    code = (t + 1) * -7046029254386353131
    for w in range(WORDS, key.shape[1]):
        code = (code ^ key[row, w]) * -4658895280553007687
        code ^= (code >> 31) & 0x1FFFFFFFF
    code *= -7723592293110705685
    return (code >> 20) & (len(memo) - 1)


@njit(**INNER)
def _known(memo: Ints, t: int, need: int, room: int, key: Ints) -> int:
    """The row of the memo that says that this state cannot have what it needs, or -1.

    Keys are compared in full. What cannot be had cannot be had with a larger need or a smaller room.
    """
    slot = _slot(memo, t, key, t)
    for _ in range(PROBES):
        if memo[slot, AT] == 0:
            return -1
        if memo[slot, AT] == t + 1 and room <= memo[slot, MOST] and memo[slot, NEED] <= need:
            hit = True
            for w in range(WORDS, key.shape[1]):
                if memo[slot, w] != key[t, w]:
                    hit = False
            if hit:
                return slot
        slot = (slot + 1) & (len(memo) - 1)
    return -1


@njit(**INNER)
def _keep(memo: Ints, rows: Ints, i: int) -> int:
    """Put row `i` into the memo, over another one if its places are taken; 1 if it fills an empty one."""
    home = _slot(memo, rows[i, AT] - 1, rows, i)
    slot, empty = home, 0
    for _ in range(PROBES):
        if memo[slot, AT] == 0:
            empty = 1
            break
        slot = (slot + 1) & (len(memo) - 1)
    if not empty:
        slot = home
    for w in range(rows.shape[1]):
        memo[slot, w] = rows[i, w]
    return empty


@njit(**OUTER)
def move(old: Ints, memo: Ints) -> int:
    """Put the rows of a memo into another one; how many places they take."""
    filled = 0
    for i in range(len(old)):
        if old[i, AT] > 0:
            filled += _keep(memo, old, i)
    return filled


@njit(**OUTER)
def descend(plan: Plan, work: Work, scale: int, upper: int, budget: int) -> int:
    """Find one best set worth the goal or more; the goal rises with every better one.

    Nothing is worth more than `upper`: a set worth as much ends it. Says how it stopped; after `budget`
    nodes, or where the memo has become too short, it can go on.
    """
    n = plan.spot.shape[1] - 1
    spot, entry, starts, gram = plan.spot, plan.entry, plan.starts, plan.gram
    cell, worth, table, unit = plan.cell, plan.worth, plan.table, plan.unit
    now, have, level, key, memo = work.now, work.have, work.level, work.key, work.memo
    pick, pick_top, pick_value, take = work.pick, work.pick_top, work.pick_value, work.take
    t, entering, goal, nodes = now[T], now[ENTERING], now[GOAL], now[NODES]
    budget += nodes
    status = DONE
    while t >= 0:
        if entering > 0:
            if nodes >= budget:
                status = OUT_OF_NODES
                break
            entering = 0
            nodes += 1
            value, room = level[VALUE, t], level[ROOM, t]
            level[WAYS, t], level[TURN, t], level[DOWN, t] = 0, 0, 0
            if t == n:
                if value >= goal:
                    now[BEST] = value // scale
                    goal = (now[BEST] + 1) * scale
                    for s in range(n):
                        work.best[s] = take[s]
                    if now[BEST] >= upper:
                        break
            else:
                # the choices that survive the bound
                ways, size = 0, spot[SPAN, t]
                for k in range(spot[COPIES, t] + 1):
                    left = room - k * size
                    if left < 0:
                        break
                    worthy = value + k * spot[GAIN, t]
                    high = level[TOP, t] + k * spot[GAIN, t]
                    for e in range(starts[t], starts[t + 1]):
                        j = entry[GRAM, e]
                        x = have[j]
                        y = x + k * entry[HOLDS, e]
                        x = lesser(x, gram[CAP, j])
                        y = lesser(y, gram[CAP, j])
                        worthy += worth[gram[OFFSET, j] + y] - worth[gram[OFFSET, j] + x]
                        high += cell[BOUND, entry[AFTER, e] + y] - cell[BOUND, entry[BEFORE, e] + x]
                    rest = table[t + 1, left // unit]
                    if unit > 1 and spot[SLACK, t + 1] + plan.density * left < rest:
                        rest = spot[SLACK, t + 1] + plan.density * left
                    if high + rest < goal:
                        continue
                    pick[t, ways], pick_top[t, ways], pick_value[t, ways] = k, high, worthy
                    ways += 1
                level[WAYS, t] = ways
                if ways > 1:
                    b = ways - 1
                    first = pick_top[t, 0] + table[t + 1, (room - pick[t, 0] * size) // unit]
                    last = pick_top[t, b] + table[t + 1, (room - pick[t, b] * size) // unit]
                    if _known(memo, t, goal - value, room, key) >= 0:
                        level[WAYS, t] = 0
                    elif last > first:
                        # the more promising end of the range first
                        level[DOWN, t] = 1
        elif level[TURN, t] < level[WAYS, t]:
            a = level[TURN, t]
            level[TURN, t] = a + 1
            if level[DOWN, t] > 0:
                a = level[WAYS, t] - 1 - a
            k, high = pick[t, a], pick_top[t, a]
            left = level[ROOM, t] - k * spot[SPAN, t]
            if level[TURN, t] > 1 and high + table[t + 1, left // unit] < goal:
                continue  # the goal has risen since
            for w in range(WORDS, key.shape[1]):
                key[t + 1, w] = key[t, w]
            for e in range(starts[t], starts[t + 1]):
                j = entry[GRAM, e]
                x = have[j]
                have[j] = y = x + k * entry[HOLDS, e]
                x = lesser(x, gram[CAP, j])
                y = lesser(y, gram[CAP, j])
                word = WORDS + gram[WORD, j]
                key[t + 1, word] += cell[KEY, entry[AFTER, e] + y] - cell[KEY, entry[BEFORE, e] + x]
            t += 1
            level[VALUE, t], level[TOP, t], level[ROOM, t] = pick_value[t - 1, a], high, left
            take[t - 1] = k
            entering = 1
            continue
        elif level[WAYS, t] > 1:
            # all choices seen: what they did not bring, nothing will
            if 2 * now[FILLED] > len(memo) and now[GROWS] > 0:
                status = SHORT
                break
            key[t, AT], key[t, NEED], key[t, MOST] = t + 1, goal - level[VALUE, t], level[ROOM, t]
            now[FILLED] += _keep(memo, key, t)
        # back to the position before, if there is nothing to be tried here
        if t < n and level[TURN, t] < level[WAYS, t]:
            continue
        t -= 1
        if t >= 0:
            k = take[t]
            for e in range(starts[t], starts[t + 1]):
                have[entry[GRAM, e]] -= k * entry[HOLDS, e]
    now[T], now[ENTERING], now[GOAL], now[NODES] = t, entering, goal, nodes
    return status
