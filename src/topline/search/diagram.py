"""A set of extracts as a decision diagram: counted, listed and drawn from without being listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb, lgamma, log
from random import Random

import numpy as np
from numpy.typing import NDArray

from topline.problem.problem import Ints
from topline.search.residues import combine, primes

Option = tuple[int, int]
"""A measure and the number of choices that have it."""


@dataclass(frozen=True)
class Diagram:
    """Choices item by item. Node 0 holds no set, node 1 the empty one; the last node is the root.

    An item is a group of interchangeable sentences; an arc that takes `x` of `m` stands for `C(m, x)`.
    """

    items: tuple[tuple[int, ...], ...]
    """The sentences of each item, rising; no set holds a sentence through two items."""
    place: Ints
    """The item that node `v` decides."""
    arcs: Ints
    """Node `v` has arcs `arcs[v]:arcs[v + 1]`."""
    copies: Ints
    child: Ints

    @property
    def root(self) -> int:
        """The number of the root."""
        return len(self.arcs) - 2

    @cached_property
    def item_sizes(self) -> Ints:
        """How many sentences each item has."""
        return np.array([len(item) for item in self.items], np.int64)

    @cached_property
    def sizes(self) -> Measured:
        """The sets by their number of sentences."""
        return Measured(self, np.zeros(len(self.items), np.int64), lambda m, _, x: [(x, comb(m, x))])

    @cached_property
    def count(self) -> int:
        """How many sets it holds."""
        return sum(self.sizes.counts.values())

    def lengths(self, length: Ints) -> dict[int, int]:
        """How many sets have each length, given the sentences' lengths."""
        each = np.array([length[item[0]] if item else 0 for item in self.items], np.int64)
        return Measured(self, each, lambda m, size, x: [(x * size, comb(m, x))]).counts

    def overlaps(self, chosen: Sequence[int]) -> dict[tuple[int, int], int]:
        """How many sets have each (number of sentences shared with `chosen`, number of sentences)."""
        mine = set(chosen)
        inside = np.array([sum(i in mine for i in item) for item in self.items], np.int64)
        base = len(mine) + 1

        def options(m: int, q: int, x: int) -> list[Option]:
            return [
                (x * base + h, comb(q, h) * comb(m - q, x - h))
                for h in range(max(0, x - m + q), min(q, x) + 1)
            ]

        counts = Measured(self, inside, options).counts
        return {(both % base, both // base): count for both, count in counts.items()}

    def memberships(self) -> dict[int, dict[int, int]]:
        """For each sentence that some set holds: in how many sets of each size it is."""
        by_item = self.sizes.memberships()
        result: dict[int, dict[int, int]] = {}
        for item, row in zip(self.items, by_item, strict=True):
            held = {size: count for size, count in enumerate(row) if count}
            for sentence in item if held else ():
                mine = result.setdefault(sentence, {})
                for size, count in held.items():
                    mine[size] = mine.get(size, 0) + count
        return dict(sorted(result.items()))

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Every set, rising sentences, in the diagram's order."""
        stack: list[tuple[int, tuple[tuple[int, int], ...]]] = [(self.root, ())]
        while stack:
            node, path = stack.pop()
            if node == 1:
                for some in _choices([(self.items[item], x) for item, x in path]):
                    yield tuple(sorted(some))
            for arc in range(self.arcs[node + 1] - 1, self.arcs[node] - 1, -1):
                x = int(self.copies[arc])
                step = ((int(self.place[node]), x),) if x else ()
                stack.append((int(self.child[arc]), path + step))

    def __getitem__(self, rank: int) -> tuple[int, ...]:
        """The set of this rank in an order of its own: for drawing uniformly."""
        node = self.root
        chosen: list[int] = []
        while node != 1:
            item = self.items[self.place[node]]
            for arc in range(self.arcs[node], self.arcs[node + 1]):
                below, x = int(self.child[arc]), int(self.copies[arc])
                inner = self.sizes.total(below)
                here = inner * comb(len(item), x)
                if rank < here:
                    break
                rank -= here
            choice, rank = divmod(rank, inner)
            chosen.extend(item[i] for i in _combination(len(item), x, choice))
            node = below
        return tuple(sorted(chosen))

    def sample(self, n: int, seed: int) -> list[tuple[int, ...]]:
        """`n` independent sets, each exactly equally likely."""
        draw = Random(seed)
        return [self[draw.randrange(self.count)] for _ in range(n)]


def _choices(parts: list[tuple[tuple[int, ...], int]]) -> Iterator[tuple[int, ...]]:
    """So many sentences of each item, lazily (`itertools.product` would list each item's first)."""
    if not parts:
        yield ()
        return
    (item, x), *rest = parts
    for some in combinations(item, x):
        for others in _choices(rest):
            yield some + others


def _combination(m: int, x: int, rank: int) -> list[int]:
    """The `x`-subset of `range(m)` of this rank, in lexicographic order."""
    chosen = []
    i, with_it = 0, comb(m - 1, x - 1) if x else 0
    while x:
        left = m - i - 1
        if rank < with_it:
            chosen.append(i)
            x -= 1
            with_it = with_it * x // max(left, 1)
        else:
            rank -= with_it
            with_it = with_it * (left - x + 1) // max(left, 1)
        i += 1
    return chosen


class Measured:
    """A diagram's sets counted by a measure that adds up over items: exact whole numbers of any size.

    Where counts may pass 2^62 the passes run modulo as many primes as the count needs, and the residues
    are put together at the end.
    """

    def __init__(
        self, diagram: Diagram, attribute: Ints, options: Callable[[int, int, int], list[Option]]
    ) -> None:
        from topline.search.kernels.count import spans

        self.diagram = diagram
        of_arc = np.repeat(diagram.place, np.diff(diagram.arcs))
        pairs, self.kind = _numbered(of_arc, diagram.copies)
        self.columns = np.stack((diagram.item_sizes[pairs[0]], attribute[pairs[0]], pairs[1]))
        each = [options(*column) for column in self.columns.T.tolist()]
        self.first = np.cumsum([0, *map(len, each)], dtype=np.int64)
        self.measure = np.array([measure for some in each for measure, _ in some], np.int64)
        self.weight = [weight for some in each for _, weight in some]
        rough = np.array([min(float_or_inf(w), np.inf) for w in self.weight], np.float64)
        self.span, totals = spans(diagram.arcs, diagram.child, self.kind, self.first, self.measure, rough)
        self.start = np.zeros(len(totals) + 1, np.int64)
        np.cumsum(self.span[1] - self.span[0] + 1, out=self.start[1:])
        self.primes = self._primes(float(totals[diagram.root]))
        self._tables: dict[int, Ints] = {}

    def _primes(self, total: float) -> list[int]:
        if total < 2.0**61:
            return [0]
        bits = log(total, 2) if np.isfinite(total) else _most_bits(self.diagram)
        return primes(int(bits) + 3)

    def _table(self, prime: int) -> Ints:
        from topline.search.kernels.count import upward

        if prime not in self._tables:
            d = self.diagram
            weight = np.array([w % prime if prime else w for w in self.weight], np.int64)
            self._tables[prime] = upward(
                d.arcs, d.child, self.kind, self.first, self.measure, weight, self.span, self.start, prime
            )
        return self._tables[prime]

    @cached_property
    def counts(self) -> dict[int, int]:
        """How many sets have each measure."""
        root = self.diagram.root
        if root == 0:
            return {}
        where = slice(int(self.start[root]), int(self.start[root + 1]))
        exact = combine([self._table(p)[where] for p in self.primes], self.primes)
        low = int(self.span[0, root])
        return {low + k: count for k, count in enumerate(exact) if count}

    def total(self, node: int) -> int:
        """How many completions a node has."""
        where = slice(int(self.start[node]), int(self.start[node + 1]))
        return sum(combine([self._table(p)[where] for p in self.primes], self.primes))

    def memberships(self) -> list[list[int]]:
        """For each item, in how many sets of each size a given one of its sentences is (sizes only)."""
        from topline.search.kernels.count import members

        d = self.diagram
        if d.root <= 1:
            return [[] for _ in d.items]
        held = [comb(m - 1, x - 1) if x else 0 for m, _, x in self.columns.T.tolist()]
        tables: list[NDArray[np.int64]] = []
        for prime in self.primes:
            weight, mine = (
                np.array([w % prime if prime else w for w in some], np.int64) for some in (self.weight, held)
            )
            table = members(
                d.arcs,
                d.child,
                self.kind,
                d.copies,
                d.place,
                weight,
                mine,
                self.span,
                self.start,
                self._table(prime),
                len(d.items),
                prime,
            )
            tables.append(table)
        flat = combine([table.ravel() for table in tables], self.primes)
        width = tables[0].shape[1]
        return [flat[k : k + width] for k in range(0, len(flat), width)]


def _numbered(places: Ints, copies: Ints) -> tuple[Ints, Ints]:
    """The different pairs of an item and copies of it, and each arc's pair: few pairs, many arcs."""
    width = int(copies.max(initial=0)) + 1
    codes = places * width + copies
    present = np.zeros(int(places.max(initial=0) + 1) * width, np.bool_)
    present[codes] = True
    different = np.flatnonzero(present)
    return np.stack(np.divmod(different, width)), (np.cumsum(present) - 1)[codes]


def float_or_inf(weight: int) -> float:
    """A whole number as a float; infinite where it is too large."""
    return float(weight) if weight.bit_length() < 1000 else np.inf


def _most_bits(diagram: Diagram) -> float:
    """Bits enough to count the diagram's sets, from the number of sentences and the largest set alone."""
    n = len({i for item in diagram.items for i in item})
    deepest = np.zeros(diagram.root + 1, np.int64)
    for node in range(2, diagram.root + 1):
        arcs = slice(int(diagram.arcs[node]), int(diagram.arcs[node + 1]))
        deepest[node] = (deepest[diagram.child[arcs]] + diagram.copies[arcs]).max(initial=0)
    k = min(int(deepest[-1]), n // 2)
    return (lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + log(n + 1)) / log(2)
