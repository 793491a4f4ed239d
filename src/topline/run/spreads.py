"""Distributions through an engine: a topic a unit, a hard topic's enumeration cut into units of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from topline.corpus.records import Topic
from topline.rouge.metric import Metric
from topline.run.engine import Parts, only
from topline.run.per_thread import PerThread
from topline.spread.document import Measuring
from topline.spread.encode import Ints
from topline.spread.exhaustive import Enumeration, TooMuch
from topline.spread.settings import Settings
from topline.text.budget import Budget


@dataclass(frozen=True, slots=True)
class Spreads:
    """Turns a topic into its distributions, or into the parts of a long enumeration."""

    metric: Metric
    budget: Budget
    settings: Settings

    def __call__(self, topic: Topic) -> Any:
        """The topic's distributions, or parts."""
        return self._with(topic, {})

    def _with(self, topic: Topic, elsewhere: dict[str, Ints]) -> Any:
        """The same, given the enumerations that are already done."""
        measuring = Measuring(self.metric, self.budget, replace(self.settings, jobs=1, journal=None))
        try:
            return measuring.of(topic, elsewhere)
        except TooMuch as much:
            work = much.work
            again = partial(_next, self, topic, elsewhere, much.name, work.start)
            return Parts(PerThread(partial(_visiting, work)), work.units, again)

    def resume(self, given: tuple[Topic, dict[str, Ints]]) -> Any:
        """Go on with a topic."""
        return self._with(*given)


def _visiting(work: Enumeration) -> Any:
    return work.run


def _next(
    spreads: Spreads, topic: Topic, elsewhere: dict[str, Ints], name: str, start: Ints, parts: list[Ints]
) -> Parts:
    """The parts' sum is one more enumeration that is done; the topic goes on from there."""
    total = start.copy()
    for part in parts:
        total += part
    return Parts(spreads.resume, [(topic, {**elsewhere, name: total})], only)
