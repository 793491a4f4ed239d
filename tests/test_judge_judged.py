"""Reading judgments: JSON Lines and MEAD's XML, and what is wrong with bad ones."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topline.corpus.read import read
from topline.corpus.records import Document, Sentence, Topic
from topline.errors import CorpusError
from topline.judge import mead
from topline.judge.judged import SCALE, align, read_judgments
from topline.judge.subsumption import (
    agreed_links,
    agreement_counts,
    consensus,
    links_by_overlap,
    redundancy,
    word_overlap,
)


def lines(tmp_path, *records, name="judged.jsonl"):
    path = tmp_path / name
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


GOOD = {"id": "d1", "judge": "A", "utilities": [10, 8, 2, 5]}


def test_utilities_and_links_of_several_judges(tmp_path):
    path = lines(
        tmp_path,
        GOOD,
        {"id": "d2", "judge": "A", "utilities": [1.5]},
        {"id": "d1", "judge": "B", "utilities": [1, 2, 3, 4], "subsumed": [[1, 0]]},
        {"id": "d1", "judge": "C", "subsumed": [[1, 0], [2, 3]]},
        {"id": "d1", "judge": "D", "subsumed": []},
    )
    one, two = read_judgments(path)
    assert (one.id, one.sentences, one.judges) == ("d1", 4, ("A", "B"))
    assert np.array_equal(one.utilities, np.array([[10, 8, 2, 5], [1, 2, 3, 4]]) * SCALE)
    assert agreed_links(one) == {(1, 0)}
    assert agreed_links(one, 1) == {(1, 0), (2, 3)}
    assert two.utilities.tolist() == [[1_500_000]]


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([{**GOOD, "utilities": [1, None, 3]}], "judge A skipped sentence 1"),
        ([{**GOOD, "utilities": [1, 11]}], "utility 11 of sentence 1 is outside 0-10"),
        ([{**GOOD, "utilities": [-1, 1]}], "outside 0-10"),
        ([{**GOOD, "utilities": [True, 1]}], "is no number"),
        ([{**GOOD, "utilities": ["often", 1]}], "is no number"),
        ([{**GOOD, "utilities": [[1], 1]}], "is no number"),
        ([{**GOOD, "utilities": [float("nan")]}], "not JSON: NaN"),
        ([{**GOOD, "utilities": []}], "rated no sentence"),
        ([{**GOOD, "utilities": [0, 0]}], "gives every sentence 0"),
        ([{**GOOD, "utilities": 7}], "must be lists"),
        ([GOOD, {**GOOD, "judge": "B", "utilities": [1, 2, 3]}], "judge B rated 3 sentences, judge A 4"),
        ([GOOD, GOOD], "judge A is there twice"),
        ([{**GOOD, "subsumed": [[0, 9]]}], "sentence 9 in 'subsumed' is not among the 4"),
        ([{**GOOD, "subsumed": [[0, 0]]}], "no pair of two different"),
        ([{"id": "d1", "judge": "A"}], "neither 'utilities' nor 'subsumed'"),
        ([{"judge": "A", "utilities": [1]}], "lacks 'id'"),
        ([{"id": "d1", "utilities": [1]}], "lacks 'judge'"),
        ([["d1"]], "no JSON object"),
        ([], "holds no judgments"),
    ],
)
def test_bad_judgments_name_their_place(tmp_path, records, said):
    path = lines(tmp_path, *records)
    with pytest.raises(CorpusError, match=said.replace("[", r"\[")) as caught:
        read_judgments(path)
    assert str(path) in str(caught.value)


def test_bad_records_are_counted_where_the_caller_wants_to_carry_on(tmp_path):
    path = lines(tmp_path, {**GOOD, "utilities": [1, None, 3, 4]}, GOOD, {**GOOD, "judge": "B"}, [])
    bad = []
    (topic,) = read_judgments(path, bad=bad)
    assert topic.judges == ("A", "B")
    assert len(bad) == 2


@given(st.binary(max_size=300))
def test_any_bytes_give_a_typed_error_or_a_result(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("fuzz") / "judged.jsonl"
    for prefix in (b"", b"<SENT-JUDGE><S DID='a' SNO='1'>", b'{"id": "a", "judge": "b", "utilities": '):
        path.write_bytes(prefix + data)
        try:
            read_judgments(path)
        except CorpusError:
            continue


SENTJUDGE = """<?xml version="1.0"?>
<!DOCTYPE SENT-JUDGE SYSTEM "/clair/tools/mead/dtd/sentjudge.dtd">
<SENT-JUDGE QID="none">
<S DID="A1" PAR="1" RSNT="1" SNO="1"><JUDGE N="smith" UTIL="10"/><JUDGE N="huang" UTIL="5.5"/></S>
<S DID="A1" PAR="1" RSNT="2" SNO="2"><JUDGE N="huang" UTIL="8"/><JUDGE N="smith" UTIL="8"/></S>
<S DID="A2" PAR="1" RSNT="1" SNO="1"><JUDGE N="smith" UTIL="2"/><JUDGE N="huang" UTIL="4"/></S>
</SENT-JUDGE>
"""


def test_sentjudge(tmp_path):
    path = tmp_path / "GA3.sentjudge"
    path.write_text(SENTJUDGE)
    (topic,) = read_judgments(tmp_path)
    assert (topic.id, topic.judges) == ("GA3", ("smith", "huang"))
    assert topic.utilities.tolist() == [[10 * SCALE, 8 * SCALE, 2 * SCALE], [5_500_000, 8 * SCALE, 4 * SCALE]]
    assert topic.keys == (("A1", 1), ("A1", 2), ("A2", 1))
    assert topic.label(2) == "A2-1"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('<JUDGE N="smith" UTIL="2"/>', "", "judge smith skipped sentence 1 of A2"),
        ('UTIL="2"', 'UTIL="22"', "outside 0-10"),
        ('UTIL="2"', "", "skipped"),
        ('DID="A2" PAR="1" RSNT="1" SNO="1"', 'DID="A1" PAR="1" RSNT="1" SNO="1"', "twice"),
        ('SNO="2"', 'SNO="two"', "lacks DID or SNO"),
        ("</SENT-JUDGE>", "", "is no XML"),
        ('SNO="2"', f'SNO="{"9" * 5000}"', "lacks DID or SNO"),
        ('version="1.0"', 'version="1.0" encoding="utf-7"', "is no XML"),
        ('version="1.0"', 'version="1.0" encoding="nonsense"', "is no XML"),
        ('version="1.0"', 'version="1.0" encoding="shift_jis"', "is no XML"),
        ("SENT-JUDGE", "SENTENCES", "is no <SENT-JUDGE> file"),
        ('N="huang" UTIL="4"', 'N="smith" UTIL="4"', "one sentence twice"),
        ('SYSTEM "/clair/tools/mead/dtd/sentjudge.dtd"', '[<!ENTITY a "b">]', "declares an XML entity"),
        ('<JUDGE N="smith" UTIL="2"/>', "&nbsp;", "nbsp; is not defined"),
    ],
)
def test_bad_sentjudge_files_name_their_place(tmp_path, old, new, said):
    path = tmp_path / "GA3.sentjudge"
    path.write_text(SENTJUDGE.replace(old, new))
    with pytest.raises(CorpusError, match=said) as caught:
        read_judgments(path)
    assert "GA3.sentjudge" in str(caught.value)


def test_entities_are_refused_before_they_grow(tmp_path):
    path = tmp_path / "laugh.sentjudge"
    grow = "".join(f'<!ENTITY x{i + 1} "{f"&x{i};" * 10}">' for i in range(9))
    path.write_text(f'<!DOCTYPE a [<!ENTITY x0 "ha">{grow}]><SENT-JUDGE>&x9;</SENT-JUDGE>')
    with pytest.raises(CorpusError, match="declares an XML entity"):
        read_judgments(path)


def test_clusters_documents_and_extracts(tmp_path):
    (tmp_path / "docsent").mkdir()
    for name, texts in {"A1": ["First &amp; best.", "Second."], "A2": ["Third."]}.items():
        body = "".join(f'<S PAR="1" RSNT="1" SNO="{i + 1}">{text}</S>' for i, text in enumerate(texts))
        head = f'<!DOCTYPE DOCSENT SYSTEM "/none.dtd"><DOCSENT DID="{name}"><BODY><TEXT>{body}'
        (tmp_path / "docsent" / f"{name}.docsent").write_text(head + "</TEXT></BODY></DOCSENT>")
    (tmp_path / "GA3.cluster").write_text('<CLUSTER LANG="ENG"><D DID="A1"/><D DID="A2"/></CLUSTER>')
    for place in tmp_path / "GA3.cluster", tmp_path:
        (topic,) = read(place)
        assert topic.texts() == ["First & best.", "Second.", "Third."]
        assert [document.id for document in topic.documents] == ["A1", "A2"]
    (alone,) = read(tmp_path / "docsent" / "A2.docsent")
    assert (alone.id, alone.texts(), alone.documents[0].date) == ("A2", ["Third."], None)
    (tmp_path / "GA3.20.mead.extract").write_text(
        '<EXTRACT QID="GA3" COMPRESSION="20" SYSTEM="MEAD"><S ORDER="1" DID="A2" SNO="1"/></EXTRACT>'
    )
    found = mead.extract(tmp_path / "GA3.20.mead.extract")
    assert (found.id, found.system, found.rate * 5, found.keys) == ("GA3", "MEAD", 1, (("A2", 1),))
    (tmp_path / "bad.cluster").write_text('<CLUSTER><D DID="../docsent/A1"/></CLUSTER>')
    with pytest.raises(CorpusError, match="no document's name"):
        list(read(tmp_path))
    reading = read(tmp_path, skip_bad=True)
    assert ([topic.id for topic in reading], reading.skipped_count) == (["GA3"], 1)
    (tmp_path / "bad.cluster").write_text(f'<CLUSTER><D DID="{"A" * 5000}"/></CLUSTER>')
    with pytest.raises(CorpusError, match="neither beside it nor in docsent/"):
        list(read(tmp_path))


def topic_of(**documents):
    return Topic(
        "d1",
        tuple(
            Document(name, tuple(Sentence(f"{name}{i}") for i in range(count)))
            for name, count in documents.items()
        ),
    )


def test_judgments_follow_the_topics_order(tmp_path):
    path = tmp_path / "d1.sentjudge"
    path.write_text(SENTJUDGE)
    (judged,) = read_judgments(path)
    turned = align(judged, topic_of(A2=1, A1=2))
    assert turned.utilities[0].tolist() == [2 * SCALE, 10 * SCALE, 8 * SCALE]
    assert turned.label(0) == "A2-1"
    with pytest.raises(CorpusError, match="sentence 3 of A1 is not judged"):
        align(judged, topic_of(A1=3))
    with pytest.raises(CorpusError, match="3 sentences are judged, the corpus has 4"):
        align(judged, topic_of(A1=4))


def test_table_8_consensus_of_five_judges(tmp_path):
    """The paper's seven rows; its A1-6 prints +4 where four judges say "no subsumption"."""
    named = {
        "A1-1": ["", "A2-1", "A2-1", "", "A2-1"],
        "A1-2": ["A2-5", "A2-5", "", "", "A2-5"],
        "A1-3": ["", "", "", "", "A2-10"],
        "A1-4": ["A2-10", "A2-10", "A2-10", "", "A2-10"],
        "A1-5": ["", "A2-1", "", "A2-2", "A2-4"],
        "A1-6": ["", "", "", "", "A2-7"],
        "A1-7": ["", "", "", "", "A2-8"],
    }

    def number(label):
        article, sentence = label.removeprefix("A").split("-")
        return (0 if article == "1" else 12) + int(sentence) - 1

    path = lines(
        tmp_path,
        *(
            {
                "id": "A",
                "judge": str(judge),
                "subsumed": [[number(row), number(by[judge])] for row, by in named.items() if by[judge]],
            }
            for judge in range(5)
        ),
    )
    (judged,) = read_judgments(path)
    rows = consensus(align(judged, topic_of(A1=12, A2=10)))[:7]
    assert [row.sentence for row in rows] == list(named)
    assert [(row.plus, row.minus) for row in rows] == [
        (3, None),
        (3, None),
        (None, 4),
        (4, None),
        (None, 2),
        (None, 4),
        (None, 4),
    ]
    assert rows[3].subsumed_by[0] == ("0", ("A2-10",))
    counts = agreement_counts(judged)
    assert counts[0] == (5, 0, 15)
    assert counts[1:] == [(4, 1, 3), (3, 2, 0), (2, 0, 1), (1, 0, 0)]


