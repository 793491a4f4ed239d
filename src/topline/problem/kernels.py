"""Compiled counting: which n-grams of the references each text holds, every n-gram compared in full.

N-grams are paths in a trie: a node is found by its parent and a token, both packed into one exact key.
A part is an n-gram size or a skip distance; its paths start at a root of its own.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

EMPTY = -1
GRAMS, PAIRS, PAIRS_AND_WORDS = 0, 1, 2
"""Kinds of parts: n-grams, skip-bigrams, skip-bigrams with unigrams."""
FILTER = 1 << 12
"""Places of a table of words (by the last bits of their numbers) and of one of pairs."""
SPREAD = 643
"""Keeps the numbers of a pair's words apart in the table."""


@njit(cache=True, nogil=True)
def _slot(keys: NDArray[np.int64], key: int) -> int:
    """The slot that holds a key, or the free one where it belongs."""
    mask = len(keys) - 1
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    slot = np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(mask))
    while keys[slot] != EMPTY and keys[slot] != key:
        slot = (slot + 1) & mask
    return int(slot)


@njit(cache=True, nogil=True)
def _child(keys: NDArray[np.int64], nodes: NDArray[np.int64], node: int, token: int) -> int:
    """The node behind a token, or EMPTY."""
    slot = _slot(keys, (node << 32) | int(token))
    return nodes[slot] if keys[slot] != EMPTY else EMPTY


@njit(cache=True, nogil=True)
def _enter(
    keys: NDArray[np.int64], nodes: NDArray[np.int64], node: int, token: int, known: int
) -> tuple[int, int]:
    """The node behind a token, made if it is new; and the number of nodes known."""
    key = (node << 32) | int(token)
    slot = _slot(keys, key)
    if keys[slot] == EMPTY:
        keys[slot] = key
        nodes[slot] = known
        known += 1
    return nodes[slot], known


@njit(cache=True, nogil=True)
def _pairs(size: int, gap: int) -> int:
    """How many skip-bigrams a text of that many tokens has."""
    reach = min(gap + 1, max(size - 1, 0))
    return reach * size - reach * (reach + 1) // 2


@njit(cache=True, nogil=True)
def _occurrences(kind: int, width: int, size: int) -> int:
    """How many n-grams of a part a sentence of that many tokens has, the last word's unigram included."""
    if kind == GRAMS:
        return max(0, size - width + 1)
    return _pairs(size, width) + (size if kind == PAIRS_AND_WORDS else 0)


@njit(cache=True, nogil=True)
def _number(
    gram_of: NDArray[np.int64], node: int, grams: int, occurrences: NDArray[np.int64], at: int
) -> int:
    """Note an occurrence of the n-gram that ends at a node; returns how many n-grams are known."""
    if gram_of[node] == EMPTY:
        gram_of[node] = grams
        grams += 1
    occurrences[at] = gram_of[node]
    return grams


@njit(cache=True, nogil=True)
def _sort(values: NDArray[np.int64], size: int) -> None:
    """Shell's sort of the first values: short lists, and no general sort to compile."""
    gap = 1
    while gap < size // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, size):
            value = values[i]
            j = i
            while j >= gap and values[j - gap] > value:
                values[j] = values[j - gap]
                j -= gap
            values[j] = value
        gap //= 3


@njit(cache=True, nogil=True)
def _note(have: NDArray[np.int64], touched: NDArray[np.int64], size: int, gram: int) -> int:
    """Count one occurrence; returns how many different n-grams the sentence has so far."""
    if have[gram] == 0:
        touched[size] = gram
        size += 1
    have[gram] += 1
    return size


