"""Random: sentences in a random order (Ceylan et al. 2010, section 6: a random score each, best first).

The order depends on the seed and the topic's id alone, not on the other topics. Where the budget is a
number of sentences every set of that size is equally likely, and the expected score is a closed form:
`expected_score` is exact, without drawing. Under a budget of words or bytes there is none (the chance of
a set depends on what happens to fit), so there it has to be sampled.
Left out: the paper's scores are whole numbers from 1 to 100, which tie; a shuffle has no ties.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from math import comb
from typing import ClassVar

import numpy as np

from topline.corpus.records import Topic
from topline.errors import BudgetError
from topline.problem.build import build
from topline.problem.problem import Problem
from topline.rouge.metric import Metric
from topline.systems.fill import Room, fill
from topline.systems.prepared import Prepared
from topline.systems.system import System, check
from topline.text.budget import Budget


@dataclass(frozen=True)
class Random(System):
    """A seeded shuffle."""

    name: ClassVar[str] = "random"
    paper: ClassVar[str] = "Ceylan et al. 2010, section 6"

    seed: int = 0

    def __post_init__(self) -> None:
        check(self.name, "seed", self.seed, 0, 2**63 - 1)

    def choose(self, topic: Prepared, room: Room) -> list[int]:
        """Sentences in a random order, while they fit."""
        digest = blake2b(topic.topic.id.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        # a section is a topic with the same id: its first sentence tells it from the others
        first = blake2b("\n".join(topic.texts).encode("utf-8", "surrogatepass"), digest_size=8).digest()
        words = [self.seed, int.from_bytes(digest), int.from_bytes(first)]
        generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence(words)))
        return fill(generator.permutation(len(topic)).tolist(), room)


def expected_hits(problem: Problem, size: int) -> Fraction:
    """The mean of f(S) over all sets of `size` sentences, exactly.

    The mean is linear: for every n-gram the chance of each count in the set comes from a convolution
    over the sentences that hold it; the rest of the set is any of the other sentences.
    """
    n = problem.sentences
    if not 0 <= size <= n:
        raise BudgetError(f"no {size} of {n} sentences can be drawn", hint="a size up to their number")
    held: dict[int, list[int]] = {}
    for gram, count in zip(problem.grams.tolist(), problem.counts.tolist(), strict=True):
        held.setdefault(gram, []).append(count)
    total = Fraction(0)
    for gram, counts in held.items():
        gains = problem.gains[problem.gain_starts[gram] : problem.gain_starts[gram + 1]].tolist()
        total += _expected_gain(counts, gains, n, size)
    return total - Fraction(size * int(problem.charges.sum()), n) if n else total


def expected_score(topic: Topic, metric: Metric, size: int) -> Fraction:
    """The mean recall of all extracts of `size` sentences against the pooled references, exactly.

    N-grams are counted within sentences, as everything that searches does; for a sum of metrics it is the
    sum of the recalls.
    """
    (instance,) = build(topic, metric, Budget(max(size, 1), "s"))
    return expected_hits(instance.problem, size) / instance.denominator


def _expected_gain(counts: list[int], gains: list[int], n: int, size: int) -> Fraction:
    """The mean gain of one n-gram: `ways[k][c]` sets of k holders have count c (capped where gains end)."""
    cap = len(gains)
    ways = [[0] * (cap + 1) for _ in range(min(len(counts), size) + 1)]
    ways[0][0] = 1
    for count in counts:
        for k in range(len(ways) - 1, 0, -1):
            for c, number in enumerate(ways[k - 1]):
                if number:
                    ways[k][min(cap, c + count)] += number
    others = n - len(counts)
    sum_ = 0
    for k, row in enumerate(ways):
        rest = comb(others, size - k)
        sum_ += rest * sum(number * sum(gains[:c]) for c, number in enumerate(row))
    return Fraction(sum_, comb(n, size))
