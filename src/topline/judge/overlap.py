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
DRAWS = 100
"""How often the paper draws a random oracle."""
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


@dataclass(frozen=True, slots=True)
class Standing:
    """A system's means over topics: against all oracles, and against random ones."""

    system: str
    metric: str
    references: str
    topics: int
    precision: float
    recall: float
    f1: float
    random_f1: float
    """The mean over draws of one oracle a topic (and reference)."""
    low: float
    """Its 95 % bootstrap interval, draws resampled, as in the paper."""
    high: float


def standings(
    topics: Iterable[tuple[Topic, Sequence[Summary]]],
    metric: Metric,
    budget: Budget,
    limits: Limits = NO_LIMITS,
    *,
    draws: int = DRAWS,
    samples: int = 1000,
    seed: int = 0,
) -> list[Standing]:
    """Every system in both settings, for each part of the metric: what Table 6 correlates with people."""
    found: dict[tuple[str, str, str], tuple[list[Overlap], list[NDArray[np.float64]]]] = {}
    for number, (topic, summaries) in enumerate(topics):
        for part in metric.parts if summaries else ():
            alone = Metric((part,), metric.preprocessing)
            own = {one.system: selection(one, topic, alone).chosen for one in summaries}
            for mode in SETTINGS:
                sets = oracles(topic, alone, budget, mode, limits)
                by_chance = drawn(own, sets, draws, seed + 1000 * number)
                for one in summaries:
                    place = found.setdefault((str(alone), mode, one.system), ([], []))
                    place[0].append(overlap(topic, one, sets, alone, mode))
                    place[1].append(by_chance[one.system])
    order = sorted(found, key=lambda key: (key[0], key[1] != "multi", key[2]))
    return [_standing(*found[key], samples, seed) for key in order]


def _standing(
    seen: Sequence[Overlap], by_chance: Sequence[NDArray[np.float64]], samples: int, seed: int
) -> Standing:
    first, draws = seen[0], np.mean(by_chance, axis=0)
    rows = np.random.default_rng(seed).integers(0, len(draws), (samples, len(draws)))
    low, high = np.percentile(draws[rows].mean(axis=1), [2.5, 97.5])
    precision, recall, f1 = (
        sum(getattr(one, name) for one in seen) / len(seen) for name in ("precision", "recall", "f1")
    )
    return Standing(
        first.system, first.metric, first.references, len(seen), precision, recall, f1,
        float(draws.mean()), float(low), float(high),
    )  # fmt: skip
