"""Documents: which method was used and said, sections, notes, resuming, bad input."""

import json
from dataclasses import replace
from itertools import chain, combinations, pairwise
from math import log
from pathlib import Path

import pytest

from tests.spread_cases import random_document, topic
from topline.corpus.records import Document, Reference, Section, Sentence, Topic
from topline.errors import CorpusError, MetricError, OptionError, SearchLimit
from topline.rouge.metric import Metric
from topline.spread import exhaustive, frontier, tail
from topline.spread.document import Measuring, shares, spread_of
from topline.spread.segment import sections_of, segment
from topline.spread.settings import Settings
from topline.text.budget import Budget
from topline.text.encode import Vocabulary
from topline.text.tokens import Preprocessing

R1, R2 = Metric.parse("rouge-1"), Metric.parse("rouge-2")
ONE = [Reference("r", ("a b c d",))]


def measure(given, metric=R1, budget="20w", **settings):
    return spread_of(given, metric, Budget.parse(budget), Settings(**settings))


def test_every_method_gives_the_same_distribution_and_says_its_name():
    given = random_document(2, 18)
    (visited,) = measure(given, method="enumerate")
    (counted,) = measure(given, method="count")
    (chosen,) = measure(given)
    assert visited.distribution == counted.distribution == chosen.distribution
    assert (visited.method, counted.method, chosen.method) == ("enumerated", "counted", "enumerated")
    (sampled,) = measure(given, method="sample", draws=50_000, seed=3)
    assert sampled.method == "sampled"
    assert not sampled.distribution.exact
    assert sampled.distribution.extracts == visited.distribution.extracts
    for hits in visited.distribution.counts:
        share = sampled.distribution.percent(hits) / 100
        assert abs(share - visited.distribution.percent(hits) / 100) < sampled.distribution.band
    (again,) = measure(given, method="sample", draws=50_000, seed=3, jobs=2)
    assert again == sampled


def test_large_documents_are_counted_and_if_that_fails_sampled_with_an_exact_tail():
    given = random_document(3, 60)
    (counted,) = measure(given, R2, "160w")
    assert counted.method == "counted"
    assert counted.distribution.extracts > 10**12
    hard = random_document(3, 60, mean=20, length=100)
    (sampled,) = measure(hard, R1, "120w", seconds=0.5, draws=20_000)
    assert sampled.method == "sampled, tail exact"
    held = sampled.distribution
    assert held.draws == 20_000
    assert held.tail
    assert held.tail_from <= held.most
    assert held.better(held.most).high == 0


def test_each_reference_alone_and_the_best():
    given = random_document(4, 12, references=3)
    spreads = measure(given, references="each")
    assert [one.references for one in spreads] == ["r0", "r1", "r2"]
    (best,) = measure(given, references="best")
    (sampled,) = measure(given, references="best", method="sample", draws=20_000)
    assert best.distribution.mean >= max(one.distribution.mean for one in spreads)
    assert abs(sampled.distribution.mean - best.distribution.mean) < 0.01
    tops = [one.distribution.most / one.distribution.total for one in spreads]
    assert best.distribution.most / best.distribution.total == pytest.approx(max(tops))


def test_a_document_shorter_than_the_budget_has_one_extract_and_says_so():
    (one,) = measure(topic(["a b", "c x"], ONE))
    assert (one.distribution.extracts, one.distribution.counts) == (1, {3: 1})
    assert one.note == "the document is shorter than the budget (4 of 20w)"


def test_sentences_longer_than_the_budget():
    (one,) = measure(topic(["a b c d", "x y z d"], ONE), budget="2w")
    assert one.distribution.counts == {0: 1, 2: 1}
    assert one.note == "every sentence is longer than the budget"
    (mixed,) = measure(topic(["a b c d", "x y"], ONE), budget="3w")
    assert mixed.note == "longer than the budget: 1 of 2 sentences"
    (fitting,) = measure(topic(["a b c d", "x y z d"], ONE), budget="2w", extracts="fitting")
    assert fitting.distribution.counts == {0: 1}


def test_no_overlap_at_all():
    for method in ("enumerate", "count", "sample"):
        (one,) = measure(topic(["x y z", "u v", "w"] * 3, ONE), budget="5w", method=method, draws=100)
        assert set(one.distribution.counts) == {0}
        assert one.note == "the document shares no n-gram with the references"
        assert (one.distribution.mean, one.distribution.sd) == (0, 0)


def test_doubled_sentences_count_as_different_ones():
    (one,) = measure(topic(["a b"] * 4, ONE), budget="4w")
    assert one.distribution.counts == {2: 12}


def test_words_without_tokens_have_a_length_all_the_same():
    (one,) = measure(topic(["— — a", "b … c"], ONE), budget="2w")
    assert one.distribution.counts == {0: 1, 1: 1}


