"""A core without the nodes that are decided to go: later rounds look at nothing in vain."""

from __future__ import annotations

from itertools import compress

import numpy as np
from numpy.typing import NDArray

from topline.compress.arrays import Arrays, Bytes, Floats, Ints
from topline.compress.core import Core
from topline.compress.problem import Rows
from topline.compress.tree import ROOT

Truths = NDArray[np.bool_]


def narrowed(core: Core, status: Bytes, prices: Floats, shares: Floats) -> tuple[Core, Floats, Floats]:
    """The core of the nodes whose status is not -1, with the multipliers that are left.

    Every choice of these nodes that keeps those of status 1 gains there what it gained before. Links that
    hang on a single node become its entries; n-grams that nothing holds any more are left out.
    """
    arrays = core.arrays
    stays = status != -1
    number = np.cumsum(stays) - 1
    sizes, single, several = _links_left(arrays, status)
    owners = np.repeat(np.arange(core.nodes), np.diff(arrays.entry_starts))
    held = stays[owners]
    nodes = np.concatenate([owners[held], arrays.members[single]])
    grams = np.concatenate([arrays.entry_grams[held], arrays.link_grams[arrays.member_links[single]]])
    counts = np.concatenate([arrays.entry_counts[held], np.ones(int(single.sum()), np.int64)])
    links = sizes > 1
    supply = np.bincount(grams, counts, len(prices)) + np.bincount(
        arrays.link_grams[links], minlength=len(prices)
    )
    used = supply > 0
    gram = np.cumsum(used) - 1
    parents = arrays.parents[stays]
    gain_starts, gains = _gains(arrays, used, supply)
    order = np.lexsort((grams, nodes))
    made = Arrays(
        parents=np.where(parents == ROOT, ROOT, number[parents]),
        lengths=arrays.lengths[stays],
        hollow=arrays.hollow[stays],
        entry_starts=_starts(np.bincount(number[nodes], minlength=int(stays.sum()))),
        entry_grams=gram[grams[order]],
        entry_counts=counts[order],
        link_grams=gram[arrays.link_grams[links]],
        member_starts=_starts(sizes[links]),
        members=number[arrays.members[several]],
        signs=arrays.signs[several],
        member_links=np.repeat(np.arange(int(links.sum())), sizes[links]),
        **_places(number[arrays.members[several]], int(stays.sum())),
        gain_starts=gain_starts,
        gains=gains,
    )
    chunks = Rows.of(list(compress(core.chunks.lists(), stays.tolist())))
    return Core(made, core.budget, chunks), prices[used], _shared(shares[several], made)


def _links_left(arrays: Arrays, status: Bytes) -> tuple[Ints, Truths, Truths]:
    """How many members each link is left with, and which places hold its only one, or one of several.

    A link is gone if a member does not do as it must; a node that must go, and goes, asks nothing more.
    """
    place = status[arrays.members]
    wrong = np.where(arrays.signs == 1, place == -1, place == 1)
    broken = np.bincount(arrays.member_links[wrong], minlength=len(arrays.link_grams))
    left = (broken[arrays.member_links] == 0) & (place != -1)
    sizes = np.bincount(arrays.member_links[left], minlength=len(arrays.link_grams))
    return sizes, left & (sizes[arrays.member_links] == 1), left & (sizes[arrays.member_links] > 1)


def _starts(sizes: Ints) -> Ints:
    """Where each list of a row of lists begins, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _places(members: Ints, nodes: int) -> dict[str, Ints]:
    """For each node its places among the members of links."""
    return {
        "node_starts": _starts(np.bincount(members, minlength=nodes)),
        "node_members": np.argsort(members, kind="stable").astype(np.int64),
    }


def _gains(arrays: Arrays, used: Truths, supply: Ints) -> tuple[Ints, Ints]:
    """The gains of the n-grams in use, no more of them than can still be had."""
    sizes = np.diff(arrays.gain_starts)
    within = np.arange(len(arrays.gains)) - np.repeat(arrays.gain_starts[:-1], sizes)
    kept = within < np.repeat(np.minimum(supply, sizes), sizes)
    return _starts(np.minimum(supply, sizes)[used]), arrays.gains[kept]


def _shared(shares: Floats, arrays: Arrays) -> Floats:
    """Shares that add up to 1 in every link again."""
    sums = np.bincount(arrays.member_links, shares, len(arrays.link_grams))
    sizes = np.diff(arrays.member_starts)
    lost = (sums <= 0)[arrays.member_links]
    found: Floats = np.where(
        lost, 1.0 / sizes[arrays.member_links], shares / np.where(sums > 0, sums, 1.0)[arrays.member_links]
    )
    return found
