"""Relative utility: the worked examples of Radev et al. 2004, and the closed forms against every extract."""

import json
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from topline.errors import MetricError, OptionError
from topline.judge.agreement import judges_agreement, majority, match
from topline.judge.judged import SCALE, Judged
from topline.judge.subsumption import closure, equivalence_classes
from topline.judge.utility import Panel, extract_size, mean, normalised

TABLE_6 = [[10, 8, 2, 5], [10, 9, 3, 6], [5, 8, 4, 9]]
SIX = {(0, 1): 0.922, (0, 2): 0.627, (0, 3): 0.833, (1, 2): 0.631, (1, 3): 0.837, (2, 3): 0.543}


def judged(utilities, links=()):
    rows = np.array(utilities, np.int64) * SCALE
    names = tuple(f"J{i + 1}" for i in range(len(rows)))
    return Judged("t", rows.shape[1], names, rows, tuple(links))


def three(values):
    return [round(float(value), 3) for value in values]


def test_the_papers_matrix_and_agreement():
    panel = Panel(judged(TABLE_6), digits=3)
    level = panel.agreement(2)
    assert [three(row) for row in level.matrix] == [[1, 1, 0.765], [1, 1, 0.765], [0.722, 0.789, 1]]
    assert three(level.overall) == [0.883, 0.883, 0.756]
    assert three([level.J, level.R]) == [0.841, 0.732]


def test_the_papers_six_performances_and_their_mean():
    panel = Panel(judged(TABLE_6), digits=3)
    reached = {pair: panel.performance(pair).S for pair in combinations(range(4), 2)}
    assert {pair: round(float(S), 3) for pair, S in reached.items()} == SIX
    assert round(float(mean(list(reached.values()))), 3) == 0.732


@pytest.mark.parametrize(("pair", "S", "D"), [((0, 3), 0.833, 0.927), ((1, 3), 0.837, 0.963)])
def test_the_papers_normalised_performance(pair, S, D):
    result = Panel(judged(TABLE_6), digits=3).performance(pair)
    assert three([result.S, result.D]) == [S, D]


def test_exact_arithmetic_is_the_default_and_differs_in_the_last_digit_only():
    panel = Panel(judged(TABLE_6))
    level = panel.agreement(2)
    J12, J13, J31, J32 = Fraction(1), Fraction(13, 17), Fraction(13, 18), Fraction(15, 19)
    assert level.J == ((J12 + J13) / 2 + (1 + J13) / 2 + (J31 + J32) / 2) / 3
    assert mean([panel.performance(pair).S for pair in combinations(range(4), 2)]) == level.R
    assert panel.performance((0, 3)).D == (panel.performance((0, 3)).S - level.R) / (level.J - level.R)


def test_judges_pick_the_earlier_sentence_on_a_tie():
    panel = Panel(judged([[5, 5, 5], [0, 1, 1]]))
    assert panel.ideal(0, 2) == (0, 1)
    assert panel.ideal(1, 1) == (1,)


FIG_7 = [[10, 8, 2, 5, 10, 9, 3, 6, 5, 8, 4, 9]]
"""Article 1, 2 and 3 of four sentences each; the first of article 2 repeats the first of article 1."""


@pytest.mark.parametrize(("E", "points"), [(1, 20), (0, 10), (Fraction(1, 2), 15)])
@pytest.mark.parametrize("link", [[(4, 0)], [(0, 4)], [(0, 4), (4, 0)]])
def test_the_papers_two_articles_with_subsumption(E, points, link):
    panel = Panel(judged(FIG_7), link, Fraction(E))
    assert panel.utility(0, (0, 4)) == points * SCALE * Fraction(E).denominator
    assert extract_size(12, Fraction(20, 100)) == 2


def test_without_credit_a_judge_avoids_what_is_said_already():
    panel = Panel(judged(FIG_7), [(4, 0)], Fraction(0))
    assert panel.ideal(0, 2) == (0, 5)
    assert Panel(judged(FIG_7), [(4, 0)], Fraction(1)).ideal(0, 2) == (0, 4)


def test_within_a_class_the_best_one_keeps_its_credit():
    panel = Panel(judged([[4, 9, 6]]), [(0, 1), (1, 2), (2, 0)], Fraction(0))
    assert equivalence_classes(3, [(0, 1), (1, 2), (2, 0)]) == [(0, 1, 2)]
    assert panel.utility(0, (0, 1, 2)) == 9 * SCALE
    assert panel.utility(0, (0, 2)) == 6 * SCALE


def test_tables_4_and_5_precision_agreement_and_utility():
    ideal, one, two = (0, 1), (0, 2), (2, 3)
    assert (match(one, ideal, 10).precision, match(one, ideal, 10).recall) == (Fraction(1, 2), Fraction(1, 2))
    assert match(two, ideal, 10).precision == 0
    assert match(one, ideal, 10).agreement == Fraction(8, 10)
    assert match(two, ideal, 10).agreement == Fraction(6, 10)
    panel = Panel(judged([[10, 9, 8, 7, 0, 0, 0, 0, 0, 0]]))
    assert Fraction(18, 19) == panel.performance(one).S
    assert Fraction(15, 19) == panel.performance(two).S


