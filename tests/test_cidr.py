"""CIDR: equal to a plain scan over all clusters, its options, its streams, its bounds."""

import gzip
import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.twins.plain_cidr import PlainCidr
from topline.cli.main import main
from topline.corpus.read import read
from topline.errors import CorpusError, OptionError
from topline.run.whole import json_line
from topline.systems.background import Background, Census
from topline.systems.mead import cidr as module
from topline.systems.mead.cidr import Cidr, CidrOptions, words_of
from topline.systems.mead.stream import Spool, Tally, cluster, fill_spool, read_stream

WORDS = [
    "Strike",
    "strike",
    "Denmark",
    "spill",
    "toxic",
    "Spain",
    "the",
    "of",
    "x7y",
    "Moscow",
    "bomb",
    "a_b",
]


def idf_of(values: dict[str, float]):
    return Background(documents=100, values=values).idf


def values(seed: int) -> dict[str, float]:
    chance = random.Random(seed)
    words = {part.lower() for word in WORDS for part in words_of(word, None)}
    return {word: chance.choice([0.0, 0.2, 1.0, 2.5, 4.0, 7.1]) for word in sorted(words)}


def texts(seed: int, number: int) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=chance.randint(0, 9))) for _ in range(number)]


@pytest.mark.parametrize("variant", ["paper", "mead3"])
@given(
    st.integers(0, 10**6), st.sampled_from([0.05, 0.5, 1.0, 2.0]), st.sampled_from([0.0, 0.01, 0.2]),
    st.sampled_from([0, 0, 3]), st.integers(1, 5),
)  # fmt: skip
def test_the_index_finds_what_a_scan_finds(
    variant: str, seed: int, threshold: float, decay: float, active: int, keep: int
) -> None:
    idf = values(seed)
    options = CidrOptions(variant, threshold, decay, 3.0, keep, active)
    fast = Cidr(idf_of(idf), options)
    plain = PlainCidr(lambda word: idf[word], variant, threshold, decay, 3.0, keep, active)
    for text in texts(seed, 40):
        assert fast.add(text) == plain.add(text)
    assert fast.open == len(plain.clusters)
    for number, (_, centroid) in plain.clusters.items():
        assert list(fast.centroid(number)) == list(centroid)
        assert fast.centroid(number) == pytest.approx(centroid)


def test_real_text_clusters_as_a_scan_does() -> None:
    texts = [
        document.title + "\n" + "\n".join(sentence.text for sentence in document.sentences)
        for topic in read("sample:news")
        for document in topic.documents
    ]
    random.Random(0).shuffle(texts)
    census = Census()
    for text in texts:
        census.add([text])
    background = census.background()
    for variant in ("paper", "mead3"):
        fast = Cidr(background.idf, CidrOptions(variant))
        plain = PlainCidr(lambda word: float(background.idf([word])[0]), variant)
        assert [fast.add(text) for text in texts] == [plain.add(text) for text in texts]


def test_similarity_by_hand() -> None:
    # counts: Gold 2 (capital), rush 1 against gold 1; IDF 2 and 3
    idf = {"gold": 2.0, "rush": 3.0}
    equation = (2 * 1 * 2) / (math.sqrt(4 + 1) * 1)
    both = (4 * 2) / (math.sqrt(16 + 9) * 2)
    for variant, similarity in (("paper", equation), ("mead3", both)):
        for threshold, clusters in ((similarity - 1e-9, 1), (similarity + 1e-9, 2)):
            one = Cidr(idf_of(idf), CidrOptions(variant, threshold, decay=0.0))
            one.add("gold")
            one.add("Gold rush")
            assert one.opened == clusters, (variant, threshold)


def test_centroids_are_running_means_cut_by_the_keep_rule() -> None:
    one = Cidr(idf_of({"gold": 4.0, "rush": 1.0, "mine": 1.0}), CidrOptions(decay=0.0, keep=2))
    for text in ("gold rush", "gold gold", "gold mine mine mine"):
        assert one.add(text) == 0
    # the second document leaves rush at 1/2; the third brings mine to 1, and rush, at 1/3, has to go
    assert one.centroid(0) == pytest.approx({"gold": 4 / 3, "mine": 1.0})


