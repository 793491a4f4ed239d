"""Exact distributions, each way of counting against the definition and against the others."""

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from tests.spread_cases import brute_force, extracts, random_case, random_document
from topline.corpus.records import Reference
from topline.rouge.metric import Metric
from topline.rouge.score import Comparison, Options, Scorer
from topline.spread import exhaustive, visiting
from topline.spread import extracts as kinds
from topline.spread.alone import Alone
from topline.spread.encode import Tables, encode, words_left
from topline.spread.exhaustive import enumerate_all
from topline.spread.frontier import MODULI, Frontier
from topline.spread.moves import moves
from topline.spread.tail import Branching, tail
from topline.text.budget import Budget


def prepared(sentences, references, metric, budget, kind, *, best=False):
    encoding = encode(sentences, references, metric, budget, best=best)
    frames = kinds.frames(encoding.lengths.tolist(), encoding.budget, kind)
    return encoding, frames, Tables.of(encoding, chopped=frames[0].chopped)


def fractions(counts, encoding):
    return Counter({Fraction(hits, encoding.total): count for hits, count in counts.items()})


def by_hits(encoding, indices):
    found = Counter()
    for index, count in indices.items():
        found[int(encoding.values[0][index])] += count
    return dict(sorted(found.items()))


def document(seed, sentences, metric, budget, kind="chopped", **more):
    made = random_document(seed, sentences, **more)
    return prepared(made.texts(), made.references, Metric.parse(metric), Budget.parse(budget), kind)


@pytest.mark.parametrize("kind", kinds.KINDS)
@pytest.mark.parametrize("best", [False, True])
def test_visiting_every_extract_gives_what_the_definition_says(kind, best):
    rng = random.Random(f"{kind}{best}")
    for _ in range(120):
        sentences, references, metric, budget = random_case(rng)
        encoding, frames, tables = prepared(
            sentences, references, metric, Budget(budget, "w"), kind, best=best
        )
        counts = enumerate_all(encoding, frames, tables)
        expected = brute_force(sentences, references, metric, budget, kind, best=best)
        assert fractions(counts, encoding) == expected
        assert kinds.count(encoding.lengths.tolist(), frames) == expected.total()


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_counting_without_visiting_gives_what_the_definition_says(kind):
    rng = random.Random(kind)
    for _ in range(80):
        sentences, references, metric, budget = random_case(rng)
        encoding, frames, _ = prepared(sentences, references, metric, Budget(budget, "w"), kind)
        expected = brute_force(sentences, references, metric, budget, kind)
        for most in (10, 2**70):
            counts = Counter()
            for frame in frames:
                counts.update(Frontier.of(encoding, frame, most).count(10**9))
            assert fractions(by_hits(encoding, counts), encoding) == expected


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_the_tail_by_bound_is_the_end_of_the_distribution(kind):
    rng = random.Random(f"tail {kind}")
    for _ in range(30):
        sentences, references, metric, budget = random_case(rng)
        encoding, frames, tables = prepared(sentences, references, metric, Budget(budget, "w"), kind)
        everything = Counter()
        for frame in frames:
            everything.update(Frontier.of(encoding, frame, 2**40).count(10**9))
        top = max(everything)
        need = max(1, top - rng.randint(0, 3))
        expected = {index: count for index, count in everything.items() if index >= need}
        visited, merged = Counter(), Counter()
        for frame in frames:
            found, _ = Branching.of(encoding, frame, tables).count(need, 10**6)
            visited.update({int(i): int(found[i]) for i in np.flatnonzero(found)})
            pruned = Frontier.of(encoding, frame, 2**40, pruned=True)
            merged.update(pruned.count(10**9, need))
            assert pruned.ceiling() >= max(Frontier.of(encoding, frame, 2**40).count(10**9), default=0)
        assert dict(visited) == dict(merged) == expected
        reached = tail(encoding, frames, tables, 2**40, 10**9)
        assert reached.known <= 1
        assert reached.counts == {index: count for index, count in everything.items() if index}


def test_a_tail_stops_where_the_work_ends_and_stays_exact():
    encoding, frames, tables = document(4, 40, "rouge-1", "70w")
    everything = Frontier.of(encoding, frames[0], 2**60).count(10**10)
    some = tail(encoding, frames, tables, 2**60, 20_000_000)
    assert 1 < some.known <= max(everything)
    assert some.counts == {index: count for index, count in everything.items() if index >= some.known}