def test_budgets_of_other_units():
    given = topic(["a b", "c", "d e f"], ONE)
    (sentences,) = measure(given, budget="2s", extracts="maximal")
    assert sentences.distribution.extracts == 3
    (share,) = measure(given, budget="50%")
    assert share.budget == 3
    with pytest.raises(OptionError, match="nothing to chop"):
        measure(given, budget="2s")


def test_what_makes_no_sense_is_refused():
    given = topic(["a b", "c d e"], ONE)
    with pytest.raises(MetricError, match="does not count n-grams"):
        measure(given, Metric.parse("rouge-l"))
    with pytest.raises(MetricError, match="no n-gram of rouge-2"):
        measure(topic(["a b"], [Reference("r", ("a",))]), R2)
    with pytest.raises(CorpusError, match="no reference"):
        measure(topic(["a b"], []))
    for wrong in (
        {"seconds": float("nan")},
        {"seconds": 0},
        {"draws": 0},
        {"method": "magic"},
        {"extracts": "all"},
        {"sections": "some"},
        {"references": "worst"},
    ):
        with pytest.raises(OptionError):
            measure(given, **wrong)
    with pytest.raises(OptionError, match="best reference"):
        measure(given, sections="auto", references="best")


def test_what_cannot_be_counted_is_said(monkeypatch):
    monkeypatch.setattr(frontier, "MEMORY", 1 << 20)
    given = random_document(1, 40, mean=25, length=300, vocabulary=50)
    with pytest.raises(SearchLimit, match="too many states"):
        measure(given, budget="100w", method="count")
    # nothing found above the bound is worth saying too
    (sampled,) = measure(given, budget="250w", seconds=0.05, draws=1000)
    assert sampled.method == "sampled"
    assert not sampled.distribution.best_known


def test_shares_are_proportional_and_sum_to_the_budget():
    assert shares(10, [1, 1, 1]) == [4, 3, 3]
    assert shares(7, [10, 0, 5]) == [5, 0, 2]
    assert sum(shares(101, [3, 9, 27, 1])) == 101


def test_given_sections_share_the_budget_and_their_recalls_add():
    made = random_document(9, 12)
    document = replace(made.documents[0], sections=(Section("one", 0), Section("two", 5)))
    given = Topic("t", (document,), made.references)
    assert sections_of(given, "given") == [range(5), range(5, 12)]
    texts = given.texts()
    halves = shares(40, [sum(len(t.split()) for t in part) for part in (texts[:5], texts[5:])])
    parts = [
        measure(topic(part, made.references), budget=f"{half}w")[0].distribution
        for part, half in zip((texts[:5], texts[5:]), halves, strict=True)
    ]
    (whole,) = measure(given, budget="40w", sections="given")
    assert whole.sections == 2
    expected = {}
    for a, x in parts[0].counts.items():
        for b, y in parts[1].counts.items():
            expected[a + b] = expected.get(a + b, 0) + x * y
    assert whole.distribution.counts == dict(sorted(expected.items()))
    (sampled,) = measure(given, budget="40w", sections="given", method="sample", draws=30_000)
    for hits in expected:
        difference = sampled.distribution.percent(hits) - whole.distribution.percent(hits)
        assert abs(difference) < 100 * sampled.distribution.band


def cost_by_the_letter(words, total, different):
    """Utiyama and Isahara's c(S) of one segment, word by word."""
    return sum(log((len(words) + different) / (words.count(w) + 1)) for w in words) + log(total)


def test_the_segmentation_is_the_cheapest_of_all():
    for seed in range(12):
        texts = random_document(seed, 7, mean=4, vocabulary=6).texts()
        table = Vocabulary(Preprocessing(stopwords="smart")).encode(texts)
        words = [table[i].tolist() for i in range(len(table))]
        flat = [w for some in words for w in some]
        costs = {}
        for many in range(7):
            for cuts in combinations(range(1, 7), many):
                bounds = [0, *cuts, 7]
                pieces = [list(chain.from_iterable(words[a:b])) for a, b in pairwise(bounds)]
                costs[(0, *cuts)] = sum(
                    cost_by_the_letter(piece, len(flat), len(set(flat))) for piece in pieces
                )
        found = tuple(segment(texts))
        assert costs[found] == pytest.approx(min(costs.values()))


def test_a_change_of_subject_is_a_border():
    sea = ["ship sails harbour storm", "storm sinks ship harbour", "harbour ship sails storm"] * 3
    law = ["judge court verdict appeal", "appeal court judge verdict", "verdict judge court appeal"] * 3
    assert segment(sea + law) == [0, 9]
    assert segment([]) == []
    assert segment(["the of and"]) == [0]


