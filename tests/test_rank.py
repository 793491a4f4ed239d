"""Ranks of systems, the verbs, and the figures."""

import json
import random
from collections import Counter
from dataclasses import asdict, replace
from fractions import Fraction
from math import lcm
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.spread_cases import brute_force, random_document, topic
from topline.cli.main import cli
from topline.corpus.records import Reference, Section, Summary, Topic
from topline.errors import CorpusError, MetricError, OptionError
from topline.report.plots import Mark, densities, ensemble, histogram
from topline.rouge.metric import Metric
from topline.spread.distribution import Distribution, exactly
from topline.spread.document import spread_of
from topline.spread.rank import GREEDY, LEAD, MARKS, ORACLE, RANDOM, error_reduction, standings
from topline.spread.scale import Scale
from topline.spread.settings import Settings
from topline.text.budget import Budget

TEXTS = ["the cat sat on a mat", "dogs ran off", "a cat and a dog sat", "nobody saw the dog on a mat"]
REFERENCES = [Reference("A", ("the cat sat on the mat", "a dog ran")), Reference("B", ("a dog saw the cat",))]


def run(*arguments):
    from click.testing import CliRunner

    return CliRunner().invoke(cli, [str(a) for a in arguments], standalone_mode=False)


def place(given, summaries, metric="rouge-1", budget="9w", **settings):
    metric, budget = Metric.parse(metric), Budget.parse(budget)
    (spread,) = spread_of(given, metric, budget, Settings(**settings))
    return spread, {one.system: one for one in standings(given, spread, summaries, metric, budget)}


@pytest.mark.parametrize("name", ["rouge-1", "rouge-2", "rouge-su4", "rouge-1+rouge-2"])
@pytest.mark.parametrize("mode", ["pooled", "best"])
def test_a_system_is_ranked_among_all_extracts(name, mode):
    given = topic(TEXTS, REFERENCES)
    metric = Metric.parse(name)
    scores = brute_force(TEXTS, REFERENCES, metric, 9, "chopped", best=mode == "best")
    systems = [
        Summary("t", "one", ("the cat sat on a mat", "dogs ran off the field")),
        Summary("t", "two", selected=(3, 1)),
        Summary("t", "none", ("zzz",)),
    ]
    spread, placed = place(given, systems, name, references=mode)
    assert spread.distribution.extracts == scores.total()
    for system in (*(one.system for one in systems), *MARKS):
        one = placed[system]
        score = Fraction(one.hits, one.total)
        assert one.better.low == one.better.high == sum(n for s, n in scores.items() if s > score)
        assert one.equal == scores[score]
        below = float(100 * Fraction(sum(n for s, n in scores.items() if s < score), scores.total()))
        assert one.percentile == one.interval[0] == one.interval[1] == pytest.approx(below)
    assert placed["two"].hits in spread.distribution.counts
    assert placed["none"].hits == 0
    assert placed[ORACLE].hits == max(spread.distribution.counts)
    assert placed[ORACLE].better.high == 0
    assert placed[GREEDY].hits >= placed[LEAD].hits >= 0


def test_marks_are_extracts():
    for seed in range(5):
        given = random_document(seed, 15)
        spread, placed = place(given, [], budget="40w")
        for mark in MARKS:
            assert placed[mark].hits in spread.distribution.counts
        assert placed[LEAD].hits == Scale.of(
            given, Metric.parse("rouge-1"), Budget.parse("40w"), "pooled"
        ).hits(given.texts())


