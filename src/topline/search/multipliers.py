"""Multipliers: good ones from floats, then the bound of whole ones, exact, and what it decides."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from topline.problem.problem import Ints
from topline.search.kernels.arrays import Floats
from topline.search.kernels.cover import LENGTH, MORE, Cover
from topline.search.kernels.dual import descent
from topline.search.layout import prices


class Priced(NamedTuple):
    """Multipliers of a cover, and what they leave for sets worth the target or more."""

    u: Floats
    whole: Ints
    """The multipliers in whole units of `1/scale`."""
    density: int
    """Their critical density, in the same units."""
    bound: int
    """In the same units; below the target's, nothing is left."""
    mean: Floats
    """The averaged primal: how much of each class the relaxation takes."""
    low: Ints
    """The fewest and the most copies of each class that a set worth the target can have."""
    high: Ints
    cuts: int
    """How many ranges are cut."""


def price(c: Cover, u: Floats, target: int, aim: float, rounds: int, theta: float, scale: int) -> Priced:
    """Multipliers of a cover, and the ranges of copies they leave for sets worth `target` or more."""
    u, steep, mean = descent(c, u, aim, rounds, theta)
    whole = (u * scale + 0.5).astype(np.int64)
    density = int(steep * scale + 0.5)
    more, length = c.items[MORE], c.items[LENGTH]
    reduced = prices(c, whole, scale) - density * length
    # whole multipliers of any size bound from above, so rounding never cuts an optimum
    bound = c.base * scale + density * c.room + int((np.maximum(reduced, 0) * more).sum())
    bound += int(np.maximum(c.steps * scale - np.repeat(whole, np.diff(c.first)), 0).sum())
    low, high, cuts = np.zeros(len(more), np.int64), more, 0
    gap = bound - target * scale
    if gap >= 0:
        slack = gap // np.maximum(np.abs(reduced), 1)
        high = np.where(reduced < 0, np.minimum(more, slack), more)
        low = np.where(reduced > 0, np.maximum(0, more - slack), 0)
        cuts = int(((low > 0) | (high < more)).sum())
        if int((low * length).sum()) > c.room:
            bound, cuts = target * scale - 1, 0
    return Priced(u, whole, density, bound, mean, low, high, cuts)
