"""`topline rate`: a blind rating sheet for people, and its results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import click

from topline.cli import common
from topline.compress.rate import (
    QUESTION,
    Rating,
    Scale,
    Topic,
    entries,
    html,
    key_of,
    read_key,
    read_ratings,
    sheet_csv,
)
from topline.compress.ratings import LEVELS, alpha, means
from topline.corpus.shelf import Shelf
from topline.errors import CorpusError, OptionError, Where
from topline.rouge.score import text_of

EXAMPLES = """
\b
Examples:
  topline rate sample:news --systems mead.jsonl --systems compress.jsonl --raters 3 --folder sheets
  topline rate --key sheets/key.json --ratings ratings-ann.csv --ratings ratings-bob.csv
"""


@click.command(epilog=EXAMPLES)
@click.argument("corpus", type=click.Path(path_type=Path), required=False)
@click.option("--systems", type=click.Path(path_type=Path), multiple=True, help="Summaries; repeat it.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where the sheets go, and their key.")
@click.option(
    "--raters", type=click.IntRange(1), default=1, show_default=True, help="A sheet for each, shuffled anew."
)
@click.option("--topics", type=click.IntRange(1), help="So many topics, drawn at random [all].")
@click.option("--question", default=QUESTION, show_default=True, help="What the raters are asked.")
@click.option("--scale", default="1-5", show_default=True, help="The ratings, from worst to best.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the codes, orders and resamples.")
@click.option("--key", type=click.Path(path_type=Path), help="To read results: the sheets' key.")
@click.option(
    "--ratings", type=click.Path(path_type=Path), multiple=True, help="Filled-in sheets; repeat it."
)
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default="ordinal",
    show_default=True,
    help="How ratings differ, for Krippendorff's alpha.",
)
@common.columns_option
@common.skip_option
@common.output_options
def command(corpus: Path | None, key: Path | None, ratings: tuple[Path, ...], **given: Any) -> int:
    """Have people rate summaries without knowing who wrote them.

    With a corpus and systems: writes sheet-1.html and sheet-1.csv (one of each a rater) and key.json into
    the folder. With the key and the filled-in sheets: each system's mean rating with a 95% interval, and
    how far the raters agree.
    """
    if key is not None:
        if corpus is not None or not ratings:
            raise OptionError("results need --key and --ratings, and no corpus")
        rows = _results(key, ratings, given["seed"], given["level"])
        common.emit(rows, as_json=given["as_json"], table=given["table"], out=given["out"])
        return 0
    if corpus is None or not given["systems"] or given["folder"] is None:
        raise OptionError(
            "a sheet needs a corpus, --systems and --folder", hint="or --key and --ratings to read results"
        )
    _write(_summaries(corpus, given), given["folder"], _scale(given), given)
    return 0


def _scale(given: dict[str, Any]) -> Scale:
    low, dash, high = given["scale"].partition("-")
    if not (dash and low.isdigit() and high.isdigit()):
        raise OptionError(f"{given['scale']!r} is no scale", hint="e.g. 1-5")
    return Scale(given["question"], int(low), int(high))


def _summaries(corpus: Path, given: dict[str, Any]) -> list[Topic]:
    """The topics that some system summarised, as many as were asked for."""
    skip_bad = given["skip_bad"]
    reading = common.read_topics(corpus, columns=given["columns"], skip_bad=skip_bad)
    written = common.read_summaries(*given["systems"], skip_bad=skip_bad)
    shelf = Shelf(written)
    topics: list[Topic] = []
    for topic in reading:
        summaries = shelf.of(topic)
        if summaries:
            topics.append((topic.id, [(one.system, text_of(topic, one)) for one in summaries]))
    shelf.refuse_strangers()
    common.say_skipped(reading, written)
    if not topics:
        raise CorpusError("no topic has a summary", where=Where(file=str(corpus)))
    wanted = given["topics"]
    if wanted is None or wanted >= len(topics):
        return topics
    return [topics[place] for place in sorted(Random(given["seed"]).sample(range(len(topics)), wanted))]


def _write(topics: list[Topic], folder: Path, scale: Scale, given: dict[str, Any]) -> None:
    seed = given["seed"]
    found = entries(topics, seed)
    folder.mkdir(parents=True, exist_ok=True)
    texts = {"key.json": key_of(found, scale, seed).text()}
    for sheet in range(1, given["raters"] + 1):
        texts[f"sheet-{sheet}.html"] = html(found, scale, seed, sheet)
        texts[f"sheet-{sheet}.csv"] = "\ufeff" + sheet_csv(found, seed, sheet)
    for name, text in texts.items():
        with common.whole_file(folder / name, "wb") as stream:
            stream.write(text.encode("utf-8", "replace"))
    click.echo(
        f"topline: {len(found)} summaries of {len(topics)} topics on {given['raters']} sheets in {folder};"
        " keep key.json from the raters",
        err=True,
    )


def _results(path: Path, sheets: tuple[Path, ...], seed: int, level: str) -> Iterator[dict[str, Any]]:
    key = read_key(path)
    ratings: dict[tuple[str, str], Rating] = {}
    for sheet in sheets:
        for rating in read_ratings(sheet, key):
            if (rating.rater, rating.item) in ratings:
                raise CorpusError(
                    f"{rating.rater!r} rates {rating.item!r} in two files",
                    where=Where(file=str(sheet)),
                    hint="give each rater a name of their own",
                )
            ratings[rating.rater, rating.item] = rating
    found = list(ratings.values())
    if not found:
        raise CorpusError("nothing is rated yet", where=Where(file=str(sheets[0])))
    raters = len({rating.rater for rating in found})
    open_ = raters * len(key.items) - len(found)
    if open_:
        click.echo(f"topline: {open_} of {raters * len(key.items)} ratings were left open", err=True)
    agreement = alpha(found, level)
    for mean in means(key, found, seed=seed):
        yield asdict(mean)
    yield {"agreement": f"krippendorff-alpha-{level}", "value": agreement, "raters": raters}
