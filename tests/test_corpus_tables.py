"""Tables: the same rows as Parquet, CSV, TSV, JSON Lines and one JSON list give the same topics."""

import csv
import json
import sys

import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import any_text
from topline.corpus import json_array, tabular
from topline.corpus.read import read
from topline.errors import CorpusError, MissingExtra, OptionError
from topline.text.sentences import Splitter

CNN = [
    {"article": "(CNN) -- Mr. Low left. It rained.", "highlights": "Low left .\nIt rained .", "id": "a1"},
    {"article": 'He said: "No, 5."\nNobody came', "highlights": "One only", "id": "b2"},
]


def write_parquet(rows, path):
    polars.DataFrame(rows).write_parquet(path, row_group_size=2)


def write_csv(rows, path):
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), delimiter="\t" if path.suffix == ".tsv" else ",")
        writer.writeheader()
        writer.writerows(rows)


def write_lines(rows, path):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def write_list(rows, path):
    path.write_text(json.dumps(rows, indent=1))


WRITERS = {
    "t.parquet": write_parquet,
    "t.csv": write_csv,
    "t.tsv": write_csv,
    "t.jsonl": write_lines,
    "t.json": write_list,
}


@pytest.fixture(params=WRITERS)
def table(request, tmp_path):
    def write(rows):
        path = tmp_path / request.param
        WRITERS[request.param](rows, path)
        return path

    return write


def test_cnn_dailymail_as_it_comes(table):
    first, second = read(table(CNN))
    assert first.id == "a1"
    assert first.texts() == ["(CNN) -- Mr. Low left.", "It rained."]
    assert first.references[0].sentences == ("Low left .", "It rained .")
    assert second.texts() == ['He said: "No, 5."', "Nobody came"]
    assert second.references[0].id == "highlights"
    assert first.splitter == Splitter().signature


def test_xsum_and_multi_news_as_they_come(table):
    (topic,) = read(table([{"document": "One.\nTwo", "summary": "S.", "id": 35232142}]))
    assert (topic.id, len(topic.documents), topic.texts()) == ("35232142", 1, ["One.", "Two"])
    rows = [
        {"document": "One. Two. ||||| Three.|||||", "summary": "It rained. He left."},
        {"document": "x", "summary": "y"},
    ]
    first, second = read(table(rows))
    assert [d.id for d in first.documents] == ["1.1", "1.2"]
    assert [[s.text for s in d.sentences] for d in first.documents] == [["One.", "Two."], ["Three."]]
    assert first.references[0].sentences == ("It rained.", "He left.")
    assert second.id == "2"


def test_a_mapping(table):
    rows = [
        {
            "body": "One. Two.",
            "a": "R.",
            "b": "Q.",
            "key": "k",
            "when": "March 5, 1992",
            "name": "T",
            "kind": "law",
        }
    ]
    mapping = "document=body, reference=a,reference=b,id=key,date=when,title=name,domain=kind"
    (topic,) = read(table(rows), columns=mapping)
    assert (topic.id, topic.title, topic.domain) == ("k", "T", "law")
    assert (topic.documents[0].date, topic.documents[0].title) == ("1992-03-05", "T")
    assert [(r.id, r.sentences) for r in topic.references] == [("a", ("R.",)), ("b", ("Q.",))]


@pytest.mark.parametrize("name", ["t.parquet", "t.jsonl", "t.json"])
def test_lists_are_sentences_and_lists_of_lists_are_references(tmp_path, name):
    rows = [{"source": ["One. Still one.", "Two."], "target": [["R."], ["Q.", "P."]]}]
    WRITERS[name](rows, tmp_path / name)
    (topic,) = read(tmp_path / name, columns="document=source,reference=target")
    assert topic.texts() == ["One. Still one.", "Two."]
    assert topic.splitter is None
    assert [(r.id, r.sentences) for r in topic.references] == [
        ("target.1", ("R.",)),
        ("target.2", ("Q.", "P.")),
    ]
    rows = [{"docs": ["One. Two.", "Three."], "target": ["R."]}]
    WRITERS[name](rows, tmp_path / name)
    (topic,) = read(tmp_path / name, columns="documents=docs,reference=target")
    assert [len(document.sentences) for document in topic.documents] == [2, 1]
    assert topic.references[0].sentences == ("R.",)


def test_errors_name_the_row(table):
    path = table([*CNN, {"article": " ", "highlights": "x", "id": "c3"}, {**CNN[0], "id": "d4"}, CNN[0]])
    with pytest.raises(CorpusError, match=r"\(c3\): empty document"):
        list(read(path))
    reading = read(path, skip_bad=True)
    assert [topic.id for topic in reading] == ["a1", "b2", "d4"]
    assert dict(reading.reasons) == {"empty document": 1, "doubled id of a topic": 1}


def test_unknown_columns_are_listed(table):
    path = table([{"x": "1", "y": "2"}])
    if path.suffix not in (".jsonl",):
        with pytest.raises(CorpusError, match="unknown columns: x, y"):
            list(read(path))
    with pytest.raises(CorpusError, match=r"no column 'z'.*there are: x, y"):
        list(read(path, columns="document=x,reference=z"))


