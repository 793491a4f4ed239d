"""SumBasic (Nenkova & Vanderwende 2005): always the best sentence that holds the most probable word.

Word probabilities are shares of the topic's content words; a sentence weighs the mean of its words'
probabilities; the words of a chosen sentence have their probabilities squared, so that what has been
said counts less. The next word is always the most probable one that a sentence still in play holds.
Left out: nothing of the algorithm. A sentence without content words is never chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topline.systems.fill import Room
from topline.systems.freqsum import probabilities
from topline.systems.prepared import Prepared
from topline.systems.system import System


@dataclass(frozen=True)
class SumBasic(System):
    """Word probabilities, squared once said."""

    name: ClassVar[str] = "sumbasic"
    paper: ClassVar[str] = "Nenkova & Vanderwende 2005"

    def choose(self, topic: Prepared, room: Room) -> list[int]:
        """Sentences in the order they are chosen."""
        from topline.systems.kernels.greedy import sumbasic

        terms = topic.terms
        starts, rows, _ = terms.by_column
        chosen: list[int] = sumbasic(
            terms.starts,
            terms.terms,
            terms.counts,
            starts,
            rows,
            probabilities(terms),
            room.lengths,
            room.limit,
            room.chop,
        ).tolist()
        return chosen
