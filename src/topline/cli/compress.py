"""`topline compress`: the best summary of trimmed sentences, beside the best extract."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from topline.cli import common
from topline.cli.searching import (
    Pass,
    limit_options,
    limits_of,
    references_option,
    signed,
    store_option,
    texts_asked,
)
from topline.compress.parsed import ParsedTopic, source
from topline.compress.rules import LABEL_SETS, RULE_SETS
from topline.compress.tree import drawing
from topline.corpus.reading import Reading
from topline.corpus.records import Topic
from topline.errors import CorpusError, ToplineError
from topline.run.per_thread import PerThread
from topline.run.plain import plain
from topline.run.progress import tracked
from topline.text.budget import Budget

if TYPE_CHECKING:
    from topline.compress.every import Optima
    from topline.compress.oracle import Compressed

EXAMPLES = """
\b
Examples:
  topline compress sample:news --metric rouge-2 --budget 100w
  topline compress corpus.jsonl --parses corpus.conllu --rules strict --text
  topline compress corpus.jsonl --metric rouge-1 --stopwords smart --json --out compressed.jsonl
  topline compress sample:news --cross
"""


@click.command(epilog=EXAMPLES)
@common.corpus_argument
@click.option(
    "--parses", type=click.Path(path_type=Path), help="CoNLL-U [CORPUS's name + .conllu, else spaCy]."
)
@click.option(
    "--labels",
    type=click.Choice(["auto", *LABEL_SETS]),
    default="auto",
    show_default=True,
    help="The parses' labels: Universal Dependencies or ClearNLP.",
)
@click.option(
    "--model", default="auto", show_default=True, help="The spaCy model, where there are no parses."
)
@click.option(
    "--rules",
    type=click.Choice(RULE_SETS),
    default="paper",
    show_default=True,
    help="paper: subjects and objects may go; strict: they stay.",
)
@common.metric_options
@click.option("--budget", default="100w", show_default=True, help="100w, 665b, 3s or 20%.")
@references_option
@click.option(
    "--solver",
    type=click.Choice(["exact", "ilp", "greedy"]),
    default="exact",
    show_default=True,
    help="ilp is the paper's program on HiGHS; greedy proves nothing.",
)
@click.option("--text", "as_text", is_flag=True, help="Print the summaries to be read.")
@click.option("--show-trees", is_flag=True, help="Print the chunk trees instead.")
@click.option(
    "--cross", is_flag=True, help="Table 1: best for one of the paper's three variants, scored by each."
)
@click.option("--optima", is_flag=True, help="Count all best summaries.")
@click.option("--list", "listed", type=click.IntRange(0), default=0, help="And show so many of them.")
@limit_options
@store_option
@common.columns_option
@common.skip_option
@common.output_options
def command(corpus: Path, skip_bad: bool, as_text: bool, show_trees: bool, cross: bool, **given: Any) -> int:
    """The best summary of every topic that can be made of trimmed sentences.

    A sentence may be trimmed to any rooted subtree of its dependency tree. Beside each summary stands the
    best extract of the same budget. Exit code 3 says that a limit was reached before a proof was complete.
    """
    run = _Run(corpus, given, skip_bad)
    if show_trees:
        run.print_trees(given["rules"])
        return run.finish()
    if cross:
        return run.cross()
    from topline.compress.oracle import Compressions

    metric = common.metric_of(
        given["metric"], stem=given["stem"], stopwords=given["stopwords"], tokenizer=given["tokenizer"]
    )
    settings = (
        metric, Budget.parse(given["budget"]), given["references"], given["rules"], given["solver"],
        limits_of(given["time_limit"]),
    )  # fmt: skip
    asked = (
        Compressions(*settings).signature,
        *texts_asked(metric),
    )  # options that contradict each other are said before anything is read
    if given["optima"] or given["listed"]:
        found = run.over(partial(_optima, settings, given["listed"]), *asked, "optima", given["listed"])
        run.emit(_optima_rows(found, run))
    elif as_text:
        _print(run.over(partial(_worker, settings), *asked), sys.stdout, run)
    else:
        run.emit(_rows(run.over(partial(_worker, settings), *asked), run, flat=not given["as_json"]))
    return run.finish()


def _worker(settings: tuple[Any, ...]) -> Callable[[ParsedTopic], list[Compressed]]:
    from topline.compress.oracle import Compressions

    return Compressions(*settings).of


def _optima(settings: tuple[Any, ...], listed: int) -> Callable[[ParsedTopic], list[Optima]]:
    from topline.compress.every import optima_of
    from topline.compress.oracle import Compressions

    return partial(optima_of, Compressions(*settings), listed=listed)


class _Run:
    """One pass over a corpus and its parses."""

    def __init__(self, corpus: Path, given: dict[str, Any], skip_bad: bool) -> None:
        self.given, self.skip_bad = given, skip_bad
        self.reading: Reading[Topic] = common.read_topics(corpus, columns=given["columns"], skip_bad=skip_bad)
        self.source = source(corpus, given["parses"], given["labels"], given["model"])
        self.unproved: list[str] = []
        self.run: Pass | None = None

    def parsed(self) -> Iterator[ParsedTopic]:
        """Every topic with its parses; one whose parses are bad ends the run or is skipped."""
        for topic in self.reading:
            try:
                yield self.source.parsed(topic)
            except CorpusError as error:
                self._skip(error)

    def _skip(self, error: ToplineError) -> None:
        if not self.skip_bad:
            raise error
        click.echo(f"topline: skipped {error}", err=True)

    def over(self, make: Callable[[], Callable[[ParsedTopic], list[Any]]], *asked: object) -> Iterator[Any]:
        """The results of every topic, in the corpus's order; they are stored under what was asked."""
        self.run = Pass(
            self.given["jobs"], self.given["scheduler"], self.skip_bad, self.given["store"],
            asked=("compress", *asked), name=plain, provable=self.given["solver"] != "greedy",
        )  # fmt: skip
        for _, found in self.run.over(PerThread(make), self.parsed(), self.reading.expected):
            yield from found

    def emit(self, rows: Iterable[dict[str, Any]]) -> None:
        """Write rows as the options ask."""
        as_json = self.given["as_json"]
        common.emit(
            signed(rows, as_json=as_json), as_json=as_json, table=self.given["table"], out=self.given["out"]
        )

    def print_trees(self, rules: str) -> None:
        """The chunk trees of every sentence."""
        for parsed in self.parsed():
            for number, tree in enumerate(parsed.trees(rules)):
                sys.stdout.write(f"# {parsed.topic.id} {number}: {tree.parse.text}\n{drawing(tree)}\n")

    def cross(self) -> int:
        """Table 1 over the whole corpus."""
        from topline.compress.cross import Cross

        table = Cross(
            Budget.parse(self.given["budget"]), self.given["references"], self.given["rules"],
            limits_of(self.given["time_limit"]), stem=self.given["stem"],
        )  # fmt: skip
        for parsed in tracked(self.parsed(), "topics"):
            table.add(parsed)
        self.emit(table.rows())
        self.unproved += table.unproved
        return self.finish()

    def finish(self) -> int:
        """Say what has to be said on stderr; the exit code."""
        common.say_skipped(self.reading)
        if self.unproved:
            shown = ", ".join(dict.fromkeys(self.unproved[:3]))
            more = f" and {len(self.unproved) - 3} more" if len(self.unproved) > 3 else ""
            click.echo(f"topline: not proved best for {shown}{more}: see bound", err=True)
        code = common.LIMIT if self.unproved and self.given["solver"] != "greedy" else 0
        return code if self.run is None else self.run.code(code)


_HIDDEN = ("system", "sentences", "selected", "kept", "extract_selected", "rules", "seconds")
"""What a table leaves out; JSON has it."""


def _rows(found: Iterable[Compressed], run: _Run, *, flat: bool) -> Iterator[dict[str, Any]]:
    for one in found:
        if not (one.proved and one.extract_proved):
            run.unproved.append(one.id)
        row = asdict(one)
        yield {name: value for name, value in row.items() if not (flat and name in _HIDDEN)}


def _optima_rows(found: Iterable[Optima], run: _Run) -> Iterator[dict[str, Any]]:
    for one in found:
        if not one.proved:
            run.unproved.append(one.id)
        yield {name: value for name, value in asdict(one).items() if value is not None}


def _print(found: Iterable[Compressed], stream: IO[str], run: _Run) -> None:
    """Summaries to be read."""
    for number, one in enumerate(found):
        if not one.proved:
            run.unproved.append(one.id)
        stream.write(
            f"{chr(10) if number else ''}{one.id}  {one.metric} {one.score:.5f} ({one.hits} of {one.total};"
            f" extract {one.extract_hits}), {one.length} of {run.given['budget']}\n"
        )
        for sentence in one.sentences:
            stream.write(f"  {sentence}\n")
        stream.flush()
