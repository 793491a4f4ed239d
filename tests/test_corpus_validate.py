"""`topline validate`: what it counts, what it warns of, how it ends."""

import gzip
import json

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import corpora
from topline.cli.validate import command
from topline.corpus.jsonl import topic_json
from topline.corpus.read import read
from topline.corpus.sample import SAMPLES, sample
from topline.corpus.validate import Tally, survey
from topline.errors import CorpusError


def run(*arguments):
    result = CliRunner().invoke(command, [str(argument) for argument in arguments], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.return_value, result.stdout, result.stderr


def rows(text):
    return [json.loads(line) for line in text.splitlines()]


GOOD = {
    "documents": [{"id": "d", "sentences": ["One two.", "***"]}],
    "references": [{"id": "A", "sentences": ["x"]}],
}

EMPTY = {"id": "A", "text": " "}


@pytest.fixture
def corpus(tmp_path):
    def write(*records, name="c.jsonl"):
        path = tmp_path / name
        path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records))
        return path

    return write


@settings(max_examples=30)
@given(topics=corpora())
def test_counts_are_those_of_the_records(tmp_path_factory, topics):
    path = tmp_path_factory.mktemp("v") / "c.jsonl"
    path.write_text("".join(topic_json(topic) + "\n" for topic in topics), encoding="utf-8", newline="\n")
    counted = {row["what"]: row for row in survey(read(path)).rows()}
    assert counted["topics"]["total"] == len(topics)
    assert counted["documents"]["total"] == sum(len(topic.documents) for topic in topics)
    assert counted["sentences"]["most"] == max(len(topic.texts()) for topic in topics)
    assert counted["words"]["total"] == sum(len(text.split()) for topic in topics for text in topic.texts())
    assert counted["references"]["least"] == min(len(topic.references) for topic in topics)


@given(st.lists(st.integers(0, 20), min_size=1))
def test_tallies(values):
    tally = Tally()
    for value in values:
        tally.add(value)
    row = tally.row("x")
    assert (row["total"], row["least"], row["most"]) == (sum(values), min(values), max(values))
    assert row["median"] == sorted(values)[(len(values) - 1) // 2]


def test_a_good_corpus(corpus):
    path = corpus({"id": "t1", **GOOD}, {"id": "t2", "domain": "law", **GOOD})
    code, out, err = run(path, "--json")
    assert code == 0
    assert err == ""
    found = {row["what"]: row for row in rows(out)}
    assert found["sentences"] == {
        "kind": "count", "what": "sentences", "total": 4, "least": 2, "median": 2, "most": 2,
    }  # fmt: skip
    assert found["domain: law"]["total"] == found["domain: none"]["total"] == 1
    assert found["sentence without a letter or digit"]["total"] == 2
    assert found["sentence without a letter or digit"]["id"] == "t1"
    code, out, err = run(path, "--table", "md")
    assert out.startswith("| what |")
    assert err.startswith(f"warning: sentence without a letter or digit, 2 times, first at {path}:1 (t1)")


def test_what_looks_odd(corpus):
    twice = {"id": "a", "date": "in spring", "sentences": ["word " * 201]}
    path = corpus({"id": "t", "documents": [twice, {**twice, "id": "b"}], "references": [EMPTY]},
                  {"id": "u", "documents": [twice]})  # fmt: skip
    _, out, _ = run(path, "--json")
    assert {row["what"]: row["total"] for row in rows(out) if row["kind"] == "warning"} == {
        "sentence of over 200 words": 3,
        "document that equals another of its topic": 1,
        "date that cannot be read": 3,
        "empty reference": 1,
        "topic without references": 1,
    }


def test_a_corpus_without_topics_is_odd(corpus):
    code, out, said = run(corpus())
    assert (code, out.split()[:7]) == (0, ["what", "total", "least", "median", "most", "topics", "0"])
    assert said == f"warning: corpus without topics, at {corpus()}\n"


def test_all_problems_are_counted_and_the_first_listed(corpus):
    path = corpus({"id": "t1", **GOOD}, *(["{"] * 30), {"id": "t1", **GOOD})
    code, out, err = run(path)
    assert code == 2
    assert "problems" in out
    assert " 31 " in out
    assert err.count("problem: ") == 20
    assert f"problem: {path}:2: not JSON" in err
    assert "and 11 problems more" in err
    code, out, err = run(path, "--most", "100", "--json")
    listed = [row for row in rows(out) if row["kind"] == "problem"]
    assert len(listed) == 31
    assert listed[-1] == {
        "kind": "problem", "what": "doubled id of a topic", "file": str(path), "line": 32, "id": "t1",
        "hint": "one topic an id",
    }  # fmt: skip
    assert run(path, "--skip-bad")[0] == 0


def test_references_needed(corpus):
    path = corpus({"id": "t", "documents": GOOD["documents"]})
    assert run(path)[0] == 0
    assert run(path, "--references-needed")[0] == 2


def test_systems(corpus):
    path = corpus({"id": "t1", **GOOD}, {"id": "t2", **GOOD})
    systems = corpus(
        {"id": "t1", "system": "s", "selected": [1]},
        {"id": "t2", "system": "s", "selected": [2]},
        {"id": "t3", "system": "s", "text": "x"},
        {"id": "t1", "system": "other", "text": "x"},
        {"id": "t1", "system": "other", "text": "x"},
        name="s.jsonl",
    )
    code, out, _ = run(path, "--systems", systems, "--json")
    assert code == 2
    found = rows(out)
    assert [(row["what"], row["line"]) for row in found if row["kind"] == "problem"] == [
        ("doubled id of a summary", 5),
        ("selected is out of range: 2, of 2 sentences", 2),
        ("summary without topic, by s", 3),
    ]
    assert {row["what"]: row["total"] for row in found if row["kind"] == "count"}[
        "topics without a summary by other"
    ] == 1


def test_what_ends_the_reading_is_a_problem_too(tmp_path):
    path = tmp_path / "c.jsonl.gz"
    lines = "".join(json.dumps({"id": f"{number}-{hash(number)}", **GOOD}) + "\n" for number in range(5000))
    path.write_bytes(gzip.compress(lines.encode())[:-100])
    code, out, _ = run(path, "--json")
    assert code == 2
    assert 1 < rows(out)[0]["total"] <= 5000
    assert "damaged gzip file" in rows(out)[-1]["what"]
    with pytest.raises(CorpusError, match="no such file"):
        run(tmp_path / "none.jsonl")


def test_output_into_a_file(corpus, tmp_path):
    out = tmp_path / "out.jsonl"
    code, said, _ = run(corpus({"id": "t", **GOOD}), "--json", "--out", out)
    assert (code, said) == (0, "")
    assert rows(out.read_text())[0]["what"] == "topics"


def test_samples():
    for name in SAMPLES:
        assert sum(1 for _ in read(f"sample:{name}")) >= 3
        assert run(f"sample:{name}", "--references-needed")[0] == 0
    with pytest.raises(CorpusError, match="no sample 'poems'"):
        sample("poems")
