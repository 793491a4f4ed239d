"""Compiled counting for many summaries of the same references: the references' n-grams are counted once."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

NONE = -1
FREE = np.uint64(0xFFFFFFFFFFFFFFFF)
"""A slot of the hash table that holds no n-gram."""


@njit(cache=True, nogil=True)
def _pair(
    first: int,
    second: int,
    keys: NDArray[np.uint64],
    values: NDArray[np.int32],
    hints: NDArray[np.uint64],
    mask: int,
    known: int,
    insert: bool,
) -> int:
    """The number of an n-gram made of a shorter one and a token; a new one gets the number `known`.

    Most n-grams of a summary are none of the references'. `hints`, small enough to stay in the cache, has
    eight bits for every slot and says so for nearly all of them: a bit that is not set means absent.
    """
    key = (np.uint64(first) << np.uint64(32)) | np.uint64(second)
    mixed = key * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(32)
    hint = mixed & np.uint64(8 * mask + 7)
    bit = np.uint64(1) << (hint & np.uint64(63))
    word = np.int64(hint >> np.uint64(6))
    if not insert and not hints[word] & bit:
        return NONE
    slot = np.int64(hint >> np.uint64(3))
    while keys[slot] != FREE:
        if keys[slot] == key:
            return int(values[slot])
        slot = (slot + 1) & mask
    if not insert:
        return NONE
    hints[word] |= bit
    keys[slot] = key
    values[slot] = known
    return known


@njit(cache=True, nogil=True)
def _numbered(
    text: NDArray[np.int32],
    n: int,
    gap: int,
    unigrams: bool,
    places: NDArray[np.int32],
    keys: NDArray[np.uint64],
    values: NDArray[np.int32],
    hints: NDArray[np.uint64],
    mask: int,
    known: int,
    insert: bool,
    grams: NDArray[np.int32],
) -> tuple[int, int]:
    """Number a text's n-grams (`gap < 0`) or skip-bigrams; what the references lack is left out.

    `places` gives a token's number among the references' n-grams. Returns how many were written and how
    many are known.
    """
    size = len(text)
    if insert:
        for i in range(size):
            if places[text[i]] == NONE:
                places[text[i]] = known
                known += 1
    written = 0
    if gap >= 0:
        for i in range(size - 1):
            first = places[text[i]]
            if first == NONE:
                continue
            if unigrams:
                grams[written] = first
                written += 1
            for j in range(i + 1, min(size, i + gap + 2)):
                second = places[text[j]]
                if second != NONE:
                    gram = _pair(first, second, keys, values, hints, mask, known, insert)
                    if gram != NONE:
                        known = max(known, gram + 1)
                        grams[written] = gram
                        written += 1
        return written, known
    for i in range(size - n + 1):
        gram = places[text[i]]
        for j in range(i + 1, i + n):
            second = places[text[j]] if gram != NONE else NONE
            if second == NONE:
                gram = NONE
                break
            gram = _pair(gram, second, keys, values, hints, mask, known, insert)
            known = max(known, gram + 1)
        if gram != NONE:
            grams[written] = gram
            written += 1
    return written, known


@njit(cache=True, nogil=True)
def group_hits(
    ids: NDArray[np.int32],
    starts: NDArray[np.int64],
    peers: NDArray[np.int64],
    peer_starts: NDArray[np.int64],
    models: NDArray[np.int64],
    model_starts: NDArray[np.int64],
    pairs: NDArray[np.int64],
    n: int,
    gap: int,
    unigrams: bool,
    words: int,
    rooms: NDArray[np.int64],
    written: int,
    hits: NDArray[np.int64],
) -> None:
    """Clipped matches of each peer of a group with each model of it.

    Group `g` has the texts `peers[peer_starts[g]:peer_starts[g + 1]]` and likewise `models`; the hits of
    peer `p` with the group's models go to `hits[pairs[p]]` and what follows. `rooms[g]` is the most
    n-grams, shorter ones included, that the group's models can make, `written` the most of one text.
    """
    room, width = 1, 1
    for g in range(len(rooms)):
        room = max(room, rooms[g])
        width = max(width, model_starts[g + 1] - model_starts[g])
    table = 64
    while table < 2 * room:
        table *= 2
    keys = np.empty(table, np.uint64)
    values = np.empty(table, np.int32)
    hints = np.empty(table >> 3, np.uint64)
    counts = np.empty((room, width), np.int32)
    seen = np.zeros(room, np.int32)
    places = np.full(words, NONE, np.int32)
    grams = np.empty(written + 1, np.int32)
    for g in range(len(rooms)):
        table = 64
        while table < 2 * rooms[g]:
            table *= 2
        mask = table - 1
        keys[:table] = FREE
        hints[: table >> 3] = np.uint64(0)
        first = model_starts[g]
        many = model_starts[g + 1] - first
        known = 0
        for m in range(many):
            text = ids[starts[models[first + m]] : starts[models[first + m] + 1]]
            before = known
            size, known = _numbered(
                text, n, gap, unigrams, places, keys, values, hints, mask, known, True, grams
            )
            counts[before:known, :] = 0
            for at in range(size):
                counts[grams[at], m] += 1
        for p in range(peer_starts[g], peer_starts[g + 1]):
            text = ids[starts[peers[p]] : starts[peers[p] + 1]]
            size, known = _numbered(
                text, n, gap, unigrams, places, keys, values, hints, mask, known, False, grams
            )
            pair = pairs[p]
            for at in range(size):
                gram = grams[at]
                seen[gram] += 1
                for m in range(many):
                    if counts[gram, m] >= seen[gram]:
                        hits[pair + m] += 1
            for at in range(size):
                seen[grams[at]] = 0
        for m in range(many):
            for at in range(starts[models[first + m]], starts[models[first + m] + 1]):
                places[ids[at]] = NONE
