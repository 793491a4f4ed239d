"""Compiled labelling: many documents in one call, so that Python's part is small."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from topline.problem.kernels import cover
from topline.search.kernels.counts import Array, Counts, put
from topline.search.kernels.ratio import best_ratio, greedy_ratio, value_of

OK, UNDONE = 0, 1
"""A document's best extract was found, or the document needs another way (or has an error)."""


@njit(cache=True, nogil=True)
def best_of_each(
    ids: NDArray[np.int32],
    starts: Array,
    firsts: Array,
    sentences: Array,
    lengths: Array,
    budgets: Array,
    kinds: Array,
    widths: Array,
    f1: bool,
    most: int,
    largest: float,
    chosen: Array,
    sizes: Array,
    above: Array,
    below: Array,
) -> Array:
    """The best extract of each document by a sum of F1 or recall.

    Document `d` has the texts `firsts[d]:firsts[d + 1]`, its sentences first, then its references. Its
    extract goes to `chosen`, from its first sentence's place among all sentences on, its value to
    `above / below` (halved, for F1). Returns the documents' fates.
    """
    fates = np.zeros(len(sentences), np.int64)
    parts = len(kinds)
    scales = np.ones(parts, np.int64)
    nothing = np.zeros(0, np.int64)
    at = 0
    for d in range(len(sentences)):
        n = sentences[d]
        here = starts[firsts[d] : firsts[d + 1] + 1]
        references = firsts[d + 1] - firsts[d] - n
        entry_starts, grams, counts, gain_starts, gains, part_starts, own, totals = cover(
            ids, here, n, n, n + references, kinds, widths
        )
        product = float(parts)
        for p in range(parts):
            most_own = 0
            for i in range(n):
                own[p, i] *= references if f1 else 0
                most_own += own[p, i]
            product *= totals[p] * (float(totals[p]) + most_own) / max(totals[p], 1)
        if product == 0.0 or product >= largest:
            fates[d] = UNDONE
            at += n
            continue
        c = Counts(lengths[at : at + n], entry_starts, grams, counts, gain_starts, gains)
        size, joined = greedy_ratio(c, budgets[d], part_starts, scales, totals, own)
        best = np.zeros(n + 1, np.int64)
        put(joined, size, best, 0)
        size, _, complete, _ = best_ratio(
            c, budgets[d], part_starts, scales, totals, own, most, best, size, nothing
        )
        if complete == 0:
            fates[d] = UNDONE
        put(best, size, chosen, at)
        sizes[d] = size
        above[d], below[d] = value_of(c, best, size, part_starts, scales, totals, own)
        at += n
    return fates
