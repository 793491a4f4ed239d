"""Depth-first search of the free nodes, each subtree in one run, so that dropping a node skips a run.

The bound of a state: the gains had; what n-grams can still gain above their prices, given what later nodes
can supply; what links in the balance have earned; and the best worth at these prices of the later nodes
that fits, from a table over positions and room (a tree knapsack: dropping a node leads to its run's end).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from topline.compress.arrays import Arrays, Bytes, Ints, Prices

ROOT = -1
HITS, EXCESS, PENDING, ROOM = 0, 1, 2, 3
OUT_FIRST, IN_FIRST, IN_LAST, OUT_LAST = 1, 2, 3, 4
"""Where a choice stands: which side is being searched, and whether the other is still to come."""


class State(NamedTuple):
    """What the choices so far come to."""

    now: Ints
    """Gains had, excess to come, links' earnings in the balance, room left."""
    chosen: Bytes
    kids: Ints
    """How many children of each node are kept."""
    counts: Ints
    """How often each n-gram is had."""
    supply: Ints
    """How often later nodes and open links can still give it."""
    dead: Ints
    """How many members of each link did not do as they must."""
    earned: Ints
    """What the members of each link have earned."""
    last: Ints
    """The position at which each link is decided; -1 if it already is."""
    ends: Ints
    """The links decided at position `t` are `ending[ends[t]:ends[t + 1]]`."""
    ending: Ints


@njit(cache=True, nogil=True)
def _excess(gain_starts: Ints, gains: Ints, scale: int, j: int, price: int, count: int, supply: int) -> int:
    """What n-gram `j` can still gain above its price, had `count` times, with `supply` more to come."""
    total = 0
    first = gain_starts[j] + count
    for t in range(first, min(first + supply, gain_starts[j + 1])):
        more = gains[t] * scale - price
        if more <= 0:
            break
        total += more
    return total


@njit(cache=True, nogil=True)
def _pass(
    gain_starts: Ints,
    gains: Ints,
    scale: int,
    price: int,
    counts: Ints,
    supply: Ints,
    now: Ints,
    j: int,
    times: int,
    had: bool,
) -> None:
    """Later nodes can give n-gram `j` some times less; if `had`, it was given now."""
    excess = now[EXCESS] - _excess(gain_starts, gains, scale, j, price, counts[j], supply[j])
    supply[j] -= times
    if had:
        first = gain_starts[j] + counts[j]
        for t in range(first, min(first + times, gain_starts[j + 1])):
            now[HITS] += gains[t]
        counts[j] += times
    now[EXCESS] = excess + _excess(gain_starts, gains, scale, j, price, counts[j], supply[j])


@njit(cache=True, nogil=True)
def _take(parents: Ints, lengths: Ints, chosen: Bytes, kids: Ints, now: Ints, c: int, sign: int) -> None:
    """Keep a node, or take that back (`sign` -1)."""
    chosen[c] += sign
    now[ROOM] -= sign * lengths[c]
    if parents[c] != ROOT:
        kids[parents[c]] += sign


@njit(cache=True, nogil=True)
def _pass_entries(
    entry_starts: Ints,
    entry_grams: Ints,
    entry_counts: Ints,
    gain_starts: Ints,
    gains: Ints,
    prices: Ints,
    scale: int,
    counts: Ints,
    supply: Ints,
    now: Ints,
    c: int,
    kept: bool,
) -> None:
    """Count what a node holds as had, or as lost."""
    for e in range(entry_starts[c], entry_starts[c + 1]):
        j, times = entry_grams[e], entry_counts[e]
        _pass(gain_starts, gains, scale, prices[j], counts, supply, now, j, times, kept)


@njit(cache=True, nogil=True)
def _undo_entries(
    entry_starts: Ints, entry_grams: Ints, entry_counts: Ints, counts: Ints, supply: Ints, c: int, kept: bool
) -> None:
    """Take back what `_pass_entries` counted; the sums in `now` are the caller's to restore."""
    for e in range(entry_starts[c], entry_starts[c + 1]):
        supply[entry_grams[e]] += entry_counts[e]
        if kept:
            counts[entry_grams[e]] -= entry_counts[e]


@njit(cache=True, nogil=True)
def _tell_links(arrays: Arrays, at: Prices, state: State, c: int, kept: bool, sign: int) -> None:
    """Tell a node's links that it stays or goes, or (`sign` -1) take that back."""
    for m in range(arrays.node_starts[c], arrays.node_starts[c + 1]):
        k = arrays.node_members[m]
        v = arrays.member_links[k]
        if state.last[v] < 0:
            continue
        if kept != (arrays.signs[k] == 1):
            state.dead[v] += sign
        if kept:
            earned = sign * (at.shares[k] if arrays.signs[k] == 1 else -at.shares[k])
            state.earned[v] += earned
            state.now[PENDING] += earned


