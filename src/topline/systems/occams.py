"""OCCAMS (Davis, Conroy & Schlesinger 2012): budgeted maximum coverage of weighted bigrams.

The best of four extracts: the density greedy of Khuller, Moss & Naor 1999; the sentence of most weight with a
greedy for the rest; and for each of these two a greedy with five times the budget whose sentences (with
the weight each was the first to cover) go through an exact 0-1 knapsack. The first two alone reach at least
1 - 1/sqrt(e) = 39 % of the best coverage that any extract within the budget has.
A bigram is a pair of neighbouring content words, stems, whatever stop words stand between them.
Weights are whole numbers: `df`, the number of documents (in one document, sentences) that hold the bigram,
or `lsa`, the leading singular vector of the entropy-weighted term-sentence matrix, scaled to 10^6.
Left out: the further singular vectors that the paper's weights add up (one alone follows one theme, which
is why `df` is the default), its trimming of sentences, and the rules of the OCCAMS_V of 2013.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from topline.problem.problem import Problem
from topline.systems.concepts import coverage, document_frequency, extend_cut
from topline.systems.fill import Room
from topline.systems.matrix import Ints, Matrix
from topline.systems.prepared import Prepared
from topline.systems.system import System, check_choice

WEIGHTS = ("df", "lsa")
SCALE = 1_000_000
MOST_CELLS = 1 << 27
WIDER = 5
"""How much larger the budget of the greedy before the knapsack is."""


@dataclass(frozen=True)
class Occams(System):
    """Budgeted maximum coverage with a guarantee."""

    name: ClassVar[str] = "occams"
    paper: ClassVar[str] = "Davis, Conroy & Schlesinger 2012"

    weights: str = "df"
    """`df` or `lsa`."""

    def __post_init__(self) -> None:
        check_choice(self.name, "weights", self.weights, WEIGHTS)

    def choose(self, topic: Prepared, room: Room) -> list[int]:
        """The best of the four extracts."""
        rows = [row for row in range(len(topic)) if room.lengths[row] <= room.limit or room.chop]
        problem = self.problem(topic, room, rows)
        chosen = [rows[place] for place in cover(problem)]
        return extend_cut(problem, rows, chosen, room)

    def problem(self, topic: Prepared, room: Room, rows: list[int]) -> Problem:
        """The coverage problem of these sentences."""
        matrix = topic.bigrams if topic.bigrams.columns else topic.terms
        by_df = self.weights == "df"
        weights = document_frequency(topic, matrix, 2) if by_df else singular_weights(matrix)
        return coverage(matrix, weights, room, rows)


def cover(problem: Problem) -> list[int]:
    """The heaviest of OCCAMS' four extracts; on a tie the first of them."""
    extracts = [greedy(problem, problem.budget, [])]
    heaviest = _heaviest(problem)
    if heaviest is not None:
        extracts.append(greedy(problem, problem.budget, [heaviest]))
    extracts.append(_knapsack(problem, greedy(problem, WIDER * problem.budget, []), []))
    if heaviest is not None:
        wide = greedy(problem, WIDER * problem.budget, [heaviest])
        extracts.append(_knapsack(problem, wide[1:], [heaviest]))
    return max(extracts, key=problem.hits)


def greedy(problem: Problem, budget: int, chosen: list[int]) -> list[int]:
    """Khuller's greedy: the most uncovered weight per cost, among what fits, behind those chosen already."""
    from topline.systems.kernels.cover import greedy_cover

    found: list[int] = greedy_cover(
        problem.starts, problem.grams, problem.gains, problem.lengths, budget, np.array(chosen, np.int64)
    ).tolist()
    return found


def _heaviest(problem: Problem) -> int | None:
    """The fitting sentence of most weight; the first on a tie."""
    weights = [
        int(problem.gains[problem.grams[problem.starts[row] : problem.starts[row + 1]]].sum())
        for row in range(problem.sentences)
    ]
    fitting = [row for row in range(problem.sentences) if problem.lengths[row] <= problem.budget]
    return max(fitting, key=lambda row: (weights[row], -row), default=None)


def _knapsack(problem: Problem, candidates: list[int], kept: list[int]) -> list[int]:
    """The candidates of most weight that fit beside those kept, each worth what it was first to cover."""
    from topline.systems.kernels.cover import first_cover, knapsack

    room = max(problem.budget - problem.length(kept), 0)
    order = np.array([*kept, *candidates], np.int64)
    worth = first_cover(problem.starts, problem.grams, problem.gains, order)[len(kept) :]
    lengths = problem.lengths[candidates] if candidates else np.empty(0, np.int64)
    # a table too large for the memory is made coarser: lengths rounded up, the room down
    step = 1 + len(candidates) * room // MOST_CELLS
    picked = knapsack(-(-lengths // step), worth, room // step)
    return [*kept, *(row for row, taken in zip(candidates, picked.tolist(), strict=True) if taken)]


def singular_weights(matrix: Matrix) -> Ints:
    """The leading left singular vector of log(1 + count) x entropy weight, in whole numbers."""
    from topline.systems.kernels.cover import leading_direction

    if not len(matrix.terms):
        return np.ones(matrix.columns, np.int64)
    totals = matrix.totals()[matrix.terms]
    chance = matrix.counts / totals
    surprise = np.bincount(matrix.terms, chance * np.log(chance), matrix.columns)
    entropy = 1.0 + surprise / np.log(max(matrix.rows, 2))
    # a bigram that every sentence holds equally has no entropy weight left; it still counts a little
    values = np.log1p(matrix.counts) * np.maximum(entropy[matrix.terms], 1e-3)
    direction = leading_direction(matrix.starts, matrix.terms, values, matrix.columns)
    largest = float(direction.max(initial=0.0))
    weights: Ints = np.round(direction / largest * SCALE).astype(np.int64)
    return weights
