"""Concepts: bigrams of terms, their weights, and the coverage problem of covering each of them once."""

from __future__ import annotations

import numpy as np

from topline.problem.problem import Problem
from topline.systems.fill import Room
from topline.systems.matrix import Ints, Matrix
from topline.systems.prepared import Prepared


def document_frequency(topic: Prepared, matrix: Matrix, least: int) -> Ints:
    """In how many documents each column occurs; with fewer than `least` documents, in how many sentences."""
    if len(topic.sizes) < least:
        return matrix.frequencies()
    rows = np.repeat(np.arange(matrix.rows), np.diff(matrix.starts))
    pairs = np.unique(topic.document[rows].astype(np.int64) * matrix.columns + matrix.terms)
    return np.bincount(pairs % max(matrix.columns, 1), minlength=matrix.columns)


def coverage(matrix: Matrix, weights: Ints, room: Room, rows: list[int]) -> Problem:
    """Cover concepts with these sentences: a concept of weight w gains w once; weight 0 is none."""
    kept = np.flatnonzero(weights > 0)
    number = np.full(matrix.columns, -1, np.int64)
    number[kept] = np.arange(len(kept))
    parts = [number[matrix.terms[matrix.starts[row] : matrix.starts[row + 1]]] for row in rows]
    parts = [part[part >= 0] for part in parts]
    sizes = [0, *(len(part) for part in parts)]
    return Problem(
        lengths=room.lengths[rows],
        budget=room.limit,
        starts=np.cumsum(np.array(sizes, np.int64)),
        grams=np.concatenate([np.empty(0, np.int64), *parts]),
        counts=np.ones(sum(sizes), np.int64),
        gain_starts=np.arange(len(kept) + 1, dtype=np.int64),
        gains=weights[kept].astype(np.int64),
        total=int(weights.sum()),
        charges=np.zeros(len(rows), np.int64),
    )


def extend_cut(problem: Problem, rows: list[int], chosen: list[int], room: Room) -> list[int]:
    """With `chop`, one more sentence to be cut at the budget: the one with most uncovered weight per cost."""
    used = room.used(chosen)
    if not room.chop or used >= room.limit:
        return chosen
    have = set(chosen)
    inside = [place for place, row in enumerate(rows) if row in have]
    base = problem.hits(inside)
    gains = {
        row: (problem.hits([*inside, place]) - base) / max(int(room.lengths[row]), 1)
        for place, row in enumerate(rows)
        if row not in have
    }
    best = max(gains, key=lambda row: (gains[row], -row), default=None)
    return chosen if best is None or gains[best] <= 0 else [*chosen, best]
