"""All best extracts through an engine: a topic a unit, a hard problem's search cut into units of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from topline.corpus.records import Topic
from topline.rouge.metric import Metric
from topline.run.engine import Parts, only
from topline.search.every import AllOracles, Missing
from topline.search.exact import NO_LIMITS, Limits
from topline.search.optima import Optima, optima_of
from topline.text.budget import Budget

if TYPE_CHECKING:
    from topline.search.pieces import Apart

Known = dict[str, Optima]
"""The hard problems of a topic that are done, by their references."""


@dataclass(frozen=True, slots=True)
class EveryOracle:
    """Turns a topic into all its best extracts, or into the pieces of a long search.

    With a limit nothing is cut: the limit is for a problem, not for a piece.
    """

    metric: Metric
    budget: Budget
    references: str = "pooled"
    objective: str = "recall"
    solver: str = "exact"
    limits: Limits = NO_LIMITS

    @property
    def worker(self) -> AllOracles:
        """One of its own for each thread, with a vocabulary that grows."""
        return AllOracles(self.metric, self.budget, self.references, self.objective, self.solver, self.limits)

    def __call__(self) -> Any:
        """What works on topics; made once in each thread."""
        return partial(self._with, self.worker, {})

    def _with(self, worker: AllOracles, known: Known, topic: Topic) -> Any:
        """The topic's best extracts, or parts, given the hard problems that are already done."""
        try:
            return worker.of(topic, known if self.limits == NO_LIMITS else None)
        except Missing as missing:
            wait = _Wait(self, topic, known, missing.references, missing.work)
            return _round(wait, (), missing.work.pieces)

    def resume(self, given: tuple[Topic, Known]) -> Any:
        """Go on with a topic."""
        topic, known = given
        return self._with(self.worker, known, topic)


@dataclass(frozen=True, slots=True)
class _Wait:
    """A topic that waits for the sets of a hard problem."""

    every: EveryOracle
    topic: Topic
    known: Known
    references: str
    work: Apart


def _round(wait: _Wait, found: Sequence[Any], pieces: Sequence[Any]) -> Parts:
    """The pieces, each a unit of work; those that had to be cut make another round."""
    from topline.search.pieces import searched

    return Parts(partial(searched, wait.work.aim), pieces, partial(_next, wait, found))


def _next(wait: _Wait, found: Sequence[Any], done: Sequence[Any]) -> Parts:
    """When no piece is left, the sets are one more problem that is done; the topic goes on from there."""
    found = [*found, *(leaf for one in done for leaf in one.leaves)]
    further = [piece for one in done for piece in one.pieces]
    if further:
        return _round(wait, found, further)
    sets = optima_of(wait.work, found)
    known = {**wait.known, wait.references: sets}
    return Parts(wait.every.resume, [(wait.topic, known)], only)
