"""DPP: a determinantal point process (Kulesza & Taskar 2011, 2012), its mode found greedily.

L = diag(q) S diag(q) with S the cosines of TF x IDF vectors and q_i = exp(w . f_i / 2) the quality from
standard features, each between 0 and 1: `position` (1 / place in its document), `centrality` (cosine with
the whole topic, over the largest), `length` (full from 15 words on). Each step adds the sentence with the
largest gain of log det(L_Y) per cost among those that fit (their greedy MAP). A sentence that the chosen ones
span already (a copy) has determinant 0 and is never taken.
Left out: learning the weights (here fixed options), their further features (pronouns, LexRank), minimum
Bayes risk decoding. Determinants come from an incremental Cholesky factor (Chen, Zhang & Zhou 2018).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from topline.systems.fill import Room
from topline.systems.matrix import Floats
from topline.systems.mmr import cosines_with
from topline.systems.prepared import Prepared
from topline.systems.system import System, check

FULL_LENGTH = 15
"""Words, stop words included, from which on a sentence is not short."""


@dataclass(frozen=True)
class Dpp(System):
    """Good sentences, unlike each other."""

    name: ClassVar[str] = "dpp"
    paper: ClassVar[str] = "Kulesza & Taskar 2011"

    position: float = 1.0
    centrality: float = 4.0
    length: float = 1.0

    def __post_init__(self) -> None:
        for option in ("position", "centrality", "length"):
            check(self.name, option, getattr(self, option), -50.0, 50.0)

    def choose(self, topic: Prepared, room: Room) -> list[int]:
        """Sentences in the order they are chosen."""
        from topline.systems.kernels.greedy import dpp_greedy

        graph = topic.cosines
        chosen: list[int] = dpp_greedy(
            graph.starts,
            graph.neighbours,
            graph.weights,
            self.quality(topic),
            room.lengths,
            room.limit,
            room.chop,
        ).tolist()
        return chosen

    def quality(self, topic: Prepared) -> Floats:
        """Q of each sentence."""
        features = self.features(topic)
        exponent = np.zeros(len(topic))
        for name, values in features.items():
            exponent += 0.5 * getattr(self, name) * values
        return np.exp(exponent)

    def features(self, topic: Prepared) -> dict[str, Floats]:
        """The features, each between 0 and 1."""
        central = cosines_with(topic, dict(enumerate(topic.terms.totals().tolist())))
        return {
            "position": 1.0 / topic.position,
            "centrality": central / max(float(central.max(initial=0.0)), 1e-12),
            "length": np.minimum(topic.words.lengths / FULL_LENGTH, 1.0),
        }

    def columns(self, topic: Prepared) -> dict[str, Floats]:
        """The features and the quality."""
        names = {"position": "Position", "centrality": "Centrality", "length": "Fullness"}
        table = {names[name]: values for name, values in self.features(topic).items()}
        return table | {"Score": self.quality(topic)}
