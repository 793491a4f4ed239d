"""The integer coverage problem: everything that searches or counts takes this and never sees text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Problem:
    """Maximise `f(S) = sum_j sum_{t <= c_j(S)} w_jt - sum_{i in S} charge_i` with `sum_{i in S} l_i <= L`.

    All arrays are 64-bit integers. Sentences and n-grams are numbered from 0. The counts `a_ij` are
    stored sentence by sentence, the gains `w_j1 >= w_j2 >= ... > 0` n-gram by n-gram.
    """

    lengths: Ints
    """`l_i`, one a sentence, in the budget's unit."""
    budget: int
    """`L`."""
    starts: Ints
    """Sentence `i` holds the entries `starts[i]:starts[i + 1]` of `grams` and `counts`."""
    grams: Ints
    """The n-gram of each entry, rising within a sentence; only n-grams that occur in a reference."""
    counts: Ints
    """`a_ij >= 1`: how often the sentence holds it."""
    gain_starts: Ints
    """N-gram `j` gains `gains[gain_starts[j]:gain_starts[j + 1]]` for its 1st, 2nd, ... occurrence."""
    gains: Ints
    """`w_jt`: for pooled references the number of references that hold `j` at least `t` times."""
    total: int
    """The denominator of recall: `sum_jt w_jt`, n-grams that no sentence holds included."""
    charges: Ints
    """What choosing a sentence costs in the objective; zeros for recall (F1's iteration needs them)."""

    @property
    def sentences(self) -> int:
        """The number of sentences."""
        return len(self.lengths)

    def hits(self, chosen: Ints | list[int] | tuple[int, ...]) -> int:
        """`f(S)` of a set of sentences, charges included: slow, simple, the judge of every fast path."""
        have: dict[int, int] = {}
        for i in chosen:
            for entry in range(self.starts[i], self.starts[i + 1]):
                gram = int(self.grams[entry])
                have[gram] = have.get(gram, 0) + int(self.counts[entry])
        covered = 0
        for gram, count in have.items():
            first, last = int(self.gain_starts[gram]), int(self.gain_starts[gram + 1])
            covered += int(self.gains[first : min(first + count, last)].sum())
        return covered - sum(int(self.charges[i]) for i in chosen)

    def length(self, chosen: Ints | list[int] | tuple[int, ...]) -> int:
        """The length of a set of sentences."""
        return sum(int(self.lengths[i]) for i in chosen)
