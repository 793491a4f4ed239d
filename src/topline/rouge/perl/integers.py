"""Perl's whole numbers: they stay whole while 64 bits hold them, which shows in printed counts.

Only ROUGE-W with a whole weight makes numbers so large that it matters. An `int` here is what Perl keeps as
an integer, a `float` what it keeps as a double, be it whole or not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

_UNSIGNED, _SAFE, _EXACT = 2**64, 2**62, 2**53


def power(base: float, exponent: float) -> float:
    """`base ** exponent`: an integer where 64 bits hold it, but for powers of two.

    >>> power(3, 32), power(2, 60), power(2.0, 0.5)
    (1853020188851841, 1.152921504606847e+18, 1.4142135623730951)
    """
    base, exponent = _integer(base, _EXACT), _integer(exponent, _EXACT)
    if isinstance(base, int) and isinstance(exponent, int) and _fits(base, exponent):
        return int(base**exponent)
    return math.pow(base, exponent)


def _fits(base: int, exponent: int) -> bool:
    """Perl multiplies integers only if the base's bits promise that the result fits."""
    return base & (base - 1) != 0 and base.bit_length() * exponent <= 64


def total(values: Iterable[float]) -> float:
    """A sum from 0, value by value.

    >>> total([2.0**60]), total([2.0**60, 2.0**60]), total([3**39, 1])
    (1.152921504606847e+18, 2305843009213693952, 4052555153018976268)
    """
    result: float = 0
    for value in values:
        result = _added(result, value)
    return result


def _added(left: float, right: float) -> float:
    """Two doubles are added as integers where they are whole; beside an integer only up to 53 bits."""
    bound = _SAFE if isinstance(left, float) and isinstance(right, float) else _EXACT
    a, b = _integer(left, bound), _integer(right, bound)
    result = a + b if isinstance(a, int) and isinstance(b, int) else float(a) + float(b)
    return float(result) if abs(result) >= _UNSIGNED else result


def _integer(value: float, bound: int) -> float:
    return int(value) if isinstance(value, float) and abs(value) < bound and value.is_integer() else value
