"""One best extract: against brute force, with ties, charges, limits, threads, and at the edges."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.brute import problem_of, random_problem, values
from topline.errors import ToplineError
from topline.search import branch, turns
from topline.search.exact import Limits, solve


def check(problem):
    found = solve(problem)
    assert found.proved
    assert found.value == found.bound == max(values(problem).values())
    assert problem.hits(found.chosen) == found.value
    assert problem.length(found.chosen) == found.length <= problem.budget
    assert list(found.chosen) == sorted(set(found.chosen))


@pytest.mark.parametrize("nodes", [2, 20, branch.NODES])
@pytest.mark.parametrize("charged", [False, True])
def test_finds_the_best_value(nodes, charged, monkeypatch):
    monkeypatch.setattr(branch, "NODES", nodes)
    rng = np.random.default_rng(nodes + charged)
    for _ in range(400):
        check(random_problem(rng, charged=charged))


def test_coarse_knapsack_tables_stay_bounds(monkeypatch):
    monkeypatch.setattr(turns, "_CELLS", 8)
    rng = np.random.default_rng(5)
    for _ in range(300):
        check(random_problem(rng))


def test_large_weights_with_charges():
    rng = np.random.default_rng(6)
    for _ in range(200):
        check(random_problem(rng, charged=True, weight=100_003))


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_any_seed(seed):
    rng = np.random.default_rng(seed)
    check(random_problem(rng, most=9, charged=bool(seed % 2), idle=0.3, empty_lengths=0.3))


def hard_problem(seed=0, sentences=60, grams=40):
    rng = np.random.default_rng(seed)
    rows = [{int(g): 1 for g in rng.choice(grams, 5, replace=False)} for _ in range(sentences)]
    return problem_of(rows, rng.integers(4, 12, sentences), 60, [[1]] * grams)


def test_same_answer_on_any_number_of_threads():
    problems = [hard_problem(seed) for seed in range(8)]
    alone = [solve(problem) for problem in problems]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(solve, problems * 2))
    assert together == alone * 2


def test_limits_leave_a_valid_bound():
    problem = hard_problem(1, sentences=80, grams=60)
    best = solve(problem)
    cut = solve(problem, Limits(nodes=5))
    assert best.proved
    assert not cut.proved
    assert cut.nodes <= 6
    assert problem.hits(cut.chosen) == cut.value <= best.value <= cut.bound
    late = solve(problem, Limits(seconds=0.0))
    assert late.value <= best.value <= late.bound


def test_little_memory_gives_the_same_answer():
    problem = hard_problem(2)
    assert solve(problem, Limits(memory=1 << 14)).value == solve(problem).value


def test_empty_sets():
    nothing_fits = problem_of([{0: 1}, {0: 2}], [5, 6], 4, [[1, 1]])
    no_sentences = problem_of([], [], 4, [[1]])
    no_overlap = problem_of([{}, {}], [1, 1], 4, [[1]])
    too_dear = problem_of([{0: 1}], [1], 4, [[1]], charges=[2])
    for problem in (nothing_fits, no_sentences, no_overlap, too_dear):
        found = solve(problem)
        assert (found.chosen, found.value, found.length, found.bound, found.proved) == ((), 0, 0, 0, True)


def test_no_budget_takes_only_what_has_no_length():
    problem = problem_of([{0: 1}, {1: 1}], [0, 1], 0, [[1], [1]])
    assert solve(problem).chosen == (0,)


def test_interchangeable_sentences_first_come_first():
    problem = problem_of([{0: 1}] * 10_000, [7] * 10_000, 100, [[1] * 12])
    found = solve(problem)
    assert found.value == 12
    assert found.chosen == tuple(range(len(found.chosen)))


def test_too_large_gains_are_refused():
    problem = problem_of([{0: 1}], [1], 1, [[1 << 60]])
    with pytest.raises(ToplineError, match="too large"):
        solve(problem)
