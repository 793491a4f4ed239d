"""`topline tune`: MEAD's weights learned from references or judges, and how sure that is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from topline.cli import common
from topline.cli.summarize import background_of, idf_options, words_options
from topline.corpus.records import Topic
from topline.errors import CorpusError, OptionError
from topline.report.tables import STYLES
from topline.run.progress import tracked
from topline.systems.fill import as_rate
from topline.systems.mead.system import Mead
from topline.systems.mead.tune import Plan, Tuned, Value, options_file, tune
from topline.systems.registry import create, parse
from topline.systems.summarize import Summarizer, signature
from topline.text.budget import Budget
from topline.text.tokens import Preprocessing

EXAMPLES = """
\b
Examples:
  topline tune sample:news --out tuned.json
  topline tune corpus.jsonl --system mead:variant=mead3 --metric rouge-2 --budget 665b --out tuned.json
  topline tune corpus.jsonl --features centroid,position,first,title --steps 6
  topline tune corpus.jsonl --judgments judged.jsonl --rate 20% --out tuned.json
  topline summarize corpus.jsonl --system mead:tuned.json
"""


@click.command(epilog=EXAMPLES)
@common.corpus_argument
@click.option("--system", default="mead", show_default=True, help="mead with the options that stay.")
@click.option("--features", default="centroid,position,first", show_default=True, help="To be weighed.")
@click.option("--metric", default="rouge-1+rouge-2", show_default=True, help="Parts are averaged.")
@click.option(
    "--objective", type=click.Choice(["recall", "f1"]), default="recall", show_default=True, help="Of ROUGE."
)
@click.option(
    "--judgments",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Judges' utilities, instead of ROUGE; repeat it.",
)
@click.option("--budget", help="100w (the default), 665b, 3s or 20%.")
@click.option("--rate", help="Share of the sentences instead of a budget: 0.1 or 10%.")
@click.option("--steps", default=10, show_default=True, help="Shares dealt out among the features.")
@click.option("--folds", default=10, show_default=True, help="Parts for cross-validation.")
@click.option("--resamples", default=10_000, show_default=True, help="Bootstrap samples for the interval.")
@click.option("--confidence", default=95.0, show_default=True, help="Of the interval, in percent.")
@click.option("--seed", default=0, show_default=True, help="Of the parts and the samples.")
@idf_options
@words_options
@common.columns_option
@common.skip_option
@click.option("--json", "as_json", is_flag=True, help="JSON Lines, a record a line.")
@click.option("--table", type=click.Choice([*STYLES]), default="plain", help="The table's form.")
@click.option("--out", type=click.Path(path_type=Path), help="The options file, for --system mead:FILE.")
def command(corpus: Path, skip_bad: bool, out: Path | None, **given: Any) -> int:
    """Learn the weights of MEAD's features on CORPUS by cross-validation.

    A row for each held-out part and one for all topics: the weights learned without it, what they reach
    there (held_out) and what the weights one had reach (default). The last row has the weights given
    out, and the interval of their gain on topics they were not learned on. When that reaches below 0
    the corpus does not show that learning helps, and stderr says so.
    """
    summarizer = _summarizer(corpus, skip_bad, given)
    plan = Plan(
        tuple(name.strip().replace("-", "_") for name in given["features"].split(",")),
        given["steps"], given["folds"], given["resamples"], given["confidence"], given["seed"],
    )  # fmt: skip
    judged = given["judgments"]
    reading = common.read_topics(corpus, columns=given["columns"], skip_bad=skip_bad, references=not judged)
    value = _utility(judged) if judged else _rouge(given["metric"], given["objective"], given["tokenizer"])
    tuned = tune(tracked(reading, "topics"), summarizer, value, plan)
    common.emit(_rows(tuned), as_json=given["as_json"], table=given["table"], out=None)
    goal = "relative utility" if judged else f"{given['metric']} {given['objective']}"
    if out:
        assert isinstance(summarizer.system, Mead)
        more = {"goal": goal, "signature": signature(summarizer)}
        with common.whole_file(out) as stream:
            stream.write(json.dumps(options_file(tuned, summarizer.system, more), indent=1) + "\n")
    _say(tuned, goal, given["confidence"])
    common.say_skipped(reading)
    return 0


def _summarizer(corpus: Path, skip_bad: bool, given: dict[str, Any]) -> Summarizer:
    if given["budget"] and given["rate"]:
        raise OptionError("give --budget or --rate, not both")
    if str(corpus) == "-" and given["idf"] in (None, "corpus"):
        given["idf"] = "topic"
    rate = as_rate(given["rate"]) if given["rate"] else None
    return Summarizer(
        create(*parse(given["system"])),
        None if rate else Budget.parse(given["budget"] or "100w"),
        rate,
        background=background_of(corpus, {**given, "skip_bad": skip_bad}),
        preprocessing=Preprocessing(given["tokenizer"], given["stem"], given["stopwords"]),
    )


def _rouge(metric: str, objective: str, tokenizer: str) -> Value:
    """ROUGE of extracts as it is scored, the metric's parts averaged, of words in the corpus's language."""
    from topline.rouge.metric import Metric
    from topline.rouge.score import Comparison, Scorer

    scorer = Scorer(Metric.parse(metric, Preprocessing(tokenizer)))

    def value(topic: Topic, extracts: Sequence[tuple[Sequence[int], Sequence[str]]]) -> Sequence[float]:
        references = {reference.id: reference.sentences for reference in topic.references}
        batch = [Comparison(topic.id, "mead", texts, references) for _, texts in extracts]
        parts = scorer.scores(batch)
        columns = [(part.recall if objective == "recall" else part.f1).tolist() for part in parts]
        return [sum(row) / len(row) for row in zip(*columns, strict=True)]

    return value


def _utility(paths: Sequence[Path]) -> Value:
    """Relative utility S of extracts; topics that nobody judged are an error."""
    from topline.judge.judged import align, judged_by_topic
    from topline.judge.utility import Panel

    judged = judged_by_topic(paths)

    def value(topic: Topic, extracts: Sequence[tuple[Sequence[int], Sequence[str]]]) -> Sequence[float]:
        if topic.id not in judged:
            raise CorpusError(f"topic {topic.id!r} is not judged", hint="leave it out of the corpus")
        panel = Panel(align(judged[topic.id], topic))
        levels = {size: panel.agreement(size) for size in {len(rows) for rows, _ in extracts if rows}}
        return [float(panel.performance(rows, levels[len(rows)]).S) if rows else 0.0 for rows, _ in extracts]

    return value


def _rows(tuned: Tuned) -> Iterator[dict[str, Any]]:
    """A row a fold, then the row of all topics."""
    for number, fold in enumerate(tuned.folds, 1):
        yield {
            "fold": str(number), "topics": fold.topics, **fold.weights, "trained": fold.trained,
            "held_out": fold.held_out, "default": fold.default,
        }  # fmt: skip
    yield {
        "fold": "all", "topics": tuned.topics, **tuned.weights, "trained": tuned.score,
        "held_out": tuned.held_out, "default": tuned.default,
        **tuned.named, "gain_low": tuned.gain_low, "gain_high": tuned.gain_high,
    }  # fmt: skip


def _say(tuned: Tuned, goal: str, confidence: float) -> None:
    """On stderr, in words: what learning is worth, and how sure that is."""
    gain = tuned.held_out - tuned.default
    interval = f"{confidence:g}% interval {tuned.gain_low:+.4f} to {tuned.gain_high:+.4f}"
    click.echo(f"topline: on topics not learned on, {goal} {gain:+.4f} ({interval})", err=True)
    if not tuned.surer_than_chance:
        click.echo("topline: these topics do not show that the learned weights are better", err=True)
    spread = len({tuple(fold.weights.items()) for fold in tuned.folds})
    if spread > 1:
        click.echo(f"topline: {len(tuned.folds)} parts chose {spread} different weights", err=True)
