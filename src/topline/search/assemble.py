"""The parts of a search put together as one decision diagram."""

from __future__ import annotations

import numpy as np

from topline.problem.problem import Ints
from topline.search.diagram import Diagram
from topline.search.kernels.cover import DROPPED, LEAST
from topline.search.pieces import Leaf


def single(chosen: tuple[int, ...]) -> Diagram:
    """One set, alone."""
    nodes = np.zeros(3, np.int64)
    return Diagram((chosen,), nodes, np.array([0, 0, 0, 1]), np.array([len(chosen)]), np.array([1]))


def assemble(leaves: list[Leaf], classes: Ints) -> Diagram:
    """The parts' diagrams as one: what is decided becomes a chain above each, a root above all."""
    items: list[tuple[int, ...]] = [()]
    place, width = [np.zeros(2, np.int64)], [np.zeros(2, np.int64)]
    copies, child, roots, made = [], [], [], 2
    for leaf in leaves:
        found = leaf.found
        number = np.zeros(leaf.cover.items.shape[1] + 1, np.int64)
        number[found.place[2:]] = 1
        wanted = np.flatnonzero(number)
        groups, members = _groups(classes, leaf.fates, wanted.tolist())
        number[wanted] = np.arange(len(items), len(items) + len(wanted))
        items.extend(members)
        least = np.repeat(leaf.cover.items[LEAST][found.place[2:]], np.diff(found.arcs[2:]))
        place.append(number[found.place[2:]])
        width.append(np.diff(found.arcs[2:]))
        copies.append(found.copies + least)
        child.append(np.where(found.child > 1, found.child + made - 2, found.child))
        top = found.root + made - 2 if found.root > 1 else found.root
        made += len(found.place) - 2
        for group, x in groups:
            place.append(np.array([len(items)]))
            items.append(tuple(group))
            width.append(np.ones(1, np.int64))
            copies.append(np.array([x]))
            child.append(np.array([top]))
            top, made = made, made + 1
        roots.append(top)
    place.append(np.zeros(1, np.int64))
    width.append(np.array([len(roots)]))
    arcs = np.cumsum(np.concatenate(([0], *width)))
    return Diagram(
        tuple(items),
        np.concatenate(place),
        arcs,
        np.concatenate((*copies, np.zeros(len(roots), np.int64))).astype(np.int64),
        np.concatenate((*child, roots)).astype(np.int64),
    )


def _groups(
    classes: Ints, fates: tuple[Ints, ...], wanted: list[int]
) -> tuple[list[tuple[list[int], int]], list[tuple[int, ...]]]:
    """Sentences behind a part's classes: decided groups with their copies, and the wanted classes."""
    sentences = np.flatnonzero(classes >= 0)
    now = classes[sentences]
    groups: list[tuple[list[int], int]] = []
    for fate in fates:
        then = fate[now]
        if int(then.min(initial=0)) < DROPPED:
            decided = sorted(set(now[then < DROPPED].tolist()))
            groups.extend((sentences[now == k].tolist(), int(DROPPED - fate[k])) for k in decided)
        left = then >= 0
        sentences, now = sentences[left], then[left]
    order = np.argsort(now, kind="stable")
    ends = np.searchsorted(now[order], wanted + [k + 1 for k in wanted]).tolist()
    in_order = sentences[order].tolist()
    many = len(wanted)
    return groups, [tuple(in_order[ends[w] : ends[w + many]]) for w in range(many)]
