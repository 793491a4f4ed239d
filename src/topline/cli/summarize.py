"""`topline summarize`: runs summarisers, writes their summaries or their score tables."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import click

from topline.cli import common
from topline.corpus.records import Topic
from topline.errors import OptionError
from topline.run.progress import tracked
from topline.systems.background import TOPIC, UNKNOWN, Background, Census, read_background
from topline.systems.fill import as_rate
from topline.systems.registry import create, option_rows, parse
from topline.systems.summarize import Run, Summarizer, signature
from topline.systems.table import score_rows
from topline.text.budget import Budget
from topline.text.tokens import TOKENIZERS, Preprocessing

EXAMPLES = """
\b
Examples:
  topline summarize sample:news --system mead --budget 100w
  topline summarize corpus.jsonl --system lead --system mead:weights=c1p2f1 --out summaries.jsonl
  topline summarize corpus.jsonl --system mead:variant=mead3,first=1 --rate 10% --explain
  topline summarize corpus.jsonl --system mead:tuned.json --idf background.tsv
  topline summarize articles.jsonl --system textrank --sections
"""
words_options = common.options(
    click.option("--stem/--no-stem", default=True, show_default=True, help="Stems or words as they stand."),
    click.option("--stopwords", default="smart", show_default=True, help="none, smart, or a file."),
    click.option(
        "--tokenizer", type=click.Choice(list(TOKENIZERS)), default="unicode", show_default=True,
        help="unicode: any language; rouge155: ASCII alone.",
    ),
)  # fmt: skip
idf_options = common.options(
    click.option("--idf", default=None, help="corpus (the default), topic, or a file of topline idf."),
    click.option("--unknown-idf", default=UNKNOWN, show_default=True, help="IDF of words not in that file."),
)


@click.command(epilog=EXAMPLES)
@click.argument("corpus", type=click.Path(path_type=Path), required=False)
@click.option("--system", "systems", multiple=True, help="NAME, NAME:key=value,… or NAME:FILE; repeat it.")
@click.option("--budget", help="100w (the default), 665b, 3s or 20%.")
@click.option("--chop", is_flag=True, help="The last sentence may be cut at the budget.")
@click.option("--rate", help="Share of the sentences instead of a budget: 0.1 or 10%.")
@click.option("--sections", is_flag=True, help="Each section by itself, budgets in proportion to length.")
@click.option("--query", default="", help="What the summary should be about (mmr, mead:query_cosine=1).")
@click.option("--explain", is_flag=True, help="The score table of the sentences instead of the summary.")
@click.option("--list", "listing", is_flag=True, help="The systems, their papers and options.")
@idf_options
@words_options
@common.columns_option
@common.skip_option
@common.output_options
def command(corpus: Path | None, systems: tuple[str, ...], listing: bool, **given: Any) -> int:
    """Summarise every topic of CORPUS with one or more systems.

    On a terminal the summaries are printed to be read; with --json or --out they are JSON Lines that
    every other verb takes. Sentences stand in the order of their documents' dates.
    """
    as_json, table, out = given["as_json"], given["table"], given["out"]
    if listing:
        common.emit(option_rows(), as_json=as_json, table=table, out=out)
        return 0
    if corpus is None:
        raise OptionError("no corpus is given", hint="topline summarize CORPUS --system NAME, or --list")
    run = _Run(corpus, systems or ("mead",), given)
    if given["explain"]:
        rows = run.explained()
        common.emit(rows if as_json else _printed(rows), as_json=as_json, table=table, out=out)
    elif as_json or out or table != "plain":
        flat = as_json or table == "plain"
        rows = run.rows() if flat else _flat(run.rows())
        common.emit(rows, as_json=flat, table=table, out=out)
    else:
        _print(run.rows(), sys.stdout)
    run.say()
    return 0


class _Run:
    """One pass over the corpus with every system, and what has to be said about it."""

    def __init__(self, corpus: Path, systems: tuple[str, ...], given: dict[str, Any]) -> None:
        self.corpus, self.given = corpus, given
        budget = given["budget"]
        if budget and given["rate"]:
            raise OptionError("give --budget or --rate, not both")
        if given["rate"] and given["chop"]:
            raise OptionError("a rate counts sentences, which are not chopped", hint="give a budget")
        rate = as_rate(given["rate"]) if given["rate"] else None
        self.budget = None if rate else Budget.parse(budget or "100w", chop=given["chop"])
        self.preprocessing = Preprocessing(given["tokenizer"], given["stem"], given["stopwords"])
        twice = next((spec for spec in systems if systems.count(spec) > 1), None)
        if twice:
            raise OptionError(f"--system {twice} is given twice", hint="a system gives one summary a topic")
        made = [(spec, create(*parse(spec))) for spec in systems]
        background = background_of(corpus, given)
        self.summarizers = [
            Summarizer(
                system, self.budget, rate, given["sections"], background, given["query"], self.preprocessing,
                label=spec,
            )
            for spec, system in made
        ]  # fmt: skip
        self.undated = 0
        self.empty: Counter[str] = Counter()
        self.reading = common.read_topics(corpus, columns=given["columns"], skip_bad=given["skip_bad"])

    def topics(self) -> Iterator[Topic]:
        """The topics, counted."""
        yield from tracked(self.reading, "topics")

    def runs(self) -> Iterator[tuple[Topic, Summarizer, Run]]:
        """Every topic by every system."""
        for topic in self.topics():
            prepared = self.summarizers[0].prepared(topic)
            for number, summarizer in enumerate(self.summarizers):
                run = summarizer.run(topic, prepared)
                self.undated += not run.dated and number == 0
                self.empty[run.summary.system] += not run.chosen
                yield topic, summarizer, run

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row a summary."""
        for _, summarizer, run in self.runs():
            summary = run.summary
            yield {
                "id": summary.id,
                "system": summary.system,
                "sentences": list(summary.sentences),
                "selected": list(summary.selected or ()),
                "length": run.length,
                "order": "date" if run.dated else "arrival",
                "signature": signature(summarizer),
            }

    def explained(self) -> Iterator[dict[str, Any]]:
        """A row a sentence."""
        for topic, summarizer, run in self.runs():
            for row in score_rows(topic, run, summarizer.system):
                yield {"id": row.pop("id"), "system": run.summary.system, **row}

    def say(self) -> None:
        """On stderr: what the user should know about these summaries."""
        if self.undated:
            where = "1 topic has" if self.undated == 1 else f"{self.undated} topics have"
            what = f"{where} documents without a date: they are taken in order of arrival"
            click.echo(f"topline: {what}", err=True)
        for system, count in self.empty.items():
            if count:
                click.echo(f"topline: {system}: in {count} topics no sentence fits the budget", err=True)
        common.say_skipped(self.reading)


