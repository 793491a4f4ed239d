"""A document as machine words: demand in unary, so that a prefix's gain is an `and` and a popcount.

For an n-gram that references hold `m` times there is a field of `m` bits, once for each distinct `m`; its
weight is the number of references with that count. The state is the *residual demand*: a field whose
lower `m - c` bits are set after `c` occurrences. A prefix that holds the n-gram `q` times has its lower
`min(q, m)` bits set; the gain is the weighted popcount of both, and saturation costs nothing. Fields of one
weight lie behind one another, across the borders of 64-bit words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import lcm

import numpy as np
from numpy.typing import NDArray

from topline.corpus.records import Reference
from topline.rouge.metric import Metric
from topline.spread.grams import Demand, Gram, Prefixes, demand, prefixes
from topline.text.budget import Budget
from topline.text.encode import Vocabulary

Words = NDArray[np.uint64]
Ints = NDArray[np.int64]
LANES = 8
"""Sentences are padded to multiples of this, and by as many more, for the vector loops."""


@dataclass(frozen=True, slots=True)
class Field:
    """An n-gram's demand in the state."""

    gram: Gram
    group: int
    """The demand it belongs to."""
    weight: int
    """The number of references with this count, times the stride of the metric's part."""
    size: int
    """Bits: how often a reference (that counts here) holds the n-gram, or the document if that is less."""
    copy: int = 0
    """Tells fields of weight 1 apart that stand for one of a larger weight."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """A document against its references; position 0 is the longest sentence."""

    order: tuple[int, ...]
    """The sentence's number in the document at each position: by falling length, then as they stand."""
    sentences: tuple[Prefixes, ...]
    """By position."""
    lengths: Ints
    """By position."""
    budget: int
    demands: tuple[Demand, ...]
    """One if the references are pooled; one a reference if the best counts."""
    offsets: dict[Field, int]
    """The first bit of each field."""
    state: Words
    """All demand open."""
    weights: Ints
    """What a bit of each word counts."""
    groups: Ints
    """The demand that each word belongs to."""

    values: tuple[Ints, ...]
    """For each demand the hits of every index. Kernels count in indices: for one metric they are its hits
    (pooled references together), for a sum of metrics the parts' hits in mixed radix."""
    total: int
    """What hits are divided by."""

    @property
    def width(self) -> int:
        """Words of the state."""
        return len(self.state)

    @property
    def size(self) -> int:
        """Sentences that count: those without a word are left out."""
        return len(self.lengths)

    @property
    def rooms(self) -> int:
        """The longest prefix that can be needed."""
        return min(self.budget, int(self.lengths.max(initial=0)))

    @property
    def reach(self) -> Ints:
        """The index if all of a demand that the document can meet were met."""
        return np.array([len(values) - 1 for values in self.values], np.int64)


def encode(
    sentences: Sequence[str],
    references: Sequence[Reference],
    metric: Metric,
    budget: Budget,
    *,
    best: bool = False,
    where: str = "",
    vocabulary: Vocabulary | None = None,
) -> Encoding:
    """Encode the sentences against the references, pooled or (`best`) each for itself."""
    vocabulary = vocabulary or Vocabulary(metric.preprocessing)
    texts = [reference.sentences for reference in references]
    together = [[text] for text in texts] if best else [texts]
    demands = tuple(demand(some, metric, vocabulary, where) for some in together)
    wanted = {gram for one in demands for count in one.counts for gram in count}
    found = prefixes(sentences, metric, budget, wanted, vocabulary)
    return encoded(found, budget.limit(sentences), demands)


