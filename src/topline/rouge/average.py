"""A system's averages with their intervals, from its scores on the topics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from topline.rouge.bootstrap import CONFIDENCE, RESAMPLES, Floats, Interval, intervals
from topline.rouge.combine import Scores
from topline.rouge.rounding import round5


@dataclass(frozen=True, slots=True)
class Average:
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
    values = np.column_stack([scores.recall, scores.precision, scores.f1])
    parts = [_rounded(part) for part in intervals(values, resamples, confidence)]
    return Average(len(values), parts[0], parts[1], parts[2])


def _rounded(part: Interval) -> Interval:
    mean, low, high = round5(np.array([part.mean, part.low, part.high])).tolist()
    return Interval(mean, low, high)


@dataclass(slots=True)
class Averages:
    """Collects scores by system and metric: three numbers and an id a score."""

    _rows: dict[tuple[str, str], list[tuple[str, float, float, float]]] = field(default_factory=dict)

    def add(self, system: str, metric: str, id: str, recall: float, precision: float, f1: float) -> None:
        """Take note of a score."""
        self._rows.setdefault((system, metric), []).append((id, recall, precision, f1))

    def averages(
        self, resamples: int = RESAMPLES, confidence: float = CONFIDENCE
    ) -> Iterator[tuple[str, str, Average]]:
        """System, metric and average, in order of first appearance.

        The draws number the evaluations in the string order of their ids, as the script's do.
        """
        for (system, metric), rows in self._rows.items():
            yield system, metric, average_of(_in_order(rows), resamples, confidence)


def _in_order(rows: Iterable[tuple[str, float, float, float]]) -> Scores:
    ordered = sorted(rows, key=lambda row: row[0].encode("utf-8", "surrogatepass"))
    columns: Floats = np.array([row[1:] for row in ordered], np.float64).reshape(-1, 3)
    return Scores(columns[:, 0], columns[:, 1], columns[:, 2])
