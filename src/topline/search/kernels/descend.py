"""Depth first over the classes that are left, equal states merged into a decision diagram."""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from topline.search.kernels.arrays import INNER, OUTER, Ints, cut, grid, larger, lesser, zeros
from topline.search.kernels.layout import (
    AFTER,
    BEFORE,
    BEGUN,
    BOUND,
    CAP,
    COPIES,
    FALL,
    GAIN,
    GRAM,
    HOLDS,
    KEY,
    KIND,
    OFFSET,
    SLACK,
    SPAN,
    WORD,
    Plan,
)

ONE, ALL, AT_LEAST = range(3)
"""What is sought: one best set; all sets worth the target exactly; all worth it or more."""
DONE, OUT_OF_NODES, BETTER, OUT_OF_MEMORY = range(4)
"""How a descent ends; `BETTER`: a set is worth more than the target all sets of which were sought."""
FREE = -(1 << 62)
"""The need of a state in which every choice that fits is good."""
PROBES = 8
"""Places in the memo that are tried before an older state gives way."""

VALUE, TOP, ROOM, LONGEST, UPTO, WAYS, TURN, ARCS, ASKED = range(9)
"""Rows of a level: the value so far, the bound without knapsack, the room; of its completions the longest
and the room up to which they stay the same; surviving choices, those tried, those that led somewhere; whether
the memo is asked."""
AT, NEED, MOST, LEAST_ROOM, ANSWER, WORDS = range(6)
"""Columns of the memo: position + 1, what is still needed, the rooms between which it holds, the node."""


class Found(NamedTuple):
    """What a descent found. Node 0 stands for no completion, node 1 for the empty one."""

    status: int
    nodes: int
    value: int
    """The best value seen (`ONE`, `BETTER`)."""
    take: Ints
    """The copies of each class that reach it (`ONE`)."""
    root: int
    place: Ints
    """The class that node `v` decides."""
    arcs: Ints
    """Node `v` has arcs `arcs[v]:arcs[v + 1]`."""
    copies: Ints
    child: Ints


@njit(**INNER)
def _slot(t: int, need: int, key: Ints, slots: int) -> int:
    code = (t + 1) * -7046029254386353131
    if need != FREE:
        for w in range(len(key)):
            code = (code ^ key[w]) * -4658895280553007687
            code ^= (code >> 31) & 0x1FFFFFFFF
    code *= -7723592293110705685
    return (code >> 20) & (slots - 1)


@njit(**INNER)
def _seek(memo: Ints, t: int, need: int, room: int, key: Ints) -> int:
    """The row of the memo that answers this state, or -1; keys are compared in full.

    An empty answer serves any larger need and smaller room; another one the same need, in the rooms between
    its longest completion and the room in which the first further one would fit.
    """
    slot = _slot(t, need, key, len(memo))
    for _ in range(PROBES):
        if memo[slot, AT] == 0:
            return -1
        if memo[slot, AT] == t + 1 and room <= memo[slot, MOST]:
            known = memo[slot, NEED]
            hit = need == known and room >= memo[slot, LEAST_ROOM]
            if memo[slot, ANSWER] == 0:
                hit = known <= need and (known == FREE) == (need == FREE)
            if hit and need != FREE:
                for w in range(len(key)):
                    if memo[slot, WORDS + w] != key[w]:
                        hit = False
            if hit:
                return slot
        slot = (slot + 1) & (len(memo) - 1)
    return -1


@njit(**INNER)
def _keep(memo: Ints, row: Ints) -> int:
    """Put a row into the memo, over another one if its places are taken; 1 if it fills an empty one."""
    home = _slot(row[AT] - 1, row[NEED], row[WORDS:], len(memo))
    slot, empty = home, 0
    for _ in range(PROBES):
        if memo[slot, AT] == 0:
            empty = 1
            break
        slot = (slot + 1) & (len(memo) - 1)
    if not empty:
        slot = home
    for w in range(len(row)):
        memo[slot, w] = row[w]
    return empty


@njit(**INNER)
def _longer(old: Ints) -> Ints:
    new = zeros(2 * len(old))
    for i in range(len(old)):
        new[i] = old[i]
    return new


