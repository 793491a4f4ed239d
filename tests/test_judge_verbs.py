"""The verbs utility, correlate, compare and tables, as they are typed."""

import json

import pytest

from topline.cli.common import exit_code_of
from topline.cli.main import cli
from topline.corpus.sample import sample

SYSTEMS = ("lead", "mead", "random")


@pytest.fixture
def run(capsys):
    def call(*arguments, code=0):
        got = exit_code_of(cli, [str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert got == code, err
        return (out if code == 0 else err).replace("\r", "")

    return call


@pytest.fixture
def rows(run):
    return lambda *arguments: [json.loads(line) for line in run(*arguments, "--json").splitlines()]


@pytest.fixture(scope="module")
def summaries(tmp_path_factory):
    folder = tmp_path_factory.mktemp("systems")
    for name in SYSTEMS:
        out = str(folder / f"{name}.jsonl")
        arguments = ["summarize", "sample:news", "--system", name, "--budget", "60w", "--out", out]
        assert exit_code_of(cli, arguments) == 0
    return [argument for name in SYSTEMS for argument in ("--systems", folder / f"{name}.jsonl")]


WORKED = [
    {"id": "d1", "judge": "1", "utilities": [10, 8, 2, 5]},
    {"id": "d1", "judge": "2", "utilities": [10, 9, 3, 6]},
    {"id": "d1", "judge": "3", "utilities": [5, 8, 4, 9]},
]


def write(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.fixture
def worked(tmp_path):
    return "--judgments", write(tmp_path / "worked.jsonl", WORKED)


def test_utility_prints_the_papers_example(run, rows, worked, tmp_path):
    levels = run("utility", *worked, "--rates", "50%", "--digits", "3")
    assert "0.84100  0.73200" in levels
    matrix = rows("utility", *worked, "--rates", "0.5", "--digits", 3, "--show", "matrix")
    assert [row["overall"] for row in matrix] == [0.883, 0.883, 0.756]
    assert [matrix[2][f"of {judge}"] for judge in "123"] == [0.722, 0.789, 1]
    extracts = write(
        tmp_path / "s.jsonl",
        [{"id": "d1", "system": "14", "selected": [0, 3]}, {"id": "d1", "system": "24", "selected": [1, 3]}],
    )
    found = rows("utility", *worked, "--systems", extracts, "--digits", 3)
    assert [(row["S"], round(row["D"], 3)) for row in found[:2]] == [(0.833, 0.927), (0.837, 0.963)]
    assert found[0]["signature"].startswith("relative-utility|E:1")
    ideal = rows("utility", *worked, "--systems", extracts, "--show", "agreement")
    assert [(row["ideal"], row["agreement"]) for row in ideal] == [([0, 1], 0.5), ([0, 1], 0.5)]
    judges = rows("utility", *worked, "--rates", "50%", "--show", "agreement")
    assert judges[-1]["agreement"] == pytest.approx(10 / 12)


def test_undefined_d_is_said(rows, tmp_path):
    alike = [{"id": "d", "judge": j, "utilities": [3, 3, 3]} for j in "ab"]
    extracts = write(tmp_path / "s.jsonl", [{"id": "d", "system": "x", "selected": [0]}])
    one, mean = rows("utility", "--judgments", write(tmp_path / "j.jsonl", alike), "--systems", extracts)
    assert (one["D"], one["why"], mean["why"], mean["D_topics"]) == (None, "J <= R", "J <= R", 0)


def test_utility_of_summarisers_with_subsumption_from_the_text(rows):
    common = (
        "utility",
        "sample:newswire",
        "--judgments",
        "sample:judgments",
        "--rates",
        "10,20",
        "--run",
        "lead",
    )
    plain = rows(*common)
    assert len(plain) == 2 * 4 + 2
    assert all(0 < row["R"] < row["J"] <= 1 for row in plain)
    strict = rows(*common, "--credit", "0", "--links", "overlap", "--threshold", "0.3")
    assert [row["R"] for row in strict] != [row["R"] for row in plain]


def test_subsumption_tables(rows):
    shown = rows("utility", "--judgments", "sample:judgments", "--show", "subsumption")
    assert len(shown) == 31 + 32 + 33 + 33
    counts = rows("utility", "--judgments", "sample:judgments", "--show", "consensus")
    assert sum(row["plus"] + row["minus"] for row in counts) == len(shown)
    classes = rows("utility", "--judgments", "sample:judgments", "--show", "classes", "--agree", 2)
    assert classes == []
    pairs = rows("utility", "--judgments", "sample:judgments", "--show", "classes", "--agree", 1)
    assert [row["sentences"] for row in pairs] == [["14", "15"]]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--systems", "{}/empty.jsonl"], "the extract is empty"),
        (["--systems", "{}/far.jsonl"], "selects sentence 9, but 4 are judged"),
        (["--systems", "{}/unknown.jsonl"], "nobody judged this topic"),
        (["--systems", "{}/text.jsonl"], "gives no 'selected'"),
        (["--systems", "{}/twice.jsonl"], "selects a sentence twice"),
        (["--systems", "{}/rate.jsonl"], "rate.jsonl:1 (d1): 'often' is no compression rate"),
        (["--rates", "0"], "no compression rate"),
        (["--credit", "2"], "between 0 and 1"),
        (["--run", "lead"], "needs the texts"),
        (["--credit", "0", "--links", "overlap"], "need the texts"),
        (["--judgments", "{}/skipped.jsonl"], "judge 4 skipped sentence 1"),
        (["--judgments", "{}/worked.jsonl"], "judged in two files"),
        (["--judgments", "{}/nowhere.jsonl"], "no such file"),
        (["--systems", "{}/nowhere.jsonl"], "no such file"),
    ],
)
def test_bad_input_of_utility(run, worked, tmp_path, options, said):
    bad = {
        "empty": {"id": "d1", "system": "x", "selected": []},
        "far": {"id": "d1", "system": "x", "selected": [9]},
        "unknown": {"id": "d9", "system": "x", "selected": [0]},
        "text": {"id": "d1", "system": "x", "sentences": ["a"]},
        "twice": {"id": "d1", "system": "x", "selected": [1, 1]},
        "rate": {"id": "d1", "system": "x", "selected": [1], "rate": "often"},
        "skipped": {"id": "d2", "judge": "4", "utilities": [3, None]},
    }
    for name, record in bad.items():
        write(tmp_path / f"{name}.jsonl", [record])
    options = [option.format(tmp_path) for option in options]
    assert said in run("utility", *worked, *options, code=2)


def test_bad_records_may_be_skipped(rows, worked, tmp_path):
    bad = write(
        tmp_path / "skipped.jsonl", [{"id": "d1", "judge": "4", "utilities": [3, None, 1, 1]}, *WORKED]
    )
    assert rows("utility", "--judgments", bad, "--skip-bad", "--rates", "50%") == rows(
        "utility", *worked, "--rates", "50%"
    )


def test_compare_systems(rows, run, summaries):
    found = rows("compare", "sample:news", *summaries, "--metric", "rouge-1+rouge-2")
    assert [(row["metric"], row["system"]) for row in found[:3]] == [("rouge-1", name) for name in SYSTEMS]
    assert all(row["low"] <= row["mean"] <= row["high"] for row in found)
    pairs = rows("compare", "sample:news", *summaries, "--show", "pairs", "--test", "wilcoxon")
    assert len(pairs) == 3
    assert all(row["exact"] and row["p"] <= row["p_holm"] for row in pairs)
    assert run("compare", "sample:news", *summaries, "--jobs", 1) == run(
        "compare", "sample:news", *summaries, "--jobs", 4
    )


def scores_of(tmp_path, table, name="scores.jsonl"):
    """Lines as `score --json` writes them."""
    return write(
        tmp_path / name,
        [
            {"id": f"t{t}", "system": system, "metric": "rouge-1", "f1": value}
            for system, values in table.items()
            for t, value in enumerate(values)
        ],
    )


def test_superscripts_mark_wins_and_never_ties(run, tmp_path):
    rise = [0.1 + 0.001 * t for t in range(40)]
    table = {"a_1": [x + 0.5 for x in rise], "b": rise, "c": rise}
    scores = scores_of(tmp_path, table)
    md = run("compare", "--scores", scores, "--table", "md")
    assert "| a | a_1 | 0.61950<sup>bc</sup> |" in md
    assert md.count("<sup>") == 1
    latex = run("compare", "--scores", scores, "--table", "latex", "--test", "wilcoxon")
    assert r"a & a\_1 & 0.61950\textsuperscript{bc} \\" in latex
    assert "0.61950 ^bc" in run("compare", "--scores", scores)


def test_ceilings(rows, summaries):
    steps = rows("compare", "sample:news", *summaries, "--show", "scale", "--by", "recall", "--budget", "60w")
    by_kind = {row["kind"]: row for row in steps}
    assert (by_kind["random"]["headroom"], by_kind["oracle"]["headroom"]) == (0, 1)
    assert {row["name"] for row in steps if row["kind"] == "system"} == set(SYSTEMS)
    people = rows("compare", "sample:news", "--show", "references", "--metric", "rouge-1+rouge-2")
    assert [row["count"] for row in people[-2:]] == [32, 32]
    words = rows("compare", "sample:news", "--show", "words")
    assert {row["id"] for row in words} == {f"t0{n}" for n in range(1, 9)}


STOP_WORDS = {"id": "A", "sentences": ["It is what it is."]}
JUDGED = ["--judgments", "sample:judgments"]
LEAD = ["--systems", "{}/lead.jsonl"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare"], "nothing to score"),
        (["compare", "sample:news"], "nothing to score"),
        (["compare", "sample:news", "--scores", "x"], "in place of"),
        (["compare", "--show", "scale"], "needs the corpus"),
        (["compare", "--scores", "{}/gap.jsonl"], "has no score for topic"),
        (["compare", "--scores", "{}/one.jsonl"], "two systems"),
        (["correlate", "--scores", "{}/gap.jsonl", "--human", "{}/human.csv"], "unknown system 'z'"),
        (
            ["correlate", "--scores", "{}/one.jsonl", "--human", "{}/human.csv", "--measure", "x"],
            "nobody gave 'x'",
        ),
        (["correlate", "--scores", "{}/one.jsonl", "--human", "{}/none.csv"], "No such file"),
        (["tables", "sample:news", "--paper", "hirao2017", "--as", "duc1999"], "no figures for 'duc1999'"),
        (["tables", "sample:news", "--paper", "hirao2017", "--only", "9"], "no table '9'"),
        (["tables", "sample:news", "--paper", "hirao2017", "--only", "6"], "needs systems' summaries"),
        (["tables", "sample:newswire", "--paper", "radev2004", *2 * JUDGED], "nw1 is judged in two files"),
        (
            ["tables", "sample:news", "--paper", "hirao2017", *2 * LEAD],
            "lead.jsonl:1 (t01 by lead): doubled id of a summary",
        ),
    ],
)
def test_bad_input_of_the_others(run, tmp_path, arguments, said):
    scores_of(tmp_path, {"a": [0.1, 0.2], "b": [0.3]}, "gap.jsonl")
    scores_of(tmp_path, {"a": [0.1, 0.2]}, "one.jsonl")
    (tmp_path / "human.csv").write_text("system,content\nz,1\n")
    write(tmp_path / "lead.jsonl", [{"id": "t01", "system": "lead", "selected": [0]}])
    assert said in run(*(argument.format(tmp_path) for argument in arguments), code=2)


