"""Lin & Bilmes' function and its greedy, lazily or plainly; and the clusters it needs."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from topline.systems.kernels.greedy import CLOSE, better, fits

Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SLACK = 10.0 * CLOSE
"""How far below the best a stale bound may lie and still be evaluated: more than ties and rounding reach."""


@njit(cache=True, nogil=True)
def gain_of(
    row: int,
    starts: Ints,
    neighbours: Ints32,
    weights: Floats,
    caps: Floats,
    covered: Floats,
    clusters: Ints32,
    values: Floats,
    inside: Floats,
    diversity: float,
) -> float:
    """What a sentence adds to coverage and diversity."""
    gain = 0.0
    for k in range(starts[row], starts[row + 1]):
        other = neighbours[k]
        room = caps[other] - covered[other]
        if room > 0.0:
            gain += min(weights[k], room)
    within = inside[clusters[row]]
    return gain + diversity * (np.sqrt(within + values[row]) - np.sqrt(within))


@njit(cache=True, nogil=True)
def submodular_greedy(
    starts: Ints,
    neighbours: Ints32,
    weights: Floats,
    caps: Floats,
    clusters: Ints32,
    values: Floats,
    diversity: float,
    costs: Floats,
    lengths: Ints,
    limit: int,
    chop: bool,
    lazy: bool,
) -> Ints:
    """The cost-scaled greedy, compared with the best single sentence in the end.

    Gains only fall as the summary grows, so an old one is a bound: with `lazy` only sentences whose
    bound reaches the best gain found in this step (less the rounding) are evaluated.
    """
    rows = len(starts) - 1
    covered = np.zeros(rows)
    inside = np.zeros(clusters.max() + 1 if rows else 1)
    bounds = np.empty(rows)
    singles = np.empty(rows)
    for row in range(rows):
        singles[row] = gain_of(
            row, starts, neighbours, weights, caps, covered, clusters, values, inside, diversity
        )
        bounds[row] = singles[row] / costs[row]
    open_ = np.ones(rows, np.bool_)
    chosen = np.empty(rows, np.int64)
    fresh = np.empty(rows, np.bool_)
    size = 0
    used = 0
    total = 0.0
    while used < limit:
        fresh[:] = False
        best_density = 0.0
        while True:
            top = -1
            for row in range(rows):
                if fresh[row] or not open_[row] or not fits(lengths[row], used, limit, chop):
                    continue
                if top < 0 or bounds[row] > bounds[top]:
                    top = row
            if top < 0 or (lazy and bounds[top] < best_density - SLACK * max(1.0, best_density)):
                break
            gain = gain_of(
                top, starts, neighbours, weights, caps, covered, clusters, values, inside, diversity
            )
            bounds[top] = gain / costs[top]
            best_density = max(best_density, bounds[top])
            fresh[top] = True
        best = -1
        for row in range(rows):
            if not open_[row] or not fits(lengths[row], used, limit, chop) or bounds[row] <= CLOSE:
                continue
            if best < 0 or better(bounds[row], bounds[best], 1.0):
                best = row
        if best < 0:
            break
        gain = gain_of(best, starts, neighbours, weights, caps, covered, clusters, values, inside, diversity)
        total += gain
        for k in range(starts[best], starts[best + 1]):
            covered[neighbours[k]] += weights[k]
        inside[clusters[best]] += values[best]
        open_[best] = False
        chosen[size] = best
        size += 1
        used += lengths[best]
    single = -1
    for row in range(rows):
        if fits(lengths[row], 0, limit, chop) and (single < 0 or better(singles[row], singles[single], 1.0)):
            single = row
    if single >= 0 and better(singles[single], total, 1.0):
        chosen[0] = single
        size = 1
    return chosen[:size].copy()


@njit(cache=True, nogil=True)
def spherical_kmeans(
    starts: Ints, terms: Ints32, values: Floats, columns: int, number: int, rounds: int
) -> Ints32:
    """Clusters of unit rows by cosine, begun from rows far from each other; ties go to the first.

    `centres` has a row a word, so that a sentence meets all clusters of a word side by side.
    """
    rows = len(starts) - 1
    centres = np.zeros((columns, number))
    closest = np.full(rows, -1.0)
    dense = np.zeros(columns)
    seed = 0
    for cluster in range(number):
        for entry in range(starts[seed], starts[seed + 1]):
            centres[terms[entry], cluster] = values[entry]
            dense[terms[entry]] = values[entry]
        farthest = 0
        for row in range(rows):
            product = 0.0
            for entry in range(starts[row], starts[row + 1]):
                product += values[entry] * dense[terms[entry]]
            closest[row] = max(closest[row], product)
        for entry in range(starts[seed], starts[seed + 1]):
            dense[terms[entry]] = 0.0
        closest[seed] = 2.0
        for row in range(rows):
            if closest[row] < closest[farthest]:
                farthest = row
        seed = farthest
    found = np.full(rows, -1, np.int32)
    products = np.empty(number)
    squares = np.empty(number)
    for _ in range(rounds):
        moved = 0
        for row in range(rows):
            products[:] = 0.0
            for entry in range(starts[row], starts[row + 1]):
                value, word = values[entry], terms[entry]
                for cluster in range(number):
                    products[cluster] += value * centres[word, cluster]
            best = 0
            for cluster in range(number):
                if products[cluster] > products[best] + 1e-12:
                    best = cluster
            if found[row] != best:
                found[row] = best
                moved += 1
        if moved == 0:
            break
        centres[:] = 0.0
        for row in range(rows):
            for entry in range(starts[row], starts[row + 1]):
                centres[terms[entry], found[row]] += values[entry]
        squares[:] = 0.0
        for word in range(columns):
            for cluster in range(number):
                squares[cluster] += centres[word, cluster] * centres[word, cluster]
        for cluster in range(number):
            squares[cluster] = 1.0 / np.sqrt(squares[cluster]) if squares[cluster] > 0.0 else 0.0
        for word in range(columns):
            for cluster in range(number):
                centres[word, cluster] *= squares[cluster]
    return found
