"""Where systems stand among all extracts: percentile ranks, and how many extracts are better.

A system's hits are counted as its rivals' are: n-grams within sentences, the text cut at the budget, against
the same references. Beside the systems stand four marks: the best extract, the greedy one, the first
sentences and sentences in random order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from random import Random

from topline.corpus.records import Reference, Summary, Topic
from topline.errors import CorpusError, Where
from topline.rouge.metric import Metric
from topline.shown import Shown
from topline.spread.distribution import Better, Distribution
from topline.spread.document import Spread
from topline.spread.grams import Demand, Gram, Prefixes, demand, prefixes
from topline.text.budget import Budget
from topline.text.encode import Vocabulary

ORACLE, GREEDY, LEAD, RANDOM = "(oracle)", "(greedy)", "(lead)", "(random)"
MARKS = (ORACLE, GREEDY, LEAD, RANDOM)


@dataclass(frozen=True, slots=True)
class Standing(Shown):
    """A system's place among all extracts of a topic."""

    id: str
    system: str
    metric: str
    references: str
    hits: int
    total: int
    percentile: float
    """The percentage of extracts with fewer hits (of the draws, if sampled)."""
    interval: tuple[float, float]
    """Its bounds: equal if exact, else at 99% confidence."""
    better: Better
    """Extracts with more hits."""
    equal: int | None
    """Extracts with the same hits, where that is known."""

    @property
    def score(self) -> float:
        """Recall (or the sum of recalls)."""
        return self.hits / self.total


@dataclass(slots=True)
class Scale:
    """Counts hits of texts as a topic's distribution counts those of extracts."""

    topic: Topic
    metric: Metric
    budget: Budget
    limit: int
    demands: list[Demand]
    vocabulary: Vocabulary

    @classmethod
    def of(cls, topic: Topic, metric: Metric, budget: Budget, references: str) -> Scale:
        """The scale of a distribution: `pooled`, `best`, or the id of a reference."""
        vocabulary = Vocabulary(metric.preprocessing)
        chosen = _chosen(topic.references, references)
        demands = [demand([r.sentences for r in group], metric, vocabulary, topic.id) for group in chosen]
        return cls(topic, metric, budget, budget.limit(topic.texts()), demands, vocabulary)

    @property
    def total(self) -> int:
        """What hits are divided by."""
        return lcm(*(one.denominator for one in self.demands))

    def hits(self, sentences: Sequence[str]) -> int:
        """The hits of a text, cut at the budget."""
        wanted = {gram for one in self.demands for count in one.counts for gram in count}
        return self._closed(prefixes(sentences, self.metric, self.budget, wanted, self.vocabulary))

    def _closed(self, sentences: Sequence[Prefixes]) -> int:
        """The hits of sentences in their order, the last one cut."""
        room = self.limit
        held: Counter[Gram] = Counter()
        for sentence in sentences:
            held.update(held_by(sentence, room))
            room -= sentence.length
            if room <= 0:
                break
        return max(self._value(one, held) for one in self.demands)

    def _value(self, one: Demand, held: Counter[Gram]) -> int:
        hits = sum(
            min(times, held[gram]) * one.scales[gram[0]]
            for count in one.counts
            for gram, times in count.items()
        )
        return hits * (self.total // one.denominator)

    def greedy(self) -> int:
        """The hits of the greedy extract: always the sentence that gains most a word, the last one cut."""
        wanted = {gram for one in self.demands for count in one.counts for gram in count}
        left = prefixes(self.topic.texts(), self.metric, self.budget, wanted, self.vocabulary)
        left = [sentence for sentence in left if sentence.length]
        held: Counter[Gram] = Counter()
        room, value = self.limit, 0
        while left and room > 0:
            gains = [
                Fraction(
                    max(self._value(one, held + held_by(sentence, room)) for one in self.demands) - value,
                    min(sentence.length, room),
                )
                for sentence in left
            ]
            chosen = left.pop(max(range(len(left)), key=lambda i: (gains[i], -i)))
            held.update(held_by(chosen, room))
            room -= chosen.length
            value = max(self._value(one, held) for one in self.demands)
        return value

    def lead(self) -> int:
        """The hits of the first sentences."""
        return self.hits(self.topic.texts())

    def random(self, seed: int) -> int:
        """The hits of sentences in a random order, which depends on the seed and the topic's id."""
        texts = self.topic.texts()
        Random(f"{seed}/{self.topic.id}").shuffle(texts)
        return self.hits(texts)


def held_by(sentence: Prefixes, room: int) -> Counter[Gram]:
    """What as much of a sentence holds as the room lets in."""
    found: Counter[Gram] = Counter()
    for start, count in zip(sentence.starts, sentence.counts, strict=True):
        if start > room:
            break
        found = count
    return found


def _chosen(references: Sequence[Reference], mode: str) -> list[list[Reference]]:
    if mode == "pooled":
        return [list(references)]
    if mode == "best":
        return [[reference] for reference in references]
    return [[reference for reference in references if reference.id == mode]]


def text_of(summary: Summary, topic: Topic) -> list[str]:
    """A summary's sentences: its own, or those of the topic that it chose."""
    if summary.selected is None:
        return list(summary.sentences)
    texts = topic.texts()
    for number in summary.selected:
        if not 0 <= number < len(texts):
            raise CorpusError(
                f"{summary.system!r} selects sentence {number} of {len(texts)}",
                where=Where(id=topic.id),
                hint="sentences are counted from 0, documents in corpus order",
            )
    return [texts[number] for number in summary.selected]


def standings(
    topic: Topic, spread: Spread, summaries: Sequence[Summary], metric: Metric, budget: Budget, seed: int = 0
) -> list[Standing]:
    """The systems of a topic, and behind them the marks."""
    scale = Scale.of(topic, metric, budget, spread.references)
    hits = [(summary.system, scale.hits(text_of(summary, topic))) for summary in summaries]
    if spread.distribution.best_known:
        hits.append((ORACLE, spread.distribution.most))
    hits += [(GREEDY, scale.greedy()), (LEAD, scale.lead()), (RANDOM, scale.random(seed))]
    return [standing(spread, system, number) for system, number in hits]


def standing(spread: Spread, system: str, hits: int) -> Standing:
    """The place of some hits in a distribution."""
    distribution: Distribution = spread.distribution
    return Standing(
        spread.id,
        system,
        spread.metric,
        spread.references,
        hits,
        distribution.total,
        distribution.percent(hits),
        distribution.percentile(hits),
        distribution.better(hits),
        distribution.equal(hits),
    )


def error_reduction(score: Fraction, base: Fraction, best: Fraction) -> float | None:
    """By which part a system lessens the distance of a baseline from the optimum; None if there is none."""
    return None if best == base else float((score - base) / (best - base))
