"""`topline.all_oracles`: every best extract of a topic, and systems compared with all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from topline import __version__
from topline.corpus.records import Summary, Topic
from topline.errors import OptionError
from topline.problem.build import MODES, Instance, build
from topline.rouge.metric import Metric
from topline.search.diagram import Diagram
from topline.search.exact import NO_LIMITS, Limits
from topline.search.f1 import all_best, best_f1, charged, shown
from topline.search.optima import Optima, optima
from topline.search.oracle import OBJECTIVES, check
from topline.search.published import published
from topline.shown import Shown
from topline.text.budget import Budget
from topline.text.encode import Vocabulary

if TYPE_CHECKING:
    from topline.search.pieces import Apart

SOLVERS = ("exact", "published")
_WORK, _WORK_A_SECOND = 1 << 32, 1e8
"""Sentences looked at while the optima of a sum of F1 are collected one by one, and of them a second."""


@dataclass(frozen=True, slots=True)
class Every(Shown):
    """All best extracts of a topic; the fields but the last are those of `topline optima --json`."""

    id: str
    references: str
    """`pooled`, or the id of the reference they are best for."""
    metric: str
    hits: int
    total: int
    score: float
    count: int
    """Sets of sentences that share an n-gram with the references, within the budget, with the best score."""
    count_all: int
    """The same with further sentences that share nothing and merely fit."""
    sizes: dict[int, int]
    """How many of the sets have each number of sentences."""
    proved: bool
    """The score is the best and the sets are all; otherwise `count` is a lower bound."""
    bound: int | float
    """No extract has more hits; where F1 is maximised, no better score."""
    seconds: float
    signature: str
    optima: Optima = field(repr=False)
    """The sets themselves: iterable, with `sample`, `agreement`, `similarity`, `membership_by_size`."""


@dataclass(slots=True)
class AllOracles:
    """All best extracts by one metric, budget, mode of references and objective, topic after topic."""

    metric: Metric
    budget: Budget
    references: str = "pooled"
    objective: str = "recall"
    solver: str = "exact"
    limits: Limits = NO_LIMITS
    _vocabulary: Vocabulary = field(init=False)

    def __post_init__(self) -> None:
        check(self.references, MODES, "mode of references")
        check(self.objective, OBJECTIVES, "objective")
        check(self.solver, SOLVERS, "solver of all optima")
        if self.budget.chop:
            raise OptionError("chopped extracts are not enumerated", hint="leave out --chop")
        if self.solver == "published" and self.objective == "f1":
            raise OptionError("the published algorithms maximise recall", hint="--solver exact")
        self._vocabulary = Vocabulary(self.metric.preprocessing)

    @property
    def signature(self) -> str:
        """Everything a result depends on beside the texts."""
        return (
            f"{self.metric.signature}|{self.budget.signature}|refs:{self.references}"
            f"|objective:{self.objective}|solver:{self.solver}|topline-{__version__}"
        )

    def of(self, topic: Topic, elsewhere: Mapping[str, Optima] | None = None) -> list[Every]:
        """The topic's best extracts; one record, or one for each of its references.

        With `elsewhere`, those of hard problems are taken from there; one that is missing raises `Missing`.
        """
        instances = build(topic, self.metric, self.budget, self.references, self._vocabulary)
        found = [self._found(instance, elsewhere) for instance in instances]
        return [_best(found)] if self.references == "best" else found

    def _found(self, instance: Instance, elsewhere: Mapping[str, Optima] | None) -> Every:
        begin = perf_counter()
        if self.objective == "f1":
            bound, sets = every_f1(instance, self.limits)
            hits, total = shown(instance, next(iter(sets)))
            limit: int | float = float(bound)
        else:
            sets = self._by_recall(instance, elsewhere)
            hits, total, limit = sets.value, instance.denominator, max(sets.bound, sets.value)
        count, count_all, sizes = sets.count, sets.count_all, sets.sizes
        return Every(
            id=instance.topic,
            references=instance.references,
            metric=str(self.metric),
            hits=hits,
            total=total,
            score=hits / total,
            count=count,
            count_all=count_all,
            sizes=sizes,
            proved=sets.proved,
            bound=limit,
            seconds=round(perf_counter() - begin, 6),
            signature=self.signature,
            optima=sets,
        )

    def _by_recall(self, instance: Instance, elsewhere: Mapping[str, Optima] | None) -> Optima:
        if self.solver == "exact":
            return self._exactly(instance, elsewhere)
        found = published(instance.problem, self.limits)
        sets = found.optima or ((),)
        return Optima(instance.problem, listed(sets), found.value, found.bound, found.proved, found.checked)

    def _exactly(self, instance: Instance, elsewhere: Mapping[str, Optima] | None) -> Optima:
        from topline.search.pieces import TooMuch

        if elsewhere is not None and instance.references in elsewhere:
            return elsewhere[instance.references]
        try:
            return optima(instance.problem, self.limits, elsewhere=elsewhere is not None)
        except TooMuch as much:
            raise Missing(instance.references, much.work) from much


def _best(found: list[Every]) -> Every:
    """The extracts of the reference that is matched best, the first on a tie; the bound is over all."""
    best = max(found, key=lambda one: Fraction(one.hits, one.total))
    if all(one.proved for one in found):
        return best
    if isinstance(best.bound, float):
        bound: int | float = max(one.bound for one in found)
        proved = best.proved and bound <= best.score
    else:
        above = max(Fraction(int(one.bound), one.total) for one in found)
        bound = int(above * best.total)
        proved = best.proved and above <= Fraction(best.hits, best.total)
    return replace(best, bound=bound, proved=proved)


class Missing(Exception):
    """A topic waits for all sets of one of its problems, which are to be sought in pieces."""

    def __init__(self, references: str, work: Apart) -> None:
        super().__init__(references, work)
        self.references, self.work = references, work


def every_f1(instance: Instance, limits: Limits) -> tuple[Fraction, Optima]:
    """A bound on F1 and all extracts with the best.

    For one metric these are the optima of Dinkelbach's last problem; for a sum they are collected.
    """
    best = best_f1(instance, limits)
    if len(instance.totals) == 1 and best.value > 0:
        sets = optima(charged(instance, best.value / 2), limits)
        return best.bound, replace(sets, proved=sets.proved and best.proved)
    sets_of_sum = all_best(instance, best.chosen, _nodes(instance, limits)) if best.proved else None
    proved = sets_of_sum is not None
    problem = replace(instance.problem, charges=instance.own.sum(axis=0))
    diagram = listed(sets_of_sum or [best.chosen])
    return best.bound, Optima(problem, diagram, 0, 0, proved, best.nodes)


def _nodes(instance: Instance, limits: Limits) -> int:
    """How many nodes collecting may take: each looks at all sentences."""
    work = _WORK if limits.seconds is None else min(_WORK, int(_WORK_A_SECOND * limits.seconds))
    nodes = max(1, work // max(1, instance.problem.sentences))
    return nodes if limits.nodes is None else min(nodes, limits.nodes)


def listed(sets: Sequence[tuple[int, ...]]) -> Diagram:
    """A diagram of sets that are known one by one: a chain of sentences for each, a root above all."""
    sentences = sorted({i for some in sets for i in some})
    number = {i: item for item, i in enumerate(sentences, start=1)}
    place, child, heads = [0, 0], [], []
    for some in sets:
        below = 1
        for i in reversed(some):
            place.append(number[i])
            child.append(below)
            below = len(place) - 1
        heads.append(below)
    links = len(child)
    return Diagram(
        items=((), *((i,) for i in sentences)),
        place=np.array([*place, 0], np.int64),
        arcs=np.array([0, 0, *range(links + 1), links + len(heads)], np.int64),
        copies=np.array([1] * links + [0] * len(heads), np.int64),
        child=np.array([*child, *heads], np.int64),
    )


@dataclass(frozen=True, slots=True)
class Selection:
    """Which of a topic's sentences a system's summary consists of."""

    chosen: tuple[int, ...]
    """Numbers of the topic's sentences; every sentence that is none of them has a number beyond these."""
    unmatched: int
    """Sentences of the summary that the topic does not have."""


