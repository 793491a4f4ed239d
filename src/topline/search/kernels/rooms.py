"""Which completions of a state fit: a state becomes a node for each room that makes a difference."""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from topline.search.kernels.arrays import INNER, OUTER, Ints, lesser

BITS = 32
"""Lengths in a word: bit `b` says that a completion is `b` longer than the shortest."""


class States(NamedTuple):
    """States and their completions. A room makes a difference if a completion fills it."""

    kind: Ints
    """The class that each position decides, its length, the copies that are decided already."""
    span: Ints
    begun: Ints
    first: Ints
    """The number of each position's first state; behind the last position stand those that are complete."""
    room: Ints
    """The most room left in state `v`."""
    arcs: Ints
    """State `v` has arcs `arcs[v]:arcs[v + 1]`."""
    copies: Ints
    child: Ints
    low: Ints
    """The length of the shortest completion; one more than the room where none fits."""
    start: Ints
    """State `v` has the words `start[v]:start[v + 1]`, enough for all lengths that fit."""
    lengths: Ints
    """Which lengths its completions have."""
    rooms: Ints
    """Which of these are all that fits where sets get to."""
    rank: Ints
    """How many of the latter there are in earlier words."""


@njit(**OUTER)
def shortest(s: States) -> None:
    """Fill in `low`."""
    for t in range(len(s.first) - 3, -1, -1):
        for v in range(s.first[t], s.first[t + 1]):
            low = s.room[v] + 1
            for a in range(s.arcs[v], s.arcs[v + 1]):
                low = lesser(low, s.low[s.child[a]] + s.copies[a] * s.span[t])
            s.low[v] = low


@njit(**INNER)
def _longest(s: States, v: int, most: int) -> int:
    """The longest completion that is up to `most` longer than the shortest; -1 if there is none."""
    start, end = s.start[v], s.start[v + 1]
    if most < 0:
        return -1
    at, bit = start + most // BITS, most % BITS
    if at >= end:
        at, bit = end - 1, BITS - 1
    while at >= start:
        while bit >= 0:
            if s.lengths[at] >> bit & 1:
                return (at - start) * BITS + bit
            bit -= 1
        at, bit = at - 1, BITS - 1
    return -1


@njit(**OUTER)
def reach(s: States) -> tuple[int, int]:
    """Fill in lengths, from the last position up, then rooms and ranks; how many nodes and arcs there are."""
    first, low, start, lengths, rooms, arcs = s.first, s.low, s.start, s.lengths, s.rooms, s.arcs
    child, copies, span = s.child, s.copies, s.span
    last = len(first) - 2
    for v in range(first[last], first[last + 1]):
        if start[v] < start[v + 1]:
            lengths[start[v]] = 1
    for t in range(last - 1, -1, -1):
        for v in range(first[t], first[t + 1]):
            end = start[v + 1]
            if start[v] == end:
                continue
            for a in range(arcs[v], arcs[v + 1]):
                c = child[a]
                shift = low[c] + copies[a] * span[t] - low[v]
                at, bit = start[v] + shift // BITS, shift % BITS
                for w in range(start[c], start[c + 1]):
                    both = lengths[w] << bit
                    if at < end:
                        lengths[at] |= both & ((1 << BITS) - 1)
                    if at + 1 < end:
                        lengths[at + 1] |= both >> BITS
                    at += 1
            lengths[end - 1] &= (2 << ((s.room[v] - low[v]) % BITS)) - 1
    found = drawn = 0
    most = _longest(s, 0, s.room[0] - low[0])
    if most >= 0:
        rooms[most // BITS] = 1 << (most % BITS)
    for t in range(last + 1):
        for v in range(first[t], first[t + 1]):
            for w in range(start[v], start[v + 1]):
                s.rank[w] = found
                bit = 0
                while rooms[w] >> bit:
                    if rooms[w] >> bit & 1:
                        found += 1
                        here = low[v] + (w - start[v]) * BITS + bit
                        for a in range(arcs[v], arcs[v + 1]):
                            c = child[a]
                            fit = _longest(s, c, here - copies[a] * span[t] - low[c])
                            if fit >= 0:
                                rooms[start[c] + fit // BITS] |= 1 << (fit % BITS)
                                drawn += 1
                    bit += 1
    return found, drawn


@njit(**OUTER)
def unfold(s: States, number: Ints, place: Ints, links: Ints, copies: Ints, child: Ints) -> tuple[int, int]:
    """The nodes and arcs of a diagram, from the last position up; how many there are.

    Node 0 stands for no completion, node 1 for the empty one. Where the one choice is no copy, the node below
    stands for the state. `number` is the node of each room, by rank.
    """
    first, low, start, rooms, rank, arcs = s.first, s.low, s.start, s.rooms, s.rank, s.arcs
    made, drawn = 2, 0
    last = len(first) - 2
    for v in range(first[last], first[last + 1]):
        if start[v] < start[v + 1] and rooms[start[v]]:
            number[rank[start[v]]] = 1
    for t in range(last - 1, -1, -1):
        for v in range(first[t + 1] - 1, first[t] - 1, -1):
            for w in range(start[v], start[v + 1]):
                nth, bit = rank[w], 0
                while rooms[w] >> bit:
                    if rooms[w] >> bit & 1:
                        here, begin = low[v] + (w - start[v]) * BITS + bit, drawn
                        for a in range(arcs[v], arcs[v + 1]):
                            c = s.child[a]
                            fit = _longest(s, c, here - s.copies[a] * s.span[t] - low[c])
                            if fit >= 0:
                                at = start[c] + fit // BITS
                                below = rank[at]
                                for b in range(fit % BITS):
                                    below += rooms[at] >> b & 1
                                copies[drawn], child[drawn] = s.copies[a], number[below]
                                drawn += 1
                        if drawn == begin + 1 and copies[begin] == 0 and s.begun[t] == 0:
                            drawn = begin
                            number[nth] = child[begin]
                        else:
                            number[nth], place[made], links[made] = made, s.kind[t], begin
                            made += 1
                        nth += 1
                    bit += 1
    links[made] = drawn
    return made, drawn
