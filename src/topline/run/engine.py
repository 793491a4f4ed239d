"""One way to go over many units of work: in this thread, in several, or on a Dask cluster; same bytes.

Units are taken from a stream as there is room for them and their results come out in the units' order,
so memory is bounded by the window however long the stream is. A unit that fails for no fault of its input
is tried again; after three tries it is set aside, and the rest goes on. A unit that is too hard for one piece
of work may answer with `Parts` instead of a result: the parts then go through the same engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Generic, Protocol, TypeVar

from topline.errors import OptionError, ToplineError

Unit = TypeVar("Unit")
Result = TypeVar("Result")
TRIES = 3
WINDOW = 16
"""Units under way (or finished and waiting for an earlier one) for each worker."""


@dataclass(frozen=True, slots=True)
class Done(Generic[Unit, Result]):
    """A unit's result, or why there is none."""

    unit: Unit
    result: Result | None = None
    error: Exception | None = None
    """The error of the last try. A `ToplineError` speaks of the input and is not tried again."""
    tries: int = 1
    alone: bool = True
    """If it failed, it did so by itself; if not, it was perhaps brought down by another unit."""
    kept: bool = False
    """The result was there from an earlier run."""

    @property
    def quarantined(self) -> bool:
        """It failed again and again for no fault of its input."""
        return self.error is not None and not isinstance(self.error, ToplineError)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a unit answers that is too hard for one piece of work.

    How a unit is cut must depend on the unit alone, so that every engine comes to the same bytes.
    """

    work: Callable[[Any], Any]
    units: Sequence[Any]
    join: Callable[[list[Any]], Any]
    """Turns the parts' results, in order, into the unit's result or into further parts."""
    forgiving: bool = False
    """Whether a part that fails leaves its `Done` among the results; if not, the unit fails with it."""


def only(results: list[Any]) -> Any:
    """The result of a single part, for `join`."""
    (result,) = results
    return result


Split = Callable[[Unit], Parts | None]


class Memory(Protocol):
    """What earlier runs have finished. `path` is empty for a unit, (round, number) for one of its parts."""

    def get(self, unit: Any, path: tuple[int, ...]) -> Any | None:
        """The result, or None if there is none."""

    def put(self, unit: Any, path: tuple[int, ...], result: Any) -> None:
        """Keep a result."""


class Watch(Protocol):
    """Somebody who looks on."""

    def running(self, count: int) -> None:
        """So many pieces of work are under way."""

    def parts(self, unit: Any, left: int) -> None:
        """So many parts are left of a unit that was cut up."""

    def finished(self, done: Done[Any, Any]) -> None:
        """A unit is done."""


class Hands(Protocol):
    """Whatever does single pieces of work; `in_order` makes an engine of it."""

    def window(self) -> int:
        """How many pieces may be under way."""

    def start(self, ticket: int, work: Callable[[Any], Any], unit: Any) -> None:
        """Begin a piece of work."""

    def finished(self) -> list[tuple[int, Done[Any, Any]]]:
        """Wait for at least one piece that was started; tickets with what came out."""


class Engine(Protocol):
    """Anything that can go over units; leaving its `with` block lets go of threads or connections."""

    def run(
        self,
        work: Callable[[Unit], Any],
        units: Iterable[Unit],
        memory: Memory | None = None,
        watch: Watch | None = None,
        split: Split[Unit] | None = None,
    ) -> Iterator[Done[Unit, Any]]:
        """Do the work on every unit; results in the units' order.

        `split` may cut up a unit that failed again and again, so that only what is to blame is set aside.
        """

    def close(self, *, wait: bool = True) -> None:
        """Let go of threads or connections."""

    def __enter__(self) -> Engine: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def attempt(work: Callable[[Unit], Result], unit: Unit) -> Done[Unit, Result]:
    """Up to three tries; what the user's input is to blame for is not tried twice."""
    error: Exception
    for tries in range(1, TRIES + 1):
        try:
            return Done(unit, work(unit), None, tries)
        except ToplineError as wrong:
            return Done(unit, None, wrong, tries)
        except Exception as failure:
            error = failure  # whatever it is, the other units go on
    return Done(unit, None, error, TRIES)


class _Base:
    """What engines share: they are hands, and `in_order` leads them."""

    def run(
        self: Any,
        work: Callable[[Unit], Any],
        units: Iterable[Unit],
        memory: Memory | None = None,
        watch: Watch | None = None,
        split: Split[Unit] | None = None,
    ) -> Iterator[Done[Unit, Any]]:
        """Do the work on every unit; results in the units' order.

        `split` may cut up a unit that failed again and again, so that only what is to blame is set aside.
        """
        from topline.run.order import in_order

        return in_order(self, work, units, memory, watch, split)

    def close(self, *, wait: bool = True) -> None:
        """Let go of threads or connections."""

    def __enter__(self: Any) -> Any:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(wait=kind is None)


class Serial(_Base):
    """One unit after the other, in the caller's thread."""

    def __init__(self) -> None:
        self._next: list[tuple[int, Callable[[], Done[Any, Any]]]] = []

    def window(self) -> int:
        """One at a time."""
        return 1

    def start(self, ticket: int, work: Callable[[Any], Any], unit: Any) -> None:
        """Remember the piece; it is done when it is asked for."""
        self._next.append((ticket, partial(attempt, work, unit)))

    def finished(self) -> list[tuple[int, Done[Any, Any]]]:
        """Do what was started."""
        ticket, piece = self._next.pop()
        return [(ticket, piece())]


class Threads(_Base):
    """Several threads of this process: the kernels let go of Python's lock."""

    def __init__(self, jobs: int) -> None:
        if jobs < 1:
            raise OptionError(f"{jobs} jobs cannot do anything", hint="--jobs 1 or more")
        self.jobs = jobs
        self._pool = ThreadPoolExecutor(jobs, thread_name_prefix="topline")
        self._ready: SimpleQueue[tuple[int, Future[Done[Any, Any]]]] = SimpleQueue()

    def window(self) -> int:
        """Enough that no thread waits for a slow neighbour."""
        return WINDOW * self.jobs

    def start(self, ticket: int, work: Callable[[Any], Any], unit: Any) -> None:
        """Hand a piece to the threads."""
        future = self._pool.submit(attempt, work, unit)
        future.add_done_callback(lambda done: self._ready.put((ticket, done)))

    def finished(self) -> list[tuple[int, Done[Any, Any]]]:
        """Wait for the next piece."""
        ticket, future = self._ready.get()
        return [] if future.cancelled() else [(ticket, future.result())]

    def close(self, *, wait: bool = True) -> None:
        """End the threads; wait for what has begun, unless there is no time for it."""
        self._pool.shutdown(wait=wait, cancel_futures=True)


def engine(jobs: int = 1, scheduler: str | None = None) -> Engine:
    """The engine that `--jobs` and `--scheduler` ask for."""
    if scheduler is not None:
        from topline.run.cluster import Cluster

        return Cluster(scheduler, jobs)
    return Serial() if jobs == 1 else Threads(jobs)
