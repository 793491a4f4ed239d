"""Bootstrap averages of systems' scores: systems with as many evaluations share one round of draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from topline.errors import MetricError
from topline.rouge.bootstrap import Floats, Interval, intervals_of, resampled_sums
from topline.rouge.perl.flags import Flags

Averages = tuple[Interval, Interval, Interval]
"""Recall, precision, F."""


@dataclass(frozen=True, slots=True)
class Averager:
    """Averages as the flags ask for them."""

    flags: Flags

    def of(self, tables: Sequence[Floats]) -> list[Averages | None]:
        """Averages of each table, a row an evaluation; None where sums are printed as they are."""
        if self.flags.counting == 2 or not tables:
            return [None] * len(tables)
        wanted = self.flags.resamples
        if wanted <= 0:
            raise MetricError("an average over no resamples is undefined", hint="-r takes 1 or more")
        averages: list[Averages | None] = [None] * len(tables)
        for size in {len(table) for table in tables}:
            alike = [i for i, table in enumerate(tables) if len(table) == size]
            sums = resampled_sums(np.hstack([tables[i] for i in alike]), math.ceil(wanted))
            samples = self._from_counts(sums) if self.flags.counting else sums / max(1, size)
            found = intervals_of(samples, self.flags.confidence, wanted)
            for i, triple in zip(alike, zip(found[::3], found[1::3], found[2::3], strict=True), strict=True):
                averages[i] = triple
        return averages

    def _from_counts(self, sums: Floats) -> Floats:
        """Recall, precision and F of summed model, peer and hit counts, three columns a table."""
        models, peers, hits = (sums[:, column::3] for column in range(3))
        recall, precision = _quotient(hits, models), _quotient(hits, peers)
        weighted = (1 - self.flags.alpha) * precision + self.flags.alpha * recall
        triples = np.stack([recall, precision, _quotient(recall * precision, weighted)], axis=2)
        return triples.reshape(len(sums), -1)


def _quotient(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
