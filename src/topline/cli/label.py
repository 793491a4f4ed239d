"""`topline label`: training labels for a whole corpus."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from topline.cli import common
from topline.cli.searching import limit_options, limits_of
from topline.report.tables import STYLES
from topline.run.engine import engine
from topline.run.labels import Run
from topline.run.progress import Progress, failure
from topline.search.label import RECIPES
from topline.search.oracle import OBJECTIVES
from topline.text.budget import Budget

EXAMPLES = """
\b
Examples:
  topline label cnn_dailymail.parquet --out labels.parquet
  topline label corpus.jsonl --out labels.jsonl --metric rouge-2 --objective recall --budget 100w
  topline label corpus.jsonl --out bertsum.jsonl --recipe bertsum
"""


@click.command(epilog=EXAMPLES)
@common.corpus_argument
@click.option("--out", type=click.Path(path_type=Path), required=True, help="A .jsonl or .parquet file.")
@click.option(
    "--recipe",
    type=click.Choice(RECIPES),
    default="exact",
    show_default=True,
    help="The best extract, or a paper's labels.",
)
@click.option("--metric", default="rouge-1+rouge-2", show_default=True, help="What exact labels maximise.")
@common.text_options
@click.option("--budget", default="3s", show_default=True, help="3s, 100w, 665b or 20%.")
@click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default="f1",
    show_default=True,
    help="What exact labels maximise.",
)
@click.option("--soft", is_flag=True, help="Also the share of all best extracts that hold each sentence.")
@limit_options
@common.columns_option
@common.skip_option
@click.option("--json", "as_json", is_flag=True, help="The summary as JSON.")
@click.option(
    "--table",
    type=click.Choice([*STYLES]),
    default="plain",
    show_default=True,
    help="The summary's form.",
)
def command(corpus: Path, out: Path, skip_bad: bool, **given: Any) -> int:
    """Label the sentences of every document, in a file, a line (or row) a document.

    A run that is interrupted goes on where it stopped when it is started again. Ties are broken by fewer
    sentences, then by earlier ones. Exit code 3 says that some labels are not proved best.
    """
    metric = common.metric_of(
        given["metric"], stem=given["stem"], stopwords=given["stopwords"], tokenizer=given["tokenizer"]
    )
    settings = {
        "recipe": given["recipe"],
        "metric": metric,
        "budget": Budget.parse(given["budget"]),
        "objective": given["objective"],
        "soft": given["soft"],
        "limits": limits_of(given["time_limit"]),
    }
    begin = perf_counter()
    with engine(given["jobs"], given["scheduler"]) as hands:
        run = Run(settings, out, hands, skip_bad=skip_bad)
        reading = common.read_topics(corpus, columns=given["columns"], skip_bad=skip_bad, references=True)
        with Progress("documents", reading.expected, size=len) as watch:
            done = run.run(reading, watch)
    seconds = perf_counter() - begin
    row = {
        "recipe": given["recipe"], **asdict(done), "seconds": round(seconds, 3),
        "out": str(out), "signature": run.signature,
    }  # fmt: skip
    common.emit([row], as_json=given["as_json"], table=given["table"], out=None)
    common.say_skipped(reading)
    for failed in run.failed:
        assert failed.error is not None
        what = f"failed {failed.tries} times and was left out: {failure(failed.error)}"
        click.echo(f"topline: {failed.unit[0].id} {what}", err=True)
    if done.skipped:
        click.echo(f"topline: {done.skipped} topics could not be labelled", err=True)
    return common.LIMIT if done.unproved or run.failed else 0
