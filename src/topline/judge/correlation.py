"""Does a metric agree with people? Pearson's r, Spearman's rho and Kendall's tau-b, with their uncertainty.

Three levels:

- `system`: each system's mean over topics; systems are resampled.
- `topic`: within each topic across systems, then the mean over topics; topics are resampled.
- `pooled`: all summaries at once; topics are resampled as wholes.

The permutation test shuffles the human scores among the systems (of each topic, at topic level; among all
summaries, when pooled). Where there are no more permutations than resamples asked for, all are gone through
(at topic level they are always drawn).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations
from math import factorial, isnan, sqrt

import numpy as np
from numpy.typing import NDArray

from topline.errors import MetricError, OptionError
from topline.judge.distributions import student_p

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
COEFFICIENTS = ("pearson", "spearman", "kendall")
LEVELS = ("system", "topic", "pooled")
SLACK = 1e-12
"""Permuted coefficients this close to the observed one count as equal: sums of floats differ so much."""
BLOCK = 500


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient with its bootstrap interval and permutation test; None where undefined."""

    level: str
    coefficient: str
    n: int
    """What was correlated: systems, topics (whose coefficients are averaged), or summaries."""
    r: float | None
    low: float | None
    high: float | None
    p: float | None
    """Two-sided, by permutation."""
    null_low: float | None
    null_high: float | None
    """What chance alone gives with the interval's confidence."""
    exact: bool
    """Whether every permutation was gone through."""
    undefined: int
    """Topics left out because a column is constant there (topic level), else resamples left out for that."""
    why: str | None = None
    """Why r is undefined."""


def coefficient(kind: str, x: Floats, y: Floats) -> float | None:
    """One coefficient; None for fewer than two pairs or a constant column."""
    if len(x) < 2:
        return None
    every = np.arange(len(x))[None, :]
    value = float(_resampled(kind, x, y, every, every)[0])
    return None if isnan(value) else value


def _resampled(kind: str, x: Floats, y: Floats, rows: Ints, columns: Ints) -> Floats:
    """The coefficient of each resample; NaN where undefined."""
    from topline.judge.kernels.coefficients import coefficients

    if kind not in COEFFICIENTS:
        raise OptionError(f"{kind!r} is no coefficient", hint=f"one of {', '.join(COEFFICIENTS)}")
    out = np.empty(len(rows))
    cx = np.unique(x, return_inverse=True)[1].astype(np.int64)
    cy = np.unique(y, return_inverse=True)[1].astype(np.int64)
    coefficients(COEFFICIENTS.index(kind), x, y, cx, cy, rows, columns, out)
    return out


def correlate(
    metric: Floats,
    human: Floats,
    *,
    level: str = "system",
    kind: str = "pearson",
    samples: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
) -> Correlation:
    """Correlate two tables of scores (system by topic, NaN where there is none).

    At system level a table may have one column, such as a human score that was given per system.
    """
    if level not in LEVELS:
        raise OptionError(f"{level!r} is no level", hint=f"one of {', '.join(LEVELS)}")
    if samples < 1 or not 0 < confidence < 1:
        raise OptionError("resamples must be at least 1, the confidence between 0 and 1")
    if level != "system" and metric.shape != human.shape:
        raise MetricError(f"the {level} level needs human scores for every topic", hint="--level system")
    draw = np.random.default_rng(seed)
    run: Callable[..., Correlation] = {"system": _system, "topic": _topic, "pooled": _pooled}[level]
    return run(metric, human, kind, samples, draw, confidence)


def system_means(metric: Floats, human: Floats) -> tuple[Floats, Floats]:
    """Each system's two means, for the systems that have both."""
    x, y = _means(metric), _means(human)
    both = ~(np.isnan(x) | np.isnan(y))
    return x[both], y[both]


def _means(table: Floats) -> Floats:
    there = ~np.isnan(table)
    count = there.sum(axis=1)
    sums = np.where(there, table, 0.0).sum(axis=1)
    means: Floats = np.divide(sums, count, out=np.full(len(table), np.nan), where=count > 0)
    return means


def _system(
    metric: Floats, human: Floats, kind: str, samples: int, draw: np.random.Generator, confidence: float
) -> Correlation:
    x, y = system_means(metric, human)
    n = len(x)
    r = coefficient(kind, x, y)
    if r is None:
        return _undefined("system", kind, n, _why(x, y, "systems"))
    drawn = [draw.integers(0, n, (size, n)) for size in _blocks(samples)]
    boot = np.concatenate([_resampled(kind, x, y, rows, rows) for rows in drawn])
    null, exact = _permuted(kind, x, y, samples, draw)
    return _result("system", kind, n, r, boot, null, exact, confidence)


def _permuted(
    kind: str, x: Floats, y: Floats, samples: int, draw: np.random.Generator
) -> tuple[Floats, bool]:
    """Coefficients under permutations of y: all of them where they are few enough."""
    n = len(x)
    exact = n <= 12 and factorial(n) <= samples
    if exact:
        columns = [np.array(list(permutations(range(n))))]
    else:
        columns = [draw.permuted(np.tile(np.arange(n), (size, 1)), axis=1) for size in _blocks(samples)]
    same = np.arange(n)
    parts = [_resampled(kind, x, y, np.tile(same, (len(block), 1)), block) for block in columns]
    return np.concatenate(parts), exact


