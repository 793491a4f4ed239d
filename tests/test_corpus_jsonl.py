"""Our own format: round trips, and every error with its place."""

import gzip
import io
import json
import sys

import pytest
from hypothesis import given, settings

from tests.strategies import corpora, summaries, topics
from topline.corpus import jsonl
from topline.corpus.read import read, read_summaries
from topline.errors import CorpusError, SkipLimit, Where
from topline.text.sentences import Splitter

GOOD = {
    "id": "t1",
    "documents": [{"id": "a", "date": "1998-10-16", "title": "T", "sentences": ["One two.", "Three."]}],
    "references": [{"id": "A", "sentences": ["One."]}],
}

BEYOND = {"title": "s", "start": 1}


def line(**changes) -> str:
    return json.dumps({**GOOD, **changes})


@pytest.fixture
def corpus(tmp_path):
    def write(*lines: str | bytes, name: str = "c.jsonl"):
        path = tmp_path / name
        path.write_bytes(b"".join(x if isinstance(x, bytes) else x.encode() + b"\n" for x in lines))
        return path

    return write


@given(topics())
def test_a_topic_written_and_read_is_the_same(topic):
    again = jsonl.topic_of(jsonl.parsed(jsonl.topic_json(topic).encode(), Where()), Splitter(), Where())
    assert again == topic


@given(summaries())
def test_a_summary_written_and_read_is_the_same(summary):
    row = jsonl.parsed(jsonl.summary_json(summary).encode(), Where())
    assert jsonl.summary_of(row, Splitter(), Where(), "other") == summary


@settings(max_examples=30)
@given(written=corpora())
def test_a_corpus_written_and_read_is_the_same(tmp_path_factory, written):
    path = tmp_path_factory.mktemp("c") / "c.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8", newline="\n") as stream:
        stream.writelines(jsonl.topic_json(topic) + "\n" for topic in written)
    assert list(read(path)) == written


def test_fields(corpus):
    path = corpus(
        line(
            title="Storm",
            domain="news",
            documents=[
                {
                    "id": "a",
                    "date": "March 5, 1992, Thursday",
                    "sentences": ["x", "y"],
                    "sections": [{"title": "S", "start": 1}],
                },
                {"id": "b", "text": "Mr. Low left.  It rained.\n\nEnd"},
            ],
        )
    )
    reading = read(path)
    (topic,) = reading
    assert (topic.title, topic.domain, topic.splitter) == ("Storm", "news", Splitter().signature)
    first, second = topic.documents
    assert (first.date, first.sections[0].title, first.sections[0].start) == ("1992-03-05", "S", 1)
    assert first.sentences[0].start is None
    assert [(s.text, s.start, s.end) for s in second.sentences] == [
        ("Mr. Low left.", 0, 13), ("It rained.", 15, 25), ("End", 27, 30),
    ]  # fmt: skip
    assert topic.texts() == ["x", "y", "Mr. Low left.", "It rained.", "End"]
    assert (reading.form, reading.count, reading.skipped_count) == ("jsonl", 1, 0)
    assert reading.where == Where(str(path), 1)


def test_text_is_split_only_where_it_is_given(corpus, monkeypatch):
    monkeypatch.setattr(Splitter, "spans", lambda *_, **__: pytest.fail("split"))
    (topic,) = read(corpus(line()))
    assert topic.splitter is None


