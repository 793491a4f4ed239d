"""Depth first over the classes that are left, equal states merged into a decision diagram."""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from topline.search.kernels.arrays import INNER, OUTER, Ints, larger, lesser
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
DONE, OUT_OF_NODES, BETTER, SHORT = range(4)
"""How a descent stops; `BETTER`: a set is worth more than the goal all sets of which were sought; `SHORT`:
the diagram or the memo needs longer arrays."""
FREE = -(1 << 62)
"""The need of a state in which every choice that fits is good."""
PROBES = 64
"""Places in the memo that are tried before an older state gives way. States that differ in need or room alone
stand together, and where optima have room to spare there are many of them: with 8 places they drove each
other out, and such searches took ten times as many nodes."""

VALUE, TOP, ROOM, LONGEST, UPTO, WAYS, TURN, ARCS, ASKED = range(9)
"""Rows of a level: the value so far, the bound without knapsack, the room; of its completions the longest
and the room up to which they stay the same; surviving choices, those tried, those that led somewhere; whether
the memo is asked."""
AT, NEED, MOST, LEAST_ROOM, ANSWER, WORDS = range(6)
"""Columns of the memo: position + 1, what is still needed, the rooms between which it holds, the node."""


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
    arc_copies: Ints
    """The arcs that a level's choices became."""
    arc_child: Ints
    memo: Ints
    fresh: Ints
    """A row for the memo."""
    take: Ints
    """The copies at each position of the best set seen (`ONE`)."""
    place: Ints
    """The class that node `v` decides. Node 0 stands for no completion, node 1 for the empty one."""
    arcs: Ints
    """Node `v` has arcs `arcs[v]:arcs[v + 1]`."""
    copies: Ints
    child: Ints


T, ENTERING, RESULT, GOAL, BEST, NODES, FILLED, MADE, DRAWN, GROWS = range(10)
"""Single numbers: the position, whether it is new, the node last made; what is needed, the best value seen,
nodes visited; rows of the memo in use, nodes and arcs of the diagram, whether the memo may grow."""


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


@njit(**OUTER)
def move(old: Ints, memo: Ints) -> int:
    """Put the rows of a memo into another one; how many places they take."""
    filled = 0
    for s in range(len(old)):
        if old[s, AT] > 0:
            filled += _keep(memo, old[s])
    return filled


@njit(**OUTER)
def descend(plan: Plan, work: Work, scale: int, upper: int, mode: int, budget: int) -> int:
    """Find one best set worth the goal or more, or all sets worth the goal, or all worth it or more.

    Nothing is worth more than `upper`: a set worth as much ends it. Says how it stopped; after `budget`
    nodes, or where arrays have become too short, it can go on.
    """
    n = plan.spot.shape[1] - 1
    spot, entry, starts, gram, cell, worth = (
        plan.spot,
        plan.entry,
        plan.starts,
        plan.gram,
        plan.cell,
        plan.worth,
    )
    table, whole_room, unit, words, density = plan.table, plan.room, plan.unit, plan.words, plan.density
    now, have, level, key, memo, fresh = work.now, work.have, work.level, work.key, work.memo, work.fresh
    pick, pick_top, pick_value = work.pick, work.pick_top, work.pick_value
    arc_copies, arc_child = work.arc_copies, work.arc_child
    place, arcs, copies, child = work.place, work.arcs, work.copies, work.child
    t, entering, result = now[T], now[ENTERING], now[RESULT]
    goal, best, nodes, made, drawn = now[GOAL], now[BEST], now[NODES], now[MADE], now[DRAWN]
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
                            work.take[s] = pick[s, level[TURN, s] - 1]
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
                    worthy = value + k * spot[GAIN, t]
                    high = level[TOP, t] + k * spot[GAIN, t]
                    if not free:
                        for e in range(starts[t], starts[t + 1]):
                            j = entry[GRAM, e]
                            cap, o = gram[CAP, j], gram[OFFSET, j]
                            x = lesser(have[j], cap)
                            y = lesser(have[j] + k * entry[HOLDS, e], cap)
                            worthy += worth[o + y] - worth[o + x]
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
                    pick[t, ways], pick_top[t, ways], pick_value[t, ways] = k, high, worthy
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
            entering = 1
            continue
        else:
            # all choices seen: the node of this state
            if made + 1 >= len(place) or drawn + level[ARCS, t] > len(copies):
                status = SHORT
                break
            if 2 * now[FILLED] > len(memo) and now[GROWS] > 0:
                status = SHORT
                break
            result = 0
            if level[ARCS, t] == 1 and arc_copies[t, 0] == 0 and spot[BEGUN, t] == 0:
                result = arc_child[t, 0]
            elif level[ARCS, t] > 0:
                place[made], arcs[made] = spot[KIND, t], drawn
                for a in range(level[ARCS, t]):
                    copies[drawn], child[drawn] = arc_copies[t, a], arc_child[t, a]
                    drawn += 1
                result = made
                made += 1
            if level[ASKED, t] > 0:
                fresh[AT], fresh[NEED], fresh[ANSWER] = t + 1, goal - level[VALUE, t], result
                fresh[LEAST_ROOM], fresh[MOST] = level[LONGEST, t], level[UPTO, t]
                if mode != ONE and level[VALUE, t] - spot[FALL, t] >= goal:
                    fresh[NEED] = FREE
                for w in range(words):
                    fresh[WORDS + w] = key[t, w]
                now[FILLED] += _keep(memo, fresh)
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
    now[T], now[ENTERING], now[RESULT] = t, entering, result
    now[GOAL], now[BEST], now[NODES], now[MADE], now[DRAWN] = goal, best, nodes, made, drawn
    return status
