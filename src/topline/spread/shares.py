"""The share of extracts with each number of hits: as known best, and as low and as high as it may be.

Of a sampled distribution the exact tail stands in place of what the draws say of it. The band around the
draws bounds the distribution from both sides: no distribution within it has higher scores than `highest`
or lower ones than `lowest`, in the sense that every share of extracts from some score on is bounded.
"""

from __future__ import annotations

from fractions import Fraction

from topline.spread.distribution import Distribution
from topline.spread.intervals import CONFIDENCE, band

Shares = dict[int, Fraction]


def shares(distribution: Distribution) -> Shares:
    """As counted, or as sampled below the exact tail."""
    if distribution.exact:
        return {hits: Fraction(count, distribution.extracts) for hits, count in distribution.counts.items()}
    body = _body(distribution)
    rest = 1 - _tail(distribution)
    drawn = sum(body.values())
    if drawn:
        found = {hits: rest * Fraction(count, drawn) for hits, count in body.items()}
    else:
        # all draws fell into the exact tail
        found = {(distribution.tail_from or 1) - 1: rest} if rest else {}
    return found | {hits: Fraction(count, distribution.extracts) for hits, count in distribution.tail.items()}


def lowest(distribution: Distribution, confidence: float = CONFIDENCE) -> Shares:
    """Every share from some hits on at its least; what the band takes away counts as no hits."""
    if distribution.exact:
        return shares(distribution)
    width, tail = _width(distribution, confidence), _tail(distribution)
    body = {hits: max(tail, share - width) for hits, share in _from_each(distribution).items()}
    return _differences(distribution, body | {0: Fraction(1)})


def highest(distribution: Distribution, confidence: float = CONFIDENCE) -> Shares:
    """Every share from some hits on at its most; what the band adds has the most hits there may be."""
    if distribution.exact:
        return shares(distribution)
    width, tail = _width(distribution, confidence), _tail(distribution)
    body = {
        hits: max(tail, min(Fraction(1), share + width)) for hits, share in _from_each(distribution).items()
    }
    known = distribution.tail_from
    top = known - 1 if known is not None else distribution.ceiling
    least = max(tail, min(Fraction(1), width))
    return _differences(distribution, {top: least} | body | {0: Fraction(1)})


def most_hits(distribution: Distribution) -> int:
    """Hits that no extract exceeds."""
    if distribution.exact or distribution.tail:
        return distribution.most
    known = distribution.tail_from
    return distribution.ceiling if known is None else max(distribution.most, known - 1)


def _width(distribution: Distribution, confidence: float) -> Fraction:
    return Fraction(band(distribution.draws, confidence))


def _body(distribution: Distribution) -> dict[int, int]:
    known = distribution.tail_from
    return {hits: count for hits, count in distribution.counts.items() if known is None or hits < known}


def _tail(distribution: Distribution) -> Fraction:
    return Fraction(sum(distribution.tail.values()), distribution.extracts)


def _from_each(distribution: Distribution) -> Shares:
    """The share of draws with at least as many hits, for the hits below the exact tail."""
    left = distribution.draws
    found = {}
    body = _body(distribution)
    for hits, count in sorted(distribution.counts.items()):
        if hits in body:
            found[hits] = Fraction(left, distribution.draws)
        left -= count
    return found


def _differences(distribution: Distribution, from_: Shares) -> Shares:
    """The shares of single numbers of hits, from those of at least so many; behind them the exact tail."""
    points = sorted(from_)
    behind = [*(from_[hits] for hits in points[1:]), _tail(distribution)]
    found = {hits: from_[hits] - less for hits, less in zip(points, behind, strict=True)}
    found = {hits: share for hits, share in found.items() if share}
    return found | {hits: Fraction(count, distribution.extracts) for hits, count in distribution.tail.items()}
