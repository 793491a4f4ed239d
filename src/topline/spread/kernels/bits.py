"""The popcount instruction, which numba does not offer by itself."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic


@intrinsic
def _popcount(typing_context: Any, bits: Any) -> Any:  # noqa: ARG001 - numba's signature
    """The number of ones in a 64-bit word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


popcount: Any = _popcount