@njit(cache=True, nogil=True)
def _close_links(arrays: Arrays, at: Prices, state: State, t: int, end: int) -> None:
    """Decide the links that no node behind these positions belongs to."""
    for w in range(state.ends[t], state.ends[end]):
        v = state.ending[w]
        j = arrays.link_grams[v]
        state.now[PENDING] -= state.earned[v]
        _pass(
            arrays.gain_starts, arrays.gains, at.scale, at.prices[j], state.counts, state.supply, state.now,
            j, 1, state.dead[v] == 0,
        )  # fmt: skip


@njit(cache=True, nogil=True)
def _reopen_links(arrays: Arrays, state: State, t: int, end: int) -> None:
    """Take back what `_close_links` counted."""
    for w in range(state.ends[t], state.ends[end]):
        j = arrays.link_grams[state.ending[w]]
        state.supply[j] += 1
        if state.dead[state.ending[w]] == 0:
            state.counts[j] -= 1


@njit(cache=True, nogil=True)
def _open_links(arrays: Arrays, at: Prices, status: Bytes, order: Ints, state: State) -> None:
    """Which links hang on free nodes, what their decided members have earned, where each is decided."""
    place = np.full(len(status), -1, np.int64)
    for t in range(len(order)):
        place[order[t]] = t
    for k in range(len(arrays.members)):
        v, c = arrays.member_links[k], arrays.members[k]
        if status[c] == 0:
            state.last[v] = max(state.last[v], place[c])
            state.earned[v] += 0 if arrays.signs[k] == 1 else at.shares[k]
        elif (status[c] == 1) == (arrays.signs[k] == 1):
            state.earned[v] += at.shares[k]
        else:
            state.dead[v] += 1
    for v in range(len(state.last)):
        if state.dead[v] > 0:
            state.last[v] = -1
        elif state.last[v] < 0:
            state.counts[arrays.link_grams[v]] += 1
        else:
            state.supply[arrays.link_grams[v]] += 1
            state.now[PENDING] += state.earned[v]
            state.ends[state.last[v] + 1] += 1
    for t in range(len(order)):
        state.ends[t + 1] += state.ends[t]
    next_free = state.ends.copy()
    for v in range(len(state.last)):
        if state.last[v] >= 0:
            state.ending[next_free[state.last[v]]] = v
            next_free[state.last[v]] += 1


@njit(cache=True, nogil=True)
def _begin(arrays: Arrays, at: Prices, budget: int, status: Bytes, order: Ints) -> State:
    """The state in which only the decided nodes are kept."""
    n, links, grams = len(status), len(arrays.link_grams), len(at.prices)
    state = State(
        np.zeros(4, np.int64),
        np.zeros(n, np.int8),
        np.zeros(n, np.int64),
        np.zeros(grams, np.int64),
        np.zeros(grams, np.int64),
        np.zeros(links, np.int64),
        np.zeros(links, np.int64),
        np.full(links, -1, np.int64),
        np.zeros(len(order) + 1, np.int64),
        np.zeros(links, np.int64),
    )
    state.now[ROOM] = budget
    for c in range(n):
        if status[c] == 1:
            _take(arrays.parents, arrays.lengths, state.chosen, state.kids, state.now, c, 1)
        for e in range(arrays.entry_starts[c], arrays.entry_starts[c + 1]):
            if status[c] == 1:
                state.counts[arrays.entry_grams[e]] += arrays.entry_counts[e]
            elif status[c] == 0:
                state.supply[arrays.entry_grams[e]] += arrays.entry_counts[e]
    _open_links(arrays, at, status, order, state)
    for j in range(grams):
        first = arrays.gain_starts[j]
        for t in range(first, min(first + state.counts[j], arrays.gain_starts[j + 1])):
            state.now[HITS] += arrays.gains[t]
        state.now[EXCESS] += _excess(
            arrays.gain_starts, arrays.gains, at.scale, j, at.prices[j], state.counts[j], state.supply[j]
        )
    return state


@njit(cache=True, nogil=True)
def _worth(
    arrays: Arrays, at: Prices, state: State, order: Ints, skips: Ints, width: int, coarse: int
) -> np.ndarray:
    """For each position and room the best worth of the nodes from there on; lengths in coarse units.

    Lengths are rounded down, so that a coarse table is still a bound.
    """
    free = len(order)
    worth = np.zeros((free + 1, width), np.int64)
    for t in range(free - 1, -1, -1):
        c = order[t]
        profit = np.int64(0)
        for e in range(arrays.entry_starts[c], arrays.entry_starts[c + 1]):
            profit += at.prices[arrays.entry_grams[e]] * arrays.entry_counts[e]
        for m in range(arrays.node_starts[c], arrays.node_starts[c + 1]):
            k = arrays.node_members[m]
            if state.last[arrays.member_links[k]] >= 0:
                profit += at.shares[k] if arrays.signs[k] == 1 else -at.shares[k]
        length = arrays.lengths[c] // coarse
        for r in range(width):
            worth[t, r] = worth[skips[t], r]
            if r >= length:
                worth[t, r] = max(worth[t, r], profit + worth[t + 1, min(r - length, width - 1)])
    return worth


