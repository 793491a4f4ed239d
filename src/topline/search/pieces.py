"""All sets of a problem, sought together or, where that is too much, in pieces that can be done anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from topline.problem.problem import Ints, Problem
from topline.search.branch import Search
from topline.search.exact import NO_LIMITS
from topline.search.kernels.cover import Cover
from topline.search.kernels.layout import Plan
from topline.search.layers import Found, Layers
from topline.search.node import Tight, halves
from topline.search.turns import DONE, HARD, LIMIT, Aim, Spent, Turns

TOGETHER, PATIENCE = 4_000_000, 16_000_000
"""Nodes of each order before a problem is cut into pieces, and before a piece is cut again: pieces share no
states, so cutting has its price."""
TILTS = (-1.0, 0.1)
"""The orders, as in `branch`; that in which n-grams are open for a short stretch is mostly the better one."""
_FIRST = 100_000
"""Nodes of the first turn, and all that each order gets before the best value is known."""
_HALVINGS = 4


@dataclass(frozen=True, slots=True)
class Leaf:
    """A piece that was searched to its end, or to a limit."""

    cover: Cover
    fates: tuple[Ints, ...]
    """What became of the classes of the root, tightening by tightening."""
    found: Found


def together(tight: Tight, aim: Aim, spent: Spent, patience: int) -> tuple[list[Leaf], int]:
    """All sets of a node, as far as they were found, and how the search ended."""
    if tight.bound < aim.target * aim.scale:
        return [], DONE
    layers, end = Turns(_begin, tight, aim, TILTS, patience, min(_FIRST, patience)).run(spent)
    if end == LIMIT and layers is not None:
        layers.close()
    if end == HARD or layers is None or layers.found is None or layers.found.root == 0:
        return [], end
    return [Leaf(tight.cover, tight.fates, layers.found)], end


def _begin(tight: Tight, plan: Plan, aim: Aim, memory: int) -> Layers:
    return Layers(tight.cover.base, plan, aim.scale, aim.target, memory)


def cut(tight: Tight, aim: Aim) -> list[Tight]:
    """The pieces of a node. They depend on the node alone, so that every engine comes to the same bytes."""
    pieces = [tight]
    for _ in range(_HALVINGS):
        pieces = [half for piece in pieces for half in halves(piece, aim.target, aim.scale)]
    return pieces


@dataclass(frozen=True, slots=True)
class Searched:
    """What became of a piece: what was found in it, or the pieces that it was cut into."""

    leaves: list[Leaf]
    pieces: list[Tight]
    end: int


def searched(aim: Aim, piece: Tight, spent: Spent | None = None) -> Searched:
    """Search a piece with the patience there is for one: wherever it is sent, it is done in bounded time."""
    found, end = together(piece, aim, spent or Spent(NO_LIMITS), PATIENCE)
    return Searched(found, cut(piece, aim) if end == HARD else [], end)


def leaves(pieces: Sequence[Tight], aim: Aim, spent: Spent) -> tuple[list[Leaf], int]:
    """Pieces searched to their end, round by round, and how it ended: no piece, or a limit, is left."""
    found: list[Leaf] = []
    held = 0
    while pieces:
        further: list[Tight] = []
        for piece in pieces:
            one = searched(aim, piece, spent)
            found.extend(one.leaves)
            further.extend(one.pieces)
            held += sum(leaf.found.bytes for leaf in one.leaves)
            if one.end == LIMIT or held > (spent.limits.memory or inf):
                return found, LIMIT
        pieces = further
    return found, DONE


@dataclass(frozen=True, slots=True)
class Apart:
    """A problem whose best value is proved, and the pieces in which all best sets are to be sought."""

    problem: Problem
    classes: Ints
    aim: Aim
    pieces: list[Tight]
    nodes: int


class TooMuch(Exception):
    """A problem that shall be searched in pieces elsewhere; raised in place of doing it."""

    def __init__(self, work: Apart) -> None:
        super().__init__(f"{len(work.pieces)} pieces")
        self.work = work


def all_best(search: Search, *, elsewhere: bool = False) -> tuple[list[Leaf], bool]:
    """All best sets of a prepared search, and whether they are complete; then its bound is their value.

    The target comes from above: a guess that was too high leaves nothing, and the next one is lower. After
    two of those, or one that was not settled soon, one best set is sought first.
    """
    wrong = 0
    while wrong < 2 or search.bound == search.value or search.best():
        tight, aim = search.aim(search.bound)
        known = search.value == search.bound
        found, end = together(tight, aim, search.spent, TOGETHER if known else _FIRST)
        if end == HARD and not known:
            wrong = 2
            continue
        if end == HARD:
            pieces = cut(tight, aim)
            if elsewhere:
                raise TooMuch(Apart(search.problem, search.classes, aim, pieces, search.spent.nodes))
            found, end = leaves(pieces, aim, search.spent)
        if found or end == LIMIT:
            return found, end != LIMIT
        search.bound -= 1
        wrong += 1
    return [], False
