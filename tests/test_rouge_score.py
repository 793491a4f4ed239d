"""Scores of texts: rounding, references, limits, averages; and the verb that scores files."""

import json
import random
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import topline
from topline.cli.main import main
from topline.corpus.records import Document, Reference, Sentence, Summary, Topic
from topline.errors import CorpusError, MetricError, OptionError
from topline.rouge.average import Averages
from topline.rouge.combine import Scores
from topline.rouge.limits import Limit
from topline.rouge.metric import Metric
from topline.rouge.rounding import round5
from topline.rouge.score import Options, Scorer, comparisons, score
from topline.text.sentences import Splitter

PLAIN = topline.Preprocessing(stem=False)
MAN = "the man sat on the mat"


def one(summary: str, models: list[str], metric: str, **options: object) -> tuple[float, float, float]:
    result = score([summary], [models], Metric.parse(metric, PLAIN), Options(**options))  # type: ignore[arg-type]
    (scores,) = result.scores.values()
    return scores.recall[0], scores.precision[0], scores.f1[0]


@given(st.integers(0, 3000), st.integers(1, 3000))
def test_rounding_is_printfs(hits: int, total: int) -> None:
    assert round5(np.array([hits / total])).tolist() == [float(f"{hits / total:.5f}")]


def test_rounding_breaks_ties_by_the_exact_binary_value() -> None:
    values = [(2 * k + 1) / 200_000 for k in range(100_000)]
    assert round5(np.array(values)).tolist() == [float(f"{value:.5f}") for value in values]


def test_f_is_made_of_the_rounded_recall_and_precision() -> None:
    assert one("a b c", ["a x y z w v u"], "rouge-1") == (0.14286, 0.33333, 0.2)
    recall, precision, f1 = one("a b c", ["a x y z w v u"], "rouge-1", alpha=0.2)
    assert f1 == float(f"{precision * recall / (0.8 * precision + 0.2 * recall):.5f}")


def test_several_references_pooled_best_jackknifed_and_each() -> None:
    references = ["the man sat", "a dog ran off", "on the mat"]
    assert one(MAN, references, "rouge-1") == (0.6, 0.33333, 0.42857)
    assert one(MAN, references, "rouge-1", references="best") == (1.0, 0.5, 0.66667)
    # leaving out one reference each: (0 + 3) / 7, (3 + 3) / 6, (3 + 0) / 7
    assert one(MAN, references, "rouge-1", references="jackknife")[0] == pytest.approx(
        (3 / 7 + 1 + 3 / 7) / 3, abs=1e-5
    )
    each = score([MAN], [references], Metric.parse("rouge-1", PLAIN), Options("each")).scores["rouge-1"]
    assert each.recall.tolist() == [1.0, 0.0, 1.0]
    assert one(MAN, references[:1], "rouge-1", references="jackknife") == one(MAN, references[:1], "rouge-1")


def test_the_first_reference_wins_a_tie_of_the_best() -> None:
    assert one("a b", ["a x y z", "a w", "b w"], "rouge-1", references="best") == (0.5, 0.5, 0.5)


def test_skip_bigrams_leave_the_last_unigram_out() -> None:
    assert one("alone", ["alone"], "rouge-su4") == (0.0, 0.0, 0.0)
    assert one("a b", ["a b"], "rouge-su4") == (1.0, 1.0, 1.0)


def test_limits_cut_the_references_too() -> None:
    assert one("a b c d", ["a b x y"], "rouge-1", limit=Limit.words(2)) == (1.0, 1.0, 1.0)
    assert one("a b c d", ["a b x y"], "rouge-l", limit=Limit.bytes(3)) == (1.0, 1.0, 1.0)


def test_other_languages_need_the_unicode_tokeniser() -> None:
    for text in ("हिन्दी भाषा में", "Größe überall", "我们都是好朋友"):
        assert (
            score([text], [[text]], Metric.parse("rouge-1", topline.Preprocessing("unicode")))
            .scores["rouge-1"]
            .f1[0]
            == 1
        )
    nothing = score(["我们都是好朋友"], [["我们都是好朋友"]], "rouge-1")
    assert nothing.scores["rouge-1"].f1[0] == 0
    assert "tok:rouge155" in nothing.signature


