"""Every extract visited: the exact histogram."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topline.spread.encode import Encoding, Ints, Tables, Words
from topline.spread.extracts import Frame


_MANY = 1 << 14
"""Indices beyond which rows of bins would take too much memory (sums of metrics)."""


@dataclass(frozen=True, slots=True)
class Runs:
    """For every room: which positions may join a set, and which close an extract (see the kernel)."""

    joins: Ints
    joins_end: Ints
    closes: Ints

    @classmethod
    def of(cls, lengths: Ints, frame: Frame) -> Runs:
        """The runs of a frame: `lengths` fall, so every run is an interval of positions."""
        free = lengths[: frame.free]
        rooms = np.arange(frame.room + 1)

        def at_least(length: Ints) -> Ints:
            found: Ints = np.searchsorted(-free, -length, side="right")
            return found

        behind = np.cumsum(free[::-1])[::-1]
        longest = int(free.max(initial=0))
        if frame.chopped:
            joins, closes, reach = at_least(rooms), at_least(rooms), longest
        else:
            joins, closes, reach = at_least(rooms + 1), at_least(rooms - frame.slack), frame.slack
        joins_end = np.searchsorted(-behind, -(rooms - reach), side="right")
        return cls(joins, joins_end, closes)


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of the work: the sets that begin with these members and one of a run of children."""

    frame: int
    members: tuple[int, ...]
    first: int
    last: int


@dataclass(slots=True)
class Enumeration:
    """The work of visiting every extract of an encoded document, in units that can be done in any order."""

    encoding: Encoding
    tables: Tables
    frames: list[Frame]
    runs: list[Runs]
    units: list[Unit]
    start: Ints
    """The histogram of the extracts that no unit visits."""

    @classmethod
    def of(cls, encoding: Encoding, frames: list[Frame], *, pieces: int = 64) -> Enumeration:
        """Split the work into at least so many units, if it is large enough to be split."""
        chopped = frames[0].chopped
        tables = Tables.of(encoding, chopped=chopped)
        runs = [Runs.of(encoding.lengths, frame) for frame in frames]
        work = cls(encoding, tables, frames, runs, [], np.zeros(encoding.reach[0] + 1, np.int64))
        for number, frame in enumerate(frames):
            work._split(number, (), frame.room, Work.of(encoding.lengths, frame, runs[number]), pieces)
        return work

    def _split(self, number: int, members: tuple[int, ...], room: int, work: Work, pieces: int) -> None:
        """Turn the sets that begin with `members` into units, heavy ones into more of them."""
        self.start += self._closed(number, members, room)
        runs, lengths = self.runs[number], self.encoding.lengths
        first = max(members[-1] + 1 if members else 0, int(runs.joins[room]))
        last = int(runs.joins_end[room])
        heavy = work.total / pieces
        light = first
        for child in range(first, last):
            left = room - int(lengths[child])
            if work.below(child, left) <= heavy:
                continue
            if light < child:
                self.units.append(Unit(number, members, light, child))
            self._split(number, (*members, child), left, work, pieces)
            light = child + 1
        if light < last:
            self.units.append(Unit(number, members, light, last))

    def state(self, frame: Frame, members: tuple[int, ...]) -> Words:
        """The demand that is left open by the forced sentences and these members."""
        from topline.spread.kernels.bits import move_on

        now = np.append(self.encoding.state, np.uint64(0))
        forced = range(frame.forced, self.encoding.size)
        for s in (*forced, *members):
            move_on(now, self.tables.clear, self.tables.keep, s)
        return now[:-1]

    def index(self, state: Words) -> int:
        """The index of a state."""
        open_ = int((self.encoding.weights * np.bitwise_count(state)).sum())
        return int(self.encoding.reach[0]) - open_

    def _closed(self, number: int, members: tuple[int, ...], room: int) -> Ints:
        """The histogram of the extracts that one sentence, or none, makes of just these members."""
        frame, runs = self.frames[number], self.runs[number]
        state = self.state(frame, members)
        found = np.zeros_like(self.start)
        begin = 0
        if not frame.chopped:
            begin = max(members[-1] + 1 if members else 0, int(runs.joins[room]))
            if not members and room <= frame.slack:
                found[self.index(state)] += 1
        closers = [s for s in range(begin, int(runs.closes[room])) if s not in members]
        row = self.tables.prefix[room] if frame.chopped and closers else self.tables.whole[0]
        gains = (self.encoding.weights[:, None] * np.bitwise_count(row[:, closers] & state[:, None])).sum(0)
        np.add.at(found, self.index(state) + gains.astype(np.int64), 1)
        return found

    def run(self, unit: Unit) -> Ints:
        """The histogram of a unit."""
        from topline.spread.kernels.enumeration import BINS, visit

        frame, runs, tables = self.frames[unit.frame], self.runs[unit.frame], self.tables
        encoding = self.encoding
        used = int(encoding.lengths[list(unit.members)].sum())
        state = self.state(frame, unit.members)
        table = tables.prefix if frame.chopped else tables.whole
        forms = self._forms(table, frame)
        if frame.chopped:
            eligible = np.ones((1, table.shape[2]), np.uint64)
        else:
            eligible = (np.arange(table.shape[2]) < runs.closes[:, None]).astype(np.uint64)
        rows = np.zeros((len(self.start) if forms.max() >= 0 else 0, BINS), np.int64)
        totals = np.zeros(len(self.start), np.int64)
        always = min(int(np.quantile(tables.steps, 0.7)), tables.clear.shape[0])
        visit(
            np.array(unit.members, np.int64), unit.first, unit.last, encoding.lengths, frame.room - used,
            runs.joins, runs.joins_end, runs.closes, frame.chopped, table, eligible, forms,
            encoding.weights.astype(np.uint32), state, tables.clear, tables.keep, tables.steps, always,
            int(encoding.reach[0]), rows, totals,
        )  # fmt: skip
        found = np.append(totals, np.zeros(BINS, np.int64))
        if len(rows):
            found[: len(totals)] -= rows[:, 1:].sum(1)
            for z in range(1, BINS):
                found[z : z + len(rows)] += rows[:, z]
        return found[: len(totals)]

    def _forms(self, table: Words, frame: Frame) -> Ints:
        """The inner loop for each room: by the largest gain of a prefix of that size."""
        from topline.spread.kernels.enumeration import CHUNK
        from topline.spread.kernels.lanes import BINS, form

        weights = self.encoding.weights
        most = (weights[:, None] * np.bitwise_count(table)).sum(1).max(1)
        by_room = np.resize(most, frame.room + 1) if frame.chopped else np.full(frame.room + 1, most[0])
        if self.encoding.size > CHUNK or len(self.start) > _MANY:
            return np.full(frame.room + 1, -1)
        unit = bool((weights == 1).all())
        return np.array([form(len(weights), unit, int(m)) if m < BINS else -1 for m in by_room])


