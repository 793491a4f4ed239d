"""Passes over a decision diagram: how many sets have each measure, exactly or modulo a prime."""

from __future__ import annotations

from numba import njit

from topline.search.kernels.arrays import OUTER, Floats, Ints, grid, larger, lesser, reals, zeros


@njit(**OUTER)
def spans(
    arcs: Ints, child: Ints, kind: Ints, first: Ints, measure: Ints, weight: Floats
) -> tuple[Ints, Floats]:
    """The least (row 0) and largest (row 1) measure of each node's completions; how many, roughly."""
    n = len(arcs) - 1
    span, total = grid(2, n), reals(n)
    total[1] = 1.0
    for v in range(2, n):
        for a in range(arcs[v], arcs[v + 1]):
            for o in range(first[kind[a]], first[kind[a] + 1]):
                low, high = span[0, child[a]] + measure[o], span[1, child[a]] + measure[o]
                if (a == arcs[v] and o == first[kind[a]]) or low < span[0, v]:
                    span[0, v] = low
                span[1, v] = larger(span[1, v], high)
                total[v] += weight[o] * total[child[a]]
    return span, total


@njit(**OUTER)
def upward(
    arcs: Ints,
    child: Ints,
    kind: Ints,
    first: Ints,
    measure: Ints,
    weight: Ints,
    span: Ints,
    start: Ints,
    prime: int,
) -> Ints:
    """For each node, how many completions have each measure: `table[start[v] + value - span[0, v]]`.

    An arc of kind `k` has the options `first[k]:first[k + 1]`, each with a measure and a weight. Counts are
    taken modulo `prime` (below 2^31); 0 for none, where they are known to fit.
    """
    n = len(arcs) - 1
    table = zeros(start[n])
    table[start[1]] = 1
    for v in range(2, n):
        for a in range(arcs[v], arcs[v + 1]):
            w = child[a]
            for o in range(first[kind[a]], first[kind[a] + 1]):
                at = start[v] + span[0, w] + measure[o] - span[0, v]
                for s in range(start[w], start[w + 1]):
                    more = table[s] * weight[o]
                    if prime > 0:
                        table[at] = (table[at] + more) % prime
                    else:
                        table[at] += more
                    at += 1
    return table


@njit(**OUTER)
def members(
    arcs: Ints,
    child: Ints,
    kind: Ints,
    copies: Ints,
    place: Ints,
    weight: Ints,
    mine: Ints,
    span: Ints,
    start: Ints,
    table: Ints,
    items: int,
    prime: int,
) -> Ints:
    """For each item, in how many sets of each size one of its sentences is.

    `weight` and `mine` count, for each kind of arc, all choices of copies, and those that hold a sentence.
    """
    n = len(arcs) - 1
    most = span[1, n - 1]
    # from the root: how many ways lead to a node with so many sentences chosen
    reach = grid(2, n)
    for v in range(n - 1):
        reach[0, v], reach[1, v] = most + 1, -1
    for v in range(n - 1, 1, -1):
        for a in range(arcs[v], arcs[v + 1]):
            w = child[a]
            reach[0, w] = lesser(reach[0, w], reach[0, v] + copies[a])
            reach[1, w] = larger(reach[1, w], reach[1, v] + copies[a])
    begin = zeros(n + 1)
    for v in range(n):
        begin[v + 1] = begin[v] + larger(0, reach[1, v] - reach[0, v] + 1)
    ways = zeros(begin[n])
    ways[begin[n - 1]] = 1
    result = grid(items, most + 1)
    for v in range(n - 1, 1, -1):
        for a in range(arcs[v], arcs[v + 1]):
            w = child[a]
            for f in range(begin[v], begin[v + 1]):
                if ways[f] == 0:
                    continue
                size = reach[0, v] + f - begin[v] + copies[a]
                at = begin[w] + size - reach[0, w]
                more = ways[f] * weight[kind[a]]
                held = ways[f] * mine[kind[a]]
                if prime > 0:
                    ways[at] = (ways[at] + more) % prime
                    held %= prime
                else:
                    ways[at] += more
                if copies[a] > 0:
                    for s in range(start[w], start[w + 1]):
                        total = size + span[0, w] + s - start[w]
                        product = held * table[s]
                        if prime > 0:
                            result[place[v], total] = (result[place[v], total] + product) % prime
                        else:
                            result[place[v], total] += product
    return result
