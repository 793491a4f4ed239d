"""The problem's arrays as a kernel takes them, and what a sentence adds to an extract."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.int64]


class Counts(NamedTuple):
    """The arrays of a `Problem`, under their names there; `have[j]` below counts n-gram `j` in an extract."""

    lengths: Array
    starts: Array
    grams: Array
    counts: Array
    gain_starts: Array
    gains: Array


@njit(cache=True, nogil=True)
def gain(c: Counts, i: int, have: Array) -> int:
    """What sentence `i` adds to the hits of an extract."""
    added = np.int64(0)
    for e in range(c.starts[i], c.starts[i + 1]):
        j = c.grams[e]
        first = c.gain_starts[j] + have[j]
        for t in range(first, min(first + c.counts[e], c.gain_starts[j + 1])):
            added += c.gains[t]
    return int(added)


@njit(cache=True, nogil=True)
def change(c: Counts, i: int, sign: int, have: Array) -> None:
    """Put a sentence into an extract (sign 1) or take it out (-1)."""
    for e in range(c.starts[i], c.starts[i + 1]):
        have[c.grams[e]] += sign * c.counts[e]


@njit(cache=True, nogil=True)
def put(values: Array, count: int, where: Array, at: int) -> None:
    """Copy the first values to a place; by a loop, which compiles far faster than slices do."""
    for i in range(count):
        where[at + i] = values[i]
