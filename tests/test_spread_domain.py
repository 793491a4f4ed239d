"""Domains: Algorithm 1 by its letter, the exact convolution by every combination, percentiles by both."""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import floor

import numpy as np
import pytest

from topline.spread.combine import Domain, Ranks, algorithm_1, binned, convolved, moments, percentile_by_bins
from topline.spread.distribution import Distribution, exactly, root, sum_of
from topline.spread.shares import highest, lowest, shares
from topline.spread.words import between, short


def some(rng, total, size=5):
    return exactly({rng.randrange(total + 1): rng.randint(1, 9) for _ in range(size)}, total)


def algorithm_1_by_the_letter(histograms, bins):
    """Lines 1 to 14 of the paper, with bins from 1 and halves rounded up."""
    hd = {j: histograms[0][j - 1] for j in range(1, bins + 1)}
    for i, h in enumerate(histograms[1:], 2):
        ht = Counter()
        for j in range(1, bins + 1):
            for k in range(1, bins + 1):
                a = floor(Fraction(k * (i - 1) + j, i) + Fraction(1, 2))
                ht[a] += hd.get(k, 0.0) * h[j - 1]
        hd = ht
    values = np.array([hd.get(j, 0.0) for j in range(1, bins + 1)])
    return values * bins / values.sum()


def means_of(distributions):
    """The mean score of every combination of extracts."""
    scores = Counter()
    for combination in product(*(one.counts.items() for one in distributions)):
        mean = sum(Fraction(h, d.total) for (h, _), d in zip(combination, distributions, strict=True))
        number = 1
        for _, count in combination:
            number *= count
        scores[mean / len(distributions)] += number
    return scores


def test_algorithm_1_is_the_papers():
    rng = random.Random(1)
    for documents in (1, 2, 3, 5):
        histograms = [binned(some(rng, 37), 40) for _ in range(documents)]
        assert algorithm_1(histograms) == pytest.approx(algorithm_1_by_the_letter(histograms, 40))


def test_bins_are_half_open_and_a_full_score_falls_into_the_last():
    histogram = binned(exactly({0: 1, 46873: 2, 100_000: 1}, 100_000))
    assert {int(at): float(histogram[at]) for at in np.flatnonzero(histogram)} == {0: 250, 468: 500, 999: 250}
    assert histogram.sum() / 1000 == pytest.approx(1)


def test_equation_2_sums_the_bins_below():
    histogram = binned(exactly({100: 1, 200: 2, 300: 1}, 1000))
    assert percentile_by_bins(histogram, Fraction(200, 1000)) == pytest.approx(25)
    assert percentile_by_bins(histogram, Fraction(201, 1000)) == pytest.approx(75)
    assert percentile_by_bins(histogram, Fraction(1)) == pytest.approx(100)


@pytest.mark.parametrize("totals", [(10, 10, 10), (7, 11, 13), (997, 1009, 1013)])
def test_the_convolution_is_every_combination(totals):
    rng = random.Random(str(totals))
    domain = Domain("d", tuple(some(rng, total) for total in totals))
    means = means_of(domain.distributions)
    number = means.total()
    ranks = Ranks.of(domain)
    assert domain.mean == pytest.approx(float(sum(m * c for m, c in means.items()) / number))
    second = sum(m * m * c for m, c in means.items()) / number
    first = sum(m * c for m, c in means.items()) / number
    assert domain.sd == pytest.approx(float(second - first**2) ** 0.5)
    for score in [*random.Random(0).sample(sorted(means), 8), min(means), max(means), Fraction(1, 3)]:
        below = 100 * sum(c for m, c in means.items() if m < score) / number
        above = sum(c for m, c in means.items() if m > score) / number
        middle, low, high = ranks.percentile(score)
        assert low - 1e-9 <= below <= high + 1e-9
        least, most = ranks.above(score)
        assert least - 1e-12 <= above <= most + 1e-12
        if domain.on_lattice:
            assert middle == low == high == pytest.approx(below)
            assert least == most == pytest.approx(above)
        else:
            assert high - low < 5
            assert low - 1e-9 <= middle <= high + 1e-9


def test_rounding_down_and_up_enclose_and_splitting_keeps_the_mean():
    rng = random.Random(5)
    parts = [some(rng, total) for total in (13, 17, 19)]
    grids = {how: convolved(parts, 100, how) for how in ("down", "split", "up")}
    means = {
        how: float((np.arange(len(g.shares)) + g.first) @ g.shares) / g.fineness for how, g in grids.items()
    }
    true = sum(part.mean for part in parts)
    assert means["down"] < true < means["up"]
    assert means["split"] == pytest.approx(true)
    for grid in grids.values():
        assert grid.shares.sum() == pytest.approx(1)


def test_the_far_tail_keeps_its_relative_accuracy():
    part = exactly({0: 10**9, 1: 1}, 10)
    domain = Domain("d", (part,) * 12)
    _, most = Ranks.of(domain).above(Fraction(11, 120))
    assert most == pytest.approx(float(Fraction(1, 10**9 + 1) ** 12), rel=1e-9)


def test_the_pdf_in_bins_has_the_exact_moments_nearly():
    rng = random.Random(2)
    domain = Domain("d", tuple(some(rng, total, 20) for total in (211, 199, 223, 207)))
    mean, sd = moments(domain.pdf())
    assert mean == pytest.approx(domain.mean, abs=0.001)
    assert sd == pytest.approx(domain.sd, rel=0.02)


