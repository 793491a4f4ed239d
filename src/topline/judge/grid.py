"""Tables of scores, system by topic: what correlation and significance take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topline.errors import CorpusError, OptionError, Where
from topline.judge.significance import Matrix

FIELDS = ("recall", "precision", "f1")


@dataclass(frozen=True, slots=True)
class Grid:
    """Scores by system and topic; NaN where there is none."""

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: NDArray[np.float64]

    def rows(self, systems: Sequence[str]) -> NDArray[np.float64]:
        """The rows of these systems."""
        place = {name: i for i, name in enumerate(self.systems)}
        return self.values[[place[name] for name in systems]]

    def over(self, topics: Sequence[str]) -> Grid:
        """The same scores with these topics as columns."""
        place = {name: i for i, name in enumerate(self.topics)}
        return Grid(self.systems, tuple(topics), self.values[:, [place[name] for name in topics]])

    def matrix(self, *, common: bool = False) -> Matrix:
        """Without gaps: every system on every topic, or the common topics only."""
        there = ~np.isnan(self.values)
        if not there.all() and not common:
            system, topic = (int(i) for i in np.argwhere(~there)[0])
            raise CorpusError(
                f"{self.systems[system]!r} has no score for topic {self.topics[topic]!r}",
                where=Where(id=self.topics[topic]),
                hint="systems are compared on the same topics: add it, or --common for those all have",
            )
        kept = np.flatnonzero(there.all(axis=0))
        if not len(kept):
            raise OptionError("the systems have no topic in common")
        return Matrix(
            self.systems, tuple(self.topics[i] for i in kept), np.ascontiguousarray(self.values[:, kept])
        )


def grid(cells: Mapping[tuple[str, str], float]) -> Grid:
    """A table from cells (system, topic): both in the order of their first appearance."""
    systems = {name: i for i, name in enumerate(dict.fromkeys(system for system, _ in cells))}
    topics = {name: i for i, name in enumerate(dict.fromkeys(topic for _, topic in cells))}
    values = np.full((len(systems), len(topics)), np.nan)
    for (system, topic), value in cells.items():
        values[systems[system], topics[topic]] = value
    return Grid(tuple(systems), tuple(topics), values)


def grids(rows: Iterable[tuple[str, str, str, float]]) -> dict[str, Grid]:
    """A table a metric from (metric, system, topic, score); a score that is there twice is an error."""
    cells: dict[str, dict[tuple[str, str], float]] = {}
    for metric, system, topic, value in rows:
        of_metric = cells.setdefault(metric, {})
        if (system, topic) in of_metric:
            raise CorpusError(f"{system!r} is scored twice by {metric}", where=Where(id=topic))
        of_metric[system, topic] = value
    return {metric: grid(of_metric) for metric, of_metric in cells.items()}
