"""`topline validate`: what a corpus holds, or what is wrong with it and where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from topline.cli import common
from topline.corpus.match import Matching
from topline.corpus.read import FORMATS, read, read_summaries
from topline.corpus.reading import Reading
from topline.corpus.records import Summary, Topic
from topline.corpus.validate import Survey
from topline.errors import CorpusError, Where

EXAMPLES = """
\b
Examples:
  topline validate sample:news
  topline validate corpus.jsonl --systems mead.jsonl --systems lead.jsonl
  topline validate train.parquet --columns document=article,reference=highlights,id=id
  topline validate duc-100:DUC2002 --references-needed
"""


@click.command(epilog=EXAMPLES)
@common.corpus_argument
@click.option(
    "--systems", type=click.Path(path_type=Path), multiple=True, help="Summaries to match; repeat it."
)
@click.option("--format", "form", default="auto", help=f"{', '.join(FORMATS)} or duc-SIZE.")
@common.columns_option
@click.option("--splitter", default="syntok", show_default=True, help="syntok, or lines: a sentence a line.")
@click.option("--references-needed", is_flag=True, help="A topic without references is wrong.")
@click.option("--most", type=click.IntRange(0), default=20, show_default=True, help="Problems listed.")
@common.skip_option
@common.output_options
def command(corpus: Path, systems: tuple[Path, ...], most: int, skip_bad: bool, **given: Any) -> int:
    """What CORPUS holds; or what is wrong with it and where, with exit code 2.

    CORPUS is JSON Lines, a folder of DUC or TAC, plain folders, Parquet, CSV or JSON tables, CoNLL-U, or
    sample:news. All problems are counted, and the first of them listed. With --skip-bad they do not count
    as failure: that is how every other verb reads with --skip-bad.
    """
    check = _Check(corpus, most)
    # every bad record is a problem to be listed, so none of them may end the reading
    topics = read(
        corpus,
        format=given["form"],
        columns=given["columns"],
        splitter=given["splitter"],
        references_needed=given["references_needed"],
        skip_bad=True,
    )
    summaries = read_summaries(*systems, splitter=given["splitter"], skip_bad=True)
    survey = check.run(topics, summaries)
    rows = list(check.rows(survey, topics, summaries, everything=given["as_json"]))
    common.emit(rows, as_json=given["as_json"], table=given["table"], out=given["out"])
    if not given["as_json"]:
        check.say(survey)
    return common.BAD_INPUT if check.problems and not skip_bad else 0


class _Check:
    """One pass over a corpus and the summaries of it."""

    def __init__(self, corpus: Path, most: int) -> None:
        self.corpus, self.most = corpus, most
        self.problems = 0
        self.listed: list[CorpusError] = []
        self.missing: dict[str, int] = {}

    def run(self, topics: Reading[Topic], summaries: Reading[Summary]) -> Survey:
        """Look at everything; the problems of summaries come first, then topics', then strangers."""
        survey = Survey()
        matching = Matching(summaries)
        self._take_skipped(summaries)
        try:
            for topic in topics:
                survey.add(topic, topics.where)
                self._match(topic, matching)
        except CorpusError as error:
            self._problem(error)
        self._take_skipped(topics)
        if not self.problems:
            survey.end(Where(str(self.corpus)))
        for stranger in matching.unknown():
            self._problem(stranger)
        return survey

    def _match(self, topic: Topic, matching: Matching) -> None:
        for system in matching.missing(topic.id):
            self.missing[system] = self.missing.get(system, 0) + 1
        try:
            matching.take(topic)
        except CorpusError as error:
            self._problem(error)

    def _take_skipped(self, reading: Reading[Any]) -> None:
        for error in reading.skipped:
            self._problem(error)
        self.problems += reading.skipped_count - len(reading.skipped)

    def _problem(self, error: CorpusError) -> None:
        self.problems += 1
        if len(self.listed) < self.most:
            self.listed.append(error)

    def rows(
        self, survey: Survey, topics: Reading[Topic], summaries: Reading[Summary], *, everything: bool
    ) -> Iterator[dict[str, Any]]:
        """The table; with `everything`, warnings and problems as rows of their own kind."""
        counts = [*survey.rows(), {"what": f"format: {topics.form}", "total": topics.count}]
        if summaries.count:
            counts.append({"what": "summaries", "total": summaries.count})
            counts += [
                {"what": f"topics without a summary by {s}", "total": n} for s, n in self.missing.items()
            ]
        counts.append({"what": "problems", "total": self.problems})
        if not everything:
            yield from counts
            return
        yield from ({"kind": "count", **row} for row in counts)
        for oddity in survey.oddities.values():
            yield {"kind": "warning", "what": oddity.what, "total": oddity.count, **asdict(oddity.first)}
        for error in self.listed:
            yield {"kind": "problem", "what": error.what, **asdict(error.where), "hint": error.hint}

    def say(self, survey: Survey) -> None:
        """Warnings and problems for a person, on stderr."""
        for oddity in survey.oddities.values():
            times = f"{oddity.count} times, first at" if oddity.count > 1 else "at"
            click.echo(f"warning: {oddity.what}, {times} {oddity.first}", err=True)
        for error in self.listed:
            click.echo(f"problem: {error}", err=True)
        if self.problems > len(self.listed):
            click.echo(f"and {self.problems - len(self.listed)} problems more (--most lists more)", err=True)
