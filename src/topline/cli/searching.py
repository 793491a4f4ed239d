"""What the verbs that search share: their options, and topics through an engine in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from topline.cli import common
from topline.corpus.records import Topic
from topline.errors import ToplineError
from topline.run.engine import engine
from topline.run.progress import tracked
from topline.search.exact import Limits

Result = TypeVar("Result")

references_option = click.option(
    "--references",
    type=click.Choice(["pooled", "each", "best"]),
    default="pooled",
    show_default=True,
    help="Together, one by one, or whichever is matched best.",
)
objective_option = click.option(
    "--objective",
    type=click.Choice(["recall", "f1"]),
    default="recall",
    show_default=True,
    help="What is maximised.",
)
jobs_options = common.options(
    click.option(
        "--jobs",
        type=click.IntRange(1),
        default=lambda: len(os.sched_getaffinity(0)),
        help="Threads [all cores].",
    ),
    click.option("--scheduler", help="A Dask cluster: its address, or its scheduler file."),
)
limit_options = common.options(
    click.option("--time-limit", type=click.FloatRange(0, min_open=True), help="Seconds for one problem."),
    jobs_options,
)


def limits_of(seconds: float | None) -> Limits:
    """The limits that the shared options describe."""
    return Limits(seconds=seconds)


@dataclass(slots=True)
class Pass:
    """One pass over a corpus; bad topics end it, or are said and counted."""

    jobs: int
    scheduler: str | None
    skip_bad: bool
    skipped: int = 0

    def over(
        self, work: Callable[[Topic], list[Result]], topics: Iterable[Topic]
    ) -> Iterator[tuple[Topic, list[Result]]]:
        """The results of every topic, in the corpus's order."""
        with_threads = engine(self.jobs, self.scheduler)
        try:
            for done in with_threads.run(work, tracked(topics, "topics")):
                if done.error is None:
                    yield done.unit, done.result or []
                elif self.skip_bad and isinstance(done.error, ToplineError):
                    self.skipped += 1
                    click.echo(f"topline: skipped {done.error}", err=True)
                else:
                    raise done.error
        finally:
            with_threads.close()


def signed(rows: Iterable[dict[str, Any]], *, as_json: bool) -> Iterator[dict[str, Any]]:
    """Rows for `emit`: in JSON each carries the signature; a table has it once, on stderr."""
    said = False
    for row in rows:
        if not as_json:
            signature = row.pop("signature", "")
            if signature and not said:
                click.echo(f"topline: signature {signature}", err=True)
                said = True
        yield row