@pytest.mark.parametrize(
    "metric",
    [
        "rouge-1",
        "ROUGE-2",
        "rouge1",
        "rouge-l",
        "rouge-w",
        "rouge-w-1.5",
        "rouge-s*",
        "rouge-su4",
        "rouge-1+rouge-l",
    ],
)
def test_metrics_print_as_they_are_typed_and_read_back(metric: str) -> None:
    assert Metric.parse(str(Metric.parse(metric))) == Metric.parse(metric)


@pytest.mark.parametrize(
    "metric",
    [
        "",
        "rouge",
        "rouge-0",
        "rouge-10000",
        "rouge-su1000000000",
        "rouge-x",
        "rouge-w-0",
        "rouge-su",
        "bleu",
        "rouge-1+",
        "rouge-1+rouge-1",
        "rouge--1",
    ],
)
def test_what_is_no_metric_is_an_error(metric: str) -> None:
    with pytest.raises(MetricError):
        Metric.parse(metric)


def test_options_that_make_no_sense_are_errors() -> None:
    with pytest.raises(OptionError, match="no way to use references"):
        Options("all")
    with pytest.raises(OptionError, match="alpha 2"):
        Options(alpha=2)
    with pytest.raises(OptionError, match="2 summaries but 1 references"):
        score(["a", "b"], ["a"])
    for summaries, references in [("ab", "ab"), (["a", "b"], "ab"), ("ab", ["a", "b"])]:
        with pytest.raises(OptionError, match="a list of texts is needed"):
            score(summaries, references)
    for resamples in (0, 10**11):
        with pytest.raises(OptionError, match=f"{resamples} resamples"):
            score(["a"], ["a"], "rouge-1").average(resamples)


def test_a_weight_that_numbers_cannot_hold_is_an_error_and_a_gap_beyond_the_text_is_not() -> None:
    with pytest.raises(MetricError, match="too large"):
        score(["a b c d"], ["a b c d"], "rouge-w-900")
    assert score(["a b"], ["a b"], "rouge-s999999999+rouge-9999").scores["rouge-s999999999"].f1[0] == 1


def test_a_summary_without_references_is_an_error() -> None:
    with pytest.raises(CorpusError, match="no reference to score against"):
        score(["a"], [[]])


def topic(id: str, sentences: list[str], references: list[str]) -> Topic:
    document = Document("d", tuple(Sentence(text) for text in sentences))
    return Topic(id, (document,), tuple(Reference(str(i), (text,)) for i, text in enumerate(references)))


def test_selected_sentences_are_scored_in_the_order_given() -> None:
    source = topic("t", ["one two", "three four", "five"], ["three four five"])
    summary = Summary("t", "s", selected=(1, 2))
    scores = list(Scorer(Metric.parse("rouge-1+rouge-2", PLAIN)).score(comparisons(source, [summary])))
    assert [(s.metric, s.recall, s.precision) for s in scores] == [
        ("rouge-1", 1.0, 1.0),
        ("rouge-2", 1.0, 1.0),
    ]
    with pytest.raises(CorpusError, match="selects sentence 3, but the topic has 3"):
        list(comparisons(source, [Summary("t", "s", selected=(3,))]))


def test_batches_do_not_show_in_the_scores() -> None:
    rng = random.Random(4)
    texts = ["\n".join(" ".join(rng.choices("abcdefg", k=9)) for _ in range(3)) for _ in range(1200)]
    together = score(texts[:600], texts[600:])
    apart = [score([a], [b]) for a, b in zip(texts[:600], texts[600:], strict=True)]
    for metric, scores in together.scores.items():
        assert scores.f1.tolist() == [result.scores[metric].f1[0] for result in apart]