def background_of(corpus: Path, given: dict[str, Any]) -> Background:
    """The IDF table that was asked for; counting the corpus takes a pass of its own."""
    idf = given["idf"] or ("topic" if str(corpus) == "-" else "corpus")
    if idf == "topic":
        return TOPIC
    if idf != "corpus":
        return read_background(idf, given["unknown_idf"])
    if str(corpus) == "-":
        raise OptionError(
            "standard input can be read only once", hint="--idf topic, or a file of topline idf"
        )
    census = Census(given["tokenizer"])
    reading = common.read_topics(corpus, columns=given["columns"], skip_bad=given["skip_bad"])
    topics = census.add_topics(tracked(reading, "counting words"))
    # what is common in the only topic there is says nothing about what is special to it
    return census.background() if topics > 1 else TOPIC


def _print(rows: Iterable[dict[str, Any]], stream: IO[str]) -> None:
    """Summaries to be read."""
    for number, row in enumerate(rows):
        stream.write(f"{chr(10) if number else ''}{row['id']}  {row['system']}\n")
        for sentence in row["sentences"]:
            stream.write(f"  {' '.join(sentence.split())}\n")
        stream.flush()


def _flat(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Summaries as rows of a table."""
    for row in rows:
        kept = {name: row[name] for name in ("id", "system", "length", "selected")}
        yield {**kept, "text": " ".join(row["sentences"])}


def _printed(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Scores with six digits, as in Table 3; topic and system only where there are several."""
    kept = list(rows)
    several = {name for name in ("id", "system") if len({row[name] for row in kept}) > 1}
    for row in kept:
        yield {
            name: f"{value:.6f}" if isinstance(value, float) else value
            for name, value in row.items()
            if name not in ("id", "system") or name in several
        }
