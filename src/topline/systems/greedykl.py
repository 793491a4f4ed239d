"""GreedyKL: KLSum of Haghighi & Vanderwende 2009.

Sentences are added one by one, each time the one after which the Kullback-Leibler divergence from the
topic's unigram distribution to the summary's is smallest. The summary's distribution is smoothed with
`smoothing` occurrences of every term of the topic, so that the divergence is finite.
Left out: the paper's topic models (HierSum, TopicSum).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topline.systems.fill import Room
from topline.systems.freqsum import probabilities
from topline.systems.prepared import Prepared
from topline.systems.system import System, check


@dataclass(frozen=True)
class GreedyKL(System):
    """Greedy Kullback-Leibler."""

    name: ClassVar[str] = "greedykl"
    paper: ClassVar[str] = "Haghighi & Vanderwende 2009"

    smoothing: float = 0.01

    def __post_init__(self) -> None:
        check(self.name, "smoothing", self.smoothing, 1e-9, 1e3)

    def choose(self, topic: Prepared, room: Room) -> list[int]:
        """Sentences in the order they are chosen."""
        from topline.systems.kernels.greedy import greedy_kl

        terms = topic.terms
        chosen: list[int] = greedy_kl(
            terms.starts,
            terms.terms,
            terms.counts,
            probabilities(terms),
            self.smoothing,
            room.lengths,
            room.limit,
            room.chop,
        ).tolist()
        return chosen