def test_majority_and_percent_agreement_of_judges():
    extracts = [(0, 1), (0, 1), (1, 3)]
    assert majority(extracts) == (0, 1)
    assert majority([(0,), (1,)]) == ()
    assert judges_agreement(extracts, 4) == Fraction(2 + 3 + 3 + 2, 12)
    nothing = match((0,), (), 4)
    assert (nothing.recall, nothing.f1, nothing.precision) == (None, None, 0)


utilities = st.integers(1, 3).flatmap(
    lambda judges: st.integers(2, 7).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(0, 10), min_size=n, max_size=n).filter(any),
            min_size=judges,
            max_size=judges,
        )
    )
)
credits = st.fractions(0, 1, max_denominator=7)


def brute_utility(row, above, credit, extract):
    """f_j by its words: a subsumed sentence keeps E; of equals, the best and earliest keeps all."""
    total = Fraction(0)
    for i in extract:
        redundant = False
        for other in extract:
            if other == i or not above[i] >> other & 1:
                continue
            if above[other] >> i & 1:  # equals
                redundant |= (-row[other], other) < (-row[i], i)
            else:
                redundant = True
        total += row[i] * (credit if redundant else 1)
    return total


@given(utilities, credits, st.data())
def test_random_performance_is_the_mean_over_all_extracts(rows, credit, data):
    n = len(rows[0])
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda pair: pair[0] != pair[1])
    links = data.draw(st.lists(pairs, max_size=8))
    size = data.draw(st.integers(1, n))
    panel = Panel(judged(rows), links, credit)
    above = closure(n, links)
    assume(all(panel.utility(j, panel.ideal(j, size)) for j in range(len(rows))))
    best = [Fraction(brute_utility(row, above, credit, panel.ideal(j, size))) for j, row in enumerate(rows)]
    every = [
        mean([brute_utility(row, above, credit, extract) / best[j] for j, row in enumerate(rows)])
        for extract in combinations(range(n), size)
    ]
    assert mean(every) == panel.agreement(size).R
    assert [panel.performance(extract).S for extract in combinations(range(n), size)] == every


@given(utilities, st.data())
def test_the_judges_own_extract_is_the_best_one_without_subsumption(rows, data):
    n = len(rows[0])
    size = data.draw(st.integers(1, n))
    panel = Panel(judged(rows))
    for judge, row in enumerate(rows):
        best = max(sum(row[i] for i in extract) for extract in combinations(range(n), size))
        assert sum(row[i] for i in panel.ideal(judge, size)) == best
    level = panel.agreement(size)
    assert all(level.matrix[i][i] == 1 for i in range(len(rows)))
    assert level.J is None or level.J <= 1


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12))
def test_closure_is_reachability(pairs):
    links = [pair for pair in pairs if pair[0] != pair[1]]
    reach = np.zeros((7, 7), bool)
    for a, b in links:
        reach[a, b] = True
    for k in range(7):
        reach |= reach[:, [k]] & reach[[k], :]
    expected = [sum(1 << b for b in range(7) if reach[a, b] and b != a) for a in range(7)]
    assert closure(7, links) == expected


@pytest.mark.parametrize(
    ("sentences", "rate", "paper", "mead3"),
    [
        (4, 50, 2, 2),
        (12, 20, 2, 3),
        (25, 10, 3, 3),
        (25, 20, 5, 5),
        (3, 1, 1, 1),
        (1, 90, 1, 1),
        (7, 100, 7, 7),
    ],
)
def test_extract_sizes_of_both_readings(sentences, rate, paper, mead3):
    assert extract_size(sentences, Fraction(rate, 100)) == paper
    assert extract_size(sentences, Fraction(rate, 100), "mead3") == mead3


def test_normalised_performance_is_said_to_be_undefined_not_divided():
    alike = Panel(judged([[5, 5, 5], [5, 5, 5]])).performance((0, 1))
    assert (alike.S, alike.D, alike.why) == (1, None, "J <= R")
    alone = Panel(judged([[1, 2, 3]])).performance((0,))
    assert alone.D is None
    assert "one judge" in alone.why
    assert normalised(Fraction(1, 2), Fraction(1, 3), Fraction(1, 2)).D is None


@pytest.mark.parametrize("rate", [Fraction(0), Fraction(-1, 2), Fraction(3, 2)])
def test_impossible_rates_are_refused(rate):
    with pytest.raises(OptionError):
        extract_size(10, rate)


@pytest.mark.parametrize("extract", [(), (4,), (-1, 2)])
def test_extracts_outside_the_topic_are_refused(extract):
    with pytest.raises(OptionError):
        Panel(judged(TABLE_6)).performance(extract)


def test_a_judge_whose_whole_extract_is_redundant_is_said():
    with pytest.raises(MetricError, match="worth nothing"):
        Panel(judged([[5, 0]]), [(0, 1)], Fraction(0)).agreement(2)


def test_a_long_topic_stays_exact_and_quick():
    rng = np.random.default_rng(5)
    rows = rng.integers(0, 11, (6, 2000))
    links = [(int(a), int(b)) for a, b in rng.integers(0, 2000, (900, 2)) if a != b]
    level = Panel(judged(rows), links, Fraction(1, 3)).agreement(400)
    assert 0 < level.R < level.J < 1
    assert json.dumps(float(level.R))