def encoded(found: Sequence[Prefixes], limit: int, demands: tuple[Demand, ...]) -> Encoding:
    """Lay out the demand that the sentences can meet within the limit."""
    order = sorted((i for i, one in enumerate(found) if one.length), key=lambda i: -found[i].length)
    chosen = tuple(found[i] for i in order)
    fields, strides = _fields(chosen, demands)
    offsets: dict[Field, int] = {}
    weights: list[int] = []
    groups: list[int] = []
    end = 0
    for field in fields:
        if not weights or (groups[-1], weights[-1]) != (field.group, field.weight):
            end = 64 * len(weights)
        offsets[field] = end
        end += field.size
        while 64 * len(weights) < end:
            weights.append(field.weight)
            groups.append(field.group)
    if not weights:
        weights, groups = [1], [0]
    total = lcm(*(one.denominator for one in demands))
    full = sum(ones(field.size) << at for field, at in offsets.items())
    return Encoding(
        order=tuple(order),
        sentences=chosen,
        lengths=np.array([one.length for one in chosen], np.int64),
        budget=limit,
        demands=demands,
        offsets=offsets,
        state=words(full, len(weights)),
        weights=np.array(weights, np.int64),
        groups=np.array(groups, np.int64),
        values=tuple(_values(fields, group, one, strides, total) for group, one in enumerate(demands)),
        total=total,
    )


def _fields(sentences: Sequence[Prefixes], demands: Sequence[Demand]) -> tuple[list[Field], list[list[int]]]:
    """The fields in the order of the state, and the strides of the metric's parts, a list a demand."""
    supply: Counter[Gram] = Counter()
    for sentence in sentences:
        most: Counter[Gram] = Counter()
        for count in sentence.counts:
            most |= count
        supply.update(most)
    fields: list[Field] = []
    strides = []
    for group, one in enumerate(demands):
        found = [
            Field(gram, group, times, size)
            for gram in {gram for count in one.counts for gram in count if gram in supply}
            for size, times in Counter(
                min(count[gram], supply[gram]) for count in one.counts if count[gram]
            ).items()
        ]
        strides.append(_strides(found, len(one.totals)))
        fields += [replace(field, weight=field.weight * strides[-1][field.gram[0]]) for field in found]
    return sorted(_alike(fields), key=lambda f: (f.group, f.weight, f.gram, f.size, f.copy)), strides


