"""Names at the marks of a figure, like flags: each begins at its own stem, and no stem crosses a name."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST = 28
"""Letters of a name that are shown; the title of a mark says all of it."""


def shortened(name: str) -> str:
    """A name as a figure has room for it."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def rows(places: Sequence[float], widths: Sequence[float]) -> list[int]:
    """The row of each name, counted upwards from the figure; places must not fall.

    A name stands above every mark that it reaches over, so the stems of those end below it.

    >>> rows([0, 5, 8, 30], [10, 10, 10, 10])
    [2, 1, 0, 0]
    """
    found = [0] * len(places)
    for i in reversed(range(len(places))):
        end = places[i] + widths[i]
        below = [found[j] for j in range(i + 1, len(places)) if places[j] <= end]
        found[i] = 1 + max(below, default=-1)
    return found


def margin(places: Sequence[float], widths: Sequence[float], edge: float, least: float) -> float:
    """The room to keep free at the right edge, so that every name ends before it.

    >>> margin([10, 95], [20, 30], edge=100, least=4)
    30
    """
    return max([least, *(width for at, width in zip(places, widths, strict=True) if at + width > edge)])
