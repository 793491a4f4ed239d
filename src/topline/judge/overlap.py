"""F-measures over all oracles (Hirao et al. 2017a, section 6.2.3): do oracles hold a system's sentences.

`P = mean |O & S| / |S|`, `R = mean |O & S| / |O|` over all oracles O, `F = 2PR / (P + R)`; with single
references the F of each reference's oracles is averaged over the references. The random-oracle variant
draws one oracle a reference instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from topline.corpus.records import Summary, Topic
from topline.errors import SearchLimit, Where
from topline.problem.build import POOLED, build
from topline.rouge.metric import Metric
from topline.search.exact import NO_LIMITS, Limits
from topline.search.optima import Optima, optima
from topline.text.budget import Budget
from topline.text.encode import Vocabulary

SETTINGS = {"multi": POOLED, "single": "each"}
"""The paper's words for references that count together, or one by one."""


@dataclass(frozen=True, slots=True)
class Located:
    """Which of the topic's sentences a summary consists of."""

    chosen: tuple[int, ...]
    unmatched: int
    """Sentences that are none of the topic's."""

    @property
    def size(self) -> int:
        """|S|, sentences that no oracle can hold included."""
        return len(self.chosen) + self.unmatched


def locate(topic: Topic, summary: Summary, metric: Metric) -> Located:
    """The numbers a system gave, or its sentences found in the topic: to the letter, then by their tokens."""
    if summary.selected is not None:
        return Located(tuple(sorted(set(summary.selected))), 0)
    vocabulary = Vocabulary(metric.preprocessing)
    source = topic.texts()
    words = _tuples(vocabulary, source)
    exact: dict[str, list[int]] = {}
    normal: dict[tuple[int, ...], list[int]] = {}
    for i in range(len(source)):
        exact.setdefault(" ".join(source[i].split()), []).append(i)
        normal.setdefault(words[i], []).append(i)
    chosen: set[int] = set()
    unmatched = 0
    own = _tuples(vocabulary, summary.sentences)
    for text, tokens in zip(summary.sentences, own, strict=True):
        places = [*exact.get(" ".join(text.split()), ()), *normal.get(tokens, ())]
        free = next((i for i in places if i not in chosen), None)
        if free is None:
            unmatched += bool(len(tokens))
        else:
            chosen.add(free)
    return Located(tuple(sorted(chosen)), unmatched)


def _tuples(vocabulary: Vocabulary, texts: Sequence[str]) -> list[tuple[int, ...]]:
    table = vocabulary.encode(texts)
    return [tuple(table[i].tolist()) for i in range(len(table))]


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
    located = locate(topic, summary, metric)
    parts = [_against(located, one) for one in sets]
    precision, recall, f1 = (float(sum(part[k] for part in parts) / len(parts)) for k in range(3))
    return Overlap(
        topic.id, summary.system, str(metric), references, precision, recall, f1, located.unmatched
    )


def _against(located: Located, sets: Optima) -> tuple[Fraction, Fraction, Fraction]:
    found = sets.agreement(located.chosen)
    precision = found.precision
    if located.unmatched:
        precision *= Fraction(len(located.chosen), located.size)
    total = precision + found.recall
    return precision, found.recall, 2 * precision * found.recall / total if total else Fraction(0)


def drawn(
    located: Mapping[str, Located], sets: Sequence[Optima], draws: int, seed: int
) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """Each system's F against one random oracle (a reference), for every draw."""
    values = {system: np.zeros(draws) for system in located}
    for number, one in enumerate(sets):
        for d, oracle in enumerate(one.sample(draws, seed + number)):
            members = set(oracle)
            for system, extract in located.items():
                shared = len(members.intersection(extract.chosen))
                size = len(members) + extract.size
                values[system][d] += 2 * shared / size if size else 1.0
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