def test_words_weigh_less_the_later_they_come() -> None:
    text = " ".join("abcdefghij"[i % 10] * 2 for i in range(300))
    one = Cidr(idf_of(dict.fromkeys(map(str.__mul__, "abcdefghij", [2] * 10), 5.0)), CidrOptions(decay=0.01))
    one.add(text)
    assert sum(one.centroid(0).values()) == pytest.approx(sum(1 - i / 100 for i in range(100)))
    assert CidrOptions(decay=0.01).reach == 100
    assert CidrOptions(decay=0.03).reach == 34
    assert CidrOptions(decay=1.0).reach == 1
    assert CidrOptions(decay=0.0).reach is None


def test_words_are_split_at_digits_underscores_and_punctuation() -> None:
    assert words_of("AFP-2004: Café_au lait's 3rd", None) == ["AFP", "Café", "au", "lait", "s", "rd"]
    assert words_of("स्पेन में रिसाव, 12 café", None) == ["स्पेन", "में", "रिसाव", "café"]
    assert words_of("cafe\u0301 中文 句子。ไป", None) == ["cafe\u0301", "中", "文", "句", "子", "ไ", "ป"]
    assert words_of("カ・ナ 」ที่นี่", None) == ["カ", "ナ", "ที่", "นี่"]
    assert words_of("Größe overrides Größe", None) == ["Größe", "overrides", "Größe"]
    assert words_of("one two three " * 500, 4) == ["one", "two", "three", "one"]
    assert words_of("- " * 5000 + "far away", 2) == ["far", "away"]


def test_idle_clusters_close_by_number_and_by_days() -> None:
    idf = idf_of(dict.fromkeys(("gold", "tin", "iron"), 5.0))
    few = Cidr(idf, CidrOptions(active=2))
    assert [few.add(text) for text in ("gold", "tin", "gold", "iron", "tin", "gold")] == [0, 1, 0, 2, 3, 4]
    assert few.open == 2
    near = Cidr(idf, CidrOptions(within=10))
    days = [("gold", 1), ("tin", 5), ("gold", 11), ("tin", 16), ("gold", 21), ("gold", 40), ("gold", None)]
    assert [near.add(text, day) for text, day in days] == [0, 1, 0, 2, 0, 3, 3]


def test_what_has_no_date_counts_for_the_day_of_what_came_before() -> None:
    near = Cidr(idf_of(dict.fromkeys(("gold", "tin", "iron"), 5.0)), CidrOptions(within=10))
    days = [("tin", None), ("gold", 1), ("tin", 9), ("iron", None), ("gold", 19), ("iron", 19), ("tin", 20)]
    assert [near.add(text, day) for text, day in days] == [0, 1, 0, 2, 3, 2, 4]


def test_by_default_the_index_is_bounded() -> None:
    assert CidrOptions().active == 100_000


def test_memory_follows_the_open_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WORDS", 200)
    one = Cidr(Background(documents=10, unknown=5.0).idf, CidrOptions(active=20))
    chance = random.Random(1)
    sizes = []
    for _ in range(4000):
        word = "".join(chance.choices("abcdefgh", k=4))
        one.add(f"{word} {word} {word}x")
        sizes.append(len(one._clusters._word_lists.keys) + len(one._clusters._cluster_lists.keys))
    assert one.open <= 20
    assert sizes[-1] == sizes[500]
    assert len(one._spellings.words) <= 210


def test_forgetting_words_changes_no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    background = Background(documents=10, unknown=5.0)
    stream = [
        " ".join(random.Random(i % 50).choices("abcdefghijklmnop", k=3)) + f" w{'xyz'[i % 3]}"
        for i in range(300)
    ]
    whole = Cidr(background.idf, CidrOptions(threshold=3.0, active=5))
    expected = [whole.add(text) for text in stream]
    monkeypatch.setattr(module, "MOST_WORDS", 12)
    forgetful = Cidr(background.idf, CidrOptions(threshold=3.0, active=5))
    assert [forgetful.add(text) for text in stream] == expected


