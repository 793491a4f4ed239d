"""Draws are uniform, intervals hold, and nothing depends on threads."""

import random
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from tests.spread_cases import random_case, random_document
from topline.rouge.metric import Metric
from topline.spread import extracts as kinds
from topline.spread.bounds import SCALE
from topline.spread.encode import Tables, encode
from topline.spread.exhaustive import enumerate_all
from topline.spread.frontier import Frontier
from topline.spread.intervals import band, beta_share, clopper_pearson
from topline.spread.sample import Sampler
from topline.spread.tilt import Tilt, rare
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
    ("metric", "references", "kind"),
    [
        ("rouge-1", 1, "chopped"),
        ("rouge-2", 2, "chopped"),
        ("rouge-su4", 1, "chopped"),
        ("rouge-1", 2, "fitting"),
    ],
)
def test_tilted_draws_bound_the_tail(metric, references, kind):
    made = random_document(3, 24, references=references, length=80)
    encoding = encode(made.texts(), made.references, Metric.parse(metric), Budget(50, "w"))
    (frame,) = kinds.frames(encoding.lengths.tolist(), 50, kind)
    counts = Frontier.of(encoding, frame, 2**40).count(10**10)
    tilts = Tilt.of(encoding, frame, Tables.of(encoding, chopped=frame.chopped))
    top = max(counts)
    thresholds = range(max(1, top - 15), top + 3)
    bounds = rare(tilts, thresholds, 20_000_000, 1)
    assert bounds == rare(tilts, thresholds, 20_000_000, 1)
    for index in thresholds:
        low, high = bounds[index]
        true = sum(count for at, count in counts.items() if at >= index)
        assert low <= true <= high
        # equal bounds would claim to know
        assert low < high or high == true == 0
        if true > 1000:
            assert high < 2 * low


def test_draws_are_tilted_as_the_table_says():
    """Weighed back, tilted draws have the distribution of all extracts."""
    made = random_document(3, 20)
    encoding = encode(made.texts(), made.references, Metric.parse("rouge-1"), Budget(40, "w"))
    (frame,) = kinds.frames(encoding.lengths.tolist(), 40, "chopped")
    counts = Frontier.of(encoding, frame, 2**40).count(10**10)
    tilts = Tilt.of(encoding, frame, Tables.of(encoding, chopped=True))
    for tilt, theta in ((tilts[0], 0.0), (tilts[0], 0.2), (tilts[-1], 0.2)):
        tables = tilt.table(theta)
        indices, worth = tilt.draw(theta, tables, 100_000, np.random.default_rng(1))
        weights = np.exp(-theta / SCALE * worth)
        number = tilt.total(tables) * weights.mean()
        assert number == pytest.approx(sum(counts.values()), rel=1e-9 if theta == 0 else 0.02)
        mean = np.average(indices, weights=weights)
        true = sum(i * c for i, c in counts.items()) / sum(counts.values())
        assert mean == pytest.approx(true, rel=0.01)


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
