"""`topline VERB`: verbs load their code when they are called, so that `--help` stays cheap."""

from __future__ import annotations

import os
import sys
from difflib import get_close_matches
from importlib import import_module

import click

from topline import __version__

VERBS: dict[str, str] = {
    "validate": "What a corpus holds, or what is wrong with it and where.",
    "score": "ROUGE of systems' summaries, per topic and averaged with intervals.",
    "rouge": "Drop-in for ROUGE-1.5.5.pl: its flags, files and print-out.",
    "oracle": "The best extract, proven best.",
    "optima": "All best extracts: counted, listed, sampled.",
    "label": "Training labels for a whole corpus: exact, or a published recipe.",
    "spread": "The distribution of the score over every extract, per document and per domain.",
    "rank": "Where systems stand among every extract: percentile ranks.",
    "compress": "The best summary of trimmed sentences, proven best.",
    "parse": "Dependency trees of a corpus, as CoNLL-U.",
    "rate": "A blind rating sheet for people, and its results.",
    "summarize": "Summaries by MEAD, LexRank and a dozen others, and their score tables.",
    "cluster": "CIDR: a stream of dated documents into topics.",
    "idf": "How rare words are: an IDF table from a background corpus.",
    "tune": "MEAD's weights, learned from references or judges.",
    "utility": "Relative utility: judges, chance and systems on one scale.",
    "correlate": "Metrics against human scores.",
    "compare": "Which system is better, with significance; and how much room is left.",
    "tables": "A paper's tables, for your corpus.",
    "report": "One self-contained HTML page of all of it.",
    "demo": "The report of the bundled sample corpus.",
}
"""The verbs with the line that `--help` shows; each lives in `topline.cli.VERB` as `command`."""


class Verbs(click.Group):
    """A group whose commands are imported one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """All verbs, in the order of the table."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The verb's command, imported now."""
        if cmd_name not in VERBS:
            return None
        command: click.Command = import_module(f"topline.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that is asked for; of one that is not there, the nearest is named."""
        if args[0] in VERBS or args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        near = get_close_matches(args[0], VERBS, n=1)
        meant = f"did you mean {near[0]}?" if near else "topline --help lists the verbs"
        raise click.UsageError(f"there is no verb {args[0]!r} ({meant})", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the verbs without importing them."""
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


EPILOG = """
\b
Examples:
  topline demo                                     the whole study on the bundled sample, as a page
  topline validate corpus.jsonl                    what a corpus holds, or what is wrong with it
  topline report corpus.jsonl --systems mine.jsonl --out report.html
  topline VERB --help                              a verb's options, with examples
\b
Completion in the shell:
  eval "$(_TOPLINE_COMPLETE=bash_source topline)"  in ~/.bashrc; zsh_source and fish_source are there too
"""


@click.group(
    cls=Verbs,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="topline")
def cli() -> None:
    """How far a summariser can go, and where it stands.

    A corpus is JSON Lines (a topic a line) or anything that `topline validate` can read.
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; every error becomes one line on stderr and exit code 2 (3: a limit)."""
    # what is large runs in threads of ours; numpy's own would only be started, at every start of a verb
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from topline.cli.common import exit_code_of, keep_interrupts, leave
    except KeyboardInterrupt:
        sys.exit(130)
    if sys.unraisablehook is sys.__unraisablehook__:
        keep_interrupts()
    leave(exit_code_of(cli, arguments))
