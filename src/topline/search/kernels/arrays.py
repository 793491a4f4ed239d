"""The few array calls that the kernels share.

Each call of numpy inside a kernel costs compile time of its own, so it is made here once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

OUTER: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
"""Options of a kernel that Python calls."""
INNER: dict[str, Any] = {**OUTER, "no_cpython_wrapper": True}
"""Options of a kernel that only kernels call: without wrappers it compiles faster."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@njit(**INNER)
def zeros(n: int) -> Ints:
    """So many zeros."""
    return np.zeros(n, np.int64)


@njit(**INNER)
def reals(n: int) -> Floats:
    """So many zeros, as floats."""
    return np.zeros(n)


@njit(**INNER)
def filled(n: int, value: int) -> Ints:
    """So many times this value."""
    array = zeros(n)
    for i in range(n):
        array[i] = value
    return array


@njit(**INNER)
def cut(array: Ints, n: int) -> Ints:
    """A copy of the first `n`."""
    part = zeros(n)
    for i in range(n):
        part[i] = array[i]
    return part


@njit(**INNER)
def copied(array: Floats) -> Floats:
    """A copy."""
    new = reals(len(array))
    for i in range(len(array)):
        new[i] = array[i]
    return new


@njit(**INNER)
def grid(rows: int, columns: int) -> Ints:
    """Rows of zeros."""
    return np.zeros((rows, columns), np.int64)


@njit(**INNER)
def lesser(a: int, b: int) -> int:
    """The smaller number."""
    return a if a < b else b


@njit(**INNER)
def larger(a: int, b: int) -> int:
    """The larger number."""
    return a if a > b else b
