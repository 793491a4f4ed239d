"""A sparse count matrix, compressed by rows: sentences x words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topline.text.encode import TokenTable

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Matrix:
    """Row `i` holds the columns `terms[starts[i]:starts[i + 1]]`, rising, as often as `counts` says."""

    starts: Ints
    terms: NDArray[np.int32]
    counts: NDArray[np.int32]
    columns: int

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.starts) - 1

    @cached_property
    def lengths(self) -> Ints:
        """Tokens a row, repeated ones included."""
        from topline.systems.kernels.counts import row_lengths

        lengths: Ints = row_lengths(self.starts, self.counts)
        return lengths

    @cached_property
    def by_column(self) -> tuple[Ints, NDArray[np.int32], Ints]:
        """For each column its rows and where they hold it: starts, rows, entries."""
        from topline.systems.kernels.counts import transpose

        starts, rows, entries = transpose(self.starts, self.terms, self.columns)
        return starts, rows, entries

    def frequencies(self) -> Ints:
        """In how many rows each column occurs."""
        return np.bincount(self.terms, minlength=self.columns)

    def totals(self) -> Ints:
        """How often each column occurs."""
        return np.bincount(self.terms, self.counts, self.columns).astype(np.int64)

    def row_sums(self, weights: Floats) -> Floats:
        """For each row the sum of count x weight."""
        from topline.systems.kernels.counts import row_sums

        sums: Floats = row_sums(self.starts, self.terms, self.counts, weights)
        return sums

    def unit_rows(self, weights: Floats) -> Floats:
        """Entries count x weight with each row scaled to length 1."""
        from topline.systems.kernels.counts import unit_rows

        values: Floats = unit_rows(self.starts, self.terms, self.counts, weights)
        return values

    def row(self, row: int) -> dict[int, int]:
        """A row's counts by column."""
        part = slice(self.starts[row], self.starts[row + 1])
        return dict(zip(self.terms[part].tolist(), self.counts[part].tolist(), strict=True))


def count(table: TokenTable, rows: int, columns: int) -> Matrix:
    """Count the tokens of the first rows; negative ones are left out."""
    from topline.systems.kernels.counts import count_rows

    starts, terms, counts = count_rows(table.ids, table.starts, rows, columns)
    return Matrix(starts, terms, counts, columns)


def bigrams(table: TokenTable, rows: int, columns: int) -> Matrix:
    """Count pairs of neighbours, numbered in order of their first numbers; negative tokens are passed."""
    from topline.systems.kernels.counts import bigram_ids

    pairs = bigram_ids(table.ids, table.starts, rows, columns)
    distinct, numbers = np.unique(pairs, return_inverse=True)
    if len(distinct) and distinct[0] < 0:
        distinct, numbers = distinct[1:], numbers - 1
    return count(TokenTable(numbers.astype(np.int32), table.starts), rows, len(distinct))
