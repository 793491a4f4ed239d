"""Every extract visited: the exact histogram."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topline.spread.encode import Encoding, Ints, Tables, Words, words_left
from topline.spread.extracts import Frame
from topline.spread.grams import Gram
from topline.spread.journal import Journal, fingerprint

_OFTEN = 0.7
"""The share of sentences whose steps are all among those made for every sentence."""
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
    """The work of visiting every extract of an encoded document, in units that can be done in any order.

    Extracts are counted by *place*: the index, or where the best reference counts the rank of its hits.
    """

    encoding: Encoding
    tables: Tables
    frames: list[Frame]
    runs: list[Runs]
    levels: Ints
    """The hits of every place."""
    ranks: Ints | None
    """Where the best reference counts: `ranks[g, index]`, the place of a demand's index."""
    units: list[Unit]
    start: Ints
    """The counts of the extracts that no unit visits."""

    @classmethod
    def of(cls, encoding: Encoding, frames: list[Frame], tables: Tables, *, pieces: int = 64) -> Enumeration:
        """Split the work into about so many units, if it is large enough to be split."""
        runs = [Runs.of(encoding.lengths, frame) for frame in frames]
        levels, ranks = encoding.values[0], None
        if len(encoding.values) > 1:
            levels, ranks = _ranks(encoding)
        work = cls(encoding, tables, frames, runs, levels, ranks, [], np.zeros(len(levels), np.int64))
        for number, frame in enumerate(frames):
            ahead = Work.of(encoding.lengths, frame, runs[number])
            work._split(number, (), frame.room, ahead, 1 if ranks is not None else pieces)
        return work

    def _split(self, number: int, members: tuple[int, ...], room: int, work: Work, pieces: int) -> None:
        """Turn the sets that begin with `members` into units, heavy ones into more of them."""
        self.start += self._closed(number, members, room)
        runs, lengths = self.runs[number], self.encoding.lengths
        first = max(members[-1] + 1 if members else 0, int(runs.joins[room]))
        last = int(runs.joins_end[room])
        heavy = work.total / pieces
        light, held = first, 0.0
        for child in range(first, last):
            left = room - int(lengths[child])
            below = work.below(child, left)
            if below <= heavy:
                if held + below > heavy:
                    self.units.append(Unit(number, members, light, child))
                    light, held = child, 0.0
                held += below
                continue
            if light < child:
                self.units.append(Unit(number, members, light, child))
            self._split(number, (*members, child), left, work, pieces)
            light, held = child + 1, 0.0
        if light < last:
            self.units.append(Unit(number, members, light, last))

    def state(self, frame: Frame, members: tuple[int, ...]) -> Words:
        """The demand that is left open by the forced sentences and these members."""
        given: Counter[Gram] = Counter()
        for s in (*range(frame.forced, self.encoding.size), *members):
            given.update(self.encoding.sentences[s].whole)
        return words_left(self.encoding, given)

    def places(self, open_: Words) -> Ints:
        """The places of states, a column each."""
        encoding = self.encoding
        lost = encoding.weights[:, None] * np.bitwise_count(open_)
        index = [reach - lost[encoding.groups == g].sum(0) for g, reach in enumerate(encoding.reach)]
        if self.ranks is None:
            alone: Ints = index[0].astype(np.int64)
            return alone
        best: Ints = np.max([self.ranks[g, at.astype(np.int64)] for g, at in enumerate(index)], axis=0)
        return best

    def _closed(self, number: int, members: tuple[int, ...], room: int) -> Ints:
        """The counts of the extracts that one sentence, or none, makes of just these members."""
        frame, runs = self.frames[number], self.runs[number]
        state = self.state(frame, members)
        found = np.zeros_like(self.start)
        begin = 0
        if not frame.chopped:
            begin = max(members[-1] + 1 if members else 0, int(runs.joins[room]))
            if not members and room <= frame.slack:
                found[self.places(state[:, None])] += 1
        closers = [s for s in range(begin, int(runs.closes[room])) if s not in members]
        if closers:
            row = self.tables.prefix[room] if frame.chopped else self.tables.whole[0]
            np.add.at(found, self.places(state[:, None] & ~row[:, closers]), 1)
        return found

    def run(self, unit: Unit) -> Ints:
        """The counts of a unit."""
        return self._run(unit) if self.ranks is None else self._run_best(unit, self.ranks)

    def _run_best(self, unit: Unit, ranks: Ints) -> Ints:
        from topline.spread.kernels.best import visit_best

        frame, runs, tables = self.frames[unit.frame], self.runs[unit.frame], self.tables
        encoding, state = self.encoding, self.state(self.frames[unit.frame], ())
        counts = np.zeros(len(self.levels), np.int64)
        visit_best(
            unit.first, unit.last, encoding.lengths, frame.room, runs.joins, runs.joins_end, runs.closes,
            frame.chopped, tables.prefix if frame.chopped else tables.whole, encoding.weights,
            encoding.groups, encoding.reach, ranks, state, tables.clear, tables.keep, tables.steps, counts,
        )  # fmt: skip
        return counts

    def _run(self, unit: Unit) -> Ints:
        from topline.spread.kernels.enumeration import visit
        from topline.spread.kernels.lanes import SIZES

        frame, runs, tables = self.frames[unit.frame], self.runs[unit.frame], self.tables
        encoding = self.encoding
        used = int(encoding.lengths[list(unit.members)].sum())
        table = tables.prefix if frame.chopped else tables.whole
        forms = self._forms(table, frame)
        if frame.chopped:
            eligible = np.ones((1, table.shape[2]), np.uint64)
        else:
            eligible = (np.arange(table.shape[2]) < runs.closes[:, None]).astype(np.uint64)
        columns = SIZES[max(forms.max(), 0) % len(SIZES)]
        rows = np.zeros((len(self.start) if forms.max() >= 0 else 0, columns), np.int64)
        totals = np.zeros(len(self.start), np.int64)
        always = min(int(np.quantile(tables.steps, _OFTEN)), tables.clear.shape[0])
        visit(
            np.array(unit.members, np.int64), unit.first, unit.last, encoding.lengths, frame.room - used,
            runs.joins, runs.joins_end, runs.closes, frame.chopped, table, eligible, forms,
            encoding.weights.astype(np.uint32), self.state(frame, unit.members), tables.clear, tables.keep,
            tables.steps, always, int(encoding.reach[0]), rows, totals,
        )  # fmt: skip
        found = np.append(totals, np.zeros(columns, np.int64))
        if len(rows):
            found[: len(totals)] -= rows[:, 1:].sum(1)
            for z in range(1, columns):
                found[z : z + len(rows)] += rows[:, z]
        return found[: len(totals)]

    def hits(self, total: Ints) -> dict[int, int]:
        """How many extracts have each number of hits, from the counts by place."""
        hits: dict[int, int] = {}
        for place in np.flatnonzero(total).tolist():
            value = int(self.levels[place])
            hits[value] = hits.get(value, 0) + int(total[place])
        return dict(sorted(hits.items()))

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


