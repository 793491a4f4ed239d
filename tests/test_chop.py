"""Chopped extracts against brute force over every extract, words and bytes."""

from itertools import combinations
from random import Random

import numpy as np
import pytest

from tests.test_build import PLAIN, topic_of
from topline import Budget, Metric
from topline.corpus.sample import sample
from topline.errors import BudgetError, MetricError, OptionError
from topline.problem.build import build
from topline.problem.cuts import choppable
from topline.search.chop import _subset, best_chop, greedy_chop, most_chopped
from topline.search.exact import Limits, solve
from topline.search.prices import cut_bounds

WORDS = ["a", "b", "c", "d", "ab", "abc", "th", "the"]
"""Some begin others, so that a cut within a word matches what the word does not."""


def cases(count, seed, budgets):
    rng = Random(seed)
    made = 0
    while made < count:
        words = WORDS[: rng.randint(2, 8)]

        def text(low, high, words=words):
            return " ".join(rng.choice(words) for _ in range(rng.randint(low, high)))

        sentences = [text(0, 5) for _ in range(rng.randint(1, 6))]
        if rng.random() < 0.4:
            sentences += rng.choices(sentences, k=1)
        topic = topic_of(sentences, [[text(2, 7)] for _ in range(rng.randint(1, 3))])
        names = ["rouge-1", "rouge-2", "rouge-1+rouge-2", "rouge-su1"]
        metric = Metric.parse(rng.choice(names), PLAIN)
        budget = Budget.parse(rng.choice(budgets), chop=True)
        try:
            (given,) = choppable(topic, metric, budget)
        except MetricError:
            continue
        made += 1
        yield topic, metric, budget, given


def cut(text, kept, budget):
    if budget.unit == "b":
        return text.encode()[:kept].decode("utf-8", "ignore")
    return " ".join(text.split()[:kept])


def hits(texts, topic, metric):
    """The hits of texts as they stand, by the builder that knows of no cuts."""
    references = [reference.sentences for reference in topic.references]
    (instance,) = build(topic_of([*texts, ""], references), metric, Budget.parse("1w"))
    return instance.problem.hits(range(len(texts)))


def brute_force(topic, metric, budget):
    texts, limit = topic.texts(), budget.limit(topic.texts())
    lengths = [budget.length(text) for text in texts]
    best = 0
    for size in range(len(texts) + 1):
        for whole in combinations(range(len(texts)), size):
            length = sum(lengths[i] for i in whole)
            inside = [texts[i] for i in whole]
            if length <= limit:
                best = max(best, hits(inside, topic, metric))
            if length < limit:
                for last in set(range(len(texts))) - set(whole):
                    if length + lengths[last] > limit:
                        kept = cut(texts[last], limit - length, budget)
                        best = max(best, hits([*inside, kept], topic, metric))
    return best


@pytest.mark.parametrize(
    ("budgets", "seed"), [(("3w", "5w", "7w", "12w", "50%"), 41), (("5b", "9b", "13b", "20b"), 42)]
)
def test_the_best_of_all_chopped_extracts(budgets, seed):
    cuts = 0
    for topic, metric, budget, given in cases(80, seed, budgets):
        best = brute_force(topic, metric, budget)
        found = best_chop(given)
        assert (found.value, found.bound, found.proved) == (best, best, True)
        texts = [topic.texts()[i] for i in found.chosen]
        if found.cut is not None:
            cuts += 1
            assert found.cut not in found.chosen
            assert 0 < found.kept < budget.length(topic.texts()[found.cut])
            texts.append(cut(topic.texts()[found.cut], found.kept, budget))
            assert found.length == budget.limit(topic.texts())
        assert hits(texts, topic, metric) == best
        assert found.length == sum(map(budget.length, texts)) <= budget.limit(topic.texts())
        greedy = greedy_chop(given)
        assert greedy.value <= best <= most_chopped(given)
    assert cuts > 10


def test_the_bound_of_every_cut_holds():
    """What each cut can reach with the best company, by brute force, is within its Lagrangian bound."""
    for _, _, _budget, given in cases(60, 43, ("5w", "7w", "12w")):
        problem, cuts = given.instance.problem, given.cuts
        bounds = cut_bounds(problem, cuts, 0)
        for number, bound in enumerate(bounds):
            grams, counts = cuts.entries(number)
            last, low = int(cuts.sentence[number]), int(cuts.low[number])
            others = [i for i in range(problem.sentences) if i != last]
            for size in range(len(others) + 1):
                for whole in combinations(others, size):
                    if problem.length(whole) + low <= problem.budget:
                        assert covered(problem, whole, grams, counts) <= bound


def covered(problem, whole, grams, counts):
    have = np.zeros(len(problem.gain_starts), np.int64)
    have[grams] += counts
    for i in whole:
        entries = slice(problem.starts[i], problem.starts[i + 1])
        have[problem.grams[entries]] += problem.counts[entries]
    ends = np.minimum(problem.gain_starts[:-1] + have[:-1], problem.gain_starts[1:])
    return sum(int(problem.gains[a:b].sum()) for a, b in zip(problem.gain_starts, ends, strict=False))


def test_a_cut_byte_can_make_another_word():
    topic = topic_of(["b there", "x"], [["b the"]])
    (given,) = choppable(topic, Metric.parse("rouge-2", PLAIN), Budget.parse("5b", chop=True))
    found = best_chop(given)
    assert (found.value, found.cut, found.kept) == (1, 0, 5)


def test_filling_up_to_an_exact_length():
    """Seven bytes would keep `ther`; sentences that match nothing fill the room that must not be kept."""
    topic = topic_of(["b there", "xx"], [["b the"]])
    (given,) = choppable(topic, Metric.parse("rouge-2", PLAIN), Budget.parse("7b", chop=True))
    found = best_chop(given)
    assert (found.value, found.chosen, found.cut, found.kept) == (1, (1,), 0, 5)


def test_subsets_of_a_length():
    rng = Random(44)
    for _ in range(200):
        lengths = [rng.randint(1, 9) for _ in range(rng.randint(0, 7))]
        least = rng.randint(-3, 25)
        most = least + rng.randint(0, 3)
        sums = {sum(some) for size in range(len(lengths) + 1) for some in combinations(lengths, size)}
        found = _subset(list(range(len(lengths))), lengths, least, most)
        if not any(least <= total <= most for total in sums):
            assert found is None
        else:
            assert found is not None
            assert len(set(found)) == len(found)
            assert least <= sum(lengths[i] for i in found) <= most


def test_the_sample_corpus_within_a_second_or_so():
    from topline import read_corpus

    for topic in list(read_corpus(sample("news")))[:2]:
        (given,) = choppable(topic, Metric.parse("rouge-2"), Budget.parse("100w", chop=True))
        whole = solve(given.instance.problem).value
        found = best_chop(given, Limits(seconds=20))
        assert found.proved
        assert max(whole, greedy_chop(given).value) <= found.value == found.bound


def test_what_cannot_be_chopped():
    with pytest.raises(BudgetError, match="cannot be chopped"):
        Budget.parse("3s", chop=True)
    with pytest.raises(OptionError, match="cannot be chopped"):
        choppable(topic_of(["a"], [["a"]]), Metric.parse("rouge-1"), Budget.parse("3s"))
    with pytest.raises(MetricError, match="undefined"):
        choppable(topic_of(["a"], [["..."]]), Metric.parse("rouge-1"), Budget.parse("3w", chop=True))