def test_threads_do_not_show_in_the_scores() -> None:
    words = ["a", "ferry", "sank", "off", "the", "cape", "in", "heavy", "rain", "on", "Monday", "night"]
    rng = random.Random(5)
    texts = [
        "\n".join(" ".join(rng.choices(words, k=rng.randint(0, 9))) for _ in range(3)) for _ in range(1300)
    ]
    references = [rng.choices(texts, k=rng.randint(1, 3)) for _ in texts]
    alone, shared = (topline.score(texts, references, threads=threads) for threads in (1, 3))
    for name, part in alone.scores.items():
        assert part.recall.tolist() == shared.scores[name].recall.tolist()
        assert part.f1.tolist() == shared.scores[name].f1.tolist()
    with pytest.raises(OptionError, match="0 threads"):
        topline.score(texts, references, threads=0)
    with pytest.raises(CorpusError, match="1299: there is no reference"):
        topline.score(texts, [*references[:-1], []])


def test_line_breaks_end_the_sentences_of_strings_only() -> None:
    apart, whole = "the cat sat\nthe dog ran", ["the cat sat\nthe dog ran"]
    reference = "the dog sat"
    found = [
        topline.score([text], [reference], "rouge-l").scores["rouge-l"].recall[0] for text in (apart, whole)
    ]
    assert found == [1.0, 0.66667]
    assert topline.score([[], ""], [reference, reference], "rouge-l").scores["rouge-l"].recall.tolist() == [
        0,
        0,
    ]


def test_averages_draw_in_the_string_order_of_ids() -> None:
    rows = [("10", 0.1), ("9", 0.9), ("1", 0.4)]
    forward, backward = Averages(), Averages()
    for id, value in rows:
        forward.add("s", "rouge-1", id, value, value, value)
    for id, value in rows[::-1]:
        backward.add("s", "rouge-1", id, value, value, value)
    assert list(forward.averages()) == list(backward.averages())
    values = np.array([0.4, 0.1, 0.9])
    scored = topline.Scored({"rouge-1": Scores(values, values, values)}, "")
    assert scored.average()["rouge-1"] == next(forward.averages())[2]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    rows = [
        topic(f"t{n}", ["One cat sat.", "Two dogs ran."], ["A cat sat.", "The dogs ran away."])
        for n in range(12)
    ]
    from topline.corpus.jsonl import topic_json

    def line(text: str) -> str:
        return text if text.endswith("\n") else text + "\n"

    (tmp_path / "corpus.jsonl").write_text("".join(line(topic_json(row)) for row in rows))
    summaries = [
        {"id": f"t{n}", "system": s, "selected": [0 if s == "a" else 1]}
        for s in "ab"
        for n in (5, 3, 11, *range(3), 4, *range(6, 11))
    ]
    (tmp_path / "systems.jsonl").write_text("".join(json.dumps(row) + "\n" for row in summaries))
    return tmp_path


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    return int(stop.value.code or 0)


def test_the_verb_matches_by_id_and_averages(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(
            "score",
            files / "corpus.jsonl",
            "--systems",
            files / "systems.jsonl",
            "--metric",
            "rouge-1",
            "--json",
        )
        == 0
    )
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["id"], row["system"]) for row in rows[:4]] == [
        ("t0", "a"),
        ("t0", "b"),
        ("t1", "a"),
        ("t1", "b"),
    ]
    assert len(rows) == 24 + 2
    assert rows[0] == {
        "id": "t0",
        "system": "a",
        "metric": "rouge-1",
        "recall": 0.28571,
        "precision": 0.33333,
        "f1": 0.30769,
    }
    assert rows[-1]["topics"] == 12
    assert rows[-1]["signature"].startswith("rouge-1|tok:rouge155|stem:porter155|stop:none|refs:pooled")


