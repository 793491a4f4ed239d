"""What a run shows on stderr where a person is watching, and nothing elsewhere."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import Any, TypeVar

from topline.errors import ToplineError
from topline.run.engine import Done

Item = TypeVar("Item")
_PAUSE = 0.1
"""Seconds between two updates of a bar: drawing must not cost more than the work."""


def tracked(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """The same items; on a terminal a bar counts them."""
    if not sys.stderr.isatty():
        yield from items
        return
    with _bar(what) as bar:
        task = bar.add_task(what, total=total, note="")
        done, drawn = 0, monotonic()
        for done, item in enumerate(items, 1):
            yield item
            if monotonic() - drawn > _PAUSE:
                drawn = monotonic()
                bar.update(task, completed=done)
        bar.update(task, completed=done, total=done)


def _bar(what: str) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        Remaining(),
        TextColumn("{task.fields[note]}"),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)


class Progress:
    """A run's counts: done, from the store, running, failed, and how far the hard ones are from proof.

    `total` says how many there will be; it may take its time, and may not know. `size` is what a unit counts.
    """

    def __init__(
        self,
        what: str,
        total: Callable[[], int | None] | None = None,
        size: Callable[[Any], int] = lambda _: 1,
    ) -> None:
        self.done = self.kept = self.failed = self.under_way = 0
        self.hard = ""
        """The last unit that was not proved, with the gap that is left."""
        self.cut = ""
        """The last unit that was cut up, with the parts that are left of it."""
        self._size = size
        self._drawn = 0.0
        self._bar: Any = None
        if sys.stderr.isatty():
            self._bar = _bar(what)
            self._bar.start()
            self._task = self._bar.add_task(what, total=None, note="")
            if total is not None:
                threading.Thread(target=self._learn, args=(total,), daemon=True).start()

    def _learn(self, total: Callable[[], int | None]) -> None:
        with suppress(Exception):  # whoever reads the corpus says what is wrong with it
            self._bar.update(self._task, total=total())

    def running(self, count: int) -> None:
        """So many pieces of work are under way."""
        self.under_way = count
        self._draw()

    def parts(self, unit: Any, left: int) -> None:
        """So many parts are left of a unit that was cut up."""
        self.cut = f"{name_of(unit)}: {left} parts left" if left else ""
        self._draw()

    def finished(self, done: Done[Any, Any]) -> None:
        """A unit is done, kept, or failed."""
        size = self._size(done.unit)
        self.done += size
        self.kept += size * done.kept
        self.failed += size * (done.error is not None)
        for one in done.result if isinstance(done.result, list) else ():
            if not getattr(one, "proved", True):
                self.hard = f"{getattr(one, 'id', '?')}: {gap(one)}"
        self._draw()

    @property
    def note(self) -> str:
        """What stands behind the bar."""
        parts = [f"{self.under_way} running"]
        if self.kept:
            parts.append(f"{self.kept} from the store")
        if self.failed:
            parts.append(f"{self.failed} failed")
        return ", ".join([*parts, *filter(None, (self.cut, self.hard))])

    def _draw(self) -> None:
        if self._bar is not None and monotonic() - self._drawn > _PAUSE:
            self._drawn = monotonic()
            self._bar.update(self._task, completed=self.done, note=self.note)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


def name_of(unit: Any) -> str:
    """The id of a topic, or of the topic in a unit."""
    return str(getattr(getattr(unit, "topic", unit), "id", "?"))


def gap(one: Any) -> str:
    """How much better than the best found the best can still be."""
    bound, found = getattr(one, "bound", None), getattr(one, "hits", None)
    if bound is None or found is None:
        return "not proved"
    if isinstance(bound, float):
        found = getattr(one, "score", found)
    return f"found {found:.5g}, at most {bound:.5g}"


def failure(error: Exception) -> str:
    """An error in a line; one that is not ours with its kind."""
    text = str(error) if isinstance(error, ToplineError) else f"{type(error).__name__}: {error}"
    return text.split("\n", 1)[0]