@pytest.mark.parametrize(
    "options", [{"variant": "cidr"}, {"threshold": 0.0}, {"threshold": -1}, {"decay": 2}, {"keep": 0}]
)
def test_options_that_make_no_sense(options: dict) -> None:
    with pytest.raises(OptionError, match="cidr"):
        CidrOptions(**options)


def stream_file(folder: Path, rows: list) -> Path:
    path = folder / "stream.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


DOCUMENTS = [
    {
        "id": "a",
        "date": "1998-10-02",
        "title": "Strike in Denmark",
        "text": "Danish workers strike. They strike.",
    },
    {"id": "b", "date": "1998-10-01", "sentences": ["A toxic spill in Spain.", "The spill is toxic."]},
    {"id": "c", "text": "The strike in Denmark goes on; Danish workers want more.", "source": "AP"},
]


def clusters_of(path: Path, **more) -> list[list[str]]:
    with_spool, tally, census = Spool(), Tally(), Census()
    fill_spool(read_stream(path, tally), with_spool, tally, census)
    found = cluster(with_spool, census.background(), CidrOptions(), **more)
    rows = [[document["id"] for document in topic["documents"]] for topic in found.topics()]
    with_spool.close()
    return rows


def test_a_stream_becomes_a_corpus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = stream_file(tmp_path, DOCUMENTS)
    out = tmp_path / "corpus.jsonl"
    with pytest.raises(SystemExit) as stop:
        main(["cluster", str(path), "--out", str(out)])
    assert stop.value.code == 0
    said = capsys.readouterr().err
    assert "3 documents in 2 clusters" in said
    assert "1 have no date: taken in order of arrival" in said
    assert "1 are dated before one that came earlier" in said
    topics = list(read(out))
    assert [[document.id for document in topic.documents] for topic in topics] == [["a", "c"], ["b"]]
    assert json.loads(out.read_text("utf-8").splitlines()[0])["documents"][1]["source"] == "AP"


def test_a_corpus_is_written_from_the_spool_as_its_topics_are(tmp_path: Path) -> None:
    rows = [
        {**row, "id": f"{row['id']}{k}", "note": "naïve “quotes”\u2028"}
        for k in range(3)
        for row in DOCUMENTS
    ]
    spool, tally, census = Spool(), Tally(), Census()
    fill_spool(read_stream(stream_file(tmp_path, rows), tally), spool, tally, census)
    for by_date in (False, True):
        found = cluster(spool, census.background(), CidrOptions(), by_date=by_date)
        for least in (1, 4):
            topics = list(found.topics(least))
            assert "".join(found.json(least)) == "".join(map(json_line, topics))
            assert all(len(topic["documents"]) >= least for topic in topics)
    assert [len(topic["documents"]) for topic in found.topics()] == [3, 6]
    lengths = {topic["id"]: len(json_line(topic).encode()) for topic in found.topics()}
    assert found.too_long() == []
    longest, _ = sorted(lengths.values(), reverse=True)
    # a topic's line is its documents and some fifty bytes around them
    assert found.too_long(longest - 80) == [id for id, length in lengths.items() if length == longest]
    spool.close()


def test_a_number_that_json_cannot_hold_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "stream.jsonl"
    path.write_text('{"id": "a", "text": "x", "weight": 1e999}\n')
    with pytest.raises(SystemExit) as stop:
        main(["cluster", str(path)])
    assert stop.value.code == 2
    assert "a: holds a number too large for JSON" in capsys.readouterr().err


