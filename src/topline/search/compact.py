"""The compaction of a cover once ranges of copies are known: what is decided goes, what is equal merges.

Whole arrays do most of it; only what they cannot do is compiled.
"""

from __future__ import annotations

import numpy as np

from topline.problem.problem import Ints
from topline.search.kernels.arrays import Floats
from topline.search.kernels.cover import DROPPED, LEAST, LENGTH, MORE, OWN, SIZE, Cover, classes, columns


def compact(c: Cover, low: Ints, high: Ints, u: Floats) -> tuple[Cover, Floats, Ints]:
    """The problem that is left when class `i` takes between `low[i]` and `high[i]` further copies.

    Equal classes merge, n-grams with proportional columns merge (their multipliers `u` add up), what can no
    longer interact becomes a constant of its class. `low` must fit into the room. Gives also each class's
    fate: its new number; `DROPPED`; or, for one that is decided with `x > 0` copies, `-1 - x`.
    """
    length, least = c.items[LENGTH], c.items[LEAST] + low
    base = c.base + int((low * c.items[OWN]).sum())
    room = c.room - int((low * length).sum())
    fit = np.where(length > 0, room // np.maximum(length, 1), high - low)
    span = np.minimum(high - low, fit)
    covered, own, begin, width = _fold(c, low, span)
    place = np.flatnonzero((np.repeat(span, np.diff(c.starts)) > 0) & (width[c.grams] > 0))
    ends = np.searchsorted(place, c.starts)
    grams = c.grams[place]
    counts = np.minimum(c.counts[place], width[grams])

    # a row begins with its length and own gain, so that equal rows are equal classes; a class whose range
    # was cut by branching stays alone: its copies are not free to move
    uncut = (span == c.items[SIZE]) | ((length > 0) & (span == fit))
    join = np.where(span > 0, (uncut & (least == 0)).astype(np.int64), -1)
    keys, values = np.insert(grams, ends[:-1], length), np.insert(counts, ends[:-1], own)
    fate, leader = classes(ends + np.arange(len(ends)), keys, values, join)
    items = np.zeros((5, len(leader)), np.int64)
    items[LENGTH], items[OWN], items[LEAST] = length[leader], own[leader], least[leader]
    live = fate >= 0
    np.add.at(items[SIZE], fate[live], c.items[SIZE, live])
    np.add.at(items[MORE], fate[live], span[live])
    long = items[LENGTH] > 0
    items[MORE, long] = np.minimum(items[MORE, long], room // items[LENGTH, long])
    fate[~live] = np.where(least[~live] > 0, -1 - least[~live], DROPPED)

    starts, place = _rows(ends, leader)
    grams, counts = grams[place], counts[place]
    group, factor, lead = columns(len(width), starts, grams, counts)
    first, steps = _gains(c.steps, group, factor, len(lead), begin, width)
    kept = np.flatnonzero(lead[group[grams]] == grams)
    starts, grams, counts = np.searchsorted(kept, starts), grams[kept], counts[kept]
    in_group = group >= 0
    price = np.bincount(group[in_group], u[in_group] * factor[in_group], len(lead)).astype(np.float64)
    left = Cover(base + covered, room, items, starts, group[grams], counts // factor[grams], first, steps)
    return left, price, fate


def _fold(c: Cover, low: Ints, span: Ints) -> tuple[int, Ints, Ints, Ints]:
    """What `low` copies cover, own gains, and per n-gram where its gains go on and how many still matter.

    An n-gram that cannot saturate, or that one single copy holds, goes into `own`: none of its gains matter.
    """
    sizes, last = np.diff(c.starts), c.first[1:]
    chosen, spare = np.repeat(low, sizes), np.repeat(span, sizes)
    used, supply, holders = np.zeros((3, len(last)), np.int64)
    np.add.at(used, c.grams, chosen * c.counts)
    np.add.at(supply, c.grams, spare * c.counts)
    np.add.at(holders, c.grams, spare)
    sums = _sums(c.steps)
    begin = np.minimum(c.first[:-1] + used, last)
    covered = int((sums[begin] - sums[c.first[:-1]]).sum())
    width = np.minimum(last - begin, supply)
    some = np.flatnonzero((supply > 0) & (supply <= last - begin))
    same = c.steps[begin[some]] == c.steps[begin[some] + width[some] - 1]
    holders[some[same]] = 1
    # one copy alone, or a gain that stays the same: either way each copy adds this
    start = begin[c.grams]
    adds = sums[start + np.minimum(c.counts, width[c.grams])] - sums[start]
    adds[(spare == 0) | (holders[c.grams] != 1)] = 0
    total = _sums(adds)
    width[holders == 1] = 0
    return covered, c.items[OWN] + total[c.starts[1:]] - total[c.starts[:-1]], begin, width


def _gains(
    steps: Ints, group: Ints, factor: Ints, groups: int, begin: Ints, width: Ints
) -> tuple[Ints, Ints]:
    """The summed gains of merged n-grams, one step for each `factor` occurrences."""
    live = np.flatnonzero(group >= 0)
    group, factor, begin, width = group[live], factor[live], begin[live], width[live]
    most = np.zeros(groups, np.int64)
    np.maximum.at(most, group, (width + factor - 1) // factor)
    first = _sums(most)
    step = np.arange(int(width.sum())) - np.repeat(np.cumsum(width) - width, width)
    sums = np.zeros(int(first[-1]), np.int64)
    np.add.at(
        sums,
        np.repeat(first[group], width) + step // np.repeat(factor, width),
        steps[np.repeat(begin, width) + step],
    )
    return first, sums


def _rows(starts: Ints, chosen: Ints) -> tuple[Ints, Ints]:
    """The starts of the chosen rows put behind one another, and where their entries are."""
    sizes = np.diff(starts)[chosen]
    new = _sums(sizes)
    return new, np.repeat(starts[chosen] - new[:-1], sizes) + np.arange(int(new[-1]))


def _sums(values: Ints) -> Ints:
    """Sums of the first values, from none to all."""
    sums = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=sums[1:])
    return sums
