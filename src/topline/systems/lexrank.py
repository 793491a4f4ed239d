"""LexRank (Erkan & Radev 2004): eigenvector centrality in a graph of cosines with IDF weights.

`continuous` (section 3.3) walks along the cosines themselves; since with unit rows X the cosines are
X X', a step costs one pass over the words and no graph is built. `threshold` (3.2) joins sentences whose
cosine exceeds `threshold`, all edges alike; `degree` (3.1) counts those edges. `damping` is the share of
the walk that follows edges (the paper writes it as 1 - d).
Left out: the paper feeds its score to MEAD with other features and a re-ranker (here `mead:lexrank=1`);
`redundancy` passes over near copies instead, at 0.5 as in the repository of Hong et al. 2014. Sentences
without words are joined to nothing and get the even jump alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from topline.systems.graph import ROUNDS, TOLERANCE
from topline.systems.matrix import Floats
from topline.systems.prepared import Prepared
from topline.systems.system import Ranker, check, check_choice

KINDS = ("continuous", "threshold", "degree")


@dataclass(frozen=True)
class LexRank(Ranker):
    """Centrality by cosines."""

    name: ClassVar[str] = "lexrank"
    paper: ClassVar[str] = "Erkan & Radev 2004"

    redundancy: float = 0.5
    kind: str = "continuous"
    """`continuous`, `threshold` or `degree`."""
    threshold: float = 0.1
    damping: float = 0.85

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "kind", self.kind, KINDS)
        check(self.name, "threshold", self.threshold, 0.0, 1.0)
        check(self.name, "damping", self.damping, 0.0, 1.0)

    def scores(self, topic: Prepared) -> Floats:
        """The walk's distribution, or the number of edges."""
        from topline.systems.kernels.graph import degrees_walk, lexrank_walk

        if self.kind == "continuous":
            terms = topic.terms
            values = terms.unit_rows(topic.term_idf)
            walk: Floats = lexrank_walk(
                terms.starts, terms.terms, values, terms.columns, self.damping, TOLERANCE, ROUNDS
            )
            return walk
        graph = topic.cosines
        walk, degree = degrees_walk(
            graph.starts, graph.neighbours, graph.weights, self.threshold, self.damping, TOLERANCE, ROUNDS
        )
        return walk if self.kind == "threshold" else np.asarray(degree, np.float64)