@pytest.mark.parametrize(
    ("bad", "what"),
    [
        ("{", "not JSON: Expecting property name"),
        ("[1, 2]", "the line must be an object, not a list"),
        ("null", "the line must be an object, not null"),
        ('{"id": NaN}', "NaN is not JSON"),
        ('{"id": -Infinity}', "-Infinity is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"id": ' + "9" * 5000 + "}", "not JSON"),
        (line() + "x", "not JSON: Extra data"),
        (line(id="\ud800"), "a lone surrogate"),
        (b'{"id": "\xff"}\n', "bad UTF-8: byte 9 is 0xff"),
        (b'{"id": "\xed\xa0\x80"}\n', "bad UTF-8"),
        (b"\0\0\0\n", "not JSON"),
        (line(id=7), "id must be a string, not a whole number"),
        (line(id=""), "empty id of a topic"),
        (line(documents=None), "documents must be a list, not null"),
        (line(documents={}), "documents must be a list, not an object"),
        (line(documents=[]), "no documents"),
        (line(documents=["x"]), "a document must be an object, not a string"),
        (line(documents=[{"id": "a", "sentences": []}]), "empty document: 'a'"),
        (line(documents=[{"id": "a", "sentences": [" ", ""]}]), "empty document: 'a'"),
        (line(documents=[{"id": "a", "text": "\n"}]), "empty document: 'a'"),
        (line(documents=[{"id": "a"}]), "no sentences and no text in 'a'"),
        (line(documents=[{"id": "a", "text": "x", "sentences": ["x"]}]), "both text and sentences"),
        (line(documents=[{"id": "a", "text": 5}]), "text must be a string"),
        (line(documents=[{"id": "a", "sentences": "x"}]), "sentences must be a list, not a string"),
        (line(documents=[{"id": "a", "sentences": ["x", 1.5]}]), "a sentence must be a string, not float"),
        (line(documents=[{"sentences": ["x"]}]), "no id: the field is missing"),
        (line(documents=GOOD["documents"] * 2), "doubled id of a document: 'a'"),
        (line(documents=[{"id": "a", "sentences": ["x"], "date": 1998}]), "date must be a string"),
        (line(documents=[{"id": "a", "sentences": ["x"], "spans": [[2, 1]]}]), "spans must be"),
        (line(documents=[{"id": "a", "sentences": ["x"], "spans": []}]), "spans must be"),
        (line(documents=[{"id": "a", "sentences": ["x"], "sections": [BEYOND]}]), "bad sections"),
        (line(documents=[{"id": "a", "sentences": ["x"], "sections": [BEYOND | {"start": ""}]}]), "start"),
        (line(references=[{"id": "A"}]), "no sentences and no text in 'A'"),
        (line(references=GOOD["references"] * 2), "doubled id of a reference: 'A'"),
        (line(title=["x"]), "title must be a string, not a list"),
    ],
)  # fmt: skip
def test_errors_name_what_and_where(corpus, bad, what):
    path = corpus(line(id="t0"), bad, line(id="t2"))
    reading = read(path)
    assert next(reading).id == "t0"
    with pytest.raises(CorpusError) as caught:
        next(reading)
    assert what in caught.value.what
    assert (caught.value.where.file, caught.value.where.line) == (str(path), 2)
    skipping = read(path, skip_bad=True)
    assert [topic.id for topic in skipping] == ["t0", "t2"]
    assert (skipping.count, skipping.skipped_count, len(skipping.skipped)) == (2, 1, 1)
    assert skipping.skipped[0].where.line == 2


def test_errors_name_the_topic(corpus):
    with pytest.raises(CorpusError, match=r"c\.jsonl:1 \(t1\): empty document: 'a' holds no text \(leave"):
        list(read(corpus(line(documents=[{"id": "a", "text": ""}]))))


def test_doubled_topics(corpus):
    path = corpus(line(), line(id="b"), line(), line())
    with pytest.raises(CorpusError, match=r"c\.jsonl:3 \(t1\): doubled id of a topic"):
        list(read(path))
    reading = read(path, skip_bad=True)
    assert [topic.id for topic in reading] == ["t1", "b"]
    assert dict(reading.reasons) == {"doubled id of a topic": 2}


def test_references_are_needed_only_where_said(corpus):
    path = corpus(line(references=[]), line(id="b", references=None), line(id="c"))
    assert len(list(read(path))) == 3
    with pytest.raises(CorpusError, match="no references"):
        list(read(path, references_needed=True))
    assert [topic.id for topic in read(path, references_needed=True, skip_bad=True)] == ["c"]


def test_a_limit_of_skipped_records(corpus):
    path = corpus(line(), "x", "y", "z")
    assert len(list(read(path, skip_bad=True, most_skipped=3))) == 1
    with pytest.raises(SkipLimit, match="more than 2 records are bad") as caught:
        list(read(path, skip_bad=True, most_skipped=2))
    assert caught.value.where.line == 4