def _topic(
    metric: Floats, human: Floats, kind: str, samples: int, draw: np.random.Generator, confidence: float
) -> Correlation:
    columns = [(x, y) for x, y in _per_topic(metric, human) if len(x) > 1]
    found = [(x, y, coefficient(kind, x, y)) for x, y in columns]
    defined = [(x, y, r) for x, y, r in found if r is not None]
    constant = metric.shape[1] - len(defined)
    if not defined:
        return _undefined("topic", kind, 0, "a column is constant in every topic", constant)
    values = np.array([r for _, _, r in defined])
    boot = np.concatenate(
        [values[draw.integers(0, len(values), (size, len(values)))].mean(axis=1) for size in _blocks(samples)]
    )
    null = np.zeros(samples)
    for x, y, _ in defined:
        null += np.concatenate(
            [
                _resampled(
                    kind,
                    x,
                    y,
                    np.tile(np.arange(len(x)), (size, 1)),
                    draw.permuted(np.tile(np.arange(len(x)), (size, 1)), axis=1),
                )
                for size in _blocks(samples)
            ]
        )
    null /= len(defined)
    return _result("topic", kind, len(defined), float(values.mean()), boot, null, False, confidence, constant)


def _per_topic(metric: Floats, human: Floats) -> Iterator[tuple[Floats, Floats]]:
    for topic in range(metric.shape[1]):
        both = ~(np.isnan(metric[:, topic]) | np.isnan(human[:, topic]))
        yield np.ascontiguousarray(metric[both, topic]), np.ascontiguousarray(human[both, topic])


def _pooled(
    metric: Floats, human: Floats, kind: str, samples: int, draw: np.random.Generator, confidence: float
) -> Correlation:
    columns = [(x, y) for x, y in _per_topic(metric, human) if len(x)]
    x = np.concatenate([x for x, _ in columns]) if columns else np.empty(0)
    y = np.concatenate([y for _, y in columns]) if columns else np.empty(0)
    r = coefficient(kind, x, y)
    if r is None:
        return _undefined("pooled", kind, len(x), _why(x, y, "summaries"))
    starts = np.cumsum([0, *(len(x) for x, _ in columns)])
    cells = [np.arange(starts[t], starts[t + 1]) for t in range(len(columns))]
    boot = np.empty(samples)
    for b in range(samples):
        rows = np.concatenate([cells[t] for t in draw.integers(0, len(cells), len(cells))])[None, :]
        boot[b] = _resampled(kind, x, y, rows, rows)[0]
    null, exact = _permuted(kind, x, y, samples, draw)
    return _result("pooled", kind, len(x), r, boot, null, exact, confidence)


def _blocks(samples: int) -> list[int]:
    return [min(BLOCK, samples - start) for start in range(0, samples, BLOCK)]


def _why(x: Floats, y: Floats, what: str) -> str:
    if len(x) < 2:
        return f"fewer than two {what} have both scores"
    constant = [name for name, column in (("metric", x), ("human", y)) if (column == column[0]).all()]
    return f"the {' and the '.join(constant)} column is constant"


def _undefined(level: str, kind: str, n: int, why: str, undefined: int = 0) -> Correlation:
    return Correlation(level, kind, n, None, None, None, None, None, None, False, undefined, why)


def _result(
    level: str,
    kind: str,
    n: int,
    r: float,
    boot: Floats,
    null: Floats,
    exact: bool,
    confidence: float,
    undefined: int | None = None,
) -> Correlation:
    kept = boot[~np.isnan(boot)]
    low, high = percentiles(kept, confidence)
    null_low, null_high = percentiles(null, confidence)
    extreme = int((np.abs(null) >= abs(r) - SLACK).sum())
    p = extreme / len(null) if exact else (extreme + 1) / (len(null) + 1)
    left_out = len(boot) - len(kept) if undefined is None else undefined
    return Correlation(level, kind, n, r, low, high, p, null_low, null_high, exact, left_out)


def percentiles(values: Floats, confidence: float) -> tuple[float, float] | tuple[None, None]:
    """The interval between the two tails."""
    if not len(values):
        return None, None
    tail = 100 * (1 - confidence) / 2
    low, high = np.percentile(values, [tail, 100 - tail])
    return float(low), float(high)


@dataclass(frozen=True, slots=True)
class Williams:
    """Whether two metrics correlate differently with the same human scores, by Williams' test."""

    t: float | None
    df: int
    p: float | None
    """Two-sided."""
    why: str | None = None


def williams(r12: float, r13: float, r23: float, n: int) -> Williams:
    """Test `r12 - r13`, where 1 is the human score, 2 and 3 the metrics and `r23` their correlation.

    Williams (1959) as recommended by Steiger (1980): t with n - 3 degrees of freedom.
    """
    if n < 4:
        return Williams(None, max(n - 3, 0), None, "fewer than four systems")
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    spread = 2 * determinant * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if spread <= SLACK:
        return Williams(None, n - 3, None, "the two metrics rank alike: nothing is left to test")
    t = (r12 - r13) * sqrt((n - 1) * (1 + r23) / spread)
    return Williams(t, n - 3, student_p(t, n - 3))
