"""Multipliers: good ones from floats, then the bound of whole ones, exact, and what it decides."""

from __future__ import annotations

import numpy as np

from topline.problem.problem import Ints
from topline.search.kernels.arrays import Floats
from topline.search.kernels.cover import LENGTH, MORE, Cover
from topline.search.kernels.dual import descent
from topline.search.layout import prices


def price(
    c: Cover, u: Floats, aim: float, rounds: int, theta: float, scale: int
) -> tuple[Floats, Ints, int, int, Floats]:
    """Good multipliers from `u` on: as floats, in units of `1/scale`; density and bound; the mean.

    Whole multipliers of any size bound from above, so rounding never cuts an optimum.
    """
    u, steep, mean = descent(c, u, aim, rounds, theta)
    whole = (u * scale + 0.5).astype(np.int64)
    density = int(steep * scale + 0.5)
    reduced = prices(c, whole, scale) - density * c.items[LENGTH]
    bound = c.base * scale + density * c.room + int((np.maximum(reduced, 0) * c.items[MORE]).sum())
    bound += int(np.maximum(c.steps * scale - np.repeat(whole, np.diff(c.first)), 0).sum())
    return u, whole, density, bound, mean


def ranges(c: Cover, whole: Ints, density: int, gap: int, scale: int) -> tuple[Ints, Ints, int]:
    """The fewest and the most copies of each class in a set that is no more than `gap` below the bound.

    And how many ranges are cut by that; -1 if no set is left.
    """
    more, length = c.items[MORE], c.items[LENGTH]
    reduced = prices(c, whole, scale) - density * length
    slack = gap // np.maximum(np.abs(reduced), 1)
    high = np.where(reduced < 0, np.minimum(more, slack), more)
    low = np.where(reduced > 0, np.maximum(0, more - slack), 0)
    cuts = int(((low > 0) | (high < more)).sum())
    return low, high, -1 if int((low * length).sum()) > c.room else cuts
