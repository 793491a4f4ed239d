"""Algorithm 2 and the F1 greedy against twins that follow the text line by line."""

from fractions import Fraction

import numpy as np

from tests.search_cases import feasible, instances
from tests.test_build import PLAIN, topic_of
from topline import Budget, Metric
from topline.problem.build import build
from topline.search.f1 import f1, greedy_f1, most_f1
from topline.search.greedy import greedy, overlapping


def algorithm_2(problem):
    """Lines 1-13 as printed, D being the overlapping sentences."""
    length, chosen, left = 0, [], list(map(int, overlapping(problem)))
    everything = list(left)
    while left:
        best = max(
            left,
            key=lambda s: (
                Fraction(problem.hits([*chosen, s]) - problem.hits(chosen), int(problem.lengths[s])),
                -s,
            ),
        )
        length += int(problem.lengths[best])
        if length <= problem.budget:
            chosen.append(best)
        left.remove(best)
    fitting = [i for i in everything if problem.lengths[i] <= problem.budget]
    single = max(fitting, key=lambda i: (problem.hits([i]), -i), default=None)
    if single is not None and problem.hits([single]) >= problem.hits(chosen):
        return (single,)
    return tuple(sorted(chosen))


def test_algorithm_2_is_followed_to_the_letter():
    for instance in instances(400, 1):
        found = greedy(instance.problem)
        assert found.chosen == algorithm_2(instance.problem)
        assert found.value == instance.problem.hits(found.chosen)
        assert found.length == instance.problem.length(found.chosen) <= instance.problem.budget


def test_the_bound_is_above_every_extract():
    for instance in instances(200, 2):
        found = greedy(instance.problem)
        best = max(instance.problem.hits(chosen) for chosen in feasible(instance.problem))
        assert found.value <= best <= found.bound
        assert found.proved == (found.value == found.bound)


def test_the_first_sentence_that_does_not_fit_uses_up_the_room():
    sentences = ["a b", "c d e f g h", "i"]
    (instance,) = build(
        topic_of(sentences, [["a b c d e f g h i"]]), Metric.parse("rouge-1", PLAIN), Budget.parse("3w")
    )
    # all are equally dense: the first joins, the second does not fit, the third would
    assert greedy(instance.problem).chosen == (0,)


def test_the_single_sentence_safeguard():
    sentences = ["a", "b c d e f g h x"]
    (instance,) = build(
        topic_of(sentences, [["a b c d e f g h"]]), Metric.parse("rouge-1", PLAIN), Budget.parse("8w")
    )
    assert greedy(instance.problem).chosen == (1,)


def greedy_by_definition(instance):
    chosen, problem = [], instance.problem
    while True:
        left = [
            i
            for i in map(int, overlapping(problem))
            if i not in chosen and problem.length([*chosen, i]) <= problem.budget
        ]
        best = max(left, key=lambda i: (f1(instance, [*chosen, i]), -i), default=None)
        if best is None or f1(instance, [*chosen, best]) <= f1(instance, chosen):
            return tuple(chosen)
        chosen.append(best)


def test_the_f1_greedy_of_training_pipelines():
    for instance in instances(400, 3):
        chosen = greedy_f1(instance)
        assert chosen == greedy_by_definition(instance)
        assert f1(instance, chosen) <= most_f1(instance)


def test_ten_thousand_identical_sentences():
    topic = topic_of(["a b c"] * 10_000, [["a b c a b"]])
    (instance,) = build(topic, Metric.parse("rouge-1", PLAIN), Budget.parse("60w"))
    found = greedy(instance.problem)
    assert found.value == 5
    assert len(found.chosen) == 20
    assert np.diff(found.chosen).tolist() == [1] * 19
