"""What `compare --show` shows of ceilings: the scale, all oracles, people against people, words to match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from topline.cli import common
from topline.errors import MetricError, OptionError

SHOWS = ("scale", "oracles", "references", "words")
Row = dict[str, Any]


def rows(corpus: Path | None, show: str, given: Mapping[str, Any]) -> Iterator[Row]:
    """The rows asked for."""
    if corpus is None:
        raise OptionError(f"--show {show} needs the corpus")
    reading = common.read_topics(
        corpus, columns=given["columns"], skip_bad=given["skip_bad"], references=True
    )
    metric = common.metric_of(
        given["metric"], stem=given["stem"], stopwords=given["stopwords"], tokenizer=given["tokenizer"]
    )
    if show == "scale":
        yield from _scale(reading, metric, given)
    elif show == "oracles":
        yield from _oracles(reading, metric, given)
    elif show == "references":
        yield from _references(reading, metric, given)
    else:
        from topline.judge.ceiling import frequencies

        for topic in reading:
            yield from (asdict(one) for one in frequencies(topic, metric))
    common.say_skipped(reading)


def _scale(reading: Any, metric: Any, given: Mapping[str, Any]) -> Iterator[Row]:
    from topline.judge.ceiling import scale
    from topline.rouge.score import Options, Scorer
    from topline.search.exact import Limits
    from topline.text.budget import Budget

    summaries = common.read_summaries(*given["systems"], skip_bad=given["skip_bad"])
    scorer, budget = Scorer(metric, Options(given["references"])), Budget.parse(given["budget"])
    steps = scale(
        _pairs(reading, summaries, metric, skip=given["skip_bad"]), scorer, budget,
        by=given["by"], limits=Limits(seconds=given["time_limit"]),
    )  # fmt: skip
    signature = f"{scorer.signature}|{budget.signature}|by:{given['by']}|random:20"
    yield from ({**asdict(step), "signature": signature} for step in steps)
    common.say_skipped(summaries)


def _pairs(reading: Any, summaries: Any, metric: Any, *, skip: bool) -> Iterator[Any]:
    """Each topic with its summaries; with `skip` those that the metric cannot score are left out and said."""
    from topline.judge.measured import with_summaries
    from topline.judge.scorable import scorable

    bad: list[MetricError] = []
    for pair in with_summaries(reading, summaries):
        if not skip or [*scorable(pair[:1], [metric], bad)]:
            yield pair
    if bad:
        click.echo(f"topline: skipped {len(bad)} topics, the first: {bad[0].where}: {bad[0].what}", err=True)


def _oracles(reading: Any, metric: Any, given: Mapping[str, Any]) -> Iterator[Row]:
    from topline.judge.overlap import DRAWS, standings
    from topline.search.exact import Limits
    from topline.text.budget import Budget

    if not given["systems"]:
        raise OptionError("--show oracles needs summaries", hint="--systems FILE")
    summaries = common.read_summaries(*given["systems"], skip_bad=given["skip_bad"])
    budget, seed = Budget.parse(given["budget"]), given["seed"]
    pairs = _pairs(reading, summaries, metric, skip=given["skip_bad"])
    found = standings(pairs, metric, budget, Limits(seconds=given["time_limit"]), seed=seed)
    signature = f"oracles|{metric.signature}|{budget.signature}|draws:{DRAWS}|seed:{seed}"
    yield from ({**asdict(one), "signature": signature} for one in found)
    common.say_skipped(summaries)


def _references(reading: Any, metric: Any, given: Mapping[str, Any]) -> Iterator[Row]:
    from topline.judge.ceiling import leave_one_out
    from topline.rouge.score import Options, Scorer

    mode = given["references"]
    scorer = Scorer(metric, Options("pooled" if mode == "jackknife" else mode))
    sums: dict[str, list[tuple[float, float, float]]] = {}
    for topic in reading:
        for one in leave_one_out(topic, scorer):
            sums.setdefault(one.metric, []).append((one.recall, one.precision, one.f1))
            yield {
                "id": one.id, "reference": one.system, "metric": one.metric, "recall": one.recall,
                "precision": one.precision, "f1": one.f1, "signature": scorer.signature,
            }  # fmt: skip
    for name, values in sums.items():
        recall, precision, f1 = (sum(column) / len(values) for column in zip(*values, strict=True))
        yield {
            "metric": name, "recall": recall, "precision": precision, "f1": f1, "count": len(values),
            "signature": scorer.signature,
        }  # fmt: skip
