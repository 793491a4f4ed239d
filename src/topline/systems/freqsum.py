"""FreqSum (Nenkova, Vanderwende & McKeown 2006): a sentence is worth the mean probability of its words.

The probability of a content word is its share of the topic's content words.
Left out: the paper's other two composition functions (product, sum) and its update of probabilities,
which is SumBasic's; near copies are passed over by cosine instead, at 0.5 as in Hong et al. 2014.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from topline.systems.matrix import Floats, Matrix
from topline.systems.prepared import Prepared
from topline.systems.system import Ranker


@dataclass(frozen=True)
class FreqSum(Ranker):
    """Mean word probability."""

    name: ClassVar[str] = "freqsum"
    paper: ClassVar[str] = "Nenkova, Vanderwende & McKeown 2006"

    redundancy: float = 0.5

    def scores(self, topic: Prepared) -> Floats:
        """The mean probability of each sentence's words; 0 for a sentence without content words."""
        terms = topic.terms
        return terms.row_sums(probabilities(terms)) / np.maximum(terms.lengths, 1)


def probabilities(terms: Matrix) -> Floats:
    """Each term's share of all occurrences."""
    totals = terms.totals()
    return totals / max(int(totals.sum()), 1)
