"""All best trimmed summaries: counted exactly, and listed.

The search runs over the chunks that matter to the gain; each best choice of these is a *pattern*. The
chunks that matter to nothing may be kept or dropped as room allows: they are counted, not visited. A
sentence's choices are a polynomial in which the exponent is the length, so that of a pattern is a product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice

from topline.compress.core import Core, reduce
from topline.compress.oracle import Compressions
from topline.compress.parsed import ParsedTopic
from topline.compress.parts import LimitReached
from topline.compress.problem import CompressiveProblem, Numbering, Source, encode
from topline.compress.search import Outcome, Search, solve
from topline.compress.text import render
from topline.compress.tree import ROOT
from topline.search.exact import Limits

PATTERNS = 200_000
"""Patterns after which the search gives up."""
Polynomial = list[int]


@dataclass(frozen=True, slots=True)
class Optima:
    """All best trimmed summaries of a topic; the fields are those of `topline compress --optima --json`."""

    id: str
    references: str
    metric: str
    rules: str
    hits: int
    total: int
    score: float
    count: int
    """How many choices of chunks gain that much within the budget; a lower bound if not `proved`."""
    patterns: int
    """How many of them differ in a chunk that matters to the gain."""
    proved: bool
    signature: str
    list: tuple[tuple[str, ...], ...] | None = None
    """The texts of the shortest summaries, one a pattern."""


def optima_of(settings: Compressions, parsed: ParsedTopic, listed: int = 0) -> list[Optima]:
    """All best summaries of a topic; those for each of its references, or for the one matched best."""
    source = encode(parsed.trees(settings.rules), settings.vocabulary)
    found = []
    for name, references in settings.groups(parsed.topic):
        problem, numbering = settings.problem(parsed.topic, source, references)
        outcome = solve(problem, settings.limits)
        patterns, complete = best_patterns(problem, outcome, settings.limits)
        shown = sorted(patterns, key=lambda kept: (problem.length(kept), kept))
        texts = tuple(_text(source, numbering, kept) for kept in islice(shown, listed))
        found.append(
            Optima(
                id=parsed.topic.id,
                references=name,
                metric=str(settings.metric),
                rules=settings.rules,
                hits=outcome.hits,
                total=problem.total,
                score=outcome.hits / problem.total,
                count=Counting(problem).total(patterns),
                patterns=len(patterns),
                proved=complete and outcome.proved,
                signature=settings.signature,
                list=texts if listed else None,
            )
        )
    return [_best(found)] if settings.references == "best" else found


def _best(found: list[Optima]) -> Optima:
    """The best summaries for the reference they match best, the first on a tie; proved if all are."""
    best = max(found, key=lambda one: Fraction(one.hits, one.total))
    return replace(best, proved=all(one.proved for one in found))


def _text(source: Source, numbering: Numbering, kept: Sequence[int]) -> tuple[str, ...]:
    return tuple(render(source.trees[s], chunks) for s, chunks in numbering.by_sentence(kept).items())


def best_patterns(
    problem: CompressiveProblem, outcome: Outcome, limits: Limits, most: int = PATTERNS
) -> tuple[list[list[int]], bool]:
    """The least chunks of every best pattern, and whether these are all."""
    core: Core = reduce(problem, every=True)
    if core.nodes == 0:
        return [[]], True
    patterns: list[list[int]] = []
    try:
        patterns.extend(Search(core, limits).every(outcome.hits, most))
    except LimitReached:
        return patterns, False
    return patterns, True


class Counting:
    """How many choices of chunks agree with a pattern in every chunk that matters."""

    def __init__(self, problem: CompressiveProblem) -> None:
        self.problem = problem
        busy = {*problem.needs.values.tolist(), *problem.gaps.values.tolist()}
        self._busy = [c in busy for c in range(problem.chunks)]
        self._parents, self._lengths = problem.parents.tolist(), problem.lengths.tolist()
        self._chunks: list[list[int]] = [[] for _ in problem.openings]
        for c, s in enumerate(problem.sentence.tolist()):
            self._chunks[s].append(c)
        self._known: dict[tuple[int, tuple[int, ...]], Polynomial] = {}

    def total(self, patterns: Sequence[Sequence[int]]) -> int:
        """The choices that agree with one of these patterns."""
        if not patterns:
            return 0
        room = [self.problem.budget - self.problem.length(kept) for kept in patterns]
        size = max(room) + 1
        idle = [self._sentence(s, (), size) for s in range(len(self._chunks))]
        everywhere = [1]
        for polynomial in idle:
            everywhere = _times(everywhere, polynomial, size)
        inverses: dict[int, Polynomial] = {}
        return sum(
            self._agreeing(kept, left + 1, everywhere, idle, inverses, size)
            for kept, left in zip(patterns, room, strict=True)
        )

    def _agreeing(
        self,
        kept: Sequence[int],
        size: int,
        everywhere: Polynomial,
        idle: list[Polynomial],
        inverses: dict[int, Polynomial],
        most: int,
    ) -> int:
        """The choices that agree with one pattern: idle sentences' times its own sentences'."""
        touched: dict[int, list[int]] = {}
        for c in kept:
            touched.setdefault(int(self.problem.sentence[c]), []).append(c)
        product = everywhere[:size]
        for s, chunks in touched.items():
            if s not in inverses:
                inverses[s] = _inverse(idle[s], most)
            product = _times(product, inverses[s], size)
            product = _times(product, self._sentence(s, tuple(chunks), most), size)
        return sum(product)

    def _sentence(self, s: int, kept: tuple[int, ...], size: int) -> Polynomial:
        """A sentence's choices that agree with the pattern, by what they cost beyond it."""
        key = (s, kept)
        if key not in self._known:
            self._known[key] = self._counted(s, set(kept), size)
        return self._known[key]

    def _counted(self, s: int, kept: set[int], most: int) -> Polynomial:
        opening = int(self.problem.openings[s])
        size = most + max(0, -opening)
        children: dict[int, Polynomial] = {}
        for c in reversed(self._chunks[s]):
            if self._busy[c] and c not in kept:
                children.pop(c, None)
                continue
            # what the pattern keeps anyway costs nothing more
            shift = 0 if c in kept else self._lengths[c]
            own = _times([0] * min(shift, size) + [1], children.pop(c, [1]), size)
            choices = own if c in kept else _plus([1], own)
            parent = self._parents[c]
            children[parent] = _times(children.get(parent, [1]), choices, size)
        whole = children.get(ROOT, [1])
        if kept or not opening:
            return whole
        # nothing of the pattern is here: opening the sentence costs, or in bytes saves, something
        opened = [0, *whole[1:]]
        opened[0] = whole[0] - 1
        if opening > 0:
            return _plus([1], ([0] * min(opening, size) + opened)[:size])
        return _plus([1], opened[-opening:])


def _times(one: Polynomial, other: Polynomial, size: int) -> Polynomial:
    """The product up to `size` coefficients."""
    if len(other) < len(one):
        one, other = other, one
    result = [0] * min(size, len(one) + len(other) - 1)
    for i, factor in enumerate(one[:size]):
        if factor:
            for j, value in enumerate(other[: len(result) - i]):
                result[i + j] += factor * value
    return result


def _plus(one: Polynomial, other: Polynomial) -> Polynomial:
    length = max(len(one), len(other))
    return [(one[i] if i < len(one) else 0) + (other[i] if i < len(other) else 0) for i in range(length)]


def _inverse(polynomial: Polynomial, size: int) -> Polynomial:
    """The power series whose product with a polynomial of constant 1 is 1."""
    result = [1]
    for n in range(1, size):
        result.append(-sum(polynomial[i] * result[n - i] for i in range(1, min(n + 1, len(polynomial)))))
    return result
