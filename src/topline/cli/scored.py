"""Where scores come from, the same for `compare` and `correlate`: a corpus and summaries, or a file."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from topline.cli import common
from topline.errors import OptionError
from topline.rouge.combine import MODES

if TYPE_CHECKING:
    from topline.judge.grid import Grid

source_options = common.options(
    click.argument("corpus", type=click.Path(path_type=Path), required=False),
    click.option("--systems", type=click.Path(path_type=Path), multiple=True, help="Summaries; repeat it."),
    click.option(
        "--scores",
        type=click.Path(path_type=Path),
        multiple=True,
        help="Scores as `score --json` writes them, instead of a corpus and summaries; repeat it.",
    ),
    click.option(
        "--by",
        type=click.Choice(["recall", "precision", "f1"]),
        default="f1",
        show_default=True,
        help="The score.",
    ),
    click.option(
        "--references",
        type=click.Choice([mode for mode in MODES if mode != "each"]),
        default="pooled",
        show_default=True,
        help="How several count.",
    ),
)


def tables(corpus: Path | None, given: Mapping[str, Any]) -> tuple[dict[str, Grid], str]:
    """A table of scores a metric, and the signature of how they came about."""
    if given["scores"]:
        if corpus is not None or given["systems"]:
            raise OptionError("--scores stands in place of a corpus and --systems", hint="leave those out")
        return _from_files(given), f"scores:{given['by']}"
    if corpus is None or not given["systems"]:
        raise OptionError("nothing to score", hint="a corpus and --systems FILE, or --scores FILE")
    from topline.judge.measured import measure
    from topline.rouge.score import Options, Scorer

    metric = common.metric_of(
        given["metric"], stem=given["stem"], stopwords=given["stopwords"], tokenizer=given["tokenizer"]
    )
    scorer = Scorer(metric, Options(given["references"]))
    skip = given["skip_bad"]
    reading = common.read_topics(corpus, columns=given["columns"], skip_bad=skip, references=True)
    summaries = chain.from_iterable(common.read_summaries(path, skip_bad=skip) for path in given["systems"])
    found = measure(reading, summaries, scorer, given["by"])
    common.say_skipped(reading)
    return found, f"{scorer.signature}|by:{given['by']}"


def _from_files(given: Mapping[str, Any]) -> dict[str, Grid]:
    from topline.judge.grid import grids
    from topline.judge.scores import metric_rows

    return grids(chain.from_iterable(metric_rows(path, given["by"]) for path in given["scores"]))
