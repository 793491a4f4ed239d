"""The verbs that search, as they are typed: fields, exit codes, bad input."""

import json
from random import Random

import pytest

from tests.test_build import topic_of
from topline.cli.common import exit_code_of
from topline.cli.main import cli

ORACLE = {
    "id", "references", "metric", "hits", "total", "score", "length", "selected", "proved", "bound",
    "rescored", "seconds", "signature",
}  # fmt: skip
OPTIMA = {
    "id", "references", "metric", "hits", "total", "score", "count", "count_all", "sizes", "proved", "bound",
    "seconds", "signature",
}  # fmt: skip


def line(topic, **more):
    return json.dumps(
        {
            "id": topic.id,
            "documents": [{"id": "d", "sentences": topic.texts()}],
            "references": [{"id": r.id, "sentences": list(r.sentences)} for r in topic.references],
            **more,
        }
    )


@pytest.fixture
def corpus(tmp_path):
    def write(*topics):
        path = tmp_path / "corpus.jsonl"
        path.write_text("".join(line(topic) + "\n" for topic in topics))
        return path

    return write


@pytest.fixture
def topline(capsys):
    """Runs a verb: its exit code, its rows (JSON), what it said on stderr."""

    def run(*arguments):
        code = exit_code_of(cli, [str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        rows = [json.loads(row) for row in out.splitlines()] if "--json" in arguments else out
        return code, rows, err

    return run


def without_time(rows):
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


TOPIC = topic_of(
    ["A cat sat.", "Dogs bark at night.", "One cat sat."], [["The cat sat there."], ["Dogs bark."]]
)


def test_oracle_fields_and_values(corpus, topline):
    code, rows, err = topline("oracle", corpus(TOPIC), "--budget", "7w", "--json", "--no-stem")
    assert (code, err) == (0, "")
    (row,) = rows
    assert set(row) == ORACLE
    assert (row["hits"], row["total"], row["selected"], row["length"]) == (4, 6, [0, 1], 7)
    assert row["score"] == row["hits"] / row["total"]
    assert (row["proved"], row["bound"], row["references"], row["metric"]) == (True, 4, "pooled", "rouge-1")
    for part in ("rouge-1", "stem:no", "budget:7w", "refs:pooled", "objective:recall", "solver:exact"):
        assert part in row["signature"]


def test_oracle_each_and_best(corpus, topline):
    path = corpus(TOPIC)
    _, each, _ = topline("oracle", path, "--budget", "4w", "--references", "each", "--json")
    assert [(row["references"], row["hits"], row["selected"]) for row in each] == [
        ("R0", 2, [0]),
        ("R1", 2, [1]),
    ]
    _, (best,), _ = topline("oracle", path, "--budget", "4w", "--references", "best", "--json")
    assert (best["references"], best["score"], best["proved"]) == ("R1", 1.0, True)


def test_oracle_rescored_counts_n_grams_between_sentences(corpus, topline):
    path = corpus(topic_of(["a b", "c d"], [["a b c d"]]))
    _, (row,), _ = topline("oracle", path, "--metric", "rouge-2", "--json")
    assert (row["score"], row["rescored"]) == (pytest.approx(2 / 3), 1.0)


@pytest.mark.parametrize("solver", ["exact", "ilp", "published"])
def test_oracle_solvers_agree_on_the_sample(topline, solver):
    code, rows, _ = topline("oracle", "sample:news", "--metric", "rouge-2", "--solver", solver, "--json")
    assert code == 0
    assert all(row["proved"] for row in rows)
    _, exact, _ = topline("oracle", "sample:news", "--metric", "rouge-2", "--json")
    assert [row["hits"] for row in rows] == [row["hits"] for row in exact]


def test_greedy_proves_nothing_but_has_a_bound(topline):
    code, rows, err = topline("oracle", "sample:news", "--solver", "greedy", "--json")
    _, exact, _ = topline("oracle", "sample:news", "--json")
    assert code == 0
    assert "see bound" in err
    for row, best in zip(rows, exact, strict=True):
        assert not row["proved"]
        assert row["hits"] <= best["hits"] <= row["bound"]


@pytest.mark.parametrize("extra", [(), ("--solver", "greedy")])
def test_chop_says_what_was_cut(topline, extra):
    code, rows, _ = topline(
        "oracle", "sample:news", "--metric", "rouge-2", "--budget", "60w", "--chop", "--json", *extra
    )
    assert code == 0
    for row in rows:
        assert set(row) in (ORACLE, ORACLE | {"cut", "kept"})
        if "cut" in row:
            assert row["cut"] in row["selected"]
            assert row["length"] == 60
        assert row["length"] <= 60


def test_f1_of_a_sum(topline):
    arguments = (
        "sample:news",
        "--metric",
        "rouge-1+rouge-2",
        "--objective",
        "f1",
        "--budget",
        "3s",
        "--json",
    )
    code, rows, _ = topline("oracle", *arguments)
    assert code == 0
    assert all(row["proved"] and row["bound"] == row["score"] == row["hits"] / row["total"] for row in rows)
    _, every, _ = topline("optima", *arguments)
    assert [row["score"] for row in every] == [row["score"] for row in rows]


def test_a_time_limit_ends_with_code_3_and_a_bound(shared_data, topline, tmp_path):
    hard = tmp_path / "hard.jsonl"
    lines = (shared_data / "squality.jsonl").read_text("utf-8").splitlines()[:5]
    topics = [json.loads(text) for text in lines]
    cluster = {
        "id": "cluster",
        "documents": [
            {**document, "id": f"{n}"} for n, t in enumerate(topics) for document in t["documents"]
        ],
        "references": [{**topics[0]["references"][0], "id": "A"}],
    }
    hard.write_text(json.dumps(cluster) + "\n")
    limit = ("--budget", "1000w", "--time-limit", "0.001", "--json")
    code, (row,), err = topline("oracle", hard, *limit)
    assert code == 3
    assert not row["proved"]
    assert row["hits"] <= row["bound"] <= row["total"]
    assert "not proved best for cluster" in err
    code, (row,), err = topline("optima", hard, *limit)
    assert (code, row["proved"]) == (3, False)
    assert "lower bounds" in err


def test_node_and_memory_limits(corpus, topline):
    words = [f"w{k}" for k in range(40)]
    rng = Random(4)
    path = corpus(topic_of([" ".join(rng.sample(words, 6)) for _ in range(60)], [[" ".join(words)]]))
    free = ("--budget", "30w", "--json")
    for verb in ("oracle", "optima"):
        _, (best,), _ = topline(verb, path, *free)
        code, (row,), _ = topline(verb, path, *free, "--node-limit", "3")
        assert (code, row["proved"]) == (3, False)
        assert row["hits"] <= best["hits"] <= row["bound"]
        code, (row,), _ = topline(verb, path, *free, "--memory-limit", "64")
        assert (code, row["hits"], row["proved"]) == (0, best["hits"], True)
    code, (row,), _ = topline("oracle", path, *free, "--solver", "published", "--node-limit", "3")
    assert (code, row["proved"]) == (3, False)
    assert row["hits"] <= best["hits"] <= row["bound"]


def test_the_best_reference_is_proved_only_if_no_other_can_be_matched_better(corpus, topline):
    words = [f"w{k}" for k in range(40)]
    rng = Random(4)
    sentences = [" ".join(rng.sample(words, 6)) for _ in range(60)]
    path = corpus(topic_of(sentences, [["w1 z z z z z"], [" ".join(words)]]))
    best = ("--budget", "30w", "--references", "best", "--json", "--node-limit", "3")
    for verb in ("oracle", "optima"):
        code, (row,), _ = topline(verb, path, *best)
        assert (code, row["proved"]) == (3, False)
        assert row["bound"] >= row["hits"]


def test_optima_fields_and_lists(corpus, topline):
    path = corpus(topic_of(["a cat sat", "dogs bark", "one cat sat", "hello you"], [["the cat sat there"]]))
    arguments = ("optima", path, "--budget", "5w", "--list", "5", "--sample", "4", "--jaccard", "--json")
    code, (row,), _ = topline(*arguments)
    assert code == 0
    assert set(row) == OPTIMA | {"optima", "sample", "jaccard", "jaccard_error", "jaccard_greedy"}
    assert sorted(row["optima"]) == [[0], [2]]
    # with `dogs bark` or `hello you`, which share nothing and fit
    assert (row["hits"], row["count"], row["count_all"], row["sizes"]) == (2, 2, 6, {"1": 2})
    assert all(chosen in ([0], [2]) for chosen in row["sample"])
    assert len(row["sample"]) == 4
    assert (row["jaccard"], row["jaccard_greedy"]) == (0.0, 0.5)
    again = topline(*arguments)[1]
    assert without_time(again) == without_time([row])


def test_published_optima_are_the_same(topline):
    arguments = ("optima", "sample:news", "--metric", "rouge-2", "--list", "9", "--json")
    _, ours, _ = topline(*arguments)
    _, theirs, _ = topline(*arguments, "--solver", "published")
    assert [row["count"] for row in ours] == [row["count"] for row in theirs]
    assert [sorted(row["optima"]) for row in ours] == [sorted(row["optima"]) for row in theirs]
    assert [row["count_all"] for row in ours] == [row["count_all"] for row in theirs]


def test_systems_by_number_and_by_text(corpus, topline, tmp_path):
    """The paper's worked example of averaging, and texts that must be matched."""
    path = corpus(topic_of(["a cat sat", "dogs bark", "one cat sat", "one cat sat"], [["the cat sat there"]]))
    systems = tmp_path / "systems.jsonl"
    summaries = [
        {"id": "t", "system": "numbers", "selected": [0, 1]},
        {
            "id": "t",
            "system": "text",
            "sentences": ["A CAT, sat!", "one cat sat", "no such thing", "nor this"],
        },
    ]
    systems.write_text("".join(json.dumps(summary) + "\n" for summary in summaries))
    code, rows, err = topline("optima", path, "--budget", "3w", "--systems", systems, "--json")
    assert code == 0
    by = {row["system"]: row for row in rows if "id" in row}
    # the best extracts are {0}, {2} and {3}
    numbers, text = by["numbers"], by["text"]
    assert numbers["count"] == 3
    assert [numbers[name] for name in ("precision", "recall")] == [pytest.approx(1 / 6), pytest.approx(1 / 3)]
    assert numbers["f1"] == pytest.approx(2 * (1 / 6) * (1 / 3) / (1 / 6 + 1 / 3))
    assert (numbers["least"], numbers["most"]) == ([0, 0, 0], [0.5, 1, pytest.approx(2 / 3)])
    assert text["unmatched"] == 2
    assert [text[name] for name in ("precision", "recall")] == [pytest.approx(1 / 6), pytest.approx(2 / 3)]
    assert "2 sentences of text are in no source" in err
    means = {row["system"]: row for row in rows if "id" not in row}
    assert means["text"]["precision"] == text["precision"]
    assert means["numbers"]["problems"] == 1


def test_a_system_for_an_unknown_topic_is_an_error(corpus, topline, tmp_path):
    systems = tmp_path / "systems.jsonl"
    systems.write_text(json.dumps({"id": "other", "system": "s", "selected": [0]}) + "\n")
    code, _, err = topline("optima", corpus(TOPIC), "--systems", systems, "--json")
    assert code == 2
    assert "systems.jsonl:1 (other): 's' summarises a topic that the corpus does not have" in err


@pytest.mark.parametrize("verb", ["oracle", "optima"])
def test_threads_and_one_core_give_the_same_bytes(topline, verb):
    results = [
        without_time(topline(verb, "sample:news", "--references", "each", "--jobs", jobs, "--json")[1])
        for jobs in (1, 2, 4)
    ]
    assert results[0] == results[1] == results[2]


def test_a_budget_smaller_than_every_sentence_is_said(corpus, topline):
    code, (row,), err = topline("oracle", corpus(TOPIC), "--budget", "2w", "--json")
    assert code == 0
    assert (row["selected"], row["hits"], row["proved"], row["bound"]) == ([], 0, True, 0)
    assert "the extract is empty for t" in err
    assert "fits into 2w" in err
    code, (row,), _ = topline("optima", corpus(TOPIC), "--budget", "2w", "--list", "2", "--json")
    assert (row["count"], row["optima"]) == (1, [[]])


def test_one_sentence(corpus, topline):
    path = corpus(topic_of(["a cat"], [["a cat sat"]]))
    _, (row,), _ = topline("oracle", path, "--json")
    assert (row["selected"], row["hits"]) == ([0], 2)
    _, (row,), _ = topline("optima", path, "--json")
    assert (row["count"], row["count_all"], row["sizes"]) == (1, 1, {"1": 1})


def test_ten_thousand_identical_sentences(corpus, topline):
    from math import comb

    path = corpus(topic_of(["a b c"] * 10_000, [["a b c a b"]]))
    code, (row,), _ = topline("optima", path, "--budget", "6w", "--json")
    assert (code, row["hits"], row["count"]) == (0, 5, comb(10_000, 2))
    code, (row,), _ = topline("optima", path, "--budget", "60w", "--json")
    assert row["count"] == sum(comb(10_000, size) for size in range(2, 21))
    for extra in ((), ("--objective", "f1"), ("--objective", "f1", "--metric", "rouge-1+rouge-2")):
        code, (row,), _ = topline("oracle", path, "--budget", "60w", "--json", *extra)
        assert (code, row["proved"]) == (0, True)


def test_best_sums_of_f1_that_are_too_many_end_with_code_3(corpus, topline):
    path = corpus(topic_of(["a b c"] * 3000, [["a b c a b"]]))
    f1 = ("--objective", "f1", "--metric", "rouge-1+rouge-2", "--budget", "60w", "--json")
    code, (row,), err = topline("optima", path, *f1, "--time-limit", "0.5")
    assert (code, row["proved"]) == (3, False)
    assert row["count"] >= 1
    assert "lower bounds" in err


def test_a_bad_topic_does_not_stop_the_rest(corpus, topline):
    bad = topic_of(["a b"], [["..."]], "bad")
    path = corpus(bad, TOPIC)
    for verb in ("oracle", "optima"):
        code, _, err = topline(verb, path, "--json")
        assert code == 2
        assert "bad: the references hold no n-gram of rouge-1: the score is undefined" in err
        code, rows, err = topline(verb, path, "--skip-bad", "--json")
        assert (code, [row["id"] for row in rows]) == (0, ["t"])
        assert "skipped bad: the references hold no n-gram" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("oracle", "--budget", "-5w"), "'-5w' is no budget"),
        (("oracle", "--budget", "0w"), "makes no sense"),
        (("oracle", "--budget", "120%"), "makes no sense"),
        (("oracle", "--budget", "99999999999w"), "makes no sense"),
        (("oracle", "--budget", "lots"), "'lots' is no budget"),
        (("oracle", "--budget", "3s", "--chop"), "cannot be chopped"),
        (("oracle", "--metric", "rouge-l"), "does not count n-grams"),
        (("oracle", "--metric", "bleu"), "'bleu' is no metric"),
        (("oracle", "--objective", "f1", "--solver", "ilp"), "the ilp solver maximises recall"),
        (("oracle", "--objective", "f1", "--chop"), "only recall can be chopped"),
        (("oracle", "--solver", "ilp", "--chop"), "only recall can be chopped"),
        (("oracle", "--time-limit", "0"), "time-limit"),
        (("oracle", "--node-limit", "0"), "node-limit"),
        (("optima", "--memory-limit", "-1"), "memory-limit"),
        (("oracle", "--jobs", "0"), "jobs"),
        (("optima", "--chop"), "not enumerated"),
        (("optima", "--objective", "f1", "--solver", "published"), "maximise recall"),
        (("optima", "--list", "-1"), "list"),
        (("label", "--out", "labels.csv"), "labels go into"),
        (("label", "--out", "labels.jsonl", "--recipe", "bertsum", "--soft"), "soft labels"),
        (("label", "--out", "labels.jsonl", "--budget", "-1s"), "'-1s' is no budget"),
    ],
)
def test_options_that_make_no_sense(corpus, topline, arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    verb, *rest = arguments
    code, _, err = topline(verb, corpus(TOPIC), *rest)
    assert code == 2
    assert message in err
    assert "Traceback" not in err


def test_label_writes_a_file_and_says_what_it_did(corpus, topline, tmp_path):
    path, out = corpus(TOPIC), tmp_path / "labels.jsonl"
    code, (row,), _ = topline("label", path, "--out", out, "--json")
    assert code == 0
    assert (row["documents"], row["kept"], row["skipped"], row["unproved"]) == (1, 0, 0, 0)
    (label,) = [json.loads(text) for text in out.read_text().splitlines()]
    assert set(label) == {"id", "sentences", "selected", "score", "proved", "signature"}
    assert label["signature"] == row["signature"]
    assert (label["id"], label["sentences"]) == ("t", 3)


def test_label_by_a_recipe_and_softly(corpus, topline, tmp_path):
    path, out = corpus(TOPIC), tmp_path / "labels.jsonl"
    topline("label", path, "--out", out, "--recipe", "matchsum")
    assert "candidates" in json.loads(out.read_text())
    topline("label", path, "--out", out, "--soft")
    assert len(json.loads(out.read_text())["soft"]) == 3


def test_tables_carry_the_signature_once_on_stderr(topline):
    code, out, err = topline("oracle", "sample:news", "--table", "tsv")
    assert (code, err.count("signature rouge-1|")) == (0, 1)
    assert len(out.splitlines()) == 9
    assert "signature" not in out


@pytest.mark.parametrize("verb", ["oracle", "optima", "spread", "compress", "summarize"])
@pytest.mark.parametrize("text", ["", "\n\n"])
def test_a_corpus_of_nothing_is_an_error_and_leaves_what_was_there(tmp_path, topline, verb, text):
    corpus, out = tmp_path / "corpus.jsonl", tmp_path / "out.jsonl"
    corpus.write_text(text)
    out.write_text("before")
    code, _, said = topline(verb, corpus, "--out", out)
    assert code == 2
    assert f"{corpus}: no topic in it" in said
    assert out.read_text() == "before"
