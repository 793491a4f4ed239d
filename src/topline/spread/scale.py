"""Counts hits of texts as a document's distribution counts those of extracts.

N-grams within sentences, the text cut at the budget, the same references. Where extracts are made section by
section, hits are counted in every section for itself and added, for systems and marks as for their rivals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from random import Random

from topline.corpus.records import Reference, Topic
from topline.rouge.metric import Metric
from topline.spread.document import shares
from topline.spread.extracts import CHOPPED
from topline.spread.grams import Demand, Gram, Prefixes, demand, prefixes
from topline.spread.segment import sections_of
from topline.text.budget import Budget
from topline.text.encode import Vocabulary

Gains = Mapping[Gram, Sequence[int]]
"""What 0, 1, 2, ... occurrences of an n-gram count; more than are listed count as the last."""


@dataclass(slots=True)
class Scale:
    """The scale of a topic, on which texts and marks have their hits."""

    id: str
    metric: Metric
    budget: Budget
    parts: list[list[str]]
    """The sentences, section by section; one section if the document is taken as a whole."""
    limits: list[int]
    """What each section gets of the budget."""
    whole: bool
    """Whether the marks are made of whole sentences, as extracts of the kinds `fitting` and `maximal`."""
    total: int
    """What hits are divided by."""
    vocabulary: Vocabulary
    gains: list[Gains]
    """For each demand what its n-grams count."""
    wanted: set[Gram]
    known: dict[str, Prefixes] = field(default_factory=dict)
    """Sentences met so far."""

    @classmethod
    def of(
        cls,
        topic: Topic,
        metric: Metric,
        budget: Budget,
        references: str,
        *,
        extracts: str = CHOPPED,
        sections: str = "none",
    ) -> Scale:
        """The scale of a distribution: `references` are `pooled`, `best`, or the id of one."""
        vocabulary = Vocabulary(metric.preprocessing)
        chosen = _chosen(topic.references, references)
        demands = [demand([r.sentences for r in group], metric, vocabulary, topic.id) for group in chosen]
        total = lcm(*(one.denominator for one in demands))
        gains = [gains_of(one, total) for one in demands]
        texts = topic.texts()
        limit = budget.limit(texts)
        parts, limits = [texts], [limit]
        if sections != "none":
            parts = [texts[run.start : run.stop] for run in sections_of(topic, sections)]
            limits = shares(limit, [sum(map(budget.length, part)) for part in parts])
        return cls(
            topic.id, metric, budget, parts, limits, extracts != CHOPPED, total, vocabulary, gains,
            set().union(*gains),
        )  # fmt: skip

    def hits(self, sentences: Sequence[str]) -> int:
        """The hits of a text, cut at the budget: those of each section's sentences, added."""
        room = sum(self.limits)
        held: dict[int, Counter[Gram]] = {}
        for text, sentence in zip(sentences, self._prefixes(sentences), strict=True):
            held.setdefault(self._section(text), Counter()).update(held_by(sentence, room))
            room -= sentence.length
            if room <= 0:
                break
        return sum(self._value(one) for one in held.values())

    def _section(self, text: str) -> int:
        """The section that a sentence is from; what is from none is taken together."""
        if len(self.parts) == 1:
            return 0
        return next((number for number, part in enumerate(self.parts) if text in part), -1)

    def _value(self, held: Counter[Gram]) -> int:
        return max(_added(one, Counter(), held) for one in self.gains)

    def _prefixes(self, sentences: Sequence[str]) -> list[Prefixes]:
        new = [sentence for sentence in dict.fromkeys(sentences) if sentence not in self.known]
        found = prefixes(new, self.metric, self.budget, self.wanted, self.vocabulary)
        self.known.update(zip(new, found, strict=True))
        return [self.known[sentence] for sentence in sentences]

    def greedy(self) -> int:
        """The hits of the greedy extract: always the sentence that gains most a word, the last one cut."""
        return sum(self._greedy(part, limit) for part, limit in zip(self.parts, self.limits, strict=True))

    def _greedy(self, part: Sequence[str], room: int) -> int:
        left = [sentence for sentence in self._prefixes(part) if sentence.length]
        held: Counter[Gram] = Counter()
        values = [0] * len(self.gains)
        while room > 0 and (left := self._fitting(left, room)):
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

    def _fitting(self, sentences: list[Prefixes], room: int) -> list[Prefixes]:
        return [one for one in sentences if one.length <= room] if self.whole else sentences

    def _with(self, values: Sequence[int], held: Counter[Gram], more: Counter[Gram]) -> list[int]:
        """The hits for each demand with more n-grams held."""
        return [value + _added(one, held, more) for value, one in zip(values, self.gains, strict=True)]

    def lead(self) -> int:
        """The hits of the first sentences."""
        return sum(self._in_order(part, limit) for part, limit in zip(self.parts, self.limits, strict=True))

    def random(self, seed: int) -> int:
        """The hits of sentences in a random order, which depends on the seed and the topic's id."""
        random = Random(f"{seed}/{self.id}")
        hits = 0
        for part, limit in zip(self.parts, self.limits, strict=True):
            texts = list(part)
            random.shuffle(texts)
            hits += self._in_order(texts, limit)
        return hits

    def _in_order(self, texts: Sequence[str], room: int) -> int:
        """The hits of sentences that are taken in their order until the room is filled."""
        held: Counter[Gram] = Counter()
        for sentence in self._prefixes(texts):
            if room <= 0:
                break
            if self._fitting([sentence], room):
                held.update(held_by(sentence, room))
                room -= sentence.length
        return self._value(held)


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
