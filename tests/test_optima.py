"""Every best extract: sets, counts, memberships and agreement against brute force; counts of any size."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice
from math import comb

import numpy as np
import pytest

from tests.brute import overlapping, problem_of, random_problem, values
from topline.search import branch, layers, pieces
from topline.search.exact import Limits, solve
from topline.search.knapsack import subsets_within
from topline.search.optima import at_least, optima
from topline.search.residues import combine, primes


@pytest.mark.parametrize("nodes", [2, 20, branch.NODES])
@pytest.mark.parametrize("charged", [False, True])
def test_the_sets_are_all_the_best_ones(nodes, charged, monkeypatch):
    monkeypatch.setattr(branch, "NODES", nodes)
    monkeypatch.setattr(pieces, "TOGETHER", nodes)
    monkeypatch.setattr(pieces, "PATIENCE", 2 * nodes)
    rng = np.random.default_rng(nodes + charged)
    for _ in range(250):
        problem = random_problem(rng, charged=charged)
        worth = values(problem)
        best = max(worth.values())
        want = overlapping(problem, [some for some, value in worth.items() if value == best])
        found = optima(problem)
        assert found.proved
        assert found.value == found.bound == best
        assert sorted(found) == want
        assert found.count == len(want)
        assert found.count_all == sum(value == best for value in worth.values())
        assert found.sizes == dict(sorted(Counter(map(len, want)).items()))


@pytest.mark.parametrize("charged", [False, True])
@pytest.mark.parametrize("nodes", [3, branch.NODES])
def test_all_sets_above_a_value(charged, nodes, monkeypatch):
    monkeypatch.setattr(branch, "NODES", nodes)
    monkeypatch.setattr(pieces, "TOGETHER", nodes)
    monkeypatch.setattr(pieces, "PATIENCE", 2 * nodes)
    rng = np.random.default_rng(11 + charged)
    for _ in range(200):
        problem = random_problem(rng, charged=charged)
        worth = values(problem)
        threshold = int(rng.integers(0, max(worth.values()) + 2))
        above = [some for some, value in worth.items() if value >= threshold]
        found = at_least(problem, threshold)
        assert sorted(found) == overlapping(problem, above)
        assert found.count_all == len(above)
        assert [some for some in overlapping(problem, worth) if some in found] == sorted(found)


def test_memberships_ranks_and_membership_tests():
    rng = np.random.default_rng(3)
    for _ in range(150):
        problem = random_problem(rng)
        found = optima(problem)
        sets = list(found)
        held: dict[int, Counter[int]] = {}
        for some in sets:
            for i in some:
                held.setdefault(i, Counter())[len(some)] += 1
        assert found.membership_by_size == {i: dict(sorted(held[i].items())) for i in sorted(held)}
        assert sorted(found.diagram[rank] for rank in range(found.count)) == sorted(sets)
        everything = overlapping(problem, values(problem))
        assert [some for some in everything if some in found] == sorted(sets)
        assert tuple(range(problem.sentences + 1)) not in found


def test_agreement_is_the_mean_over_the_listed_sets():
    rng = np.random.default_rng(4)
    for _ in range(150):
        problem = random_problem(rng)
        found = optima(problem)
        own = {int(i) for i in np.flatnonzero(rng.random(problem.sentences) < 0.4)}
        sets = [set(some) for some in found]
        result = found.agreement(sorted(own))
        if not own or not all(sets):
            continue
        precision = sum(Fraction(len(own & some), len(own)) for some in sets) / len(sets)
        recall = sum(Fraction(len(own & some), len(some)) for some in sets) / len(sets)
        single = [Fraction(2 * len(own & some), len(own) + len(some)) for some in sets]
        assert (result.precision, result.recall) == (precision, recall)
        both = precision + recall
        assert result.f1 == (2 * precision * recall / both if both else 0)
        assert result.jaccard == sum(Fraction(len(own & some), len(own | some)) for some in sets) / len(sets)
        assert (result.least[2], result.most[2]) == (min(single), max(single))


def test_agreement_of_empty_sets():
    found = optima(problem_of([{0: 1}], [5], 4, [[1]]))
    assert list(found) == [()]
    assert found.agreement([]).f1 == 1
    assert found.agreement([0]).f1 == 0


def test_the_papers_worked_example():
    # O1 = {1, 2, 5, 6}, O2 = {1, 2, 3}, S = {1, 2, 3, 4}: P .5 and .75, R .5 and 1
    rows = [{0: 4}, {1: 4}, {2: 6}, {3: 5}, {2: 3}, {2: 3}]
    problem = problem_of(rows, [2, 2, 4, 9, 2, 2], 8, [[1] * 4, [1] * 4, [1] * 6, [1] * 5])
    found = optima(problem)
    assert sorted(found) == [(0, 1, 2), (0, 1, 4, 5)]
    agreement = found.agreement([0, 1, 2, 3])
    assert agreement.precision == Fraction(5, 8)
    assert agreement.recall == Fraction(3, 4)
    assert agreement.least[0] == Fraction(1, 2)
    assert agreement.most[0] == Fraction(3, 4)


@pytest.mark.parametrize("many", [40, 10_000])
def test_identical_sentences_are_one_class(many):
    problem = problem_of([{0: 1}] * many, [7] * many, 100, [[1] * 12])
    found = optima(problem)
    assert found.count == sum(comb(many, k) for k in (12, 13, 14))
    assert found.sizes == {k: comb(many, k) for k in (12, 13, 14)}
    assert found.membership_by_size[many - 1] == {k: comb(many - 1, k - 1) for k in (12, 13, 14)}
    assert next(iter(found)) == tuple(range(12))
    drawn = found.sample(20, seed=3)
    assert drawn == found.sample(20, seed=3)
    assert all(len(set(some)) in (12, 13, 14) and some in found for some in drawn)


def test_counts_of_all_beyond_64_bits_with_idle_sentences():
    problem = problem_of([{0: 1}, *[{}] * 200], [1] * 201, 101, [[1]])
    found = optima(problem)
    assert found.count == 1
    assert found.count_all == sum(comb(200, k) for k in range(101))


def test_counts_beyond_64_bits_are_exact():
    # groups of three equal sentences, one of each is enough; doubling them keeps the value
    rows = [{g: 1} for g in range(60) for _ in range(3)]
    problem = problem_of(rows, [1] * 180, 60, [[1]] * 60)
    found = optima(problem)
    assert found.count == 3**60
    assert found.sizes == {60: 3**60}
    assert found.membership_by_size[179] == {60: 3**59}
    assert len(set(found.sample(50, seed=1))) == 50
    assert all(some in found for some in islice(found, 100))
    assert found.agreement(range(0, 180, 3)).precision == Fraction(1, 3)


def test_draws_are_uniform():
    problem = problem_of([{0: 1}, {0: 1}, {0: 1, 1: 1}, {1: 1}, {1: 1}], [2, 2, 4, 2, 2], 4, [[1], [1]])
    found = optima(problem)
    assert sorted(found) == [(0, 3), (0, 4), (1, 3), (1, 4), (2,)]
    drawn = Counter(found.sample(5000, seed=7))
    assert all(abs(drawn[some] - 1000) < 150 for some in found)


def test_similarity_of_pairs():
    problem = problem_of([{0: 1}, {0: 1}, {1: 1}, {1: 1}], [1] * 4, 2, [[1], [1]])
    found = optima(problem)
    pairs = list(combinations(map(set, found), 2))
    exact = found.similarity()
    assert exact is not None
    assert exact.exact
    assert exact.mean == pytest.approx(sum(len(a & b) / len(a | b) for a, b in pairs) / len(pairs))
    assert optima(problem_of([{0: 1}], [1], 2, [[1]])).similarity() is None
    drawn = optima(problem_of([{g: 1} for g in range(12) for _ in range(3)], [1] * 36, 12, [[1]] * 12))
    estimate = drawn.similarity()
    assert estimate is not None
    assert not estimate.exact
    assert estimate.mean == pytest.approx(0.2, abs=6 * estimate.error + 0.02)


def test_a_limit_gives_a_lower_bound():
    rng = np.random.default_rng(0)
    rows = [{int(g): 1 for g in rng.choice(50, 5, replace=False)} for _ in range(70)]
    problem = problem_of(rows, rng.integers(4, 12, 70), 60, [[1]] * 50)
    best, cut = optima(problem), optima(problem, Limits(nodes=50))
    assert best.proved
    assert best.value == solve(problem).value
    assert not cut.proved
    assert cut.value <= best.value <= cut.bound
    assert cut.count >= 1
    assert all(problem.hits(some) == cut.value for some in islice(cut, 10))


def test_long_lengths_and_short_arrays(monkeypatch):
    monkeypatch.setattr(layers, "_SHORT", 2)
    rng = np.random.default_rng(21)
    for turn in range(150):
        problem = random_problem(rng, charged=bool(turn % 2))
        factor = int(rng.integers(1, 60))
        lengths = problem.lengths * factor + rng.integers(0, factor, problem.sentences)
        problem = replace(problem, lengths=lengths, budget=problem.budget * factor)
        worth = values(problem)
        best = [some for some, value in worth.items() if value == max(worth.values())]
        assert sorted(optima(problem)) == overlapping(problem, best)


def test_what_was_found_before_a_limit_is_kept(monkeypatch):
    monkeypatch.setattr(layers, "_BEAM", 6)
    rng = np.random.default_rng(8)
    rows = [{int(g): 1 for g in rng.choice(12, 2, replace=False)} for _ in range(40)]
    problem = problem_of(rows, rng.integers(2, 4, 40), 16, [[1]] * 12)
    everything = set(optima(problem))
    held = []
    for nodes in (1, 30, 100, 300, 600, 3000):
        cut = optima(problem, Limits(nodes=nodes))
        found = list(cut)
        assert len(found) == len(set(found)) == cut.count
        if cut.value == problem.hits(next(iter(everything))):
            assert set(found) <= everything
        held.append(cut.count)
    assert 1 < held[-2] < len(everything), "some limit stops in the middle"


def test_same_diagram_on_any_number_of_threads():
    rng = np.random.default_rng(12)
    problems = [random_problem(rng, most=14) for _ in range(40)]
    alone = [list(islice(optima(problem), 50)) for problem in problems]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda problem: list(islice(optima(problem), 50)), problems))
    assert together == alone


def test_how_many_sets_fit():
    rng = np.random.default_rng(8)
    for _ in range(50):
        lengths, room = rng.integers(0, 6, int(rng.integers(0, 9))), int(rng.integers(0, 20))
        sums = [sum(some) for k in range(len(lengths) + 1) for some in combinations(lengths.tolist(), k)]
        assert subsets_within(lengths, room) == [sum(s <= r for s in sums) for r in range(room + 1)]


def test_residues_give_the_number_back():
    for number in (0, 1, 2**63, 3**200):
        moduli = primes(number.bit_length() + 1)
        assert combine([np.array([number % p], np.int64) for p in moduli], moduli) == [number]


def test_optima_with_room_to_spare_take_few_states():
    rng = np.random.default_rng(5)
    grams, budget = 8, 60
    rows = [
        {int(gram): 1 for gram in rng.choice(grams, size=rng.integers(1, 3), replace=False)}
        for _ in range(120)
    ]
    lengths = rng.integers(5, 30, size=len(rows)).tolist()
    found = optima(problem_of(rows, lengths, budget, [[1]] * grams))
    sets = {(0, 0): 1}  # by what they cover and how long they are
    for row, length in zip(rows, lengths, strict=True):
        mask = sum(1 << gram for gram in row)
        for (covered, used), ways in [*sets.items()]:
            if used + length <= budget:
                longer = covered | mask, used + length
                sets[longer] = sets.get(longer, 0) + ways
    everything = (1 << grams) - 1
    assert found.count == sum(ways for (covered, _), ways in sets.items() if covered == everything)
    assert found.nodes < 20_000  # with the room in the states' keys it took 1.3 million
