"""TsSum: topic signatures (Lin & Hovy 2000) as a summariser (Conroy, Schlesinger & O'Leary 2006).

A term belongs to the topic's signature if it is more frequent here than in the background and Dunning's
log-likelihood ratio -2 log lambda is above `cutoff` (10.83: p < 0.001). A sentence is worth the share of
its distinct content words that belong to the signature, as in the repository of Hong et al. 2014.
The background is a table of `topline idf`. Without one, the topic is held against a flat background, in
which each of its words is as frequent as any other: signatures are then merely its frequent words.
Left out: Conroy's "oracle" probabilities and position model; the weights of signature terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from topline.errors import OptionError, Where
from topline.systems.matrix import Floats, Ints
from topline.systems.prepared import Prepared
from topline.systems.system import Ranker, check


@dataclass(frozen=True)
class TsSum(Ranker):
    """The share of signature terms."""

    name: ClassVar[str] = "tssum"
    paper: ClassVar[str] = "Lin & Hovy 2000; Conroy, Schlesinger & O'Leary 2006"

    redundancy: float = 0.5
    cutoff: float = 10.83

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self.name, "cutoff", self.cutoff, 0.0, 1e9)

    def scores(self, topic: Prepared) -> Floats:
        """The share of each sentence's distinct terms that are in the signature."""
        terms = topic.terms
        inside = (signature_ratios(topic) > self.cutoff).astype(np.float64)
        held = np.bincount(
            np.repeat(np.arange(terms.rows), np.diff(terms.starts)), inside[terms.terms], terms.rows
        )
        return held / np.maximum(np.diff(terms.starts), 1)


def signature_ratios(topic: Prepared) -> Floats:
    """-2 log lambda of each term against the background; 0 where it is not more frequent here."""
    here = topic.terms.totals()
    there, background_tokens = _background_counts(topic)
    return log_likelihood(here, int(here.sum()), there, background_tokens)


def log_likelihood(here: Ints, here_total: int, there: Floats, there_total: float) -> Floats:
    """Dunning's -2 log lambda for counts in two samples; 0 where the first rate is not the higher one."""
    totals = max(here_total, 1), max(there_total, 1.0)
    rate_here, rate_there = here / totals[0], there / totals[1]
    pooled = (here + there) / (totals[0] + totals[1])

    def fit(count: Floats | Ints, total: float, rate: Floats) -> Floats:
        hits = np.where(count > 0, count * np.log(np.where(rate > 0, rate, 1.0)), 0.0)
        misses = total - count
        return hits + np.where(misses > 0, misses * np.log1p(-np.where(rate < 1, rate, 0.0)), 0.0)

    together = fit(here, totals[0], pooled) + fit(there, totals[1], pooled)
    apart = fit(here, totals[0], rate_here) + fit(there, totals[1], rate_there)
    return np.where(rate_here > rate_there, 2.0 * (apart - together), 0.0)


def _background_counts(topic: Prepared) -> tuple[Floats, float]:
    """How often each term occurs in the background, and how many words that has."""
    background, terms = topic.background, topic.columns[1]
    if not background.documents:
        total = float(topic.terms.totals().sum())
        return np.full(terms, total / max(terms, 1)), total
    if not background.counts:
        raise OptionError(
            "the background table has no counts, only IDF",
            where=Where(file=background.name),
            hint="topic signatures need a table of topline idf",
        )
    there = np.zeros(terms)
    for name, stem in zip(topic.names, topic.stems.tolist(), strict=True):
        if stem >= 0:
            there[stem] += background.counts.get(name, 0)
    return there, float(background.tokens)
