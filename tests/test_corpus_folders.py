"""Plain folders in their layouts, as corpora and as systems' summaries."""

import pytest

from topline.corpus.read import read, read_summaries
from topline.errors import CorpusError


@pytest.fixture
def folder(tmp_path):
    def write(files: dict[str, str | bytes]):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return tmp_path

    return write


def shape(topics):
    return {
        topic.id: (
            {d.id: [s.text for s in d.sentences] for d in topic.documents},
            {r.id: list(r.sentences) for r in topic.references},
        )
        for topic in topics
    }


def test_a_topic_a_folder(folder):
    root = folder({
        "t1/documents/a.txt": "Mr. Low left. It rained.",
        "t1/documents/b.txt": "Next",
        "t1/references/A.txt": "He left.\nIt rained.",
        "t1/references/B.spl": "no stop\nhere",
        "t1/references/C.html": '<a name="1">[1]</a> <a href="#1" id=1>One.</a>',
        "t2/documents/c.txt": "x",
        ".hidden/documents/c.txt": "x",
        "README": "about",
    })  # fmt: skip
    assert shape(read(root)) == {
        "t1": (
            {"a": ["Mr. Low left.", "It rained."], "b": ["Next"]},
            {"A": ["He left.", "It rained."], "B": ["no stop", "here"], "C": ["One."]},
        ),
        "t2": ({"c": ["x"]}, {}),
    }


def test_flat(folder):
    root = folder({
        "documents/one.v1.txt": "x",
        "documents/many/b.txt": "y",
        "documents/many/a.txt": "z",
        "references/one.v1.txt": "r",
        "references/many.A.txt": "s",
        "references/many/B.txt": "t",
        "references/stranger.txt": "u",
    })  # fmt: skip
    reading = read(root, skip_bad=True)
    assert shape(reading) == {
        "many": ({"a": ["z"], "b": ["y"]}, {"A": ["s"], "B": ["t"]}),
        "one.v1": ({"one.v1": ["x"]}, {"1": ["r"]}),
    }
    assert [error.what for error in reading.skipped] == ["a reference without topic"]
    assert reading.skipped[0].where.file == str(root / "references/stranger.txt")


def test_bad_files(folder):
    root = folder({
        "t1/documents/a.txt": b"caf\xe9",
        "t2/documents/a.txt": " \n",
        "t3/documents/a.txt": "x\0",
        "t4/documents/a.txt": "\ufeffok".encode("utf-16"),
        "t5/documents/a.txt": b"\xef\xbb\xbfgood\r\n",
        "t6/references/a.txt": "r",
    })  # fmt: skip
    reading = read(root, skip_bad=True)
    assert shape(reading) == {"t5": ({"a": ["good"]}, {})}
    assert [error.what.split(":")[0] for error in reading.skipped] == [
        "bad UTF-8", "empty document", "the file holds NUL bytes",
        "this file is UTF-16, not UTF-8", "no documents",
    ]  # fmt: skip
    with pytest.raises(CorpusError, match="the file is longer than 3 bytes"):
        list(read(folder({"t1/documents/a.txt": "long"}), line_limit=3))


def test_systems(folder):
    root = folder({
        "mead/t1.txt": "One.\nTwo.",
        "mead/t2.txt": "Wrapped over\ntwo lines. A second.",
        "lead/t1.txt": "",
        "lead/README.md": "Leading sentences.",
        "sumrepo/d30001.LexRank.txt": "a",
        "peers/D30001.M.100.T.15": "b",
        "peers/D30001.M.100.T.16.html": '<a href="#1" id=1>c</a>',
    })  # fmt: skip
    found = {(s.id, s.system): s.sentences for s in read_summaries(root)}
    assert found == {
        ("t1", "mead"): ("One.", "Two."),
        ("t2", "mead"): ("Wrapped over two lines.", "A second."),
        ("t1", "lead"): (),
        ("D30001", "LexRank"): ("a",),
        ("D30001", "15"): ("b",),
        ("D30001", "16"): ("c",),
    }
    (one,) = read_summaries(root / "lead")
    assert (one.id, one.system) == ("t1", "lead")
    (one,) = read_summaries(root / "mead" / "t1.txt")
    assert (one.id, one.system) == ("t1", "mead")


def test_a_folder_named_as_format(folder):
    root = folder({"x.txt": "x"})
    with pytest.raises(CorpusError, match=r"no folder of documents.*expected"):
        list(read(root, format="folders"))
    with pytest.raises(CorpusError, match="folders cannot be read from a file"):
        read(root / "x.txt", format="folders")
    with pytest.raises(CorpusError, match="csv cannot be read from a folder"):
        read(root, format="csv")
