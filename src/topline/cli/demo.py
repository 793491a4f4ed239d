"""`topline demo`: the report of the bundled sample corpus, with seven of our own summarisers on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from topline.cli import common, report

EXAMPLES = """
\b
Examples:
  topline demo
  topline demo --metric rouge-2 --out rouge2.html
"""
SYSTEMS = ("mead", "lexrank", "textrank", "sumbasic", "icsisumm", "lead", "random")
CORPUS = Path("sample:news")
HUMAN = (Path("sample:human"),)


@click.command(epilog=EXAMPLES)
@report.study_options
@click.option("--out", type=click.Path(path_type=Path), default=Path("topline-demo.html"), show_default=True)
def command(out: Path, **given: Any) -> int:
    """The whole study on the bundled sample: eight fictional news topics with four references each.

    Prints the address of the page. The people's ratings in it are invented, as the corpus is.
    """
    topics = list(common.read_topics(CORPUS, columns=None, skip_bad=False, references=True))
    given["run_systems"] = given["run_systems"] or SYSTEMS
    given["human"] = given["human"] or HUMAN
    failed = report.make(topics, out, "Topline on its sample corpus", CORPUS, **given)
    return common.LIMIT if failed else 0
