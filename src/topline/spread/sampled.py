"""What cannot be counted in time: uniform draws for the body, an exact far tail, bounds between the two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import prod

import numpy as np

from topline.spread.distribution import Distribution
from topline.spread.encode import Ints
from topline.spread.frontier import MOST
from topline.spread.journal import Journal, fingerprint
from topline.spread.ready import Document
from topline.spread.sample import BLOCK, Sampler
from topline.spread.tail import Tail, tail
from topline.spread.tilt import Tilt, rare

BAND_DRAWS = 11_000_000
"""Draws that make the 99% band narrower than 0.1 percentile points from edge to edge."""
_DRAW, _DRAW_WORD, _DRAW_LIMB = 50, 15, 130
"""Work of a draw beside one for two sentences: of every word of the state, and of every limb of a count."""
_LEAST_DRAWS = 100_000
_FEW = 1000
"""So few draws say too little of a share: from there on bounds come from tilted draws."""
_KNOWN = -1
"""Where the journal keeps the first index of a tail."""


def sampled(documents: Sequence[Document], journal: Journal) -> tuple[Distribution, str]:
    """Draws from every section, added; for a document as a whole the exact tail too."""
    draws = min(map(draws_of, documents))
    counts = _drawn(documents, draws, journal)
    distribution = Distribution(
        prod(document.extracts for document in documents),
        documents[0].encoding.total,
        dict(sorted(counts.items())),
        exact=False,
        draws=draws,
        ceiling=sum(max(int(values.max()) for values in one.encoding.values) for one in documents),
    )
    if len(documents) > 1 or not _has_tail(documents[0]):
        return distribution, "sampled"
    return _with_tail(documents[0], distribution, journal)


def draws_of(document: Document) -> int:
    """How many draws the settings allow."""
    settings, encoding = document.settings, document.encoding
    if settings.draws is not None:
        return settings.draws
    limbs = -(-document.extracts.bit_length() // 64)
    each = _DRAW + encoding.size // 2 + _DRAW_WORD * encoding.width + _DRAW_LIMB * limbs
    return min(BAND_DRAWS, max(_LEAST_DRAWS, settings.work // 2 // each))


def _drawn(documents: Sequence[Document], draws: int, journal: Journal) -> Counter[int]:
    """The draws by their hits, block by block."""
    settings = documents[0].settings
    samplers = [Sampler.of(document.encoding, document.frames, document.tables) for document in documents]
    names = [fingerprint(one.encoding, one.frames) for one in documents] if journal.kept else []

    def block(number: int) -> dict[int, int]:
        size = min(BLOCK, draws - number * BLOCK)
        hits = np.zeros(size, np.int64)
        for place, (document, sampler) in enumerate(zip(documents, samplers, strict=True)):
            drawn = sampler.block(number * len(documents) + place, settings.seed, size)
            hits += _hits(document, drawn)
        seen, times = np.unique(hits, return_counts=True)
        return dict(zip(seen.tolist(), times.tolist(), strict=True))

    def kept(number: int) -> dict[int, int]:
        piece = f"{'+'.join(names)}/draws/{settings.seed}/{draws}/{number}"
        return journal.once(piece, lambda: block(number))

    counts: Counter[int] = Counter()
    with ThreadPoolExecutor(settings.jobs) as pool:
        for found in pool.map(kept, range(-(-draws // BLOCK))):
            counts.update(found)
    return counts


def _hits(document: Document, drawn: Ints) -> Ints:
    """The hits of drawn indices, by the demand that they meet best."""
    hits: Ints = np.max([values[drawn[:, g]] for g, values in enumerate(document.encoding.values)], axis=0)
    return hits


def _has_tail(document: Document) -> bool:
    """Whether a tail can be known: for a sum of metrics a larger index need not mean more hits."""
    encoding = document.encoding
    return (
        document.settings.method == "auto"
        and len(encoding.demands) == 1
        and document.extracts <= MOST
        and bool(np.all(np.diff(encoding.values[0]) > 0))
    )


def _with_tail(document: Document, drawn: Distribution, journal: Journal) -> tuple[Distribution, str]:
    """The draws, the tail as far as it can be counted, and bounds for what lies between them."""
    settings, encoding = document.settings, document.encoding
    name = f"{fingerprint(encoding, document.frames)}/tail/{settings.work}" if journal.kept else ""

    def count() -> dict[int, int]:
        found = tail(encoding, document.frames, document.tables, document.extracts, settings.work // 3)
        return {_KNOWN: found.known, **found.counts}

    counts = dict(journal.once(name, count))
    found = Tail(known=counts.pop(_KNOWN), counts=counts)
    values = encoding.values[0].tolist()
    bounds = _between(document, drawn, found)
    known = replace(drawn, rare={values[index]: ends for index, ends in bounds.items()})
    if found.known >= len(values):
        return known, "sampled"
    exact = {values[index]: number for index, number in found.counts.items()}
    method = "sampled, tail exact" if exact else "sampled"
    return replace(known, tail=exact, tail_from=values[found.known]), method


def _between(document: Document, drawn: Distribution, found: Tail) -> dict[int, tuple[int, int]]:
    """Bounds of the number of extracts from each index on that few draws reach, below the exact tail."""
    if len(document.frames) > 1:
        return {}
    values = document.encoding.values[0].tolist()
    thresholds = []
    for index in range(min(found.known, len(values)) - 1, 0, -1):
        reached = sum(count for hits, count in drawn.counts.items() if hits >= values[index])
        if reached >= _FEW:
            break
        thresholds.append(index)
    settings = document.settings
    tilts = Tilt.of(document.encoding, document.frames[0], document.tables)
    return rare(tilts, thresholds[::-1], settings.work // 6, settings.seed)
