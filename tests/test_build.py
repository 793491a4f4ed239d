"""The builder against a plain-Python twin that counts n-grams as tuples."""

from collections import Counter
from fractions import Fraction
from math import lcm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topline import Budget, Document, Metric, Preprocessing, Reference, Sentence, Topic
from topline.errors import MetricError, OptionError
from topline.problem.build import build
from topline.text.encode import Vocabulary

PLAIN = Preprocessing(stem=False)


def topic_of(sentences, references, name="t"):
    return Topic(
        name,
        (Document("d", tuple(Sentence(text) for text in sentences)),),
        tuple(Reference(f"R{r}", tuple(texts)) for r, texts in enumerate(references)),
    )


def grams(part, tokens, *, whole_text):
    """The n-grams of a text as the script lists them; a sentence of an extract keeps its last unigram."""
    if part.kind == "n":
        return [(part.n, *tokens[i : i + part.n]) for i in range(len(tokens) - part.n + 1)]
    gap = len(tokens) if part.gap is None else part.gap
    found = [
        ("pair", tokens[i], tokens[j])
        for i in range(len(tokens))
        for j in range(i + 1, min(len(tokens), i + gap + 2))
    ]
    if part.kind == "su":
        found += [("word", token) for token in (tokens[:-1] if whole_text else tokens)]
    return found


def recall(topic, metric, chosen, references):
    """Equation (1), one metric part after the other, as an exact fraction."""
    tokens = metric.preprocessing.tokens
    texts = topic.texts()
    score = Fraction(0)
    for part in metric.parts:
        have = Counter()
        for i in chosen:
            have.update(grams(part, tokens(texts[i]), whole_text=False))
        hits = total = 0
        for reference in references:
            want = Counter(grams(part, tokens(" ".join(reference.sentences)), whole_text=True))
            hits += sum(min(count, have[gram]) for gram, count in want.items())
            total += sum(want.values())
        score += Fraction(hits, total)
    return score


def undefined(metric, references):
    """Whether some part of the metric finds no n-gram in these references."""
    texts = [metric.preprocessing.tokens(" ".join(reference.sentences)) for reference in references]
    return any(all(not grams(part, text, whole_text=True) for text in texts) for part in metric.parts)


words = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "running", "runs", "the"]), max_size=7).map(
    " ".join
)
metrics = st.sampled_from(
    [
        "rouge-1",
        "rouge-2",
        "rouge-3",
        "rouge-4",
        "rouge-s0",
        "rouge-s2",
        "rouge-s*",
        "rouge-su0",
        "rouge-su2",
        "rouge-su*",
        "rouge-1+rouge-2",
        "rouge-2+rouge-su1+rouge-1",
    ]
)
settings_of_texts = st.sampled_from(
    [PLAIN, Preprocessing(), Preprocessing(stopwords="smart"), Preprocessing("unicode")]
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(words, min_size=1, max_size=5),
    st.lists(st.lists(words, min_size=1, max_size=3), min_size=1, max_size=3),
    metrics,
    settings_of_texts,
    st.randoms(use_true_random=False),
)
def test_problem_equals_equation_one(sentences, references, name, preprocessing, rng):
    topic = topic_of(sentences, references)
    metric = Metric.parse(name, preprocessing)
    chosen = rng.sample(range(len(sentences)), rng.randint(0, len(sentences)))
    against = [topic.references, *((reference,) for reference in topic.references)]
    if any(undefined(metric, group) for group in against):
        with pytest.raises(MetricError, match="the score is undefined"):
            build(topic, metric, Budget.parse("5w"), "each")
        return
    pooled = build(topic, metric, Budget.parse("5w"))
    each = build(topic, metric, Budget.parse("5w"), "each")
    assert len(pooled) == 1
    assert pooled[0].pooled == len(references)
    assert [instance.references for instance in each] == [f"R{r}" for r in range(len(references))]
    for instance, group in zip(pooled + each, against, strict=True):
        hits = instance.problem.hits(chosen)
        assert Fraction(hits, instance.denominator) == recall(topic, metric, chosen, group)


