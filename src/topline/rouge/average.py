"""A system's averages with their intervals, from its scores on the topics."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from topline.rouge.bootstrap import CONFIDENCE, RESAMPLES, Interval, intervals
from topline.rouge.combine import Scores
from topline.rouge.rounding import round5
from topline.shown import Shown


@dataclass(frozen=True, slots=True)
class Average(Shown):
    """Averages of recall, precision and F, each with its interval, rounded as the script prints them."""

    topics: int
    recall: Interval
    precision: Interval
    f1: Interval

    def row(self) -> dict[str, float | int]:
        """The record that `topline score --json` prints."""
        row: dict[str, float | int] = {"topics": self.topics}
        for name in ("recall", "precision", "f1"):
            part: Interval = getattr(self, name)
            row |= {name: part.mean, f"{name}_low": part.low, f"{name}_high": part.high}
        return row


def average_of(scores: Scores, resamples: int = RESAMPLES, confidence: float = CONFIDENCE) -> Average:
    """The bootstrap mean and interval; the scores stand in the order in which the draws number them."""
    return averages_of([scores], resamples, confidence)[0]


def averages_of(
    parts: Sequence[Scores], resamples: int = RESAMPLES, confidence: float = CONFIDENCE
) -> list[Average]:
    """The same of several metrics of the same topics, which share the draws."""
    if not parts:
        return []
    values = np.column_stack([column for part in parts for column in (part.recall, part.precision, part.f1)])
    found = [_rounded(part) for part in intervals(values, resamples, confidence)]
    return [Average(len(values), *found[i : i + 3]) for i in range(0, len(found), 3)]


def _rounded(part: Interval) -> Interval:
    mean, low, high = round5(np.array([part.mean, part.low, part.high])).tolist()
    return Interval(mean, low, high)


@dataclass(slots=True)
class _Column:
    """The scores of a system by one metric: ids, and recall, precision and F behind one another."""

    ids: list[str] = field(default_factory=list)
    values: array[float] = field(default_factory=lambda: array("d"))

    def in_order(self) -> Scores:
        """Sorted by id, as bytes: the script's order of evaluations."""
        keys = [id.encode("utf-8", "surrogatepass") for id in self.ids]
        order = sorted(range(len(keys)), key=keys.__getitem__)
        values = np.frombuffer(self.values, np.float64).reshape(-1, 3)[order]
        return Scores(values[:, 0], values[:, 1], values[:, 2])


@dataclass(slots=True)
class Averages:
    """Collects scores by system and metric: three numbers and an id a score."""

    _columns: dict[tuple[str, str], _Column] = field(default_factory=dict)

    def add(self, system: str, metric: str, id: str, recall: float, precision: float, f1: float) -> None:
        """Take note of a score."""
        column = self._columns.get((system, metric))
        if column is None:
            column = self._columns[system, metric] = _Column()
        column.ids.append(id)
        column.values.extend((recall, precision, f1))

    def averages(
        self, resamples: int = RESAMPLES, confidence: float = CONFIDENCE
    ) -> Iterator[tuple[str, str, Average]]:
        """System, metric and average, in order of first appearance.

        The draws number the evaluations in the string order of their ids, as the script's do.
        """
        shared: dict[str, list[str]] = {}
        for system, metric in self._columns:
            shared.setdefault(system, []).append(metric)
        found: dict[tuple[str, str], Average] = {}
        for system, metrics in shared.items():
            for alike in self._alike(system, metrics):
                parts = [self._columns[system, metric].in_order() for metric in alike]
                averages = averages_of(parts, resamples, confidence)
                found.update({(system, metric): each for metric, each in zip(alike, averages, strict=True)})
        for system, metric in self._columns:
            yield system, metric, found[system, metric]

    def _alike(self, system: str, metrics: list[str]) -> list[list[str]]:
        """A system's metrics, those together that have scores of the same topics in the same order."""
        groups: list[list[str]] = []
        for metric in metrics:
            ids = self._columns[system, metric].ids
            group = next((group for group in groups if self._columns[system, group[0]].ids == ids), None)
            if group is None:
                groups.append([metric])
            else:
                group.append(metric)
        return groups
