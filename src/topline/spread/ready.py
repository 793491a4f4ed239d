"""A document (or a section) ready to be measured, and its exact distribution where that can be had.

Small documents are enumerated; larger ones are counted without visiting, if merging pays; if it does not but
there is time, enumerated all the same.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from topline.errors import SearchLimit
from topline.spread import extracts
from topline.spread.distribution import Distribution, exactly
from topline.spread.encode import Encoding, Tables
from topline.spread.exhaustive import enumerate_all
from topline.spread.extracts import Frame
from topline.spread.frontier import MOST, Frontier
from topline.spread.journal import Journal, fingerprint
from topline.spread.settings import Settings

AT_ONCE = 100_000_000
"""Extracts that are enumerated without trying to count them."""
TOGETHER = 1_000_000_000
"""Extracts up to which an enumeration is one piece of work."""
_PIECE = 5_000_000_000
"""Extracts in a unit of work of a long enumeration: what an interruption costs."""


@dataclass(slots=True)
class Document:
    """A document (or a section) ready to be measured."""

    encoding: Encoding
    frames: list[Frame]
    extracts: int
    settings: Settings
    _tables: Tables | None = None

    @classmethod
    def of(cls, encoding: Encoding, settings: Settings) -> Document:
        """Find the extracts' families and count them."""
        lengths = encoding.lengths.tolist()
        frames = extracts.frames(lengths, encoding.budget, settings.extracts)
        return cls(encoding, frames, extracts.count(lengths, frames), settings)

    @property
    def tables(self) -> Tables:
        """The arrays of the kernels, made when first needed."""
        if self._tables is None:
            self._tables = Tables.of(self.encoding, chopped=self.frames[0].chopped)
        return self._tables

    def exact(self, journal: Journal) -> tuple[Distribution, str] | None:
        """The exact distribution, if the settings and the time allow it."""
        method, best = self.settings.method, len(self.encoding.demands) > 1
        work = self.settings.work
        visiting = self.extracts * max(2, self.encoding.width) // 4 * (16 if best else 1)
        if method == "enumerate" or (method == "auto" and visiting <= min(AT_ONCE, work)):
            return self._enumerated(journal), "enumerated"
        if method == "count" or (method == "auto" and not best):
            counted = self._counted(min(visiting, work // 3) if method == "auto" else 2**62, journal)
            if counted is not None:
                return counted, "counted"
            if method == "count":
                raise SearchLimit(
                    "there are too many states to count these extracts without visiting them",
                    hint="--method auto samples what it cannot count",
                )
        if method == "auto" and visiting <= work * 2 // 3:
            return self._enumerated(journal), "enumerated"
        return None

    def _enumerated(self, journal: Journal) -> Distribution:
        pieces = max(64, self.extracts // _PIECE)
        elsewhere = self.extracts > TOGETHER
        counts = enumerate_all(
            self.encoding, self.frames, self.tables, jobs=self.settings.jobs, pieces=pieces, journal=journal,
            elsewhere=elsewhere,
        )  # fmt: skip
        return exactly(counts, self.encoding.total)

    def _counted(self, work: int, journal: Journal) -> Distribution | None:
        if self.extracts > MOST:
            return None
        name = f"{fingerprint(self.encoding, self.frames)}/counted/{work}" if journal.kept else ""
        counts = journal.once(name, lambda: self._merged(work))
        return exactly(counts, self.encoding.total) if counts else None

    def _merged(self, work: int) -> dict[int, int]:
        """How many extracts have each number of hits, by merging; nothing if that is too much work."""
        counts: Counter[int] = Counter()
        values = self.encoding.values[0]
        for frame in self.frames:
            found = Frontier.of(self.encoding, frame, self.extracts).count(work)
            if found is None:
                return {}
            for index, number in found.items():
                counts[int(values[index])] += number
        return counts
