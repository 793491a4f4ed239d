"""Is one system better than another? Paired tests over topics, with Holm's correction over all pairs.

- `randomisation`: approximate randomisation (Noreen 1989): under the null hypothesis the two systems' scores
  of a topic may be swapped. All choices are counted, not sampled, where few enough topics differ: up to 30
  for a few thousand pairs, 20 for half a million.
- `bootstrap`: topics are drawn with replacement; how often the drawn difference strays from the observed one
  by as much as that differs from 0 (the null hypothesis by shifting).
- `wilcoxon`: the signed-rank test, zeros dropped; exact up to 50 differing topics, ties included.

All p-values are two-sided. Scores are first rounded to whole multiples of a power of two (13 digits for 1,000
topics), so that every sum is exact and equal differences are equal; all pairs share the same resamples.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import frexp, log2

import numpy as np
from numpy.typing import NDArray

from topline.errors import OptionError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
TESTS = ("randomisation", "bootstrap", "wilcoxon")
EXACT_RANKS = 50
EXACT_WORK = 2**29
BLOCK, CHUNK = 1000, 4096
"""Resamples drawn at a time, and pairs a task takes: fixed, so that threads change nothing."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """One score for every system and topic."""

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    """System by topic."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All pairs of systems under one test; entry k belongs to the systems `pairs[k]`."""

    test: str
    pairs: Ints
    differences: Floats
    """Mean of the first minus mean of the second."""
    p: Floats
    holm: Floats
    exact: NDArray[np.bool_]
    """Whether p was counted out rather than sampled or approximated."""


def whole(values: Floats) -> Floats:
    """Scores as whole numbers in doubles, scaled so that any sum over topics stays exact."""
    if not np.isfinite(values).all():
        raise OptionError("scores must be finite numbers")
    largest = float(np.abs(values).max(initial=0.0)) * 4 * max(values.shape[-1], 1)
    scaled: Floats = np.rint(np.ldexp(values, 52 - frexp(largest)[1])) if largest else values
    return np.ascontiguousarray(scaled)


def compare(
    matrix: Matrix, test: str = "randomisation", *, samples: int = 10_000, seed: int = 0, jobs: int = 1
) -> Comparison:
    """Test every pair of systems."""
    if test not in TESTS:
        raise OptionError(f"{test!r} is no test", hint=f"one of {', '.join(TESTS)}")
    if len(matrix.systems) < 2 or not matrix.topics:
        raise OptionError("a comparison needs two systems and a topic")
    if samples < 1:
        raise OptionError(f"{samples} resamples make no sense", hint="10000 is usual")
    scores = whole(matrix.values)
    pairs = pairs_of(len(matrix.systems))
    with ThreadPoolExecutor(max(jobs, 1)) as pool:
        if test == "wilcoxon":
            p, exact = _wilcoxon(scores, pairs, pool)
        else:
            p, exact = _resampled(scores, pairs, test, samples, seed, pool)
    means = matrix.values.mean(axis=1)
    # the sign of a difference must agree with its p: both from the whole numbers
    totals = scores.sum(axis=1)
    differences = np.where(
        totals[pairs[:, 0]] == totals[pairs[:, 1]], 0.0, means[pairs[:, 0]] - means[pairs[:, 1]]
    )
    return Comparison(test, pairs, differences, p, holm(p), exact)


def pairs_of(systems: int) -> Ints:
    """All pairs of systems, the lower number first."""
    return np.stack(np.triu_indices(systems, 1), axis=1).astype(np.int64)


def _chunks(count: int) -> list[slice]:
    return [slice(start, min(start + CHUNK, count)) for start in range(0, count, CHUNK)]


def _wilcoxon(scores: Floats, pairs: Ints, pool: ThreadPoolExecutor) -> tuple[Floats, NDArray[np.bool_]]:
    from topline.judge.kernels import differences as kernels

    p, of = np.empty(len(pairs)), np.empty(len(pairs), np.int64)

    def run(part: slice) -> None:
        kernels.wilcoxon(scores, pairs[part], EXACT_RANKS, p[part], of[part])

    list(pool.map(run, _chunks(len(pairs))))
    return p, of <= EXACT_RANKS


