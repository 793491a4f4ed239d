"""What a descent stands on: an order of the classes, and the tables of its bound and its keys.

What whole arrays can do is done here: as kernels it would run no faster, and would have to be compiled.
"""

from __future__ import annotations

import numpy as np

from topline.problem.problem import Ints
from topline.search.kernels.cover import LEAST, LENGTH, MORE, OWN, Cover
from topline.search.kernels.layout import (
    BEGUN,
    COPIES,
    FALL,
    GAIN,
    GRAM,
    HOLDS,
    KIND,
    SLACK,
    SPAN,
    Plan,
    cells,
    knapsack,
    rarest_first,
)


def layout(c: Cover, u: Ints, density: int, scale: int, most_cells: int, tilt: float) -> Plan:
    """Order the classes and lay out the tables; `most_cells` bounds the knapsack table."""
    price = prices(c, u, scale)
    order = _order(c, price, density, tilt)
    spot, entry, starts, room = _positions(c, order, price[order], density, scale)
    gram, cell, worth, words, root = cells(c.first, c.steps, u, scale, spot, entry, starts)
    unit = 1
    while (len(order) + 1) * (room // unit + 1) > most_cells and unit <= room:
        unit *= 2
    table = knapsack(spot, price[order], room, unit)
    return Plan(spot, entry, starts, gram, cell, worth, table, room, unit, words, root, density)


def prices(c: Cover, u: Ints, scale: int) -> Ints:
    """What a copy of each class is worth at these multipliers, in units of `1/scale`."""
    total = np.zeros(len(c.grams) + 1, np.int64)
    np.cumsum(u[c.grams] * c.counts, out=total[1:])
    worth: Ints = c.items[OWN] * scale + total[c.starts[1:]] - total[c.starts[:-1]]
    return worth


def _order(c: Cover, price: Ints, density: int, tilt: float) -> Ints:
    """Classes by falling `|reduced cost| + tilt * price`, of equal ones the first first.

    A `tilt` below 0 asks for the order in which n-grams are open for the shortest stretch.
    """
    if tilt < 0:
        return np.argsort(rarest_first(c))
    keys = np.abs(price - density * c.items[LENGTH]) + tilt * price
    return np.argsort(-keys, kind="stable")


def _positions(c: Cover, order: Ints, price: Ints, density: int, scale: int) -> tuple[Ints, Ints, Ints, int]:
    """Rows of positions and entries, where each position's entries start, and the room that matters."""
    n = len(order)
    items = c.items[:, order]
    sizes = np.diff(c.starts)[order]
    starts = np.zeros(n + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    place = np.repeat(c.starts[order] - starts[:-1], sizes) + np.arange(len(c.grams))
    entry = np.zeros((4, len(c.grams)), np.int64)
    entry[GRAM], entry[HOLDS] = c.grams[place], c.counts[place]
    spot = np.zeros((7, n + 1), np.int64)
    spot[KIND, :n], spot[SPAN, :n], spot[COPIES, :n] = order, items[LENGTH], items[MORE]
    spot[GAIN, :n], spot[BEGUN, :n] = items[OWN] * scale, items[LEAST]
    room = c.room
    if int((items[LENGTH] * items[MORE]).sum()) <= room:
        # everything fits: lengths do not matter
        room, density = 0, 0
        spot[SPAN] = 0
    reduced = price - density * spot[SPAN, :n]
    for row, each in ((FALL, -spot[GAIN, :n]), (SLACK, reduced)):
        spot[row, :n] = np.cumsum((np.maximum(each, 0) * items[MORE])[::-1])[::-1]
    return spot, entry, starts, room
