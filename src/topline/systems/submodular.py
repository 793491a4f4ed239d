"""Submodular: coverage and diversity (Lin & Bilmes 2011).

    F(S) = sum_i min(sum_{j in S} w_ij, alpha sum_j w_ij) + lambda sum_k sqrt(sum_{j in S and P_k} r_j)

with cosines w of TF x IDF vectors, r_j the mean cosine of j with all sentences, and P_k clusters of the
sentences (share `clusters` of their number, 0.2 in the paper). The cost-scaled greedy of Lin & Bilmes
2010 takes the sentence with the highest gain / cost^scale that fits, and in the end the best single
sentence if that is worth more. `lazy` evaluates a sentence again only while it may still be the best:
the same summary as without, sooner.
Left out: query terms (their section 4.3), weights learned from data (Lin & Bilmes 2012). The clusters
come from spherical k-means started from far-apart sentences, without chance, where the paper used CLUTO.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from topline.systems.fill import Room
from topline.systems.prepared import Prepared
from topline.systems.system import System, check

ROUNDS = 20
"""Rounds of k-means, if it does not settle sooner."""


@dataclass(frozen=True)
class Submodular(System):
    """Coverage plus diversity, greedily."""

    name: ClassVar[str] = "submodular"
    paper: ClassVar[str] = "Lin & Bilmes 2011"

    alpha: float = 5.0
    """Coverage of a sentence saturates at alpha / n of its similarity with all n (the paper's a of a / N)."""
    diversity: float = 6.0
    """lambda."""
    clusters: float = 0.2
    scale: float = 1.0
    """The exponent of the cost: 0 ignores lengths; the guarantee is proved for 1, the papers tune it."""
    lazy: bool = True

    def __post_init__(self) -> None:
        check(self.name, "alpha", self.alpha, 0.0, 1e9)
        check(self.name, "diversity", self.diversity, 0.0, 1e9)
        check(self.name, "clusters", self.clusters, 0.0, 1.0)
        check(self.name, "scale", self.scale, 0.0, 10.0)

    def choose(self, topic: Prepared, room: Room) -> list[int]:
        """Sentences in the order they are chosen."""
        from topline.systems.kernels.submodular import submodular_greedy

        graph = topic.cosines
        n = len(topic)
        sums = graph.row_sums()
        costs = np.maximum(room.lengths, 1).astype(np.float64) ** self.scale
        chosen: list[int] = submodular_greedy(
            graph.starts,
            graph.neighbours,
            graph.weights,
            min(1.0, self.alpha / n) * sums,
            self.partition(topic),
            sums / n,
            self.diversity,
            costs,
            room.lengths,
            room.limit,
            room.chop,
            self.lazy,
        ).tolist()
        return chosen

    def partition(self, topic: Prepared) -> NDArray[np.int32]:
        """The cluster of each sentence."""
        from topline.systems.kernels.submodular import spherical_kmeans

        terms = topic.terms
        values = terms.unit_rows(topic.term_idf)
        number = max(1, round(self.clusters * len(topic)))
        found: NDArray[np.int32] = spherical_kmeans(
            terms.starts, terms.terms, values, terms.columns, number, ROUNDS
        )
        return found
