"""TextRank (Mihalcea & Tarau 2004, section 5): PageRank on a graph of sentences that share words.

An edge weighs the number of distinct words two sentences share over the sum of the logarithms of their
lengths; the walk is `WS(i) = (1 - d) + d sum_j w_ji / sum_k w_jk WS(j)`.
Left out: the syntactic filters of the paper's keyword extraction, and its directed graphs (forward,
backward): the undirected one. Words are stems without stop words unless told otherwise. Two sentences
of one word each have no edge (the logarithms add up to 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topline.systems.graph import ROUNDS, TOLERANCE, Graph
from topline.systems.matrix import Floats, Matrix
from topline.systems.prepared import Prepared
from topline.systems.system import Ranker, check


@dataclass(frozen=True)
class TextRank(Ranker):
    """PageRank by shared words."""

    name: ClassVar[str] = "textrank"
    paper: ClassVar[str] = "Mihalcea & Tarau 2004"

    damping: float = 0.85

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self.name, "damping", self.damping, 0.0, 1.0)

    def scores(self, topic: Prepared) -> Floats:
        """WS of each sentence."""
        from topline.systems.kernels.graph import weighted_pagerank

        graph = overlap_graph(topic.terms)
        scores: Floats = weighted_pagerank(
            graph.starts, graph.neighbours, graph.weights, self.damping, TOLERANCE, ROUNDS
        )
        return scores


def overlap_graph(matrix: Matrix) -> Graph:
    """TextRank's similarity of every two sentences that share a word."""
    from topline.systems.kernels.graph import shared_words

    starts, rows, _ = matrix.by_column
    return Graph(*shared_words(matrix.starts, matrix.terms, starts, rows, matrix.lengths))
