"""Where systems stand among all extracts: percentile ranks, and how many extracts are better.

A system's hits are counted as its rivals' are: n-grams within sentences, the text cut at the budget, against
the same references. Beside the systems stand four marks: the best extract, the greedy one, the first
sentences and sentences in random order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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
Gains = Mapping[Gram, Sequence[int]]
"""What 0, 1, 2, ... occurrences of an n-gram count; more than are listed count as the last."""


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
    total: int
    """What hits are divided by."""
    vocabulary: Vocabulary
    gains: list[Gains]
    """For each demand what its n-grams count."""
    wanted: set[Gram]
    known: dict[str, Prefixes] = field(default_factory=dict)
    """Sentences met so far."""

    @classmethod
    def of(cls, topic: Topic, metric: Metric, budget: Budget, references: str) -> Scale:
        """The scale of a distribution: `pooled`, `best`, or the id of a reference."""
        vocabulary = Vocabulary(metric.preprocessing)
        chosen = _chosen(topic.references, references)
        demands = [demand([r.sentences for r in group], metric, vocabulary, topic.id) for group in chosen]
        total = lcm(*(one.denominator for one in demands))
        gains = [gains_of(one, total) for one in demands]
        limit = budget.limit(topic.texts())
        return cls(topic, metric, budget, limit, total, vocabulary, gains, set().union(*gains))

    def hits(self, sentences: Sequence[str]) -> int:
        """The hits of a text, cut at the budget."""
        room = self.limit
        held: Counter[Gram] = Counter()
        for sentence in self._prefixes(sentences):
            held.update(held_by(sentence, room))
            room -= sentence.length
            if room <= 0:
                break
        return max(_added(one, Counter(), held) for one in self.gains)

    def _prefixes(self, sentences: Sequence[str]) -> list[Prefixes]:
        new = [sentence for sentence in dict.fromkeys(sentences) if sentence not in self.known]
        found = prefixes(new, self.metric, self.budget, self.wanted, self.vocabulary)
        self.known.update(zip(new, found, strict=True))
        return [self.known[sentence] for sentence in sentences]

    def greedy(self) -> int:
        """The hits of the greedy extract: always the sentence that gains most a word, the last one cut."""
        left = [sentence for sentence in self._prefixes(self.topic.texts()) if sentence.length]
        held: Counter[Gram] = Counter()
        values = [0] * len(self.gains)
        room = self.limit
        while left and room > 0:
            best = max(values)
            after = [self._with(values, held, held_by(sentence, room)) for sentence in left]
            scores = [
                Fraction(max(some) - best, min(sentence.length, room))
                for some, sentence in zip(after, left, strict=True)
            ]
            chosen = max(range(len(left)), key=lambda i: (scores[i], -i))
            sentence, values = left.pop(chosen), after[chosen]
            held.update(held_by(sentence, room))
            room -= sentence.length
        return max(values)

    def _with(self, values: Sequence[int], held: Counter[Gram], more: Counter[Gram]) -> list[int]:
        """The hits for each demand with more n-grams held."""
        return [value + _added(one, held, more) for value, one in zip(values, self.gains, strict=True)]

    def lead(self) -> int:
        """The hits of the first sentences."""
        return self.hits(self.topic.texts())

    def random(self, seed: int) -> int:
        """The hits of sentences in a random order, which depends on the seed and the topic's id."""
        texts = self.topic.texts()
        Random(f"{seed}/{self.topic.id}").shuffle(texts)
        return self.hits(texts)


def gains_of(one: Demand, total: int) -> Gains:
    """What every number of occurrences of an n-gram counts, in hits over a common total."""
    gains: dict[Gram, list[int]] = {}
    scales = [scale * (total // one.denominator) for scale in one.scales]
    for count in one.counts:
        for gram, times in count.items():
            worth = gains.setdefault(gram, [0])
            worth += [worth[-1]] * (times + 1 - len(worth))
            for held in range(1, len(worth)):
                worth[held] += min(held, times) * scales[gram[0]]
    return {gram: tuple(worth) for gram, worth in gains.items()}


def _added(gains: Gains, held: Counter[Gram], more: Counter[Gram]) -> int:
    """The hits that more n-grams add to those held."""
    added = 0
    for gram, times in more.items():
        worth = gains.get(gram)
        if worth is not None:
            before, most = held[gram], len(worth) - 1
            added += worth[min(before + times, most)] - worth[min(before, most)]
    return added


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
