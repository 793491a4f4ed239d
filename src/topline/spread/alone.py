"""N-grams that never compete: what they gain does not depend on what else an extract holds.

Either all sentences together hold no more of one than a field demands, or one sentence alone holds it. Its
bits leave the state; what they count is added sentence by sentence.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from topline.spread.encode import Encoding, Field, Ints, Words, ones, words
from topline.spread.frontier import most_of
from topline.spread.grams import Gram


@dataclass(frozen=True, slots=True)
class Alone:
    """An encoding without its n-grams that never compete, and how to get there."""

    encoding: Encoding
    bits: Ints
    """The bits that stay, by their places in the given state."""
    mask: Words
    """Those that leave."""

    @classmethod
    def of(cls, encoding: Encoding) -> Alone:
        """Find them, where all weights are 1; elsewhere nothing leaves."""
        leaving = _never_competing(encoding) if (encoding.weights == 1).all() else set()
        offsets: dict[Field, int] = {}
        bits: list[int] = []
        mask = 0
        for field, offset in encoding.offsets.items():
            if field in leaving:
                mask |= ones(field.size) << offset
            else:
                offsets[field] = len(bits)
                bits += range(offset, offset + field.size)
        if not leaving:
            return cls(encoding, np.arange(64 * encoding.width), words(0, encoding.width))
        width = max(1, -(-len(bits) // 64))
        reduced = replace(
            encoding,
            offsets=offsets,
            state=words(ones(len(bits)), width),
            weights=np.ones(width, np.int64),
            groups=np.zeros(width, np.int64),
        )
        return cls(reduced, np.array(bits, np.int64), words(mask, encoding.width))

    def staying(self, given: Words) -> Words:
        """Words of the given state (along the last axis) as words of the state that is left."""
        bits = np.unpackbits(given.astype("<u8").view(np.uint8), axis=-1, bitorder="little")[..., self.bits]
        packed = np.packbits(bits, axis=-1, bitorder="little")
        found = np.zeros((*given.shape[:-1], 8 * self.encoding.width), np.uint8)
        found[..., : packed.shape[-1]] = packed
        return found.view("<u8").astype(np.uint64)

    def leaving(self, given: Words) -> Ints:
        """What the bits that leave count, of words of the given state (along the last axis)."""
        found: Ints = np.bitwise_count(given & self.mask).sum(-1, dtype=np.int64)
        return found


def _never_competing(encoding: Encoding) -> set[Field]:
    supply: Counter[Gram] = Counter()
    sentences: Counter[Gram] = Counter()
    for position in range(encoding.size):
        most = most_of(encoding, position)
        supply.update(most)
        sentences.update(most.keys())
    return {f for f in encoding.offsets if supply[f.gram] <= f.size or sentences[f.gram] == 1}
