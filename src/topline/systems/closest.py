"""How close a sentence comes to those already chosen."""

from __future__ import annotations

import numpy as np

from topline.systems.matrix import Floats, Matrix


class Closest:
    """The largest cosine of TF x IDF vectors with any chosen sentence, kept up as sentences are chosen."""

    def __init__(self, matrix: Matrix, idf: Floats) -> None:
        self._matrix = matrix
        self._values = matrix.unit_rows(idf)
        self._closest = np.zeros(matrix.rows)
        self._seen = 0

    def to(self, row: int, chosen: list[int]) -> float:
        """The cosine of a sentence with the nearest of the chosen; `chosen` only ever grows."""
        from topline.systems.kernels.counts import products

        matrix = self._matrix
        for other in chosen[self._seen :]:
            cosines = products(matrix.starts, matrix.terms, self._values, other, matrix.columns)
            np.maximum(self._closest, cosines, out=self._closest)
        self._seen = len(chosen)
        return float(self._closest[row])
