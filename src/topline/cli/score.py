"""`topline score`: ROUGE of systems' summaries, per topic and averaged with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from topline.cli import common
from topline.corpus.reading import Reading
from topline.corpus.records import Topic
from topline.corpus.shelf import Shelf
from topline.errors import CorpusError, Where
from topline.rouge.average import Averages
from topline.rouge.bootstrap import check_interval
from topline.rouge.combine import MODES
from topline.rouge.limits import Limit
from topline.rouge.score import Comparison, Options, Scorer, comparisons
from topline.run.progress import tracked
from topline.text.budget import Budget

EXAMPLES = """
\b
Examples:
  topline score corpus.jsonl --systems mead.jsonl --systems lead.jsonl
  topline score corpus.jsonl --systems *.jsonl --metric rouge-2+rouge-su4 --references jackknife
  topline score articles.parquet --systems mine.jsonl --json --out scores.jsonl
"""


def _limit(text: str | None) -> Limit | None:
    if text is None:
        return None
    budget = Budget.parse(text)
    return Limit(budget.amount, budget.unit)


@click.command(epilog=EXAMPLES)
@common.corpus_argument
@click.option(
    "--systems", type=click.Path(path_type=Path), multiple=True, required=True, help="Summaries; repeat it."
)
@click.option(
    "--metric", default="rouge-1+rouge-2+rouge-l", show_default=True, help="Each part is reported by itself."
)
@common.text_options
@click.option(
    "--references", type=click.Choice(MODES), default="pooled", show_default=True, help="How several count."
)
@click.option("--limit", help="Cut summaries and references: 100w as -l 100, 665b as -b 665.")
@click.option("--alpha", default=0.5, show_default=True, help="F's weight of precision, as -p.")
@click.option("--resamples", default=1000, show_default=True, help="Bootstrap samples, as -r.")
@click.option("--confidence", default=95.0, show_default=True, help="Of the intervals, in percent, as -c.")
@click.option("--per-topic", is_flag=True, help="A row a topic too (always with --json).")
@common.columns_option
@common.skip_option
@common.output_options
def command(corpus: Path, systems: tuple[Path, ...], per_topic: bool, skip_bad: bool, **given: Any) -> int:
    """ROUGE of systems' summaries, as ROUGE-1.5.5 computes it, per topic and averaged.

    Topics, references and summaries are matched by id. A topic that a system leaves out does not count
    for it, as in the script; how many is said on stderr.
    """
    metric = common.metric_of(
        given["metric"], stem=given["stem"], stopwords=given["stopwords"], tokenizer=given["tokenizer"]
    )
    check_interval(given["resamples"], given["confidence"])
    scorer = Scorer(metric, Options(given["references"], _limit(given["limit"]), given["alpha"]))
    reading = common.read_topics(corpus, columns=given["columns"], skip_bad=skip_bad, references=True)
    summaries = common.read_summaries(*systems, skip_bad=skip_bad)
    shelf = Shelf(summaries)
    if not shelf.systems:
        where = Where(", ".join(map(str, systems)))
        raise CorpusError("there are no summaries", where=where, hint="a system's summaries, one a line")
    run = _Run(scorer, shelf, given["resamples"], given["confidence"], (reading, summaries))
    rows = run.rows(tracked(reading, "topics"), per_topic=per_topic or given["as_json"])
    common.emit(rows, as_json=given["as_json"], table=given["table"], out=given["out"])
    common.say_skipped(reading, summaries)
    run.say_missing()
    run.say_nothing_matched()
    return 0


class _Run:
    """One pass over a corpus: a row a score as they come, then the averages."""

    def __init__(
        self,
        scorer: Scorer,
        shelf: Shelf,
        resamples: int,
        confidence: float,
        readings: Sequence[Reading[Any]],
    ) -> None:
        self.scorer, self.shelf, self.readings = scorer, shelf, readings
        self.resamples, self.confidence = resamples, confidence
        self.topics = 0
        self.given: Counter[str] = Counter()
        self.matched = False

    def rows(self, topics: Iterable[Topic], *, per_topic: bool) -> Iterator[dict[str, Any]]:
        averages = Averages()
        for one in self.scorer.score(self._comparisons(topics)):
            self.matched = self.matched or one.recall > 0
            averages.add(
                one.system if one.reference is None else f"{one.system}/{one.reference}",
                one.metric, one.id, one.recall, one.precision, one.f1,
            )  # fmt: skip
            if per_topic:
                yield {name: value for name, value in asdict(one).items() if value is not None}
        self.shelf.refuse_strangers()
        for system, metric, average in averages.averages(self.resamples, self.confidence):
            yield {"system": system, "metric": metric, **average.row(), "signature": self.signature}

    @property
    def signature(self) -> str:
        """The scorer's, and what split texts, if any did not come split."""
        splitters = "+".join(sorted(set().union(*(reading.splitters for reading in self.readings))))
        split = f"|split:{splitters}" if splitters else ""
        return f"{self.scorer.signature}{split}|resamples:{self.resamples}|confidence:{self.confidence:g}"

    def _comparisons(self, topics: Iterable[Topic]) -> Iterator[Comparison]:
        for topic in topics:
            self.topics += 1
            summaries = self.shelf.of(topic)
            self.given.update(summary.system for summary in summaries)
            yield from comparisons(topic, summaries)

    def say_nothing_matched(self) -> None:
        """A likely reason if every score is 0."""
        tokenizer = self.scorer.metric.preprocessing.tokenizer
        if self.topics and not self.matched and tokenizer == "rouge155":
            hint = "the script's tokeniser knows ASCII letters only, --tokenizer unicode every language's"
            click.echo(f"topline: nothing matched anywhere ({hint})", err=True)

    def say_missing(self) -> None:
        """Which systems left topics out."""
        for system in self.shelf.systems:
            missing = self.topics - self.given[system]
            if missing:
                click.echo(
                    f"topline: {system} has no summary for {missing} of {self.topics} topics", err=True
                )
