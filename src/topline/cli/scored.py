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
from topline.text.budget import Budget

if TYPE_CHECKING:
    from topline.judge.grid import Grid

KINDS = ("rouge", "oracles", "oracles-each")
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
    click.option(
        "--score",
        type=click.Choice(KINDS),
        default="rouge",
        show_default=True,
        help="ROUGE, or how far sentences stand in all oracles (of the references together, or of each).",
    ),
    click.option("--budget", default="100w", show_default=True, help="Of oracles: 100w, 665b, 3s or 20%."),
    click.option("--time-limit", type=click.FloatRange(0, min_open=True), help="Seconds for one search."),
)


def tables(corpus: Path | None, given: Mapping[str, Any]) -> tuple[dict[str, Grid], str]:
    """A table of scores a metric, and the signature of how they came about."""
    if given["scores"]:
        if corpus is not None or given["systems"]:
            raise OptionError("--scores stands in place of a corpus and --systems", hint="leave those out")
        return _from_files(given), f"scores:{given['by']}"
    if corpus is None or not given["systems"]:
        raise OptionError("nothing to score", hint="a corpus and --systems FILE, or --scores FILE")
    from topline.judge.measured import measure, measure_overlap
    from topline.rouge.score import Options, Scorer
    from topline.search.exact import Limits

    metric = common.metric_of(
        given["metric"], stem=given["stem"], stopwords=given["stopwords"], tokenizer=given["tokenizer"]
    )
    skip = given["skip_bad"]
    reading = common.read_topics(corpus, columns=given["columns"], skip_bad=skip, references=True)
    summaries = common.read_summaries(*given["systems"], skip_bad=skip)
    by = given["by"]
    if given["score"] == "rouge":
        scorer = Scorer(metric, Options(given["references"]))
        found, signature = measure(reading, summaries, scorer, by), scorer.signature
    else:
        budget, limits = Budget.parse(given["budget"]), Limits(seconds=given["time_limit"])
        mode = "multi" if given["score"] == "oracles" else "single"
        found = measure_overlap(reading, summaries, metric, budget, mode, by, limits)
        signature = f"oracles:{mode}|{metric.signature}|{budget.signature}"
    common.say_skipped(reading, summaries)
    return found, f"{signature}|by:{by}"


def _from_files(given: Mapping[str, Any]) -> dict[str, Grid]:
    from topline.judge.grid import grids
    from topline.judge.scores import metric_rows

    return grids(chain.from_iterable(metric_rows(path, given["by"]) for path in given["scores"]))