def test_the_overview_says_the_first_and_the_last_date(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dates = ["1998-10-02", "October 1, 1998", None, "19981003", "October 2, 1998"]
    rows = [{"id": str(i), "date": date, "text": "Danish strike."} for i, date in enumerate(dates)]
    rows.append({"id": "other", "text": "A toxic spill."})
    with pytest.raises(SystemExit):
        main(["cluster", str(stream_file(tmp_path, rows))])
    row, _ = capsys.readouterr().out.splitlines()[1:]
    assert row.split()[:4] == ["c0001", "5", "1998-10-01", "1998-10-03"]


def test_a_stream_can_be_taken_by_date(tmp_path: Path) -> None:
    assert clusters_of(stream_file(tmp_path, DOCUMENTS), by_date=True) == [
        ["b"],
        ["c", "a"],
    ]  # c stays behind b


def test_topics_and_other_corpora_are_streams_too(tmp_path: Path) -> None:
    flat = clusters_of(stream_file(tmp_path, DOCUMENTS))
    assert clusters_of(stream_file(tmp_path, [{"id": "t", "documents": DOCUMENTS}])) == flat
    csv = tmp_path / "stream.csv"
    csv.write_text('id,article\n1,"Gold is found."\n2,"Gold is lost."\n', "utf-8")
    tally = Tally()
    assert len(list(read_stream(csv, tally, columns="document=article,id=id"))) == 2


def test_other_languages_cluster_by_their_words(tmp_path: Path) -> None:
    texts = [
        "स्पेन में ज़हरीला रिसाव", "डेनमार्क की हड़ताल", "स्पेन का रिसाव नदी में",
        "西班牙泄漏污染河流", "丹麦工人罢工", "西班牙的泄漏",
        "Größere Streiks in Dänemark", "Streiks: Dänemark steht still",
    ]  # fmt: skip
    rows = [{"id": str(number), "text": text} for number, text in enumerate(texts)]
    assert clusters_of(stream_file(tmp_path, rows)) == [["0", "2"], ["1"], ["3", "5"], ["4"], ["6", "7"]]


def test_a_gzipped_stream_is_a_stream(tmp_path: Path) -> None:
    path = stream_file(tmp_path, DOCUMENTS)
    packed = tmp_path / "stream.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert clusters_of(packed) == clusters_of(path)


def test_a_folder_that_is_not_there_is_said_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["cluster", str(stream_file(tmp_path, DOCUMENTS)), "--out", str(tmp_path / "no" / "x.jsonl")])
    assert stop.value.code == 2
    assert "no: there is no such folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("text", "a line must be a document"),
        ({"text": "x"}, "without an id"),
        ({"id": 7, "text": "x"}, "without an id"),
        ({"id": "a", "text": "x"}, "doubled id"),
        ({"id": "n"}, "one of text and sentences"),
        ({"id": "n", "text": "x", "sentences": ["x"]}, "one of text and sentences"),
        ({"id": "n", "text": ["x"]}, "text is not text"),
        ({"id": "n", "sentences": [1]}, "sentences is not text"),
        ({"id": "n", "text": " "}, "empty document"),
        ({"id": "n", "text": "x", "date": 1998}, "date must be a string"),
    ],
)
def test_bad_documents_are_named_or_skipped(tmp_path: Path, row, what: str) -> None:
    path = stream_file(tmp_path, [DOCUMENTS[0], row, DOCUMENTS[1]])
    with pytest.raises(CorpusError, match=what) as error:
        list(read_stream(path, Tally()))
    assert "stream.jsonl:2" in str(error.value)
    tally = Tally()
    assert [document["id"] for document in read_stream(path, tally, skip_bad=True)] == ["a", "b"]
    assert tally.skipped == 1


def test_an_empty_stream_and_a_stream_of_nothing_in_common(tmp_path: Path) -> None:
    assert clusters_of(stream_file(tmp_path, [])) == []
    rows = [
        {"id": str(i), "text": text} for i, text in enumerate(["中文 句子", "12 34", "of of", "中文 句子"])
    ]
    assert sorted(map(sorted, clusters_of(stream_file(tmp_path, rows)))) == [["0", "3"], ["1"], ["2"]]


def test_centroids_print_as_table_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["cluster", str(stream_file(tmp_path, DOCUMENTS)), "--explain", "--json"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {tuple(row) for row in rows} == {("id", "Term", "TF", "IDF", "TF*IDF")}
    assert all(row["TF*IDF"] == pytest.approx(row["TF"] * row["IDF"]) for row in rows)
    assert np.all(np.diff([row["TF*IDF"] for row in rows if row["id"] == rows[0]["id"]]) <= 0)