def test_topics_that_cannot_be_scored_are_skipped_where_that_is_asked_for(run, rows, tmp_path):
    topics = [json.loads(line) for line in sample("news").read_text("utf-8").splitlines()[:2]]
    corpus = write(tmp_path / "c.jsonl", [*topics, {**topics[0], "id": "x", "references": [STOP_WORDS]}])
    tables = ("tables", corpus, "--paper", "hirao2017", "--only", "2")
    assert "x: the references hold no n-gram" in run(*tables, code=2)
    scale = ("compare", corpus, "--show", "scale", "--stopwords", "smart", "--budget", "40w")
    assert "x: the references hold no n-gram" in run(*scale, code=2)
    assert {row["topics"] for row in rows(*scale, "--skip-bad")} == {2}
    assert len(rows(*tables, "--skip-bad")) == 3


def test_correlate_at_every_level(rows, summaries):
    common = ("correlate", "sample:news", *summaries, "--human", "sample:human", "--common", "--samples", 200)
    found = rows(*common, "--level", "system", "--level", "topic", "--level", "pooled")
    assert len(found) == 2 * 3 * 3
    assert {(row["level"], row["n"]) for row in found} == {("system", 3), ("topic", 8), ("pooled", 24)}
    assert all(-1 <= row["r"] <= 1 and 0 < row["p"] <= 1 for row in found)
    tests = rows(*common, "--show", "williams", "--metric", "rouge-1+rouge-2")
    assert [row["why"] for row in tests] == ["fewer than four systems"] * 2


def test_scores_given_per_system_and_constant_columns(rows, tmp_path):
    scores = scores_of(tmp_path, {"a": [0.1, 0.2], "b": [0.3, 0.4], "c": [0.5, 0.5]})
    human = tmp_path / "human.csv"
    human.write_text("system,content,flat\na,1,2\nb,2,2\nc,3,2\n")
    content, flat = rows("correlate", "--scores", scores, "--human", human, "--coefficient", "spearman")
    assert (content["r"], content["exact"]) == (1, True)
    assert (flat["r"], flat["why"]) == (None, "the human column is constant")


def test_correlation_of_overlaps_with_oracles(rows, summaries):
    found = rows(
        "correlate", "sample:news", *summaries, "--human", "sample:human", "--common", "--score", "oracles",
        "--budget", "60w", "--coefficient", "kendall", "--measure", "responsiveness",
    )  # fmt: skip
    assert [row["metric"] for row in found] == ["oracles(rouge-1)"]
