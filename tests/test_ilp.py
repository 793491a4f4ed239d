"""Equations (3)-(8) on HiGHS: against brute force, silent, limited, checked in integers."""

from itertools import product

import numpy as np

from tests.search_cases import feasible, instances
from tests.test_build import PLAIN, topic_of
from topline import Budget, Metric
from topline.problem.build import build
from topline.search.exact import Limits
from topline.search.f1 import charged, f1, one_part
from topline.search.ilp import rows_of, solve_ilp


def test_the_optimum_is_that_of_brute_force():
    for instance in instances(150, 11):
        problem = instance.problem
        best = max(problem.hits(chosen) for chosen in feasible(problem))
        found = solve_ilp(problem)
        assert (found.value, found.bound, found.proved) == (best, best, True)
        assert problem.hits(found.chosen) == found.value
        assert problem.length(found.chosen) == found.length <= problem.budget


def test_charges_are_part_of_the_objective():
    for instance in instances(60, 12):
        alone = one_part(instance, 0)
        guess = max(feasible(alone.problem), key=lambda chosen: f1(alone, chosen))
        problem = charged(alone, f1(alone, guess[:1]) / 2)
        best = max(problem.hits(chosen) for chosen in feasible(problem))
        assert solve_ilp(problem).value == best


def test_the_rows_are_the_papers_equations():
    """Every 0-1 choice with the largest z that the rows allow has the objective f(S)."""
    for instance in instances(40, 13):
        problem = instance.problem
        n = problem.sentences
        if n > 6:
            continue
        rows = rows_of(problem)
        matrix = np.zeros((len(rows.low), len(rows.cost)), np.int64)
        for row in range(len(rows.low)):
            entries = slice(rows.starts[row], rows.starts[row + 1])
            matrix[row, rows.columns[entries]] = rows.values[entries]
        for x in product((0, 1), repeat=n):
            assert matrix[0, :n] @ x == problem.length([i for i in range(n) if x[i]])
            z = np.minimum(matrix[1:, :n] @ x, rows.most[n:])
            assert rows.cost @ [*x, *z] == problem.hits([i for i in range(n) if x[i]])


def test_it_says_nothing_on_stdout(capfd):
    solve_ilp(next(instances(1, 14)).problem)
    assert capfd.readouterr().out == ""


def test_a_time_limit_gives_a_valid_bound(shared_data):
    from topline import read_corpus

    topic = next(iter(read_corpus(shared_data / "squality.jsonl")))
    (instance,) = build(topic, Metric.parse("rouge-1"), Budget.parse("250w"))
    found = solve_ilp(instance.problem, Limits(seconds=0.5))
    assert found.value <= found.bound <= instance.problem.total
    assert instance.problem.length(found.chosen) <= 250


def test_nothing_matches_or_nothing_fits():
    metric = Metric.parse("rouge-1", PLAIN)
    (nothing,) = build(topic_of(["x y"], [["a"]]), metric, Budget.parse("9w"))
    (too_long,) = build(topic_of(["a b c"], [["a"]]), metric, Budget.parse("2w"))
    for instance in (nothing, too_long):
        found = solve_ilp(instance.problem)
        assert (found.chosen, found.value, found.bound, found.proved) == ((), 0, 0, True)
