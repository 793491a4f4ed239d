"""What the ratings say: means with intervals, and how far the raters agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from topline.compress.arrays import Floats, Ints
from topline.compress.rate import Key, Rating

LEVELS = ("nominal", "ordinal", "interval")
RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Mean:
    """A system's mean rating; the fields are those of `topline rate --json`."""

    system: str
    mean: float
    low: float | None
    """The 95% interval, by resampling topics; None with a single topic."""
    high: float | None
    ratings: int
    summaries: int
    raters: int
    counts: tuple[int, ...]
    """How often each rating was given, the worst first."""


def means(key: Key, ratings: Sequence[Rating], *, seed: int = 0, resamples: int = RESAMPLES) -> list[Mean]:
    """Each system's mean rating, best first."""
    items = {item.item: item for item in key.items}
    by_system: dict[str, list[Rating]] = {}
    for rating in ratings:
        for system in items[rating.item].systems:
            by_system.setdefault(system, []).append(rating)
    topics = sorted({item.topic for item in key.items})
    draws = np.random.default_rng(seed).integers(0, len(topics), (resamples, len(topics)))
    found = []
    for system, own in by_system.items():
        sums, sizes = np.zeros(len(topics)), np.zeros(len(topics))
        for rating in own:
            place = topics.index(items[rating.item].topic)
            sums[place] += rating.value
            sizes[place] += 1
        low, high = _interval(sums, sizes, draws)
        values = [rating.value for rating in own]
        found.append(
            Mean(
                system, sum(values) / len(values), low, high, len(values),
                len({rating.item for rating in own}), len({rating.rater for rating in own}),
                tuple(values.count(value) for value in range(key.scale.low, key.scale.high + 1)),
            )
        )  # fmt: skip
    return sorted(found, key=lambda one: (-one.mean, one.system))


def _interval(sums: Floats, sizes: Floats, draws: Ints) -> tuple[float | None, float | None]:
    """Percentiles of the mean over resampled topics; ratings of one topic are not independent."""
    if np.count_nonzero(sizes) < 2:
        return None, None
    total, count = sums[draws].sum(axis=1), sizes[draws].sum(axis=1)
    drawn = total[count > 0] / count[count > 0]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


def alpha(ratings: Sequence[Rating], level: str = "ordinal") -> float | None:
    """Krippendorff's alpha: 1 is perfect agreement, 0 what chance gives; None where it is undefined.

    Items that one person rated say nothing about agreement. Computed in whole fractions.
    """
    by_item: dict[str, list[int]] = {}
    for rating in ratings:
        by_item.setdefault(rating.item, []).append(rating.value)
    units = [values for values in by_item.values() if len(values) > 1]
    counts: dict[int, int] = {}
    for values in units:
        for value in values:
            counts[value] = counts.get(value, 0) + 1
    scale = sorted(counts)
    total = sum(counts.values())
    apart = {(a, b): _distance(a, b, scale, counts, level) for a in scale for b in scale}
    observed = sum(
        (Fraction(apart[a, b], len(values) - 1) for values in units for a in values for b in values),
        Fraction(0),
    )
    expected = sum(counts[a] * counts[b] * apart[a, b] for a in scale for b in scale)
    if not expected:
        return None
    return float(1 - (total - 1) * observed / expected)


def _distance(a: int, b: int, scale: Sequence[int], counts: dict[int, int], level: str) -> Fraction:
    """How far two ratings are apart, squared."""
    if level == "nominal":
        return Fraction(a != b)
    if level == "interval":
        return Fraction((a - b) ** 2)
    between = sum(counts[value] for value in scale if min(a, b) <= value <= max(a, b))
    return (between - Fraction(counts[a] + counts[b], 2)) ** 2
