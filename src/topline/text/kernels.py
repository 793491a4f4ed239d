"""Compiled tokenising: bytes in, numbers of raw tokens out, every token compared in full."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

EMPTY = -1
"""A slot of the hash table that holds no token."""


@njit(cache=True, nogil=True, error_model="numpy")
def _home(key: np.uint64, mask: int) -> int:
    """The slot where the search for a key begins."""
    mixed = key * np.uint64(0x9E3779B97F4A7C15)
    return int(np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(mask)))


@njit(cache=True, nogil=True, error_model="numpy")
def tokenize(
    text: NDArray[np.uint8],
    text_ends: NDArray[np.int64],
    classes: NDArray[np.uint8],
    slots: NDArray[np.int32],
    keys: NDArray[np.uint64],
    pool: NDArray[np.uint8],
    ends: NDArray[np.int64],
    known: int,
    out: NDArray[np.int32],
    out_starts: NDArray[np.int64],
) -> tuple[int, int]:
    """Number the tokens of texts that lie behind one another; new tokens enter the table.

    `classes` maps a byte to the byte it counts as, 0 if it separates. The table must have room for
    as many new tokens as the text can hold. Returns the tokens written and the tokens now known.

    A token of up to eight bytes is its own key (its highest bit is 0, as all tokens are ASCII); of longer
    ones the key is a hash with the highest bit set, and the bytes decide.
    """
    prime = np.uint64(1099511628211)
    eight = np.uint64(8)
    long = np.uint64(1) << np.uint64(63)
    mask = len(slots) - 1
    written = 0
    at = np.int64(0)
    out_starts[0] = 0
    for t in range(len(text_ends)):
        end = text_ends[t]
        while at < end:
            byte = classes[text[at]]
            if byte == 0:
                at += 1
                continue
            first = at
            key = np.uint64(0)
            while byte != 0:
                key = (key << eight) | np.uint64(byte) if at - first < 8 else (key ^ np.uint64(byte)) * prime
                at += 1
                byte = classes[text[at]] if at < end else np.uint8(0)
            size = at - first
            if size > 8:
                key |= long
            slot = _home(key, mask)
            while slots[slot] != EMPTY:
                raw = slots[slot]
                if keys[raw] == key:
                    if size <= 8:
                        break
                    start = ends[raw]
                    same = ends[raw + 1] - start == size
                    i = 0
                    while same and i < size:
                        same = pool[start + i] == classes[text[first + i]]
                        i += 1
                    if same:
                        break
                slot = (slot + 1) & mask
            raw = slots[slot]
            if raw == EMPTY:
                raw = np.int32(known)
                slots[slot] = raw
                keys[known] = key
                start = ends[known]
                for i in range(size):
                    pool[start + i] = classes[text[first + i]]
                known += 1
                ends[known] = start + size
            out[written] = raw
            written += 1
        out_starts[t + 1] = written
    return written, known


@njit(cache=True, nogil=True, error_model="numpy")
def rehash(slots: NDArray[np.int32], keys: NDArray[np.uint64], known: int) -> None:
    """Enter all known tokens into a larger, empty table; they differ, so no comparison is needed."""
    mask = len(slots) - 1
    for raw in range(known):
        slot = _home(keys[raw], mask)
        while slots[slot] != EMPTY:
            slot = (slot + 1) & mask
        slots[slot] = raw
