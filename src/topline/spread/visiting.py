"""A frame's arrays in the shape that the vectors of the enumeration want, and a run over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topline.spread.alone import Alone
from topline.spread.encode import LANES, Encoding, Ints, Tables, Words
from topline.spread.extracts import Frame
from topline.spread.moves import moves
from topline.spread.runs import Runs

Bits = NDArray[np.unsignedinteger[Any]]
_USUAL = 0.8
"""The share of prefixes whose gains the chosen bins are sure to hold; others may be counted one by one."""
_ROWS = 1 << 14
"""Indices that have fields of their own; a sum of metrics has more, most of which are hardly met."""


@dataclass(frozen=True, slots=True)
class Visiting:
    """What every unit of a frame shares; see the kernel."""

    encoding: Encoding
    frame: Frame
    runs: Runs
    alone: Alone
    table: Words
    extra: Words
    """What each prefix gains whatever the set, of n-grams that never compete."""
    taken: Words
    """The same for each sentence as a whole."""
    clear: Words
    keep: Words
    amounts: Words
    """How far each step moves."""
    others: Bits
    eligible: Bits
    forms: Ints
    rows: int
    """Indices that have fields."""
    deepest: int
    """The most members a set can have."""

    @classmethod
    def of(cls, encoding: Encoding, frame: Frame, runs: Runs, tables: Tables) -> Visiting:
        """Pack what the kernel asks bit by bit, and choose its forms."""
        from topline.spread.kernels.lanes import GROUP

        span = LANES * GROUP
        padded = max(1, -(-encoding.size // span)) * span
        alone = Alone.of(encoding)
        given = _by_sentence(tables.prefix if frame.chopped else tables.whole, encoding.size, padded)
        table = alone.staying(given).transpose(0, 2, 1)
        extra = alone.leaving(given)
        clear, keep, amounts = moves(alone.encoding)
        taken = alone.leaving(_by_sentence(tables.whole, encoding.size, clear.shape[2])[0])
        position = np.arange(padded)
        others = position != position[:, None] if frame.chopped else position < position[:, None]
        eligible = position < runs.closes[:, None]
        if not frame.chopped:
            eligible &= position >= runs.joins[:, None]
        rows = min(int(encoding.reach[0]) + 1, _ROWS)
        return cls(
            encoding,
            frame,
            runs,
            alone,
            aligned(table),
            aligned(extra.astype(np.uint64)),
            taken.astype(np.uint64),
            aligned(clear),
            aligned(keep),
            amounts,
            _packed(others),
            _packed(eligible),
            _forms(table, extra, alone.encoding.weights, frame, all_held=rows > encoding.reach[0]),
            rows,
            int(np.searchsorted(np.cumsum(encoding.lengths[::-1]), frame.room, side="right")),
        )

    def counts(self, members: Sequence[int], first: int, last: int, room: int, state: Words) -> Ints:
        """The extracts by index whose set is these members, one from `first` to `last`, and any before it."""
        from topline.spread.kernels.enumeration import visit
        from topline.spread.kernels.lanes import FEW, MANY

        encoding, runs, padded = self.encoding, self.runs, self.table.shape[2]
        reduced = self.alone.encoding
        states = aligned(np.zeros((self.deepest + 2, reduced.width + 1, self.clear.shape[2]), np.uint64))
        states[0, : reduced.width, 0] = self.alone.staying(state)
        top = int(encoding.reach[0]) - int(self.alone.leaving(state))
        outside = np.arange(padded) < encoding.size
        outside[list(members)] = False
        alive = np.zeros((self.deepest + 2, self.others.shape[1]), self.others.dtype)
        alive[0] = _packed(outside)
        few, many = (aligned(np.zeros((self.rows, vectors, LANES), np.uint64)) for vectors in (FEW, MANY))
        totals = np.zeros(int(encoding.reach[0]) + 1, np.int64)
        visit(
            first, last, room, encoding.lengths, runs.starts, runs.closes, self.table, self.extra,
            self.table[0].size if self.frame.chopped else 0, padded if self.frame.chopped else 0, self.forms,
            reduced.weights.astype(np.uint32), self.clear, self.keep, self.amounts, self.taken, top,
            self.others, self.eligible, alive, states, few, many, totals,
        )  # fmt: skip
        return totals


def _by_sentence(table: Words, size: int, padded: int) -> Words:
    """A table with the words of a sentence behind one another, padded with sentences of nothing."""
    found = np.zeros((table.shape[0], padded, table.shape[1]), np.uint64)
    found[:, :size] = table[:, :, :size].transpose(0, 2, 1)
    return found


def _packed(bits: NDArray[np.bool_]) -> Bits:
    from topline.spread.kernels.lanes import GROUP

    packed = np.packbits(bits, axis=-1, bitorder="little")
    return packed.view(np.dtype(f"<u{GROUP}")).astype(f"u{GROUP}")


def aligned(words: Words) -> Words:
    """The same words where vectors of eight do not cross cache lines."""
    line = 8 * LANES
    room = np.empty(words.size + LANES, np.uint64)
    first = -room.ctypes.data % line // 8
    found = room[first : first + prod(words.shape)].reshape(words.shape)
    found[:] = words
    return found


def _forms(table: Words, extra: Ints, weights: Ints, frame: Frame, *, all_held: bool) -> Ints:
    """The inner loop for the children of a set with each room: by the gains of smaller prefixes."""
    from topline.spread.kernels.lanes import SIZES, form

    gains = (weights[:, None] * np.bitwise_count(table)).sum(1) + extra
    most = gains.max(1)
    # a few larger gains may be counted one by one
    usual = np.maximum(np.minimum(most, SIZES[0]), np.quantile(gains, _USUAL, axis=1))
    if not all_held:
        usual = np.maximum(usual, SIZES[0])
    by_room = np.full(frame.room + 1, usual[-1])
    if frame.chopped:
        by_room[: len(usual)] = usual[: len(by_room)]
    unit = bool((weights == 1).all())
    return np.array([form(len(weights), unit, int(m)) for m in np.maximum.accumulate(by_room)])
