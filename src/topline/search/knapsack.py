"""How many sets of sentences merely fit."""

from __future__ import annotations

from math import comb

import numpy as np

from topline.problem.problem import Ints


def subsets_within(lengths: Ints, room: int) -> list[int]:
    """For each room from 0 to `room`: how many sets of these sentences fit into it.

    >>> subsets_within(np.array([1, 2]), 3)
    [1, 2, 3, 4]
    """
    table = np.zeros(room + 1, object)
    table[0] = 1
    for length, many in zip(*np.unique(lengths[lengths <= room], return_counts=True), strict=True):
        if length == 0:
            table *= 1 << int(many)
        elif many == 1:
            table[length:] = table[length:] + table[: room + 1 - length]
        else:
            old = table.copy()
            for copies in range(1, min(int(many), room // int(length)) + 1):
                table[copies * length :] += comb(int(many), copies) * old[: room + 1 - copies * length]
    return [int(x) for x in np.cumsum(table)]
