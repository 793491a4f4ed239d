"""What a document offers and what the references demand, as counts of n-grams a sentence's prefix.

Conventions are those of `problem.build`: n-grams of an extract are counted within sentences, those of a
reference across its sentences, and a reference loses the unigram of its last word under ROUGE-SU.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import lcm

from topline.errors import MetricError, Where
from topline.rouge.metric import Metric, Part
from topline.text.budget import Budget
from topline.text.encode import Vocabulary

Gram = tuple[int, ...]
"""The number of the metric's part, then tokens."""


@dataclass(frozen=True, slots=True)
class Prefixes:
    """A sentence from its first word (or byte) to its last: what each prefix of it holds."""

    length: int
    """Words (or bytes)."""
    starts: tuple[int, ...]
    """Lengths from which on the prefix holds something else, rising, the first of them 0."""
    counts: tuple[Counter[Gram], ...]
    """What the prefix holds from each of these lengths on; only n-grams of the references."""

    @property
    def whole(self) -> Counter[Gram]:
        """What the whole sentence holds."""
        return self.counts[-1]


@dataclass(frozen=True, slots=True)
class Demand:
    """References that are scored together."""

    counts: tuple[Counter[Gram], ...]
    """N-grams of each reference."""
    totals: tuple[int, ...]
    """N-grams of all of them, one number a part of the metric."""

    @property
    def denominator(self) -> int:
        """What hits are divided by: the total, or for a sum of metrics the totals' common multiple."""
        return lcm(*self.totals)

    @property
    def scales(self) -> tuple[int, ...]:
        """How much a hit of each part counts, so that the parts can be added."""
        return tuple(self.denominator // total for total in self.totals)


def ending(tokens: Sequence[int], part: Part, number: int) -> Iterator[list[Gram]]:
    """For every token the n-grams that end with it."""
    for end, token in enumerate(tokens):
        if part.kind == "n":
            first = end - part.n + 1
            yield [(number, *tokens[first : end + 1])] if first >= 0 else []
            continue
        first = 0 if part.gap is None else max(0, end - part.gap - 1)
        pairs: list[Gram] = [(number, tokens[before], token) for before in range(first, end)]
        yield [*pairs, (number, token)] if part.kind == "su" else pairs


def grams(tokens: Sequence[int], metric: Metric) -> list[list[Gram]]:
    """For every token the n-grams of all parts of the metric that end with it."""
    parts = [ending(tokens, part, number) for number, part in enumerate(metric.parts)]
    return [[gram for found in at for gram in found] for at in zip(*parts, strict=True)]


def demand(references: Sequence[Sequence[str]], metric: Metric, vocabulary: Vocabulary, where: str) -> Demand:
    """Count the references, their sentences joined."""
    for part in metric.parts:
        if not part.additive:
            raise MetricError(
                f"{part} does not count n-grams", hint="a distribution takes rouge-N, rouge-S and rouge-SU"
            )
    table = vocabulary.encode(" ".join(sentences) for sentences in references)
    counts: list[Counter[Gram]] = []
    for reference in range(len(table)):
        tokens = table[reference].tolist()
        count = Counter(gram for found in grams(tokens, metric) for gram in found)
        for number, part in enumerate(metric.parts):
            if part.kind == "su" and tokens:
                count[number, tokens[-1]] -= 1
        counts.append(+count)
    totals = tuple(
        sum(times for count in counts for gram, times in count.items() if gram[0] == number)
        for number in range(len(metric.parts))
    )
    if 0 in totals:
        raise MetricError(
            f"the references hold no n-gram of {metric.parts[totals.index(0)]}: the score is undefined",
            where=Where(id=where),
            hint="mend the reference, or carry on with --skip-bad",
        )
    return Demand(tuple(counts), totals)


def prefixes(
    sentences: Sequence[str], metric: Metric, budget: Budget, wanted: set[Gram], vocabulary: Vocabulary
) -> list[Prefixes]:
    """Every sentence with what its prefixes hold of the wanted n-grams.

    A prefix of so many bytes may end within a word, as ROUGE's `-b` cuts: what is left of it counts.
    """
    cut = _by_bytes if budget.unit == "b" else _by_words
    return [cut(sentence, metric, budget.length(sentence), wanted, vocabulary) for sentence in sentences]


def _by_words(
    sentence: str, metric: Metric, length: int, wanted: set[Gram], vocabulary: Vocabulary
) -> Prefixes:
    words = sentence.split()
    table = vocabulary.encode(words)
    found = iter(grams(table.ids.tolist(), metric))
    starts, counts = [0], [Counter[Gram]()]
    for word in range(len(words)):
        ended = [gram for _ in range(len(table[word])) for gram in next(found) if gram in wanted]
        if ended:
            starts.append(min(word + 1, length))
            counts.append(counts[-1] + Counter(ended))
    return Prefixes(length, tuple(starts), tuple(counts))


def _by_bytes(
    sentence: str, metric: Metric, length: int, wanted: set[Gram], vocabulary: Vocabulary
) -> Prefixes:
    raw = sentence.encode("utf-8", "surrogatepass")
    table = vocabulary.encode(raw[:size].decode("utf-8", "ignore") for size in range(length + 1))
    starts, counts = [0], [Counter[Gram]()]
    before: list[int] = []
    for size in range(1, length + 1):
        tokens = table[size].tolist()
        if tokens == before:
            continue
        before = tokens
        count = Counter(gram for found in grams(tokens, metric) for gram in found if gram in wanted)
        if count != counts[-1]:
            starts.append(size)
            counts.append(count)
    return Prefixes(length, tuple(starts), tuple(counts))
