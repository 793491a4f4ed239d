"""What the verbs that search share: their options, and topics through an engine in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import click

from topline.cli import common
from topline.cores import cores
from topline.corpus.records import Topic
from topline.errors import ToplineError
from topline.rouge.metric import Metric
from topline.run.engine import Done, engine
from topline.run.progress import Progress, failure, name_of
from topline.search.exact import Limits
from topline.text.stopwords import load_stopwords

Unit = TypeVar("Unit")
Result = TypeVar("Result")

NAMED = 100
"""Failed topics that are named; of more, the number is said."""

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
        default=cores,
        help="Threads [all cores].",
    ),
    click.option(
        "--scheduler", help="A Dask cluster: tcp://host:8786, a scheduler file, slurm, ssh, kubernetes."
    ),
)
store_option = click.option(
    "--store",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep finished work there: a run that was stopped goes on.",
)
limit_options = common.options(
    click.option("--time-limit", type=click.FloatRange(0, min_open=True), help="Seconds for one problem."),
    jobs_options,
)

search_limit_options = common.options(
    click.option(
        "--node-limit", type=click.IntRange(1), help="Nodes of one problem's search (or extracts checked)."
    ),
    click.option("--memory-limit", type=click.IntRange(1), help="Megabytes for one problem's search."),
    limit_options,
)


def limits_of(seconds: float | None, nodes: int | None = None, megabytes: int | None = None) -> Limits:
    """The limits that the shared options describe."""
    return Limits(seconds, nodes, None if megabytes is None else megabytes << 20)


@dataclass(slots=True)
class Pass:
    """One pass over a corpus; bad topics end it, or are said and counted.

    A topic that fails three times for no fault of its own is set aside and named in the end.
    """

    jobs: int
    scheduler: str | None
    skip_bad: bool
    store: Path | None = None
    asked: tuple[object, ...] = ()
    """The verb and everything that its results depend on beside the unit; what is stored lies under it."""
    name: Callable[[Any], object] | None = None
    """What a unit that is not a topic is stored under."""
    provable: bool = True
    """Results that are not proved are not kept."""
    skipped: int = 0
    failed: list[Done[Any, Any]] = field(default_factory=list)

    def over(
        self,
        work: Callable[[Unit], list[Result]],
        units: Iterable[Unit],
        total: Callable[[], int | None] | None = None,
    ) -> Iterator[tuple[Unit, list[Result]]]:
        """The results of every unit (a topic, or something with one), in the corpus's order.

        `total` counts them, for the progress line; by default the corpus is asked.
        """
        with ExitStack() as held:
            hands = held.enter_context(engine(self.jobs, self.scheduler))
            memory = None
            if self.store is not None:
                from topline.run.keep import Kept, always, proved
                from topline.run.store import Store

                final = proved if self.provable else always
                memory = Kept(held.enter_context(Store(self.store)), *self.asked, name=self.name, final=final)
            watch = held.enter_context(Progress("topics", total or getattr(units, "expected", None)))
            for done in hands.run(work, units, memory, watch):
                if done.error is None:
                    yield done.unit, [_split_named(one, done.unit) for one in done.result or []]
                elif done.quarantined:
                    self.failed.append(done)
                elif self.skip_bad and isinstance(done.error, ToplineError):
                    self.skipped += 1
                    click.echo(f"topline: skipped {done.error}", err=True)
                else:
                    raise done.error

    def code(self, code: int) -> int:
        """Say which units were set aside; the exit code, which is 3 if there were any."""
        for done in self.failed[:NAMED]:
            assert done.error is not None
            what = f"failed {done.tries} times and was left out: {failure(done.error)}"
            click.echo(f"topline: {name_of(done.unit)} {what}", err=True)
        if len(self.failed) > NAMED:
            click.echo(f"topline: and {len(self.failed) - NAMED} more were left out", err=True)
        return common.LIMIT if self.failed else code


def _split_named(result: Result, unit: Any) -> Result:
    """The result with the splitter in its signature, where the topic's texts did not come split."""
    topic = getattr(unit, "topic", unit)
    signature = getattr(result, "signature", None)
    if not signature or not isinstance(topic, Topic) or topic.splitter is None:
        return result
    named: Result = replace(result, signature=signature + topic.split)  # type: ignore[type-var]
    return named


def texts_asked(metric: Metric) -> tuple[object, ...]:
    """The metric for a store: the words of a file of stop words, not its name."""
    words = metric.preprocessing.stopwords
    named = words in ("none", "smart")
    return metric.signature, None if named else sorted(load_stopwords(words))


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
