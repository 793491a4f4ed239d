"""A similarity graph of sentences, and the fixed rule by which random walks on it stop."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topline.systems.matrix import Floats, Ints, Matrix

TOLERANCE = 1e-9
"""A walk stops when a step moves less probability than this (a sentence's share of it, for TextRank)..."""
ROUNDS = 300
"""... or after so many steps."""


@dataclass(frozen=True)
class Graph:
    """Row `i` is joined to `neighbours[starts[i]:starts[i + 1]]`, rising, as strongly as `weights` says."""

    starts: Ints
    neighbours: NDArray[np.int32]
    weights: Floats

    def row(self, row: int) -> Floats:
        """A row written out, zeros included."""
        dense = np.zeros(len(self.starts) - 1)
        part = slice(self.starts[row], self.starts[row + 1])
        dense[self.neighbours[part]] = self.weights[part]
        return dense

    def row_sums(self) -> Floats:
        """What each row's weights add up to."""
        rows = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        sums: Floats = np.bincount(rows, self.weights, len(self.starts) - 1).astype(np.float64)
        return sums


def cosine_graph(matrix: Matrix, idf: Floats) -> Graph:
    """Cosines of TF x IDF rows (the idf-modified cosine of LexRank), each row with itself included."""
    from topline.systems.kernels.graph import cosine_rows

    values = matrix.unit_rows(idf)
    return Graph(*cosine_rows(matrix.starts, matrix.terms, values, *matrix.by_column))
