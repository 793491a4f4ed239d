"""`topline oracle`: the best extract, proven best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
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
from topline.run.per_thread import PerThread
from topline.search.oracle import Oracle, Oracles
from topline.text.budget import Budget

EXAMPLES = """
\b
Examples:
  topline oracle corpus.jsonl --metric rouge-2 --budget 100w
  topline oracle corpus.jsonl --metric rouge-1+rouge-2 --objective f1 --budget 3s --json
  topline oracle sample:news --budget 665b --chop --stopwords smart
"""


@click.command(epilog=EXAMPLES)
@common.corpus_argument
@common.metric_options
@common.budget_options
@references_option
@objective_option
@click.option(
    "--solver",
    type=click.Choice(["exact", "ilp", "published", "greedy"]),
    default="exact",
    show_default=True,
    help="The ILP and the branch and bound are the paper's; greedy proves nothing.",
)
@search_limit_options
@store_option
@common.columns_option
@common.skip_option
@common.output_options
def command(corpus: Path, budget: str, chop: bool, skip_bad: bool, **given: Any) -> int:
    """The best extract of every topic by ROUGE within a budget.

    Exit code 3 says that a limit was reached before a proof was complete; `bound` says what no extract
    exceeds.
    """
    metric = common.metric_of(
        given["metric"], stem=given["stem"], stopwords=given["stopwords"], tokenizer=given["tokenizer"]
    )
    make = partial(
        _worker, metric, Budget.parse(budget, chop=chop), given["references"], given["objective"],
        given["solver"],
        limits_of(given["time_limit"], given["node_limit"], given["memory_limit"]),
    )  # fmt: skip
    oracles = make()  # options that contradict each other are said before anything is read
    reading = common.read_topics(corpus, columns=given["columns"], skip_bad=skip_bad, references=True)
    if given["solver"] == "exact" and not given["scheduler"]:
        compiled(every=False)
    run = Pass(
        given["jobs"], given["scheduler"], skip_bad, given["store"],
        asked=("oracle", oracles.__self__.signature, *texts_asked(metric)),
        provable=given["solver"] != "greedy",
    )  # fmt: skip
    tally = _Tally()
    rows = tally.rows(one for _, found in run.over(PerThread(make), reading) for one in found)
    common.emit(
        signed(rows, as_json=given["as_json"]),
        as_json=given["as_json"],
        table=given["table"],
        out=given["out"],
    )
    common.say_skipped(reading)
    tally.say(str(Budget.parse(budget)))
    return run.code(common.LIMIT if tally.unproved and given["solver"] != "greedy" else 0)


def _worker(*settings: Any) -> Any:
    return Oracles(*settings).of


class _Tally:
    """Rows, and what has to be said about them in the end."""

    def __init__(self) -> None:
        self.unproved: list[str] = []
        self.empty: list[str] = []

    def rows(self, found: Iterator[Oracle]) -> Iterator[dict[str, Any]]:
        for one in found:
            if not one.proved:
                self.unproved.append(one.id)
            if not one.selected:
                self.empty.append(one.id)
            yield {name: value for name, value in asdict(one).items() if value is not None}

    def say(self, budget: str) -> None:
        """On stderr, in a line each: extracts that stayed empty, and proofs that were cut short."""
        if self.empty:
            click.echo(
                f"topline: the extract is empty for {_some(self.empty)}: no sentence that shares an n-gram"
                f" with the references fits into {budget}",
                err=True,
            )
        if self.unproved:
            click.echo(f"topline: not proved best for {_some(self.unproved)}: see bound", err=True)


def _some(ids: list[str]) -> str:
    shown = ", ".join(dict.fromkeys(ids[:3]))
    return shown if len(ids) <= 3 else f"{shown} and {len(ids) - 3} more"
