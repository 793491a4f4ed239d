"""The table of ids, against a plain set; and matching by id."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import ids
from topline.corpus.check import Digests
from topline.corpus.match import Matching, match, resolved
from topline.corpus.records import Document, Reference, Sentence, Summary, Topic
from topline.errors import CorpusError


@given(st.lists(st.one_of(ids(), st.integers(0, 50).map(str)), max_size=200))
def test_digests_are_a_set(given_ids):
    digests, plain = Digests(), set()
    for id in given_ids:
        assert digests.add(id) == (id not in plain)
        plain.add(id)
    assert len(digests) == len(plain)


def test_digests_grow_and_stay_flat():
    digests = Digests()
    assert all(digests.add(f"topic-{number}") for number in range(50_000))
    assert not any(digests.add(f"topic-{number}") for number in range(50_000))
    assert not any(digests.add(f"topic-{number}") for number in range(0, 50_000, 7))
    assert digests.add("x" * 1_000_000)
    bytes_an_id = (digests._high.itemsize + digests._low.itemsize) * len(digests._high) / len(digests)
    assert bytes_an_id < 54


def topic(id: str, *texts: str) -> Topic:
    return Topic(id, (Document("d", tuple(map(Sentence, texts))),), (Reference("A", ("r",)),))


TOPICS = [topic("a", "a0", "a1"), topic("b", "b0", "b1", "b2")]


def test_match_is_by_id_whatever_the_order():
    given_summaries = [
        Summary("b", "s", ("x",)),
        Summary("a", "t", selected=(1, 0)),
        Summary("a", "s", ("y",)),
        Summary("b", "t", selected=(2,)),
    ]
    found = {
        (one.topic.id, summary.system): summary.sentences
        for one in match(TOPICS, given_summaries, missing_allowed=False)
        for summary in one.summaries
    }
    assert found == {("a", "s"): ("y",), ("a", "t"): ("a1", "a0"), ("b", "s"): ("x",), ("b", "t"): ("b2",)}


def test_missing_unknown_doubled():
    one = Summary("a", "s", ("x",))
    assert [len(found.summaries) for found in match(TOPICS, [one])] == [1, 0]
    with pytest.raises(CorpusError, match="b: no summary by s"):
        list(match(TOPICS, [one], missing_allowed=False))
    with pytest.raises(CorpusError, match="c: summary without topic, by s"):
        list(match(TOPICS, [one, Summary("c", "s", ("x",))]))
    with pytest.raises(CorpusError, match="a: doubled summary by s"):
        list(match(TOPICS, [one, one]))
    matching = Matching([one, Summary("b", "t", ()), Summary("z", "t", ())])
    assert matching.missing("a") == ["t"]
    assert matching.missing("b") == ["s"]
    assert matching.take(TOPICS[0]).summaries == (one,)
    assert matching.take(TOPICS[1]).summaries == (Summary("b", "t", ()),)
    assert [error.where.id for error in matching.unknown()] == ["z"]


@settings(max_examples=50)
@given(st.lists(st.integers(0, 4), unique=True))
def test_selected_is_resolved_or_out_of_range(selected):
    summary = Summary("a", "s", selected=tuple(selected))
    if max(selected, default=0) > 1:
        with pytest.raises(CorpusError, match=r"out of range: [234], of 2 sentences"):
            resolved(summary, TOPICS[0])
    else:
        assert resolved(summary, TOPICS[0]).sentences == tuple(f"a{number}" for number in selected)
        kept = Summary("a", "s", ("own words",), tuple(selected))
        assert resolved(kept, TOPICS[0]) == kept