def _resampled(
    scores: Floats, pairs: Ints, test: str, samples: int, seed: int, pool: ThreadPoolExecutor
) -> tuple[Floats, NDArray[np.bool_]]:
    from topline.judge.kernels import differences as kernels

    totals = scores.sum(axis=1)
    p = np.empty(len(pairs))
    exact = np.zeros(len(pairs), np.bool_)
    if test == "randomisation":
        extreme, of = np.empty(len(pairs)), np.empty(len(pairs), np.int64)
        most = exact_topics(len(pairs))

        def count(part: slice) -> None:
            kernels.exact_randomisation(scores, totals, pairs[part], most, extreme[part], of[part])

        list(pool.map(count, _chunks(len(pairs))))
        exact = of >= 0
        p[exact] = np.ldexp(extreme[exact], -of[exact])
    if exact.all():
        return p, exact
    rest = np.ascontiguousarray(pairs[~exact])
    counts = np.zeros(len(rest), np.int64)
    for projected in _projections(scores, totals, test, samples, seed):

        def add(part: slice, projected: Floats = projected) -> None:
            kernels.count_extreme(projected, totals, rest[part], counts[part])

        list(pool.map(add, _chunks(len(rest))))
    p[~exact] = (counts + 1) / (samples + 1)
    return p, exact


def exact_topics(pairs: int) -> int:
    """How many differing topics are counted out: two halves of `2 ** (topics / 2)` sums for each pair."""
    return min(30, 2 * int(log2(EXACT_WORK / pairs)))


def _projections(scores: Floats, totals: Floats, test: str, samples: int, seed: int) -> Iterator[Floats]:
    """Every system's sum under each resample, a block at a time: differences of pairs are differences."""
    generator = np.random.default_rng(seed)
    topics = scores.shape[1]
    for start in range(0, samples, BLOCK):
        size = min(BLOCK, samples - start)
        if test == "randomisation":
            weights = generator.integers(0, 2, (size, topics)) * 2.0 - 1.0
            yield scores @ weights.T
        else:
            yield scores @ draws(generator, size, topics).T - totals[:, None]


def draws(generator: np.random.Generator, samples: int, topics: int) -> Floats:
    """How often each topic is drawn, for each of the bootstrap's samples."""
    drawn = generator.integers(0, topics, (samples, topics))
    flat = drawn + (np.arange(samples) * topics)[:, None]
    return np.bincount(flat.ravel(), minlength=samples * topics).reshape(samples, topics).astype(np.float64)


def holm(p: Floats) -> Floats:
    """Holm's step-down correction: the family-wise error stays below the level."""
    order = np.argsort(p, kind="stable")
    factors = np.arange(len(p), 0, -1)
    stepped = np.minimum(np.maximum.accumulate(p[order] * factors), 1.0)
    corrected = np.empty_like(stepped)
    corrected[order] = stepped
    return corrected


def intervals(
    values: Floats, *, samples: int = 10_000, seed: int = 0, confidence: float = 0.95
) -> list[tuple[float, float]]:
    """Percentile bootstrap interval of each row's mean over topics."""
    scores = whole(values)
    generator = np.random.default_rng(seed)
    blocks = [
        scores @ draws(generator, min(BLOCK, samples - start), scores.shape[1]).T
        for start in range(0, samples, BLOCK)
    ]
    sums = np.sort(np.concatenate(blocks, axis=1), axis=1)
    low = int(np.floor(samples * (1 - confidence) / 2))
    unit = _unit(values, scores) / scores.shape[1]
    return [(float(row[low] * unit), float(row[samples - 1 - low] * unit)) for row in sums]


def _unit(values: Floats, scores: Floats) -> float:
    """What one of the whole numbers is worth."""
    at = np.unravel_index(int(np.abs(scores).argmax()), scores.shape)
    return float(2.0 ** np.rint(np.log2(values[at] / scores[at]))) if scores[at] else 1.0


def better(comparison: Comparison, systems: int, alpha: float = 0.05) -> list[tuple[int, ...]]:
    """For each system those it beats: Holm's p below alpha and a mean that is higher. A tie beats nobody."""
    beaten: list[list[int]] = [[] for _ in range(systems)]
    won = (comparison.holm < alpha) & (comparison.differences != 0)
    for k in np.flatnonzero(won):
        one, other = (int(i) for i in comparison.pairs[k])
        winner, loser = (one, other) if comparison.differences[k] > 0 else (other, one)
        beaten[winner].append(loser)
    return [tuple(sorted(losers)) for losers in beaten]


def letters(count: int) -> list[str]:
    """Names for superscripts: a, b, ..., z, aa, ab, ..."""
    names = []
    for number in range(1, count + 1):
        name, rest = "", number
        while rest:
            rest, digit = divmod(rest - 1, 26)
            name = chr(ord("a") + digit) + name
        names.append(name)
    return names


def superscript(names: Sequence[str]) -> str:
    """The letters of the systems beaten, set apart by commas once they are longer than one."""
    return "".join(names) if all(len(name) == 1 for name in names) else ",".join(names)
