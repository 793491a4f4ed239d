"""The page: nothing a document holds can run, the same bytes each time, only what changed is computed."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from statistics import fmean
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote

import pytest

from topline.cli.main import main
from topline.corpus.jsonl import summary_json
from topline.corpus.read import read
from topline.corpus.records import Document, Reference, Sentence, Summary, Topic
from topline.judge.baselines import background_of
from topline.problem.build import build
from topline.report import stages
from topline.report.flags import margin, rows
from topline.report.flat import write_parquet
from topline.report.levels import levels
from topline.report.own import Own
from topline.report.page import embedded
from topline.report.ranks import place_of
from topline.report.report import html, latex_tables, page_of
from topline.report.scale import Mark, draw
from topline.report.settings import Settings
from topline.report.study import Study, cut_short, study
from topline.report.tables import Marked, latex
from topline.report.unit import Unit
from topline.rouge.metric import Metric
from topline.run.engine import Serial, Threads
from topline.run.store import Store
from topline.search.optima import optima
from topline.systems.background import TOPIC
from topline.systems.summarize import Summarizer, summarize
from topline.text.budget import Budget

NASTY = (
    "</script><script>alert(\"owned\")</script> ]]> <!-- <img src=x onerror=alert(1)> & '100%' \u2028 \ud800"
    "\x00\x1b\x7f\x85\uffff"
)
SETTINGS = Settings(
    Metric.parse("rouge-1"), Metric.parse("rouge-1+rouge-2"), Budget.parse("12w"),
    parts=("rouge", "people", "oracle", "baselines", "agreement", "mead"),
)  # fmt: skip


def topic(id: str, nasty: str, *texts: str) -> Topic:
    sentences = tuple(Sentence(text) for text in texts)
    references = (Reference("A", ("the cat sat on the mat",)), Reference(nasty, ("a dog sat there",)))
    return Topic(id, (Document("d", sentences, title=nasty),), references, title=nasty)


def corpus(nasty: str = NASTY) -> list[tuple[Topic, list[Summary]]]:
    topics = [
        topic("t1", nasty, "The cat sat.", "A dog ran off.", "Nobody sat on the mat there."),
        topic(nasty, nasty, f"The {nasty} sat.", "The mat was there.", "A cat, a dog."),
        topic("t3", nasty, "The cat.", "The mat.", "The dog.", "The cat."),
    ]
    return [
        (one, [Summary(one.id, "first", selected=(0,)), Summary(one.id, nasty, (nasty,))]) for one in topics
    ]


@pytest.fixture(scope="module")
def page() -> str:
    return "".join(html(study(corpus(), SETTINGS, Serial()), NASTY))


class Elements(HTMLParser):
    """Every start tag with its attributes, and the text of the scripts."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script":
            self.scripts[-1] += data


def parsed(page: str) -> Elements:
    elements = Elements()
    elements.feed(page)
    return elements


def test_a_document_cannot_add_an_element(page: str) -> None:
    elements = parsed(page)
    names = [name for name, _ in elements.tags]
    assert names.count("script") == 4, "three topics and the page's own"
    assert "img" not in names
    assert not any(name.startswith("on") for _, attributes in elements.tags for name in attributes)


