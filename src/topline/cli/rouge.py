"""`topline rouge`: ROUGE-1.5.5.pl's command line."""

from __future__ import annotations

import sys

import click

from topline.cli.common import BAD_INPUT


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
def command(arguments: tuple[str, ...]) -> int | None:
    """ROUGE as ROUGE-1.5.5.pl computes and prints it."""
    from topline.rouge.perl.flags import USAGE, Usage
    from topline.rouge.perl.run import run

    out = sys.stdout.buffer
    try:
        run(arguments, out, lambda text: click.echo(f"topline: {text}", err=True))
    except Usage:
        click.echo(USAGE, err=True, nl=False)
        return BAD_INPUT
    finally:
        out.flush()
    return None
