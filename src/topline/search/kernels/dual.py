"""Multipliers: the Lagrangian bound, in floats."""

from __future__ import annotations

from numba import njit

from topline.search.kernels.arrays import (
    INNER,
    OUTER,
    Floats,
    Ints,
    copied,
    larger,
    lesser,
    reals,
    zeros,
)
from topline.search.kernels.cover import LENGTH, MORE, OWN, Cover


@njit(**INNER)
def _critical(price: Floats, items: Ints, room: float, order: Ints) -> tuple[float, int, float]:
    """Dantzig's bound by selection: the critical density, how many classes lie above it, their spare room.

    Puts the classes above the density first in `order`, those at it behind them.
    """
    end = 0
    for i in range(len(order)):
        order[i] = i
    for i in range(len(order)):
        if price[i] > 0.0:
            order[i], order[end] = order[end], i
            end += 1
    start = 0
    for i in range(end):
        k = order[i]
        if items[LENGTH, k] == 0:
            order[i], order[start] = order[start], k
            start += 1
    while start < end:
        k = order[(start + end) // 2]
        density = price[k] / items[LENGTH, k]
        above, below, i, used, equal = start, end, start, 0.0, 0.0
        while i < below:
            k = order[i]
            size = float(items[LENGTH, k] * items[MORE, k])
            mine = price[k] / items[LENGTH, k]
            if mine > density:
                used += size
                order[i], order[above] = order[above], k
                above += 1
                i += 1
            elif mine < density:
                below -= 1
                order[i], order[below] = order[below], k
            else:
                equal += size
                i += 1
        if used > room:
            end = above
        elif used + equal > room:
            return density, above, room - used
        else:
            room -= used + equal
            start = below
    return 0.0, start, room


@njit(**OUTER)
def descent(c: Cover, u: Floats, target: float, rounds: int, theta: float) -> tuple[Floats, float, Floats]:
    """Deflected subgradient with Polyak's step: the best multipliers, their density, an averaged primal."""
    items, starts, grams, counts, first, steps = c.items, c.starts, c.grams, c.counts, c.first, c.steps
    n, m = items.shape[1], len(first) - 1
    best, kept, kept_density, stalls = 1e300, copied(u), 0.0, 0
    u = copied(u)
    price, take, mean = reals(n), reals(n), reals(n)
    slope, way = reals(m), reals(m)
    order = zeros(n)
    for turn in range(rounds):
        for i in range(n):
            p = float(items[OWN, i])
            for e in range(starts[i], starts[i + 1]):
                p += u[grams[e]] * counts[e]
            price[i] = p
            take[i] = 0.0
        density, above, spare = _critical(price, items, float(c.room), order)
        value = c.base + density * c.room
        for a in range(n):
            i = order[a]
            r = price[i] - density * items[LENGTH, i]
            if r > 0.0:
                value += r * items[MORE, i]
            if a < above:
                take[i] = items[MORE, i]
            elif density > 0.0 and spare > 0.0:
                take[i] = lesser(float(items[MORE, i]), spare / items[LENGTH, i])
                spare -= take[i] * items[LENGTH, i]
        for j in range(m):
            slope[j] = 0.0
        weight = 0.05 if turn > 10 else 1.0 / (turn + 1)
        for i in range(n):
            mean[i] += weight * (take[i] - mean[i])
            if take[i] > 0.0:
                for e in range(starts[i], starts[i + 1]):
                    slope[grams[e]] += counts[e] * take[i]
        norm = 0.0
        for j in range(m):
            s = first[j]
            while s < first[j + 1] and steps[s] > u[j]:
                value += steps[s] - u[j]
                s += 1
            slope[j] -= s - first[j]
        if value < best:
            if value < best - 1e-4:
                stalls = 0
            best = value
            kept_density = density
            kept = copied(u)
        else:
            stalls += 1
            if stalls >= 20:
                theta *= 0.6
                stalls = 0
                u = copied(kept)
        for j in range(m):
            way[j] = 0.7 * way[j] + slope[j]
            norm += way[j] * way[j]
        if theta < 1e-3 or best < target or norm < 1e-12:
            break
        step = theta * larger(value - target, 0.05) / norm
        for j in range(m):
            u[j] = lesser(larger(0.0, u[j] - step * way[j]), float(steps[first[j]]))
    return kept, kept_density, mean
