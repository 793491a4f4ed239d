"""Compiled counting: which n-grams of the references each text holds, every n-gram compared in full.

N-grams are paths in a trie: a node is found by its parent and a token, both packed into one exact key.
A part is an n-gram size or a skip distance; its paths start at a root of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

INNER: dict[str, Any] = {
    "cache": True, "nogil": True, "error_model": "numpy",
    "no_cpython_wrapper": True, "no_cfunc_wrapper": True,
}  # fmt: skip
"""Options of a kernel that only kernels call: without wrappers it compiles faster."""
EMPTY = -1
GRAMS, PAIRS, PAIRS_AND_WORDS = 0, 1, 2
"""Kinds of parts: n-grams, skip-bigrams, skip-bigrams with unigrams."""
FILTER = 1 << 12
"""Places of a table of words (by the last bits of their numbers) and of one of pairs."""
SPREAD = 643
"""Keeps the numbers of a pair's words apart in the table."""


@njit(**INNER)
def _ints(size: int) -> NDArray[np.int64]:
    """So many zeros; made here alone: each call of numpy in a kernel costs compile time of its own."""
    return np.zeros(size, np.int64)


@njit(**INNER)
def _flags(size: int) -> NDArray[np.bool_]:
    """So many times False."""
    return np.zeros(size, np.bool_)


@njit(**INNER)
def _empties(size: int) -> NDArray[np.int64]:
    """So many times EMPTY."""
    values = _ints(size)
    for i in range(size):
        values[i] = EMPTY
    return values


@njit(**INNER)
def _slot(keys: NDArray[np.int64], key: int) -> int:
    """The slot that holds a key, or the free one where it belongs."""
    mask = len(keys) - 1
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    slot = np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(mask))
    while keys[slot] != EMPTY and keys[slot] != key:
        slot = (slot + 1) & mask
    return int(slot)


@njit(**INNER)
def _step(
    keys: NDArray[np.int64], nodes: NDArray[np.int64], node: int, token: int, known: int, enter: bool
) -> tuple[int, int]:
    """The node behind a token (EMPTY, unless it may enter) and the number of nodes known."""
    key = (node << 32) | int(token)
    slot = _slot(keys, key)
    if keys[slot] == EMPTY:
        if not enter:
            return EMPTY, known
        keys[slot] = key
        nodes[slot] = known
        known += 1
    return nodes[slot], known


@njit(**INNER)
def _pairs(size: int, gap: int) -> int:
    """How many skip-bigrams a text of that many tokens has."""
    reach = min(gap + 1, max(size - 1, 0))
    return reach * size - reach * (reach + 1) // 2


@njit(**INNER)
def _occurrences(kind: int, width: int, size: int) -> int:
    """How many n-grams of a part a sentence of that many tokens has, the last word's unigram included."""
    if kind == GRAMS:
        return max(0, size - width + 1)
    return _pairs(size, width) + (size if kind == PAIRS_AND_WORDS else 0)


@njit(**INNER)
def _walk(
    ids: NDArray[np.int32],
    start: int,
    size: int,
    kind: int,
    width: int,
    root: int,
    keys: NDArray[np.int64],
    nodes: NDArray[np.int64],
    known: int,
    enter: bool,
    begins: NDArray[np.bool_],
    pairs: NDArray[np.bool_],
    out: NDArray[np.int64],
) -> tuple[int, int]:
    """Write the nodes of a text's n-grams; those of a reference `enter`, of a source's only known ones are.

    Returns how many were written and how many nodes are known.
    """
    written = 0
    end = start + size
    if kind == GRAMS:
        for i in range(start, end - width + 1):
            if width > 1 and not pairs[(ids[i] * SPREAD + ids[i + 1]) & (FILTER - 1)]:
                continue
            if not begins[ids[i] & (FILTER - 1)]:
                continue
            node = root
            for j in range(i, i + width):
                node, known = _step(keys, nodes, node, ids[j], known, enter)
                if node == EMPTY:
                    break
            if node != EMPTY:
                out[written] = node
                written += 1
        return written, known
    # the script stops before the last token of a text, whose unigram is therefore not counted
    for i in range(start, end - 1 if enter else end):
        if not begins[ids[i] & (FILTER - 1)]:
            continue
        word, known = _step(keys, nodes, root, ids[i], known, enter)
        if word == EMPTY:
            continue
        if kind == PAIRS_AND_WORDS:
            out[written] = word
            written += 1
        for j in range(i + 1, min(end, i + width + 2)):
            node, known = _step(keys, nodes, word, ids[j], known, enter)
            if node != EMPTY:
                out[written] = node
                written += 1
    return written, known


