"""Every extract visited: the exact histogram."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from topline.spread.encode import Encoding, Ints, Tables, Words, words_left
from topline.spread.extracts import Frame
from topline.spread.grams import Gram
from topline.spread.journal import Journal, fingerprint
from topline.spread.runs import Runs, Work
from topline.spread.visiting import Visiting

LEAST = 2_000_000
"""Extracts that are worth a unit of their own."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of the work: the sets of these members, one of a run of children, and any before that."""

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
    visiting: dict[int, Visiting] = field(default_factory=dict)
    """What the kernel needs, by frame; not where the best reference counts."""

    @classmethod
    def of(cls, encoding: Encoding, frames: list[Frame], tables: Tables, *, pieces: int = 64) -> Enumeration:
        """Split the work into about so many units, or fewer if they were too small to be worth it."""
        runs = [Runs.of(encoding.lengths, frame) for frame in frames]
        levels, ranks = encoding.values[0], None
        if len(encoding.values) > 1:
            levels, ranks = _ranks(encoding)
        work = cls(encoding, tables, frames, runs, levels, ranks, [], np.zeros(len(levels), np.int64))
        ahead = [Work.of(encoding.lengths, *each) for each in zip(frames, runs, strict=True)]
        heavy = max(LEAST, sum(one.total for one in ahead) / pieces)
        for number, frame in enumerate(frames):
            work._split(number, (), frame.room, ahead[number], heavy)
        if ranks is None:
            for number in {unit.frame for unit in work.units}:
                work.visiting[number] = Visiting.of(encoding, frames[number], runs[number], tables)
        return work

    def _split(self, number: int, members: tuple[int, ...], room: int, work: Work, heavy: float) -> None:
        """Turn the sets that begin with `members` into units, heavy ones into more of them."""
        self.start += self._closed(number, members, room)
        runs, lengths = self.runs[number], self.encoding.lengths
        first, last = int(runs.starts[room]), members[-1] if members else self.frames[number].free
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
            self._split(number, (*members, child), left, work, heavy)
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
        first, last = 0, int(runs.closes[room])
        if not frame.chopped:
            first, last = int(runs.joins[room]), min(last, members[-1] if members else frame.free)
            if not members and room <= frame.slack:
                found[self.places(state[:, None])] += 1
        closers = [s for s in range(first, last) if s not in members]
        if closers:
            row = self.tables.prefix[room] if frame.chopped else self.tables.whole[0]
            np.add.at(found, self.places(state[:, None] & ~row[:, closers]), 1)
        return found

    def run(self, unit: Unit) -> Ints:
        """The counts of a unit."""
        room = self.frames[unit.frame].room - int(self.encoding.lengths[list(unit.members)].sum())
        state = self.state(self.frames[unit.frame], unit.members)
        if self.ranks is not None:
            return self._run_best(unit, room, state, self.ranks)
        return self.visiting[unit.frame].counts(unit.members, unit.first, unit.last, room, state)

    def _run_best(self, unit: Unit, room: int, state: Words, ranks: Ints) -> Ints:
        from topline.spread.kernels.best import visit_best

        frame, runs, tables = self.frames[unit.frame], self.runs[unit.frame], self.tables
        encoding = self.encoding
        counts = np.zeros(len(self.levels), np.int64)
        visit_best(
            np.array(unit.members, np.int64), unit.first, unit.last, encoding.lengths, room, runs.joins,
            runs.starts, runs.closes, frame.chopped, tables.prefix if frame.chopped else tables.whole,
            encoding.weights, encoding.groups, encoding.reach, ranks, state, tables.clear, tables.keep,
            tables.steps, counts,
        )  # fmt: skip
        return counts

    def hits(self, total: Ints) -> dict[int, int]:
        """How many extracts have each number of hits, from the counts by place."""
        hits: dict[int, int] = {}
        for place in np.flatnonzero(total).tolist():
            value = int(self.levels[place])
            hits[value] = hits.get(value, 0) + int(total[place])
        return dict(sorted(hits.items()))


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
