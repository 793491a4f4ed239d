"""Work that keeps something from unit to unit, for engines of any kind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Unit = TypeVar("Unit")
Result = TypeVar("Result")


class PerThread(Generic[Unit, Result]):
    """Calls a worker that is made once in each thread (or process): vocabularies are not shared."""

    def __init__(self, make: Callable[[], Callable[[Unit], Result]]) -> None:
        self._make = make
        self._local = threading.local()

    def __call__(self, unit: Unit) -> Result:
        """Work on a unit with this thread's worker."""
        work: Callable[[Unit], Result] | None = getattr(self._local, "work", None)
        if work is None:
            work = self._local.work = self._make()
        return work(unit)

    def __reduce__(
        self,
    ) -> tuple[type[PerThread[Unit, Result]], tuple[Callable[[], Callable[[Unit], Result]]]]:
        """What is kept stays where it was made."""
        return PerThread, (self._make,)
