"""The popcount instruction, which numba does not offer by itself, and the residual demand's update."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray


@intrinsic
def popcount(typing_context: Any, bits: Any) -> Any:  # noqa: ARG001 - numba's signature
    """The number of ones in a 64-bit word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@njit(cache=True, nogil=True)
def move_on(state: NDArray[np.uint64], clear: NDArray[np.uint64], keep: NDArray[np.uint64], s: int) -> None:
    """Take sentence `s` from the residual demand, in place; a word of zeros follows the state."""
    for t in range(clear.shape[0]):
        for w in range(len(state) - 1):
            bits = state[w]
            down = (bits >> np.uint64(1)) | (state[w + 1] << np.uint64(63))
            state[w] = (bits & ~clear[t, w, s]) | (down & keep[t, w, s])
