"""Compiled search for the extract with the best sum of ratios `sum_p N_p / (T_p + K m_p)`.

With `m` the extract's own n-grams that is F1 (halved), for one metric or a sum; with `own` all zero it
is recall. Values are compared as fractions of whole numbers; floats only bound, rounded outward: their
sums have fewer than 1e5 terms of at most a few units, so an error far below SLACK.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from topline.search.kernels.counts import Array, Counts, change, put

Floats = NDArray[np.float64]
SLACK = 1e-9
MOST_CELLS = 1 << 25
"""Of the tables by depth and sentence: larger searches are left to other methods."""


@njit(cache=True, nogil=True, error_model="numpy")
def _less(a: int, b: int, c: int, d: int) -> int:
    """The sign of c/d - a/b, exactly: as continued fractions, so that nothing can overflow."""
    sign = 1
    while True:
        whole, other = a // b, c // d
        if whole != other:
            return sign if whole < other else -sign
        a -= whole * b
        c -= other * d
        if a == 0 or c == 0:
            if a == c:
                return 0
            return sign if a == 0 else -sign
        a, b, c, d = b, a, d, c
        sign = -sign


@njit(cache=True, nogil=True, error_model="numpy")
def _sum(hits: Array, sizes: Array) -> tuple[int, int]:
    """A sum of fractions over their common denominator."""
    above, below = 0, 1
    for p in range(len(hits)):
        above = above * int(sizes[p]) + int(hits[p]) * below
        below *= int(sizes[p])
    return above, below


@njit(cache=True, nogil=True, error_model="numpy")
def _order(keys: Floats, order: Array, size: int) -> None:
    """Sort numbers by falling key, equal keys by number (Shell's sort; quick where nearly sorted)."""
    gap = 1
    while gap < size // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for at in range(gap, size):
            item = order[at]
            place = at
            while place >= gap:
                other = order[place - gap]
                if keys[other] > keys[item] or (keys[other] == keys[item] and other < item):
                    break
                order[place] = other
                place -= gap
            order[place] = item
        gap //= 3


@njit(cache=True, nogil=True, error_model="numpy")
def _density(score: float, length: int) -> float:
    """Score per length; what costs no room comes first if it is of use."""
    if length > 0:
        return score / length
    return np.inf if score > 0.0 else score


@njit(cache=True, nogil=True, error_model="numpy")
def _rise(numbers: Array) -> None:
    """Sort a few numbers in place."""
    for at in range(1, len(numbers)):
        number = numbers[at]
        place = at
        while place > 0 and numbers[place - 1] > number:
            numbers[place] = numbers[place - 1]
            place -= 1
        numbers[place] = number


@njit(cache=True, nogil=True, error_model="numpy")
def _earlier(chosen: Array, size: int, best: Array, best_size: int) -> bool:
    """Whether an equally good extract is to be preferred: fewer sentences, then smaller numbers."""
    if size != best_size:
        return size < best_size
    ours = chosen[:size].copy()
    _rise(ours)
    for at in range(size):
        if ours[at] != best[at]:
            return bool(ours[at] < best[at])
    return False


@njit(cache=True, nogil=True, error_model="numpy")
def _same(c: Counts, own: Array, i: int, j: int) -> bool:
    """Whether two sentences are copies as far as the problem can tell."""
    size = c.starts[i + 1] - c.starts[i]
    if c.lengths[i] != c.lengths[j] or c.starts[j + 1] - c.starts[j] != size:
        return False
    for p in range(len(own)):
        if own[p, i] != own[p, j]:
            return False
    for e in range(size):
        a, b = c.starts[i] + e, c.starts[j] + e
        if c.grams[a] != c.grams[b] or c.counts[a] != c.counts[b]:
            return False
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def _gains_of(c: Counts, i: int, part_starts: Array, scales: Array, have: Array, out: Array) -> None:
    """What a sentence adds to each part's hits; n-grams rise, so the parts follow one another."""
    for p in range(len(out)):
        out[p] = 0
    p = 0
    for e in range(c.starts[i], c.starts[i + 1]):
        j = c.grams[e]
        while j >= part_starts[p + 1]:
            p += 1
        first = c.gain_starts[j] + have[j]
        for t in range(first, min(first + c.counts[e], c.gain_starts[j + 1])):
            out[p] += c.gains[t]
    for p in range(len(out)):
        if scales[p] != 1:
            out[p] //= scales[p]


@njit(cache=True, nogil=True, error_model="numpy")
def value_of(
    c: Counts, chosen: Array, size: int, part_starts: Array, scales: Array, totals: Array, own: Array
) -> tuple[int, int]:
    """The sum of ratios of an extract as one fraction."""
    out = np.zeros(len(totals), np.int64)
    hits = np.zeros(len(totals), np.int64)
    sizes = totals.copy()
    have = np.zeros(len(c.gain_starts), np.int64)
    for at in range(size):
        i = chosen[at]
        _gains_of(c, i, part_starts, scales, have, out)
        change(c, i, 1, have)
        for p in range(len(totals)):
            hits[p] += out[p]
            sizes[p] += own[p, i]
    return _sum(hits, sizes)


@njit(cache=True, nogil=True, error_model="numpy")
def _ceilings(
    c: Counts,
    budget: int,
    order: Array,
    ranking: Array,
    fitting: int,
    added: Array,
    totals: Array,
    own: Array,
    p: int,
    known: float,
    score: Floats,
    dense: Floats,
) -> tuple[float, float]:
    """The best ratio and the most hits a part alone can have, from above, by fractional knapsacks.

    The ratio is Dinkelbach's iteration on the relaxed problem, where each sentence adds what it would
    add alone; its first step, at ratio 0, gives the hits, the next begins at a ratio known to be reached.
    """
    ceiling = hits = 0.0
    for step in range(200):
        for r in range(fitting):
            at = ranking[r]
            i = order[at]
            score[at] = added[at, p] - ceiling * own[p, i]
            dense[at] = _density(score[at], c.lengths[i])
        _order(dense, ranking, fitting)
        left = float(budget)
        top, bottom = 0.0, float(totals[p])
        for r in range(fitting):
            at = ranking[r]
            size = c.lengths[order[at]]
            if score[at] <= 0.0 or left <= 0.0:
                break
            share = min(1.0, left / size) if size > 0 else 1.0
            top += share * added[at, p]
            bottom += share * own[p, order[at]]
            left -= size
        if step == 0:
            hits = top
            ceiling = max(known, top / bottom)
            continue
        if top / bottom <= ceiling * (1.0 + 1e-12):
            break
        ceiling = top / bottom
    return ceiling * (1.0 + SLACK), min(hits * (1.0 + SLACK), float(totals[p]))


@njit(cache=True, nogil=True, error_model="numpy")
def greedy_ratio(
    c: Counts,
    budget: int,
    part_starts: Array,
    scales: Array,
    totals: Array,
    own: Array,
) -> tuple[int, Array]:
    """Add the sentence that raises the sum of ratios most while one raises it; ties by number.

    Gains only fall: a sentence that would not win with its gain of an earlier round is not looked at.
    """
    n, parts = len(c.lengths), len(totals)
    out = np.zeros(parts, np.int64)
    hits = np.zeros(parts, np.int64)
    sizes = totals.copy()
    new_hits = np.zeros(parts, np.int64)
    new_sizes = np.zeros(parts, np.int64)
    have = np.zeros(len(c.gain_starts), np.int64)
    gains = np.zeros((n, parts), np.int64)
    for i in range(n):
        _gains_of(c, i, part_starts, scales, have, gains[i])
    value = np.empty(n, np.float64)
    taken = np.zeros(n, np.bool_)
    joined = np.empty(n, np.int64)
    size = 0
    room = budget
    above, below = 0, 1
    reached = 0.0
    while size < n:
        promising = -1
        for i in range(n):
            value[i] = -1.0
            if taken[i] or c.lengths[i] > room or c.starts[i + 1] == c.starts[i]:
                continue
            value[i] = 0.0
            for p in range(parts):
                value[i] += (hits[p] + gains[i, p]) / (sizes[p] + own[p, i])
            if promising < 0 or value[i] > value[promising]:
                promising = i
        best = -1
        for turn in range(n + 1):
            # the most promising one first, so that most others need no second look
            i = promising if turn == 0 else turn - 1
            if i < 0 or value[i] < reached - SLACK or (turn > 0 and i == promising):
                continue
            _gains_of(c, i, part_starts, scales, have, gains[i])
            now = 0.0
            for p in range(parts):
                new_hits[p] = hits[p] + gains[i, p]
                new_sizes[p] = sizes[p] + own[p, i]
                now += new_hits[p] / new_sizes[p]
            if now < reached - SLACK:
                continue
            ours, under = _sum(new_hits, new_sizes)
            sign = _less(above, below, ours, under)
            if sign > 0 or (sign == 0 and 0 <= i < best):
                best, above, below, reached = i, ours, under, now
        if best < 0:
            break
        _gains_of(c, best, part_starts, scales, have, out)
        for p in range(parts):
            hits[p] += out[p]
            sizes[p] += own[p, best]
        change(c, best, 1, have)
        taken[best] = True
        joined[size] = best
        size += 1
        room -= c.lengths[best]
    return size, joined


@njit(cache=True, nogil=True, error_model="numpy")
def _bound_followers(
    c: Counts,
    order: Array,
    ranking: Array,
    fitting: int,
    added: Array,
    own: Array,
    room: int,
    hits: Array,
    sizes: Array,
    high: Floats,
    ceiling: Floats,
    score: Floats,
    dense: Floats,
    upper: Floats,
) -> None:
    """For each sentence that may follow: what extracts that go on with it, and later ones, can reach.

    `N/D <= c - (c D - N) / H` where `c` is a ceiling of `N/D` and `H` one of `D`: that is one linear score
    a sentence, and a fractional knapsack of the scores is the bound.
    """
    base = 0.0
    for p in range(len(hits)):
        base += ceiling[p] - (ceiling[p] * sizes[p] - hits[p]) / high[p]
    for r in range(fitting):
        at = ranking[r]
        i = order[at]
        score[at] = 0.0
        for p in range(len(hits)):
            score[at] += (added[at, p] - ceiling[p] * own[p, i]) / high[p]
        dense[at] = _density(score[at], c.lengths[i])
    _order(dense, ranking, fitting)
    for r in range(fitting):
        at = ranking[r]
        bound = base + score[at]
        left = room - c.lengths[order[at]]
        for q in range(fitting):
            other = ranking[q]
            if other <= at:
                continue
            if score[other] <= 0.0 or left <= 0:
                break
            size = c.lengths[order[other]]
            if size > left:
                bound += score[other] * left / size
                break
            bound += score[other]
            left -= size
        upper[at] = max(bound, 0.0)


@njit(cache=True, nogil=True, error_model="numpy")
def best_ratio(
    c: Counts,
    budget: int,
    part_starts: Array,
    scales: Array,
    totals: Array,
    own: Array,
    most: int,
    best: Array,
    best_size: int,
    collected: Array,
) -> tuple[int, int, int, int]:
    """Search depth first; `own` is already multiplied by the number of references.

    `best[:best_size]` is a first guess and becomes the best extract, sentences rising. With room in
    `collected` (and the true best as guess) every optimum is written there, as its size and sentences.
    Returns the best's size, the nodes visited, whether the search was complete (1 or 0), and how much
    was written; what no longer fits is not written, so compare with the room.
    """
    n, parts = len(c.lengths), len(totals)
    gather = len(collected) > 0
    out = np.zeros(parts, np.int64)
    have = np.zeros(len(c.gain_starts), np.int64)
    hits = np.zeros(parts, np.int64)
    sizes = totals.copy()
    ceiling = np.zeros(parts, np.float64)
    widest = np.zeros(parts, np.float64)
    free = np.zeros(parts, np.float64)

    # sentences that fit and match something, by their own value; copies stand together
    keys = np.empty(n, np.float64)
    order = np.empty(n, np.int64)
    shortest = 1 << 40
    m = 0
    for i in range(n):
        if c.starts[i + 1] == c.starts[i] or c.lengths[i] > budget:
            continue
        _gains_of(c, i, part_starts, scales, have, out)
        keys[i] = 0.0
        for p in range(parts):
            keys[i] += out[p] / (totals[p] + own[p, i])
            if c.lengths[i] > 0:
                widest[p] = max(widest[p], own[p, i] / c.lengths[i])
            else:
                free[p] += own[p, i]
        shortest = min(shortest, int(c.lengths[i]))
        order[m] = i
        m += 1
    _order(keys, order, m)
    twin = np.zeros(m, np.bool_)
    for at in range(1, m):
        twin[at] = not gather and _same(c, own, order[at], order[at - 1])
    deepest = m if shortest < 1 else min(m, budget // shortest)
    if (deepest + 1) * m * (parts + 1) > MOST_CELLS:
        return best_size, 0, 0, 0

    # the first guess
    above, below = 0, 1
    reached = 0.0
    for g in range(best_size):
        _gains_of(c, best[g], part_starts, scales, have, out)
        change(c, best[g], 1, have)
        for p in range(parts):
            hits[p] += out[p]
            sizes[p] += own[p, best[g]]
    if best_size > 0:
        above, below = _sum(hits, sizes)
        for p in range(parts):
            ceiling[p] = hits[p] / sizes[p]
            reached += ceiling[p]
    have[:] = 0

    level_hits = np.zeros((deepest + 1, parts), np.int64)
    level_sizes = np.zeros((deepest + 1, parts), np.int64)
    put(totals, parts, level_sizes[0], 0)
    room = np.zeros(deepest + 1, np.int64)
    room[0] = budget
    after = np.zeros(deepest + 1, np.int64)
    upper = np.zeros((deepest + 1, m), np.float64)
    added = np.zeros((deepest + 1, m, parts), np.int64)
    chosen = np.zeros(deepest + 1, np.int64)
    places = np.zeros(deepest + 1, np.int64)
    score = np.zeros(m, np.float64)
    dense = np.zeros(m, np.float64)
    ranking = np.empty(m, np.int64)
    attainable = np.zeros(parts, np.float64)
    high = np.zeros(parts, np.float64)
    written = nodes = depth = 0
    entering = True
    while depth >= 0:
        if entering:
            entering = False
            if nodes >= most:
                return best_size, nodes, 0, written
            nodes += 1
            first = places[depth - 1] + 1 if depth > 0 else 0
            last = shortest > 0 and room[depth] < 2 * shortest
            # every sentence that may follow: its gain, and the value of the extract with it
            fitting = 0
            for at in range(first, m):
                i = order[at]
                upper[depth, at] = -1.0
                if c.lengths[i] > room[depth] or (depth > 0 and upper[depth - 1, at] < 0.0):
                    continue
                if last and depth > 0:
                    # nothing can follow it: its gain one level up says whether it needs a look
                    value = 0.0
                    for p in range(parts):
                        value += (level_hits[depth, p] + added[depth - 1, at, p]) / (
                            level_sizes[depth, p] + own[p, i]
                        )
                    if value < reached - SLACK:
                        continue
                _gains_of(c, i, part_starts, scales, have, out)
                useful = False
                value = 0.0
                for p in range(parts):
                    added[depth, at, p] = out[p]
                    useful = useful or out[p] > 0
                    value += (level_hits[depth, p] + out[p]) / (level_sizes[depth, p] + own[p, i])
                if not useful:
                    continue
                upper[depth, at] = 0.0
                ranking[fitting] = at
                fitting += 1
                if value < reached - SLACK:
                    continue
                for p in range(parts):
                    hits[p] = level_hits[depth, p] + out[p]
                    sizes[p] = level_sizes[depth, p] + own[p, i]
                ours, under = _sum(hits, sizes)
                sign = _less(above, below, ours, under)
                chosen[depth] = i
                if gather:
                    if sign == 0 and written + depth + 2 <= len(collected):
                        collected[written] = depth + 1
                        put(chosen, depth + 1, collected, written + 1)
                    if sign == 0:
                        written += depth + 2
                elif sign > 0 or (sign == 0 and _earlier(chosen, depth + 1, best, best_size)):
                    above, below, reached = ours, under, value
                    best_size = depth + 1
                    put(chosen, best_size, best, 0)
                    _rise(best[:best_size])
            if depth == 0 and not last:
                for p in range(parts):
                    ceiling[p], attainable[p] = _ceilings(
                        c, budget, order, ranking, fitting, added[0], totals, own, p, ceiling[p], score, dense
                    )
            if last:
                after[depth] = m
            else:
                after[depth] = first
                # an extract that is good enough needs of this part what the others leave: that limits D
                for p in range(parts):
                    high[p] = level_sizes[depth, p] + room[depth] * widest[p] + free[p]
                    needed = reached - SLACK - (ceiling.sum() - ceiling[p])
                    if needed > 0.0:
                        limit = (1.0 + SLACK) * attainable[p] / needed
                        high[p] = max(min(high[p], limit), level_sizes[depth, p])
                _bound_followers(
                    c, order, ranking, fitting, added[depth], own, room[depth], level_hits[depth],
                    level_sizes[depth], high, ceiling, score, dense, upper[depth],
                )  # fmt: skip
        # the next sentence whose extracts may hold something as good
        at = after[depth]
        while at < m and (
            upper[depth, at] < reached - SLACK
            or (twin[at] and not (depth > 0 and places[depth - 1] == at - 1))
        ):
            at += 1
        if at >= m:
            depth -= 1
            if depth >= 0:
                change(c, order[places[depth]], -1, have)
            continue
        after[depth] = at + 1
        i = order[at]
        left_after = room[depth] - c.lengths[i]
        if depth + 1 >= deepest or left_after < shortest:
            continue
        change(c, i, 1, have)
        for p in range(parts):
            level_hits[depth + 1, p] = level_hits[depth, p] + added[depth, at, p]
            level_sizes[depth + 1, p] = level_sizes[depth, p] + own[p, i]
        room[depth + 1] = left_after
        chosen[depth] = i
        places[depth] = at
        depth += 1
        entering = True
    return best_size, nodes, 1, written
