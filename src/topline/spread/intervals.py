"""Intervals for a sampled share: Clopper and Pearson's, and Dvoretzky, Kiefer and Wolfowitz's band."""

from __future__ import annotations

from functools import lru_cache
from math import exp, lgamma, log, log1p, sqrt

CONFIDENCE = 0.99
HALF = 0.995
"""Of each of two intervals that hold together at `CONFIDENCE`."""
_TINY = 1e-300
_CLOSE = 1e-15
_OUTWARD = 1e-9
"""Relative widening that covers the rounding of the computation itself."""


def band(draws: int, confidence: float = CONFIDENCE) -> float:
    """No share of any set `score <= x` is further than this from its sampled share, at this confidence."""
    return sqrt(log(2 / (1 - confidence)) / (2 * draws))


@lru_cache(4096)
def clopper_pearson(found: int, draws: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The exact interval for a probability that came true `found` times in so many draws.

    >>> low, high = clopper_pearson(0, 1000)
    >>> low, round(high, 5)
    (0.0, 0.00528)
    """
    half = (1 - confidence) / 2
    low = 0.0 if found == 0 else _quantile(half, found, draws - found + 1)
    high = 1.0 if found == draws else _quantile(1 - half, found + 1, draws - found)
    return low * (1 - _OUTWARD), min(1.0, high * (1 + _OUTWARD))


def _quantile(share: float, a: float, b: float) -> float:
    """Where the beta distribution reaches a share: bisection on a logarithmic scale, to the last digit."""
    low, high = log(_TINY), 0.0
    while low < (middle := (low + high) / 2) < high:
        if beta_share(exp(middle), a, b) < share:
            low = middle
        else:
            high = middle
    return exp((low + high) / 2)


def beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1.0 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """Lentz's evaluation of the continued fraction; what would be divided by is kept from zero."""
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or _TINY)
    result = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1 / ((1 + step * d) or _TINY)
            c = (1 + step / c) or _TINY
            result *= c * d
        if abs(c * d - 1) < _CLOSE:
            break
    return result
