"""Every best extract, as one diagram: counted, listed, drawn from, compared with a system's extract."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from topline.problem.problem import Ints, Problem
from topline.search.diagram import Diagram
from topline.search.exact import NO_LIMITS, Limits
from topline.search.knapsack import subsets_within

if TYPE_CHECKING:
    from topline.search.pieces import Apart, Leaf

PAIRS = 500
"""Up to so many sets, all pairs are compared; of more, pairs are drawn."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How a given set of sentences agrees with all sets of a diagram, without listing them.

    The paper's averages, and the least and the most over the sets. Where nothing is chosen (or a set is
    empty) a precision (or recall) of 0/0 counts as 1 if both are empty, else as 0.
    """

    precision: Fraction
    recall: Fraction
    f1: Fraction
    """`2PR / (P + R)` of the averages, as in the paper."""
    jaccard: Fraction
    least: tuple[Fraction, Fraction, Fraction]
    """The least precision, recall and F of a single set."""
    most: tuple[Fraction, Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Similarity:
    """The mean Jaccard index between different sets of a diagram."""

    mean: float
    exact: bool
    """All pairs were compared; otherwise pairs were drawn uniformly."""
    error: float
    """The standard error of a drawn mean; 0 if exact."""


@dataclass(frozen=True)
class Optima:
    """All sets of sentences with the best value, or above a value (`at_least`).

    The sets are the paper's: every sentence in them shares an n-gram with the references (or is charged
    for, which only sets above a threshold can afford). `count_all` counts also those with further sentences
    that share nothing and merely fit. Where nothing that overlaps fits, the empty set is the one best set.
    """

    problem: Problem
    diagram: Diagram
    value: int
    bound: int
    """No set is worth more (`at_least`: the threshold)."""
    proved: bool
    """The value is the best and the sets are all; if not, a limit was reached: `count` is a lower bound."""
    nodes: int
    threshold: bool = False
    """Sets worth more than `value` belong to them too."""

    @property
    def count(self) -> int:
        """How many sets there are."""
        return self.diagram.count

    @cached_property
    def count_all(self) -> int:
        """How many there are when sentences that share nothing may fill the room that is left."""
        p = self.problem
        idle = (np.diff(p.starts) == 0) & (p.charges == 0) & (p.lengths <= p.budget)
        if not idle.any():
            return self.count
        lengths = self.diagram.lengths(p.lengths)
        if not lengths:
            return 0
        fill = subsets_within(p.lengths[idle], p.budget - min(lengths))
        return sum(count * fill[p.budget - length] for length, count in lengths.items())

    @cached_property
    def sizes(self) -> dict[int, int]:
        """How many sets have each number of sentences."""
        return self.diagram.sizes.counts

    @cached_property
    def membership_by_size(self) -> dict[int, dict[int, int]]:
        """For each sentence that some set holds: in how many sets of each size it is."""
        return self.diagram.memberships()

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Every set, lazily, in the diagram's order: the same on every machine."""
        return iter(self.diagram)

    def __contains__(self, chosen: Sequence[int]) -> bool:
        """Whether this set of sentences is one of them."""
        p, some = self.problem, sorted(set(chosen))
        if not self.proved:
            return tuple(some) in set(self)
        if any(not 0 <= i < p.sentences for i in some):
            return False
        if any(p.starts[i] == p.starts[i + 1] and p.charges[i] == 0 for i in some):
            return False
        worth = p.hits(some)
        return p.length(some) <= p.budget and (worth == self.value or (self.threshold and worth > self.value))

    def sample(self, n: int, seed: int = 0) -> list[tuple[int, ...]]:
        """`n` independent sets, each exactly equally likely."""
        return self.diagram.sample(n, seed)

    def agreement(self, chosen: Sequence[int]) -> Agreement:
        """Precision, recall and F of a system's extract over all sets."""
        own = len(set(chosen))
        cases = [
            (_scores(shared, own, size), count)
            for (shared, size), count in self.diagram.overlaps(chosen).items()
        ]
        mean = [sum((scores[k] * n for scores, n in cases), Fraction(0)) / self.count for k in range(4)]
        precision, recall, _, jaccard = mean
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)
        singles = [scores[:3] for scores, _ in cases]
        least = (min(s[0] for s in singles), min(s[1] for s in singles), min(s[2] for s in singles))
        most = (max(s[0] for s in singles), max(s[1] for s in singles), max(s[2] for s in singles))
        return Agreement(precision, recall, f1, jaccard, least, most)

    def similarity(self, pairs: int = 2000, seed: int = 0) -> Similarity | None:
        """How alike two different sets are; None where there is only one."""
        if self.count < 2:
            return None
        exact = self.count <= PAIRS
        if exact:
            drawn = list(combinations(map(frozenset, self), 2))
        else:
            sets = [frozenset(some) for some in self.sample(2 * pairs, seed)]
            drawn = [(a, b) for a, b in zip(sets[::2], sets[1::2], strict=True) if a != b]
        values = np.array([len(a & b) / len(a | b) for a, b in drawn])
        error = 0.0 if exact else float(values.std(ddof=1) / len(values) ** 0.5)
        return Similarity(float(values.mean()), exact, error)


def _scores(shared: int, own: int, size: int) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Precision, recall, F and Jaccard index of two sets from their sizes."""
    if own == 0 and size == 0:
        return Fraction(1), Fraction(1), Fraction(1), Fraction(1)
    return (
        Fraction(shared, own) if own else Fraction(0),
        Fraction(shared, size) if size else Fraction(0),
        Fraction(2 * shared, own + size),
        Fraction(shared, own + size - shared),
    )


def optima(problem: Problem, limits: Limits = NO_LIMITS, *, elsewhere: bool = False) -> Optima:
    """All best extracts. With `elsewhere`, what would have to be sought in pieces raises `TooMuch`."""
    from topline.search.assemble import single
    from topline.search.branch import Search
    from topline.search.pieces import all_best

    search = Search(problem, limits)
    search.prepare(search.value)
    found, complete = all_best(search, elsewhere=elsewhere)
    if found:
        return _joined(problem, found, search.classes, search.bound, complete, search.spent.nodes)
    return Optima(problem, single(search.chosen()), search.value, search.bound, False, search.spent.nodes)


def optima_of(work: Apart, found: list[Leaf]) -> Optima:
    """All best extracts from what was found in the pieces."""
    return _joined(work.problem, found, work.classes, work.aim.target, True, work.nodes)


def _joined(
    problem: Problem, found: list[Leaf], classes: Ints, value: int, complete: bool, nodes: int
) -> Optima:
    from topline.search.assemble import assemble

    return Optima(problem, assemble(found, classes), value, value, complete, nodes)


def at_least(problem: Problem, threshold: int, limits: Limits = NO_LIMITS) -> Optima:
    """All extracts worth `threshold` or more."""
    from topline.search.branch import Search
    from topline.search.pieces import TOGETHER, cut, leaves, together
    from topline.search.turns import HARD, LIMIT

    search = Search(problem, limits)
    search.prepare(threshold)
    tight, aim = search.aim(threshold)
    found, end = together(tight, aim, search.spent, TOGETHER)
    if end == HARD:
        found, end = leaves(cut(tight, aim), aim, search.spent)
    sets = _joined(problem, found, search.classes, threshold, end != LIMIT, search.spent.nodes)
    return replace(sets, threshold=True)
