"""`topline rank`: where systems stand among every extract, per topic and per domain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from topline.cli import common
from topline.cli.searching import signed
from topline.cli.spread import ALL
from topline.cli.spreading import Run, check_all, spread_options
from topline.corpus.records import Summary, Topic
from topline.corpus.shelf import Shelf
from topline.spread.combine import Domain, Ranks
from topline.spread.distribution import Distribution
from topline.spread.document import Spread
from topline.spread.rank import LEAD, Standing, error_reduction, standings
from topline.spread.words import between

EXAMPLES = """
\b
Examples:
  topline rank sample:newswire --systems mead.jsonl --systems lead.jsonl
  topline rank corpus.jsonl --systems *.jsonl --metric rouge-2 --budget 100w --json
  topline rank corpus.jsonl --systems mine.jsonl --per-topic
"""


@click.command(epilog=EXAMPLES)
@common.corpus_argument
@click.option(
    "--systems", type=click.Path(path_type=Path), multiple=True, required=True, help="Summaries; repeat it."
)
@spread_options
@click.option("--per-topic", is_flag=True, help="A row a topic too (always with --json).")
@click.option(
    "--plots", type=click.Path(path_type=Path, file_okay=False), help="Figures as SVG, into this folder."
)
@common.columns_option
@common.skip_option
@common.output_options
def command(
    corpus: Path, systems: tuple[Path, ...], per_topic: bool, plots: Path | None, skip_bad: bool, **given: Any
) -> int:
    """Percentile ranks: the share of all extracts that a system's summary beats, and how many beat it.

    Beside the systems stand the best extract, the greedy one, the first sentences and random ones. Systems
    are cut at the budget and counted as the extracts are: n-grams within sentences.
    """
    run = Run.of({**given, "skip_bad": skip_bad})
    check_all(run)
    reading = common.read_topics(corpus, columns=given["columns"], skip_bad=skip_bad, references=True)
    summaries = common.read_summaries(*systems, skip_bad=skip_bad)
    shelf = Shelf(summaries)
    ranking = _Ranking(run, shelf, plots)
    rows = ranking.rows(reading, per_topic=per_topic or given["as_json"], json=given["as_json"])
    common.emit(
        signed(rows, as_json=given["as_json"]),
        as_json=given["as_json"],
        table=given["table"],
        out=given["out"],
    )
    common.say_skipped(reading, summaries)
    ranking.say_missing()
    return run.end()


@dataclass(slots=True)
class _Ranking:
    """One pass over a corpus: a row a system and topic, then a row a system and domain."""

    run: Run
    shelf: Shelf
    plots: Path | None
    spreads: dict[str, dict[tuple[str, str], Distribution]] = field(default_factory=dict)
    """By domain, then by topic and reference."""
    found: dict[str, dict[str, dict[tuple[str, str], Standing]]] = field(default_factory=dict)
    """By domain, then by system."""
    topics: int = 0

    def rows(self, reading: Any, *, per_topic: bool, json: bool) -> Iterator[dict[str, Any]]:
        for topic, spreads in self.run.over(reading):
            self.topics += 1
            given = self.shelf.of(topic)
            for spread in spreads:
                placed = self._placed(topic, spread, given)
                self._keep(topic, spread, placed)
                if per_topic:
                    yield from (self._row(one, spread, topic.domain or ALL, json=json) for one in placed)
        self.shelf.refuse_strangers()
        for domain in self.spreads:
            yield from self._domain(domain, json=json)

    def _placed(self, topic: Topic, spread: Spread, given: Sequence[Summary]) -> list[Standing]:
        run, settings = self.run, self.run.settings
        return standings(
            topic, spread, given, run.metric, run.budget, settings.seed,
            extracts=settings.extracts, sections=settings.sections,
        )  # fmt: skip

    def _keep(self, topic: Topic, spread: Spread, placed: Iterable[Standing]) -> None:
        domain, key = topic.domain or ALL, (spread.id, spread.references)
        self.spreads.setdefault(domain, {})[key] = spread.distribution
        for one in placed:
            self.found.setdefault(domain, {}).setdefault(one.system, {})[key] = one
        if self.plots is not None:
            self._plot(spread, list(placed))

    def _plot(self, spread: Spread, placed: list[Standing]) -> None:
        from topline.cli.spread import write_figure
        from topline.report.plots import Mark, histogram

        marks = [Mark(one.system, one.score) for one in placed]
        for log in (False, True):
            svg = histogram(spread.distribution, spread.id, spread.metric, marks, log=log)
            write_figure(self.plots or Path(), f"{spread.id}-{spread.references}{'-log' if log else ''}", svg)

    def _row(self, one: Standing, spread: Spread, domain: str, *, json: bool) -> dict[str, Any]:
        better = one.better
        row: dict[str, Any] = {
            "domain": domain,
            "id": one.id,
            "references": one.references,
            "system": one.system,
            "metric": one.metric,
            "score": one.score,
            "percentile": one.percentile,
        }
        if not json:
            return {**row, "better": str(better), "method": spread.method}
        return {
            **row,
            "percentile_low": one.interval[0],
            "percentile_high": one.interval[1],
            "better": better.low if better.exact else None,
            "better_low": better.low,
            "better_high": better.high,
            "equal": one.equal,
            "extracts": better.of,
            "method": spread.method,
            "said": str(better),
            "signature": self.run.signature,
        }

    def _domain(self, domain: str, *, json: bool) -> Iterator[dict[str, Any]]:
        """A row a system: its mean score in the distribution of mean scores, over the topics it has."""
        made: dict[tuple[tuple[str, str], ...], Ranks] = {}
        lead = self.found[domain].get(LEAD, {})
        for system, placed in self.found[domain].items():
            keys = tuple(placed)
            if keys not in made:
                made[keys] = Ranks.of(Domain(domain, tuple(self.spreads[domain][key] for key in keys)))
            ranks = made[keys]
            score = _mean(placed.values())
            percentile, low, high = ranks.percentile(score)
            least, most = ranks.above(score)
            base = _mean(lead[key] for key in keys)
            best = ranks.domain.optimum
            row = {
                "domain": domain,
                "id": None,
                "system": system,
                "metric": str(self.run.metric),
                "topics": len({id for id, _ in keys}),
                "score": float(score),
                "percentile": percentile,
                "percentile_low": low,
                "percentile_high": high,
                "percentile_printed": ranks.by_bins(score),
                "better": least if least == most else None,
                "better_low": least,
                "better_high": most,
                "error_reduction": None if best is None else error_reduction(score, base, best),
                "method": ranks.domain.method,
                "said": between(Fraction(least), Fraction(most)),
                "signature": self.run.signature,
            }
            yield row if json else _short(row)

    def say_missing(self) -> None:
        """Which systems left topics out."""
        for system, given in self.shelf.systems.items():
            if given < self.topics:
                missing = self.topics - given
                click.echo(
                    f"topline: {system} has no summary for {missing} of {self.topics} topics", err=True
                )


def _short(row: dict[str, Any]) -> dict[str, Any]:
    """A domain's row for the table: bounds in words."""
    left_out = ("percentile_low", "percentile_high", "better_low", "better_high", "said")
    return {name: value for name, value in row.items() if name not in left_out} | {"better": row["said"]}


def _mean(placed: Iterable[Standing]) -> Fraction:
    scores = [Fraction(one.hits, one.total) for one in placed]
    return sum(scores, Fraction(0)) / len(scores)