class Nested(Elements):
    """Checks what a browser mends in silence: elements closed in order, ids once, links that lead."""

    VOID = frozenset({"meta", "link", "br", "img", "input", "hr"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, names)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in self.open, f"<{tag}/> is for drawings"
        Elements.handle_starttag(self, tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_well_formed(page: str) -> None:
    elements = Nested()
    elements.feed(page)
    assert elements.open == []
    ids = [a["id"] for _, a in elements.tags if "id" in a]
    assert len(ids) == len(set(ids))
    topics = {quote(a["data-id"] or "", safe="") for _, a in elements.tags if a.get("class") == "topic"}
    named = {f"#{id}" for id in ids} | {f"#topic={id}" for id in topics}
    for _, attributes in elements.tags:
        assert attributes.get("href", "#content") in named | {"data:,"}
        for name in ("for", "aria-labelledby"):
            assert attributes.get(name, "content") in ids
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", page)


def test_the_topics_data_comes_back_as_it_was(page: str) -> None:
    elements = parsed(page)
    data = [json.loads(text) for text in elements.scripts[:-1]]
    assert [one["id"] for one in data] == ["t1", NASTY, "t3"]
    assert data[1]["sentences"][0] == f"The {NASTY} sat."
    assert data[1]["systems"][NASTY]["sentences"] == [NASTY]


def test_only_the_pages_own_script_may_run(page: str) -> None:
    elements = parsed(page)
    (policy,) = [a["content"] for _, a in elements.tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "script-src 'sha256-" in policy
    assert all(a.get("type") == "application/json" for n, a in elements.tags[:-1] if n == "script")


def test_nothing_is_fetched(page: str) -> None:
    for _, attributes in parsed(page).tags:
        for name in ("src", "href", "xlink:href"):
            value = attributes.get(name)
            assert value is None or value.startswith(("#", "data:,"))


@pytest.mark.parametrize("value", [NASTY, {"a": [None, 1.5, "\u2029"]}, ""])
def test_embedded_json_is_json_and_holds_no_markup(value: Any) -> None:
    text = embedded(value)
    assert json.loads(text) == value
    assert not set(text) & set("<>&\u2028\u2029")
    text.encode("utf-8")


def test_threads_do_not_show_in_the_page(page: str) -> None:
    threads = Threads(3)
    assert "".join(html(study(corpus(), SETTINGS, threads), NASTY)) == page
    threads.close()


def test_a_second_run_takes_everything_from_the_store_and_gives_the_same_page(
    tmp_path: Path, page: str
) -> None:
    with Store(tmp_path / "store") as store:
        first = study(corpus(), SETTINGS, Serial(), store)
        second = study(corpus(), SETTINGS, Serial(), store)
    assert (first.computed, second.computed) == (6 * 3, 0)
    assert "".join(html(second, NASTY)) == page


def test_another_system_recomputes_only_what_looks_at_summaries(tmp_path: Path) -> None:
    more = [(one, [*some, Summary(one.id, "more", selected=(1,))]) for one, some in corpus()]
    with Store(tmp_path / "store") as store:
        study(corpus(), SETTINGS, Serial(), store)
        assert study(more, SETTINGS, Serial(), store).computed == 2 * 3
        other = replace(SETTINGS, budget=Budget.parse("9w"))
        assert study(more, other, Serial(), store).computed == 4 * 3, "ROUGE and people know no budget"
        other = replace(SETTINGS, table=Metric.parse("rouge-l"), seconds=9.0)
        assert study(more, other, Serial(), store).computed == 2 * 3, "ROUGE and people alone have a table"


def test_stopping_loses_no_more_than_the_part_under_way(tmp_path: Path) -> None:
    done = 0

    def stop_after_seven(items: Any, *_: Any) -> Any:
        nonlocal done
        for item in items:
            if done == 7:
                raise KeyboardInterrupt
            done += 1
            yield item

    with Store(tmp_path / "store") as store:
        with pytest.raises(KeyboardInterrupt):
            study(corpus(), SETTINGS, Serial(), store, stop_after_seven)
        assert study(corpus(), SETTINGS, Serial(), store).computed == 6 * 3 - 8, "the eighth was done"


def test_a_result_is_kept_though_an_earlier_one_is_under_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[int] = []
    with Store(tmp_path / "store") as store, Threads(2) as threads:

        def slow_at_first(unit: Unit) -> Any:
            until = monotonic() + 20
            while unit.topic.id == "t1" and len(store) < 2 and monotonic() < until:
                sleep(0.01)
            kept.append(len(store))
            return {}

        monkeypatch.setitem(stages.STAGES, "mead", slow_at_first)
        study(corpus(), replace(SETTINGS, parts=("mead",)), threads, store)
        assert (kept[-1], len(store)) == (2, 3)


def test_what_a_limit_cut_short_is_not_kept() -> None:
    assert cut_short({"proved": False})
    assert not cut_short({"proved": True})
    assert not cut_short([{"proved": False}])


def test_what_compiling_cut_short_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[str] = []

    def slow_at_first(unit: Unit) -> dict[str, Any]:
        tries.append(unit.topic.id)
        return {**stages.oracle(unit), "proved": len(tries) > 1}

    monkeypatch.setitem(stages.STAGES, "oracle", slow_at_first)
    monkeypatch.setattr("topline.report.study._COMPILED", set())
    found = study(corpus(), SETTINGS, Serial())
    assert [one.results["oracle"]["proved"] for one in found.topics] == [True] * 3
    assert tries == ["t1", "t1", NASTY, "t3"], "one unit, once"


def test_a_part_that_fails_is_named_and_the_rest_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise ValueError("no luck")

    monkeypatch.setitem(stages.STAGES, "mead", fail)
    found = study(corpus(), SETTINGS, Serial())
    assert [(one.id, one.part) for one in found.failures] == [(one.id, "mead") for one, _ in corpus()]
    assert "no luck" in "".join(html(found, "x"))
    assert all("oracle" in one.results for one in found.topics)


def test_baselines_are_the_summarisers_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "RANDOM_DRAWS", 5)
    (given, _), *_ = corpus()
    found = stages.baselines(Unit("baselines", given, (), SETTINGS))
    (instance,) = build(given, SETTINGS.metric, SETTINGS.budget)

    def score(system: str) -> float:
        chosen = summarize(given, system, SETTINGS.budget).selected
        assert chosen is not None
        return instance.problem.hits(list(chosen)) / instance.denominator

    assert found["lead"] == score("lead")
    assert found["random"] == pytest.approx(fmean(score(f"random:seed={n}") for n in range(5)))


def test_headroom_runs_from_random_to_the_best_extract() -> None:
    found = {one.name: one for one in levels(study(corpus(), SETTINGS, Serial()))}
    assert found["random (chance)"].headroom == 0
    assert found["best extract"].headroom == 1
    assert found["first"].score <= found["best extract"].score
    assert found["people"].kind == "person"


def test_a_system_is_not_held_against_topics_that_it_left_out() -> None:
    (first, some), *others = corpus()
    alone = {one.name: one for one in levels(study([(first, some)], SETTINGS, Serial()))}
    partly = {
        one.name: one
        for one in levels(study([(first, some), *((one, []) for one, _ in others)], SETTINGS, Serial()))
    }
    assert (partly["first"].topics, partly["greedy"].topics) == (1, 3)
    assert partly["first"].headroom == alone["first"].headroom
    assert partly["best extract"].score != alone["best extract"].score


@pytest.mark.parametrize("seed", range(10))
def test_agreement_from_memberships_is_the_mean_over_the_extracts(seed: int) -> None:
    random = Random(seed)
    words = ["the", "cat", "sat", "on", "a", "mat", "dog", "ran"]
    texts = [" ".join(random.choices(words, k=random.randint(1, 5))) + "." for _ in range(7)]
    given = topic("t", "b", *texts)
    unit = Unit("oracle", given, (), SETTINGS)
    found = stages.oracle(unit)
    (instance,) = build(given, SETTINGS.metric, SETTINGS.budget)
    every = list(optima(instance.problem))
    chosen = set(random.sample(range(7), random.randint(0, 4)))
    twin = optima(instance.problem).agreement(sorted(chosen))
    assert stages.over_all(found, chosen) == (twin.precision, twin.recall, twin.f1)
    shared = [len(chosen & set(one)) for one in every]
    if chosen:
        assert twin.precision == Fraction(sum(shared), len(chosen) * len(every))


def test_nothing_is_kept_that_builds_on_what_was_cut_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = stages.oracle
    monkeypatch.setitem(stages.STAGES, "oracle", lambda unit: {**whole(unit), "proved": False})
    with Store(tmp_path / "store") as store:
        study(corpus(), SETTINGS, Serial(), store)
        cut = "".join(html(study(corpus(), SETTINGS, Serial(), store), "x"))
        assert "The best extract that was found reaches" in cut
        assert "not proven best on 3 of 3 topics" in cut
        monkeypatch.setitem(stages.STAGES, "oracle", whole)
        found = study(corpus(), SETTINGS, Serial(), store)
    assert found.computed == 2 * 3, "the oracles, and what agrees with them"
    assert all(one.results["agreement"]["first"] for one in found.topics)


def test_meads_table_is_that_of_the_system_that_was_run(tmp_path: Path) -> None:
    topics = [one for one, _ in corpus("plain words of a title")]
    background = background_of(topics)
    with Store(tmp_path / "store") as store:
        own = Own.of(["mead"], str(SETTINGS.budget), background, store)
        work = [(one, own.beside(one, [])) for one in topics]
        found = study(work, SETTINGS, Serial(), background=background)
    for one in found.topics:
        chosen = [n for n, row in enumerate(one.results["mead"]["rows"]) if row["Chosen"] is not None]
        assert chosen == sorted(one.summaries[0].selected or ())
        assert "idf:corpus" in one.results["mead"]["signature"]


def test_a_corpus_without_systems_has_a_page_too() -> None:
    empty: list[tuple[Topic, list[Summary]]] = [(one, []) for one, _ in corpus()]
    assert "best extract" in "".join(html(study(empty, SETTINGS, Serial()), "x"))
    assert "Where the systems stand" in "".join(html(Study(SETTINGS), "x"))


@pytest.mark.parametrize("seed", range(20))
def test_names_at_marks_do_not_touch_and_no_stem_crosses_one(seed: int) -> None:
    random = Random(seed)
    places = sorted(random.uniform(0, 1000) for _ in range(random.randint(1, 25)))
    places[:2] = places[:1] * len(places[:2])
    widths = [random.uniform(20, 200) for _ in places]
    free = margin(places, widths, 1000, 40)
    places = [at * (1000 - free) / 1000 for at in places]
    levels = rows(places, widths)
    for i, (left, width, level) in enumerate(zip(places, widths, levels, strict=True)):
        assert left + width <= 1000
        for at, other in list(zip(places, levels, strict=True))[i + 1 :]:
            assert at > left + width or other < level, "a stem that ends at or above the name crosses it"
    assert rows(places, [0.0] * len(places))[-1] == 0


def test_a_figure_cuts_long_names_and_says_them_whole_in_a_title() -> None:
    name = "a system with a name that nobody can read in a figure <&>"
    drawn = draw([Mark(name, 0.3, "system")], "rouge-1")
    assert f"<title>{escape(name)}: 0.3000</title>" in drawn
    assert f">{escape(name)}</text>" not in drawn
    assert "…</text>" in drawn


@pytest.mark.parametrize("scores", [[0.3], [1.0], [0.3, 0.3], [0.0, 1.0], [0.29999, 0.3001], [1.2, 1.9]])
def test_the_scale_is_drawn_for_any_scores(scores: list[float]) -> None:
    drawn = draw([Mark(f"s{n}<", score, "system") for n, score in enumerate(scores)], "rouge-1")
    assert drawn.count("<circle") == len(scores) + 1, "and one for the legend"
    assert "s0&lt;" in drawn
    assert draw([], "rouge-1") == ""


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main([str(one) for one in arguments])
    return int(stop.value.code or 0)


def test_the_verb_writes_page_records_and_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "page.html"
    arguments = ["report", "sample:newswire", "--run", "lead", "--no-spread", "--no-compress", "--out", out]
    assert run(*arguments) == 0
    assert capsys.readouterr().out == f"{out.as_uri()}\n"
    rows = [json.loads(line) for line in out.with_suffix(".results.jsonl").read_text("utf-8").splitlines()]
    assert [row["id"] for row in rows] == [one.id for one in read("sample:newswire")]
    assert all(row["oracle"]["proved"] for row in rows)
    assert r"\begin{tabular}" in out.with_suffix(".tables.tex").read_text("utf-8")
    first = out.read_bytes()
    assert run(*arguments) == 0
    assert out.read_bytes() == first


def test_the_verb_shows_the_sections_asked_for_and_computes_no_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, systems, more = tmp_path / "page.html", tmp_path / "systems.jsonl", tmp_path / "more.jsonl"
    for path, name in ((systems, "one"), (more, "lead")):
        written = [summary_json(Summary(one.id, name, selected=(0,))) for one in read("sample:newswire")]
        path.write_text("\n".join(written), "utf-8")
    given = ["report", "sample:newswire", "--systems", systems, more, "--out", out]
    assert run(*given, "--sections", "rouge", "--no-parquet") == 0
    page = out.read_text("utf-8")
    assert "ROUGE of the systems" in page
    assert "a  one" in page
    assert "b  lead" in page
    assert "Where the systems stand" not in page
    assert "Topic by topic" not in page
    (row, *_) = out.with_suffix(".results.jsonl").read_text("utf-8").splitlines()
    assert set(json.loads(row)) == {"id", "signature", "rouge"}
    assert not out.with_suffix(".results.parquet").exists()
    assert run(*given, "--sections", "rouge,scales") == 2
    assert "one of scale, rouge" in capsys.readouterr().err
    assert run(*given, "--sections", "rouge", "--run", "lead") == 2
    assert "leave out --run lead" in capsys.readouterr().err


def test_what_the_metric_or_the_budget_rules_out_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "page.html"
    given = ["report", "sample:newswire", "--run", "lead", "--out", out, "--no-parquet", "--no-mead"]
    assert run(*given, "--metric", "rouge-l") == 2
    assert "--rouge-table takes any metric" in capsys.readouterr().err
    assert run(*given, "--sections", "scale,ranks", "--metric", "rouge-su4", "--budget", "2s") == 0
    assert "no trimmed summaries: compress does not count rouge-su4" in capsys.readouterr().err
    page = out.read_text("utf-8")
    assert "No trimmed summaries: compress does not count rouge-su4" in page
    assert "extracts:maximal" in page
    assert "could not be computed" not in page


def test_nothing_to_study_and_judgments_of_nothing_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty, out = tmp_path / "empty.jsonl", tmp_path / "page.html"
    empty.touch()
    assert run("report", empty, "--out", out) == 2
    assert f"{empty}: no topic in it" in capsys.readouterr().err
    assert not out.exists()
    given = ["report", "sample:science", "--sections", "utility,correlation", "--out", out, "--no-parquet"]
    assert run(*given, "--judgments", "sample:judgments", "--human", "sample:human") == 0
    assert "judgments of 4 topics that the corpus does not have, first 'nw1'" in capsys.readouterr().err
    assert "None of the systems that people scored" in out.read_text("utf-8")


def test_records_go_to_stdout_where_they_are_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "page.html"
    assert run("report", "sample:science", "--sections", "rouge", "--json", "--out", out, "--no-parquet") == 0
    printed = capsys.readouterr()
    assert printed.out == out.with_suffix(".results.jsonl").read_text("utf-8")
    assert printed.err == f"{out.as_uri()}\n"
    assert run("report", "sample:science", "--time-limit", "0", "--out", out) == 2


def test_a_summary_longer_than_the_budget_is_named() -> None:
    assert "first (3 of 3 topics, by up to" in "".join(
        html(study(corpus(), replace(SETTINGS, budget=Budget.parse("1w"), parts=("rouge",)), Serial()), "x")
    )


def test_our_own_summaries_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (given, _), *_ = corpus()
    with Store(tmp_path / "store") as store:
        own = Own.of(["lead", "mead:variant=mead3", "lead"], "12w", TOPIC, store)
        first = own.beside(given, [])
        assert [one.system for one in first] == ["lead", "mead:variant=mead3"]
        assert first == [summarize(given, one.system, "12w") for one in first]
        monkeypatch.setattr(Summarizer, "run", None)
        assert own.beside(given, []) == first
        with pytest.raises(TypeError):
            Own.of(["lead"], "11w", TOPIC, store).beside(given, [])


def test_the_long_table_holds_every_figure(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    found = study(corpus("plain"), SETTINGS, Serial())
    with (tmp_path / "x.parquet").open("wb") as stream:
        write_parquet(found, stream)
    table = {
        (row["id"], row["part"], row["path"]): row for row in polars.read_parquet(stream.name).to_dicts()
    }
    for one in found.topics:
        assert table[one.topic.id, "oracle", "hits"]["value"] == one.results["oracle"]["hits"]
        assert table[one.topic.id, "oracle", "count"]["text"] == one.results["oracle"]["count"]
        recall = one.results["rouge"]["table"]["first"]["rouge-1"][0]
        assert table[one.topic.id, "rouge", "table/first/rouge-1/0"]["value"] == recall


def test_the_latex_tables_have_what_the_page_has() -> None:
    found = study(corpus("plain"), SETTINGS, Serial())
    text = "".join(latex_tables(found))
    assert text.count("% rouge-1|tok:rouge155") >= 3, "signatures"
    assert r"{\scriptsize " in text, "intervals"
    assert text.count(r"\begin{tabular}") == sum(
        len(section.tables) for section in page_of(found, "x").sections
    )
    assert "–" not in text


def test_a_superscript_goes_into_the_latex_tables() -> None:
    rows = [{"F": Marked("0.5", "a%")}, {"F": Marked("0.25")}]
    assert latex(rows).splitlines()[3:5] == [r"\midrule", r"0.5\textsuperscript{a\%} \\"]
    assert latex(rows).startswith(r"\begin{tabular}{r}")


def test_a_summary_outside_the_ranking_has_its_place_too() -> None:
    stored = {
        "extracts": "10", "total": 4, "counts": {"1": "6", "2": "3", "3": "1"}, "exact": True, "draws": 0,
        "tail": {}, "tail_from": None,
    }  # fmt: skip
    assert place_of(stored, 0.5) == {"interval": [60.0, 60.0], "better": "1 of 10"}
    assert place_of(stored, 0.6) is None
    assert place_of(None, 0.5) is None
