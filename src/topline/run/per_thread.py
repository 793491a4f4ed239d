"""Work that keeps something from unit to unit, for engines of any kind."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar
from uuid import uuid4

Unit = TypeVar("Unit")
Result = TypeVar("Result")
_MOST = 8
"""Works that a worker process remembers: of this run, and of others that share the cluster."""
_arrived: OrderedDict[str, PerThread[Any, Any]] = OrderedDict()
_lock = threading.Lock()


class PerThread(Generic[Unit, Result]):
    """Calls a worker that is made once in each thread (or process): vocabularies are not shared."""

    def __init__(self, make: Callable[[], Callable[[Unit], Result]]) -> None:
        self._make = make
        self._name = uuid4().hex
        self._local = threading.local()

    def __call__(self, unit: Unit) -> Result:
        """Work on a unit with this thread's worker."""
        work: Callable[[Unit], Result] | None = getattr(self._local, "work", None)
        if work is None:
            work = self._local.work = self._make()
        return work(unit)

    def __reduce__(self) -> tuple[Any, ...]:
        """What is kept stays where it was made; in a process it is the same work for every unit."""
        return _arrive, (self._name, self._make)


def _arrive(name: str, make: Callable[[], Callable[[Any], Any]]) -> PerThread[Any, Any]:
    """The work of that name, as it came with an earlier unit or as it comes now."""
    with _lock:
        work = _arrived.get(name)
        if work is None:
            work = _arrived[name] = PerThread(make)
            work._name = name
            if len(_arrived) > _MOST:
                _arrived.popitem(last=False)
        _arrived.move_to_end(name)
        return work
