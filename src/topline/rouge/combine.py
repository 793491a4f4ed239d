"""From counts to scores: several references pooled, the best of them, or jackknifed; recall, precision, F."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from topline.rouge.counts import Counts, Floats, Ints
from topline.rouge.metric import Part
from topline.rouge.rounding import round5

MODES = ("pooled", "best", "jackknife", "each")


@dataclass(frozen=True, slots=True)
class Scores:
    """Recall, precision and F of many comparisons, rounded as the script rounds them."""

    recall: Floats
    precision: Floats
    f1: Floats


def joined(parts: Sequence[Scores]) -> Scores:
    """Scores of several batches behind one another."""
    empty = np.empty(0)
    return Scores(
        np.concatenate([empty, *(part.recall for part in parts)]),
        np.concatenate([empty, *(part.precision for part in parts)]),
        np.concatenate([empty, *(part.f1 for part in parts)]),
    )


def _divide(hits: Floats, totals: Floats) -> Floats:
    return np.divide(hits, totals, out=np.zeros_like(hits), where=totals != 0)


def _inverse(part: Part) -> Callable[[Floats], Floats]:
    """ROUGE-W takes the weight back out of the ratio."""
    if part.kind != "w":
        return lambda ratio: ratio
    root = 1 / float(part.weight)
    return lambda ratio: np.array([value**root for value in ratio.tolist()])


def scores_of(part: Part, counts: Counts, alpha: float = 0.5) -> Scores:
    """Scores of sums of counts; F is made of the rounded recall and precision, as the script does."""
    inverse = _inverse(part)
    recall = round5(inverse(_divide(counts.hits, counts.models)))
    precision = round5(inverse(_divide(counts.hits, counts.peers)))
    weighted = (1 - alpha) * precision + alpha * recall
    return Scores(recall, precision, round5(_divide(precision * recall, weighted)))


def _sums(values: Floats, starts: Ints) -> Floats:
    """Sums of runs, added in order; an empty run is 0."""
    sums = np.zeros(len(starts) - 1)
    np.add.at(sums, np.repeat(np.arange(len(sums)), np.diff(starts)), values)
    return sums


def pooled(counts: Counts, starts: Ints) -> Counts:
    """`-f A`: hits and totals summed over a comparison's references, the pairs `starts[e]:starts[e + 1]`."""
    return Counts(_sums(counts.hits, starts), _sums(counts.models, starts), _sums(counts.peers, starts))


def best_pairs(part: Part, counts: Counts, starts: Ints) -> Ints:
    """Which pair of each comparison has the best recall, the first on a tie."""
    recall = _inverse(part)(_divide(counts.hits, counts.models if counts.once is None else counts.once))
    if part.additive:
        recall = round5(recall)
    runs = pairwise(starts.tolist())
    return np.array([first + int(np.argmax(recall[first:last])) for first, last in runs], np.int64)


def best(part: Part, counts: Counts, starts: Ints) -> Counts:
    """`-f B`: the reference with the best recall, the first on a tie."""
    chosen = best_pairs(part, counts, starts)
    return Counts(counts.hits[chosen], counts.models[chosen], counts.peers[chosen])


def _left_out(counts: Counts, starts: Ints) -> tuple[Counts, Ints, Ints]:
    """Every comparison once without each of its references (whole, if it has but one)."""
    pairs: list[Ints] = []
    folds: list[int] = [0]
    sets = [0]
    for first, last in pairwise(starts.tolist()):
        everything = np.arange(first, last)
        for left in range(last - first) if last - first > 1 else [-1]:
            kept = everything[everything != first + left] if left >= 0 else everything
            pairs.append(kept)
            sets.append(sets[-1] + len(kept))
        folds.append(len(pairs))
    index = np.concatenate(pairs) if pairs else np.empty(0, np.int64)
    chosen = Counts(counts.hits[index], counts.models[index], counts.peers[index])
    return chosen, np.array(sets, np.int64), np.array(folds, np.int64)


def jackknifed(part: Part, counts: Counts, starts: Ints, alpha: float) -> Scores:
    """DUC's way: pooled over all references but one, each left out in turn, and the mean of these.

    Makes a system's score comparable with a person's, who is measured against the others' references.
    """
    chosen, sets, folds = _left_out(counts, starts)
    inner = scores_of(part, pooled(chosen, sets), alpha)
    size = np.maximum(np.diff(folds), 1)

    def mean(values: Floats) -> Floats:
        return round5(_sums(values, folds) / size)

    return Scores(mean(inner.recall), mean(inner.precision), mean(inner.f1))


def combined(part: Part, counts: Counts, starts: Ints, mode: str, alpha: float = 0.5) -> Scores:
    """Scores of comparisons with one or several references, by `pooled`, `best` or `jackknife`."""
    if mode == "jackknife":
        return jackknifed(part, counts, starts, alpha)
    if mode == "best":
        return scores_of(part, best(part, counts, starts), alpha)
    return scores_of(part, pooled(counts, starts) if mode == "pooled" else counts, alpha)
