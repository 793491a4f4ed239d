"""ROUGE-W's counts with a whole weight, as the script prints them: integers beyond what a double holds."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from topline.rouge.counts import Counts, Ints
from topline.rouge.perl.integers import power, total
from topline.rouge.perl.shelf import Table

Triple = tuple[float, float, float]
"""Model, peer and hit counts, in Perl's numbers."""


def weighted_counts(
    weight: int, table: Table, peers: Ints, models: Ints, counts: Counts, starts: Ints, chosen: Ints | None
) -> list[Triple]:
    """A triple an evaluation: `chosen` says which of its pairs counts, where it is not all of them.

    Summary `peers[i]` has the references `models[starts[i]:starts[i + 1]]`.
    """
    wanted = {model: _base(weight, table, model) for model in set(models.tolist())}
    bases = [power(wanted[model], weight) for model in models.tolist()]
    hits = [int(hit) if hit < 2**53 else hit for hit in counts.hits.tolist()]
    said = [power(int(size), weight) for size in table.joined.lengths[peers].tolist()]
    triples: list[Triple] = []
    best = iter(() if chosen is None else chosen.tolist())
    for (first, last), peer in zip(pairwise(starts.tolist()), said, strict=True):
        if chosen is not None and first < last:
            pair = next(best)
            triples.append((bases[pair], peer, hits[pair]))
        else:
            triples.append(
                (total(bases[first:last]), total([peer] * (last - first)), total(hits[first:last]))
            )
    return triples


def _base(weight: int, table: Table, model: int) -> float:
    """The sum of a reference's weighted sentence lengths."""
    texts = table.apart
    sentences = slice(texts.firsts[model], texts.firsts[model + 1] + 1)
    return total(power(int(size), weight) for size in np.diff(texts.tokens.starts[sentences]))
