"""Limits as deadlines, for searches that are made of several."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from time import perf_counter

from topline.search.exact import Limits

_MOMENT = 0.05
"""Seconds that a step gets even after the deadline, so that it has a bound to show."""


def deadline_of(limits: Limits) -> float:
    """When the time is up, on `perf_counter`'s clock."""
    return inf if limits.seconds is None else perf_counter() + limits.seconds


def until(deadline: float, limits: Limits) -> Limits:
    """The limits with the time that is left."""
    if deadline == inf:
        return limits
    return replace(limits, seconds=max(_MOMENT, deadline - perf_counter()))
