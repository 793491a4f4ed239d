"""Numbers and shares of extracts as a reader wants them."""

from __future__ import annotations

from fractions import Fraction

_OFTEN = Fraction(1, 100)
"""Shares from here on are given in percent, smaller ones as one in how many."""
_DIGITS = 6
"""The most digits that are spent to tell two bounds apart."""


def short(number: int, digits: int = 2, *, up: bool | None = None) -> str:
    """A whole number, in powers of ten when it is long; rounded `up`, down, or to the nearest.

    >>> short(8_640_000_000_000), short(999), short(8_640_000_000_000, up=False), short(1_010_000, up=True)
    ('8.6e12', '999', '8.6e12', '1.1e6')
    """
    if number < 1_000_000:
        return str(number)
    exponent = len(str(number)) - 1
    unit: int = 10 ** (exponent + 1 - digits)
    extra = unit // 2 if up is None else (unit - 1) * up
    leading = (number + extra) // unit
    if leading == 10**digits:
        leading, exponent = leading // 10, exponent + 1
    text = str(leading)
    return f"{text[0]}.{text[1:]}e{exponent}"


def one_in(share: Fraction, digits: int = 2, *, up: bool | None = None) -> str:
    """A share as one in how many.

    >>> one_in(Fraction(1, 40)), one_in(Fraction(3, 10**9))
    ('1 in 40', '1 in 3.3e8')
    """
    many = 1 / share
    whole = -(-many.numerator // many.denominator) if up else many.numerator // many.denominator
    return f"1 in {short(round(many) if up is None else whole, digits, up=up)}"


def between(low: Fraction, high: Fraction) -> str:
    """A share of which bounds are known, which are rounded outward.

    >>> between(Fraction(1, 2), Fraction(501, 1000)), between(Fraction(1, 250), Fraction(1, 250))
    ('between 50.000% and 50.100%', '1 in 250')
    >>> between(Fraction(1, 2_104_000_000), Fraction(1, 2_096_000_000))
    'between 1 in 2.104e9 and 1 in 2.096e9'
    >>> between(Fraction(0), Fraction(1, 999)), between(Fraction(0), Fraction(0))
    ('at most 1 in 999', 'none')
    """
    if high == 0:
        return "none"
    if low == 0:
        return f"at most {one_in(high, up=False)}"
    if low >= _OFTEN:
        return f"{_percent(low)}" if low == high else f"between {_percent(low)} and {_percent(high, up=True)}"
    if low == high:
        return one_in(low)
    for digits in range(2, _DIGITS + 1):
        ends = one_in(low, digits, up=True), one_in(high, digits, up=False)
        if ends[0] != ends[1] and one_in(low, digits) != one_in(high, digits):
            return f"between {ends[0]} and {ends[1]}"
    return one_in(high)


def _percent(share: Fraction, *, up: bool = False) -> str:
    thousandths = share * 100_000
    whole = thousandths.numerator // thousandths.denominator
    whole += up and whole < thousandths
    return f"{whole // 1000}.{whole % 1000:03}%"
