"""Small random topics and their brute force, shared by the tests of the search."""

from itertools import combinations
from random import Random

from tests.test_build import PLAIN, topic_of
from topline import Budget, Metric
from topline.errors import MetricError
from topline.problem.build import build

METRICS = ("rouge-1", "rouge-2", "rouge-1+rouge-2", "rouge-su1+rouge-1+rouge-2")
BUDGETS = ("3s", "2s", "7w", "12w", "20b", "50%")


def random_topic(rng: Random, most: int = 8):
    """A topic with repeated n-grams, doubled and empty sentences, sentences that share nothing."""
    letters = "abcdefgh"[: rng.randint(2, 8)]

    def text(low, high):
        return " ".join(rng.choice(letters) for _ in range(rng.randint(low, high)))

    sentences = [text(0, 6) for _ in range(rng.randint(1, most))] + ["x y"] * (rng.random() < 0.3)
    if rng.random() < 0.4:
        sentences += rng.choices(sentences, k=2)
    return topic_of(sentences, [[text(2, 7)] for _ in range(rng.randint(1, 3))])


def instances(count: int, seed: int, *, metrics=METRICS, budgets=BUDGETS):
    """So many random instances whose score is defined."""
    rng = Random(seed)
    made = 0
    while made < count:
        topic = random_topic(rng)
        metric = Metric.parse(rng.choice(metrics), PLAIN)
        try:
            (instance,) = build(topic, metric, Budget.parse(rng.choice(budgets)))
        except MetricError:
            continue
        made += 1
        yield instance


def feasible(problem, *, overlapping=False):
    """Every set of sentences within the budget; of overlapping sentences only, if asked."""
    places = [
        i for i in range(problem.sentences) if not overlapping or problem.starts[i + 1] > problem.starts[i]
    ]
    for size in range(len(places) + 1):
        for chosen in combinations(places, size):
            if problem.length(chosen) <= problem.budget:
                yield chosen
