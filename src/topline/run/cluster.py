"""The same on a Dask cluster: Dask schedules, moves and restarts, this file asks it to."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from platform import python_version
from queue import Empty, SimpleQueue
from time import monotonic, perf_counter
from typing import Any

from topline import __version__
from topline.errors import ClusterError, MissingExtra
from topline.run.engine import TRIES, WINDOW, Done, _Base, attempt
from topline.run.schedulers import PACKAGES, address_of, started

PATIENCE = 10.0
"""Seconds that a scheduler has to answer."""
DESERTED = 300.0
"""Seconds without any worker after which a run ends."""
_LOOK = 2.0
"""Seconds between two looks at the cluster while nothing comes in."""
_TASK, _MOST = 0.2, WINDOW // 2
"""Seconds that a task should take, for a scheduler spends a millisecond or more on each: pieces of work that
are done sooner are sent together, up to so many."""
_Piece = tuple[int, Callable[[Any], Any], Any]
"""A ticket, the work and the unit."""
_Answer = tuple[float, list[Done[Any, Any]]]
"""The seconds that a task took, and what came out of its pieces."""
_GO_ON = "finished units are in the store if there is one; run the same command again to go on"


class Cluster(_Base):
    """A Dask cluster by address, scheduler file, or the name of a package that starts one."""

    def __init__(self, scheduler: str, workers: int = 1) -> None:
        self._dask = _dask()
        self._owned: Any = None
        self._ready: SimpleQueue[Any] = SimpleQueue()
        self._waiting: list[_Piece] = []
        self._under_way: dict[Any, list[_Piece]] = {}
        """The pieces of each task that was sent."""
        self._seconds = _TASK
        """What a piece has been taking of late."""
        self._room = (0, -1e9)
        self._deserted: float | None = None
        self._client = self._connect(scheduler, workers)
        try:
            self._check_workers()
        except BaseException:
            self.close(wait=False)
            raise

    def _connect(self, scheduler: str, workers: int) -> Any:
        import dask

        # what goes wrong is said once, by us, and not in the log as well
        for name in ("asyncio", *logging.root.manager.loggerDict):
            if name.split(".")[0] in ("distributed", "tornado", "asyncio"):
                logger = logging.getLogger(name)
                logger.handlers, logger.propagate = [logging.NullHandler()], False
        dask.config.set({"distributed.comm.timeouts.connect": PATIENCE})
        settings: dict[str, Any] = {"timeout": PATIENCE, "set_as_default": False}
        if scheduler in PACKAGES:
            self._owned = started(scheduler, workers)
            return self._dask.Client(self._owned, **settings)
        address = address_of(scheduler)
        try:
            return _in_time(lambda: self._dask.Client(address, **settings))
        except (OSError, TimeoutError, ValueError, RuntimeError) as error:
            raise ClusterError(
                f"no scheduler answers at {address} within {PATIENCE:g} s",
                hint="start one with `dask scheduler`, or leave --scheduler out to work on this machine",
            ) from error
        except Exception as error:  # whatever Dask may raise where its own configuration is at fault
            raise ClusterError(f"Dask cannot connect to {address}: {error}") from error

    def _check_workers(self) -> None:
        """Another version of Topline would answer otherwise: refuse before any work is sent."""
        patience = None if self._owned is not None else PATIENCE
        if patience is None:
            print("topline: waiting for the first worker", file=sys.stderr)
        try:
            self._client.wait_for_workers(1, timeout=patience)
            versions = self._client.run(_versions, on_error="return")
        except TimeoutError as error:
            raise ClusterError(
                "the scheduler has no workers", hint="start some with `dask worker`"
            ) from error
        except (OSError, RuntimeError) as error:
            raise ClusterError(f"the cluster does not answer: {error}") from error
        for address, found in sorted(versions.items()):
            _check_versions(address, found)

    def window(self) -> int:
        """Enough that no worker waits for the way to and fro; workers may come and go."""
        room, looked = self._room
        if monotonic() - looked > _LOOK:
            workers = self._client.scheduler_info(n_workers=-1).get("workers", {})
            room = WINDOW * sum(worker["nthreads"] for worker in workers.values())
            self._room = room, monotonic()
            self._watch_desertion(bool(workers))
        return max(WINDOW, room)

    def _watch_desertion(self, workers: bool) -> None:
        if workers:
            self._deserted = None
            return
        if self._deserted is None:
            self._deserted = monotonic()
            print("topline: no worker is left; waiting for new ones", file=sys.stderr)
        if monotonic() - self._deserted > DESERTED:
            raise ClusterError(f"no worker for {DESERTED:g} s", hint=_GO_ON)

    def start(self, ticket: int, work: Callable[[Any], Any], unit: Any) -> None:
        """Take a piece for the next task; a task that is large enough is sent."""
        self._waiting.append((ticket, work, unit))
        if len(self._waiting) >= min(_MOST, _TASK / max(self._seconds, 1e-6)):
            self._send()

    def _send(self) -> None:
        if not self._waiting:
            return
        pieces, self._waiting = self._waiting, []
        # pure=False: two equal units are two units, and a key derived from their bytes would cost more
        try:
            future = self._client.submit(
                _remote, __version__, [piece[1:] for piece in pieces], pure=False, retries=0
            )
        except (OSError, RuntimeError) as error:
            raise self._lost(error) from error
        self._under_way[future] = pieces
        future.add_done_callback(self._ready.put)

    def finished(self) -> list[tuple[int, Done[Any, Any]]]:
        """Wait for tasks; what has come in is fetched together."""
        self._send()
        try:
            batch = [self._ready.get(timeout=_LOOK)]
        except Empty:
            if self._client.status != "running":
                raise self._lost("the connection is gone") from None
            self.window()
            return []
        with suppress(Empty):
            while True:
                batch.append(self._ready.get_nowait())
        good = [future for future in batch if future.status == "finished"]
        fetched: dict[Any, Any] = {}
        with suppress(Exception):  # one of them was lost on the way: each is asked for itself below
            fetched = dict(zip(good, self._client.gather(good), strict=True))
        return [pair for future in batch for pair in self._outcome(future, fetched.get(future))]

    def _outcome(self, future: Any, answer: _Answer | None) -> list[tuple[int, Done[Any, Any]]]:
        """What became of a task's pieces; if it failed as a whole, which of them is to blame is not known."""
        pieces = self._under_way.pop(future)
        if answer is None:
            try:
                answer = future.result(timeout=DESERTED)
            except self._dask.scheduler.KilledWorker:
                killed = RuntimeError("the workers that took it were killed, each time")
                return [(ticket, Done(unit, None, killed, TRIES, alone=False)) for ticket, _, unit in pieces]
            except (self._dask.client.FutureCancelledError, OSError, TimeoutError) as error:
                raise self._lost(error) from error
            except Exception as error:
                alone = len(pieces) == 1
                return [(ticket, Done(unit, None, error, 1, alone=alone)) for ticket, _, unit in pieces]
        assert answer is not None
        seconds, done = answer
        self._seconds += (seconds / len(pieces) - self._seconds) / 4
        return [
            (ticket, Done(unit, one.result, one.error, one.tries))
            for (ticket, _, unit), one in zip(pieces, done, strict=True)
        ]

    def _lost(self, error: object) -> ClusterError:
        why = str(error).split("\n", 1)[0]
        return ClusterError(f"the scheduler was lost: {why}", hint=_GO_ON)

    def close(self, *, wait: bool = True) -> None:
        """Leave the cluster; end it if it was started from here."""
        futures = list(self._under_way)
        with suppress(Exception):
            if futures and self._client.status == "running":
                self._client.cancel(futures, force=True)
        self._under_way.clear()
        with suppress(Exception):
            self._client.close(timeout=PATIENCE if wait else 2)
        if self._owned is not None:
            self._owned.close()


