"""One way to go over many units of work: in this thread, in several, or on a Dask cluster; same bytes.

Units are taken from a stream as there is room for them and their results come out in the units' order,
so memory is bounded by the window however long the stream is. A unit that fails for no fault of its input
is tried again; after three tries it is set aside, and the rest goes on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

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


class Engine(Protocol):
    """Anything that can go over units."""

    def run(self, work: Callable[[Unit], Result], units: Iterable[Unit]) -> Iterator[Done[Unit, Result]]:
        """Do the work on every unit; results in the units' order."""

    def close(self) -> None:
        """Let go of threads or connections."""


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


class Serial:
    """One unit after the other, in the caller's thread."""

    def run(self, work: Callable[[Unit], Result], units: Iterable[Unit]) -> Iterator[Done[Unit, Result]]:
        """Do the work on every unit."""
        return (attempt(work, unit) for unit in units)

    def close(self) -> None:
        """Nothing is held."""


class Threads:
    """Several threads of this process: the kernels let go of Python's lock."""

    def __init__(self, jobs: int) -> None:
        if jobs < 1:
            raise OptionError(f"{jobs} jobs cannot do anything", hint="--jobs 1 or more")
        self.jobs = jobs
        self._pool = ThreadPoolExecutor(jobs, thread_name_prefix="topline")

    def run(self, work: Callable[[Unit], Result], units: Iterable[Unit]) -> Iterator[Done[Unit, Result]]:
        """Do the work on every unit, a bounded window at a time."""
        waiting: deque[Future[Done[Unit, Result]]] = deque()
        try:
            for unit in units:
                waiting.append(self._pool.submit(attempt, work, unit))
                if len(waiting) >= WINDOW * self.jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()

    def close(self) -> None:
        """Wait for what has begun and end the threads."""
        self._pool.shutdown(cancel_futures=True)


def engine(jobs: int = 1, scheduler: str | None = None) -> Engine:
    """The engine that `--jobs` and `--scheduler` ask for."""
    if scheduler is not None:
        from topline.run.cluster import Cluster

        return Cluster(scheduler, jobs)
    return Serial() if jobs == 1 else Threads(jobs)