def _alike(fields: list[Field]) -> list[Field]:
    """The same demand in fields of weight 1, unless that takes more words: then nothing is multiplied."""
    bits: Counter[tuple[int, int]] = Counter()
    for field in fields:
        bits[field.group, field.weight] += field.size
    single: Counter[int] = Counter()
    for (group, weight), size in bits.items():
        single[group] += weight * size
    if sum(-(-size // 64) for size in single.values()) > sum(-(-size // 64) for size in bits.values()) + 1:
        return fields
    return [replace(field, weight=1, copy=copy) for field in fields for copy in range(field.weight)]


def _strides(fields: Sequence[Field], parts: int) -> list[int]:
    """What an index counts a hit of each part as, so that no two tuples of hits share an index."""
    strides = [1] * parts
    for part in range(parts - 1, 0, -1):
        reach = sum(field.weight * field.size for field in fields if field.gram[0] == part)
        strides[part - 1] = strides[part] * (reach + 1)
    return strides


def _values(
    fields: Sequence[Field], group: int, one: Demand, strides: Sequence[Sequence[int]], total: int
) -> Ints:
    """The hits, over the common total, of every index."""
    left = np.arange(1 + sum(field.weight * field.size for field in fields if field.group == group))
    hits = np.zeros_like(left)
    for stride, scale in zip(strides[group], one.scales, strict=True):
        hits += left // stride * scale * (total // one.denominator)
        left = left % stride
    return hits


def ones(bits: int) -> int:
    """So many ones."""
    return (1 << bits) - 1


def words(bits: int, width: int) -> Words:
    """A Python integer as 64-bit words, the lowest first."""
    return np.frombuffer(bits.to_bytes(8 * width, "little"), "<u8").astype(np.uint64)


def words_left(encoding: Encoding, given: Counter[Gram]) -> Words:
    """The demand that is left open after some occurrences."""
    bits = 0
    for field, offset in encoding.offsets.items():
        bits |= ones(max(0, field.size - given[field.gram])) << offset
    return words(bits, encoding.width)


@dataclass(frozen=True, slots=True)
class Masks:
    """Turns counts of n-grams into bits of the state."""

    width: int
    taken: dict[Gram, list[int]]
    """For each n-gram the bits that 0, 1, 2, ... occurrences take from full demand."""
    moved: dict[Gram, list[tuple[int, int]]]
    """For each n-gram and its t-th occurrence the fields that lose a bit, and these without their tops."""

    @classmethod
    def of(cls, encoding: Encoding) -> Masks:
        """The masks of an encoding."""
        taken: dict[Gram, list[int]] = {}
        moved: dict[Gram, list[tuple[int, int]]] = {}
        fields: dict[Gram, list[tuple[int, int]]] = {}
        for field, offset in encoding.offsets.items():
            fields.setdefault(field.gram, []).append((offset, field.size))
        for gram, found in fields.items():
            most = max(size for _, size in found)
            taken[gram] = [
                sum(ones(min(times, size)) << at for at, size in found) for times in range(most + 1)
            ]
            moved[gram] = [
                (
                    sum(ones(size) << at for at, size in found if size >= step),
                    sum(ones(size - 1) << at for at, size in found if size >= step),
                )
                for step in range(1, most + 1)
            ]
        return cls(encoding.width, taken, moved)

    def bits(self, count: Mapping[Gram, int]) -> int:
        """The bits that these counts can take from full demand, as a whole number."""
        bits = 0
        for gram, times in count.items():
            taken = self.taken.get(gram)
            if taken is not None:
                bits |= taken[times] if times < len(taken) else taken[-1]
        return bits

    def thermometer(self, count: Mapping[Gram, int]) -> Words:
        """The same as words of the state."""
        return words(self.bits(count), self.width)

    def steps(self, count: Mapping[Gram, int]) -> list[tuple[Words, Words]]:
        """For t = 1, 2, ... the fields that lose a t-th bit, and the same without their top bits."""
        lost: list[int] = []
        kept: list[int] = []
        for gram, times in count.items():
            moved = self.moved.get(gram, [])[:times]
            while len(lost) < len(moved):
                lost.append(0)
                kept.append(0)
            for step, (lose, keep) in enumerate(moved):
                lost[step] |= lose
                kept[step] |= keep
        return [
            (words(lose, self.width), words(keep, self.width)) for lose, keep in zip(lost, kept, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Tables:
    """The arrays of the kernels."""

    whole: Words
    """`whole[0, w, s]`: what sentence `s` can take as a whole."""
    prefix: Words
    """`prefix[r, w, s]`: what its first `r` words can take; zero where it is shorter."""
    clear: Words
    """`clear[t, w, s]`: the fields that sentence `s` moves on in step `t`."""
    keep: Words
    """The same without the fields' top bits."""
    steps: Ints
    """How many steps each sentence needs."""

    @classmethod
    def of(cls, encoding: Encoding, *, chopped: bool) -> Tables:
        """Fill the tables; without chopping there are no prefixes."""
        masks = Masks.of(encoding)
        n, width = encoding.size, encoding.width
        padded = (n + LANES - 1) // LANES * LANES + LANES
        rooms = encoding.rooms if chopped else 0
        whole = np.zeros((1, width, padded), np.uint64)
        prefix = np.zeros((rooms + 1, width, padded), np.uint64)
        steps = [masks.steps(sentence.whole) for sentence in encoding.sentences]
        deepest = max(1, *map(len, steps)) if steps else 1
        clear = np.zeros((deepest, width, padded), np.uint64)
        keep = np.zeros((deepest, width, padded), np.uint64)
        for s, sentence in enumerate(encoding.sentences):
            whole[0, :, s] = masks.thermometer(sentence.whole)
            for t, (lose, kept) in enumerate(steps[s]):
                clear[t, :, s], keep[t, :, s] = lose, kept
            ends = [*sentence.starts[1:], sentence.length + 1]
            for first, end, count in zip(sentence.starts, ends, sentence.counts, strict=True):
                if first <= rooms:
                    prefix[first:end, :, s] = masks.thermometer(count)
        return cls(whole, prefix, clear, keep, np.array([len(one) for one in steps], np.int64))
