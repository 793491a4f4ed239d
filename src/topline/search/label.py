"""`topline.label`: which sentences of a document a summariser should learn to extract.

Ties are broken the same way everywhere: fewer sentences, then the extract whose sentences come first
(compared sentence by sentence).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from threading import local

import numpy as np

from topline import __version__
from topline.corpus.records import Topic
from topline.errors import OptionError, ToplineError
from topline.problem.build import LARGEST, Instance, build, codes
from topline.problem.cuts import leftover
from topline.problem.problem import Ints, Problem
from topline.rouge.metric import Metric
from topline.search.every import every_f1
from topline.search.exact import NO_LIMITS, Limits
from topline.search.f1 import FIRST_NODES, f1, greedy_f1, ratio_search, recall
from topline.search.optima import Optima, optima
from topline.search.oracle import OBJECTIVES, check
from topline.search.recipes import PAPERS, recipe
from topline.shown import Shown
from topline.text.budget import Budget
from topline.text.encode import Vocabulary

RECIPES = ("exact", *PAPERS)
_WORDS = 1 << 19
"""Words a vocabulary may hold before it is begun anew: memory stays constant, labels do not change."""
_LISTED = 10_000
"""Up to so many sets are simply gone through."""
Chosen = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Label(Shown):
    """A document's label; the fields are those of the labels file."""

    id: str
    sentences: int
    """How many sentences the document has."""
    selected: Chosen
    """The sentences to extract, numbered from 0, rising."""
    score: float
    """By the metric and objective of the run, whatever the recipe."""
    proved: bool
    """No extract within the budget scores better."""
    signature: str
    soft: tuple[float, ...] | None = None
    """For each sentence, the share of all best extracts that hold it."""
    candidates: tuple[Chosen, ...] | None = None
    """The recipe's extracts, best first, where it ranks several."""


@dataclass(slots=True)
class Labeller:
    """Labels document after document; threads may share one: each fills a vocabulary of its own."""

    recipe: str = "exact"
    metric: Metric = field(default_factory=lambda: Metric.parse("rouge-1+rouge-2"))
    budget: Budget = Budget(3, "s")  # noqa: RUF009 - frozen
    objective: str = "f1"
    soft: bool = False
    limits: Limits = NO_LIMITS
    _own: local = field(init=False, default_factory=local)

    def __post_init__(self) -> None:
        check(self.recipe, RECIPES, "recipe")
        check(self.objective, OBJECTIVES, "objective")
        if self.soft and self.recipe != "exact":
            raise OptionError("soft labels come from all best extracts", hint="--recipe exact")
        if self.budget.chop:
            raise OptionError("labels are whole sentences", hint="leave out --chop")

    @property
    def signature(self) -> str:
        """Everything a label depends on beside the texts."""
        return (
            f"{self.metric.signature}|{self.budget.signature}|objective:{self.objective}"
            f"|recipe:{self.recipe}{'+soft' if self.soft else ''}|topline-{__version__}"
        )

    def of(self, topic: Topic) -> Label:
        """The label of a topic; several references are pooled, a published recipe takes the first."""
        label = self._of(topic)
        return replace(label, signature=label.signature + topic.split) if topic.split else label

    def _of(self, topic: Topic) -> Label:
        (instance,) = build(topic, self.metric, self.budget, vocabulary=self._vocabulary())
        if self.recipe == "exact":
            return self._exact(instance)
        chosen = recipe(self.recipe)(topic.texts(), topic.references[0].sentences)
        return replace(self._label(instance, chosen.selected, proved=False), candidates=chosen.candidates)

    def of_many(self, topics: Sequence[Topic]) -> list[Label | ToplineError]:
        """The labels of many topics, in their order; in place of one that cannot be labelled, why."""
        quick = self._quickly(topics) if self.recipe == "exact" and not self.soft else {}
        found: list[Label | ToplineError] = []
        for place, topic in enumerate(topics):
            try:
                found.append(quick.get(place) or self.of(topic))
            except ToplineError as error:
                found.append(error)
        return found

    def _quickly(self, topics: Sequence[Topic]) -> dict[int, Label]:
        """The labels of those topics for which the depth-first search is enough, in one compiled call."""
        from topline.search.kernels.unit import OK, best_of_each

        texts: list[list[str]] = []
        everything: list[str] = []
        for topic in topics:
            own = [sentence.text for document in topic.documents for sentence in document.sentences]
            texts.append(own)
            everything += own
            everything += [" ".join(reference.sentences) for reference in topic.references]
        tokens = self._vocabulary().encode(everything)
        sentences = np.array([len(own) for own in texts], np.int64)
        firsts = np.zeros(len(topics) + 1, np.int64)
        np.cumsum(sentences + [len(topic.references) for topic in topics], out=firsts[1:])
        count = int(sentences.sum())
        chosen = np.empty(count, np.int64)
        sizes, above, below = np.zeros((3, len(topics)), np.int64)
        fates = best_of_each(
            tokens.ids,
            tokens.starts,
            firsts,
            sentences,
            self._lengths(texts, count),
            np.array([self.budget.limit(own) for own in texts], np.int64),
            *codes(self.metric),
            self.objective == "f1",
            FIRST_NODES,
            float(LARGEST),
            chosen,
            sizes,
            above,
            below,
        )
        signature, twice = self.signature, 2 if self.objective == "f1" else 1
        ends = np.cumsum(sentences) - sentences + sizes
        lists = chosen.tolist()
        columns = zip(
            topics, fates.tolist(), sentences.tolist(), ends.tolist(), sizes.tolist(), above.tolist(),
            below.tolist(), strict=True,
        )  # fmt: skip
        return {
            place: Label(
                topic.id, n, tuple(lists[end - size : end]), twice * a / b, True, signature + topic.split
            )
            for place, (topic, fate, n, end, size, a, b) in enumerate(columns)
            if fate == OK
        }

    def _lengths(self, texts: Sequence[Sequence[str]], count: int) -> Ints:
        if self.budget.unit == "s":
            return np.ones(count, np.int64)
        length = self.budget.length
        return np.fromiter((length(text) for own in texts for text in own), np.int64, count)

    def _vocabulary(self) -> Vocabulary:
        """The one of this thread, begun anew when it has become large."""
        found: Vocabulary | None = getattr(self._own, "vocabulary", None)
        if found is None or len(found) > _WORDS:
            found = self._own.vocabulary = Vocabulary(self.metric.preprocessing)
        return found

    def _label(self, instance: Instance, chosen: Chosen, *, proved: bool) -> Label:
        score = f1(instance, chosen) if self.objective == "f1" else recall(instance, chosen)
        return Label(instance.topic, instance.problem.sentences, chosen, float(score), proved, self.signature)

    def _exact(self, instance: Instance) -> Label:
        if self.soft:
            return self._soft(instance)
        guess = greedy_f1(instance, self.objective)
        chosen, _, complete = ratio_search(instance, self.objective, FIRST_NODES, guess)
        proved = complete
        if not complete:
            chosen, proved = self._at_length(instance)
        return self._label(instance, chosen, proved=proved)

    def _all(self, instance: Instance) -> Optima:
        if self.objective == "f1":
            return every_f1(instance, self.limits)[1]
        return optima(instance.problem, self.limits)

    def _at_length(self, instance: Instance) -> tuple[Chosen, bool]:
        """For documents too hard for the quick search: all optima, and the first of them."""
        sets = self._all(instance)
        if not sets.proved:
            return next(iter(sets)), False
        return self._first(instance, sets), True

    def _first(self, instance: Instance, sets: Optima) -> Chosen:
        """The label among all best sets: those of a sum of F1 are known one by one."""
        if self.objective == "f1" and len(instance.totals) > 1:
            return min(sets, key=_rank)
        return first(sets, self.limits)

    def _soft(self, instance: Instance) -> Label:
        sets = self._all(instance)
        counts = sets.membership_by_size
        soft = tuple(sum(counts.get(i, {}).values()) / sets.count for i in range(instance.problem.sentences))
        chosen = self._first(instance, sets) if sets.proved else next(iter(sets))
        return replace(self._label(instance, chosen, proved=sets.proved), soft=soft)


