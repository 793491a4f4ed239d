"""F-measures over all oracles, people against people, and the scale from random to the oracle."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topline.corpus.read import read
from topline.corpus.records import Document, Reference, Sentence, Summary, Topic
from topline.errors import CorpusError, MetricError, SearchLimit
from topline.judge.ceiling import frequencies, headroom, leave_one_out, scale
from topline.judge.measured import measure, measure_overlap
from topline.judge.overlap import drawn, oracles, overlap, standings
from topline.rouge.metric import Metric
from topline.rouge.score import Options, Scorer, score
from topline.search.exact import Limits
from topline.text.budget import Budget
from topline.text.tokens import Preprocessing

PLAIN = Metric.parse("rouge-1", Preprocessing(stem=False))


def topic_of(sentences, *references, id="t"):
    return Topic(
        id,
        (Document("d", tuple(map(Sentence, sentences))),),
        tuple(Reference("ABCD"[i], (text,)) for i, text in enumerate(references)),
    )


# oracles of four words: {1, 2, 5, 6} and {1, 2, 3}, counted from 1 as in the paper
EXAMPLE = topic_of(["a", "b", "c d", "e x x x x", "c", "d"], "a b c d e")


def test_the_papers_f_measure_example():
    """S = {s1, s2, s3, s4}: F is .5 for O1 = {s1, s2, s5, s6} and .86 for O2 = {s1, s2, s3}."""
    (sets,) = oracles(EXAMPLE, PLAIN, Budget.parse("4w"))
    assert sorted(sets) == [(0, 1, 2), (0, 1, 4, 5)]
    system = Summary("t", "s", selected=(0, 1, 2, 3))
    found = sets.agreement(system.selected)
    assert found.least == (Fraction(1, 2), Fraction(1, 2), Fraction(1, 2))
    assert [round(float(value), 2) for value in found.most] == [0.75, 1, 0.86]
    mean = overlap(EXAMPLE, system, [sets], PLAIN)
    assert (mean.precision, mean.recall) == (0.625, 0.75)
    assert mean.f1 == pytest.approx(2 * 0.625 * 0.75 / 1.375)


def test_a_random_oracle_gives_one_of_the_two():
    sets = oracles(EXAMPLE, PLAIN, Budget.parse("4w"))
    values = drawn({"s": (0, 1, 2, 3)}, sets, 400, seed=1)["s"]
    assert {round(value, 2) for value in values} == {0.5, 0.86}
    assert 0.4 < (values == 0.5).mean() < 0.6
    assert np.array_equal(values, drawn({"s": (0, 1, 2, 3)}, sets, 400, seed=1)["s"])


def test_systems_against_all_oracles_and_random_ones():
    system = Summary("t", "s", selected=(0, 1, 2, 3))
    best = Summary("t", "best", selected=(0, 1, 2))
    found = standings([(EXAMPLE, [system, best])], PLAIN, Budget.parse("4w"), draws=400)
    assert [(one.references, one.system) for one in found] == [
        ("multi", "best"), ("multi", "s"), ("single", "best"), ("single", "s"),
    ]  # fmt: skip
    of_all = overlap(EXAMPLE, system, oracles(EXAMPLE, PLAIN, Budget.parse("4w")), PLAIN)
    assert (found[1].precision, found[1].recall, found[1].f1) == (0.625, 0.75, of_all.f1)
    # a draw is .5 or .86, alike often
    assert found[1].low < found[1].random_f1 < found[1].high
    assert found[1].random_f1 == pytest.approx((0.5 + 6 / 7) / 2, abs=0.04)
    assert found[1].high - found[1].low == pytest.approx(2 * 1.96 * 0.18 / 20, rel=0.2)
    assert standings([(EXAMPLE, [])], PLAIN, Budget.parse("4w")) == []


def test_text_is_matched_and_strangers_lower_precision():
    (sets,) = oracles(EXAMPLE, PLAIN, Budget.parse("4w"))
    known = overlap(EXAMPLE, Summary("t", "s", ("A", "b", "c d")), [sets], PLAIN)
    assert (known.unmatched, known.recall) == (0, 0.75)
    strange = overlap(EXAMPLE, Summary("t", "s", ("A", "b", "c d", "not there")), [sets], PLAIN)
    assert strange.unmatched == 1
    assert strange.precision == pytest.approx(known.precision * 3 / 4)


words = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=4).map(" ".join)


@settings(max_examples=40)
@given(st.lists(words, min_size=1, max_size=6), st.lists(words, min_size=1, max_size=3), st.data())
def test_overlap_is_the_mean_over_listed_oracles(sentences, references, data):
    topic = topic_of(sentences, *references)
    chosen = data.draw(st.sets(st.integers(0, len(sentences) - 1), min_size=1))
    system = Summary("t", "s", selected=tuple(sorted(chosen)))
    for mode in ("multi", "single"):
        sets = oracles(topic, PLAIN, Budget.parse("5w"), mode)
        found = overlap(topic, system, sets, PLAIN, mode)
        each = []
        for one in sets:
            listed = [set(oracle) for oracle in one]
            p = np.mean([len(o & chosen) / len(chosen) for o in listed])
            r = np.mean([len(o & chosen) / len(o) if o else 0 for o in listed])
            each.append((p, r, 2 * p * r / (p + r) if p + r else 0))
        assert (found.precision, found.recall, found.f1) == pytest.approx(tuple(np.mean(each, axis=0)))


def test_each_reference_against_the_others():
    topic = topic_of(["x"], "a b c d", "a b x y", "a z z z")
    found = leave_one_out(topic, Scorer(PLAIN))
    assert [one.system for one in found] == ["A", "B", "C"]
    for one, own, others in zip(
        found, ["a b c d", "a b x y", "a z z z"], [[1, 2], [0, 2], [0, 1]], strict=True
    ):
        texts = [topic.references[i].sentences[0] for i in others]
        assert one.recall == score([own], [texts], PLAIN).scores["rouge-1"].recall[0]
    assert found[2].recall == round(2 / 8, 5)
    with pytest.raises(MetricError, match="no others"):
        leave_one_out(topic_of(["x"], "a b"), Scorer(PLAIN))


def test_words_to_be_matched():
    found = frequencies(topic_of(["x"], "a a b", "a c c"), PLAIN)
    assert [(w.reference, w.word, w.frequency) for w in found] == [
        ("A", "a", 2), ("A", "b", 1), ("B", "c", 2), ("B", "a", 1),
        (None, "a", 1.5), (None, "c", 1), (None, "b", 0.5),
    ]  # fmt: skip


def test_headroom_is_the_way_gone_from_random_to_the_oracle():
    assert headroom(0.3, 0.2, 0.6) == pytest.approx(0.25)
    assert headroom(0.2, 0.2, 0.2) is None


def test_the_scale_runs_from_random_to_the_oracle():
    sentences = [
        "the cat sat on the mat",
        "a dog barked",
        "rain fell on the roof",
        "nobody came",
        "the cat ran",
    ]
    topics = [
        topic_of(sentences, "the cat sat and ran", "rain fell on the cat", id="t1"),
        topic_of(sentences[::-1], "a dog came", "nobody barked", id="t2"),
    ]
    pairs = [(topic, [Summary(topic.id, "mine", selected=(0,))]) for topic in topics]
    steps = {step.kind: step for step in scale(pairs, Scorer(PLAIN), Budget.parse("8w"), draws=5)}
    assert [*steps] == ["random", "lead", "system", "reference", "greedy", "oracle"]
    assert (steps["random"].headroom, steps["oracle"].headroom) == (0, 1)
    assert {step.topics for step in steps.values()} == {2}
    top = steps["oracle"].score
    assert all(step.score <= top for kind, step in steps.items() if kind != "reference")
    assert steps["system"].name == "mine"
    # a system, and people, are held against random and the oracle on the topics they have
    topics[1] = replace(topics[1], references=topics[1].references[:1])
    pairs = [(topics[0], pairs[0][1]), (topics[1], [])]
    steps = {step.kind: step for step in scale(pairs, Scorer(PLAIN), Budget.parse("8w"), draws=5)}
    (alone,) = (s for s in scale(pairs[:1], Scorer(PLAIN), Budget.parse("8w"), draws=5) if s.kind == "system")
    assert steps["system"] == alone
    assert {kind: step.topics for kind, step in steps.items() if step.topics < 2} == {
        "system": 1, "reference": 1,
    }  # fmt: skip


def test_a_scale_does_not_end_at_an_extract_that_may_not_be_the_best():
    topics = [(topic, ()) for topic in read("sample:news")]
    with pytest.raises(SearchLimit, match=r"t01.*not proved"):
        scale(topics, Scorer(PLAIN), Budget.parse("100w"), draws=1, limits=Limits(nodes=1, seconds=1e-9))


def test_tables_of_scores_and_of_overlaps_hold_the_same_systems():
    summaries = [Summary("t", "s", selected=(0, 1, 2)), Summary("t", "r", selected=(4, 5))]
    by_rouge = measure([EXAMPLE], summaries, Scorer(PLAIN, Options()), "recall")["rouge-1"]
    assert (by_rouge.systems, by_rouge.values.tolist()) == (("s", "r"), [[0.8], [0.4]])
    by_oracles = measure_overlap([EXAMPLE], summaries, PLAIN, Budget.parse("4w"))["oracles(rouge-1)"]
    assert by_oracles.systems == ("s", "r")
    with pytest.raises(CorpusError, match="topic that the corpus does not have"):
        measure([EXAMPLE], [Summary("u", "s", ("a",))], Scorer(PLAIN))
    with pytest.raises(CorpusError, match="no summary of any topic"):
        measure([EXAMPLE], [], Scorer(PLAIN))