@pytest.mark.parametrize(
    ("metric", "references", "mean", "budget"),
    [
        ("rouge-1", 1, 12, "50w"),  # two words of weight 1, small gains
        ("rouge-2", 1, 8, "40w"),
        ("rouge-su4", 1, 8, "30w"),  # more words, gains beyond 8 and 16
        ("rouge-1", 3, 12, "45w"),  # weights
        ("rouge-su4", 4, 20, "40w"),  # any number of words, gains beyond 32
        ("rouge-1+rouge-2", 2, 9, "35w"),  # indices in mixed radix
        ("rouge-su4", 4, 60, "70w"),  # gains beyond the widest row of bins
    ],
)
@pytest.mark.parametrize("kind", kinds.KINDS)
def test_visiting_and_counting_agree_on_larger_documents(metric, references, mean, budget, kind):
    encoding, frames, tables = document(
        7, 24, metric, budget, kind, mean=mean, references=references, length=80
    )
    counts = enumerate_all(encoding, frames, tables)
    counted = Counter()
    number = kinds.count(encoding.lengths.tolist(), frames)
    for frame in frames:
        counted.update(Frontier.of(encoding, frame, number).count(10**10))
    assert counts == by_hits(encoding, counted)
    assert sum(counts.values()) == number > 20


def test_documents_beyond_the_bins_of_a_byte():
    encoding, frames, tables = document(3, 300, "rouge-1", "9w", mean=8)
    assert encoding.size > 248
    counts = enumerate_all(encoding, frames, tables)
    assert counts == by_hits(encoding, Frontier.of(encoding, frames[0], 2**60).count(10**10))


def test_more_extracts_than_a_field_can_count():
    encoding, frames, tables = document(1, 32, "rouge-2", "110w", mean=20, length=110)
    counts = enumerate_all(encoding, frames, tables)
    assert max(counts.values()) > 10**6
    assert counts == by_hits(encoding, Frontier.of(encoding, frames[0], 2**60).count(10**10))


@pytest.mark.parametrize("metric", ["rouge-1", "rouge-su4", "rouge-1+rouge-2"])
def test_indices_without_fields_of_their_own(metric, monkeypatch):
    encoding, frames, tables = document(5, 20, metric, "45w", references=2)
    expected = enumerate_all(encoding, frames, tables)
    for rows in (1, 4):
        monkeypatch.setattr(visiting, "_ROWS", rows)
        assert enumerate_all(encoding, frames, tables) == expected


def test_demand_is_moved_by_powers_of_two():
    """As often as an n-gram stands in a sentence, its fields lose a bit, down to none."""
    rng = random.Random(3)
    for _ in range(30):
        words = [rng.choice("abc") for _ in range(rng.randint(1, 250))]
        reference = [rng.choice("abc") for _ in range(rng.randint(1, 250))]
        sentences = [" ".join(words), "a b c " * 60, "c"]
        encoding = encode(
            sentences, [Reference("r", (" ".join(reference),))], Metric.parse("rouge-1"), Budget(300, "w")
        )
        clear, keep, amounts = moves(encoding)
        for s, sentence in enumerate(encoding.sentences):
            state = sum(int(word) << 64 * w for w, word in enumerate(encoding.state))
            for k, amount in enumerate(amounts.tolist()):
                lost, kept = (
                    sum(int(word) << 64 * w for w, word in enumerate(table[k, :, s]))
                    for table in (clear, keep)
                )
                state = state & ~lost | state >> amount & kept
            given = Counter(sentence.whole)
            assert words_left(encoding, given).tolist() == [
                state >> 64 * w & 2**64 - 1 for w in range(encoding.width)
            ]


def test_demand_of_more_than_a_machine_word():
    sentences = ["the " * 30 + "end", "the the cat", "a the dog the", "the " * 40, "cat dog"]
    references = [Reference("r", ("the " * 90 + "cat sat",)), Reference("s", ("the " * 70 + "dog",))]
    for kind in kinds.KINDS:
        encoding, frames, tables = prepared(
            sentences, references, Metric.parse("rouge-1"), Budget(75, "w"), kind
        )
        expected = brute_force(sentences, references, Metric.parse("rouge-1"), 75, kind)
        assert fractions(enumerate_all(encoding, frames, tables), encoding) == expected
        counts = Counter()
        for frame in frames:
            counts.update(Frontier.of(encoding, frame, 2**30).count(10**9))
        assert fractions(by_hits(encoding, counts), encoding) == expected


