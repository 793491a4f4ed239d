"""`topline tables`: a paper's tables, for the user's corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from topline.cli import common
from topline.cores import cores
from topline.errors import CorpusError, MetricError, OptionError
from topline.report.tables import STYLES

if TYPE_CHECKING:
    from topline.corpus.records import Topic
    from topline.judge.papers import Given, Table

PAPERS = ("hirao2017", "ceylan2010", "schluter2017", "radev2004", "compressive")
EXAMPLES = """
\b
Examples:
  topline tables sample:news --paper hirao2017 --only 2 --only 5
  topline tables sample:newswire --paper radev2004 --judgments sample:judgments
  topline tables duc2004 --paper hirao2017 --as duc2004 --systems peers --human coverage.csv
"""


@click.command(epilog=EXAMPLES)
@common.corpus_argument
@click.option("--paper", type=click.Choice(PAPERS), required=True, help="Whose tables.")
@click.option("--as", "known", help="The paper's corpus that this is: its figures are set beside ours.")
@click.option("--only", multiple=True, help="A table's number; repeat it. Default: all that can be made.")
@click.option("--systems", type=click.Path(path_type=Path), multiple=True, help="Summaries; repeat it.")
@click.option("--human", type=click.Path(path_type=Path), multiple=True, help="Human scores; repeat it.")
@click.option("--judgments", type=click.Path(path_type=Path), multiple=True, help="Of sentences; repeat it.")
@click.option("--parses", type=click.Path(path_type=Path), help="CoNLL-U, for compressive oracles.")
@click.option("--budget", default="100w", show_default=True, help="100w, 665b, 3s or 20%.")
@click.option("--time-limit", type=click.FloatRange(0, min_open=True), help="Seconds for a single search.")
@click.option("--samples", type=click.IntRange(1), default=1000, show_default=True, help="Resamples.")
@click.option("--draws", type=click.IntRange(1), default=100, show_default=True, help="Random oracles drawn.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("--jobs", type=click.IntRange(1), default=cores, help="Threads.")
@common.columns_option
@common.skip_option
@common.output_options
def command(corpus: Path, paper: str, only: tuple[str, ...], **given: Any) -> int:
    """Each table of a paper, computed for CORPUS under the paper's own conditions.

    What a table lacks (systems, human scores, judgments, parses) is said on stderr, and the others are
    printed. With `--as` the paper's figures stand beside ours: `docs/reproduce.md` has the commands.
    """
    from topline.judge.papers import Lacking, tables

    made: list[Table] = []
    for one in tables(paper, _given(corpus, {"paper": paper, **given}), only):
        if isinstance(one, Lacking):
            click.echo(f"topline: left out: {one}", err=True)
        else:
            made.append(one)
    if given["as_json"]:
        common.emit(_flat(made), as_json=True, table="plain", out=given["out"])
    elif given["out"] is None:
        click.echo(_printed(made, given["table"]), nl=False)
    else:
        with common.whole_file(given["out"]) as stream:
            stream.write(_printed(made, given["table"]))
    return 0


def _flat(made: list[Table]) -> Iterator[dict[str, Any]]:
    for one in made:
        for row in one.rows:
            yield {"paper": one.paper, "table": one.name, **row}


def _printed(made: list[Table], style: str) -> str:
    """Tables under their headings, in the comment form of the style."""
    heading = {"md": "### ", "latex": "% ", "tsv": "# ", "plain": ""}[style]
    note = {"md": "\n", "latex": "% ", "tsv": "# ", "plain": ""}[style]
    parts = []
    for one in made:
        name = (
            one.name.replace("figure-", "Figure ") if one.name.startswith("figure") else f"Table {one.name}"
        )
        text = f"{heading}{one.paper}, {name}: {one.title}\n"
        text += ("\n" if style == "md" else "") + STYLES[style](one.rows)
        parts.append(text + (f"{note}{one.note}\n" if one.note else ""))
    return "\n".join(parts)


def _scorable(reading: Iterable[Topic], paper: str) -> Iterator[Topic]:
    """The topics that the paper's metrics can score; the others are said."""
    from topline.judge.papers import module_of
    from topline.judge.scorable import scorable

    bad: list[MetricError] = []
    yield from scorable(reading, getattr(module_of(paper), "METRICS", {}).values(), bad)
    if bad:
        click.echo(f"topline: skipped {len(bad)} topics, the first: {bad[0].where}: {bad[0].what}", err=True)


def _given(corpus: Path, options: Mapping[str, Any]) -> Given:
    """Everything the tables may need, read."""
    from topline.judge.judged import judged_by_topic
    from topline.judge.measured import by_system
    from topline.judge.papers import Given
    from topline.judge.samples import resolved
    from topline.judge.scores import read_human
    from topline.search.exact import Limits
    from topline.text.budget import Budget

    skip = options["skip_bad"]
    bad: list[CorpusError] | None = [] if skip else None
    needed = options["paper"] != "radev2004"
    reading = common.read_topics(corpus, columns=options["columns"], skip_bad=skip, references=needed)
    topics = tuple(_scorable(reading, options["paper"]) if skip else reading)
    common.say_skipped(reading)
    if not topics:
        raise OptionError("the corpus holds no topic")
    summaries = common.read_summaries(*options["systems"], skip_bad=skip)
    systems = by_system(summaries)
    common.say_skipped(summaries)
    judged = judged_by_topic(options["judgments"], bad=bad)
    human = [one for path in options["human"] for one in read_human(resolved(path), bad=bad)]
    if bad:
        click.echo(f"topline: skipped {len(bad)} bad records, the first: {bad[0]}", err=True)
    return Given(
        topics=topics,
        budget=Budget.parse(options["budget"]),
        systems=systems,
        human=human,
        judged=judged,
        known=options["known"],
        corpus=corpus,
        parses=options["parses"],
        limits=Limits(seconds=options["time_limit"]),
        samples=options["samples"],
        draws=options["draws"],
        seed=options["seed"],
        jobs=options["jobs"],
    )
