"""Bootstrap averages and intervals, double for double those of ROUGE-1.5.5.

The printed average is the mean of the resamples' means, not the mean of the scores. All metrics of a run
are resampled with the same draws: resample `s` is seeded with `s`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topline.errors import OptionError
from topline.rouge import plain
from topline.text.compiled import plainly

Floats = NDArray[np.float64]
RESAMPLES, CONFIDENCE = 1000, 95.0
MOST_RESAMPLES = 10_000_000
"""More would take days, and more memory than there is."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An average and the confidence interval around it."""

    mean: float
    low: float
    high: float


def resampled_means(values: Floats, resamples: int) -> Floats:
    """The mean of every column of `values` (a row an evaluation) in each resample, a row a resample."""
    sums = resampled_sums(values, resamples)
    return sums / len(values) if len(values) else sums


def resampled_sums(values: Floats, resamples: int) -> Floats:
    """The sum of every column in each resample; evaluations must stand in the order of their sorted ids."""
    # numpy takes a resample's values together: about 3 nanoseconds each, and six draws' worth for the draw
    if plainly.may(0.03 * resamples * len(values) * (values.shape[1] + 6)):
        return plain.resampled_sums(values, resamples)
    from topline.rouge.kernels_bootstrap import resampled_sums as draw

    sums = np.zeros((resamples, values.shape[1]))
    if len(values):
        draw(np.ascontiguousarray(values, np.float64), 0, sums, np.zeros(len(values), np.int64))
    return sums


def intervals_of(
    samples: Floats, confidence: float = CONFIDENCE, resamples: float | None = None
) -> list[Interval]:
    """Average and interval of every column of resamples, interpolated as the script does.

    `resamples` is the number as it was asked for, where that was no whole number.
    """
    number = len(samples)
    if not number:
        raise OptionError("an average over no resamples is undefined", hint="ask for at least one")
    wanted = number if resamples is None else resamples
    outside = wanted * ((100 - confidence) / 2.0) / 100.0
    top, bottom = int(wanted - outside - 1), int(outside)
    share = wanted - outside - 1 - top
    ranked = np.sort(samples.T, axis=1)
    means = np.add.accumulate(ranked, axis=1)[:, -1] / number

    def between(place: int) -> Floats:
        below, above = _at(ranked, place), _at(ranked, place + 1)
        return below + (above - below) * share

    ends = zip(means.tolist(), between(bottom).tolist(), between(top).tolist(), strict=True)
    return [Interval(*each) for each in ends]


def _at(ranked: Floats, place: int) -> Floats:
    """Elements as Perl indexes: negative places count from the end, what is not there is 0."""
    number = ranked.shape[1]
    return ranked[:, place] if -number <= place < number else np.zeros(len(ranked))


def intervals(values: Floats, resamples: int = RESAMPLES, confidence: float = CONFIDENCE) -> list[Interval]:
    """Averages and intervals of every column of per-evaluation scores.

    The rows must stand in the string order of the script's evaluation ids for its very figures.

    >>> intervals(np.array([[0.25], [0.5], [0.75], [1.0]]))[0]
    Interval(mean=0.625875, low=0.375, high=0.875)
    """
    check_interval(resamples, confidence)
    return intervals_of(resampled_means(values, resamples), confidence)


def check_interval(resamples: int, confidence: float) -> None:
    """Refuse what makes no interval, before anything is scored for it."""
    if not 1 <= resamples <= MOST_RESAMPLES or not 0 <= confidence <= 100:
        raise OptionError(
            f"{resamples} resamples at {confidence:g}% make no interval",
            hint=f"1 to {MOST_RESAMPLES} resamples, and a confidence from 0 to 100",
        )
