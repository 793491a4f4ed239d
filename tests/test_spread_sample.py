"""Draws are uniform, intervals hold, and nothing depends on threads."""

import random
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from tests.spread_cases import random_case, random_document
from topline.rouge.metric import Metric
from topline.spread import extracts as kinds
from topline.spread.encode import Tables, encode
from topline.spread.exhaustive import enumerate_all
from topline.spread.frontier import Frontier
from topline.spread.intervals import band, beta_share, clopper_pearson
from topline.spread.sample import Sampler
from topline.text.budget import Budget

DRAWS = 20_000


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_draws_are_uniform(kind):
    """The p-values of many chi-square tests are uniform themselves."""
    rng = random.Random(kind)
    p_values = []
    for case in range(40):
        sentences, references, metric, budget = random_case(rng)
        encoding = encode(sentences, references, metric, Budget(budget, "w"))
        frames = kinds.frames(encoding.lengths.tolist(), budget, kind)
        tables = Tables.of(encoding, chopped=frames[0].chopped)
        counts = enumerate_all(encoding, frames, tables)
        drawn = Sampler.of(encoding, frames, tables).block(0, case, DRAWS)[:, 0]
        seen = Counter(encoding.values[0][drawn].tolist())
        assert set(seen) <= set(counts)
        if len(counts) > 1:
            shares = np.array([*counts.values()]) / sum(counts.values())
            expected = shares * DRAWS
            p_values.append(stats.chisquare([seen[hits] for hits in counts], expected).pvalue)
    assert stats.kstest(p_values, "uniform").pvalue > 1e-3
    assert min(p_values) > 1e-5


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_numbers_of_several_limbs_are_drawn_alike(kind):
    made = random_document(5, 150, mean=5, length=30)
    metric, budget = Metric.parse("rouge-2"), Budget.parse("250w")
    encoding = encode(made.texts(), made.references, metric, budget)
    frames = kinds.frames(encoding.lengths.tolist(), 250, kind)
    number = kinds.count(encoding.lengths.tolist(), frames)
    assert number > 2**80
    counts = Counter()
    for frame in frames:
        counts.update(Frontier.of(encoding, frame, number).count(10**10))
    assert sum(counts.values()) == number
    sampler = Sampler.of(encoding, frames, Tables.of(encoding, chopped=frames[0].chopped))
    drawn = np.sort(sampler.block(0, 3, DRAWS)[:, 0])
    below = 0
    for index in sorted(counts):
        below += counts[index]
        share = np.searchsorted(drawn, index, "right") / DRAWS
        assert abs(share - below / number) < band(DRAWS, 1 - 1e-6)


def test_a_block_depends_on_its_seed_and_number_alone():
    made = random_document(1, 20)
    encoding = encode(made.texts(), made.references, Metric.parse("rouge-1"), Budget(50, "w"))
    frames = kinds.frames(encoding.lengths.tolist(), 50, "chopped")
    sampler = Sampler.of(encoding, frames, Tables.of(encoding, chopped=True))
    assert np.array_equal(sampler.block(4, 1, 500), sampler.block(4, 1, 500))
    assert not np.array_equal(sampler.block(4, 1, 500), sampler.block(5, 1, 500))
    assert not np.array_equal(sampler.block(4, 1, 500), sampler.block(4, 2, 500))


@pytest.mark.parametrize(
    ("found", "draws"), [(0, 10), (1, 10), (7, 10), (10, 10), (3, 10**7), (10**7 - 1, 10**7)]
)
def test_clopper_pearson_is_the_beta_distributions(found, draws):
    low, high = clopper_pearson(found, draws, 0.99)
    assert low == pytest.approx(stats.beta.ppf(0.005, found, draws - found + 1) if found else 0, rel=1e-7)
    assert high == pytest.approx(
        stats.beta.ppf(0.995, found + 1, draws - found) if found < draws else 1, rel=1e-7
    )
    assert low <= found / draws <= high


def test_the_incomplete_beta_function():
    for a, b, x in [(1, 1, 0.3), (0.5, 8, 0.01), (200, 3, 0.97), (5e6, 5e6, 0.5001)]:
        assert beta_share(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), rel=1e-6)
    assert (beta_share(0, 2, 3), beta_share(1, 2, 3)) == (0, 1)


def test_the_band_is_dvoretzky_kiefer_and_wolfowitzs():
    assert band(11_000_000) * 2 < 0.001
    assert 2 * np.exp(-2 * 1000 * band(1000) ** 2) == pytest.approx(0.01)