def test_word_overlap_of_the_papers_sentences_3_and_4():
    """Six words in common; the paper counts 18 + 16 words, the sentences hold 17 + 16."""
    three = (
        "Eighteen decapitated bodies have been found in a mass grave in northern Algeria, "
        "press reports said Thursday."
    )
    four = (
        "Algerian newspapers have reported on Thursday that 18 decapitated bodies have been "
        "found by the authorities."
    )
    assert word_overlap(three.lower().rstrip(".").split(), four.lower().rstrip(".").split()) == 6
    assert redundancy(three, four) * (17 + 16) == 2 * 6
    assert redundancy(three, three) == 1
    assert redundancy(three, "") == 0
    assert redundancy("", "") == 0
    assert redundancy("नदी में रिसाव", "रिसाव नदी में हुआ") == Fraction(6, 7)
    assert links_by_overlap(["नदी में रिसाव", "रिसाव नदी में हुआ"], Fraction(1)) == {(0, 1)}


@given(st.lists(st.text("ab ", max_size=8), max_size=6), st.fractions(0, 1, max_denominator=5))
def test_links_by_overlap_against_pairwise_counting(texts, threshold):
    expected = set()
    for a, one in enumerate(texts):
        for b, other in enumerate(texts):
            shared = word_overlap(one.split(), other.split())
            if a != b and shared and shared >= threshold * len(one.split()):
                expected.add((a, b))
    assert links_by_overlap(texts, threshold) == expected