@njit(cache=True, nogil=True)
def cover(
    ids: NDArray[np.int32],
    starts: NDArray[np.int64],
    sentences: int,
    first: int,
    last: int,
    kinds: NDArray[np.int64],
    widths: NDArray[np.int64],
) -> tuple[
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
]:
    """Count the n-grams of the references (texts `first:last`) in the sentences (texts `:sentences`).

    Returns starts, n-grams and counts of the sentences' entries; starts and values of the n-grams'
    gains; the parts' first n-grams; the sentences' own n-grams by part; the references' totals by part.
    """
    parts = len(kinds)
    total = np.int64(0)
    room = np.int64(parts)
    for p in range(parts):
        for r in range(first, last):
            size = starts[r + 1] - starts[r]
            most = _occurrences(kinds[p], widths[p], size)
            total += most
            room += most * widths[p] if kinds[p] == GRAMS else most + size
    table = 16
    while table < 2 * room:
        table *= 2
    keys = np.full(table, EMPTY, np.int64)
    nodes = np.empty(table, np.int64)
    gram_of = np.full(room + 1, EMPTY, np.int64)
    occurrences = np.empty(total, np.int64)
    texts = np.zeros(parts * (last - first) + 1, np.int64)
    part_starts = np.zeros(parts + 1, np.int64)
    totals = np.zeros(parts, np.int64)
    known = parts
    at = grams = 0
    for p in range(parts):
        width = widths[p]
        for r in range(first, last):
            text = ids[starts[r] : starts[r + 1]]
            size = len(text)
            if kinds[p] == GRAMS:
                for i in range(size - width + 1):
                    node = p
                    for j in range(i, i + width):
                        node, known = _enter(keys, nodes, node, text[j], known)
                    grams = _number(gram_of, node, grams, occurrences, at)
                    at += 1
            else:
                # the script stops before the last token, whose unigram is therefore not counted
                for i in range(size - 1):
                    word, known = _enter(keys, nodes, p, text[i], known)
                    if kinds[p] == PAIRS_AND_WORDS:
                        grams = _number(gram_of, word, grams, occurrences, at)
                        at += 1
                    for j in range(i + 1, min(size, i + width + 2)):
                        node, known = _enter(keys, nodes, word, text[j], known)
                        grams = _number(gram_of, node, grams, occurrences, at)
                        at += 1
            texts[p * (last - first) + r - first + 1] = at
        part_starts[p + 1] = grams
        totals[p] = at - texts[p * (last - first)]

    have = np.zeros(grams + 1, np.int64)
    gain_starts = np.zeros(grams + 1, np.int64)
    for t in range(len(texts) - 1):
        for o in range(texts[t], texts[t + 1]):
            gram = occurrences[o]
            have[gram] += 1
            gain_starts[gram + 1] = max(gain_starts[gram + 1], have[gram])
        for o in range(texts[t], texts[t + 1]):
            have[occurrences[o]] = 0
    for gram in range(grams):
        gain_starts[gram + 1] += gain_starts[gram]
    gains = np.zeros(gain_starts[grams], np.int64)
    for t in range(len(texts) - 1):
        for o in range(texts[t], texts[t + 1]):
            gram = occurrences[o]
            gains[gain_starts[gram] + have[gram]] += 1
            have[gram] += 1
        for o in range(texts[t], texts[t + 1]):
            have[occurrences[o]] = 0

    # most words and pairs of a source are in no reference: two small tables say so at once
    begins = np.zeros(FILTER, np.bool_)
    pairs = np.zeros(FILTER, np.bool_)
    for r in range(starts[first], starts[last]):
        begins[ids[r] & (FILTER - 1)] = True
        if r + 1 < starts[last]:
            pairs[(ids[r] * SPREAD + ids[r + 1]) & (FILTER - 1)] = True
    words = starts[sentences] - starts[0]
    entry_starts = np.zeros(sentences + 1, np.int64)
    entry_grams = np.empty(words + 16, np.int64)
    entry_counts = np.empty(words + 16, np.int64)
    own = np.zeros((parts, sentences), np.int64)
    touched = np.empty(grams + 1, np.int64)
    entries = np.int64(0)
    for s in range(sentences):
        text = ids[starts[s] : starts[s + 1]]
        size = len(text)
        different = 0
        for p in range(parts):
            width = widths[p]
            own[p, s] = _occurrences(kinds[p], width, size)
            if kinds[p] == GRAMS:
                for i in range(size - width + 1):
                    if width > 1 and not pairs[(text[i] * SPREAD + text[i + 1]) & (FILTER - 1)]:
                        continue
                    if not begins[text[i] & (FILTER - 1)]:
                        continue
                    node = p
                    for j in range(i, i + width):
                        node = _child(keys, nodes, node, text[j])
                        if node == EMPTY:
                            break
                    if node != EMPTY:
                        different = _note(have, touched, different, gram_of[node])
            else:
                for i in range(size):
                    if not begins[text[i] & (FILTER - 1)]:
                        continue
                    word = _child(keys, nodes, p, text[i])
                    if word == EMPTY:
                        continue
                    if kinds[p] == PAIRS_AND_WORDS:
                        different = _note(have, touched, different, gram_of[word])
                    for j in range(i + 1, min(size, i + width + 2)):
                        node = _child(keys, nodes, word, text[j])
                        if node != EMPTY:
                            different = _note(have, touched, different, gram_of[node])
        _sort(touched, different)
        if entries + different > len(entry_grams):
            more = 2 * (entries + different)
            wider = np.empty(more, np.int64)
            wider[:entries] = entry_grams[:entries]
            entry_grams = wider
            deeper = np.empty(more, np.int64)
            deeper[:entries] = entry_counts[:entries]
            entry_counts = deeper
        for e in range(different):
            entry_grams[entries] = touched[e]
            entry_counts[entries] = have[touched[e]]
            have[touched[e]] = 0
            entries += 1
        entry_starts[s + 1] = entries
    return (
        entry_starts,
        entry_grams[:entries].copy(),
        entry_counts[:entries].copy(),
        gain_starts,
        gains,
        part_starts,
        own,
        totals,
    )
