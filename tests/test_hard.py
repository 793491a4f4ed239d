"""Schluter's reduction: the best extract is the best dominating set."""

from itertools import combinations

import pytest

from topline.errors import OptionError
from topline.problem.build import build
from topline.problem.hard import random_cubic, reduction
from topline.search.exact import solve
from topline.search.optima import optima


def dominated(edges, chosen):
    reach = set(chosen)
    for v, w in edges:
        if v in chosen:
            reach.add(w)
        if w in chosen:
            reach.add(v)
    return len(reach)


def best_sets(vertices, edges, k):
    counts = {
        chosen: dominated(edges, chosen)
        for size in range(k + 1)
        for chosen in combinations(range(vertices), size)
    }
    best = max(counts.values())
    return best, sorted(chosen for chosen, count in counts.items() if count == best)


def instance_of(hard):
    (instance,) = build(hard.topic, hard.metric, hard.budget)
    return instance.problem


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize(("vertices", "k", "seed"), [(8, 2, 1), (10, 2, 2), (12, 3, 3)])
def test_cubic_graphs(vertices, k, seed, n):
    edges = random_cubic(vertices, seed)
    hard = reduction(vertices, edges, k, n)
    problem = instance_of(hard)
    # the paper's lengths: a sentence has 4 + 5 (n - 1) words, the budget is k times that
    assert set(problem.lengths.tolist()) == {4 + 5 * (n - 1)}
    assert problem.budget == k * (4 + 5 * (n - 1))
    assert problem.total == n * vertices
    best, sets = best_sets(vertices, edges, k)
    assert hard.dominated(solve(problem).value) == best
    assert sorted(optima(problem)) == sets


GRAPHS = [
    (1, []),
    (5, [(0, 1), (0, 2), (0, 3), (0, 4)]),
    (6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]),
    (7, [(0, 1), (2, 3), (3, 4), (4, 2)]),
]


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize(("vertices", "edges"), GRAPHS)
def test_any_graph(vertices, edges, n):
    for k in (1, 2):
        hard = reduction(vertices, edges, k, n)
        assert hard.dominated(solve(instance_of(hard)).value) == best_sets(vertices, edges, k)[0]


def test_random_cubic_graphs_are_cubic_simple_and_seeded():
    for seed in range(5):
        edges = random_cubic(20, seed)
        assert edges == random_cubic(20, seed)
        assert len(set(edges)) == 30
        assert all(v < w for v, w in edges)
        assert all(sum(v in edge for edge in edges) == 3 for v in range(20))
    assert random_cubic(20, 0) != random_cubic(20, 1)


def test_what_is_no_graph():
    with pytest.raises(OptionError, match="no cubic graph has 7 vertices"):
        random_cubic(7, 0)
    with pytest.raises(OptionError, match="edge 0-9 leaves"):
        reduction(3, [(0, 9)], 1)
    with pytest.raises(OptionError, match="at least 1"):
        reduction(3, [], 0)
