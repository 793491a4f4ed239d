"""Numbers as Perl reads and writes them."""

from __future__ import annotations

import math
import re

_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)", re.IGNORECASE | re.ASCII)
_SPECIAL = re.compile(r"\s*(?P<sign>[+-]?)(?P<name>inf|nan)", re.IGNORECASE | re.ASCII)
_WHOLE = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_UNSIGNED = 2**64


def number(text: str) -> float:
    """What a string is worth in arithmetic: its longest numeric beginning, 0 if there is none.

    >>> number("4"), number(" 1.5e1x"), number("abc"), number("-.5")
    (4, 15.0, 0, -0.5)
    """
    special = _SPECIAL.match(text)
    if special:
        value = math.inf if special["name"].lower() == "inf" else math.nan
        return -value if special["sign"] == "-" else value
    match = _NUMBER.match(text)
    if match is None:
        return 0
    return int(match[1]) if _WHOLE.fullmatch(match[1]) else float(match[1])


def shown(value: float) -> str:
    """A number as `print` writes it: 15 digits, whole numbers in full.

    >>> shown(12), shown(1e20), shown(0.1 + 0.2), shown(7.0)
    ('12', '1e+20', '0.3', '7')
    """
    if isinstance(value, int) and abs(value) < _UNSIGNED:
        return str(value)
    if math.isnan(value) or math.isinf(value):
        return _special(value)
    return f"{value:.15g}"


def whole(value: float) -> str:
    """`int` of a number as `print` writes it: all digits as long as 64 bits hold it."""
    if math.isnan(value) or math.isinf(value):
        return _special(value)
    return str(int(value)) if abs(value) < _UNSIGNED else f"{math.trunc(value):.15g}"


def fixed(value: float) -> str:
    """Five digits behind the point: the form of every score.

    >>> fixed(0.25), fixed(float("nan"))
    ('0.25000', '    NaN')
    """
    if math.isnan(value) or math.isinf(value):
        return f"{_special(value):>7}"
    return f"{value:7.5f}"


def _special(value: float) -> str:
    return "NaN" if math.isnan(value) else "Inf" if value > 0 else "-Inf"
