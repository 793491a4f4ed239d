"""Significance tests against scipy and exact enumeration; the same bytes for any number of threads."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from topline.errors import OptionError
from topline.judge.significance import (
    TESTS,
    Matrix,
    better,
    compare,
    exact_topics,
    holm,
    intervals,
    letters,
    superscript,
    whole,
)


def matrix(values):
    values = np.asarray(values, float)
    systems, topics = values.shape
    return Matrix(tuple(f"s{i}" for i in range(systems)), tuple(f"t{i}" for i in range(topics)), values)


def every_sign(differences):
    """p by going through all choices of signs, in whole numbers."""
    observed = abs(sum(differences))
    sums = [abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
            for signs in product((1, -1), repeat=len(differences))]  # fmt: skip
    return sum(s >= observed for s in sums) / len(sums)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=9))
def test_randomisation_is_exact_enumeration(pairs):
    scores = np.array(pairs, float).T
    result = compare(matrix(scores))
    assert result.exact.all()
    assert result.p[0] == every_sign([a - b for a, b in pairs])


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=10))
def test_wilcoxon_with_ties_is_exact_enumeration(pairs):
    differences = [a - b for a, b in pairs if a != b]
    result = compare(matrix(np.array(pairs, float).T), "wilcoxon")
    if not differences:
        assert result.p[0] == 1
        return
    doubled = (2 * stats.rankdata(np.abs(differences))).astype(int)
    signed = [int(r) * (1 if d > 0 else -1) for r, d in zip(doubled, differences, strict=True)]
    assert result.p[0] == pytest.approx(every_sign(signed), rel=1e-12)


@pytest.mark.parametrize("topics", [8, 30, 49])
def test_wilcoxon_without_ties_is_scipys_exact(topics):
    rng = np.random.default_rng(topics)
    scores = rng.random((3, topics)) + np.array([[0.0], [0.1], [0.3]])
    result = compare(matrix(scores), "wilcoxon")
    for k, (i, j) in enumerate(result.pairs):
        peer = stats.wilcoxon(scores[i], scores[j], method="exact")
        assert result.p[k] == pytest.approx(peer.pvalue, rel=1e-9)


@pytest.mark.parametrize("levels", [7, 10**6])
def test_wilcoxon_of_many_topics_is_scipys_normal_approximation(levels):
    rng = np.random.default_rng(levels)
    scores = rng.integers(0, levels, (4, 800)).astype(float)
    result = compare(matrix(scores), "wilcoxon")
    for k, (i, j) in enumerate(result.pairs):
        peer = stats.wilcoxon(scores[i], scores[j], method="asymptotic", correction=False)
        assert result.p[k] == pytest.approx(peer.pvalue, rel=1e-9)
    assert not result.exact.any()


def test_wilcoxon_sorts_skewed_differences_too():
    rng = np.random.default_rng(2)
    scores = np.exp(rng.normal(size=(2, 700)) * 2)
    result = compare(matrix(scores), "wilcoxon")
    assert result.p[0] == pytest.approx(
        stats.wilcoxon(*scores, method="asymptotic", correction=False).pvalue, rel=1e-6
    )


def test_thirty_topics_are_counted_out_and_agree_with_sampling():
    rng = np.random.default_rng(4)
    scores = rng.random((2, 30)) + np.array([[0.0], [0.12]])
    exact = compare(matrix(scores))
    assert exact.exact.all()
    peer = stats.permutation_test(
        tuple(scores), lambda a, b: np.mean(a - b), permutation_type="samples", n_resamples=40_000,
        rng=np.random.default_rng(1),
    )  # fmt: skip
    assert exact.p[0] == pytest.approx(peer.pvalue, abs=0.01)


def test_sampled_randomisation_and_bootstrap_follow_the_t_test():
    rng = np.random.default_rng(6)
    scores = rng.random((2, 400)) + np.array([[0.0], [0.04]])
    peer = stats.ttest_rel(*scores).pvalue
    for test in ("randomisation", "bootstrap"):
        result = compare(matrix(scores), test, samples=20_000)
        assert not result.exact.any()
        assert result.p[0] == pytest.approx(peer, abs=0.01)


def test_bootstrap_against_its_own_definition():
    rng = np.random.default_rng(8)
    scores = rng.integers(0, 9, (3, 40)).astype(float)
    result = compare(matrix(scores), "bootstrap", samples=500, seed=11)
    draw = np.random.default_rng(11).integers(0, 40, (500, 40))
    for k, (i, j) in enumerate(result.pairs):
        d = scores[i] - scores[j]
        strayed = np.abs(d[draw].sum(axis=1) - d.sum()) >= abs(d.sum())
        assert result.p[k] == (strayed.sum() + 1) / 501


@pytest.mark.parametrize("test", TESTS)
def test_threads_change_nothing(test):
    rng = np.random.default_rng(9)
    scores = matrix(np.round(rng.random((100, 45)), 2))
    one, four = (compare(scores, test, samples=2500, jobs=jobs) for jobs in (1, 4))
    assert one.p.tobytes() == four.p.tobytes()
    assert one.holm.tobytes() == four.holm.tobytes()


@pytest.mark.parametrize("test", TESTS)
def test_a_tie_is_never_a_win(test):
    tenths = [0.1, 0.2, 0.3] * 20
    turned = [0.3, 0.1, 0.2] * 20
    result = compare(matrix([tenths, turned, tenths]), test)
    assert (result.differences == 0).all()
    assert test == "wilcoxon" or result.p.tolist() == [1, 1, 1]
    assert better(result, 3, alpha=1.0) == [(), (), ()]


def test_sums_that_differ_in_floats_only_are_equal():
    one, other = [0.1 + 0.2, 0.3, 0.5], [0.3, 0.1 + 0.2, 0.5]
    result = compare(matrix([one, other]))
    assert (result.differences[0], result.p[0]) == (0, 1)


def test_winners_and_their_superscripts():
    rng = np.random.default_rng(10)
    scores = rng.random((3, 60)) * 0.1 + np.array([[0.0], [1.0], [0.0]])
    result = compare(matrix(scores), "wilcoxon")
    assert better(result, 3) == [(), (0, 2), ()]
    assert superscript(["a", "c"]) == "ac"
    assert superscript(["a", "aa"]) == "a,aa"
    assert superscript([]) == ""
    assert letters(28)[25:] == ["z", "aa", "ab"]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_by_its_definition(values):
    p = np.array(values)
    corrected = holm(p)
    order = sorted(range(len(p)), key=lambda i: (p[i], i))
    highest = 0.0
    for step, i in enumerate(order):
        highest = max(highest, p[i] * (len(p) - step))
        assert corrected[i] == min(highest, 1.0)


def test_intervals_hold_the_mean():
    rng = np.random.default_rng(12)
    values = rng.random((2, 80)) - 0.5
    for row, (low, high) in zip(values, intervals(values), strict=True):
        spread = row.std() / np.sqrt(80)
        assert (low, high) == pytest.approx(
            (row.mean() - 1.96 * spread, row.mean() + 1.96 * spread), abs=0.01
        )
    assert intervals(np.zeros((1, 5))) == [(0.0, 0.0)]


def test_more_pairs_leave_fewer_topics_to_count_out():
    assert exact_topics(1) == 30
    assert exact_topics(499_500) == 20


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_whole_numbers_are_whole_and_near(values):
    scaled = whole(np.array([values]))
    assert (scaled == np.rint(scaled)).all()
    assert np.abs(scaled).sum() < 2**51
    assert np.corrcoef(scaled[0], values)[0, 1] == pytest.approx(1) if len(set(values)) > 5 else True


def test_bad_comparisons_are_refused():
    with pytest.raises(OptionError, match="two systems"):
        compare(matrix([[1.0, 2.0]]))
    with pytest.raises(OptionError, match="is no test"):
        compare(matrix([[1.0], [2.0]]), "t")
    with pytest.raises(OptionError, match="finite"):
        compare(matrix([[1.0], [np.nan]]))
    with pytest.raises(OptionError, match="resamples"):
        compare(matrix([[1.0], [2.0]]), samples=0)
