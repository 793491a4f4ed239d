"""Centroid: Radev et al.'s centroid value alone, the column C of their Tables 10 and 11.

`sum` is the paper's `C_i`, the centroid values of a sentence's words added up, so that long sentences
win; `cosine` is the cosine of a sentence with the centroid, as in the repository of Hong et al. 2014.
Left out: position, first sentence and penalty, which make it MEAD; near copies are passed over by cosine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from topline.systems.matrix import Floats
from topline.systems.mead.centroid import CentroidRule, centroid
from topline.systems.prepared import Prepared
from topline.systems.system import Ranker, check, check_choice

KINDS = ("sum", "cosine")


@dataclass(frozen=True)
class Centroid(Ranker):
    """The centroid value of a sentence."""

    name: ClassVar[str] = "centroid"
    paper: ClassVar[str] = "Radev, Jing, Stys & Tam 2004, section 3.5.1"

    redundancy: float = 0.5
    kind: str = "sum"
    """`sum` or `cosine`."""
    threshold: float = 3.0
    """Words with more TF x IDF belong to the centroid..."""
    keep: int = 8
    """... and at least so many words a document..."""
    most: int = 0
    """... but no more than so many in all (0: no limit)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "kind", self.kind, KINDS)
        check(self.name, "threshold", self.threshold, -1e9, 1e9)
        check(self.name, "keep", self.keep, 0, 1e9)
        check(self.name, "most", self.most, 0, 1e9)

    def scores(self, topic: Prepared) -> Floats:
        """The centroid value or cosine of each sentence."""
        centre = centroid(topic, CentroidRule(self.threshold, self.keep, self.most))
        if self.kind == "sum":
            return topic.words.row_sums(centre)
        values = topic.words.unit_rows(topic.word_idf)
        rows = np.repeat(np.arange(len(topic)), np.diff(topic.words.starts))
        length = float(np.sqrt(np.sum(centre * centre)))
        return np.bincount(rows, values * centre[topic.words.terms], len(topic)) / max(length, 1e-300)
