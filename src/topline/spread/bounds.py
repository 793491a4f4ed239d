"""What a partial set can still come to: multipliers on the occurrences of n-grams, in whole numbers.

For a field of weight `w` with `r` bits open and any `0 <= u <= w`, `d` more occurrences gain
`w * min(d, r) <= u * d + (w - u) * r`. So the open bits count `w - u` each, every occurrence in a later
sentence `u`, and the best choice of later sentences is a knapsack. Good multipliers come from a subgradient
method in floats; rounded to multiples of `1 / SCALE` they are as valid as any others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topline.spread.encode import Encoding, Field, Ints
from topline.spread.grams import Gram, Prefixes

SCALE = 1 << 10
_ROUNDS = 300
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bound:
    """Multipliers, in units of `1 / SCALE`."""

    by_gram: dict[Gram, int]
    """What an occurrence of an n-gram counts, for all its fields together."""
    slack: Ints
    """`slack[b, v]`: what open bits count, byte `b` of the state being `v`."""

    @classmethod
    def of(cls, encoding: Encoding, budget: int) -> Bound:
        """The multipliers that bound the best extract best."""
        fields = list(encoding.offsets)
        return cls.at(encoding, dict(zip(fields, best_multipliers(encoding, budget).tolist(), strict=True)))

    @classmethod
    def at(cls, encoding: Encoding, multipliers: Mapping[Field, float]) -> Bound:
        """These multipliers, in whole numbers."""
        worth = {
            field: int(np.clip(round(u * SCALE), 0, field.weight * SCALE)) for field, u in multipliers.items()
        }
        bits = np.zeros(64 * encoding.width, np.int64)
        for field, offset in encoding.offsets.items():
            bits[offset : offset + field.size] = field.weight * SCALE - worth[field]
        bytes_ = (np.arange(256)[:, None] >> np.arange(8)) & 1
        by_gram: Counter[Gram] = Counter()
        for field, value in worth.items():
            by_gram[field.gram] += value
        return cls(dict(by_gram), (bits.reshape(-1, 8) @ bytes_.T).astype(np.int64))

    def of_prefixes(self, sentence: Prefixes) -> Ints:
        """What the occurrences in each prefix count together, one number a change of the prefix."""
        worth = self.by_gram
        return np.array(
            [sum(times * worth.get(gram, 0) for gram, times in count.items()) for count in sentence.counts],
            np.int64,
        )

    def clearest(self, encoding: Encoding, positions: Sequence[int], room: int) -> list[int]:
        """The positions by how clearly the multipliers decide them, the clearest first."""
        worth = np.array([self.of_prefixes(sentence)[-1] for sentence in encoding.sentences], float)
        lengths = encoding.lengths
        by_density = np.argsort(-worth / lengths, kind="stable")
        filled = int(np.searchsorted(np.cumsum(lengths[by_density]), room))
        price = 0.0
        if filled < len(lengths):
            price = worth[by_density[filled]] / lengths[by_density[filled]]
        clear = np.abs(worth - price * lengths) + 0.1 * worth
        return sorted(positions, key=lambda position: (-clear[position], position))

    def ahead(self, sentences: Sequence[Prefixes], room: int, *, chopped: bool) -> Ints:
        """`ahead[t, closed, r]`: what sentences from the `t`-th on can add to room `r` at most."""
        best = np.zeros((len(sentences) + 1, 2, room + 1), np.int64)
        for t in range(len(sentences) - 1, -1, -1):
            sentence = sentences[t]
            worth = self.of_prefixes(sentence)
            best[t] = best[t + 1]
            for closed in (0, 1):
                _improve(best[t, closed], best[t + 1, closed], sentence.length, int(worth[-1]))
            if chopped:
                for start, value in zip(sentence.starts, worth.tolist(), strict=True):
                    _improve(best[t, 0], best[t + 1, 1], start, value)
        return best


def _improve(best: Ints, after: Ints, length: int, worth: int) -> None:
    """Let a sentence (or a prefix) of this length and worth stand before the best rest."""
    if length < len(best):
        np.maximum(best[length:], after[: len(after) - length] + worth, out=best[length:])


def best_multipliers(encoding: Encoding, budget: int) -> Floats:
    """A subgradient method on the bound of the empty set, with the fractional knapsack; by field."""
    fields = list(encoding.offsets)
    counts = np.array([[s.whole[field.gram] for field in fields] for s in encoding.sentences], float)
    weights = np.array([field.weight for field in fields], float)
    sizes = np.array([field.size for field in fields], float)
    lengths = encoding.lengths.astype(float)
    if not counts.size:
        return np.zeros(len(fields))
    u = weights / 2
    best, best_u = np.inf, u
    step, stalls = 1.0, 0
    for _ in range(_ROUNDS):
        worth = counts @ u
        order = np.argsort(-worth / lengths, kind="stable")
        room = np.clip(budget - np.concatenate([[0.0], np.cumsum(lengths[order])[:-1]]), 0, lengths[order])
        chosen = np.zeros(len(lengths))
        chosen[order] = room / lengths[order]
        value = float(((weights - u) * sizes).sum() + worth @ chosen)
        if value < best - 1e-9:
            best, best_u, stalls = value, u.copy(), 0
        else:
            stalls += 1
            if stalls > 8:
                step, stalls, u = step / 2, 0, best_u.copy()
        slope = counts.T @ chosen - sizes
        norm = float(slope @ slope)
        if norm == 0.0:
            break
        u = np.clip(u - step * 0.05 * best / norm * slope, 0, weights)
    return best_u
