"""CIDR's clusters in plain arrays, with an index from words to the clusters whose centroid holds them.

A word's list holds (cluster, weight, place in the cluster's list), a cluster's list (word, weight, place
in the word's list): each entry knows its twin, so that both go in one step. Lists grow in blocks of 2^k
places; a block that is left goes onto the free list of its size, so memory follows the clusters that are
alive, not the length of the stream.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Floats = NDArray[np.float64]

START, LENGTH, SIZE = 0, 1, 2
SMALLEST = 4
KINDS = 40
"""Sizes of blocks there can be: 4, 8, 16, ..."""


class Lists(NamedTuple):
    """Many growing lists in one pool: one list a word, or one a cluster."""

    table: Ints
    """A row a list: start of its block (-1: none), length, size of the block."""
    keys: Ints32
    weights: Floats
    twins: Ints32
    links: Ints
    """At a free block's start, the next free block of its size; -1 at the end."""
    free: Ints
    """The first free block of each size, and last where the pool ends."""


class Weights(NamedTuple):
    """What a word counts, by its number."""

    idf: Floats
    """For the keep rule."""
    across: Floats
    """In products: IDF once (paper) or twice (mead3)."""
    along: Floats
    """In norms: 1 (paper) or IDF twice (mead3)."""


class Scratch(NamedTuple):
    """Working space; what is named `sums` and `mean` is all zeros between calls."""

    sums: Floats
    touched: Ints32
    mean: Floats
    merged: Ints32
    mixed: Floats


@njit(cache=True, nogil=True)
def kind_of(size: int) -> int:
    """Which free list blocks of this size are on."""
    kind = 0
    while (SMALLEST << kind) < size:
        kind += 1
    return kind


@njit(cache=True, nogil=True)
def release(lists: Lists, start: int, size: int) -> None:
    """Put a block onto the free list of its size."""
    if size > 0:
        kind = kind_of(size)
        lists.links[start] = lists.free[kind]
        lists.free[kind] = start


@njit(cache=True, nogil=True)
def place(lists: Lists, row: int) -> int:
    """Make room for one more entry at a list's end; returns where it goes."""
    start, length, size = lists.table[row, START], lists.table[row, LENGTH], lists.table[row, SIZE]
    if length == size:
        larger = max(SMALLEST, 2 * size)
        kind = kind_of(larger)
        block = lists.free[kind]
        if block >= 0:
            lists.free[kind] = lists.links[block]
        else:
            block = lists.free[-1]
            lists.free[-1] += larger
        for k in range(length):
            lists.keys[block + k] = lists.keys[start + k]
            lists.weights[block + k] = lists.weights[start + k]
            lists.twins[block + k] = lists.twins[start + k]
        release(lists, start, size)
        lists.table[row, START] = block
        lists.table[row, SIZE] = larger
        start = block
    lists.table[row, LENGTH] = length + 1
    return start + length


@njit(cache=True, nogil=True)
def forget(cluster: int, words: Lists, clusters: Lists) -> None:
    """Take a cluster out of the index and empty its list; a word's last entry fills the gap."""
    first = clusters.table[cluster, START]
    for entry in range(first, first + clusters.table[cluster, LENGTH]):
        word = clusters.keys[entry]
        begin = words.table[word, START]
        gap = begin + clusters.twins[entry]
        last = begin + words.table[word, LENGTH] - 1
        if gap != last:
            words.keys[gap] = words.keys[last]
            words.weights[gap] = words.weights[last]
            words.twins[gap] = words.twins[last]
            clusters.twins[clusters.table[words.keys[gap], START] + words.twins[gap]] = gap - begin
        words.table[word, LENGTH] -= 1
    clusters.table[cluster, LENGTH] = 0


@njit(cache=True, nogil=True)
def retire(cluster: int, words: Lists, clusters: Lists) -> None:
    """Close a cluster: out of the index, its block free again."""
    forget(cluster, words, clusters)
    release(clusters, clusters.table[cluster, START], clusters.table[cluster, SIZE])
    clusters.table[cluster, START] = -1
    clusters.table[cluster, SIZE] = 0


@njit(cache=True, nogil=True)
def tally(codes: Ints, decay: float, capitalised: float, scratch: Scratch) -> tuple[Ints32, Floats]:
    """A document's words in order of appearance, and what they count.

    A code is twice a word's number, and one more where it is capitalised; the k-th word of the document
    weighs `1 - decay k`.
    """
    mean = scratch.mean
    keys = np.empty(len(codes), np.int32)
    size = 0
    for k in range(len(codes)):
        word = codes[k] >> 1
        if mean[word] == 0.0:
            keys[size] = word
            size += 1
        mean[word] += (capitalised if codes[k] & 1 else 1.0) * (1.0 - decay * k)
    weights = np.empty(size)
    for k in range(size):
        weights[k] = mean[keys[k]]
        mean[keys[k]] = 0.0
    return keys[:size].copy(), weights