def _in_time(connect: Callable[[], Any]) -> Any:
    """A connection, or `TimeoutError`: whoever accepts and then says nothing keeps Dask waiting for ever."""
    came: SimpleQueue[tuple[Any, Exception | None]] = SimpleQueue()

    def wait() -> None:
        try:
            came.put((connect(), None))
        except Exception as error:  # it is raised again below
            came.put((None, error))

    threading.Thread(target=wait, name="topline-connect", daemon=True).start()
    try:
        client, error = came.get(timeout=PATIENCE)
    except Empty:
        raise TimeoutError("no answer") from None
    if error is not None:
        raise error
    return client


def _remote(version: str, pieces: list[tuple[Callable[[Any], Any], Any]]) -> _Answer:
    """Pieces of work, on a worker; one that joined later may be of another version.

    The units do not travel back.
    """
    begin = perf_counter()
    if version != __version__:
        return 0.0, [Done(None, None, _strange("a worker", __version__)) for _ in pieces]
    done = [attempt(work, unit) for work, unit in pieces]
    return perf_counter() - begin, [Done(None, one.result, one.error, one.tries) for one in done]


def _versions() -> tuple[str, str]:
    return __version__, python_version()


def _check_versions(address: str, found: Any) -> None:
    if isinstance(found, BaseException):
        raise ClusterError(
            f"the worker {address} cannot load topline: {found!r}",
            hint=f"install topline {__version__} with the extra 'cluster' there",
        )
    version, python = found
    if version != __version__:
        raise _strange(f"the worker {address}", version)
    if python.split(".")[:2] != python_version().split(".")[:2]:
        raise ClusterError(
            f"the worker {address} runs Python {python}, this client Python {python_version()}",
            hint="use the same Python everywhere",
        )


def _strange(who: str, version: str) -> ClusterError:
    return ClusterError(
        f"{who} runs topline {version}, this client runs another version",
        hint="install the same version everywhere",
    )


def _dask() -> Any:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise MissingExtra("Dask's distributed", "cluster") from error