class TooMuch(Exception):
    """An enumeration whose units shall be done elsewhere; raised in place of doing them."""

    def __init__(self, name: str, work: Enumeration) -> None:
        super().__init__(name)
        self.name, self.work = name, work


def _done_elsewhere(name: str, work: Enumeration, journal: Journal) -> Ints:
    found = None if journal.elsewhere is None else journal.elsewhere.get(name)
    if found is None:
        raise TooMuch(name, work)
    return found


def _ranks(encoding: Encoding) -> tuple[Ints, Ints]:
    """All hits that any demand can come to, and the place among them of each demand's indices."""
    levels = np.unique(np.concatenate(encoding.values))
    ranks = np.zeros((len(encoding.values), max(map(len, encoding.values))), np.int64)
    for g, values in enumerate(encoding.values):
        ranks[g, : len(values)] = np.searchsorted(levels, values)
    return levels, ranks


def enumerate_all(
    encoding: Encoding,
    frames: list[Frame],
    tables: Tables,
    *,
    jobs: int = 1,
    pieces: int = 64,
    journal: Journal | None = None,
    elsewhere: bool = False,
) -> dict[int, int]:
    """How many extracts have each number of hits, visiting every one (`elsewhere`: not here, if possible)."""
    work = Enumeration.of(encoding, frames, tables, pieces=pieces)
    journal = journal or Journal()
    together = not elsewhere or journal.elsewhere is None or len(work.units) < 2
    name = "" if together and not journal.kept else fingerprint(encoding, frames)
    if not together:
        return work.hits(_done_elsewhere(name, work, journal))
    total = work.start.copy()

    def counts(unit: Unit) -> Ints:
        piece = f"{name}/{unit.frame}/{'.'.join(map(str, unit.members))}/{unit.first}-{unit.last}"
        found = journal.get(piece)
        if found is not None:
            part = np.zeros_like(total)
            part[list(found)] = list(found.values())
            return part
        part = work.run(unit)
        journal.put(piece, {int(place): int(part[place]) for place in np.flatnonzero(part)})
        return part

    with ThreadPoolExecutor(jobs) as pool:
        for part in pool.map(counts, work.units) if jobs > 1 else map(counts, work.units):
            total += part
    return work.hits(total)
