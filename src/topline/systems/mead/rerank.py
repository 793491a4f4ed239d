"""From scores to an extract: the redundancy penalty of section 3.6, and MEAD's other re-rankers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topline.systems.closest import Closest
from topline.systems.fill import Accept, Room, ranked
from topline.systems.matrix import Floats
from topline.systems.prepared import Prepared

Fill = Callable[[Iterable[int], Room, Accept | None], list[int]]


@dataclass(frozen=True)
class Extract:
    """The sentences chosen, best first, and how the re-ranking went."""

    chosen: list[int]
    scores: Floats
    """The scores that this extract was chosen by, penalties deducted."""
    rounds: int = 0
    """How often the sentences were ranked again."""
    settled: bool = True
    """False where the re-ranking ran in a circle; then the best extract on the circle is taken."""


@dataclass(frozen=True)
class Scored:
    """A topic's sentences with their scores before any re-ranking."""

    topic: Prepared
    scores: Floats
    short: NDArray[np.bool_]
    """Those below the length cut-off: behind all others, whatever is deducted from these."""

    def order(self, scores: Floats) -> list[int]:
        """Rows by falling score, short ones last."""
        order = ranked(scores)
        return [row for row in order if not self.short[row]] + [row for row in order if self.short[row]]


def identity(scored: Scored, room: Room, fill: Fill) -> Extract:
    """No re-ranking: the best scores that fit."""
    return Extract(fill(scored.order(scored.scores), room, None), scored.scores)


def by_cosine(scored: Scored, room: Room, fill: Fill, highest: float) -> Extract:
    """MEAD's default: pass over a sentence whose IDF cosine with a chosen one is `highest` or more."""
    closest = Closest(scored.topic.words, scored.topic.word_idf)

    def accept(row: int, chosen: list[int]) -> bool:
        # a copy's cosine is 1 but for rounding
        return closest.to(row, chosen) < highest - 1e-12

    return Extract(fill(scored.order(scored.scores), room, accept), scored.scores)


def by_mmr(scored: Scored, room: Room, balance: float) -> Extract:
    """Maximal marginal relevance of the scores (over the largest) against cosines with the chosen."""
    from topline.systems.kernels.greedy import mmr

    graph = scored.topic.cosines
    largest = max(float(np.abs(scored.scores).max(initial=0.0)), 1e-300)
    # both terms lie between -1 and 1; what is short falls behind them, whatever the balance
    relevance = np.where(scored.short, -4.0 / max(balance, 1e-6), scored.scores / largest)
    chosen = mmr(
        graph.starts,
        graph.neighbours,
        graph.weights,
        relevance,
        max(balance, 1e-6),
        room.lengths,
        room.limit,
        room.chop,
    )
    return Extract(chosen.tolist(), scored.scores)


def overlap(common: int, first: int, second: int) -> float:
    """`R_s` of two sentences: twice the words they share over the words they have.

    >>> round(overlap(6, 18, 16), 2)
    0.35
    """
    return 2 * common / (first + second) if first + second else 0.0


def penalise(scored: Scored, room: Room, fill: Fill) -> Extract:
    """Section 3.6: deduct `w_R R_s`, rank again, and so on until the extract no longer changes.

    `R_s` is the largest overlap with a sentence of the current extract whose SCORE (before penalties)
    is higher, stop words counted; `w_R` is the largest SCORE. An extract that comes back after others
    ends a circle: then the extract on it with the largest sum of penalised scores is taken, the earliest
    on a tie.
    """
    scores = scored.scores
    penalty = Penalty(scored)
    seen: dict[tuple[int, ...], int] = {}
    extracts: list[Extract] = []
    chosen, current = fill(scored.order(scores), room, None), scores
    while (key := tuple(sorted(chosen))) not in seen:
        seen[key] = len(extracts)
        extracts.append(Extract(chosen, current, len(extracts)))
        current = scores - penalty.weight * penalty.of(chosen)
        chosen = fill(scored.order(current), room, None)
    circle = extracts[seen[key] :]
    if len(circle) == 1:
        return Extract(chosen, current, len(extracts))
    sums = [float(np.sum((scores - penalty.weight * penalty.of(e.chosen))[e.chosen])) for e in circle]
    best = circle[int(np.argmax(np.round(sums, 10)))]
    return Extract(best.chosen, best.scores, len(extracts), settled=False)


class Penalty:
    """The redundancy penalties of a topic's sentences."""

    def __init__(self, scored: Scored) -> None:
        self.weight = float(scored.scores.max(initial=0.0))
        self._topic = scored.topic
        self._rank = np.empty(len(scored.scores), np.int64)
        self._rank[scored.order(scored.scores)] = np.arange(len(scored.scores))

    def of(self, chosen: list[int]) -> Floats:
        """`R_s` of every sentence, given an extract."""
        largest = np.zeros(len(self._topic))
        for other in chosen:
            below = self._rank > self._rank[other]
            largest[below] = np.maximum(largest[below], self._topic.overlaps(other)[below])
        return largest