def slow_hits(texts, references, budget):
    """ROUGE-1 hits of texts cut at a budget in words, the best reference's (denominators made common)."""
    words = " ".join(texts).split()[:budget]
    total = lcm(*(len(" ".join(one.sentences).split()) for one in references))
    found = []
    for one in references:
        wanted = Counter(" ".join(one.sentences).split())
        found.append((Counter(words) & wanted).total() * (total // wanted.total()))
    return max(found)


@pytest.mark.parametrize("seed", range(4))
def test_greedy_takes_what_gains_most_a_word(seed):
    given = random_document(seed, 12, references=3)
    metric = Metric.parse("rouge-1")
    scale = Scale.of(given, metric, Budget.parse("30w"), "best")
    chosen, left, room = [], [text for text in given.texts() if text.split()], 30
    while left and room > 0:
        now = slow_hits(chosen, given.references, 30)
        gains = [
            Fraction(slow_hits([*chosen, text], given.references, 30) - now, min(len(text.split()), room))
            for text in left
        ]
        chosen.append(left.pop(gains.index(max(gains))))
        room -= len(chosen[-1].split())
    assert scale.greedy() == slow_hits(chosen, given.references, 30)


@pytest.mark.parametrize("kind", ["fitting", "maximal"])
def test_marks_of_whole_sentences_are_extracts_too(kind):
    for seed in range(5):
        given = random_document(seed, 15)
        metric, budget = Metric.parse("rouge-2"), Budget.parse("40w")
        (spread,) = spread_of(given, metric, budget, Settings(extracts=kind))
        placed = standings(given, spread, [], metric, budget, extracts=kind)
        assert {one.system for one in placed} == {*MARKS}
        assert all(one.hits in spread.distribution.counts for one in placed)
        assert max(one.hits for one in placed) == spread.distribution.most


def test_sections_add_for_systems_and_marks_as_for_extracts():
    made = random_document(3, 16)
    document = replace(made.documents[0], sections=(Section("one", 0), Section("two", 6)))
    given = Topic("t", (document,), made.references)
    metric, budget = Metric.parse("rouge-1"), Budget.parse("40w")
    scale = Scale.of(given, metric, budget, "pooled", sections="given")
    halves = (given.texts()[:6], given.texts()[6:])
    alone = [
        Scale.of(topic(half, made.references), metric, Budget(limit, "w"), "pooled")
        for half, limit in zip(halves, scale.limits, strict=True)
    ]
    assert sum(scale.limits) == 40
    assert scale.lead() == sum(one.lead() for one in alone)
    assert scale.greedy() == sum(one.greedy() for one in alone)
    chosen = [halves[0][2], halves[1][4]]
    assert scale.hits(chosen) == sum(one.hits([text]) for one, text in zip(alone, chosen, strict=True))
    (spread,) = spread_of(given, metric, budget, Settings(sections="given"))
    placed = standings(given, spread, [], metric, budget, sections="given")
    assert all(one.hits in spread.distribution.counts for one in placed)


def test_random_order_depends_on_seed_and_id_alone():
    given = random_document(1, 30)
    scale = Scale.of(given, Metric.parse("rouge-1"), Budget.parse("40w"), "pooled")
    assert scale.random(1) == scale.random(1)
    assert len({scale.random(seed) for seed in range(20)}) > 3


def test_selected_sentences_must_exist():
    with pytest.raises(CorpusError, match="selects sentence 9 of 4"):
        place(topic(TEXTS, REFERENCES), [Summary("t", "x", selected=(9,))])


def test_a_summary_that_was_cut_counts_as_it_is_not_as_what_it_selects():
    given = topic(TEXTS, REFERENCES)
    texts = given.texts()
    short = (" ".join(texts[0].split()[:2]), texts[1])
    _, placed = place(given, [Summary("t", "cut", short, (0, 1)), Summary("t", "text", short)])
    assert placed["cut"].hits == placed["text"].hits


def test_the_reduction_of_error():
    assert error_reduction(Fraction(3, 10), Fraction(2, 10), Fraction(4, 10)) == 0.5
    assert error_reduction(Fraction(1), Fraction(1), Fraction(1)) is None


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.jsonl"
    with path.open("w") as lines:
        for seed, domain in enumerate(["news", "news", "law"]):
            made = random_document(seed, 14, references=2)
            record = {
                "id": made.id,
                "domain": domain,
                "documents": [{"id": "a", "sentences": made.texts()}],
                "references": [asdict(one) for one in made.references],
            }
            lines.write(json.dumps(record) + "\n")
    systems = tmp_path / "systems.jsonl"
    with systems.open("w") as lines:
        for seed in range(3):
            lines.write(json.dumps({"id": f"d{seed}", "system": "mine", "selected": [0, 3, 5]}) + "\n")
        lines.write(json.dumps({"id": "d0", "system": "partial", "selected": [2, 4]}) + "\n")
    return path, systems


def records(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_spread_gives_the_fields_of_the_documentation(corpus):
    result = run("spread", corpus[0], "--budget", "40w", "--json")
    assert result.return_value == 0
    rows = records(result)
    assert [row["id"] for row in rows] == ["d0", "d1", "d2"]
    for row in rows:
        assert {"id", "metric", "extracts", "histogram", "total", "mean", "sd", "min", "max", "method"} <= {
            *row
        }
        hits, count = row["histogram"]["hits"], row["histogram"]["count"]
        assert sum(count) == row["extracts"]
        assert row["mean"] == pytest.approx(np.average(hits, weights=count) / row["total"])
        assert row["signature"].startswith(
            "rouge-1|tok:rouge155|stem:porter155|stop:none|budget:40w|extracts:chopped"
        )


def test_spread_by_domain_and_its_figures(corpus, tmp_path):
    figures = tmp_path / "figures"
    result = run("spread", corpus[0], "--budget", "40w", "--domain", "--json", "--plots", figures)
    rows = records(result)
    assert [(row["domain"], row["documents"]) for row in rows] == [("news", 2), ("law", 1)]
    for row in rows:
        assert len(row["pdf"]["exact"]) == len(row["pdf"]["algorithm_1"]) == 1000
        assert sum(row["pdf"]["exact"]) == pytest.approx(1000)
        assert row["min"] <= row["mean"] <= row["max"]
    names = {path.name for path in figures.iterdir()}
    assert {"d0.svg", "d0-log.svg", "domain-news.svg", "ensemble-law-log.svg", "domains.svg"} <= names
    for path in figures.iterdir():
        ElementTree.parse(path)


def test_sampling_is_said_and_asked_for_sampling_is_no_failure(corpus):
    result = run("spread", corpus[0], "--budget", "40w", "--json", "--method", "sample", "--draws", 5000)
    assert result.return_value == 0
    row = records(result)[0]
    assert (row["method"], row["draws"], sum(row["histogram"]["count"])) == ("sampled", 5000, 5000)
    assert 0 < row["band"] < 0.03
    forced = run("spread", corpus[0], "--budget", "90w", "--json", "--time-limit", 1e-6, "--draws", 1000)
    assert forced.return_value == 3
    assert "were sampled" in forced.stderr


def test_rank_gives_a_row_a_system_topic_and_domain(corpus, tmp_path):
    path, systems = corpus
    figures = tmp_path / "figures"
    result = run("rank", path, "--systems", systems, "--budget", "40w", "--json", "--plots", figures)
    assert result.return_value == 0
    assert "partial has no summary for 2 of 3 topics" in result.stderr
    rows = records(result)
    topics = [row for row in rows if row["id"] is not None]
    domains = [row for row in rows if row["id"] is None]
    for row in topics:
        assert {"system", "metric", "score", "percentile", "better", "equal", "extracts", "method"} <= {*row}
        assert row["better"] == row["better_low"] == row["better_high"]
    assert {row["system"] for row in topics if row["id"] == "d0"} == {"mine", "partial", *MARKS}
    news = {row["system"]: row for row in domains if row["domain"] == "news"}
    mine = [row["score"] for row in topics if row["system"] == "mine" and row["domain"] == "news"]
    assert news["mine"]["score"] == pytest.approx(np.mean(mine))
    assert news["mine"]["topics"] == 2
    assert news["partial"]["topics"] == 1
    assert news[ORACLE]["error_reduction"] == 1
    assert news[LEAD]["error_reduction"] == 0
    assert news["mine"]["percentile_low"] <= news["mine"]["percentile"] <= news["mine"]["percentile_high"]
    (law,) = [row for row in domains if row["domain"] == "law" and row["system"] == "mine"]
    (alone,) = [row for row in topics if row["id"] == "d2" and row["system"] == "mine"]
    assert law["percentile"] == pytest.approx(alone["percentile"])
    assert (figures / "d0-pooled-log.svg").read_text().count("stroke-dasharray") == 6
    table = run("rank", path, "--systems", systems, "--budget", "40w", "--per-topic").stdout
    assert f" of {topics[0]['extracts']}" in table


def test_bad_use_is_refused(corpus):
    assert isinstance(run("spread", corpus[0], "--metric", "rouge-l").exception, MetricError)
    assert isinstance(run("spread", corpus[0], "--budget", "3s").exception, OptionError)
    assert isinstance(run("rank", corpus[0], "--systems", corpus[1], "--budget", "3s").exception, OptionError)


def test_figures_are_the_same_bytes_and_well_formed():
    rng = random.Random(1)
    exact = exactly({hits: rng.randint(1, 10**12) for hits in range(5, 60, 3)}, 100)
    sampled = Distribution(
        10**20, 100, {10: 600, 20: 399, 30: 1}, exact=False, draws=1000, tail={50: 40, 60: 2}, tail_from=50
    )
    marks = [Mark("a & b", 0.3), Mark("<lead>", 0.31)]
    flat = np.zeros(1000)
    flat[300:400] = 10.0
    for log in (False, True):
        for draw in (
            lambda log=log: histogram(exact, "t", "rouge-1", marks, log=log),
            lambda log=log: histogram(sampled, "t", "rouge-1", log=log),
            lambda log=log: densities([("x", flat)], "t", "m", marks, log=log),
            lambda log=log: ensemble([exact, exact], "t", "m", log=log),
        ):
            svg = draw()
            assert svg == draw()
            ElementTree.fromstring(svg)
            assert "nan" not in svg
    bounded = replace(sampled, rare={40: (10**10, 2 * 10**10), 45: (0, 10**9), 47: (10**6, 3 * 10**6)})
    *_, pale = histogram(bounded, "t", "rouge-1", log=True).split('class="plot-bar"')
    assert "fill-opacity" in pale
    assert pale.split(" fill=")[0].count("h") == 2, "a bar each"
    (_, bars) = histogram(exact, "t", "rouge-1").split('class="plot-bar"')
    assert bars.split(" fill=")[0].count("h") == len(exact.counts)
    alone = histogram(exactly({4: 7}, 10), "one", "rouge-1", log=True)
    ElementTree.fromstring(alone)


def test_the_sample_corpus_ranks_its_lead(tmp_path: Path):
    lead = tmp_path / "lead.jsonl"
    made = run("summarize", "sample:newswire", "--system", "lead", "--budget", "100w", "--out", lead)
    assert not made.exception
    rows = records(run("rank", "sample:newswire", "--systems", lead, "--metric", "rouge-2", "--json"))
    assert {row["system"] for row in rows} == {"lead", ORACLE, GREEDY, LEAD, RANDOM}
    assert all(0 <= row["percentile"] <= 100 for row in rows)
