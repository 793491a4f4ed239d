"""`topline optima`: every best extract, counted, listed, drawn from; systems compared with all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import click

from topline.cli import common
from topline.cli.first import compiled
from topline.cli.searching import (
    Pass,
    limits_of,
    objective_option,
    references_option,
    search_limit_options,
    signed,
    store_option,
    texts_asked,
)
from topline.corpus.records import Summary, Topic
from topline.corpus.shelf import Shelf
from topline.errors import OptionError
from topline.problem.build import build
from topline.rouge.metric import Metric
from topline.run.optima import EveryOracle
from topline.run.per_thread import PerThread
from topline.search.every import Every, selection
from topline.search.greedy import greedy
from topline.search.optima import Agreement
from topline.text.budget import Budget

EXAMPLES = """
\b
Examples:
  topline optima sample:news --metric rouge-2 --list 3
  topline optima corpus.jsonl --systems mead.jsonl --systems lead.jsonl --references each
  topline optima corpus.jsonl --sample 10 --seed 7 --jaccard --json
"""


@click.command(epilog=EXAMPLES)
@common.corpus_argument
@common.metric_options
@common.budget_options
@references_option
@objective_option
@click.option(
    "--solver",
    type=click.Choice(["exact", "published"]),
    default="exact",
    show_default=True,
    help="The paper's, or ours.",
)
@click.option("--list", "listed", type=click.IntRange(0), default=0, help="Show so many of the extracts.")
@click.option(
    "--sample", "drawn", type=click.IntRange(0), default=0, help="Draw so many, each equally likely."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the draws.")
@click.option("--jaccard", is_flag=True, help="How alike the extracts are, and how like the greedy one.")
@click.option(
    "--systems", type=click.Path(path_type=Path), multiple=True, help="Summaries to compare; repeat it."
)
@search_limit_options
@store_option
@common.columns_option
@common.skip_option
@common.output_options
def command(corpus: Path, budget: str, chop: bool, skip_bad: bool, **given: Any) -> int:
    """Every best extract of every topic, as many as there may be.

    With --systems: precision, recall and F of each system's sentences over all best extracts, averaged as
    in the paper. Exit code 3 says that a limit was reached; `count` is then a lower bound.
    """
    metric = common.metric_of(
        given["metric"], stem=given["stem"], stopwords=given["stopwords"], tokenizer=given["tokenizer"]
    )
    every = EveryOracle(
        metric, Budget.parse(budget, chop=chop), given["references"], given["objective"], given["solver"],
        limits_of(given["time_limit"], given["node_limit"], given["memory_limit"]),
    )  # fmt: skip
    asked = ("optima", every.worker.signature, *texts_asked(metric))
    if given["jaccard"] and given["objective"] == "f1":
        raise OptionError(
            "--jaccard compares with the greedy extract by recall", hint="leave out --objective f1"
        )
    reading = common.read_topics(corpus, columns=given["columns"], skip_bad=skip_bad, references=True)
    if given["solver"] == "exact" and not given["scheduler"]:
        compiled(every=True)
    summaries = common.read_summaries(*given["systems"], skip_bad=skip_bad)
    shelf = Shelf(summaries)
    shown = _Shown(
        metric, Budget.parse(budget), given["listed"], given["drawn"], given["seed"], given["jaccard"], shelf
    )
    run = Pass(given["jobs"], given["scheduler"], skip_bad, given["store"], asked)
    rows = shown.rows(run.over(PerThread(every), reading))
    common.emit(
        signed(rows, as_json=given["as_json"]),
        as_json=given["as_json"],
        table=given["table"],
        out=given["out"],
    )
    common.say_skipped(reading, summaries)
    return run.code(shown.say())


_FIELDS = tuple(field.name for field in fields(Every) if field.name != "optima")


class _Shown:
    """What is shown of all best extracts: a row a problem, or a row a system and problem."""

    def __init__(
        self, metric: Metric, budget: Budget, listed: int, drawn: int, seed: int, jaccard: bool, shelf: Shelf
    ) -> None:
        self.metric, self.budget = metric, budget
        self.listed, self.drawn, self.seed, self.jaccard = listed, drawn, seed, jaccard
        self.shelf = shelf
        self.means: dict[str, list[Agreement]] = {}
        self.unmatched: dict[str, int] = {}
        self.unproved = 0

    def rows(self, results: Iterator[tuple[Topic, list[Every]]]) -> Iterator[dict[str, Any]]:
        """The rows of all topics, then each system's means."""
        signature = ""
        for topic, found in results:
            summaries = self.shelf.of(topic)
            self.unproved += sum(not one.proved for one in found)
            for one in found:
                signature = one.signature
                yield from (
                    self._compared(topic, one, summaries) if self.shelf.systems else [self._row(topic, one)]
                )
        self.shelf.refuse_strangers()
        for system, scores in self.means.items():
            precision, recall, f1 = (
                float(sum((getattr(score, name) for score in scores), Fraction(0)) / len(scores))
                for name in ("precision", "recall", "f1")
            )
            yield {
                "system": system, "problems": len(scores), "precision": precision, "recall": recall, "f1": f1,
                "unmatched": self.unmatched[system], "signature": signature,
            }  # fmt: skip

    def _row(self, topic: Topic, one: Every) -> dict[str, Any]:
        row = {name: getattr(one, name) for name in _FIELDS}
        row["sizes"] = {str(size): count for size, count in one.sizes.items()}
        if self.listed:
            row["optima"] = [list(chosen) for chosen in islice(one.optima, self.listed)]
        if self.drawn:
            row["sample"] = [list(chosen) for chosen in one.optima.sample(self.drawn, self.seed)]
        if self.jaccard:
            alike = one.optima.similarity(seed=self.seed)
            row["jaccard"] = None if alike is None else alike.mean
            row["jaccard_error"] = None if alike is None else alike.error
            row["jaccard_greedy"] = float(one.optima.agreement(self._greedy(topic, one)).jaccard)
        return row

    def _greedy(self, topic: Topic, one: Every) -> tuple[int, ...]:
        mode = "pooled" if one.references == "pooled" else "each"
        instances = build(topic, self.metric, self.budget, mode)
        return next(greedy(i.problem).chosen for i in instances if i.references == one.references)

    def _compared(self, topic: Topic, one: Every, summaries: list[Summary]) -> Iterator[dict[str, Any]]:
        for summary in summaries:
            chosen = selection(summary, topic, self.metric)
            agreement = one.optima.agreement(chosen.chosen)
            self.means.setdefault(summary.system, []).append(agreement)
            self.unmatched[summary.system] = self.unmatched.get(summary.system, 0) + chosen.unmatched
            yield {
                "id": one.id, "references": one.references, "system": summary.system, "count": one.count,
                "precision": float(agreement.precision), "recall": float(agreement.recall),
                "f1": float(agreement.f1), "jaccard": float(agreement.jaccard),
                "least": [float(value) for value in agreement.least],
                "most": [float(value) for value in agreement.most],
                "unmatched": chosen.unmatched, "proved": one.proved, "signature": one.signature,
            }  # fmt: skip

    def say(self) -> int:
        """What stderr has to know, and the exit code."""
        for system, unmatched in self.unmatched.items():
            if unmatched:
                click.echo(
                    f"topline: {unmatched} sentences of {system} are in no source; they count as wrong",
                    err=True,
                )
        if self.unproved:
            click.echo(
                f"topline: {self.unproved} problems were not finished: their counts are lower bounds",
                err=True,
            )
        return common.LIMIT if self.unproved else 0
