"""The references' n-grams, and where trimming can make a sentence hold one: equations (5), (8) and (9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from topline.compress.tree import ROOT
from topline.errors import MetricError
from topline.rouge.metric import Metric, Part

Gram = tuple[int, tuple[int, ...]]
"""A part of the metric, by number, and its tokens."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What the references ask for."""

    gains: dict[Gram, tuple[int, ...]]
    """For each n-gram the gain of its first, second, … occurrence: how many references hold so many."""
    totals: tuple[int, ...]
    """The n-grams of each part in the references."""
    followers: dict[Gram, frozenset[int]]
    """The tokens that may follow the beginning of an n-gram."""


def check_metric(metric: Metric) -> None:
    """Refuse what the model cannot count: trimming decides how far apart the words of a skip-bigram are."""
    for part in metric.parts:
        if part.kind != "n" and not (part.kind in ("s", "su") and part.gap == 0):
            raise MetricError(
                f"compress does not count {part}", hint="rouge-N, rouge-s0, rouge-su0, or a sum of them"
            )


def sizes(part: Part) -> tuple[int, ...]:
    """The sizes of the n-grams that a part counts."""
    if part.kind == "n":
        return (part.n,)
    return (2,) if part.kind == "s" else (1, 2)


def demand(metric: Metric, references: Sequence[Sequence[int]]) -> Demand:
    """Count the n-grams of the references; ROUGE-SU leaves a text's last unigram out, as the script does."""
    gains: dict[Gram, list[int]] = {}
    totals = []
    for number, part in enumerate(metric.parts):
        total = 0
        for tokens in references:
            counts: Counter[Gram] = Counter()
            for size in sizes(part):
                end = len(tokens) - (1 if part.kind == "su" and size == 1 else 0)
                counts.update((number, tuple(tokens[i : i + size])) for i in range(end - size + 1))
            total += counts.total()
            for gram, count in counts.items():
                steps = gains.setdefault(gram, [])
                steps.extend([0] * (count - len(steps)))
                for t in range(count):
                    steps[t] += 1
        totals.append(total)
    followers: dict[Gram, set[int]] = {}
    for number, tokens in gains:
        for size in range(len(tokens)):
            followers.setdefault((number, tokens[:size]), set()).add(tokens[size])
    return Demand(
        {gram: tuple(steps) for gram, steps in gains.items()},
        tuple(totals),
        {gram: frozenset(tokens) for gram, tokens in followers.items()},
    )


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A way for a trimmed sentence to hold an n-gram."""

    gram: Gram
    places: tuple[int, ...]
    """The tokens' numbers in the sentence."""
    needs: frozenset[int]
    """`V`: the chunks that hold these tokens; all must stay."""
    gaps: frozenset[int]
    """`U`: the chunks with tokens between them; all must go."""


def occurrences(
    tokens: Sequence[int], chunk_of: Sequence[int], wanted: Demand, parts: Sequence[Part]
) -> Iterator[Occurrence]:
    """Every word sequence that could become one of the references' n-grams without tearing a chunk.

    `tokens` are the sentence's tokens in order, `chunk_of` the chunk of each. In the paper's order: by
    the places of the tokens.
    """
    for number, part in enumerate(parts):
        largest = max(sizes(part))
        for start, token in enumerate(tokens):
            if token in wanted.followers.get((number, ()), ()):
                yield from _extend(tokens, chunk_of, wanted, number, (start,), frozenset(), largest)


def _extend(
    tokens: Sequence[int],
    chunk_of: Sequence[int],
    wanted: Demand,
    number: int,
    places: tuple[int, ...],
    gaps: frozenset[int],
    largest: int,
) -> Iterator[Occurrence]:
    gram = (number, tuple(tokens[p] for p in places))
    needs = frozenset(chunk_of[p] for p in places)
    if gram in wanted.gains:
        yield Occurrence(gram, places, needs, gaps)
    after = wanted.followers.get(gram)
    if len(places) == largest or after is None:
        return
    skipped: set[int] = set(gaps)
    for p in range(places[-1] + 1, len(tokens)):
        if tokens[p] in after and chunk_of[p] not in skipped:
            yield from _extend(tokens, chunk_of, wanted, number, (*places, p), frozenset(skipped), largest)
        if chunk_of[p] in needs:
            return
        skipped.add(chunk_of[p])


def reduced(found: Occurrence, parents: Sequence[int]) -> tuple[frozenset[int], frozenset[int]] | None:
    """The same demands on fewer chunks, or None if no rooted subtree meets them.

    A chunk that must stay keeps those above it; one that must go takes those below it along.
    """
    if not found.gaps and len(found.needs) == 1:
        return found.needs, found.gaps
    above = {a for c in found.needs for a in ancestors(parents, c)}
    if above & found.gaps:
        return None
    gaps = frozenset(c for c in found.gaps if not found.gaps.intersection(ancestors(parents, c)))
    return frozenset(found.needs - above), gaps


def ancestors(parents: Sequence[int], chunk: int) -> Iterator[int]:
    """The chunks above a chunk, nearest first."""
    while (chunk := parents[chunk]) != ROOT:
        yield chunk
