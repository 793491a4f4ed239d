"""Correlation against scipy, exact enumeration, and a published example of Williams' test."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from topline.errors import MetricError, OptionError
from topline.judge.correlation import coefficient, correlate, williams
from topline.judge.distributions import incomplete_beta, student_p

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
KINDS = [*SCIPY]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("levels", [3, 8, 10**6])
def test_coefficients_are_scipys(kind, levels):
    rng = np.random.default_rng(levels)
    for n in (2, 3, 5, 17, 200):
        x, y = rng.integers(0, levels, (2, n)).astype(float)
        y += x * (n % 2)
        if len(set(x)) < 2 or len(set(y)) < 2:
            assert coefficient(kind, x, y) is None
        else:
            assert coefficient(kind, x, y) == pytest.approx(SCIPY[kind](x, y).statistic, abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12))
def test_kendall_counts_pairs(pairs):
    x, y = np.array(pairs, float).T.copy()
    con = dis = tx = ty = 0
    for i in range(len(x)):
        for j in range(i):
            s = np.sign(x[i] - x[j]) * np.sign(y[i] - y[j])
            con, dis = con + (s > 0), dis + (s < 0)
            tx, ty = tx + (x[i] != x[j]), ty + (y[i] != y[j])
    expected = (con - dis) / np.sqrt(tx * ty) if tx * ty else None
    assert coefficient("kendall", x, y) == (expected if expected is None else pytest.approx(expected))


@pytest.mark.parametrize("kind", KINDS)
def test_constant_columns_are_undefined_and_said(kind):
    flat, risen = np.full((5, 1), 0.1), np.arange(5.0)[:, None]
    result = correlate(flat, risen, kind=kind)
    assert (result.r, result.p, result.low) == (None, None, None)
    assert result.why == "the metric column is constant"
    assert correlate(risen, flat, kind=kind).why == "the human column is constant"
    assert "metric and the human" in correlate(flat, flat, kind=kind).why
    assert "fewer than two systems" in correlate(risen[:1], risen[:1], kind=kind).why
    assert correlate(flat, risen, kind=kind, level="topic").why == "a column is constant in every topic"
    assert correlate(flat, risen, kind=kind, level="pooled").r is None


@pytest.mark.parametrize("kind", KINDS)
def test_permutation_p_of_few_systems_is_exact(kind):
    rng = np.random.default_rng(7)
    for n in (3, 5, 6):
        x, y = rng.integers(0, 5, n).astype(float), rng.integers(0, 5, n).astype(float)
        r = coefficient(kind, x, y)
        result = correlate(x[:, None], y[:, None], kind=kind, samples=1000)
        if r is None:
            assert result.p is None
            continue
        every = [SCIPY[kind](x, y[list(order)]).statistic for order in permutations(range(n))]
        assert result.exact
        assert result.p == pytest.approx(np.mean(np.abs(every) >= abs(r) - 1e-9))


def test_sampled_permutation_p_and_bootstrap_interval_are_near_scipys():
    rng = np.random.default_rng(3)
    x = rng.normal(size=40)
    y = x + rng.normal(size=40) * 2.5
    result = correlate(x[:, None], y[:, None], samples=20_000)
    assert not result.exact
    assert result.p == pytest.approx(stats.pearsonr(x, y).pvalue, abs=0.01)
    peer = stats.bootstrap(
        (x, y), lambda a, b: stats.pearsonr(a, b).statistic, paired=True, vectorized=False,
        n_resamples=4000, method="percentile", rng=np.random.default_rng(1),
    ).confidence_interval  # fmt: skip
    assert (result.low, result.high) == pytest.approx((peer.low, peer.high), abs=0.03)
    assert (result.null_low, result.null_high) == pytest.approx((-0.312, 0.312), abs=0.02)


def tables(systems=9, topics=12, seed=1):
    rng = np.random.default_rng(seed)
    metric = rng.random((systems, topics)) + np.linspace(0, 1, systems)[:, None]
    human = metric + rng.random((systems, topics))
    return metric, np.round(human, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_levels_average_what_they_say(kind):
    metric, human = tables()
    human[2, 3] = np.nan
    system = correlate(metric, human, kind=kind).r
    assert system == pytest.approx(SCIPY[kind](metric.mean(axis=1), np.nanmean(human, axis=1)).statistic)
    there = ~np.isnan(human)
    each = [
        SCIPY[kind](metric[there[:, t], t], human[there[:, t], t]).statistic for t in range(metric.shape[1])
    ]
    topic = correlate(metric, human, kind=kind, level="topic")
    assert topic.r == pytest.approx(np.mean(each))
    assert topic.n == 12
    pooled = correlate(metric, human, kind=kind, level="pooled")
    assert pooled.r == pytest.approx(SCIPY[kind](metric[there], human[there]).statistic)
    assert pooled.n == 9 * 12 - 1
    for result in (topic, pooled):
        assert result.low < result.r < result.high
        assert 0 < result.p < 0.05


def test_a_constant_topic_is_left_out_and_counted():
    metric, human = tables()
    human[:, 4] = 1.0
    result = correlate(metric, human, level="topic")
    assert (result.n, result.undefined) == (11, 1)


def test_human_scores_per_system_serve_the_system_level_only():
    metric, human = tables()
    means = human.mean(axis=1, keepdims=True)
    assert correlate(metric, means).r == pytest.approx(correlate(metric, human).r)
    with pytest.raises(MetricError, match="human scores for every topic"):
        correlate(metric, means, level="topic")


@pytest.mark.parametrize("level", ["system", "topic", "pooled"])
def test_the_seed_decides(level):
    metric, human = tables()
    first = correlate(metric, human, level=level, seed=5)
    assert first == correlate(metric, human, level=level, seed=5)
    assert first.low != correlate(metric, human, level=level, seed=6).low


def test_a_wrong_kind_or_level_is_refused():
    metric, human = tables()
    for options in ({"kind": "cosine"}, {"level": "word"}, {"samples": 0}, {"confidence": 1.0}):
        with pytest.raises(OptionError):
            correlate(metric, human, **options)


def test_williams_published_example():
    """Howell, Statistical Methods for Psychology (6th edition, p. 262), as B. Weaver's program prints it."""
    result = williams(0.80, 0.72, 0.89, 26)
    assert (round(result.t, 3), result.df, round(result.p, 3)) == (1.361, 23, 0.187)
    swapped = williams(0.72, 0.80, 0.89, 26)
    assert (swapped.t, swapped.p) == (-result.t, result.p)