@dataclass(frozen=True, slots=True)
class Work:
    """How many extracts the sets beginning in some way make, in floats: to split the work evenly."""

    ahead: NDArray[np.float64]
    """`ahead[t, r]`: the extracts of the sets that add any of the positions from `t` on to room `r`."""

    @classmethod
    def of(cls, lengths: Ints, frame: Frame, runs: Runs) -> Work:
        """Count from the shortest sentence on."""
        ahead = np.zeros((frame.free + 1, frame.room + 1))
        first = 0 if frame.chopped else runs.joins
        ahead[frame.free] = np.maximum(runs.closes - first, 0) + 1.0
        for t in range(frame.free - 1, -1, -1):
            ahead[t] = ahead[t + 1]
            if lengths[t] <= frame.room:
                ahead[t, lengths[t] :] += ahead[t + 1, : frame.room + 1 - lengths[t]]
        return cls(ahead)

    @property
    def total(self) -> float:
        """All of it."""
        return float(self.ahead[0, -1])

    def below(self, child: int, left: int) -> float:
        """The extracts of the sets whose last member so far is `child`, with so much room left."""
        return float(self.ahead[child + 1, left])


def threaded(run: Callable[[Unit], Ints], units: list[Unit], jobs: int) -> Iterator[tuple[Unit, Ints]]:
    """The units' histograms in the units' order, whatever the number of threads."""
    if jobs == 1:
        yield from ((unit, run(unit)) for unit in units)
        return
    with ThreadPoolExecutor(jobs) as pool:
        yield from zip(units, pool.map(run, units), strict=True)


def histogram(encoding: Encoding, frames: list[Frame], *, jobs: int = 1) -> Ints:
    """How many extracts have each index."""
    work = Enumeration.of(encoding, frames)
    total = work.start.copy()
    for _, part in threaded(work.run, work.units, jobs):
        total += part
    return total