def test_sections_of_several_documents_follow_one_another():
    documents = tuple(Document(str(d), tuple(Sentence(f"w{d} x y z") for _ in range(3))) for d in range(2))
    assert sections_of(Topic("t", documents, tuple(ONE)), "given") == [range(3), range(3, 6)]


def test_an_interrupted_run_goes_on_and_loses_one_piece_at_most(tmp_path, monkeypatch):
    given, journal = random_document(6, 24), tmp_path / "journal"
    (expected,) = measure(given, budget="60w", method="enumerate")
    monkeypatch.setattr(exhaustive, "LEAST", 1)
    done = []
    run = exhaustive.Enumeration.run

    def until_interrupted(self, unit):
        if len(done) == 9:
            raise KeyboardInterrupt
        done.append(unit)
        return run(self, unit)

    monkeypatch.setattr(exhaustive.Enumeration, "run", until_interrupted)
    with pytest.raises(KeyboardInterrupt):
        measure(given, budget="60w", method="enumerate", journal=journal)
    assert len(journal.read_text().splitlines()) == 9
    journal.write_text(journal.read_text() + '{"piece": "cut sho')
    again = []
    monkeypatch.setattr(
        exhaustive.Enumeration, "run", lambda self, unit: again.append(unit) or run(self, unit)
    )
    (resumed,) = measure(given, budget="60w", method="enumerate", journal=journal)
    assert resumed == expected
    assert not {*done} & {*again}
    assert len(done) + len(again) == len(journal.read_text().splitlines())


def test_a_journal_serves_only_the_run_it_belongs_to(tmp_path):
    journal = tmp_path / "journal"
    measuring = Measuring(R1, Budget.parse("60w"), Settings(method="sample", draws=100_000, journal=journal))
    first, second = random_document(1, 20), random_document(2, 20)
    expected = measuring.of(first), measuring.of(second)
    before = journal.read_text()
    afresh = Measuring(R1, Budget.parse("60w"), Settings(method="sample", draws=100_000, journal=journal))
    assert (afresh.of(first), afresh.of(second)) == expected
    assert journal.read_text() == before
    for other in ("no json\n", "a text of one line", '{"piece": "x", "counts": {}}\nmore'):
        journal.write_text(other)
        with pytest.raises(CorpusError, match="no journal"):
            Measuring(R1, Budget.parse("60w"), Settings(journal=journal))
        assert journal.read_text() == other
    journal.write_bytes(b"\xff\xfe\n")
    with pytest.raises(CorpusError, match="no journal"):
        Measuring(R1, Budget.parse("60w"), Settings(journal=journal))


def test_counts_and_tails_are_not_made_again(tmp_path, monkeypatch):
    journal = tmp_path / "journal"
    given = random_document(3, 60, mean=20, length=100)
    quick = {"seconds": 0.5, "draws": 20_000, "journal": journal}
    (counted,) = measure(given, R2, "160w", journal=journal)
    (sampled,) = measure(given, R1, "120w", **quick)
    assert (counted.method, sampled.method) == ("counted", "sampled, tail exact")

    def never(*_, **__):
        raise AssertionError("this was done before")

    monkeypatch.setattr(frontier.Frontier, "count", never)
    monkeypatch.setattr(tail.Branching, "count", never)
    assert measure(given, R2, "160w", journal=journal) == [counted]
    assert measure(given, R1, "120w", **quick) == [sampled]


def test_between_draws_and_tail_there_are_bounds():
    """What the draws hardly reach is bounded from both sides, closer than by them, down to the exact tail."""
    (one,) = measure(random_document(3, 60, mean=20, length=100), R1, "120w", seconds=2, draws=20_000)
    held = one.distribution
    assert one.method == "sampled, tail exact"
    assert sorted(held.rare) == [*range(min(held.rare), held.tail_from)]
    for hits in held.rare:
        better = held.better(hits - 1)
        assert sum(held.tail.values()) <= better.low < better.high
    sizes = [held.better(hits - 1).high for hits in sorted(held.rare)]
    assert all(after < 1.2 * before for before, after in pairwise(sizes))
    assert sizes[-1] < held.extracts / held.draws


def test_real_documents(shared_data: Path):
    """Abstracts with several references: visited, counted and sampled alike."""
    with (shared_data / "scitldr.jsonl").open(encoding="utf-8") as lines:
        for _, line in zip(range(15), lines, strict=False):
            record = json.loads(line)
            texts = record["documents"][0]["sentences"]
            references = [Reference(r["id"], tuple(r["sentences"])) for r in record["references"]]
            given = topic(texts, references, record["id"])
            for metric in (R1, Metric.parse("rouge-su4")):
                (visited,) = measure(given, metric, "50w", method="enumerate")
                (counted,) = measure(given, metric, "50w", method="count")
                assert visited.distribution == counted.distribution
