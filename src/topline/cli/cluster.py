"""`topline cluster`: CIDR, from a stream of dated documents to a corpus of topics."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from topline.cli import common
from topline.corpus.dates import iso_date
from topline.errors import OutputError, Where
from topline.run.progress import tracked
from topline.systems.background import UNKNOWN, Census, read_background
from topline.systems.mead.cidr import VARIANTS, CidrOptions
from topline.systems.mead.stream import Clustering, Spool, Tally, cluster, fill_spool, read_stream

EXAMPLES = """
\b
Examples:
  topline cluster stream.jsonl --out corpus.jsonl
  topline cluster sample:news --threshold 0.2
  topline cluster stream.jsonl --idf background.tsv --within 30 --least 2 --out corpus.jsonl
  zcat stream.jsonl.gz | topline cluster - --json > corpus.jsonl
"""


@click.command(epilog=EXAMPLES)
@click.argument("stream", type=click.Path(path_type=Path))
@click.option(
    "--variant", type=click.Choice(VARIANTS), default="paper", show_default=True, help="Similarity."
)
@click.option("--threshold", default=0.1, show_default=True, help="The least similarity to join a cluster.")
@click.option("--decay", default=0.01, show_default=True, help="What each further word weighs less.")
@click.option(
    "--keep-threshold", default=3.0, show_default=True, help="Count x IDF that stays in a centroid."
)
@click.option("--keep", default=10, show_default=True, help="Words that stay in any case.")
@click.option(
    "--active",
    default=100_000,
    show_default=True,
    help="Most clusters open at a time; the longest idle closes. 0: no limit.",
)
@click.option("--within", default=0, help="Close a cluster after so many days without a document.")
@click.option("--least", default=1, show_default=True, help="Leave out clusters of fewer documents.")
@click.option("--sort", "by_date", is_flag=True, help="Take the documents by date, not as they come.")
@click.option("--idf", help="A file of topline idf; the stream itself is counted without one.")
@click.option("--unknown-idf", default=UNKNOWN, show_default=True, help="IDF of words not in that file.")
@click.option("--explain", is_flag=True, help="The centroids, as Table 2 of the paper.")
@common.columns_option
@common.skip_option
@common.output_options
def command(stream: Path, skip_bad: bool, **given: Any) -> int:
    """Cluster the documents of STREAM, one by one as they come, into topics.

    STREAM is JSON Lines, a document a line ({"id", "date", "title", "text" or "sentences"}) or a topic a
    line, - for standard input, or any corpus. With --out or --json the topics are written as a corpus
    that every other verb takes; otherwise a table says what they are.
    """
    as_json, table, out = given["as_json"], given["table"], given["out"]
    options = CidrOptions(
        **{name: given[name] for name in CidrOptions.__dataclass_fields__}  # the options have its names
    )
    if out and not out.parent.is_dir():
        raise OutputError("there is no such folder", where=Where(file=str(out.parent)), hint="make it first")
    tally = Tally()
    with closing(Spool(out.parent if out else None)) as spool:
        census = None if given["idf"] else Census()
        documents = read_stream(stream, tally, columns=given["columns"], skip_bad=skip_bad)
        fill_spool(tracked(documents, "reading"), spool, tally, census)
        background = census.background() if census else read_background(given["idf"], given["unknown_idf"])
        found = cluster(spool, background, options, by_date=given["by_date"])
        if given["explain"]:
            common.emit(found.centroid_rows(given["least"]), as_json=as_json, table=table, out=out)
        elif out:
            with common.whole_file(out) as stream_out:
                stream_out.writelines(found.json(given["least"]))
        elif as_json:
            sys.stdout.writelines(found.json(given["least"]))
        else:
            common.emit(_overview(found, given["least"]), as_json=False, table=table, out=None)
        _say(tally, found, sort=given["by_date"])
    return 0


def _overview(found: Clustering, least: int) -> Iterator[dict[str, Any]]:
    """A row a cluster: its documents, first and last date, heaviest words."""
    for (number, id, members), topic in zip(found.clusters(least), found.topics(least), strict=True):
        given = [document["date"] for document in topic["documents"] if document.get("date")]
        dates = sorted(iso_date(date) or date for date in given)
        yield {
            "id": id,
            "documents": len(members),
            "first": dates[0] if dates else None,
            "last": dates[-1] if dates else None,
            "words": " ".join(list(found.cidr.centroid(number))[:6]) or None,
        }


def _say(tally: Tally, found: Clustering, *, sort: bool) -> None:
    """On stderr: how many clusters, and what was odd about the stream."""
    click.echo(f"topline: {tally.documents} documents in {found.cidr.opened} clusters", err=True)
    if tally.undated:
        click.echo(f"topline: {tally.undated} have no date: taken in order of arrival", err=True)
    if tally.late and not sort:
        click.echo(
            f"topline: {tally.late} are dated before one that came earlier (--sort orders them)", err=True
        )
    for id in found.too_long():
        what = "is a longer line than other verbs read: a higher --threshold, or --within, makes it smaller"
        click.echo(f"topline: {id} {what}", err=True)
    if tally.skipped:
        click.echo(f"topline: skipped {tally.skipped} bad records", err=True)
