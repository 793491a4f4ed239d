"""`topline parse`: dependency trees of a corpus, as CoNLL-U."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from topline.cli import common
from topline.compress.writing import Writer, blocks, documents
from topline.run.progress import tracked

EXAMPLES = """
\b
Examples:
  topline parse corpus.jsonl --out corpus.conllu
  topline parse sample:news --out news.conllu --model en_core_web_sm
"""


@click.command(epilog=EXAMPLES)
@common.corpus_argument
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write there; a run that was broken off goes on."
)
@click.option("--model", default="auto", show_default=True, help="A spaCy model; auto takes the English one.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@common.columns_option
@common.skip_option
def command(
    corpus: Path, out: Path | None, model: str, jobs: int, columns: str | None, skip_bad: bool
) -> int:
    """Parse every sentence of CORPUS with spaCy and write CoNLL-U that `topline compress` takes.

    Sentences stay as they are in the corpus. With --out the file grows as FILE.part, document by
    document, and gets its name when it is complete; run the same command again to go on after a break.
    """
    from topline.compress.parser import Parser

    parser = Parser(model, jobs)
    reading = common.read_topics(corpus, columns=columns, skip_bad=skip_bad)
    units = tracked(documents(reading), "documents")
    if out is None:
        for text in blocks(parser, units):
            sys.stdout.write(text)
    else:
        written = Writer(out, parser).write(units)
        resumed = f", {written.resumed} of them by an earlier run" if written.resumed else ""
        what = "document" if written.documents == 1 else "documents"
        click.echo(f"topline: {written.documents} {what} parsed{resumed}: {out}", err=True)
    common.say_skipped(reading)
    return 0
