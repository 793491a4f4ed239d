"""The arrays that the compiled parts work on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bytes = NDArray[np.int8]


class Arrays(NamedTuple):
    """Nodes in preorder, and what they hold.

    A node's entries are the n-grams it holds whatever else is kept. A link is an occurrence that hangs on
    several nodes: its members of sign 1 must stay, those of sign 0 must go.
    """

    parents: Ints
    lengths: Ints
    hollow: Ints
    """1 for a node that makes no sense alone (a sentence's opening): kept only together with a child."""
    entry_starts: Ints
    entry_grams: Ints
    entry_counts: Ints
    link_grams: Ints
    member_starts: Ints
    members: Ints
    signs: Ints
    member_links: Ints
    """The link of every member place."""
    node_starts: Ints
    """Node `c` is a member at the places `node_members[node_starts[c]:node_starts[c + 1]]`."""
    node_members: Ints
    gain_starts: Ints
    gains: Ints
    """N-gram `j` gains `gains[gain_starts[j]:gain_starts[j + 1]]`, never rising."""


class Prices(NamedTuple):
    """Multipliers in whole numbers: gains are `scale` times as large beside them."""

    prices: Ints
    """What each n-gram is worth wherever it occurs."""
    shares: Ints
    """A link's price, shared out among its members: one that must stay earns by staying, one that must go
    by going. They add up to the price or more."""
    charge: int
    """What a unit of length costs."""
    scale: int