@njit(**INNER)
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


@njit(**INNER)
def _grown(values: NDArray[np.int64], used: int, size: int) -> NDArray[np.int64]:
    """The first values in an array of another size; by a loop, which compiles far faster than slices."""
    larger = _ints(size)
    for i in range(used):
        larger[i] = values[i]
    return larger


@njit(cache=True, nogil=True, error_model="numpy")
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
    # typed constants: a literal would have what it is passed to compiled once more
    entering, no_more = np.bool_(True), np.bool_(False)
    parts = len(kinds)
    total = np.int64(0)
    room = np.int64(parts)
    longest = 1
    for p in range(parts):
        for r in range(first, last):
            size = starts[r + 1] - starts[r]
            most = _occurrences(kinds[p], widths[p], size)
            total += most
            room += most * widths[p] if kinds[p] == GRAMS else most + size
            longest = max(longest, int(most))
        for s in range(sentences):
            size = starts[s + 1] - starts[s]
            longest = max(longest, int(_occurrences(kinds[p], widths[p], size)))
    table = 16
    while table < 2 * room:
        table *= 2
    keys = _empties(table)
    nodes = _ints(table)
    gram_of = _empties(room + 1)
    occurrences = _ints(total)
    texts = _ints(parts * (last - first) + 1)
    part_starts = _ints(parts + 1)
    totals = _ints(parts)
    met = _ints(longest)
    # most words and pairs of a source are in no reference: two small tables say so at once
    begins = _flags(FILTER)
    pairs = _flags(FILTER)
    for r in range(starts[first], starts[last]):
        begins[ids[r] & (FILTER - 1)] = True
        if r + 1 < starts[last]:
            pairs[(ids[r] * SPREAD + ids[r + 1]) & (FILTER - 1)] = True
    known = parts
    at = grams = 0
    for p in range(parts):
        for r in range(first, last):
            size = starts[r + 1] - starts[r]
            count, known = _walk(
                ids, starts[r], size, kinds[p], widths[p], p, keys, nodes, known, entering, begins, pairs, met
            )
            for o in range(count):
                if gram_of[met[o]] == EMPTY:
                    gram_of[met[o]] = grams
                    grams += 1
                occurrences[at] = gram_of[met[o]]
                at += 1
            texts[p * (last - first) + r - first + 1] = at
        part_starts[p + 1] = grams
        totals[p] = at - texts[p * (last - first)]

    have = _ints(grams + 1)
    gain_starts = _ints(grams + 1)
    for t in range(len(texts) - 1):
        for o in range(texts[t], texts[t + 1]):
            gram = occurrences[o]
            have[gram] += 1
            gain_starts[gram + 1] = max(gain_starts[gram + 1], have[gram])
        for o in range(texts[t], texts[t + 1]):
            have[occurrences[o]] = 0
    for gram in range(grams):
        gain_starts[gram + 1] += gain_starts[gram]
    gains = _ints(gain_starts[grams])
    for t in range(len(texts) - 1):
        for o in range(texts[t], texts[t + 1]):
            gram = occurrences[o]
            gains[gain_starts[gram] + have[gram]] += 1
            have[gram] += 1
        for o in range(texts[t], texts[t + 1]):
            have[occurrences[o]] = 0

    words = starts[sentences] - starts[0]
    entry_starts = _ints(sentences + 1)
    entry_grams = _ints(words + 16)
    entry_counts = _ints(words + 16)
    own = np.zeros((parts, sentences), np.int64)
    touched = _ints(grams + 1)
    entries = np.int64(0)
    for s in range(sentences):
        size = starts[s + 1] - starts[s]
        different = np.int64(0)
        for p in range(parts):
            own[p, s] = _occurrences(kinds[p], widths[p], size)
            count, known = _walk(
                ids, starts[s], size, kinds[p], widths[p], p, keys, nodes, known, no_more, begins, pairs, met
            )
            for o in range(count):
                gram = gram_of[met[o]]
                if have[gram] == 0:
                    touched[different] = gram
                    different += 1
                have[gram] += 1
        _sort(touched, different)
        if entries + different > len(entry_grams):
            entry_grams = _grown(entry_grams, entries, 2 * (entries + different))
            entry_counts = _grown(entry_counts, entries, 2 * (entries + different))
        for e in range(different):
            entry_grams[entries] = touched[e]
            entry_counts[entries] = have[touched[e]]
            have[touched[e]] = 0
            entries += 1
        entry_starts[s + 1] = entries
    return (
        entry_starts,
        _grown(entry_grams, entries, entries),
        _grown(entry_counts, entries, entries),
        gain_starts,
        gains,
        part_starts,
        own,
        totals,
    )
