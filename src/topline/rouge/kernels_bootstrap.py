"""Compiled resampling: the 48-bit generator of C's `drand48`, as Perl carries it on every platform."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

_MULTIPLIER = 0x5DEECE66D
_INCREMENT = 0xB
_MASK = (1 << 48) - 1
_LOW = 0x330E
_STEP = 1.0 / (1 << 48)


@njit(cache=True, nogil=True)
def resampled_sums(
    values: NDArray[np.float64], first: int, sums: NDArray[np.float64], drawn: NDArray[np.int64]
) -> None:
    """Sums of resamples `first`, `first + 1`, …: a row each, `values` has a row an evaluation.

    Resample `s` is seeded with `s`. A sum starts from its first draw and grows draw by draw, because the
    order of additions shows in the last digit. `drawn` is scratch space of a draw an evaluation.
    """
    rows, columns = values.shape
    for s in range(len(sums)):
        state = (np.uint64(first + s) << np.uint64(16)) | np.uint64(_LOW)
        for i in range(rows):
            state = (state * np.uint64(_MULTIPLIER) + np.uint64(_INCREMENT)) & np.uint64(_MASK)
            drawn[i] = np.int64(np.float64(np.int64(state)) * _STEP * np.float64(rows))
        sums[s, :] = values[drawn[0]]
        for i in range(1, rows):
            row = drawn[i]
            for column in range(columns):
                sums[s, column] += values[row, column]
