"""From token numbers to one sparse count matrix, and what can be read off it."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@njit(cache=True, nogil=True)
def sort_ints(numbers: Ints32) -> None:
    """Sort in place (Shell's method: it compiles ten times faster than the library's sort)."""
    gap = 1
    while gap < len(numbers) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, len(numbers)):
            number = numbers[i]
            j = i
            while j >= gap and numbers[j - gap] > number:
                numbers[j] = numbers[j - gap]
                j -= gap
            numbers[j] = number
        gap //= 3


@njit(cache=True, nogil=True)
def compact(ids: Ints32, scratch: Ints32) -> tuple[Ints32, Ints32]:
    """Renumber ids from 0 in order of first appearance; negative ids stay -1.

    `scratch` is all -1 at entry and at exit, and longer than the largest id.
    Returns the new ids and the old id of each new one.
    """
    local = np.empty(len(ids), np.int32)
    distinct = np.empty(len(ids), np.int32)
    found = 0
    for k in range(len(ids)):
        old = ids[k]
        if old < 0:
            local[k] = -1
            continue
        if scratch[old] < 0:
            scratch[old] = found
            distinct[found] = old
            found += 1
        local[k] = scratch[old]
    for new in range(found):
        scratch[distinct[new]] = -1
    return local, distinct[:found].copy()


@njit(cache=True, nogil=True)
def count_rows(ids: Ints32, starts: Ints, rows: int, columns: int) -> tuple[Ints, Ints32, Ints32]:
    """Count matrix of the first `rows` texts by rows, columns rising; negative ids are left out."""
    room = starts[rows]
    row_starts = np.zeros(rows + 1, np.int64)
    terms = np.empty(room, np.int32)
    counts = np.empty(room, np.int32)
    seen = np.zeros(columns, np.int32)
    end = 0
    for row in range(rows):
        begin = end
        for k in range(starts[row], starts[row + 1]):
            term = ids[k]
            if term < 0:
                continue
            if seen[term] == 0:
                terms[end] = term
                end += 1
            seen[term] += 1
        sort_ints(terms[begin:end])
        for entry in range(begin, end):
            counts[entry] = seen[terms[entry]]
            seen[terms[entry]] = 0
        row_starts[row + 1] = end
    return row_starts, terms[:end].copy(), counts[:end].copy()


@njit(cache=True, nogil=True)
def count_documents(ids: Ints32, starts: Ints, first: int, last: Ints, held: Ints, counts: Ints) -> None:
    """Count words: their occurrences, and the documents that hold them.

    The documents are numbered from `first`; `last` remembers the one each word was met in last.
    """
    for document in range(len(starts) - 1):
        for k in range(starts[document], starts[document + 1]):
            word = ids[k]
            counts[word] += 1
            if last[word] != first + document:
                last[word] = first + document
                held[word] += 1


@njit(cache=True, nogil=True)
def transpose(starts: Ints, terms: Ints32, columns: int) -> tuple[Ints, Ints32, Ints]:
    """For each column the rows that hold it, rising, and the entry where each stands."""
    column_starts = np.zeros(columns + 1, np.int64)
    for term in terms:
        column_starts[term + 1] += 1
    for column in range(columns):
        column_starts[column + 1] += column_starts[column]
    fill = column_starts[:-1].copy()
    rows = np.empty(len(terms), np.int32)
    entries = np.empty(len(terms), np.int64)
    for row in range(len(starts) - 1):
        for entry in range(starts[row], starts[row + 1]):
            place = fill[terms[entry]]
            fill[terms[entry]] += 1
            rows[place] = row
            entries[place] = entry
    return column_starts, rows, entries


@njit(cache=True, nogil=True)
def row_lengths(starts: Ints, counts: Ints32) -> Ints:
    """For each row the sum of its counts."""
    lengths = np.zeros(len(starts) - 1, np.int64)
    for row in range(len(starts) - 1):
        for entry in range(starts[row], starts[row + 1]):
            lengths[row] += counts[entry]
    return lengths


@njit(cache=True, nogil=True)
def row_sums(starts: Ints, terms: Ints32, counts: Ints32, weights: Floats) -> Floats:
    """For each row the sum of count x weight over its columns."""
    sums = np.zeros(len(starts) - 1)
    for row in range(len(starts) - 1):
        for entry in range(starts[row], starts[row + 1]):
            sums[row] += counts[entry] * weights[terms[entry]]
    return sums


@njit(cache=True, nogil=True)
def unit_rows(starts: Ints, terms: Ints32, counts: Ints32, weights: Floats) -> Floats:
    """Entries count x weight, each row scaled to length 1; rows without weight stay 0."""
    values = np.empty(len(terms))
    for row in range(len(starts) - 1):
        square = 0.0
        for entry in range(starts[row], starts[row + 1]):
            values[entry] = counts[entry] * weights[terms[entry]]
            square += values[entry] * values[entry]
        if square > 0.0:
            length = np.sqrt(square)
            for entry in range(starts[row], starts[row + 1]):
                values[entry] /= length
    return values


@njit(cache=True, nogil=True)
def merge_common(terms: Ints32, counts: Ints32, a_begin: int, a_end: int, b_begin: int, b_end: int) -> int:
    """Tokens that two rows share, a word counted as often as the row that has it less often."""
    common = 0
    a, b = a_begin, b_begin
    while a < a_end and b < b_end:
        if terms[a] < terms[b]:
            a += 1
        elif terms[b] < terms[a]:
            b += 1
        else:
            common += min(counts[a], counts[b])
            a += 1
            b += 1
    return common


@njit(cache=True, nogil=True)
def overlaps(starts: Ints, terms: Ints32, counts: Ints32, lengths: Ints, row: int) -> Floats:
    """`2 common / (length + length)` of one row with every row; 0 where both are empty."""
    result = np.zeros(len(lengths))
    for other in range(len(lengths)):
        total = lengths[row] + lengths[other]
        if total > 0:
            common = merge_common(
                terms, counts, starts[row], starts[row + 1], starts[other], starts[other + 1]
            )
            result[other] = 2.0 * common / total
    return result


@njit(cache=True, nogil=True)
def bigram_ids(ids: Ints32, starts: Ints, rows: int, columns: int) -> Ints:
    """For each token but a text's first the pair it ends as one number, else -1; stop words cut no gap."""
    pairs = np.full(starts[rows], -1, np.int64)
    for row in range(rows):
        before = -1
        for k in range(starts[row], starts[row + 1]):
            if ids[k] < 0:
                continue
            if before >= 0:
                pairs[k] = np.int64(before) * columns + ids[k]
            before = ids[k]
    return pairs


@njit(cache=True, nogil=True)
def products(starts: Ints, terms: Ints32, values: Floats, row: int, columns: int) -> Floats:
    """Inner products of one row with every row."""
    dense = np.zeros(columns)
    for entry in range(starts[row], starts[row + 1]):
        dense[terms[entry]] = values[entry]
    found = np.zeros(len(starts) - 1)
    for other in range(len(starts) - 1):
        for entry in range(starts[other], starts[other + 1]):
            found[other] += values[entry] * dense[terms[entry]]
    return found