def test_bytes_may_cut_a_word():
    sentences = ["then there", "the cats ran", "a cat"]
    references = [Reference("r", ("the cat ran then",))]
    metric = Metric.parse("rouge-1")
    encoding, frames, tables = prepared(sentences, references, metric, Budget(13, "b"), "chopped")
    counts = enumerate_all(encoding, frames, tables)
    # "a cat" + 8 bytes of either longer one; 10 + 3 bytes and 12 + 1 byte of each ordered pair
    texts = [
        "a cat|then the",
        "a cat|the cats",
        "then there|the",
        "then there|a c",
        "the cats ran|t",
        "the cats ran|a",
    ]
    expected = Counter()
    for text in texts:
        held = Counter(token for part in text.split("|") for token in metric.preprocessing.tokens(part))
        wanted = Counter(metric.preprocessing.tokens("the cat ran then"))
        expected[(held & wanted).total()] += 1
    assert counts == expected


def test_every_single_extract_as_the_scorer_scores_it():
    """Sentences stand apart by words that no reference has, so that no n-gram crosses a border."""
    rng = random.Random(11)
    for name in ("rouge-1", "rouge-2", "rouge-su4"):
        for mode in ("pooled", "best"):
            sentences, references, _, _ = random_case(rng, most=6)
            metric = Metric.parse(name)
            scorer = Scorer(metric, Options(references=mode))
            models = {reference.id: list(reference.sentences) for reference in references}
            wall = " zz" * 7
            found = Counter()
            for extract in extracts(sentences, 9, "chopped"):
                text = "".join(" ".join(words) + wall + " " for words in extract)
                (one,) = scorer.score([Comparison("t", "s", [text], models)])
                found[one.recall] += 1
            encoding, frames, tables = prepared(
                sentences, references, metric, Budget(9, "w"), "chopped", best=mode == "best"
            )
            counts = Counter()
            for hits, count in enumerate_all(encoding, frames, tables).items():
                counts[round(hits / encoding.total + 1e-12, 5)] += count
            assert counts == pytest.approx(found), (name, mode)


@pytest.mark.parametrize("kind", kinds.KINDS)
@pytest.mark.parametrize("best", [False, True])
def test_the_number_of_units_and_threads_does_not_matter(kind, best, monkeypatch):
    made = random_document(1, 22, references=2)
    encoding, frames, tables = prepared(
        made.texts(), made.references, Metric.parse("rouge-1"), Budget(60, "w"), kind, best=best
    )
    alone = enumerate_all(encoding, frames, tables, pieces=1)
    monkeypatch.setattr(exhaustive, "LEAST", 1)
    assert len(exhaustive.Enumeration.of(encoding, frames, tables, pieces=300).units) > 100
    assert enumerate_all(encoding, frames, tables, jobs=3, pieces=300) == alone


def test_the_moduli_share_no_factor():
    numbers = [modulus or 2**64 for modulus in MODULI]
    assert all(np.gcd(int(a), int(b)) == 1 for i, a in enumerate(numbers) for b in numbers[:i] if b < 2**63)
    assert all(modulus % 2 for modulus in MODULI[1:])


def test_frames_tell_the_kinds_apart():
    lengths = [5, 4, 3, 2]
    assert kinds.count(lengths, kinds.frames(lengths, 6, "fitting")) == 7
    assert kinds.count(lengths, kinds.frames(lengths, 6, "maximal")) == 3
    assert kinds.count(lengths, kinds.frames(lengths, 100, "chopped")) == 1
    assert kinds.count(lengths, kinds.frames(lengths, 14, "chopped")) == 4
    assert kinds.count([9], kinds.frames([9], 6, "fitting")) == 1
    assert kinds.count([], kinds.frames([], 6, "chopped")) == 1


def test_what_never_competes_leaves_the_state_and_is_counted_all_the_same():
    sentences = ["a b b c", "b x y", "y a b", "x q q q"]
    references = [Reference("r", ("a a a b b x q q z",))]
    encoding = encode(sentences, references, Metric.parse("rouge-1"), Budget(9, "w"))
    alone = Alone.of(encoding)
    # two a for three wanted, q in one sentence; four b for two, two x for one
    assert sorted(field.size for field in alone.encoding.offsets) == [1, 2]
    assert int(np.bitwise_count(alone.mask).sum()) == 4
    whole = Tables.of(encoding, chopped=True).whole[0, :, : encoding.size].T.copy()
    stay, leave = alone.staying(whole), alone.leaving(whole)
    expected = np.bitwise_count(whole).sum(1)
    assert (np.bitwise_count(stay).sum(1) + leave == expected).all()
