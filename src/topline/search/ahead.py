"""Kernels compiled before a search needs them, so that two processes can share the work of a first run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from topline.problem.problem import Problem

if TYPE_CHECKING:
    from topline.search.kernels.layout import Plan


def best() -> None:
    """All that one best extract needs: a small problem solved."""
    from topline.search.exact import solve

    solve(_small())


def descent() -> None:
    """The dearest part of `best` alone."""
    from topline.search.descent import Descent

    Descent(0, _nothing(), 1, 0, 1, 1 << 20).go_on(1)


def every() -> None:
    """What all best extracts need beyond one, but for `order`."""
    from topline.search.assemble import single
    from topline.search.layers import Layers

    Layers(0, _nothing(), 1, 0, 1 << 20).go_on(1)
    _ = single((0,)).sizes.counts


def order() -> None:
    """The order in which all best extracts are sought."""
    from topline.search.branch import Search
    from topline.search.exact import NO_LIMITS
    from topline.search.kernels.layout import rarest_first

    rarest_first(Search(_small(), NO_LIMITS).cover)


def _small() -> Problem:
    """Greedy takes the first of three sentences, the other two are better: it has to be searched."""
    rows = {
        "lengths": (3, 2, 2),
        "starts": (0, 2, 4, 6),
        "grams": (0, 1, 0, 2, 1, 2),
        "counts": (3, 2, 2, 1, 2, 1),
        "gain_starts": (0, 4, 8, 10),
        "gains": (1,) * 10,
        "charges": (0, 0, 0),
    }
    return Problem(budget=4, total=10, **{name: np.array(row, np.int64) for name, row in rows.items()})


def _nothing() -> Plan:
    """A plan with no class to decide on; its arrays have the form of any plan's."""
    from topline.search.kernels.layout import MASK, SLACK, Plan

    shapes = {
        "spot": (SLACK + 1, 1),
        "entry": (4, 0),
        "starts": (1,),
        "gram": (MASK + 1, 1),
        "cell": (2, 0),
        "worth": (0,),
        "table": (1, 1),
    }
    arrays = {name: np.zeros(shape, np.int64) for name, shape in shapes.items()}
    return Plan(**arrays, room=0, unit=1, words=1, root=0, density=0)