@njit(cache=True, nogil=True)
def _is_whole(arrays: Arrays, state: State) -> bool:
    """Whether every opening that is kept opens something."""
    for c in range(len(state.chosen)):
        if arrays.hollow[c] == 1 and state.chosen[c] == 1 and state.kids[c] == 0:
            return False
    return True


@njit(cache=True, nogil=True)
def explore(
    arrays: Arrays,
    budget: int,
    status: Bytes,
    at: Prices,
    order: Ints,
    skips: Ints,
    target: int,
    most_states: int,
    most_cells: int,
    rising: bool,
    found: np.ndarray,
    found_hits: Ints,
) -> tuple[int, int, bool]:
    """Search all choices of the free nodes for gains of at least `target`.

    `order` holds the free nodes, each subtree in one run that ends before `skips`. With `rising`, each find
    raises the target above itself and only the last one is kept; without, every find is kept until `found`
    is full. `most_cells` bounds the table of worth. Returns the number of finds, of visited states, and
    whether everything was searched.
    """
    free = len(order)
    state = _begin(arrays, at, budget, status, order)
    # the innermost loops take plain arrays: a tuple's fields are counted as references at every use
    parents, lengths, node_starts = arrays.parents, arrays.lengths, arrays.node_starts
    entry_starts, entry_grams, entry_counts = arrays.entry_starts, arrays.entry_grams, arrays.entry_counts
    gain_starts, gains, prices, scale = arrays.gain_starts, arrays.gains, at.prices, at.scale
    now, chosen, kids, ends = state.now, state.chosen, state.kids, state.ends
    counts, supply = state.counts, state.supply
    spare = 0
    for t in range(free):
        spare += max(0, -arrays.lengths[order[t]])
    wide = max(0, now[ROOM]) + spare
    coarse = 1 + wide * (free + 1) // most_cells
    worth = _worth(arrays, at, state, order, skips, wide // coarse + 1, coarse)
    saved = np.empty((free + 1, 4), np.int64)
    places, phases = np.empty(free + 1, np.int64), np.empty(free + 1, np.int64)
    depth = visited = finds = t = 0
    while True:
        visited += 1
        if visited > most_states:
            return finds, visited, False
        cell = max(0, now[ROOM]) // coarse
        reach = now[HITS] * scale + now[EXCESS] + now[PENDING] + worth[t, cell]
        alive = reach >= target * scale and now[ROOM] + spare >= 0
        if alive and t < free:
            fits = now[ROOM] + spare >= lengths[order[t]]
            places[depth] = t
            saved[depth] = now
            if fits and worth[t, cell] != worth[skips[t], cell]:
                phases[depth] = IN_FIRST
            else:
                phases[depth] = OUT_FIRST if fits else OUT_LAST
        else:
            if alive and now[ROOM] >= 0 and _is_whole(arrays, state):
                slot = 0 if rising else finds
                if slot >= len(found_hits):
                    return finds, visited, False
                found[slot] = chosen
                found_hits[slot] = now[HITS]
                finds += 1
                target = now[HITS] + 1 if rising else target
            while True:
                # back to the last choice whose other side is still to be searched
                depth -= 1
                if depth < 0:
                    return finds, visited, True
                t = places[depth]
                was_in = phases[depth] in {IN_FIRST, IN_LAST}
                end = t + 1 if was_in else skips[t]
                if ends[t] < ends[end]:
                    _reopen_links(arrays, state, t, end)
                for s in range(t, end):
                    _undo_entries(entry_starts, entry_grams, entry_counts, counts, supply, order[s], was_in)
                    if node_starts[order[s]] < node_starts[order[s] + 1]:
                        _tell_links(arrays, at, state, order[s], was_in, -1)
                if was_in:
                    _take(parents, lengths, chosen, kids, now, order[t], -1)
                now[:] = saved[depth]
                if phases[depth] in {OUT_FIRST, IN_FIRST}:
                    break
            phases[depth] = IN_LAST if phases[depth] == OUT_FIRST else OUT_LAST
        goes_in = phases[depth] in {IN_FIRST, IN_LAST}
        end = t + 1 if goes_in else skips[t]
        if goes_in:
            _take(parents, lengths, chosen, kids, now, order[t], 1)
        for s in range(t, end):
            _pass_entries(
                entry_starts, entry_grams, entry_counts, gain_starts, gains, prices, scale, counts, supply,
                now, order[s], goes_in,
            )  # fmt: skip
            if node_starts[order[s]] < node_starts[order[s] + 1]:
                _tell_links(arrays, at, state, order[s], goes_in, 1)
        if ends[t] < ends[end]:
            _close_links(arrays, at, state, t, end)
        depth += 1
        t = end
