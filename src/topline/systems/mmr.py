"""MMR: maximal marginal relevance (Carbonell & Goldstein 1998).

Each step takes the sentence with the highest `lambda sim(s, Q) - (1 - lambda) max sim(s, chosen)`, both
similarities cosines of TF x IDF vectors. Q is the query; without one the topic's title; without that the
whole topic (generic summaries, as later work uses it).
Left out: the paper's other similarity measures and its re-ordering of documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from topline.systems.fill import Room
from topline.systems.matrix import Floats
from topline.systems.prepared import Prepared
from topline.systems.system import System, check, check_choice

TARGETS = ("auto", "query", "title", "topic")


@dataclass(frozen=True)
class Mmr(System):
    """Relevant, and new."""

    name: ClassVar[str] = "mmr"
    paper: ClassVar[str] = "Carbonell & Goldstein 1998"

    balance: float = 0.7
    """The paper's lambda: 1 for relevance alone, 0 for novelty alone."""
    target: str = "auto"
    """What sentences should be relevant to: `query`, `title`, `topic`, or `auto`, the first there is."""

    def __post_init__(self) -> None:
        check(self.name, "balance", self.balance, 0.0, 1.0)
        check_choice(self.name, "target", self.target, TARGETS)

    def choose(self, topic: Prepared, room: Room) -> list[int]:
        """Sentences in the order they are chosen."""
        from topline.systems.kernels.greedy import mmr

        graph = topic.cosines
        chosen: list[int] = mmr(
            graph.starts,
            graph.neighbours,
            graph.weights,
            self.relevance(topic),
            self.balance,
            room.lengths,
            room.limit,
            room.chop,
        ).tolist()
        return chosen

    def columns(self, topic: Prepared) -> dict[str, Floats]:
        """The similarity with the query: what a sentence scores before any other is chosen."""
        return {"Score": self.relevance(topic)}

    def relevance(self, topic: Prepared) -> Floats:
        """Cosine of each sentence with the target."""
        matrix = topic.extra_terms
        for row, kind in ((topic.query_row, "query"), (topic.topic_title_row, "title")):
            if self.target == kind or (self.target == "auto" and matrix.row(row)):
                return cosines_with(topic, {term: float(n) for term, n in matrix.row(row).items()})
        return cosines_with(topic, dict(enumerate(topic.terms.totals().tolist())))


def cosines_with(topic: Prepared, counts: dict[int, float]) -> Floats:
    """Cosine of each sentence's TF x IDF vector over terms with that of these counts."""
    vector = np.zeros(topic.columns[1])
    for term, number in counts.items():
        vector[term] = number * topic.term_idf[term]
    length = float(np.sqrt(np.sum(vector * vector)))
    values = topic.terms.unit_rows(topic.term_idf)
    products = np.zeros(len(topic))
    rows = np.repeat(np.arange(len(topic)), np.diff(topic.terms.starts))
    np.add.at(products, rows, values * vector[topic.terms.terms])
    return products / length if length > 0 else products
