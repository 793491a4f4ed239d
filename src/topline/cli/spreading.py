"""What `spread` and `rank` share: options, settings, signatures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from topline import __version__
from topline.cli import common
from topline.cli.searching import Pass, jobs_options, references_option, store_option, texts_asked
from topline.corpus.reading import Reading
from topline.corpus.records import Topic
from topline.errors import MetricError, OptionError
from topline.rouge.metric import Metric
from topline.run.progress import tracked
from topline.run.spreads import Spreads
from topline.spread.document import Measuring, Spread
from topline.spread.extracts import CHOPPED, KINDS
from topline.spread.settings import METHODS, SECTIONS, Settings
from topline.text.budget import Budget

spread_options = common.options(
    common.metric_options,
    click.option("--budget", default="100w", show_default=True, help="100w, 665b, 3s or 20%."),
    click.option(
        "--extracts",
        type=click.Choice(KINDS),
        default=CHOPPED,
        show_default=True,
        help="The last sentence chopped at the budget, as in the paper; or sets of whole sentences.",
    ),
    references_option,
    click.option(
        "--sections",
        type=click.Choice(SECTIONS),
        default="none",
        show_default=True,
        help="Share the budget out among sections: those given, or found by segmentation.",
    ),
    click.option(
        "--method",
        type=click.Choice(METHODS),
        default="auto",
        show_default=True,
        help="How; auto is exact where the time allows, and says which it was.",
    ),
    click.option(
        "--time-limit",
        type=click.FloatRange(0, min_open=True),
        default=60.0,
        show_default=True,
        help="Seconds a document may take, about.",
    ),
    click.option("--draws", type=click.IntRange(1), help="Draws, if it comes to sampling."),
    click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the draws."),
    jobs_options,
    store_option,
    click.option(
        "--resume", type=click.Path(path_type=Path), help="Keep finished pieces there, and go on from them."
    ),
)


@dataclass(slots=True)
class Run:
    """The distributions of a corpus, topic by topic."""

    metric: Metric
    budget: Budget
    settings: Settings
    skip_bad: bool
    through: Pass | None = None
    """The engine and its store; without, pieces are kept in a journal."""
    sampled: int = 0
    """Distributions that were sampled although an exact one was asked for."""

    @classmethod
    def of(cls, given: dict[str, Any]) -> Run:
        """From the options of the command line."""
        metric = common.metric_of(
            given["metric"], stem=given["stem"], stopwords=given["stopwords"], tokenizer=given["tokenizer"]
        )
        settings = Settings(
            extracts=given["extracts"],
            references=given["references"],
            sections=given["sections"],
            method=given["method"],
            seconds=given["time_limit"],
            draws=given["draws"],
            seed=given["seed"],
            jobs=given["jobs"],
            journal=given["resume"],
        )
        run = cls(metric, Budget.parse(given["budget"]), settings, given["skip_bad"])
        if given["resume"] is None:
            run.through = Pass(
                given["jobs"], given["scheduler"], given["skip_bad"], given["store"],
                asked=("spread", run.signature, settings.method, settings.seconds, settings.draws,
                       *texts_asked(metric)),
            )  # fmt: skip
        elif given["scheduler"] or given["store"]:
            raise OptionError(
                "--resume keeps pieces in a file of this process", hint="with --scheduler give --store alone"
            )
        return run

    def over(self, reading: Reading[Topic]) -> Iterator[tuple[Topic, list[Spread]]]:
        """Topics with their distributions, in order."""
        for topic, spreads in self._found(reading):
            self.sampled += sum(not one.distribution.exact for one in spreads)
            yield topic, spreads

    def _found(self, reading: Reading[Topic]) -> Iterator[tuple[Topic, list[Spread]]]:
        if self.through is not None:
            yield from self.through.over(Spreads(self.metric, self.budget, self.settings), reading)
            return
        measuring = Measuring(self.metric, self.budget, self.settings)
        for topic in tracked(reading, "topics"):
            try:
                spreads = measuring.of(topic)
            except MetricError as error:
                if not self.skip_bad:
                    raise
                click.echo(f"topline: skipped: {error}", err=True)
                continue
            yield topic, spreads

    @property
    def signature(self) -> str:
        """Everything that the figures depend on."""
        settings = self.settings
        return (
            f"{self.metric.signature}|budget:{self.budget}|extracts:{settings.extracts}|refs:{settings.references}"
            f"|sections:{settings.sections}|seed:{settings.seed}|topline-{__version__}"
        )

    def end(self) -> int:
        """The exit code, and a word on stderr about what was sampled."""
        code = 0 if self.through is None else self.through.code(0)
        if not self.sampled or self.settings.method == "sample":
            return code
        click.echo(
            f"topline: {self.sampled} distributions were sampled, with 99% bands: see method;"
            " a longer --time-limit counts more of them exactly",
            err=True,
        )
        return common.LIMIT


def check_all(run: Run) -> None:
    """Say what makes no sense before anything is read."""
    run.settings.check(run.budget)
    for part in run.metric.parts:
        if not part.additive:
            raise MetricError(
                f"{part} does not count n-grams", hint="a distribution takes rouge-N, rouge-S and rouge-SU"
            )
