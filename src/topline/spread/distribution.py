"""The distribution of a score over all extracts: exact counts where known, shares of draws elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt

from topline.spread.intervals import CONFIDENCE, HALF, band, clopper_pearson
from topline.spread.words import between, short


@dataclass(frozen=True, slots=True)
class Better:
    """How many extracts score higher: exactly, or between two bounds (at 99% confidence if sampled)."""

    low: int
    high: int
    of: int
    """All extracts."""

    @property
    def exact(self) -> bool:
        """Whether the number is known."""
        return self.low == self.high

    def __str__(self) -> str:
        """As a reader wants it: `3 of 8.6e12`, or `between 1 in 2.0e9 and 1 in 1.0e9`."""
        if self.exact:
            return f"{short(self.low)} of {short(self.of)}"
        return between(Fraction(self.low, self.of), Fraction(self.high, self.of))


@dataclass(frozen=True, slots=True)
class Distribution:
    """Hits of all extracts of a document (or a section, or sections together)."""

    extracts: int
    """How many there are, exactly."""
    total: int
    """What hits are divided by to give the score."""
    counts: Mapping[int, int]
    """By hits: extracts if `exact`, else draws."""
    exact: bool
    draws: int = 0
    """How many draws `counts` sums to, if it is not exact."""
    tail: Mapping[int, int] = field(default_factory=dict)
    """If not exact: extracts by hits, exactly, from `tail_from` on; empty if none has so many."""
    tail_from: int | None = None
    rare: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """If not exact: bounds (99.5%) of how many extracts have hits that few draws reach, or more."""
    ceiling: int = 0
    """If not exact: hits that the document's n-grams cannot exceed."""

    @property
    def weight(self) -> int:
        """What the counts sum to."""
        return self.extracts if self.exact else self.draws

    @property
    def mean(self) -> float:
        """The mean score."""
        return float(Fraction(sum(h * c for h, c in self.counts.items()), self.weight * self.total))

    @property
    def variance(self) -> Fraction:
        """The variance of the score over all extracts."""
        first = sum(h * c for h, c in self.counts.items())
        second = sum(h * h * c for h, c in self.counts.items())
        return Fraction(second * self.weight - first * first, (self.weight * self.total) ** 2)

    @property
    def sd(self) -> float:
        """The standard deviation of the score over all extracts."""
        return root(self.variance)

    @property
    def least(self) -> int:
        """The fewest hits of an extract (seen, if sampled)."""
        return min(self.counts)

    @property
    def most(self) -> int:
        """The most hits of an extract (seen, if sampled and the tail is unknown)."""
        return max(self.tail or self.counts)

    @property
    def best_known(self) -> bool:
        """Whether `most` is the most there is."""
        return self.exact or bool(self.tail)

    @property
    def band(self) -> float:
        """No cumulative share is further than this from the truth, at 99% confidence; 0 if exact."""
        return 0.0 if self.exact else band(self.draws)

    def better(self, hits: int) -> Better:
        """How many extracts have more hits."""
        return self._between(hits + 1)

    def equal(self, hits: int) -> int | None:
        """How many extracts have just these hits, where that is known."""
        if self.exact:
            return self.counts.get(hits, 0)
        if self.tail_from is not None and hits >= self.tail_from:
            return self.tail.get(hits, 0)
        return None

    def percentile(self, hits: int) -> tuple[float, float]:
        """The percentage of extracts with fewer hits: bounds, equal if it is exact."""
        above = self._between(hits)
        return (
            float(Fraction(100 * (self.extracts - above.high), self.extracts)),
            float(Fraction(100 * (self.extracts - above.low), self.extracts)),
        )

    def percent(self, hits: int) -> float:
        """The percentage of extracts with fewer hits, as counted or as sampled."""
        if self.exact or (self.tail_from is not None and hits >= self.tail_from):
            return self.percentile(hits)[0]
        return 100 * sum(c for h, c in self.counts.items() if h < hits) / self.draws

    def _between(self, hits: int) -> Better:
        """How many extracts have at least these hits."""
        if self.exact:
            number = sum(c for h, c in self.counts.items() if h >= hits)
            return Better(number, number, self.extracts)
        certain = sum(c for h, c in self.tail.items() if h >= hits)
        if self.tail_from is not None and hits >= self.tail_from:
            return Better(certain, certain, self.extracts)
        found = sum(c for h, c in self.counts.items() if h >= hits)
        bounds = self.rare.get(hits)
        low, high = self._drawn(found, CONFIDENCE if bounds is None else HALF)
        if bounds is not None and max(low, bounds[0]) < min(high, bounds[1]):
            # each holds at the higher confidence, so that both together hold at the one that is promised
            low, high = max(low, bounds[0]), min(high, bounds[1])
        elif bounds is not None:
            low, high = min(low, bounds[0]), max(high, bounds[1])
        return Better(max(certain, low), max(certain, high), self.extracts)

    def _drawn(self, found: int, confidence: float) -> tuple[int, int]:
        """Bounds of the number of extracts from the draws alone."""
        low, high = (Fraction(share) for share in clopper_pearson(found, self.draws, confidence))
        return -(-low.numerator * self.extracts // low.denominator), int(high * self.extracts)


def root(square: Fraction) -> float:
    """The square root of a fraction that may be far too small or large for a float.

    >>> root(Fraction(1, 4))
    0.5
    """
    shift = max(0, 2 * (60 - (square.numerator.bit_length() - square.denominator.bit_length()) // 2))
    return float(Fraction(isqrt((square.numerator << shift) // square.denominator), 1 << shift // 2))


def exactly(counts: Mapping[int, int], total: int) -> Distribution:
    """A distribution from exact counts."""
    kept = {hits: counts[hits] for hits in sorted(counts) if counts[hits]}
    return Distribution(sum(kept.values()), total, kept, exact=True)


def sum_of(parts: list[Distribution]) -> Distribution:
    """Sections together: hits add, every choice in one goes with every choice in the others."""
    counts: dict[int, int] = {0: 1}
    for part in parts:
        joined: dict[int, int] = {}
        for hits, number in counts.items():
            for more, times in part.counts.items():
                joined[hits + more] = joined.get(hits + more, 0) + number * times
        counts = joined
    return exactly(counts, parts[0].total)
