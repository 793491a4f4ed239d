"""The compressive problem in integers: what the solvers see of trees, references and budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from math import lcm

import numpy as np
from numpy.typing import NDArray

from topline.compress.grams import Demand, Gram, check_metric, demand, occurrences, reduced
from topline.compress.tree import ROOT, ChunkTree
from topline.corpus.records import Reference
from topline.errors import MetricError, Where
from topline.rouge.metric import Metric
from topline.text.budget import Budget
from topline.text.encode import Vocabulary

Ints = NDArray[np.int64]
LARGEST = 1 << 40
"""The largest denominator of a sum of metrics: the search needs room for its multipliers."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Lists of unequal length behind one another: list `i` is `values[starts[i]:starts[i + 1]]`."""

    starts: Ints
    values: Ints

    @classmethod
    def of(cls, lists: Sequence[Iterable[int]]) -> Rows:
        """Put lists behind one another."""
        rows = [tuple(row) for row in lists]
        starts = np.fromiter(accumulate((len(row) for row in rows), initial=0), np.int64, len(rows) + 1)
        return cls(starts, np.fromiter(chain.from_iterable(rows), np.int64, int(starts[-1])))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, i: int) -> list[int]:
        row: list[int] = self.values[self.starts[i] : self.starts[i + 1]].tolist()
        return row

    def lists(self) -> Iterator[list[int]]:
        """All the lists, in order."""
        values = self.values.tolist()
        return (values[first:end] for first, end in pairwise(self.starts.tolist()))

    @property
    def owners(self) -> Ints:
        """The list of every value."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))


@dataclass(frozen=True, slots=True)
class CompressiveProblem:
    """Choose chunks, each with its parent, so that the n-gram occurrences they make gain most.

    Chunks of all sentences are numbered in one row, each one's subtree right behind it. Choosing any chunk of
    sentence `s` costs `openings[s]` once, beside the chunks' own lengths.
    """

    sentence: Ints
    """The sentence of each chunk."""
    parents: Ints
    """The parent of each chunk, or ROOT."""
    lengths: Ints
    openings: Ints
    """What a sentence costs beside its chunks: its closing marks; in bytes one blank less."""
    budget: int
    grams: Ints
    """The n-gram of each occurrence."""
    needs: Rows
    """The chunks that must stay for an occurrence (the paper's V, without those implied)."""
    gaps: Rows
    """The chunks that must go (the paper's U, without those implied)."""
    gains: Rows
    """For each n-gram the gain of its first, second, … occurrence; never rising."""
    total: int
    """What gains are divided by: the references' n-grams; for a sum of metrics their common multiple."""

    @property
    def chunks(self) -> int:
        """The number of chunks."""
        return len(self.parents)

    def is_rooted(self, kept: Iterable[int]) -> bool:
        """Whether every chunk's parent is kept with it."""
        chosen = set(kept)
        return all(int(self.parents[c]) in (ROOT, *chosen) for c in chosen)

    def length(self, kept: Iterable[int]) -> int:
        """The length of a set of chunks, sentences' openings included."""
        chosen = set(kept)
        opened = {int(self.sentence[c]) for c in chosen}
        return sum(int(self.lengths[c]) for c in chosen) + sum(int(self.openings[s]) for s in opened)

    def hits(self, kept: Iterable[int]) -> int:
        """The gain of a set of chunks: slow, simple, the judge of every solver."""
        chosen = set(kept)
        counts: dict[int, int] = {}
        for gram, needs, gaps in zip(self.grams.tolist(), self.needs.lists(), self.gaps.lists(), strict=True):
            if chosen.issuperset(needs) and chosen.isdisjoint(gaps):
                counts[gram] = counts.get(gram, 0) + 1
        return sum(sum(self.gains[gram][:count]) for gram, count in counts.items())


@dataclass(frozen=True, slots=True)
class Numbering:
    """From the problem's chunks back to the trees'."""

    origin: tuple[tuple[int, int], ...]
    """For each chunk of the problem its sentence and its number there."""

    def by_sentence(self, kept: Iterable[int]) -> dict[int, list[int]]:
        """The kept chunks of each sentence, both rising."""
        found: dict[int, list[int]] = {}
        for s, chunk in sorted(self.origin[c] for c in kept):
            found.setdefault(s, []).append(chunk)
        return found

    def chunks(self, kept: dict[int, Iterable[int]]) -> list[int]:
        """The problem's numbers of chunks given by sentence."""
        number = {place: c for c, place in enumerate(self.origin)}
        return sorted(number[s, c] for s, chunks in kept.items() for c in chunks)


@dataclass(frozen=True, slots=True)
class Source:
    """A topic's trees as token numbers: built once, used with every set of references and budget."""

    trees: tuple[ChunkTree, ...]
    tokens: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    """For each sentence its tokens and the chunk of each."""


def encode(trees: Sequence[ChunkTree], vocabulary: Vocabulary) -> Source:
    """Number the tokens of every tree; a word's tokens are those of its own text."""
    texts: list[str] = []
    places: list[tuple[int, int]] = []
    for s, tree in enumerate(trees):
        chunk_of = tree.chunk_of()
        for _, core in tree.parse.cores():
            if core:
                texts.append("".join(tree.parse.pieces[p].text for p in core))
                places.append((s, chunk_of[core[0]]))
    table = vocabulary.encode(texts)
    where = np.repeat(np.array(places, np.int64).reshape(-1, 2), np.diff(table.starts), axis=0)
    ends = np.searchsorted(where[:, 0], np.arange(len(trees) + 1)).tolist()
    ids, chunks = table.ids.tolist(), where[:, 1].tolist()
    found = tuple((tuple(ids[a:b]), tuple(chunks[a:b])) for a, b in pairwise(ends))
    return Source(tuple(trees), found)


def build(
    source: Source,
    references: Sequence[Reference],
    metric: Metric,
    budget: Budget,
    limit: int,
    vocabulary: Vocabulary,
    topic: str = "",
) -> tuple[CompressiveProblem, Numbering]:
    """The problem of a topic's trees against these references, pooled."""
    check_metric(metric)
    table = vocabulary.encode(" ".join(reference.sentences) for reference in references)
    wanted = demand(metric, [table[r].tolist() for r in range(len(table))])
    scales, total = _common(wanted, metric, topic)
    layout = _layout(source.trees, budget)
    found = list(_occurrences(source, metric, wanted, layout.numbers))
    numbers: dict[Gram, int] = {}
    grams = [numbers.setdefault(gram, len(numbers)) for gram, _, _ in found]
    problem = CompressiveProblem(
        sentence=np.array([s for s, _ in layout.origin], np.int64),
        parents=np.array(layout.parents, np.int64),
        lengths=np.array(layout.lengths, np.int64),
        openings=np.array(layout.openings, np.int64),
        budget=limit,
        grams=np.array(grams, np.int64),
        needs=Rows.of([needs for _, needs, _ in found]),
        gaps=Rows.of([gaps for _, _, gaps in found]),
        gains=Rows.of([[gain * scales[gram[0]] for gain in wanted.gains[gram]] for gram in numbers]),
        total=total,
    )
    return problem, Numbering(tuple(layout.origin))


def _common(wanted: Demand, metric: Metric, topic: str) -> tuple[list[int], int]:
    """What each part's gains are multiplied by so that recalls add up, and the denominator of the sum."""
    for part, total in zip(metric.parts, wanted.totals, strict=True):
        if total == 0:
            raise MetricError(
                f"the references hold no n-gram of {part}: the score is undefined",
                where=Where(id=topic or None),
                hint="mend the reference, or leave the topic out",
            )
    common = lcm(*wanted.totals)
    if common * len(wanted.totals) > LARGEST:
        raise MetricError(
            f"the recalls of {metric} have no common denominator below 2^40",
            where=Where(id=topic or None),
            hint="add fewer metrics, or take the references each",
        )
    return [common // total for total in wanted.totals], common


@dataclass(frozen=True, slots=True)
class _Layout:
    """All trees' chunks in one row, in preorder."""

    origin: list[tuple[int, int]]
    numbers: list[list[int]]
    """For each sentence its chunks' places in the row."""
    parents: list[int]
    lengths: list[int]
    openings: list[int]


def _layout(trees: Sequence[ChunkTree], budget: Budget) -> _Layout:
    layout = _Layout([], [], [], [], [])
    for s, tree in enumerate(trees):
        lengths, opening = chunk_lengths(tree, budget)
        layout.openings.append(opening)
        numbers = [ROOT] * len(tree.chunks)
        for c in tree.preorder():
            parent = tree.chunks[c].parent
            layout.parents.append(ROOT if parent == ROOT else numbers[parent])
            layout.lengths.append(lengths[c])
            numbers[c] = len(layout.origin)
            layout.origin.append((s, c))
        layout.numbers.append(numbers)
    return layout


def chunk_lengths(tree: ChunkTree, budget: Budget) -> tuple[list[int], int]:
    """What each chunk costs, and what the sentence costs beside them.

    In words: the words a blank divides, free-standing marks among them. In bytes: each word with the
    blank before it, hence one less for the sentence, whose first word has none.
    """
    lengths = [0] * len(tree.chunks)
    opening = 1 if budget.unit == "s" else -1 if budget.unit == "b" else 0
    if budget.unit == "s":
        return lengths, opening
    owner: dict[int, int] = {mark.piece: mark.owner for mark in tree.marks} | tree.chunk_of()
    for span, core in tree.parse.cores():
        for p in span:
            starts_word = p == (core[0] if core else span[0])
            cost = _piece_cost(tree.parse.pieces[p].text, budget.unit, starts_word)
            if owner[p] == ROOT:
                opening += cost
            else:
                lengths[owner[p]] += cost
    return lengths, opening


def _piece_cost(text: str, unit: str, starts_word: bool) -> int:
    if unit == "b":
        return len(text.encode("utf-8", "surrogatepass")) + starts_word
    return starts_word + len(text.split()) - 1


def _occurrences(
    source: Source, metric: Metric, wanted: Demand, numbers: Sequence[Sequence[int]]
) -> Iterator[tuple[Gram, Sequence[int], Sequence[int]]]:
    """Every occurrence that some rooted subtree makes, in the problem's numbers."""
    for tree, (tokens, chunk_of), number in zip(source.trees, source.tokens, numbers, strict=True):
        parents = [chunk.parent for chunk in tree.chunks]
        for found in occurrences(tokens, chunk_of, wanted, metric.parts):
            if not found.gaps and len(found.needs) == 1:
                yield found.gram, (number[chunk_of[found.places[0]]],), ()
                continue
            demands = reduced(found, parents)
            if demands is not None:
                needs, gaps = (sorted(number[c] for c in group) for group in demands)
                yield found.gram, needs, gaps
