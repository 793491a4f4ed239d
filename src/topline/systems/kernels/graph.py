"""Similarity graphs of sentences and random walks on them. Sums run in a fixed order, on one thread."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from topline.systems.kernels.counts import sort_ints

Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@njit(cache=True, nogil=True)
def cosine_rows(
    starts: Ints,
    terms: Ints32,
    values: Floats,
    column_starts: Ints,
    column_rows: Ints32,
    column_entries: Ints,
) -> tuple[Ints, Ints32, Floats]:
    """All pairs of rows that share a column: neighbours (rising, itself included) and inner products."""
    rows = len(starts) - 1
    sums = np.zeros(rows)
    seen = np.zeros(rows, np.bool_)
    touched = np.empty(rows, np.int32)
    graph_starts = np.zeros(rows + 1, np.int64)
    neighbours = np.empty(max(16, 4 * rows), np.int32)
    weights = np.empty(max(16, 4 * rows))
    end = 0
    for row in range(rows):
        found = 0
        for entry in range(starts[row], starts[row + 1]):
            value = values[entry]
            if value == 0.0:
                continue
            column = terms[entry]
            for k in range(column_starts[column], column_starts[column + 1]):
                other = column_rows[k]
                if not seen[other]:
                    seen[other] = True
                    touched[found] = other
                    found += 1
                sums[other] += value * values[column_entries[k]]
        while end + found > len(neighbours):
            larger = np.empty(2 * len(neighbours), np.int32)
            larger[:end] = neighbours[:end]
            neighbours = larger
            heavier = np.empty(2 * len(weights))
            heavier[:end] = weights[:end]
            weights = heavier
        sort_ints(touched[:found])
        for k in range(found):
            other = touched[k]
            neighbours[end] = other
            weights[end] = sums[other]
            end += 1
            sums[other] = 0.0
            seen[other] = False
        graph_starts[row + 1] = end
    return graph_starts, neighbours[:end].copy(), weights[:end].copy()


@njit(cache=True, nogil=True)
def lexrank_walk(
    starts: Ints, terms: Ints32, values: Floats, columns: int, damping: float, tolerance: float, rounds: int
) -> Floats:
    """Continuous LexRank without the graph: with unit rows X the cosines are X X', so a step costs one pass.

    Rows without words follow only the even jump. Returns the distribution after the last step.
    """
    rows = len(starts) - 1
    through = np.zeros(columns)
    for row in range(rows):
        for entry in range(starts[row], starts[row + 1]):
            through[terms[entry]] += values[entry]
    degree = np.zeros(rows)
    for row in range(rows):
        for entry in range(starts[row], starts[row + 1]):
            degree[row] += values[entry] * through[terms[entry]]
    now = np.full(rows, 1.0 / rows)
    for _ in range(rounds):
        through[:] = 0.0
        stranded = 0.0
        for row in range(rows):
            if degree[row] > 0.0:
                flow = now[row] / degree[row]
                for entry in range(starts[row], starts[row + 1]):
                    through[terms[entry]] += values[entry] * flow
            else:
                stranded += now[row]
        even = (1.0 - damping + damping * stranded) / rows
        moved = 0.0
        for row in range(rows):
            reached = 0.0
            for entry in range(starts[row], starts[row + 1]):
                reached += values[entry] * through[terms[entry]]
            after = even + damping * reached
            moved += abs(after - now[row])
            now[row] = after
        if moved < tolerance:
            break
    return now


@njit(cache=True, nogil=True)
def degrees_walk(
    starts: Ints,
    neighbours: Ints32,
    weights: Floats,
    threshold: float,
    damping: float,
    tolerance: float,
    rounds: int,
) -> tuple[Floats, Floats]:
    """Threshold LexRank: an edge where the cosine exceeds the threshold, all edges alike.

    Returns the walk's distribution and the number of edges of each row (itself included).
    """
    rows = len(starts) - 1
    degree = np.zeros(rows)
    for row in range(rows):
        for k in range(starts[row], starts[row + 1]):
            if weights[k] > threshold:
                degree[row] += 1.0
    now = np.full(rows, 1.0 / rows)
    after = np.empty(rows)
    for _ in range(rounds):
        stranded = 0.0
        for row in range(rows):
            if degree[row] == 0.0:
                stranded += now[row]
        even = (1.0 - damping + damping * stranded) / rows
        moved = 0.0
        for row in range(rows):
            reached = 0.0
            for k in range(starts[row], starts[row + 1]):
                if weights[k] > threshold:
                    reached += now[neighbours[k]] / degree[neighbours[k]]
            after[row] = even + damping * reached
            moved += abs(after[row] - now[row])
        now[:] = after
        if moved < tolerance:
            break
    return now, degree


@njit(cache=True, nogil=True)
def shared_words(
    starts: Ints, terms: Ints32, column_starts: Ints, column_rows: Ints32, lengths: Ints
) -> tuple[Ints, Ints32, Floats]:
    """TextRank's graph: distinct words in common over the sum of the log lengths, no row with itself."""
    rows = len(starts) - 1
    common = np.zeros(rows, np.int32)
    touched = np.empty(rows, np.int32)
    logs = np.log(np.maximum(lengths, 1).astype(np.float64))
    graph_starts = np.zeros(rows + 1, np.int64)
    neighbours = np.empty(max(16, 4 * rows), np.int32)
    weights = np.empty(max(16, 4 * rows))
    end = 0
    for row in range(rows):
        found = 0
        for entry in range(starts[row], starts[row + 1]):
            column = terms[entry]
            for k in range(column_starts[column], column_starts[column + 1]):
                other = column_rows[k]
                if common[other] == 0:
                    touched[found] = other
                    found += 1
                common[other] += 1
        while end + found > len(neighbours):
            larger = np.empty(2 * len(neighbours), np.int32)
            larger[:end] = neighbours[:end]
            neighbours = larger
            heavier = np.empty(2 * len(weights))
            heavier[:end] = weights[:end]
            weights = heavier
        sort_ints(touched[:found])
        for k in range(found):
            other = touched[k]
            scale = logs[row] + logs[other]
            if other != row and scale > 0.0:
                neighbours[end] = other
                weights[end] = common[other] / scale
                end += 1
            common[other] = 0
        graph_starts[row + 1] = end
    return graph_starts, neighbours[:end].copy(), weights[:end].copy()


@njit(cache=True, nogil=True)
def weighted_pagerank(
    starts: Ints, neighbours: Ints32, weights: Floats, damping: float, tolerance: float, rounds: int
) -> Floats:
    """`WS(i) = (1 - d) + d sum_j w_ji / sum_k w_jk WS(j)` on a symmetric graph, from 1."""
    rows = len(starts) - 1
    outward = np.zeros(rows)
    for row in range(rows):
        for k in range(starts[row], starts[row + 1]):
            outward[row] += weights[k]
    now = np.ones(rows)
    flow = np.empty(rows)
    for _ in range(rounds):
        for row in range(rows):
            flow[row] = now[row] / outward[row] if outward[row] > 0.0 else 0.0
        moved = 0.0
        for row in range(rows):
            reached = 0.0
            for k in range(starts[row], starts[row + 1]):
                reached += weights[k] * flow[neighbours[k]]
            after = 1.0 - damping + damping * reached
            moved += abs(after - now[row])
            now[row] = after
        if moved < tolerance * rows:
            break
    return now
