"""The same on a Dask cluster: Dask schedules, moves and restarts, this file asks it to."""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from platform import python_version
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from topline import __version__
from topline.errors import ClusterError, MissingExtra, OptionError
from topline.run.engine import TRIES, WINDOW, Done, _Base, attempt

PATIENCE = 10.0
"""Seconds that a scheduler has to answer."""
DESERTED = 300.0
"""Seconds without any worker after which a run ends."""
_LOOK = 2.0
"""Seconds between two looks at the cluster while nothing comes in."""
_PACKAGES = {
    "slurm": ("dask_jobqueue", "SLURMCluster", "dask-jobqueue"),
    "ssh": ("distributed", "SSHCluster", "asyncssh"),
    "kubernetes": ("dask_kubernetes.operator", "KubeCluster", "dask-kubernetes"),
}
_GO_ON = "finished units are in the store if there is one; run the same command again to go on"


class Cluster(_Base):
    """A Dask cluster by address, scheduler file, or the name of a package that starts one."""

    def __init__(self, scheduler: str, workers: int = 1) -> None:
        self._dask = _dask()
        self._owned: Any = None
        self._ready: SimpleQueue[tuple[int, Any]] = SimpleQueue()
        self._under_way: dict[int, tuple[Any, Any]] = {}
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
        if scheduler in _PACKAGES:
            self._owned = _started(scheduler, workers)
            return self._dask.Client(self._owned, **settings)
        address = scheduler if "://" in scheduler else _address_in(Path(scheduler))
        try:
            return _in_time(lambda: self._dask.Client(address, **settings))
        except (OSError, TimeoutError, ValueError, RuntimeError) as error:
            raise ClusterError(
                f"no scheduler answers at {address} within {PATIENCE:g} s",
                hint="start one with `dask scheduler`, or leave --scheduler out to work on this machine",
            ) from error

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
        """Send a piece to the cluster."""
        # pure=False: two equal units are two units, and a key derived from their bytes would cost more
        try:
            future = self._client.submit(_remote, __version__, work, unit, pure=False, retries=0)
        except (OSError, RuntimeError) as error:
            raise self._lost(error) from error
        self._under_way[ticket] = unit, future
        future.add_done_callback(lambda done: self._ready.put((ticket, done)))

    def finished(self) -> list[tuple[int, Done[Any, Any]]]:
        """Wait for pieces; what has come in is fetched together."""
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
        good = [(ticket, future) for ticket, future in batch if future.status == "finished"]
        fetched: dict[int, Any] = {}
        with suppress(Exception):  # one of them was lost on the way: each is asked for itself below
            values = self._client.gather([future for _, future in good])
            fetched = dict(zip((ticket for ticket, _ in good), values, strict=True))
        return [(ticket, self._outcome(ticket, future, fetched.get(ticket))) for ticket, future in batch]

    def _outcome(self, ticket: int, future: Any, done: Done[Any, Any] | None) -> Done[Any, Any]:
        unit, _ = self._under_way.pop(ticket)
        if done is None:
            try:
                done = future.result(timeout=DESERTED)
            except self._dask.scheduler.KilledWorker:
                killed = RuntimeError("the workers that took it were killed, each time")
                return Done(unit, None, killed, TRIES, alone=False)
            except (self._dask.client.FutureCancelledError, OSError, TimeoutError) as error:
                raise self._lost(error) from error
            except Exception as error:
                return Done(unit, None, error, 1)
        return Done(unit, done.result, done.error, done.tries)

    def _lost(self, error: object) -> ClusterError:
        why = str(error).split("\n", 1)[0]
        return ClusterError(f"the scheduler was lost: {why}", hint=_GO_ON)

    def close(self, *, wait: bool = True) -> None:
        """Leave the cluster; end it if it was started from here."""
        futures = [future for _, future in self._under_way.values()]
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


def _remote(version: str, work: Callable[[Any], Any], unit: Any) -> Done[Any, Any]:
    """A piece of work, on a worker; one that joined later may be of another version.

    The unit does not travel back.
    """
    if version != __version__:
        return Done(None, None, _strange("a worker", __version__))
    done = attempt(work, unit)
    return Done(None, done.result, done.error, done.tries)


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


def _address_in(path: Path) -> str:
    """The address in a scheduler file, which is JSON: read here, so that a bad one is a plain error."""
    try:
        return str(json.loads(path.read_text("utf-8"))["address"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise OptionError(
            f"{path} is no scheduler file: {error}",
            hint="give tcp://host:8786, a scheduler file, slurm, ssh or kubernetes",
        ) from error


def _started(name: str, workers: int) -> Any:
    """A cluster started through Dask's own package, configured as Dask's files say."""
    module, kind, package = _PACKAGES[name]
    try:
        start = getattr(import_module(module), kind)
        if name == "ssh":
            import_module("asyncssh")
    except ImportError as error:
        raise OptionError(f"{package} is not installed", hint=f"pip install {package}") from error
    if name == "ssh":
        return start(_ssh_hosts())
    cluster = start()
    cluster.scale(workers)
    return cluster


def _ssh_hosts() -> list[str]:
    """The hosts for SSH: Dask's configuration has no place for them, so they are named in the environment."""
    import os

    hosts = os.environ.get("TOPLINE_SSH_HOSTS", "").replace(",", " ").split()
    if len(hosts) < 2:
        raise OptionError(
            "--scheduler ssh needs hosts: the scheduler's, then one or more workers'",
            hint="TOPLINE_SSH_HOSTS='head node1 node2', or start them with `dask ssh` and give the address",
        )
    return hosts