@settings(max_examples=100, deadline=None)
@given(st.lists(words, min_size=1, max_size=5), metrics, settings_of_texts)
def test_record_is_sound(sentences, name, preprocessing):
    topic = topic_of(sentences, [["a b c d e a b runs the"], ["a b runs c d"]])
    metric = Metric.parse(name, preprocessing)
    try:
        (instance,) = build(topic, metric, Budget.parse("50%"))
    except MetricError:
        return
    problem = instance.problem
    for array in (problem.lengths, problem.starts, problem.grams, problem.counts, problem.gains):
        assert array.dtype == np.int64
    assert problem.total == problem.gains.sum() == instance.denominator * len(metric.parts)
    assert instance.denominator == lcm(*instance.totals)
    assert problem.budget == sum(len(text.split()) for text in sentences) // 2
    for i in range(problem.sentences):
        held = problem.grams[problem.starts[i] : problem.starts[i + 1]]
        assert (np.diff(held) > 0).all()
    for gram in range(len(problem.gain_starts) - 1):
        gains = problem.gains[problem.gain_starts[gram] : problem.gain_starts[gram + 1]]
        assert len(gains) > 0
        assert gains[-1] > 0
        assert (np.diff(gains) <= 0).all()
    tokens = metric.preprocessing.tokens
    for p, part in enumerate(metric.parts):
        sizes = [len(grams(part, tokens(text), whole_text=False)) for text in sentences]
        assert instance.own[p].tolist() == sizes


def test_gains_count_references_that_hold_a_gram_that_often():
    (instance,) = build(
        topic_of(["a a a a"], [["a a a"], ["a"], ["a a b"]]),
        Metric.parse("rouge-1", PLAIN),
        Budget.parse("9w"),
    )
    assert instance.problem.gains.tolist() == [3, 2, 1, 1]
    assert [instance.problem.hits([0]), instance.problem.total] == [6, 7]


def test_lengths_in_every_unit():
    topic = topic_of(["don't  stop", "né"], [["a stop"]])
    lengths = {
        unit: build(topic, Metric.parse("rouge-1"), Budget.parse(unit))[0].problem.lengths.tolist()
        for unit in ("5w", "5b", "5s", "50%")
    }
    assert lengths == {"5w": [2, 1], "5b": [11, 3], "5s": [1, 1], "50%": [2, 1]}


def test_a_kept_vocabulary_changes_nothing():
    kept = Vocabulary(PLAIN)
    build(
        topic_of(["x y z c b a"], [["x"]]),
        Metric.parse("rouge-1", PLAIN),
        Budget.parse("4w"),
        vocabulary=kept,
    )
    assert kept.words == ["x", "y", "z", "c", "b", "a"]
    topic = topic_of(["a b c", "b a"], [["a b", "c"]])
    metric, budget = Metric.parse("rouge-2+rouge-su1", PLAIN), Budget.parse("4w")
    fresh, again = build(topic, metric, budget)[0], build(topic, metric, budget, vocabulary=kept)[0]
    for name in ("starts", "grams", "counts", "gain_starts", "gains"):
        assert getattr(fresh.problem, name).tolist() == getattr(again.problem, name).tolist()


def test_what_cannot_be_scored_is_an_error():
    metric, budget = Metric.parse("rouge-2"), Budget.parse("9w")
    with pytest.raises(MetricError, match=r"t: the references hold no n-gram of rouge-2"):
        build(topic_of(["a b"], [["a"], [""]]), metric, budget)
    with pytest.raises(MetricError, match="reference 'R1' holds no n-gram"):
        build(topic_of(["a b"], [["a b"], ["c"]]), metric, budget, "each")
    with pytest.raises(MetricError, match="has no reference"):
        build(topic_of(["a b"], []), metric, budget)
    with pytest.raises(MetricError, match="rouge-l does not count n-grams"):
        build(topic_of(["a b"], [["a b"]]), Metric.parse("rouge-l"), budget)
    with pytest.raises(OptionError, match="unknown mode 'some'"):
        build(topic_of(["a b"], [["a b"]]), metric, budget, "some")


def test_empty_sentences_and_no_sentences():
    metric, budget = Metric.parse("rouge-1"), Budget.parse("9w")
    (instance,) = build(topic_of(["", "...", "a"], [["a"]]), metric, budget)
    assert instance.problem.starts.tolist() == [0, 0, 0, 1]
    (instance,) = build(topic_of([], [["a"]]), metric, budget)
    assert instance.problem.sentences == 0
    assert instance.problem.hits([]) == 0
