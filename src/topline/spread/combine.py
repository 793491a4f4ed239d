"""A domain's distribution of the mean score of its documents: Algorithm 1 as printed, and exactly.

Algorithm 1 rounds the running mean to one of 1,000 bins after every document; this widens the distribution
and lifts its far tail. The exact one convolves the documents' distributions: on their common lattice where
that is small, else on a fine grid, each atom split over two points so that the mean stays; rounded down and
up instead, it bounds every probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt

import numpy as np
from numpy.typing import NDArray

from topline.spread.distribution import Distribution
from topline.spread.intervals import CONFIDENCE
from topline.spread.shares import Shares, highest, lowest, most_hits, shares

BINS = 1000
"""N in the paper."""
_GRIDS = (200_000, 100_000, 50_000, 20_000, 10_000)
"""Fineness of the grid where the scores' own lattice is finer: the first that is not too much work."""
_WORK = 1_000_000_000
"""Additions that a convolution may take."""
Floats = NDArray[np.float64]


def binned(distribution: Distribution, bins: int = BINS) -> Floats:
    """The paper's normalised histogram: share of extracts times the number of bins, equation (1)."""
    found = np.zeros(bins)
    for hits, share in shares(distribution).items():
        found[min(hits * bins // distribution.total, bins - 1)] += float(share)
    return found * bins


def algorithm_1(histograms: Sequence[Floats]) -> Floats:
    """The paper's Algorithm 1, rounding halves up; normalised by equation (1)."""
    domain = histograms[0] / histograms[0].sum()
    bins = len(domain)
    for i, histogram in enumerate(histograms[1:], 2):
        held, added = np.flatnonzero(domain), np.flatnonzero(histogram)
        mean = 2 * ((held[:, None] + 1) * (i - 1) + (added[None, :] + 1))
        rounded = (mean + i) // (2 * i) - 1
        weight = domain[held][:, None] * (histogram[added] / histogram.sum())[None, :]
        domain = np.bincount(rounded.ravel(), weight.ravel(), bins)[:bins].astype(np.float64)
    normal: Floats = domain * (bins / domain.sum())
    return normal


def percentile_by_bins(histogram: Floats, score: Fraction) -> float:
    """Equation (2): the percentage in the bins below a score."""
    bins = len(histogram)
    return float(100 * histogram[: int(score * bins)].sum() / bins)


@dataclass(frozen=True, slots=True)
class Grid:
    """Probabilities of a sum of scores, at multiples of `1 / fineness`."""

    fineness: int
    first: int
    shares: Floats

    def below(self, limit: Fraction) -> float:
        """The probability that the sum is below a limit."""
        point = -(-limit.numerator * self.fineness // limit.denominator)
        return float(self.shares[: max(0, point - self.first)].sum())

    def above(self, limit: Fraction) -> float:
        """The probability that the sum exceeds a limit; accurate where it is tiny."""
        point = limit.numerator * self.fineness // limit.denominator + 1
        return float(self.shares[max(0, point - self.first) :][::-1].sum())


def convolved(distributions: Sequence[Distribution], fineness: int, rounding: str) -> Grid:
    """The sum of independent scores on a grid; `rounding` is `split`, `down` or `up`.

    Rounded down a sampled distribution is the lowest within its band, rounded up the highest; the bands hold
    together at 99% confidence.
    """
    sampled = max(1, sum(not one.exact for one in distributions))
    confidence = 1 - (1 - CONFIDENCE) / sampled
    first, joined = 0, np.ones(1)
    for one in distributions:
        if rounding == "split":
            held = shares(one)
        else:
            held = (highest if rounding == "up" else lowest)(one, confidence)
        atoms = _atoms(held, one.total, fineness, rounding)
        low, high = min(atoms), max(atoms)
        before, joined = joined, np.zeros(len(joined) + high - low)
        for point, weight in sorted(atoms.items()):
            joined[point - low : point - low + len(before)] += weight * before
        first += low
    return Grid(fineness, first, joined)


def _atoms(held: Shares, total: int, fineness: int, rounding: str) -> dict[int, float]:
    """Each number of hits as one or two points of the grid."""
    atoms: dict[int, float] = {}
    for hits, share in held.items():
        point, rest = divmod(hits * fineness, total)
        up = Fraction(rest, total) if rounding == "split" else Fraction(int(rounding == "up" and rest > 0))
        for at, part in ((point, 1 - up), (point + 1, up)):
            if part:
                atoms[at] = atoms.get(at, 0.0) + float(share * part)
    return atoms


@dataclass(frozen=True, slots=True)
class Domain:
    """The mean score over a domain's documents, every document's extract chosen at random."""

    name: str
    distributions: tuple[Distribution, ...]

    @property
    def size(self) -> int:
        """Documents (K)."""
        return len(self.distributions)

    @property
    def exact(self) -> bool:
        """Whether every document's distribution is exact."""
        return all(one.exact for one in self.distributions)

    @property
    def method(self) -> str:
        """`exact`; `exact to a grid` if ranks have bounds only; `partly sampled`."""
        if not self.exact:
            return "partly sampled"
        return "exact" if self.on_lattice else "exact to a grid"

    @property
    def optimum(self) -> Fraction | None:
        """The best mean score there is; None where a document's best extract is not known."""
        if not all(one.best_known for one in self.distributions):
            return None
        return sum((Fraction(one.most, one.total) for one in self.distributions), Fraction(0)) / self.size

    @property
    def mean(self) -> float:
        """The mean of the distribution."""
        return sum(one.mean for one in self.distributions) / self.size

    @property
    def sd(self) -> float:
        """The standard deviation of the distribution."""
        return sqrt(sum(one.sd**2 for one in self.distributions)) / self.size

    @property
    def least(self) -> float:
        """The average of the documents' minima, as in Table 2."""
        return sum(one.least / one.total for one in self.distributions) / self.size

    @property
    def most(self) -> float:
        """The average of the documents' maxima, as in Table 2: the upper bound of any extract system."""
        return sum(one.most / one.total for one in self.distributions) / self.size

    @property
    def fineness(self) -> int:
        """The documents' common lattice, or a fine grid where that is too fine."""
        common = lcm(*(one.total for one in self.distributions))
        return next((fine for fine in (common, *_GRIDS) if self._work(fine) <= _WORK), _GRIDS[-1])

    def _work(self, fineness: int) -> int:
        """Additions of a convolution on a grid of this fineness."""
        length = work = 0
        for one in self.distributions:
            work += 2 * len(one.counts) * length
            spread = one.most - one.least if one.exact else most_hits(one)
            length += spread * fineness // one.total + 1
        return work

    @property
    def on_lattice(self) -> bool:
        """Whether the grid holds every score, so that nothing is rounded."""
        return all(self.fineness % one.total == 0 for one in self.distributions)

    def grid(self, rounding: str = "split") -> Grid:
        """The distribution of the sum of scores."""
        return convolved(self.distributions, self.fineness, rounding)

    def printed(self) -> Floats:
        """Algorithm 1's pdf."""
        return algorithm_1([binned(one) for one in self.distributions])

    def pdf(self, bins: int = BINS) -> Floats:
        """The exact distribution in as many bins as the paper's, normalised alike."""
        grid = self.grid()
        points = (np.arange(len(grid.shares)) + grid.first) * bins // (grid.fineness * self.size)
        found: Floats = np.bincount(np.clip(points, 0, bins - 1), grid.shares, bins).astype(np.float64)
        return found * bins


def moments(histogram: Floats) -> tuple[float, float]:
    """Mean and standard deviation of a binned pdf, each bin at its middle."""
    middles = (np.arange(len(histogram)) + 0.5) / len(histogram)
    weights = histogram / histogram.sum()
    mean = float(middles @ weights)
    return mean, sqrt(float(((middles - mean) ** 2) @ weights))


@dataclass(slots=True)
class Ranks:
    """Percentile ranks in a domain: the convolutions are made once."""

    domain: Domain
    printed: Floats
    middle: Grid
    down: Grid
    up: Grid

    @classmethod
    def of(cls, domain: Domain) -> Ranks:
        """Convolve once evenly and, unless all is known exactly, once rounding down and once up."""
        middle = domain.grid()
        if domain.exact and domain.on_lattice:
            return cls(domain, domain.printed(), middle, middle, middle)
        return cls(domain, domain.printed(), middle, domain.grid("down"), domain.grid("up"))

    def percentile(self, score: Fraction) -> tuple[float, float, float]:
        """The percentage of combinations of extracts whose mean is below a score, and its bounds."""
        below = [100 * grid.below(score * self.domain.size) for grid in (self.middle, self.up, self.down)]
        return below[0], below[1], below[2]

    def above(self, score: Fraction) -> tuple[float, float]:
        """Bounds of the probability that a combination of extracts does better."""
        if score == self.domain.optimum:
            return 0.0, 0.0
        return self.down.above(score * self.domain.size), self.up.above(score * self.domain.size)

    def by_bins(self, score: Fraction) -> float:
        """Equation (2) on Algorithm 1's pdf, as in Table 4."""
        return percentile_by_bins(self.printed, score)
