"""The centroid of a cluster (sections 3.1 and 3.4), and the value of sentences by it (3.5.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topline.systems.matrix import Floats
from topline.systems.prepared import Prepared


@dataclass(frozen=True)
class CentroidRule:
    """Which words a centroid keeps."""

    threshold: float = 3.0
    """Words whose TF x IDF is above this are kept..."""
    keep: int = 8
    """... and at least so many words a document, the heaviest ones."""
    most: int = 0
    """But never more than so many in all; 0 for no such limit."""

    def kept(self, values: Floats, documents: int) -> Floats:
        """The values of kept words; 0 for the others. Equal ones rank in order of first appearance."""
        above = int(np.count_nonzero(values > self.threshold))
        number = max(above, self.keep * documents)
        if self.most:
            number = min(number, self.most)
        heaviest = np.argsort(-values, kind="stable")[:number]
        kept = np.zeros_like(values)
        kept[heaviest] = values[heaviest]
        return kept


def term_frequency(topic: Prepared) -> Floats:
    """TF as in Table 2: a word's mean number of occurrences over the cluster's documents."""
    return topic.words.totals() / max(len(topic.sizes), 1)


def centroid(topic: Prepared, rule: CentroidRule) -> Floats:
    """The centroid value of each word: TF x IDF where it is kept, else 0."""
    return rule.kept(term_frequency(topic) * topic.word_idf, len(topic.sizes))


def centroid_values(topic: Prepared, rule: CentroidRule) -> Floats:
    """`C_i`: the sum of the centroid values of all words in the sentence."""
    return topic.words.row_sums(centroid(topic, rule))
