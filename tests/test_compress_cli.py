"""`topline compress` on the bundled corpus: records, text, trees, Table 1, all optima, limits."""

import json

import pytest

from topline.cli.common import exit_code_of
from topline.cli.main import cli


def run(capsys, *arguments: str, code: int = 0, corpus: str = "newswire") -> str:
    capsys.readouterr()
    assert exit_code_of(cli, ["compress", f"sample:{corpus}", *arguments]) == code, capsys.readouterr().err
    return capsys.readouterr().out


def records(capsys, *arguments: str, **more) -> list[dict]:
    return [json.loads(line) for line in run(capsys, *arguments, "--json", **more).splitlines()]


VARIANTS = {
    "rouge-1": ("--metric", "rouge-1", "--stopwords", "smart"),
    "rouge-2": ("--metric", "rouge-2"),
    "rouge-su0": ("--metric", "rouge-su0"),
}


@pytest.mark.parametrize("rules", ["paper", "strict"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_no_extract_is_better_and_all_is_proved(capsys, variant, rules):
    rows = records(capsys, *VARIANTS[variant], "--rules", rules, corpus="news")
    assert len(rows) == 8
    for row in rows:
        assert row["proved"]
        assert row["extract_proved"]
        assert row["extract_hits"] <= row["hits"] == row["bound"] <= row["total"]
        assert row["greedy_hits"] <= row["hits"]
        assert row["length"] <= 100
        assert sum(len(text.split()) for text in row["sentences"]) <= row["length"]
        assert len(row["sentences"]) == len(row["selected"]) == len(row["kept"])


def test_records_are_summaries_that_can_be_scored(capsys, tmp_path):
    out = tmp_path / "c.jsonl"
    run(capsys, "--metric", "rouge-2", "--json", "--out", str(out))
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    capsys.readouterr()
    score = ["score", "sample:newswire", "--systems", str(out), "--metric", "rouge-2", "--json"]
    assert exit_code_of(cli, score) == 0
    scored = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    by_id = {row["id"]: row["recall"] for row in scored if "id" in row}
    assert {row["id"]: row["rescored"] for row in rows} == by_id


def test_the_kept_spans_are_the_printed_words(capsys):
    from topline.corpus.read import read

    texts = {topic.id: topic.texts() for topic in read("sample:newswire")}
    for row in records(capsys, "--metric", "rouge-2", "--rules", "strict"):
        for number, text, spans in zip(row["selected"], row["sentences"], row["kept"], strict=True):
            source = texts[row["id"]][number]
            kept = "".join("".join(source[a:b].split()) for a, b in spans)
            assert kept.lower() == "".join(text.split()).lower()


def test_threads_change_nothing(capsys):
    def without_times(rows):
        return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]

    one, two = (without_times(records(capsys, "--metric", "rouge-su0", "--jobs", n)) for n in ("1", "2"))
    assert one == two


def test_text_and_trees_are_printed(capsys):
    text = run(capsys, "--metric", "rouge-2", "--rules", "strict", "--text")
    assert text.startswith("nw1  rouge-2 0.")
    assert "\n\nnw2  " in text
    trees = run(capsys, "--show-trees")
    assert trees.count("ROOT\n") == 129
    assert "  [" in trees


def test_table_1_has_the_papers_shape(capsys):
    rows = records(capsys, "--cross")
    assert [(row["summary"], row["best_for"]) for row in rows] == [
        (kind, name) for kind in ("compressive", "extractive") for name in VARIANTS
    ]
    for kind in (rows[:3], rows[3:]):
        for name in VARIANTS:
            best = max(kind, key=lambda row: row[name])
            assert best["best_for"] == name, "best when optimised for what it is scored by"
    for compressive, extractive in zip(rows[:3], rows[3:], strict=True):
        assert compressive[compressive["best_for"]] > extractive[extractive["best_for"]]


def test_solvers_agree(capsys):
    ours = records(capsys, "--metric", "rouge-2", "--rules", "strict")
    theirs = records(capsys, "--metric", "rouge-2", "--rules", "strict", "--solver", "ilp")
    assert [row["hits"] for row in ours] == [row["hits"] for row in theirs]
    greedy = records(capsys, "--metric", "rouge-2", "--rules", "strict", "--solver", "greedy")
    assert [row["hits"] for row in greedy] == [row["greedy_hits"] for row in ours]
    assert not any(row["proved"] for row in greedy if row["hits"] < row["bound"])


def test_all_optima_are_counted_and_listed(capsys):
    rows = records(capsys, "--metric", "rouge-2", "--rules", "strict", "--optima", "--list", "2")
    best = records(capsys, "--metric", "rouge-2", "--rules", "strict")
    for row, one in zip(rows, best, strict=True):
        assert row["hits"] == one["hits"]
        assert 1 <= row["patterns"] <= row["count"]
        assert 1 <= len(row["list"]) <= 2


def test_a_limit_gives_code_3_and_a_bound(capsys):
    rows = records(capsys, "--metric", "rouge-su0", "--time-limit", "0.000001", code=3, corpus="news")
    assert all(row["hits"] <= row["bound"] for row in rows)
    assert any(not row["proved"] for row in rows)
    assert all(row["hits"] >= row["extract_hits"] for row in rows)


def test_references_apart(capsys):
    each = records(capsys, "--metric", "rouge-2", "--references", "each", "--rules", "strict")
    best = records(capsys, "--metric", "rouge-2", "--references", "best", "--rules", "strict")
    assert len(each) == 8
    for one in best:
        own = [row for row in each if row["id"] == one["id"]]
        assert one["score"] == max(row["score"] for row in own)


def test_bytes_and_shares_as_budgets(capsys):
    for budget, most in (("665b", 665), ("3s", 3)):
        for row in records(capsys, "--metric", "rouge-2", "--budget", budget):
            assert row["length"] <= most
            assert row["hits"] >= row["extract_hits"]
            printed = (
                sum(len(t.encode()) for t in row["sentences"]) if "b" in budget else len(row["sentences"])
            )
            assert printed <= row["length"]


def test_bad_calls_say_what_is_wrong(capsys, tmp_path):
    assert exit_code_of(cli, ["compress", "sample:news", "--metric", "rouge-l"]) == 2
    assert "rouge-N, rouge-s0, rouge-su0" in capsys.readouterr().err
    wrong = tmp_path / "w.conllu"
    wrong.write_text("# newdoc id = t01/x\n1\tNo\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    assert exit_code_of(cli, ["compress", "sample:news", "--parses", str(wrong)]) == 2
    assert "no parse of document" in capsys.readouterr().err
    skipped = ["compress", "sample:news", "--parses", str(wrong), "--skip-bad", "--json"]
    assert exit_code_of(cli, skipped) == 0
    assert capsys.readouterr().err.count("skipped") == 8