def test_signatures_name_the_splitter_where_a_text_was_split(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document, reference = {"id": "d", "sentences": ["A b.", "C d."]}, {"id": "A", "sentences": ["A b."]}
    split = Splitter().signature
    for name, topic, summary, named in (
        ("none", {"documents": [document]}, {"sentences": ["A b."]}, []),
        ("document", {"documents": [{"id": "d", "text": "A b. C d."}]}, {"sentences": ["A b."]}, [split]),
        ("summary", {"documents": [document]}, {"text": "A b. C d."}, [split]),
    ):
        corpus, systems = tmp_path / f"{name}.jsonl", tmp_path / f"{name}.s.jsonl"
        corpus.write_text(json.dumps({"id": "t", **topic, "references": [reference]}))
        systems.write_text(json.dumps({"id": "t", "system": "s", **summary}))
        labels = str(tmp_path / f"{name}.labels.jsonl")
        rows = []
        for command in (
            ["score", str(corpus), "--systems", str(systems), "--json"],
            ["oracle", str(corpus), "--json"],
            ["label", str(corpus), "--out", labels],
        ):
            with pytest.raises(SystemExit) as end:
                main(command)
            assert end.value.code == 0
            printed = capsys.readouterr().out if command[0] != "label" else Path(labels).read_text()
            rows.append(json.loads(printed.splitlines()[-1])["signature"])
        said = [re.findall(r"split:([^|]*)", signature) for signature in rows]
        assert said == [named, *[named if name == "document" else []] * 2], name


def test_scores_of_nothing_but_0_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = {"sentences": ["यह एक परीक्षण है"]}
    corpus, systems = tmp_path / "corpus.jsonl", tmp_path / "systems.jsonl"
    topic = {"id": "t", "documents": [{"id": "d", **text}], "references": [{"id": "A", **text}]}
    corpus.write_text(json.dumps(topic))
    systems.write_text(json.dumps({"id": "t", "system": "s", **text}))
    for tokenizer, said in (("rouge155", True), ("unicode", False)):
        with pytest.raises(SystemExit):
            main(["score", str(corpus), "--systems", str(systems), "--tokenizer", tokenizer])
        assert ("nothing matched anywhere" in capsys.readouterr().err) is said


def test_the_verb_prints_tables_and_says_who_left_topics_out(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = files / "few.jsonl"
    few.write_text('{"id": "t3", "system": "few", "text": "A cat."}\n')
    assert run("score", files / "corpus.jsonl", "--systems", few, "--table", "md", "--metric", "rouge-2") == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines()[2].startswith("| few | rouge-2 | 1 | 0.")
    assert "few has no summary for 11 of 12 topics" in printed.err


def test_a_summary_of_an_unknown_topic_is_an_error_and_writes_nothing(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "more.jsonl").write_text('{"id": "t99", "system": "x", "text": "A cat."}\n')
    out = files / "out.jsonl"
    out.write_text("old")
    assert (
        run("score", files / "corpus.jsonl", "--systems", files / "more.jsonl", "--json", "--out", out) == 2
    )
    said = capsys.readouterr().err
    assert f"{files / 'more.jsonl'}:1 (t99): 'x' summarises a topic that the corpus does not have" in said
    assert out.read_text() == "old"


def test_bad_topics_and_summaries_are_skipped_and_counted(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (files / "corpus.jsonl").read_text().splitlines(keepends=True)
    (files / "corpus.jsonl").write_text("".join(["{broken\n", *lines[1:]]))
    arguments = ["score", files / "corpus.jsonl", "--systems", files / "systems.jsonl", "--metric", "rouge-1"]
    assert run(*arguments) == 2
    capsys.readouterr()
    assert run(*arguments, "--skip-bad", "--table", "tsv") == 0
    printed = capsys.readouterr()
    assert [row.split("\t")[2] for row in printed.out.splitlines()] == ["topics", "11", "11"]
    assert "bad topics skipped: 1, the first: " in printed.err
    assert "bad summaries skipped: 2, the first: " in printed.err


def test_no_summary_at_all_is_an_error(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "none.jsonl").write_text("")
    assert run("score", files / "corpus.jsonl", "--systems", files / "none.jsonl") == 2
    assert "none.jsonl: there are no summaries" in capsys.readouterr().err
