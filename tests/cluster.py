"""A Dask cluster of processes on loopback, for tests: a scheduler and workers that can be killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

TOPLINE = (sys.executable, "-c", "from topline.cli.main import main; main()")
HOST = "127.0.0.1"


def free_port() -> int:
    with socket.socket() as one:
        one.bind((HOST, 0))
        return int(one.getsockname()[1])


class Local:
    """A scheduler and its workers."""

    def __init__(self, folder: Path, workers: int = 2, *more: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.address = f"tcp://{HOST}:{self.port}"
        self.file = folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "--host", HOST, "--port", str(self.port), "--scheduler-file", str(self.file)
        )
        self.workers = [self.worker(*more) for _ in range(workers)]

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{kind}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", kind, *options, "--no-dashboard"],
                stdout=log, stderr=log, start_new_session=True,
                env=os.environ | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"},
            )  # fmt: skip

    def worker(self, *more: str) -> subprocess.Popen[bytes]:
        folder = str(self.folder)
        options = ("--host", HOST, "--nthreads", "1", "--local-directory", folder)
        return self._start("worker", self.address, *options, *more)

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
            process.wait(30)


@contextmanager
def local(folder: Path, workers: int = 2, *more: str) -> Iterator[Local]:
    cluster = Local(folder, workers, *more)
    try:
        until = time.monotonic() + 60
        while not cluster.file.exists():
            assert time.monotonic() < until, "the scheduler did not start"
            time.sleep(0.05)
        yield cluster
    finally:
        cluster.close()


def topline(*arguments: object, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TOPLINE, *map(str, arguments)], capture_output=True, text=True, timeout=240, check=False, **more
    )  # type: ignore[call-overload,no-any-return]


def begin(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*TOPLINE, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def listed(folder: Path) -> Sequence[str]:
    return sorted(path.name for path in folder.iterdir())
