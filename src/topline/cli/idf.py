"""`topline idf`: an IDF table from a background corpus."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from topline.cli import common
from topline.run.progress import tracked
from topline.systems.background import Census
from topline.text.tokens import TOKENIZERS

EXAMPLES = """
\b
Examples:
  topline idf background.jsonl --out background.tsv
  topline idf sample:news --json
  topline summarize corpus.jsonl --system mead --idf background.tsv
"""


@click.command(epilog=EXAMPLES)
@common.corpus_argument
@click.option("--least", default=1, show_default=True, help="Leave out words in fewer documents.")
@click.option(
    "--tokenizer", type=click.Choice(list(TOKENIZERS)), default="unicode", show_default=True,
    help="unicode: any language; rouge155: ASCII alone.",
)  # fmt: skip
@common.columns_option
@common.skip_option
@common.output_options
def command(corpus: Path, least: int, tokenizer: str, skip_bad: bool, **given: Any) -> int:
    """Count in how many documents of CORPUS each word occurs.

    The output is the table that --idf takes: a header, then word, documents, occurrences, tab-separated.
    IDF is log(documents / documents with the word). --json and --table print it with the IDF instead.
    """
    as_json, table, out = given["as_json"], given["table"], given["out"]
    census = Census(tokenizer)
    reading = common.read_topics(corpus, columns=given["columns"], skip_bad=skip_bad)
    census.add_topics(tracked(reading, "topics"))
    if as_json or table != "plain":
        common.emit(_rows(census, least), as_json=as_json, table=table, out=out)
    elif out:
        with common.whole_file(out) as stream:
            stream.writelines(census.lines(least))
    else:
        sys.stdout.writelines(census.lines(least))
    common.say_skipped(reading)
    return 0


def _rows(census: Census, least: int) -> Iterator[dict[str, Any]]:
    """A row a word, the commonest first."""
    lines = census.lines(least)
    next(lines)
    for line in lines:
        word, held, count = line.rstrip("\n").split("\t")
        idf = math.log(census.documents / int(held))
        yield {"word": word, "documents": int(held), "count": int(count), "idf": idf}
