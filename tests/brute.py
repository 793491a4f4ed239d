"""The slow twin of every search: all sets of sentences of a small problem, one by one."""

from __future__ import annotations

import numpy as np

from topline.problem.problem import Problem


def problem_of(rows, lengths, budget, gains, charges=None):
    """A `Problem` from a dict n-gram -> count a sentence, and the falling gains of each n-gram."""
    whole = lambda values: np.array(values, np.int64)  # noqa: E731
    entries = [(gram, row[gram]) for row in rows for gram in sorted(row)]
    return Problem(
        lengths=whole(lengths),
        budget=budget,
        starts=whole(np.cumsum([0, *map(len, rows)])),
        grams=whole([gram for gram, _ in entries]),
        counts=whole([count for _, count in entries]),
        gain_starts=whole(np.cumsum([0, *map(len, gains)])),
        gains=whole([gain for some in gains for gain in some]),
        total=sum(map(sum, gains)),
        charges=whole(charges if charges is not None else [0] * len(rows)),
    )


def random_problem(rng, most=10, *, charged=False, idle=0.1, empty_lengths=0.05, weight=1):
    """A small problem with what is awkward: doubles, n-grams that repeat, saturate or tie, idle sentences."""
    n = int(rng.integers(1, most + 1))
    gains = []
    for _ in range(int(rng.integers(1, 12))):
        held = rng.integers(0, 4, size=int(rng.integers(1, 4)))
        held[0] = max(1, held[0])
        gains.append([weight * int((held >= t).sum()) for t in range(1, held.max() + 1)])
    rows, lengths = [], []
    for _ in range(n):
        if rows and rng.random() < 0.25:
            k = int(rng.integers(len(rows)))
            rows.append(dict(rows[k]))
            lengths.append(lengths[k] + int(rng.random() < 0.3))
            continue
        row = {}
        for _ in range(0 if rng.random() < idle else int(rng.integers(1, 5))):
            gram = int(rng.integers(len(gains)))
            row[gram] = row.get(gram, 0) + int(rng.integers(1, 3))
        rows.append(row)
        lengths.append(0 if rng.random() < empty_lengths else int(rng.integers(1, 9)))
    charges = [int(rng.integers(0, 5 * weight)) * int(rng.random() < 0.6) for _ in rows] if charged else None
    return problem_of(rows, lengths, int(rng.integers(0, 30)), gains, charges)


def values(problem):
    """The value of every set that fits."""
    found = {}
    for mask in range(1 << problem.sentences):
        some = tuple(i for i in range(problem.sentences) if mask >> i & 1)
        if problem.length(some) <= problem.budget:
            found[some] = problem.hits(some)
    return found


def overlapping(problem, sets):
    """Those of the sets whose sentences all share an n-gram with the references or cost something."""
    used = (np.diff(problem.starts) > 0) | (problem.charges != 0)
    return sorted(some for some in sets if all(used[i] for i in some))
