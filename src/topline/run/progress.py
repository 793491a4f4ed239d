"""A progress bar on stderr where a person is watching, nothing elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
_STEP = 64
"""Items between two updates of the bar: drawing must not cost more than the work."""


def tracked(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """The same items; on a terminal a bar counts them."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), Remaining())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        done = 0
        for done, item in enumerate(items, 1):
            yield item
            if done % _STEP == 0:
                bar.update(task, completed=done)
        bar.update(task, completed=done, total=done)
