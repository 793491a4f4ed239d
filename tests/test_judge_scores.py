"""Human scores from CSV, JSON Lines and NIST's tables; what they are held against."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topline.errors import CorpusError, OptionError
from topline.judge.grid import grid, grids
from topline.judge.scores import EVERY, human_grid, measures, metric_rows, read_human

CONTENT = """
DUC 2006 content responsiveness
 (scores from 1 to 5)

setid    selector  assessor  peer  score
D0601A   A         B         A     5
D0601A   A         B         1     2
D0602B   C         C         1     3
D0602B   C         C         24    4
"""
QUALITY = """
Linguistic quality

setid    selector assessor peer question score
D0601A   A        B        1    1        4
D0601A   A        B        1    2        2
D0602B   C        C        1    1        5
"""


def write(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_nists_content_table(tmp_path):
    scores = read_human(write(tmp_path, "content.table", CONTENT))
    assert [(s.system, s.id, s.score) for s in scores] == [
        ("A", "D0601A", 5), ("1", "D0601A", 2), ("1", "D0602B", 3), ("24", "D0602B", 4),
    ]  # fmt: skip
    assert measures(scores) == ["responsiveness"]
    table = human_grid(scores, "responsiveness", ["1", "24", "A"], ["d0601", "D0602B"])
    assert table.topics == ("d0601", "D0602B")
    assert table.rows(["1"]).tolist() == [[2, 3]]
    assert np.isnan(table.rows(["A"])[0, 1])


def test_a_table_is_known_by_its_lines_whatever_its_head_holds(tmp_path):
    head = "Content responsiveness, from 1 (very poor) to 5; by NIST\n\n"
    for name, text in (("content.table", CONTENT), ("2006_overall.table", head + CONTENT)):
        tabs = "\n".join("\t".join(line.split()) for line in text.splitlines())
        found = [read_human(write(tmp_path, name, form)) for form in (text, tabs)]
        assert [[(s.system, s.id, s.score) for s in scores] for scores in found] == [
            [("A", "D0601A", 5), ("1", "D0601A", 2), ("1", "D0602B", 3), ("24", "D0602B", 4)]
        ] * 2
        assert measures(found[0]) == ["overall" if "overall" in name else "responsiveness"]


def test_update_sets_of_a_topic_are_told_apart(tmp_path):
    lines = "".join(f"D0701A-{part} A B 1 {score}\n" for part, score in {"A": 5, "B": 2}.items())
    scores = read_human(write(tmp_path, "content.table", lines))
    table = human_grid(scores, "responsiveness", ["1"], ["D0701-A", "D0701-B", "D0701"])
    assert (table.topics, table.values.tolist()) == (("D0701-A", "D0701-B"), [[5, 2]])


def test_nists_linguistic_quality_table(tmp_path):
    scores = read_human(write(tmp_path, "linguistic_quality.table", QUALITY))
    assert measures(scores) == ["linguistic-1", "linguistic-2", "linguistic"]
    table = human_grid(scores, "linguistic", ["1"], ["D0601A", "D0602B"])
    assert table.values.tolist() == [[3, 5]]


def test_csv_wide_and_long_and_json_lines_say_the_same(tmp_path):
    wide = "system,id,content,style\nmead,d1,3,4\nlead,d1,1.5,\n"
    long = "System\tTopic\tMeasure\tScore\nmead\td1\tcontent\t3\nmead\td1\tstyle\t4\nlead\td1\tcontent\t1.5\n"
    records = [
        {"system": "mead", "id": "d1", "content": 3, "style": 4},
        {"peer": "lead", "id": "d1", "content": 1.5},
    ]
    files = [
        write(tmp_path, "a.csv", wide),
        write(tmp_path, "b.tsv", long),
        write(tmp_path, "c.jsonl", "".join(json.dumps(record) + "\n" for record in records)),
    ]
    read = [[(s.measure, s.system, s.id, s.score) for s in read_human(path)] for path in files]
    assert read[0] == read[1] == read[2]
    assert read[0][2] == ("content", "lead", "d1", 1.5)


def test_the_row_numbers_of_a_data_frame_are_no_measure(tmp_path):
    scores = read_human(write(tmp_path, "a.csv", ",system,content\n0,x,3\n1,y,4\n"))
    assert [(s.measure, s.system, s.score) for s in scores] == [("content", "x", 3), ("content", "y", 4)]


def test_scores_of_whole_systems_and_of_several_assessors(tmp_path):
    scores = read_human(write(tmp_path, "a.csv", "system,coverage\nx,0.25\ny,0.5\nx,0.75\n"))
    assert {score.id for score in scores} == {EVERY}
    table = human_grid(scores, "coverage", ["x", "y"], ["d1"])
    assert (table.systems, table.values.tolist()) == (("x", "y"), [[0.5], [0.5]])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("system,content\nx,good\n", "'good' is no score"),
        ("system,content\nx,nan\n", "'nan' is no score"),
        ("system,content\nx\n", "not as many cells"),
        ("system,content\nx,1,2\n", "not as many cells"),
        ("name,content\nx,1\n", "names no system"),
        ("system,content\n,1\n", "lacks 'system'"),
        ("system,content\nx,\n", "holds no score"),
        ('system,content\n"x,1\n', "is no CSV"),
        ("system,content,content\nx,1,2\n", "'content' twice"),
        ("system, system\nx,1\n", "'system' twice"),
        ("system,measure\nx,content\n", "has no 'score'"),
        ("system,content\n", "holds no human score"),
        ("", "holds no human score"),
    ],
)
def test_bad_csv_names_its_place(tmp_path, text, said):
    path = write(tmp_path, "human.csv", text)
    with pytest.raises(CorpusError, match=said) as caught:
        read_human(path)
    assert "human.csv" in str(caught.value)


def test_a_broken_line_in_nists_table_is_said(tmp_path):
    path = write(tmp_path, "content.table", CONTENT + "D0603C C C 24\n")
    with pytest.raises(CorpusError, match=r"content\.table:10: is no line"):
        read_human(path)
    bad = []
    assert len(read_human(path, bad=bad)) == 4
    assert len(bad) == 1


def test_unknown_systems_and_topics_are_errors_unless_left_out(tmp_path):
    scores = read_human(write(tmp_path, "content.table", CONTENT))
    with pytest.raises(CorpusError, match="unknown system 'A'") as caught:
        human_grid(scores, "responsiveness", ["1", "24"], ["D0601A", "D0602B"])
    assert "content.table:6" in str(caught.value)
    with pytest.raises(CorpusError, match="unknown topic 'D0602B'"):
        human_grid(scores, "responsiveness", ["A", "1", "24"], ["D0601A"])
    table = human_grid(scores, "responsiveness", ["1", "24"], ["D0601A"], skip_unknown=True)
    assert table.systems == ("1",)


@given(st.binary(max_size=200))
def test_any_bytes_give_a_typed_error_or_a_result(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("fuzz")
    for name, head in (("a.csv", b"system,score\n"), ("b.table", b"D0601 A B 1 3\n"), ("c.jsonl", b"")):
        (folder / name).write_bytes(head + data)
        try:
            read_human(folder / name)
        except CorpusError:
            continue


def test_scores_of_topline_itself(tmp_path):
    rows = [
        {"id": "d1", "system": "a", "metric": "rouge-1", "recall": 0.5, "precision": 0.1, "f1": 0.2},
        {"id": "d2", "system": "a", "metric": "rouge-1", "recall": 0.25, "precision": 0.1, "f1": 0.2},
        {"system": "a", "metric": "rouge-1", "recall": 0.375},
    ]
    path = write(tmp_path, "scores.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    table = grids(metric_rows(path, "recall"))["rouge-1"]
    assert table.values.tolist() == [[0.5, 0.25]]
    with pytest.raises(CorpusError, match="lacks 'f2'"):
        list(metric_rows(path, "f2"))
    twice = write(tmp_path, "twice.jsonl", json.dumps(rows[0]) + "\n" + json.dumps(rows[0]) + "\n")
    with pytest.raises(CorpusError, match="scored twice"):
        grids(metric_rows(twice, "recall"))
    each = [rows[0] | {"reference": "A"}, rows[0] | {"reference": "B", "recall": 1.0}]
    path = write(tmp_path, "each.jsonl", "".join(json.dumps(row) + "\n" for row in each))
    assert list(metric_rows(path, "recall")) == [("rouge-1", "a", "d1", 0.75)]
    with pytest.raises(CorpusError, match="no score of a topic"):
        list(metric_rows(write(tmp_path, "means.jsonl", json.dumps(rows[2])), "recall"))


def test_systems_are_compared_on_the_same_topics():
    table = grid({("a", "d1"): 1.0, ("a", "d2"): 2.0, ("b", "d2"): 3.0})
    with pytest.raises(CorpusError, match="'b' has no score for topic 'd1'"):
        table.matrix()
    assert table.matrix(common=True).topics == ("d2",)
    with pytest.raises(OptionError, match="no topic in common"):
        grid({("a", "d1"): 1.0, ("b", "d2"): 3.0}).matrix(common=True)
