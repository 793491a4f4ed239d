"""Moving the demand on by a whole sentence in few steps: by powers of two, each for all fields at once."""

from __future__ import annotations

import numpy as np

from topline.spread.encode import LANES, Encoding, Words, ones, words
from topline.spread.grams import Gram

_FARTHEST = 5
"""The logarithm of the longest step: a word must not be left."""


def moves(encoding: Encoding) -> tuple[Words, Words, Words]:
    """What a sentence moves on, in steps of 1, 2, 4, ... up to 32 bits, these again if need be.

    In step `k` its fields `clear[k]` move by `amounts[k]`; `keep[k]` are the same without the bits that are
    lost at their tops.
    """
    fields: dict[Gram, list[tuple[int, int]]] = {}
    for field, offset in encoding.offsets.items():
        fields.setdefault(field.gram, []).append((offset, field.size))
    masks: list[list[list[int]]] = []
    for s, sentence in enumerate(encoding.sentences):
        for gram, times in sentence.whole.items():
            for offset, size in fields.get(gram, ()):
                for k, amount in enumerate(_powers(min(times, size))):
                    if not amount:
                        continue
                    while len(masks) <= k:
                        masks.append([[0, 0] for _ in encoding.sentences])
                    masks[k][s][0] |= ones(size) << offset
                    masks[k][s][1] |= ones(max(0, size - amount)) << offset
    padded = (encoding.size + LANES - 1) // LANES * LANES + LANES
    found = np.zeros((2, max(1, len(masks)), encoding.width, padded), np.uint64)
    for k, by_sentence in enumerate(masks):
        for s, pair in enumerate(by_sentence):
            for which, bits in enumerate(pair):
                found[which, k, :, s] = words(bits, encoding.width)
    amounts = np.array([1 << min(k, _FARTHEST) for k in range(found.shape[1])], np.uint64)
    return found[0], found[1], amounts


def _powers(times: int) -> list[int]:
    """A number as a sum of 1, 2, 4, ... up to 32, and of as many more of these as it takes."""
    low = [times & 1 << k for k in range(_FARTHEST)]
    return low + [1 << _FARTHEST] * (times >> _FARTHEST)
