"""Algorithms 1-3 against brute force, and against the exact solver on real topics."""

import pytest

from tests.search_cases import feasible as sets_within
from tests.search_cases import instances
from tests.test_build import PLAIN, topic_of
from topline import Budget, Metric, read_corpus
from topline.errors import MetricError
from topline.problem.build import build
from topline.search.exact import Limits, solve
from topline.search.f1 import charged, one_part
from topline.search.ilp import solve_ilp
from topline.search.optima import optima
from topline.search.published import feasible, published, solve_published


def test_every_oracle_is_found_and_nothing_else():
    for instance in instances(300, 21):
        problem = instance.problem
        sets = [chosen for chosen in sets_within(problem, overlapping=True) if chosen]
        best = max(map(problem.hits, sets), default=0)
        found = published(problem)
        assert found.proved
        assert (found.value, found.bound) == (best, best)
        assert list(found.optima) == sorted(chosen for chosen in sets if problem.hits(chosen) == best)
        assert feasible(problem) == len(sets)
        assert found.checked <= len(sets)


def test_the_search_checks_what_algorithm_3_checks():
    """A twin in plain Python, lists and fractions, counts the same extracts."""
    for instance in instances(150, 22):
        assert published(instance.problem).checked == checked(instance.problem)


def checked(problem):
    from fractions import Fraction

    from topline.search.greedy import greedy, overlapping

    def gain(inside, w):
        return problem.hits([*inside, w]) - problem.hits(inside)

    def upper(inside, rest):
        bound, room = Fraction(problem.hits(inside)), problem.budget - problem.length(inside)
        for w in sorted(rest, key=lambda w: Fraction(gain(inside, w), int(problem.lengths[w])), reverse=True):
            if room - problem.lengths[w] >= 0:
                bound, room = bound + gain(inside, w), room - int(problem.lengths[w])
            else:
                return bound + Fraction(gain(inside, w), int(problem.lengths[w])) * room
        return bound

    threshold, count = greedy(problem).value, 0

    def find(queue, inside):
        nonlocal threshold, count
        while queue:
            inside = [*inside, queue[0]]
            queue = queue[1:]
            if problem.length(inside) <= problem.budget:
                count += 1
                if problem.hits(inside) >= threshold:
                    threshold = problem.hits(inside)
                    find(queue, inside)
                elif upper(inside, queue) >= threshold:
                    find(queue, inside)
            inside = inside[:-1]

    order = sorted(map(int, overlapping(problem)), key=lambda i: (-problem.hits([i]), i))
    find(order, [])
    return count


@pytest.mark.parametrize(("name", "budget", "step"), [("opinosis", "20w", 5), ("scitldr", "60w", 40)])
@pytest.mark.parametrize("metric", ["rouge-1", "rouge-2"])
def test_four_solvers_agree_on_real_topics(shared_data, name, budget, step, metric):
    compared = 0
    for number, topic in enumerate(read_corpus(shared_data / f"{name}.jsonl")):
        if number % step:
            continue
        try:
            (instance,) = build(topic, Metric.parse(metric), Budget.parse(budget))
        except MetricError:
            continue
        problem = instance.problem
        by_paper = published(problem, Limits(seconds=5))
        assert by_paper.proved
        assert by_paper.value == solve(problem).value == solve_ilp(problem).value
        if by_paper.value:
            assert sorted(optima(problem)) == list(by_paper.optima)
        compared += 1
    assert compared > 5


def test_limits_keep_the_best_found_and_a_bound(shared_data):
    topic = next(iter(read_corpus(shared_data / "squality.jsonl")))
    (instance,) = build(topic, Metric.parse("rouge-1"), Budget.parse("250w"))
    found = solve_published(instance.problem, Limits(nodes=2000))
    assert not found.proved
    assert found.nodes == 2000
    assert instance.problem.hits(found.chosen) == found.value < found.bound


def test_the_number_of_feasible_sets_is_exact_beyond_64_bits():
    (instance,) = build(
        topic_of(["a b"] * 300, [["a b"]]), Metric.parse("rouge-1", PLAIN), Budget.parse("600w")
    )
    assert feasible(instance.problem) == 2**300 - 1


def test_f1_is_refused():
    alone = one_part(next(instances(1, 23)), 0)
    with pytest.raises(MetricError, match="maximise recall"):
        published(charged(alone, 1))
