"""Multipliers: the Lagrangian bound in floats, its exact value in integers, and what it decides."""

from __future__ import annotations

import numpy as np
from numba import njit

from topline.search.kernels.cover import INNER, LENGTH, MORE, OUTER, OWN, Cover, Floats, Ints, compact

CLASS, GROUP, TAKEN = range(3)
"""The rows of what `tighten` says of each class's fate."""


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


@njit(**INNER)
def _descent(c: Cover, u: Floats, target: float, rounds: int, theta: float) -> tuple[Floats, float, Floats]:
    """Deflected subgradient with Polyak's step: the best multipliers, their density, an averaged primal."""
    items, starts, grams, counts, first, steps = c.items, c.starts, c.grams, c.counts, c.first, c.steps
    n, m = items.shape[1], len(first) - 1
    best, kept, kept_density, stalls = np.inf, u.copy(), 0.0, 0
    u = u.copy()
    price, take, mean = np.zeros(n), np.zeros(n), np.zeros(n)
    slope, way = np.zeros(m), np.zeros(m)
    order = np.zeros(n, np.int64)
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
                take[i] = min(float(items[MORE, i]), spare / items[LENGTH, i])
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
            kept[:] = u
        else:
            stalls += 1
            if stalls >= 20:
                theta *= 0.6
                stalls = 0
                u[:] = kept
        for j in range(m):
            way[j] = 0.7 * way[j] + slope[j]
            norm += way[j] * way[j]
        if theta < 1e-3 or best < target or norm < 1e-12:
            break
        step = theta * max(value - target, 0.05) / norm
        for j in range(m):
            u[j] = min(max(0.0, u[j] - step * way[j]), float(steps[first[j]]))
    return kept, kept_density, mean


@njit(**INNER)
def _bound(c: Cover, u: Ints, density: int, scale: int, reduced: Ints) -> int:
    """The bound of whole multipliers, in units of `1/scale`: exact, so it never cuts an optimum."""
    items, starts, first, steps = c.items, c.starts, c.first, c.steps
    value = c.base * scale + density * c.room
    for i in range(len(reduced)):
        p = items[OWN, i] * scale - density * items[LENGTH, i]
        for e in range(starts[i], starts[i + 1]):
            p += u[c.grams[e]] * c.counts[e]
        reduced[i] = p
        if p > 0:
            value += p * items[MORE, i]
    for j in range(len(u)):
        s = first[j]
        while s < first[j + 1] and steps[s] * scale > u[j]:
            value += steps[s] * scale - u[j]
            s += 1
    return value


@njit(**OUTER)
def tighten(
    c: Cover, low: Ints, high: Ints, u: Floats, target: int, aim: float, rounds: int, theta: float, scale: int
) -> tuple[Cover, Ints, int, int, Floats, Ints]:
    """Multipliers for the ranges `low..high`, and the ranges they leave for sets worth `target` or more.

    Gives the compacted problem, its whole multipliers and critical density, the bound in units of `1/scale`
    (below `target * scale`: nothing is left), the averaged primal, and the fate of the classes given:
    the class they are now part of or, where that is negative, how many are taken from which group.
    """
    c, u, later = compact(c, low, high, u)
    fate, stage = np.zeros((3, len(later)), np.int64), 0
    for i in range(len(later)):
        fate[CLASS, i] = i
    while True:
        for i in range(fate.shape[1]):
            k = fate[CLASS, i]
            if k >= 0:
                fate[CLASS, i] = later[k]
                if later[k] < 0:
                    fate[GROUP, i], fate[TAKEN, i] = stage + k, -1 - later[k]
        stage += len(later)
        n = c.items.shape[1]
        u, steep, mean = _descent(c, u, aim, rounds, theta)
        whole = np.zeros(len(u), np.int64)
        for j in range(len(u)):
            whole[j] = int(u[j] * scale + 0.5)
        density = int(steep * scale + 0.5)
        reduced = np.zeros(n, np.int64)
        bound = _bound(c, whole, density, scale, reduced)
        gap = bound - target * scale
        cut, used = 0, 0
        if gap >= 0:
            low, high = np.zeros(n, np.int64), c.items[MORE].copy()
            for i in range(n):
                if reduced[i] < 0:
                    high[i] = min(high[i], gap // -reduced[i])
                elif reduced[i] > 0:
                    low[i] = max(low[i], high[i] - gap // reduced[i])
                used += low[i] * c.items[LENGTH, i]
                if low[i] > 0 or high[i] < c.items[MORE, i]:
                    cut += 1
            if used > c.room:
                bound = target * scale - 1
        if cut == 0 or used > c.room:
            return c, whole, density, bound, mean, fate
        c, u, later = compact(c, low, high, u)
        rounds = 40 if cut * 10 > n else 10
