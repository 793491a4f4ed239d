"""Every summariser against a slow twin that shares no code with it."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.twins import plain_systems as plain
from topline.corpus.records import Document, Sentence, Topic
from topline.problem.problem import Problem
from topline.search.exact import solve
from topline.systems import occams, tssum
from topline.systems.background import Background
from topline.systems.dpp import Dpp
from topline.systems.fill import Room
from topline.systems.freqsum import FreqSum
from topline.systems.greedykl import GreedyKL
from topline.systems.icsisumm import IcsiSumm, concept_weights
from topline.systems.lead import Lead
from topline.systems.lexrank import LexRank
from topline.systems.mmr import Mmr
from topline.systems.prepared import Prepared, prepare
from topline.systems.random import Random, expected_hits
from topline.systems.submodular import Submodular
from topline.systems.sumbasic import SumBasic
from topline.systems.textrank import TextRank
from topline.text.budget import Budget

WORDS = ["strike", "Denmark", "toxic", "spill", "Spain", "the", "of", "workers", "river", "Moscow"]
TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join), min_size=1, max_size=8
)
LIMITS = st.integers(1, 30)
FEW = settings(max_examples=60)


def topic(texts: list[str], cut: int | None = None) -> Topic:
    parts = [texts] if cut is None else [texts[:cut], texts[cut:]]
    return Topic(
        "t", tuple(Document(f"d{i}", tuple(map(Sentence, part))) for i, part in enumerate(parts) if part)
    )


def ready(texts: list[str], limit: int, cut: int | None = None) -> tuple[Prepared, Room, list[int]]:
    room = Room.of(Budget(limit, "w"), texts)
    return prepare(topic(texts, cut)), room, room.lengths.tolist()


@FEW
@given(TEXTS)
def test_textrank(texts: list[str]) -> None:
    assert TextRank().scores(prepare(topic(texts))) == pytest.approx(
        plain.textrank(plain.terms_of(texts)), abs=1e-6
    )


@FEW
@given(TEXTS)
def test_lexrank(texts: list[str]) -> None:
    one, bags = prepare(topic(texts)), plain.terms_of(texts)
    assert LexRank().scores(one) == pytest.approx(plain.lexrank(bags), abs=1e-6)
    similar = plain.cosines(bags)
    assume(np.abs(similar - 0.1).min() > 1e-9)
    assert LexRank(kind="threshold").scores(one) == pytest.approx(plain.lexrank(bags, 0.1), abs=1e-6)
    assert LexRank(kind="degree").scores(one).tolist() == (similar > 0.1).sum(axis=1).tolist()


@FEW
@given(TEXTS)
def test_cosines_and_the_mean_of_words_chances(texts: list[str]) -> None:
    one, bags = prepare(topic(texts)), plain.terms_of(texts)
    dense = np.array([one.cosines.row(row) for row in range(len(texts))])
    assert dense == pytest.approx(plain.cosines(bags), abs=1e-9)
    total = max(sum(map(len, bags)), 1)
    whole = [word for bag in bags for word in bag]
    means = [sum(whole.count(word) / total for word in bag) / max(len(bag), 1) for bag in bags]
    assert FreqSum().scores(one) == pytest.approx(means)


@FEW
@given(TEXTS, LIMITS)
def test_sumbasic(texts: list[str], limit: int) -> None:
    one, room, lengths = ready(texts, limit)
    assert SumBasic().choose(one, room) == plain.sumbasic(plain.terms_of(texts), lengths, limit)


@FEW
@given(TEXTS, LIMITS)
def test_greedy_kl(texts: list[str], limit: int) -> None:
    one, room, lengths = ready(texts, limit)
    assert GreedyKL().choose(one, room) == plain.greedy_kl(plain.terms_of(texts), lengths, limit)


@FEW
@given(TEXTS, LIMITS)
def test_mmr(texts: list[str], limit: int) -> None:
    one, room, lengths = ready(texts, limit)
    bags = plain.terms_of(texts)
    chosen = plain.mmr(Mmr().relevance(one), plain.cosines(bags), lengths, limit)
    assert Mmr().choose(one, room) == chosen


def test_mmr_is_about_the_query_the_title_or_the_topic() -> None:
    texts = ["the strike in Denmark", "a toxic spill", "the Moscow river", "Denmark again"]
    titled = Topic("t", (Document("d", tuple(map(Sentence, texts))),), title="Moscow")
    assert Mmr().relevance(prepare(titled, query="toxic")).argmax() == 1
    assert Mmr().relevance(prepare(titled)).argmax() == 2
    assert Mmr(target="topic").relevance(prepare(titled)) == pytest.approx(
        Mmr().relevance(prepare(topic(texts)))
    )


@FEW
@given(TEXTS, LIMITS, st.sampled_from([0.0, 0.3, 1.0]), st.sampled_from([0.5, 2.0, 5.0]))
def test_lazy_greedy_is_plain_greedy(texts: list[str], limit: int, scale: float, alpha: float) -> None:
    one, room, lengths = ready(texts, limit)
    lazy = Submodular(scale=scale, alpha=alpha)
    eager = Submodular(scale=scale, alpha=alpha, lazy=False)
    chosen = lazy.choose(one, room)
    assert chosen == eager.choose(one, room)
    similar, clusters = plain.cosines(plain.terms_of(texts)), lazy.partition(one).tolist()

    def value(rows: list[int]) -> float:
        return plain.submodular_value(rows, similar, alpha, lazy.diversity, clusters)

    expected: list[int] = []
    while True:
        used = sum(lengths[i] for i in expected)
        fitting = [i for i in range(len(texts)) if i not in expected and used + lengths[i] <= limit]
        gains = {i: (value([*expected, i]) - value(expected)) / max(lengths[i], 1) ** scale for i in fitting}
        gains = {i: gain for i, gain in gains.items() if gain > 1e-10}
        if not gains:
            break
        expected.append(plain.first_best(gains, gains.__getitem__, lambda i: i, 1.0))
    singles = [i for i in range(len(texts)) if lengths[i] <= limit]
    if singles:
        single = plain.first_best(singles, lambda i: value([i]), lambda i: i, 1.0)
        if value([single]) > value(expected) + 1e-9:
            expected = [single]
    assert value(chosen) == pytest.approx(value(expected), abs=1e-9)
    assert chosen == expected


@pytest.mark.parametrize("seed", range(6))
def test_submodular_gains_on_larger_topics(seed: int) -> None:
    chance = np.random.Generator(np.random.PCG64(seed))
    names = [f"w{i}" for i in range(40)]
    texts = [" ".join(chance.choice(names, 8)) for _ in range(24)]
    one, room, lengths = ready(texts, 60)
    system = Submodular(alpha=3.0, diversity=2.0)
    similar, clusters = plain.cosines(plain.terms_of(texts)), system.partition(one).tolist()

    def value(rows: list[int]) -> float:
        return plain.submodular_value(rows, similar, 3.0, 2.0, clusters)

    expected: list[int] = []
    while fitting := [
        i for i in range(24) if i not in expected and sum(lengths[j] for j in expected) + lengths[i] <= 60
    ]:
        before = value(expected)
        expected.append(max(fitting, key=lambda i: (value([*expected, i]) - before) / lengths[i]))
    assert system.choose(one, room) == expected


@FEW
@given(TEXTS, st.integers(1, 4))
def test_the_clusters_of_diversity(texts: list[str], number: int) -> None:
    number = min(number, len(texts))
    system = Submodular(clusters=number / len(texts))
    assert system.partition(prepare(topic(texts))).tolist() == plain.spherical_kmeans(
        plain.terms_of(texts), number, 20
    )


def test_lazy_greedy_is_plain_greedy_on_a_large_topic() -> None:
    chance = np.random.Generator(np.random.PCG64(5))
    names = [f"w{i}" for i in range(300)]
    texts = [" ".join(names[int(300 * u * u)] for u in chance.random(12)) for _ in range(250)]
    one, room, _ = ready(texts, 400)
    assert Submodular().choose(one, room) == Submodular(lazy=False).choose(one, room)


@FEW
@given(TEXTS, LIMITS)
def test_dpp_greedy_against_determinants(texts: list[str], limit: int) -> None:
    one, room, lengths = ready(texts, limit)
    quality = Dpp().quality(one)
    kernel = quality[:, None] * plain.cosines(plain.terms_of(texts)) * quality[None, :]

    def volume(rows: list[int]) -> float:
        sign, log = np.linalg.slogdet(kernel[np.ix_(rows, rows)]) if rows else (1.0, 0.0)
        return float(log) if sign > 0 else -math.inf

    expected: list[int] = []
    while True:
        used = sum(lengths[i] for i in expected)
        gains = {}
        for i in range(len(texts)):
            if i not in expected and used + lengths[i] <= limit:
                gain = volume([*expected, i]) - volume(expected)
                # what is less than a billionth of the sentence's own volume is rounding
                if (
                    math.isfinite(gain)
                    and kernel[i, i] > 0
                    and gain > math.log(kernel[i, i]) + math.log(1e-8)
                ):
                    gains[i] = gain / max(lengths[i], 1)
        if not gains:
            break
        expected.append(plain.first_best(gains, gains.__getitem__, lambda i: i, 1.0))
    assert Dpp().choose(one, room) == expected


def test_dpp_greedy_finds_the_mode_of_small_topics_mostly() -> None:
    chance = np.random.Generator(np.random.PCG64(7))
    found = 0
    for _ in range(60):
        texts = [" ".join(chance.choice(WORDS, 5)) for _ in range(7)]
        one = prepare(topic(texts))
        kernel = plain.cosines(plain.terms_of(texts)) * np.outer(Dpp().quality(one), Dpp().quality(one))
        best = max(np.linalg.det(kernel[np.ix_(rows, rows)]) for rows in map(list, combinations(range(7), 3)))
        chosen = Dpp().choose(one, Room(np.ones(7, np.int64), 3, "s"))
        reached = np.linalg.det(kernel[np.ix_(chosen, chosen)]) if len(chosen) == 3 else 0.0
        assert reached <= best * (1 + 1e-9)
        # a greedy pick of k rows keeps at least 1 / (k!)^2 of the largest determinant
        assert reached >= best / math.factorial(3) ** 2 * (1 - 1e-9)
        found += reached >= best * (1 - 1e-9)
    assert found >= 40


@given(st.integers(0, 50), st.integers(0, 50), st.integers(1, 60), st.integers(1, 60))
def test_the_log_likelihood_ratio(k1: int, k2: int, more1: int, more2: int) -> None:
    found = tssum.log_likelihood(np.array([k1]), k1 + more1, np.array([float(k2)]), float(k2 + more2))
    assert found[0] == pytest.approx(plain.log_likelihood(k1, k1 + more1, k2, k2 + more2), abs=1e-9)


def test_topic_signatures_against_a_background() -> None:
    table = Background(
        documents=100, tokens=10_000, counts={"strike": 1, "said": 500}, values={"strike": 4.6, "said": 0.1}
    )
    texts = ["strike strike strike said", "strike said dog", "said dog cat bird"]
    one = prepare(topic(texts), background=table)
    ratios = dict(zip(one.term_names, tssum.signature_ratios(one).tolist(), strict=True))
    here = sum(len(bag) for bag in plain.terms_of(texts))
    assert ratios["strike"] == pytest.approx(plain.log_likelihood(4, here, 1, 10_000))
    scores = tssum.TsSum().scores(one)
    assert scores[0] == max(scores)


@FEW
@given(TEXTS, LIMITS, st.sampled_from(["df", "lsa"]))
def test_occams_keeps_its_guarantee(texts: list[str], limit: int, weights: str) -> None:
    one, room, lengths = ready(texts, limit, cut=len(texts) // 2)
    system = occams.Occams(weights=weights)
    everything = list(range(len(texts)))
    problem = system.problem(one, room, everything)
    concepts = [
        set(problem.grams[problem.starts[i] : problem.starts[i + 1]].tolist()) for i in range(len(texts))
    ]
    best = plain.brute_cover(concepts, problem.gains.tolist(), lengths, limit)
    assert solve(problem).value == best
    chosen = system.choose(one, room)
    assert problem.length(chosen) <= limit
    assert (1 - 1 / math.sqrt(math.e)) * best <= problem.hits(chosen) <= best


def small_problem(concepts: list[set[int]], weights: list[int], lengths: list[int], budget: int) -> Problem:
    grams = [sorted(held) for held in concepts]
    return Problem(
        lengths=np.array(lengths, np.int64), budget=budget,
        starts=np.cumsum([0, *map(len, grams)]).astype(np.int64),
        grams=np.array([gram for held in grams for gram in held], np.int64),
        counts=np.ones(sum(map(len, grams)), np.int64),
        gain_starts=np.arange(len(weights) + 1, dtype=np.int64), gains=np.array(weights, np.int64),
        total=sum(weights), charges=np.zeros(len(grams), np.int64),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("concepts", "weights", "lengths", "budget", "best"),
    [
        ([{3}, {0, 1, 4}, {0, 2, 3}], [3, 6, 9, 6, 4], [3, 1, 7], 7, 19),  # the greedy
        ([{0, 1}, {2}, {1, 2, 3}], [9, 5, 1, 8], [8, 1, 7], 10, 15),  # the heaviest sentence, then greedy
        ([{2, 3, 4}, {3}, {0, 3, 4}, {0, 1}, {0, 2}], [3, 8, 3, 8, 1], [5, 7, 3, 9, 2], 13, 20),  # knapsack
        (
            [{0, 1, 2, 5}, {0, 3, 5}, {4}, {3, 4, 5}], [3, 7, 7, 6, 9, 3], [5, 2, 9, 6], 11, 35,
        ),  # knapsack behind the heaviest
        ([{0}, {1, 2, 3}], [2, 1, 1, 1], [1, 10], 10, 3),  # a dense crumb keeps the greedy from the best
    ],
)  # fmt: skip
def test_each_of_occams_extracts_is_the_best_somewhere(
    concepts: list[set[int]], weights: list[int], lengths: list[int], budget: int, best: int
) -> None:
    problem = small_problem(concepts, weights, lengths, budget)
    chosen = occams.cover(problem)
    assert problem.length(chosen) <= budget
    assert problem.hits(chosen) == best


@FEW
@given(TEXTS, LIMITS, st.integers(1, 3))
def test_icsisumm_is_optimal(texts: list[str], limit: int, least: int) -> None:
    one, room, lengths = ready(texts, limit, cut=len(texts) // 2)
    matrix = one.bigrams if one.bigrams.columns else one.terms
    weights = concept_weights(one, matrix, least).tolist()
    concepts = [{term for term in matrix.row(row) if weights[term]} for row in range(len(texts))]
    best = plain.brute_cover(concepts, dict(enumerate(weights)), lengths, limit)
    for solver in ("highs", "exact"):
        chosen = IcsiSumm(least=least, shortest=0, solver=solver).choose(one, room)
        assert sum(lengths[i] for i in chosen) <= limit
        held = set().union(*(concepts[i] for i in chosen)) if chosen else set()
        assert sum(weights[term] for term in held) == best


def test_pruning_keeps_sentences_that_only_overlap() -> None:
    texts = ["toxic spill Spain", "toxic spill Denmark workers", "toxic spill Spain river"]
    one, room, _ = ready(texts, 8)
    matrix = one.bigrams
    weights = concept_weights(one, matrix, 1)
    system = IcsiSumm(least=1, shortest=0)
    assert system.kept(one, matrix, weights, room) == [0, 1, 2]
    assert system.choose(one, room) == [1, 2]
    # two sentences that hold all of a third one's concepts only together do not replace it
    three, room_for_two, _ = ready(["toxic", "river", "toxic river"], 2)
    assert system.kept(three, three.terms, np.ones(2, np.int64), room_for_two) == [0, 1, 2]
    # what a sentence of no greater cost holds all of is not needed, nor what does not fit
    longer = [*texts, "toxic spill of the Spain", "Moscow river " * 6]
    one, room, _ = ready(longer, 8)
    assert system.kept(one, one.bigrams, concept_weights(one, one.bigrams, 1), room) == [0, 1, 2]
    short = IcsiSumm(least=1, shortest=4)
    assert short.kept(one, one.bigrams, concept_weights(one, one.bigrams, 1), room) == [1, 2]


def test_concepts_in_few_documents_are_left_out() -> None:
    texts = [
        "toxic spill in Spain",
        "a toxic spill near Moscow",
        "toxic spill again",
        "Denmark workers strike",
    ]
    parts = tuple(Document(f"d{i}", (Sentence(text),)) for i, text in enumerate(texts))
    one = prepare(Topic("t", parts))
    assert sorted(concept_weights(one, one.bigrams, 3).tolist())[-2:] == [0, 3]
    # fewer documents than `least`: sentences count, and the limit falls until something is left
    few = prepare(topic(texts[2:]))
    assert concept_weights(few, few.bigrams, 3).tolist() == [1] * few.bigrams.columns


@FEW
@given(st.data())
def test_the_expected_score_of_random_sets(data: st.DataObject) -> None:
    n, grams = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 4))
    gains = [
        sorted(data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)), reverse=True)
        for _ in range(grams)
    ]
    table = data.draw(
        st.lists(st.lists(st.integers(0, 3), min_size=grams, max_size=grams), min_size=n, max_size=n)
    )
    entries = [[(j, count) for j, count in enumerate(row) if count] for row in table]
    problem = Problem(
        lengths=np.ones(n, np.int64), budget=n,
        starts=np.cumsum([0, *map(len, entries)]).astype(np.int64),
        grams=np.array([j for row in entries for j, _ in row], np.int64),
        counts=np.array([count for row in entries for _, count in row], np.int64),
        gain_starts=np.cumsum([0, *map(len, gains)]).astype(np.int64),
        gains=np.array([gain for some in gains for gain in some], np.int64), total=sum(map(sum, gains)),
        charges=np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), np.int64),
    )  # fmt: skip
    size = data.draw(st.integers(0, n))
    sets = list(combinations(range(n), size))
    assert expected_hits(problem, size) * len(sets) == sum(problem.hits(list(rows)) for rows in sets)


def test_random_extracts_have_the_expected_score_in_the_long_run() -> None:
    problem = small_problem([{0, 1}, {1}, {2}, {0, 3}, set()], [3, 1, 4, 2], [1] * 5, 2)
    one = prepare(topic(["a b", "b", "c", "a d", "e"]))
    room = Room(np.ones(5, np.int64), 2, "s")
    hits = [problem.hits(Random(seed=seed).choose(one, room)) for seed in range(3000)]
    assert np.mean(hits) == pytest.approx(float(expected_hits(problem, 2)), abs=0.15)


def test_lead() -> None:
    documents = [("1999-06-28", ["a1", "a2"]), ("1999-06-29", ["b1", "b2", "b3"]), ("1999-06-27", ["c1"])]
    three = Topic(
        "t", tuple(Document(day, tuple(map(Sentence, texts)), date=day) for day, texts in documents)
    )
    one = prepare(three)
    assert Lead().order(one) == [2, 3, 4, 0, 1, 5]
    assert Lead(kind="rounds").order(one) == [5, 0, 2, 1, 3, 4]
    room = Room(np.array([1, 1, 1, 9, 1, 1]), 5, "w")
    assert Lead().choose(one, room) == [2]
    assert Lead(stop=False).choose(one, room) == [2, 4, 0, 1, 5]