def test_marks_and_line_ends(corpus):
    plain = corpus(line(), line(id="b"))
    expected = list(read(plain))
    data = plain.read_bytes()
    for changed in (b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n"), b"\n \r\n" + data, data.rstrip()):
        assert list(read(corpus(changed))) == expected
    with pytest.raises(CorpusError, match=r"UTF-16.*iconv"):
        list(read(corpus(data.decode().encode("utf-16"))))
    with pytest.raises(CorpusError, match=r"UTF-32.*iconv"):
        list(read(corpus(data.decode().encode("utf-32"))))
    with pytest.raises(CorpusError, match="not JSON"):
        list(read(corpus(data.decode().encode("utf-16-le"))))
    with pytest.raises(CorpusError, match=r"gzipped \(let its name end in \.gz"):
        list(read(corpus(gzip.compress(data))))


def test_a_line_is_not_held_beyond_the_limit(corpus):
    path = corpus(line(), b'{"id": "' + b"x" * 5_000_000 + b'"}\n', line(id="b"))
    with pytest.raises(CorpusError, match=r"c\.jsonl:2: the line is longer than 1,000 bytes"):
        list(read(path, line_limit=1000))
    assert [topic.id for topic in read(path, line_limit=1000, skip_bad=True)] == ["t1", "b"]
    exact = len(line())
    assert len(list(read(corpus(line()), line_limit=exact))) == 1
    with pytest.raises(CorpusError, match="longer"):
        list(read(corpus(line()), line_limit=exact - 1))


def test_gzip(corpus):
    packed = gzip.compress((line() + "\n").encode())
    assert len(list(read(corpus(packed, name="c.jsonl.gz")))) == 1
    for damaged in (packed[:-9], packed[:20], b"no gzip at all", packed[:-8] + b"12345678"):
        with pytest.raises(CorpusError, match="damaged gzip"):
            list(read(corpus(damaged, name="c.jsonl.gz")))


def test_standard_input(monkeypatch):
    class Stdin:
        buffer = io.BytesIO((line() + "\n{\n").encode())

    monkeypatch.setattr(sys, "stdin", Stdin)
    reading = read("-")
    assert next(reading).id == "t1"
    with pytest.raises(CorpusError, match=r"^stdin:2: not JSON"):
        next(reading)


def test_a_missing_file_is_said_at_once(tmp_path):
    with pytest.raises(CorpusError, match="no such file"):
        read(tmp_path / "none.jsonl")
    with pytest.raises(CorpusError, match="no such file"):
        read_summaries(tmp_path / "none.jsonl")
    (tmp_path / "x.doc").write_text("x")
    with pytest.raises(CorpusError, match="unknown kind of file"):
        read(tmp_path / "x.doc")


def test_summaries(corpus):
    path = corpus(
        '{"id": "t1", "system": "mead", "sentences": ["One."]}',
        '{"id": "t2", "text": "One. Two."}',
        '{"id": "t1", "system": "lead", "selected": [1, 0]}',
        name="lead.v2.jsonl",
    )
    mead, text, lead = read_summaries(path)
    assert (mead.system, mead.sentences, mead.selected) == ("mead", ("One.",), None)
    assert (text.system, text.sentences) == ("lead", ("One.", "Two."))
    assert (lead.sentences, lead.selected) == ((), (1, 0))


@pytest.mark.parametrize(
    ("bad", "what"),
    [
        ('{"id": "t1", "system": "s"}', "no summary"),
        ('{"system": "s", "text": "x"}', "no id"),
        ('{"id": "", "system": "s", "text": "x"}', "empty id of a summary"),
        ('{"id": "t1", "system": "", "text": "x"}', "empty name of a system"),
        ('{"id": "t1", "system": 4, "text": "x"}', "system must be a string"),
        ('{"id": "t1", "selected": [0, -1]}', "selected is out of range: -1"),
        ('{"id": "t1", "selected": [3, 1, 3]}', "selected is doubled: 3"),
        ('{"id": "t1", "selected": [1.0]}', "selected must be a list of whole numbers"),
        ('{"id": "t1", "selected": [true]}', "selected must be a list of whole numbers"),
        ('{"id": "t1", "selected": "1"}', "selected must be a list of whole numbers"),
        ('{"id": "t0", "system": "s", "text": "again"}', "doubled id of a summary"),
    ],
)
def test_bad_summaries(corpus, bad, what):
    path = corpus('{"id": "t0", "system": "s", "text": "x"}', bad)
    with pytest.raises(CorpusError) as caught:
        list(read_summaries(path))
    assert what in str(caught.value)
    assert caught.value.where.line == 2
    assert len(list(read_summaries(path, skip_bad=True))) == 1


def test_one_system_may_not_summarise_a_topic_twice_in_two_files(corpus):
    one = corpus('{"id": "t", "system": "s", "text": "x"}', name="a.jsonl")
    two = corpus('{"id": "t", "system": "s", "text": "y"}', name="b.jsonl")
    with pytest.raises(CorpusError, match=r"b\.jsonl:1 \(t by s\): doubled id of a summary"):
        list(read_summaries(one, two))