def _rank(chosen: Chosen) -> tuple[int, Chosen]:
    return len(chosen), chosen


def first(sets: Optima, limits: Limits = NO_LIMITS) -> Chosen:
    """Of all best sets the one with the fewest sentences, of these the one whose sentences come first."""
    if sets.count <= _LISTED:
        return min(sets, key=_rank)
    size = min(sets.sizes)
    if size == 0:
        return ()
    head = min(i for i, held in sets.membership_by_size.items() if held.get(size))
    rest = optima(_after(sets.problem, head), limits)
    if not rest.proved:
        return min(sets.sample(_LISTED), key=_rank)
    return (head, *first(rest, limits))


def _after(problem: Problem, chosen: int) -> Problem:
    """What is left to gain once a sentence is chosen."""
    entries = slice(problem.starts[chosen], problem.starts[chosen + 1])
    room = problem.budget - int(problem.lengths[chosen])
    return leftover(problem, problem.grams[entries], problem.counts[entries], chosen, room)


def label(
    topic: Topic,
    recipe: str = "exact",
    *,
    metric: str | Metric = "rouge-1+rouge-2",
    budget: str | Budget = "3s",
    objective: str = "f1",
    soft: bool = False,
    seconds: float | None = None,
) -> Label:
    """The label of one document: exact, or by a published recipe.

    >>> from topline import Document, Reference, Sentence, Topic
    >>> texts = ("Rain fell.", "The bridge was closed after the flood.", "Nobody was hurt.")
    >>> document = Document("d", tuple(Sentence(text) for text in texts))
    >>> topic = Topic("t", (document,), (Reference("A", ("A flood closed the bridge.", "Nobody hurt.")),))
    >>> label(topic).selected, label(topic, "alignment").selected
    ((1, 2), (1, 2))
    """
    return Labeller(
        recipe,
        Metric.parse(metric) if isinstance(metric, str) else metric,
        Budget.parse(budget) if isinstance(budget, str) else budget,
        objective,
        soft,
        Limits(seconds=seconds),
    ).of(topic)
