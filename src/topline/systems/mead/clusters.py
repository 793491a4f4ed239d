"""CIDR's open clusters: the arrays behind the kernels, how they grow, and which cluster closes next."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from topline.systems.kernels import cidr as kernels
from topline.systems.kernels.cidr import KINDS, LENGTH, SIZE, SMALLEST, START, Lists, Scratch, Weights
from topline.systems.matrix import Floats

if TYPE_CHECKING:
    from topline.systems.mead.cidr import CidrOptions

Number = TypeVar("Number", bound=np.generic)
CAPITALISED = 2.0
"""What a word counts that starts with a capital and goes on with a small letter."""


class Clusters:
    """Open clusters in rows; a row that a cluster leaves is used again."""

    def __init__(self, options: CidrOptions) -> None:
        self.options = options
        self.words = 0
        self._by = Weights(*(np.zeros(0) for _ in Weights._fields))
        self._word_lists, self._cluster_lists = _no_lists(), _no_lists()
        self._scratch = Scratch(np.zeros(0), _ints32(0), np.zeros(0), _ints32(0), np.zeros(0))
        self._squares = np.zeros(0)
        self._serial = np.zeros(0, np.int64)
        self._members = np.zeros(0, np.int64)
        self._rows = 0
        self._free_rows: list[int] = []
        self._idle: OrderedDict[int, int | None] = OrderedDict()
        """Rows by the time of their last document, with its day; kept only where clusters may close."""
        self._day: int | None = None
        """The day of the last document that had one: it counts for those without."""

    @property
    def open(self) -> int:
        """How many clusters are open."""
        return self._rows - len(self._free_rows)

    def add_word(self, idf: float) -> None:
        """One more word, with its IDF."""
        if self.words == len(self._by.idf):
            self._grow_words(max(1024, 2 * self.words))
        once = self.options.variant == "paper"
        word = self.words
        self._by.idf[word] = idf
        self._by.across[word] = idf if once else idf * idf
        self._by.along[word] = 1.0 if once else idf * idf
        self.words += 1

    def add(self, codes: NDArray[np.int64], serial: int, day: int | None) -> tuple[int, bool]:
        """Put a document's words into a cluster, or into a new one called `serial`; which, and if new."""
        options = self.options
        keys, weights = kernels.tally(codes, options.decay, CAPITALISED, self._scratch)
        if day is None:
            day = self._day
        self._day = day
        self._close_idle(day)
        number = kernels.keep_rule(
            keys, weights, len(keys), self._by.idf, options.keep_threshold, options.keep
        )
        nearest, similarity = kernels.nearest(
            keys, weights, number, self._by, self._word_lists, self._squares, self._serial, self._scratch
        )
        opened = nearest < 0 or similarity < options.threshold
        row = self._open(serial) if opened else int(nearest)
        self._join(row, keys, weights, number)
        if options.active or options.within:
            self._idle[row] = day
            self._idle.move_to_end(row)
        return int(self._serial[row]), bool(opened)

    def centroid(self, serial: int) -> list[tuple[int, float]]:
        """Words and weights of an open cluster, heaviest first."""
        rows = np.flatnonzero((self._serial[: self._rows] == serial) & (self._members[: self._rows] > 0))
        if not len(rows):
            return []
        start, length = self._cluster_lists.table[rows[0], START], self._cluster_lists.table[rows[0], LENGTH]
        part = slice(start, start + length)
        return list(
            zip(
                self._cluster_lists.keys[part].tolist(),
                self._cluster_lists.weights[part].tolist(),
                strict=True,
            )
        )

    def keep_words(self) -> NDArray[np.int64]:
        """Forget words that no open cluster holds; returns the old numbers of the others, in order."""
        table = self._word_lists.table
        kept = np.flatnonzero(table[: self.words, LENGTH] > 0)
        for word in np.flatnonzero(table[: self.words, LENGTH] == 0):
            kernels.release(self._word_lists, table[word, START], table[word, SIZE])
        renumbered = np.full(self.words, -1, np.int32)
        renumbered[kept] = np.arange(len(kept))
        keys = self._cluster_lists.keys
        for row in range(self._rows):
            start, length = self._cluster_lists.table[row, START], self._cluster_lists.table[row, LENGTH]
            keys[start : start + length] = renumbered[keys[start : start + length]]
        self._by = Weights(*(values[kept].copy() for values in self._by))
        self._word_lists = self._word_lists._replace(table=table[kept].copy())
        self.words = len(kept)
        self._scratch = self._scratch._replace(mean=np.zeros(len(kept)))
        return kept

    def _open(self, serial: int) -> int:
        """A row for a new cluster."""
        if self.options.active and self.open >= self.options.active:
            self._close(next(iter(self._idle)))
        if self._free_rows:
            row = self._free_rows.pop()
        else:
            row = self._rows
            self._rows += 1
            if row == len(self._squares):
                self._grow_rows(max(1024, 2 * row))
        self._serial[row], self._members[row], self._squares[row] = serial, 0, 0.0
        return row

    def _join(self, row: int, keys: NDArray[np.int32], weights: Floats, number: int) -> None:
        options = self.options
        union = int(self._cluster_lists.table[row, LENGTH]) + number
        self._word_lists = _with_room(self._word_lists, kernels.index_growth(keys, number, self._word_lists))
        # a list of n entries may take blocks of up to 2n, and leave smaller ones behind while it grows
        self._cluster_lists = _with_room(self._cluster_lists, 4 * union + 2 * SMALLEST)
        if union > len(self._scratch.merged):
            self._scratch = self._scratch._replace(merged=_ints32(2 * union), mixed=np.zeros(2 * union))
        self._squares[row] = kernels.join(
            row,
            int(self._members[row]),
            keys,
            weights,
            number,
            self._by,
            options.keep_threshold,
            options.keep,
            self._word_lists,
            self._cluster_lists,
            self._scratch,
        )
        self._members[row] += 1

    def _close_idle(self, day: int | None) -> None:
        """Close the clusters whose last document is too many days old."""
        if not self.options.within or day is None:
            return
        while self._idle:
            row, last = next(iter(self._idle.items()))
            if last is None:  # from before the first date there was
                self._idle[row] = last = day
            if day - last <= self.options.within:
                break
            self._close(row)

    def _close(self, row: int) -> None:
        kernels.retire(row, self._word_lists, self._cluster_lists)
        self._members[row] = 0
        self._squares[row] = 0.0
        self._free_rows.append(row)
        del self._idle[row]

    def _grow_words(self, size: int) -> None:
        self._by = Weights(*(_grown(values, size) for values in self._by))
        self._word_lists = self._word_lists._replace(table=_grown_table(self._word_lists.table, size))
        self._scratch = self._scratch._replace(mean=np.zeros(size))

    def _grow_rows(self, size: int) -> None:
        self._squares, self._serial = _grown(self._squares, size), _grown(self._serial, size)
        self._members = _grown(self._members, size)
        self._cluster_lists = self._cluster_lists._replace(
            table=_grown_table(self._cluster_lists.table, size)
        )
        self._scratch = self._scratch._replace(sums=np.zeros(size), touched=_ints32(size))


def _ints32(size: int) -> NDArray[np.int32]:
    return np.zeros(size, np.int32)


def _no_lists() -> Lists:
    free = np.full(KINDS + 1, -1, np.int64)
    free[-1] = 0
    return Lists(np.zeros((0, 3), np.int64), _ints32(0), np.zeros(0), _ints32(0), np.zeros(0, np.int64), free)


def _with_room(lists: Lists, more: int) -> Lists:
    """The same lists, with so many places free at the pool's end."""
    needed = int(lists.free[-1]) + more
    if needed <= len(lists.keys):
        return lists
    size = max(needed, 2 * len(lists.keys), 4096)
    return lists._replace(
        keys=_grown(lists.keys, size),
        weights=_grown(lists.weights, size),
        twins=_grown(lists.twins, size),
        links=_grown(lists.links, size),
    )


def _grown(array: NDArray[Number], size: int) -> NDArray[Number]:
    larger = np.zeros(size, array.dtype)
    larger[: len(array)] = array
    return larger


def _grown_table(table: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    larger = np.zeros((size, 3), np.int64)
    larger[:, START] = -1
    larger[: len(table)] = table
    return larger
