"""What the verbs share: options that mean the same everywhere, whole output, exit codes."""

from __future__ import annotations

import _thread
import atexit
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from topline.errors import CorpusError, SearchLimit, ToplineError
from topline.report.tables import STYLES
from topline.rouge.metric import Metric
from topline.run import whole
from topline.text.tokens import TOKENIZERS, Preprocessing

if TYPE_CHECKING:
    from topline.corpus.reading import Reading
    from topline.corpus.records import Summary, Topic

BAD_INPUT, LIMIT, INTERRUPTED = 2, 3, 130
"""Exit codes beside 0 (done, and proven)."""

whole_file, json_line = whole.whole_file, whole.json_line
Command = TypeVar("Command", bound=Callable[..., Any])


def exit_code_of(  # noqa: PLR0911 - a return for each way to end
    cli: click.Group, arguments: list[str] | None
) -> int:
    """Run the group and say every expected failure in one line."""
    try:
        result = cli.main(arguments, prog_name="topline", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return BAD_INPUT
    except SearchLimit as error:
        click.echo(f"topline: {error}", err=True)
        return LIMIT
    except ToplineError as error:
        click.echo(f"topline: {error}", err=True)
        return BAD_INPUT
    except (click.Abort, KeyboardInterrupt):
        click.echo("topline: interrupted; nothing half-written was left behind", err=True)
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):
        # the reader of the pipe has seen enough (click makes that its exit 1); python must not complain
        # when it closes stdout
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        click.echo(f"topline: {error.filename or 'output'}: {error.strerror or error}", err=True)
        return BAD_INPUT


def keep_interrupts() -> None:
    """A Ctrl-C that falls into a callback (of numba, as it loads a kernel) is lost there: send it again."""
    plain = sys.unraisablehook

    def again(lost: sys.UnraisableHookArgs) -> None:
        if issubclass(lost.exc_type, KeyboardInterrupt):
            # a little later: now it would fall into this very callback
            later = threading.Timer(0.02, _thread.interrupt_main)
            later.daemon = True
            later.start()
        else:
            plain(lost)

    sys.unraisablehook = again


def leave(code: int) -> None:
    """End the process; after an error or Ctrl-C at once, whatever our threads are still searching."""
    # what is done is done: Ctrl-C while Python tidies up changes nothing
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    if code and any(thread.name.startswith("topline") for thread in threading.enumerate()):
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def options(*decorators: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Stack option decorators so that `--help` lists them in this order."""

    def stack(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return stack


text_options = options(
    click.option("--stem/--no-stem", default=True, show_default=True, help="Stem as ROUGE's -m does."),
    click.option(
        "--stopwords", default="none", show_default=True, help="none, smart, or a file (a word a line)."
    ),
    click.option(
        "--tokenizer",
        type=click.Choice(list(TOKENIZERS)),
        default="rouge155",
        show_default=True,
        help="unicode for languages beside English.",
    ),
)
metric_options = options(
    click.option(
        "--metric", default="rouge-1", show_default=True, help="rouge-2, rouge-su4, rouge-1+rouge-2…"
    ),
    text_options,
)
budget_options = options(
    click.option("--budget", default="100w", show_default=True, help="100w, 665b, 3s or 20%."),
    click.option("--chop", is_flag=True, help="The last sentence may be cut at the budget."),
)
output_options = options(
    click.option("--json", "as_json", is_flag=True, help="JSON Lines, a record a line."),
    click.option(
        "--table", type=click.Choice([*STYLES]), default="plain", show_default=True, help="The table's form."
    ),
    click.option("--out", type=click.Path(path_type=Path), help="Write there, whole or not at all."),
)
corpus_argument = click.argument("corpus", type=click.Path(path_type=Path))
columns_option = click.option("--columns", help="For tables: document=article,reference=highlights,id=id.")
skip_option = click.option("--skip-bad", is_flag=True, help="Carry on past bad records and count them.")


def metric_of(metric: str, *, stem: bool, stopwords: str, tokenizer: str) -> Metric:
    """The metric that the shared options describe."""
    return Metric.parse(metric, Preprocessing(tokenizer, stem, stopwords))


def emit(rows: Iterable[Mapping[str, Any]], *, as_json: bool, table: str, out: Path | None) -> None:
    """Write records as JSON Lines (as they come) or as one table, to stdout or into a whole file."""
    if out is None:
        _emit(rows, sys.stdout, as_json=as_json, table=table)
        return
    with whole_file(out) as stream:
        _emit(rows, stream, as_json=as_json, table=table)


def _emit(rows: Iterable[Mapping[str, Any]], stream: IO[str], *, as_json: bool, table: str) -> None:
    if not as_json:
        stream.write(STYLES[table](list(rows)))
        return
    for row in rows:
        stream.write(json_line(row))
        stream.flush()


def read_topics(
    corpus: Path, *, columns: str | None, skip_bad: bool, references: bool = False
) -> Reading[Topic]:
    """The corpus, streamed; no topic at all is an error, and with `references` a topic without them."""
    from topline.corpus.files import place
    from topline.corpus.read import read

    reading = read(corpus, columns=columns, skip_bad=skip_bad, references_needed=references)
    reading.nothing = CorpusError(
        "no topic in it", where=place(corpus), hint="topline validate says what a corpus holds"
    )
    return reading


def read_summaries(*paths: Path, skip_bad: bool) -> Reading[Summary]:
    """Files or folders of systems' summaries, streamed."""
    from topline.corpus.read import read_summaries as read

    return read(*paths, skip_bad=skip_bad)


def say_skipped(*readings: Reading[Any]) -> None:
    """On stderr: how many records were passed over, and why the first one was."""
    for reading in readings:
        if reading.skipped_count:
            kind = "summaries" if reading.form == "summaries" else "topics"
            count, first = reading.skipped_count, reading.skipped[0]
            click.echo(f"topline: bad {kind} skipped: {count}, the first: {first}", err=True)