@pytest.mark.parametrize(
    ("columns", "what"),
    [
        ("article", "'article'"),
        ("document=", "'document='"),
        ("text=article", "'text=article'"),
        ("reference=a", "none holds the document"),
        ("document=a,document=b", "document is given twice"),
        ("document=a,documents=b", "both document and documents"),
    ],
)
def test_bad_mappings(tmp_path, columns, what):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(OptionError, match="bad columns") as caught:
        read(path, columns=columns)
    assert what in str(caught.value)


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.parquet"])
def test_a_wrong_mapping_is_no_bad_record_to_be_skipped(tmp_path, name):
    WRITERS[name](CNN, tmp_path / name)
    with pytest.raises(CorpusError, match=r"no column 'text' \(there are: article, highlights, id\)"):
        list(read(tmp_path / name, columns="document=text", skip_bad=True))


def test_columns_are_for_tables(shared_data):
    with pytest.raises(OptionError, match="columns are for tables"):
        read(shared_data / "ewt-test.conllu", columns="document=x")


def test_damaged_tables(tmp_path):
    path = tmp_path / "t.parquet"
    write_parquet(CNN, path)
    data = path.read_bytes()
    for damaged in (b"", b"PAR1", data[: len(data) // 2], data[:-8] + b"\xff" * 8):
        path.write_bytes(damaged)
        with pytest.raises(CorpusError, match="not Parquet we read"):
            list(read(path))
    path = tmp_path / "t.csv"
    path.write_text('article,highlights,id\n"x,y\n')
    with pytest.raises(CorpusError, match=r"t\.csv:2: not CSV"):
        list(read(path))
    path.write_text("article,highlights,id,article,,\na,b,1,c,,\n")
    with pytest.raises(CorpusError, match="two columns 'article'"):
        list(read(path))
    path.write_text("article,highlights,id\na,b,1\nc,d\n\ne,f,3\n")
    reading = read(path, skip_bad=True)
    assert [topic.id for topic in reading] == ["1", "3"]
    assert str(reading.skipped[0]).startswith(f"{path}:3: 2 fields, the header has 3")


def test_shards_are_one_corpus(tmp_path):
    for number in range(3):
        write_parquet([{"document": f"Text {number}.", "summary": "s"}], tmp_path / f"train-{number}.parquet")
    (tmp_path / "dataset_info.json").write_text("{}")
    topics = list(read(tmp_path))
    assert [topic.id for topic in topics] == ["train-0:1", "train-1:1", "train-2:1"]


def test_many_rows_come_in_order_across_slices(tmp_path):
    rows = [{"article": f"Text {n}.", "highlights": "s", "id": str(n)} for n in range(2 * tabular._BATCH + 7)]
    write_parquet(rows, tmp_path / "t.parquet")
    assert [topic.id for topic in read(tmp_path / "t.parquet")] == [row["id"] for row in rows]


def test_without_polars_the_hint_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    with pytest.raises(MissingExtra, match=r"pip install 'topline\[data\]'"):
        list(read(tmp_path / "t.parquet"))


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | any_text(12)
    | st.sampled_from(['"', "\\", "]", ",", "[{", '\\"']),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text(4), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150)
@given(
    rows=st.lists(VALUES, max_size=6),
    chunk=st.integers(1, 40),
    escaped=st.booleans(),
    indent=st.sampled_from([None, 1]),
)
def test_a_list_read_by_elements_is_the_list(tmp_path_factory, rows, chunk, escaped, indent):
    path = tmp_path_factory.mktemp("j") / "t.json"
    text = json.dumps(rows, ensure_ascii=escaped, indent=indent)
    path.write_text(text, encoding="utf-8")
    patch = pytest.MonkeyPatch()
    with patch.context() as changed:
        changed.setattr(json_array, "_CHUNK", chunk)
        found = list(json_array.elements(path, 10_000))
    assert [value for _, value in found] == rows
    if indent and rows:
        first = [
            number
            for number, line in enumerate(text.split("\n"), 1)
            if line[:1] == " " and line[1:2] not in " ]}"
        ]
        assert [where.line for where, _ in found] == first


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('[{"x": "a"}, 2', "the list is not closed"),
        ("[] [1]", "something stands behind the list"),
        ("[", "the list is not closed"),
        ('["a', "the list is not closed"),
        ("[{},,2]", "no column"),
        ("[1 2]", "not JSON: Extra data"),
        ("[]]", "something stands behind the list"),
        ("[] x", "something stands behind the list"),
        ("[{]}", "not JSON"),
        ("[" + "9" * 200 + "]", "an element is longer than 100 bytes"),
    ],
)
def test_bad_lists(tmp_path, text, what):
    path = tmp_path / "t.json"
    path.write_text(text)
    with pytest.raises(CorpusError) as caught:
        list(read(path, columns="document=x", line_limit=100))
    assert what in caught.value.what


def test_a_text_that_unpacks_to_more_than_a_line_may_have_is_refused(tmp_path):
    path = tmp_path / "packed.parquet"
    polars.DataFrame({"article": ["a b. " * 300_000], "highlights": ["x"], "id": ["1"]}).write_parquet(path)
    with pytest.raises(CorpusError, match="article is longer than 1,000,000 characters"):
        next(read(path, line_limit=1_000_000))