@pytest.mark.parametrize(
    ("r12", "r13", "r23", "n", "t", "p"),
    [(0.5447, 0.8, 0.0729, 70, -2.8114, 0.0065), (0.8066, 0.2383, 0.2255, 177, 9.3823, 0.0)],
)
def test_williams_as_the_cocor_package_for_r_prints_it(r12, r13, r23, n, t, p):
    result = williams(r12, r13, r23, n)
    assert result.t == pytest.approx(t, abs=0.002)
    assert result.p == pytest.approx(p, abs=5e-5)


def test_williams_says_when_there_is_nothing_to_test():
    assert williams(0.5, 0.4, 0.3, 3).t is None
    alike = williams(0.5, 0.5, 1.0, 20)
    assert alike.t is None
    assert "rank alike" in alike.why


@given(st.floats(0.5, 300), st.floats(0, 60))
def test_student_tail_is_scipys(df, t):
    assert student_p(t, df) == pytest.approx(2 * stats.t.sf(t, df), rel=1e-9, abs=1e-300)


@given(st.floats(0.1, 50), st.floats(0.1, 50), st.floats(0, 1))
def test_incomplete_beta_is_scipys(a, b, x):
    assert incomplete_beta(a, b, x) == pytest.approx(stats.beta.cdf(x, a, b), rel=1e-9, abs=1e-12)
