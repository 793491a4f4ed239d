"""F-measures over all oracles (Hirao et al. 2017a, section 6.2.3): do oracles hold a system's sentences.

`P = mean |O & S| / |S|`, `R = mean |O & S| / |O|` over all oracles O, `F = 2PR / (P + R)`; with single
references the F of each reference's oracles is averaged over the references. The random-oracle variant
draws one oracle a reference instead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from topline.corpus.records import Summary, Topic
from topline.errors import SearchLimit, Where
from topline.problem.build import POOLED, build
from topline.rouge.metric import Metric
from topline.search.every import selection
from topline.search.exact import NO_LIMITS, Limits
from topline.search.optima import Optima, optima
from topline.text.budget import Budget

Draws = dict[str, NDArray[np.float64]]
SETTINGS = {"multi": POOLED, "single": "each"}
"""The paper's words for references that count together, or one by one."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """A system's extract held against all oracles of a topic."""

    id: str
    system: str
    metric: str
    references: str
    """`multi` or `single`."""
    precision: float
    recall: float
    f1: float
    unmatched: int


def oracles(
    topic: Topic, metric: Metric, budget: Budget, references: str = "multi", limits: Limits = NO_LIMITS
) -> list[Optima]:
    """All oracles of a topic: of its references together, or of each."""
    found = []
    for instance in build(topic, metric, budget, SETTINGS[references]):
        sets = optima(instance.problem, limits)
        if not sets.proved:
            raise SearchLimit(
                "not all oracles were found within the limits",
                where=Where(id=topic.id),
                hint="a larger --time-limit, or a smaller budget",
            )
        found.append(sets)
    return found


def overlap(
    topic: Topic, summary: Summary, sets: Sequence[Optima], metric: Metric, references: str = "multi"
) -> Overlap:
    """Precision, recall and F over all oracles; over the references' means where each stands alone."""
    own = selection(summary, topic, metric)
    found = [one.agreement(own.chosen) for one in sets]
    precision, recall, f1 = (
        float(sum((getattr(one, name) for one in found), Fraction(0)) / len(found))
        for name in ("precision", "recall", "f1")
    )
    return Overlap(topic.id, summary.system, str(metric), references, precision, recall, f1, own.unmatched)


def drawn(chosen: Mapping[str, Collection[int]], sets: Sequence[Optima], draws: int, seed: int) -> Draws:
    """Each system's F against one random oracle (of each reference), for every draw."""
    values = {system: np.zeros(draws) for system in chosen}
    for number, one in enumerate(sets):
        for d, oracle in enumerate(one.sample(draws, seed + number)):
            members = set(oracle)
            for system, own in chosen.items():
                size = len(members) + len(own)
                values[system][d] += 2 * len(members.intersection(own)) / size if size else 1.0
    return {system: value / len(sets) for system, value in values.items()}


def rows(
    topics: Iterable[tuple[Topic, Sequence[Summary]]],
    metric: Metric,
    budget: Budget,
    references: str = "multi",
    limits: Limits = NO_LIMITS,
) -> Iterator[Overlap]:
    """The overlaps of every topic's summaries; metrics are taken one part after the other."""
    for topic, summaries in topics:
        for part in metric.parts:
            alone = Metric((part,), metric.preprocessing)
            sets = oracles(topic, alone, budget, references, limits) if summaries else []
            for summary in summaries:
                yield overlap(topic, summary, sets, alone, references)
