"""`topline rouge`: ROUGE-1.5.5.pl's command line."""

from __future__ import annotations

import sys
from itertools import chain
from pathlib import Path

import click

from topline.cli.common import BAD_INPUT, read_summaries, read_topics
from topline.errors import OptionError


class AsTyped(click.Command):
    """Leaves the arguments alone: the script's flags are not click's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Everything but a lone `--help` is the script's."""
        if args == ["--help"]:
            return super().parse_args(ctx, args)
        ctx.params["arguments"] = tuple(args)
        return []

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The script's flags."""
        from topline.rouge.perl.flags import USAGE

        formatter.write(USAGE)


@click.command("rouge", cls=AsTyped)
def command(arguments: tuple[str, ...]) -> int:
    """ROUGE as ROUGE-1.5.5.pl computes and prints it."""
    from topline.rouge.perl.flags import USAGE, Usage
    from topline.rouge.perl.run import run

    if arguments[:1] == ("--write",):
        return _write(arguments[1:])
    # no flag or value of the script's looks like this
    as_json = "--json" in arguments
    out = sys.stdout.buffer
    try:
        run(
            [argument for argument in arguments if argument != "--json"],
            out,
            lambda text: click.echo(f"topline: {text}", err=True),
            as_json=as_json,
        )
    except Usage:
        click.echo(USAGE, err=True, nl=False)
        return BAD_INPUT
    finally:
        out.flush()
    return 0


def _write(arguments: tuple[str, ...]) -> int:
    """`--write FOLDER CORPUS [SUMMARIES…]`: the script would die of it, so it is free for us."""
    from topline.corpus.match import match
    from topline.rouge.perl.write import write

    if len(arguments) < 2:
        raise OptionError("--write needs a folder and a corpus", hint="--write FOLDER CORPUS [SUMMARIES…]")
    folder, corpus, *systems = map(Path, arguments)
    summaries = chain.from_iterable(read_summaries(path, skip_bad=False) for path in systems)
    topics = read_topics(corpus, columns=None, skip_bad=False, references=True)
    write(folder, match(topics, summaries))
    return 0
