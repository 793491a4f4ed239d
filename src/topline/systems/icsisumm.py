"""ICSISumm (Gillick & Favre 2009; Gillick et al. 2009): concept coverage as an integer linear program.

Concepts are bigrams of terms, weighted by the number of documents that hold them; those in fewer than
`least` documents are left out (with fewer documents than that, sentences are counted instead, and the limit
falls until something is left). The program covers the heaviest set of concepts within the budget, each
counted once, and is solved to proven optimality: by HiGHS, or by Topline's own exact search
(`solver=exact`), which finds an equally good summary, perhaps another one.
Pruned before: sentences under `shortest` words, those that do not fit, those without a concept, and those
whose concepts another sentence of no greater cost holds all. Only the first kind can cost anything.
Left out: bigrams with one stop word, which the paper keeps (here a pair is of neighbouring content words,
whatever stop words stand between them); sentence compression, the ordering of sentences by source, and the
removal of quotations and reporting clauses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from topline.errors import SearchLimit, Where
from topline.problem.problem import Problem
from topline.systems.concepts import coverage, document_frequency, extend_cut
from topline.systems.fill import Room
from topline.systems.matrix import Ints, Matrix
from topline.systems.prepared import Prepared
from topline.systems.system import System, check, check_choice

SOLVERS = ("highs", "exact")


@dataclass(frozen=True)
class IcsiSumm(System):
    """Concept coverage, solved exactly."""

    name: ClassVar[str] = "icsisumm"
    paper: ClassVar[str] = "Gillick & Favre 2009"

    least: int = 3
    """Concepts in fewer documents are left out."""
    shortest: int = 5
    """Sentences with fewer words are left out."""
    solver: str = "highs"
    """`highs` or `exact`."""
    seconds: float = 60.0
    """After so long without a proof the run ends with an error that says so."""

    def __post_init__(self) -> None:
        check(self.name, "least", self.least, 1, 1e9)
        check(self.name, "shortest", self.shortest, 0, 1e9)
        check(self.name, "seconds", self.seconds, 0.001, 1e9)
        check_choice(self.name, "solver", self.solver, SOLVERS)

    def choose(self, topic: Prepared, room: Room) -> list[int]:
        """The sentences of an optimal cover, in corpus order."""
        matrix = topic.bigrams if topic.bigrams.columns else topic.terms
        weights = concept_weights(topic, matrix, self.least)
        rows = self.kept(topic, matrix, weights, room)
        problem = coverage(matrix, weights, room, rows)
        chosen = [rows[place] for place in self.solve(problem, topic.topic.id)]
        everything = list(range(len(topic)))
        return extend_cut(coverage(matrix, weights, room, everything), everything, chosen, room)

    def kept(self, topic: Prepared, matrix: Matrix, weights: Ints, room: Room) -> list[int]:
        """The sentences that pruning leaves."""
        concepts = [frozenset(term for term in matrix.row(row) if weights[term]) for row in range(len(topic))]
        fitting = [row for row in range(len(topic)) if concepts[row] and room.lengths[row] <= room.limit]
        long = [row for row in fitting if topic.words.lengths[row] >= self.shortest] or fitting
        by_concept: dict[int, list[int]] = {}
        kept: list[int] = []
        for row in sorted(long, key=lambda row: (int(room.lengths[row]), -len(concepts[row]), row)):
            rarest = min(concepts[row], key=lambda term: len(by_concept.get(term, ())))
            holders = by_concept.get(rarest, ())
            if any(concepts[row] <= concepts[other] for other in holders):
                continue
            kept.append(row)
            for term in concepts[row]:
                by_concept.setdefault(term, []).append(row)
        return sorted(kept)

    def solve(self, problem: Problem, topic: str) -> tuple[int, ...]:
        """An optimum of the coverage problem, proven."""
        from topline.search.exact import Limits, solve
        from topline.search.ilp import solve_ilp

        limits = Limits(seconds=self.seconds)
        solution = solve_ilp(problem, limits) if self.solver == "highs" else solve(problem, limits)
        if not solution.proved:
            raise SearchLimit(
                f"icsisumm: {solution.value} of at most {solution.bound} concept weight after "
                f"{self.seconds:g} seconds",
                where=Where(id=topic),
                hint="raise seconds=, or try solver=exact",
            )
        return solution.chosen


def concept_weights(topic: Prepared, matrix: Matrix, least: int) -> Ints:
    """The document frequency of each concept that is in enough documents, 0 for the others."""
    frequency = document_frequency(topic, matrix, least)
    highest = int(frequency.max(initial=0))
    return np.where(frequency >= min(least, max(highest, 1)), frequency, 0).astype(np.int64)
