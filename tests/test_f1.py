"""The best F1 against brute force in fractions: one metric and sums, quick search and Dinkelbach."""

from fractions import Fraction
from random import Random

import pytest

from tests.search_cases import METRICS, feasible, instances
from tests.test_build import PLAIN, recall, topic_of
from topline import Budget, Metric, read_corpus
from topline.errors import MetricError
from topline.problem.build import build
from topline.search import f1 as module
from topline.search.every import every_f1
from topline.search.exact import NO_LIMITS, Limits
from topline.search.f1 import all_best, best_f1, f1, one_part, part_hits, ratio_search

FIRST = {"f1": f1, "recall": module.recall}


def best_sets(instance, value):
    """The best value, and the sets that have it: overlapping sentences only, as the paper counts them."""
    values = {chosen: value(instance, chosen) for chosen in feasible(instance.problem, overlapping=True)}
    best = max(values.values())
    return best, sorted(chosen for chosen, worth in values.items() if worth == best)


def test_f1_is_what_precision_and_recall_make_of_it():
    """From the definition: recall over the references' n-grams, precision over the extract's, K times."""
    rng = Random(31)
    for instance in instances(100, 31, metrics=("rouge-1", "rouge-2")):
        chosen = rng.choice(list(feasible(instance.problem)))
        hits = instance.problem.hits(chosen)
        own = instance.pooled * sum(int(instance.own[0, i]) for i in chosen)
        if not hits:
            assert f1(instance, chosen) == 0
            continue
        found, wanted = Fraction(hits, own), Fraction(hits, instance.totals[0])
        assert f1(instance, chosen) == 2 * found * wanted / (found + wanted)


@pytest.mark.parametrize("objective", ["f1", "recall"])
def test_the_quick_search_is_brute_force(objective):
    """Value, and ties: fewer sentences, then smaller numbers; whatever it is told to begin with."""
    rng = Random(32)
    for instance in instances(500, 32):
        best, sets = best_sets(instance, FIRST[objective])
        first = min(sets, key=lambda chosen: (len(chosen), chosen))
        guess = rng.choice(list(feasible(instance.problem, overlapping=True)))
        for begin in ((), guess, first):
            chosen, _, complete = ratio_search(instance, objective, 10**9, begin)
            assert complete
            assert chosen == first
            assert FIRST[objective](instance, chosen) == best


def test_all_best_extracts():
    for instance in instances(300, 33):
        best, sets = best_sets(instance, f1)
        if best:
            assert all_best(instance, sets[0], 10**9) == sets
        bound, found = every_f1(instance, NO_LIMITS)
        assert bound == best
        if best:
            assert sorted(found) == sets
            assert found.count == len(sets)


def test_dinkelbachs_iteration(monkeypatch):
    """One metric, when the quick search gives up at once; starting from nothing and from the greedy."""
    monkeypatch.setattr(module, "FIRST_NODES", 0)
    for instance in instances(200, 34, metrics=("rouge-1", "rouge-2", "rouge-su1")):
        best, sets = best_sets(instance, f1)
        found = best_f1(instance)
        assert (found.value, found.bound, found.proved) == (best, best, True)
        assert found.chosen in sets


def test_parts_of_a_sum_are_the_metrics_alone():
    for instance in instances(80, 35, metrics=("rouge-1+rouge-2", "rouge-su1+rouge-1+rouge-2")):
        for chosen in list(feasible(instance.problem))[::7]:
            for part in range(len(instance.totals)):
                alone = one_part(instance, part)
                assert alone.problem.hits(chosen) == part_hits(instance, chosen)[part]


def test_limits_give_a_bound_that_holds():
    for instance in instances(60, 36, metrics=METRICS):
        best, _ = best_sets(instance, f1)
        found = module._bounded(instance, (), Limits(), float("inf"), 0)
        assert found.value <= best <= found.bound
        assert found.proved == (found.value == found.bound)


def test_real_topics_by_two_ways(shared_data):
    """One metric on real text: the quick search against Dinkelbach's iteration."""
    compared = 0
    for number, topic in enumerate(read_corpus(shared_data / "opinosis.jsonl")):
        if number % 6:
            continue
        for name in ("rouge-1", "rouge-2"):
            (instance,) = build(topic, Metric.parse(name), Budget.parse("30w"))
            quick, _, complete = ratio_search(instance, "f1", 10**6)
            slow = module._dinkelbach(instance, (), NO_LIMITS, float("inf"), 0)
            assert complete
            assert slow.proved
            assert f1(instance, quick) == slow.value
            compared += 1
    assert compared > 10


def test_values_too_large_for_64_bits_are_refused():
    topic = topic_of(["a b c d e f g"], [["a b c d e f g"]])
    metric = Metric.parse("+".join(f"rouge-su{gap}" for gap in range(40)), PLAIN)
    with pytest.raises(MetricError, match=r"below 2\^62"):
        ratio_search(build(topic, metric, Budget.parse("9w"))[0], "f1", 10)


def test_recall_of_a_sum_is_the_sum_of_recalls():
    topic = topic_of(["a b c", "c d"], [["a b d"]])
    metric = Metric.parse("rouge-1+rouge-2", PLAIN)
    (instance,) = build(topic, metric, Budget.parse("9w"))
    assert module.recall(instance, (0,)) == recall(topic, metric, [0], topic.references)
    assert module.recall(instance, (0,)) == Fraction(2, 3) + Fraction(1, 2)


def test_a_search_too_large_for_its_tables_makes_do_with_a_bound():
    """Six thousand different sentences, room for a third of them: no table by depth could hold that."""
    sentences = [f"a{i % 97} b{i}" for i in range(6000)]
    topic = topic_of(sentences, [[" ".join(f"a{i} b{i}" for i in range(97))]])
    (instance,) = build(topic, Metric.parse("rouge-1+rouge-2", PLAIN), Budget.parse("4000w"))
    assert ratio_search(instance, "f1", 1000)[1:] == (0, False)
    found = best_f1(instance, Limits(seconds=5))
    assert found.value <= found.bound
    assert found.value == f1(instance, found.chosen) > 1
