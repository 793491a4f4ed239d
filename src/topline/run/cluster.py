"""The same on a Dask cluster: Dask schedules, moves and restarts, this file asks it to."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from topline import __version__
from topline.errors import MissingExtra, OptionError, ToplineError
from topline.run.engine import TRIES, WINDOW, Done, attempt

Unit = TypeVar("Unit")
Result = TypeVar("Result")
PATIENCE = 10.0
"""Seconds that a scheduler has to answer."""
_PACKAGES = {
    "slurm": ("dask_jobqueue", "SLURMCluster", "dask-jobqueue"),
    "ssh": ("distributed", "SSHCluster", "distributed"),
    "kubernetes": ("dask_kubernetes.operator", "KubeCluster", "dask-kubernetes"),
}


class SchedulerLost(ToplineError):
    """The cluster cannot be reached, or does not fit this client."""


class Cluster:
    """A Dask cluster by address, scheduler file, or the name of a package that starts one."""

    def __init__(self, scheduler: str, workers: int = 1) -> None:
        self._dask = _dask()
        self._owned: Any = None
        self._client = self._connect(scheduler, workers)
        self._check_versions()

    def _connect(self, scheduler: str, workers: int) -> Any:
        settings: dict[str, Any] = {"timeout": PATIENCE, "set_as_default": False}
        if scheduler in _PACKAGES:
            self._owned = _started(scheduler, workers)
            return self._dask.Client(self._owned, **settings)
        address = scheduler
        if "://" not in scheduler:
            address = _address_in(Path(scheduler))
        try:
            return self._dask.Client(address, **settings)
        except (OSError, TimeoutError, ValueError) as error:
            raise SchedulerLost(
                f"no scheduler answers at {address} ({PATIENCE:g} s): {error}",
                hint="start one with `dask scheduler`, or leave --scheduler out to work on this machine",
            ) from error

    def _check_versions(self) -> None:
        """Another version of Topline would answer otherwise: refuse before any work is sent."""
        versions: dict[str, str] = self._client.run(_version)
        if not versions:
            try:
                self._client.wait_for_workers(1, timeout=PATIENCE)
            except TimeoutError as error:
                raise SchedulerLost(
                    "the scheduler has no workers", hint="start some with `dask worker`"
                ) from error
            versions = self._client.run(_version)
        strange = sorted({version for version in versions.values() if version != __version__})
        if strange:
            self.close()
            raise SchedulerLost(
                f"workers run topline {', '.join(strange)}, this client runs {__version__}",
                hint="install the same version everywhere",
            )

    def run(self, work: Callable[[Unit], Result], units: Iterable[Unit]) -> Iterator[Done[Unit, Result]]:
        """Do the work on every unit; Dask moves units of lost workers to others."""
        window = WINDOW * max(1, sum(self._client.nthreads().values()))
        waiting: deque[tuple[Unit, Any]] = deque()
        try:
            for unit in units:
                waiting.append((unit, self._submit(work, unit)))
                if len(waiting) >= window:
                    yield self._result(*waiting.popleft())
            while waiting:
                yield self._result(*waiting.popleft())
        finally:
            if waiting:
                self._client.cancel([future for _, future in waiting], force=True)

    def _submit(self, work: Callable[[Unit], Result], unit: Unit) -> Any:
        # pure=False: two equal units are two units, and a key derived from their bytes would cost more
        return self._client.submit(attempt, work, unit, pure=False, retries=0)

    def _result(self, unit: Unit, future: Any) -> Done[Unit, Result]:
        try:
            done: Done[Unit, Result] = future.result()
        except self._dask.KilledWorker as error:
            return Done(unit, None, error, TRIES)
        except (self._dask.client.FutureCancelledError, self._dask.comm.CommClosedError, OSError) as error:
            raise SchedulerLost(
                f"the scheduler was lost: {error}",
                hint="finished units are in the store; run the same command again to go on",
            ) from error
        return Done(unit, done.result, done.error, done.tries)

    def close(self) -> None:
        """Leave the cluster; end it if it was started from here."""
        self._client.close()
        if self._owned is not None:
            self._owned.close()


def _dask() -> Any:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise MissingExtra("Dask's distributed", "cluster") from error


def _version() -> str:
    return __version__


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
    except ImportError as error:
        raise OptionError(f"{package} is not installed", hint=f"pip install {package}") from error
    cluster = start()
    cluster.scale(workers)
    return cluster