def selection(summary: Summary, topic: Topic, metric: Metric) -> Selection:
    """The sentences a system chose: by its own numbers, or its text matched with the topic's.

    Sentences are compared to the letter, then by their tokens; a text that stands several times in the
    topic is taken in order. What is not found counts as a sentence that no oracle has.
    """
    if summary.selected is not None:
        return Selection(tuple(sorted(set(summary.selected))), 0)
    texts = topic.texts()
    tokens = metric.preprocessing.tokens
    exact = _places(texts)
    loose = _places([" ".join(tokens(text)) for text in texts])
    chosen: set[int] = set()
    unmatched = 0
    for sentence in summary.sentences:
        normal = " ".join(tokens(sentence))
        places = [*exact.get(sentence, ()), *(loose.get(normal, ()) if normal else ())]
        free = next((place for place in places if place not in chosen), None)
        if free is None:
            free = len(texts) + unmatched
            unmatched += 1
        chosen.add(free)
    return Selection(tuple(sorted(chosen)), unmatched)


def _places(texts: Sequence[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        places.setdefault(text, []).append(place)
    return places


def all_oracles(
    topic: Topic,
    metric: str | Metric = "rouge-1",
    budget: str | Budget = "100w",
    *,
    references: str = "pooled",
    objective: str = "recall",
    solver: str = "exact",
    seconds: float | None = None,
) -> list[Every]:
    """Every best extract of a topic (one record; one a reference with `references="each"`).

    >>> from topline import Document, Reference, Sentence, Topic
    >>> texts = ("A cat sat.", "Dogs bark.", "One cat sat.")
    >>> document = Document("d", tuple(Sentence(text) for text in texts))
    >>> topic = Topic("t", (document,), (Reference("A", ("The cat sat there.",)),))
    >>> [every] = all_oracles(topic, "rouge-1", "3w")
    >>> every.count, list(every.optima)
    (2, [(0,), (2,)])
    """
    return AllOracles(
        Metric.parse(metric) if isinstance(metric, str) else metric,
        Budget.parse(budget) if isinstance(budget, str) else budget,
        references,
        objective,
        solver,
        Limits(seconds=seconds),
    ).of(topic)
