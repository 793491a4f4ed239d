"""Depth first over the classes that are left, equal states merged into a decision diagram."""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from topline.search.kernels.arrays import INNER, OUTER, Ints, cut, grid, larger, lesser, reals, zeros
from topline.search.kernels.cover import LEAST, LENGTH, MORE, OWN, Cover

ONE, ALL, AT_LEAST = range(3)
"""What is sought: one best set; all sets worth the target exactly; all worth it or more."""
DONE, OUT_OF_NODES, BETTER, OUT_OF_MEMORY = range(4)
"""How a descent ends; `BETTER`: a set is worth more than the target all sets of which were sought."""
FREE = -(1 << 62)
"""The need of a state in which every choice that fits is good."""
PROBES = 8
"""Places in the memo that are tried before an older state gives way."""

KIND, SPAN, GAIN, COPIES, BEGUN, FALL, SLACK = range(7)
"""Rows of a position: its class, length, own gain, copies, and those already decided; what own gains below 0 from here on can take
away; what reduced costs above 0 can add."""
GRAM, HOLDS, BEFORE, AFTER = range(4)
"""Rows of an entry: n-gram, count, and the n-gram's row of cells while its class is open and once it is
decided (as many occurrences left as later classes supply)."""
CAP, WORD, OFFSET, STOP = range(4)
"""Rows of an n-gram: the count at which it saturates, the word of the key it lives in, where its values
start, and the count up to which its gains exceed its multiplier."""
BOUND, KEY = range(2)
"""Rows of a cell (n-gram, supply left, count): its most worth, multipliers paid; its share of a key."""
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


@njit(**OUTER)
def descend(
    base: int, plan: Plan, scale: int, target: int, upper: int, mode: int, budget: int, memory: int
) -> Found:
    """Find one best set worth `target` or more, or all sets worth `target`, or all worth it or more.

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
    nodes, status, t, result = 0, DONE, 0, 0
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
    return Found(
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