def test_sections_add():
    parts = [exactly({0: 1, 2: 3}, 9), exactly({1: 2}, 9), exactly({0: 1, 5: 1}, 9)]
    joined = sum_of(parts)
    assert joined.counts == {1: 2, 3: 6, 6: 2, 8: 6}
    assert joined.extracts == 16


def test_questions_to_an_exact_distribution():
    one = exactly({3: 5, 4: 0, 7: 2, 9: 1}, 10)
    assert (one.extracts, one.least, one.most, one.band) == (8, 3, 9, 0.0)
    assert (one.better(7).low, one.equal(7), one.percentile(7)) == (1, 2, (62.5, 62.5))
    assert str(one.better(9)) == "0 of 8"
    assert one.mean == pytest.approx(3.8 / 8)
    assert one.sd == pytest.approx(np.std([0.3] * 5 + [0.7] * 2 + [0.9]))


def test_questions_to_a_sampled_distribution_say_bounds():
    one = Distribution(
        10**20,
        100,
        {10: 600_000, 20: 399_990, 30: 10},
        exact=False,
        draws=10**6,
        tail={50: 40, 60: 2},
        tail_from=50,
    )
    assert str(one.better(50)) == "2 of 1.0e20"
    assert one.better(40).exact is False
    assert one.better(40).low >= 42
    assert str(one.better(40)).startswith("between 1 in ")
    assert one.percentile(20)[0] < 60 < one.percentile(20)[1]
    assert one.percent(20) == 60
    assert one.equal(20) is None
    assert one.most == 60
    assert one.best_known
    draws_alone = one.better(29)
    closer = replace(one, rare={30: (draws_alone.low * 2, draws_alone.high * 2)}).better(29)
    assert draws_alone.low < closer.low < closer.high < 1.1 * draws_alone.high
    apart = replace(one, rare={30: (1, 2)}).better(29)
    assert (apart.low, apart.high > draws_alone.high) == (42, True)
    without = Distribution(10**20, 100, {10: 1000}, exact=False, draws=1000)
    assert str(without.better(10)).startswith("at most 1 in ")
    assert not without.best_known


def drawn(rng, exact, draws, tail_from=None):
    """What sampling an exact distribution would give, its tail known or not."""
    hits = rng.choices([*exact.counts], [*exact.counts.values()], k=draws)
    tail = {h: c for h, c in exact.counts.items() if tail_from is not None and h >= tail_from}
    return Distribution(
        exact.extracts, exact.total, dict(sorted(Counter(hits).items())), exact=False, draws=draws, tail=tail,
        tail_from=tail_from, ceiling=exact.total,
    )  # fmt: skip


def survival(held, hits):
    return sum(share for h, share in held.items() if h >= hits)


@pytest.mark.parametrize("tail_from", [None, 1, 25, 41])
def test_the_band_encloses_the_distribution_and_keeps_the_exact_tail(tail_from):
    rng = random.Random(f"{tail_from}")
    exact = exactly({h: 10 ** (9 - h // 5) + rng.randint(0, 9) for h in range(0, 41, 2)}, 60)
    sampled = drawn(rng, exact, 2000, tail_from)
    low, middle, high = lowest(sampled), shares(sampled), highest(sampled)
    for held in (low, middle, high):
        assert sum(held.values()) == 1
        assert min(held.values()) >= 0
    for hits in range(61):
        true = survival(shares(exact), hits)
        assert survival(low, hits) <= true <= survival(high, hits)
        assert survival(low, hits) <= survival(middle, hits) <= survival(high, hits)
        if tail_from is not None and hits >= tail_from:
            assert survival(low, hits) == survival(high, hits) == true


def test_ranks_of_a_sampled_domain_are_bounds_and_never_called_exact():
    rng = random.Random(8)
    exact = [exactly({h: 10 ** (8 - h // 4) for h in range(33)}, total) for total in (50, 60)]
    true = Ranks.of(Domain("d", tuple(exact)))
    sampled = Ranks.of(Domain("d", tuple(drawn(rng, one, 5000, 21) for one in exact)))
    assert sampled.domain.method == "partly sampled"
    assert true.domain.method == "exact"
    for score in (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2)):
        least, most = sampled.above(score)
        assert least <= true.above(score)[0] <= most
        _, low, high = sampled.percentile(score)
        assert low - 1e-9 <= true.percentile(score)[0] <= high + 1e-9
    best = (Fraction(32, 50) + Fraction(32, 60)) / 2
    assert sampled.domain.optimum == best
    assert sampled.above(best) == true.above(best) == (0, 0)
    assert sampled.above(best - Fraction(1, 10**6))[1] > 0
    unknown = Domain("d", (drawn(rng, exact[0], 100),))
    assert unknown.optimum is None


def test_shares_in_words():
    assert between(Fraction(1, 2 * 10**9), Fraction(1, 10**9)) == "between 1 in 2.0e9 and 1 in 1.0e9"
    assert between(Fraction(3, 40), Fraction(31, 400)) == "between 7.500% and 7.750%"
    assert between(Fraction(1, 1000), Fraction(1, 1000)) == "1 in 1000"
    assert str(exactly({1: 8_600_000_000_000 - 3, 2: 3}, 9).better(1)) == "3 of 8.6e12"


def test_roots_and_long_numbers():
    assert root(Fraction(2)) == pytest.approx(2**0.5)
    assert root(Fraction(1, 10**600)) == pytest.approx(1e-300)
    assert root(Fraction(0)) == 0
    assert [short(n) for n in (0, 999_999, 1_000_000, 9_960_000, 10**40)] == [
        "0", "999999", "1.0e6", "1.0e7", "1.0e40",
    ]  # fmt: skip