@njit(cache=True, nogil=True)
def keep_rule(keys: Ints32, weights: Floats, number: int, idf: Floats, threshold: float, keep: int) -> int:
    """Order words by weight x IDF, falling (the earlier word on a tie), and say how many are kept.

    Those above the threshold and at least `keep` of them; never one that weighs nothing.
    """
    above = 0
    for i in range(number):
        word, weight = keys[i], weights[i]
        value = weight * idf[word]
        if value > threshold:
            above += 1
        j = i
        while j > 0:
            before = weights[j - 1] * idf[keys[j - 1]]
            if before > value or (before == value and keys[j - 1] < word):
                break
            keys[j], weights[j] = keys[j - 1], weights[j - 1]
            j -= 1
        keys[j], weights[j] = word, weight
    kept = min(number, max(above, keep))
    while kept > 0 and weights[kept - 1] * idf[keys[kept - 1]] <= 0.0:
        kept -= 1
    return kept


@njit(cache=True, nogil=True)
def nearest(
    keys: Ints32,
    weights: Floats,
    number: int,
    by: Weights,
    words: Lists,
    squares: Floats,
    serial: Ints,
    scratch: Scratch,
) -> tuple[int, float]:
    """The cluster most similar to a document's centroid, and how similar; the earlier one on a tie.

    -1 if none shares a word with it. `squares` are the clusters' squared norms, `serial` their order.
    """
    sums, touched = scratch.sums, scratch.touched
    found = 0
    square = 0.0
    for k in range(number):
        word = keys[k]
        square += weights[k] * weights[k] * by.along[word]
        factor = weights[k] * by.across[word]
        begin = words.table[word, START]
        for entry in range(begin, begin + words.table[word, LENGTH]):
            cluster = words.keys[entry]
            if sums[cluster] == 0.0:
                touched[found] = cluster
                found += 1
            sums[cluster] += factor * words.weights[entry]
    best = -1
    best_similarity = 0.0
    for k in range(found):
        cluster = touched[k]
        scale = np.sqrt(square) * np.sqrt(squares[cluster])
        similarity = sums[cluster] / scale if scale > 0.0 else 0.0
        sums[cluster] = 0.0
        ahead = similarity == best_similarity and serial[cluster] < serial[best]
        if best < 0 or similarity > best_similarity or ahead:
            best, best_similarity = cluster, similarity
    return best, best_similarity


@njit(cache=True, nogil=True)
def join(
    cluster: int,
    members: int,
    keys: Ints32,
    weights: Floats,
    number: int,
    by: Weights,
    threshold: float,
    keep: int,
    words: Lists,
    clusters: Lists,
    scratch: Scratch,
) -> float:
    """Add a document's centroid to a cluster of so many members; returns its new squared norm.

    Each word's weight becomes the running mean over the members, then the keep rule applies again.
    """
    mean, merged, mixed = scratch.mean, scratch.merged, scratch.mixed
    size = 0
    first = clusters.table[cluster, START]
    for entry in range(first, first + clusters.table[cluster, LENGTH]):
        word = clusters.keys[entry]
        mean[word] = clusters.weights[entry] * members
        merged[size] = word
        size += 1
    for k in range(number):
        if mean[keys[k]] == 0.0:
            merged[size] = keys[k]
            size += 1
        mean[keys[k]] += weights[k]
    for k in range(size):
        mixed[k] = mean[merged[k]] / (members + 1)
        mean[merged[k]] = 0.0
    forget(cluster, words, clusters)
    square = 0.0
    for k in range(keep_rule(merged, mixed, size, by.idf, threshold, keep)):
        word = merged[k]
        mine, its = place(clusters, cluster), place(words, word)
        clusters.keys[mine], clusters.weights[mine] = word, mixed[k]
        words.keys[its], words.weights[its] = cluster, mixed[k]
        clusters.twins[mine] = its - words.table[word, START]
        words.twins[its] = mine - clusters.table[cluster, START]
        square += mixed[k] * mixed[k] * by.along[word]
    return square


@njit(cache=True, nogil=True)
def index_growth(keys: Ints32, number: int, words: Lists) -> int:
    """The most that a join of these words can take from the end of the words' pool."""
    most = 0
    for k in range(number):
        most += max(SMALLEST, 2 * words.table[keys[k], SIZE])
    return most
