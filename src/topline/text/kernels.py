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
def _find(
    slots: NDArray[np.int32],
    keys: NDArray[np.uint64],
    pool: NDArray[np.uint8],
    ends: NDArray[np.int64],
    token: NDArray[np.uint8],
    size: int,
    key: np.uint64,
) -> tuple[int, int]:
    """The number of a known token, or EMPTY; and the slot where it is or belongs.

    A token of up to eight bytes is its own key; of longer ones the key is a hash, and the bytes decide.
    """
    mask = len(slots) - 1
    slot = _home(key, mask)
    while slots[slot] != EMPTY:
        raw = slots[slot]
        start = ends[raw]
        if keys[raw] == key and ends[raw + 1] - start == size:
            same = True
            if size > 8:
                for i in range(size):
                    if pool[start + i] != token[i]:
                        same = False
                        break
            if same:
                return int(raw), int(slot)
        slot = (slot + 1) & mask
    return EMPTY, int(slot)


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
    """
    prime = np.uint64(1099511628211)
    eight = np.uint64(8)
    token = np.empty(len(text) + 1, np.uint8)
    written = 0
    at = 0
    out_starts[0] = 0
    for t in range(len(text_ends)):
        size = int(np.int64(0))  # typed: a literal would have `_find` compiled twice
        key = np.uint64(0)
        end = text_ends[t]
        while at <= end:
            byte = classes[text[at]] if at < end else np.uint8(0)
            at += 1
            if byte != 0:
                token[size] = byte
                key = (key << eight) | np.uint64(byte) if size < 8 else (key ^ np.uint64(byte)) * prime
                size += 1
            elif size > 0:
                raw, slot = _find(slots, keys, pool, ends, token, size, key)
                if raw == EMPTY:
                    raw = known
                    known += 1
                    slots[slot] = raw
                    keys[raw] = key
                    start = ends[raw]
                    for i in range(size):
                        pool[start + i] = token[i]
                    ends[raw + 1] = start + size
                out[written] = raw
                written += 1
                size = 0
                key = np.uint64(0)
        at = end
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