@njit(**OUTER)
def descend(
    base: int, plan: Plan, scale: int, target: int, upper: int, mode: int, budget: int, memory: int
) -> tuple[int, int, int, Ints, int, Ints, Ints, Ints, Ints]:
    """Find one best set worth `target` or more, or all sets worth `target`, or all worth it or more.

    Gives the fields of `Found` as a plain tuple: to make a named one, numba would call back into Python,
    where Ctrl-C may arrive, which it does not survive.
    `base` is the value of what is decided. Nothing is worth more than `upper`: a set worth as much ends it.
    """
    n, goal, most = plan.spot.shape[1] - 1, target * scale, 1
    spot, entry, starts, gram, cell, worth = (
        plan.spot,
        plan.entry,
        plan.starts,
        plan.gram,
        plan.cell,
        plan.worth,
    )
    table, whole_room, unit, words, density = plan.table, plan.room, plan.unit, plan.words, plan.density
    for t in range(n):
        most = larger(most, spot[COPIES, t])
    have = zeros(gram.shape[1])
    level, key = grid(9, n + 1), grid(n + 1, words)
    # a level's surviving choices: copies, value and bound with them; and the arcs they became
    pick, pick_top, pick_value = grid(n + 1, most + 1), grid(n + 1, most + 1), grid(n + 1, most + 1)
    arc_copies, arc_child = grid(n + 1, most + 1), grid(n + 1, most + 1)
    memo, filled, fresh = grid(1 << 7, WORDS + words), 0, zeros(WORDS + words)
    place, arcs = zeros(64), zeros(64)
    copies, child = zeros(64), zeros(64)
    made, drawn = 2, 0
    take, best = zeros(n), target - 1
    level[VALUE, 0], level[TOP, 0], level[ROOM, 0] = base * scale, plan.root + base * scale, whole_room
    # a typed start: from a literal numba would compile `_seek` twice
    t = zeros(1)[0]
    nodes, status, result = 0, DONE, 0
    entering = True
    while t >= 0:
        if entering:
            entering = False
            nodes += 1
            value, room = level[VALUE, t], level[ROOM, t]
            if nodes > budget:
                status = OUT_OF_NODES
                break
            if mode == ALL and value > goal:
                status, best = BETTER, value // scale
                break
            level[UPTO, t], level[LONGEST, t], level[ARCS, t] = whole_room, 0, 0
            if t == n:
                if value >= goal:
                    result = 1
                    if mode == ONE:
                        best = value // scale
                        goal = (best + 1) * scale
                        for s in range(n):
                            take[spot[KIND, s]] = pick[s, level[TURN, s] - 1]
                        if best >= upper:
                            break
                else:
                    result = 0
            else:
                # the choices that survive the bound
                free = mode != ONE and value - spot[FALL, t] >= goal
                ways, size = 0, spot[SPAN, t]
                for k in range(spot[COPIES, t] + 1):
                    left = room - k * size
                    if left < 0:
                        level[UPTO, t] = lesser(level[UPTO, t], k * size - 1)
                        break
                    now = value + k * spot[GAIN, t]
                    high = level[TOP, t] + k * spot[GAIN, t]
                    if not free:
                        for e in range(starts[t], starts[t + 1]):
                            j = entry[GRAM, e]
                            cap, o = gram[CAP, j], gram[OFFSET, j]
                            x = lesser(have[j], cap)
                            y = lesser(have[j] + k * entry[HOLDS, e], cap)
                            now += worth[o + y] - worth[o + x]
                            high += cell[BOUND, entry[AFTER, e] + y] - cell[BOUND, entry[BEFORE, e] + x]
                        rest = table[t + 1, left // unit]
                        if unit > 1:
                            rest = lesser(rest, spot[SLACK, t + 1] + density * left)
                        if high + rest < goal:
                            # how much more room would still not be enough
                            lo, hi = left, left + 1
                            if unit == 1:
                                hi = whole_room + 1
                                while hi - lo > 1:
                                    middle = (lo + hi) // 2
                                    if high + table[t + 1, middle] < goal:
                                        lo = middle
                                    else:
                                        hi = middle
                            level[UPTO, t] = lesser(level[UPTO, t], lo + k * size)
                            continue
                    pick[t, ways], pick_top[t, ways], pick_value[t, ways] = k, high, now
                    ways += 1
                level[WAYS, t], level[TURN, t] = ways, 0
                result = -1
                if ways == 0:
                    result = 0
                else:
                    asks = 1 if ways > 1 else 0
                    level[ASKED, t] = asks
                    if mode == ONE and ways > 1:
                        # the more promising end of the range first
                        a, b = pick[t, 0], pick[t, ways - 1]
                        up = pick_top[t, ways - 1] + table[t + 1, (room - b * size) // unit]
                        if up > pick_top[t, 0] + table[t + 1, (room - a * size) // unit]:
                            for a in range(ways // 2):
                                b = ways - 1 - a
                                pick[t, a], pick[t, b] = pick[t, b], pick[t, a]
                                pick_top[t, a], pick_top[t, b] = pick_top[t, b], pick_top[t, a]
                                pick_value[t, a], pick_value[t, b] = pick_value[t, b], pick_value[t, a]
                    slot = -1
                    if asks:
                        slot = _seek(memo, t, FREE if free else goal - value, room, key[t])
                    if slot >= 0:
                        result = memo[slot, ANSWER]
                        level[LONGEST, t], level[UPTO, t] = memo[slot, LEAST_ROOM], memo[slot, MOST]
            if result < 0:
                continue
        elif level[TURN, t] < level[WAYS, t]:
            a = level[TURN, t]
            level[TURN, t] = a + 1
            k, high = pick[t, a], pick_top[t, a]
            left = level[ROOM, t] - k * spot[SPAN, t]
            if mode == ONE and a > 0:
                # the goal may have risen since
                rest = table[t + 1, left // unit]
                if high + rest < goal:
                    level[UPTO, t] = lesser(level[UPTO, t], level[ROOM, t])
                    continue
            for w in range(words):
                key[t + 1, w] = key[t, w]
            for e in range(starts[t], starts[t + 1]):
                j = entry[GRAM, e]
                x = lesser(have[j], gram[CAP, j])
                have[j] += k * entry[HOLDS, e]
                y = lesser(have[j], gram[CAP, j])
                key[t + 1, gram[WORD, j]] += cell[KEY, entry[AFTER, e] + y] - cell[KEY, entry[BEFORE, e] + x]
            t += 1
            level[VALUE, t], level[TOP, t], level[ROOM, t] = pick_value[t - 1, a], high, left
            entering = True
            continue
        else:
            # all choices seen: the node of this state
            result = 0
            if level[ARCS, t] > 0:
                if level[ARCS, t] == 1 and arc_copies[t, 0] == 0 and spot[BEGUN, t] == 0:
                    result = arc_child[t, 0]
                else:
                    if 32 * (len(place) + len(copies)) + 8 * memo.size > memory:
                        status = OUT_OF_MEMORY
                        break
                    if made + 1 >= len(place):
                        place, arcs = _longer(place), _longer(arcs)
                    while drawn + level[ARCS, t] > len(copies):
                        copies, child = _longer(copies), _longer(child)
                    place[made], arcs[made] = spot[KIND, t], drawn
                    for a in range(level[ARCS, t]):
                        copies[drawn], child[drawn] = arc_copies[t, a], arc_child[t, a]
                        drawn += 1
                    result = made
                    made += 1
            if level[ASKED, t] > 0:
                if 2 * filled > len(memo) and 24 * memo.size < memory:
                    old = memo
                    memo, filled = grid(2 * len(old), WORDS + words), 0
                    for s in range(len(old)):
                        if old[s, AT] > 0:
                            filled += _keep(memo, old[s])
                fresh[AT], fresh[NEED], fresh[ANSWER] = t + 1, goal - level[VALUE, t], result
                fresh[LEAST_ROOM], fresh[MOST] = level[LONGEST, t], level[UPTO, t]
                if mode != ONE and level[VALUE, t] - spot[FALL, t] >= goal:
                    fresh[NEED] = FREE
                for w in range(words):
                    fresh[WORDS + w] = key[t, w]
                filled += _keep(memo, fresh)
        # back to the position before, with `result`
        t -= 1
        if t >= 0:
            k = pick[t, level[TURN, t] - 1]
            if k > 0:
                for e in range(starts[t], starts[t + 1]):
                    have[entry[GRAM, e]] -= k * entry[HOLDS, e]
            level[UPTO, t] = lesser(level[UPTO, t], level[UPTO, t + 1] + k * spot[SPAN, t])
            if result > 0 and mode != ONE:
                arc_copies[t, level[ARCS, t]], arc_child[t, level[ARCS, t]] = k, result
                level[ARCS, t] += 1
                level[LONGEST, t] = larger(level[LONGEST, t], level[LONGEST, t + 1] + k * spot[SPAN, t])
    arcs[made] = drawn
    return (
        status,
        nodes,
        best,
        take,
        result,
        cut(place, made),
        cut(arcs, made + 1),
        cut(copies, drawn),
        cut(child, drawn),
    )
