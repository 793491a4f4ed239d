"""Five digits as the script prints them: what `sprintf("%7.5f")` makes of a double, for whole arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_SCALE = 1e5
_SPLIT = 134217729.0
"""2**27 + 1: cuts a double into two halves whose products are exact (Veltkamp)."""


def round5(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round the exact binary value to five decimal digits, ties to even, as C's printf does.

    `x * 1e5` alone is not enough: its own rounding can make a tie of what is none. The product's error
    is computed exactly and breaks such false ties.

    >>> round5(np.array([0.003125, 0.015625])).tolist()
    [0.00313, 0.01562]
    """
    values = np.asarray(values, np.float64)
    product = values * _SCALE
    high = values * _SPLIT
    high = high - (high - values)
    low = values - high
    scale_high = _SCALE * _SPLIT - (_SCALE * _SPLIT - _SCALE)
    scale_low = _SCALE - scale_high
    error = ((high * scale_high - product) + high * scale_low + low * scale_high) + low * scale_low
    whole = np.floor(product)
    beyond = (product - whole) - 0.5
    up = (beyond > 0) | ((beyond == 0) & ((error > 0) | ((error == 0) & (whole % 2 == 1))))
    rounded: NDArray[np.float64] = (whole + up) / _SCALE
    return rounded
