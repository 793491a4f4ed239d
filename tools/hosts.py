"""Network namespaces as hosts, with a cluster on them of which one is cut off: needs root and `ip`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cluster import TOPLINE

QUICK = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "12s", "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "10s"}
"""A host that is cut off is given up after seconds, not minutes, so that trying it does not take long."""


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@contextmanager
def hosts(count: int) -> Iterator[list[str]]:
    """Network namespaces on one bridge; each is a host with an address of its own."""
    names = [f"topline{os.getpid()}h{number}" for number in range(count)]
    bridge = f"tl{os.getpid() % 100000}"
    try:
        ip("link", "add", bridge, "type", "bridge")
        ip("addr", "add", "10.213.77.254/24", "dev", bridge)
        ip("link", "set", bridge, "up")
        for number, name in enumerate(names):
            ip("netns", "add", name)
            ip("link", "add", f"{bridge}v{number}", "type", "veth", "peer", "name", "eth0", "netns", name)
            ip("link", "set", f"{bridge}v{number}", "master", bridge, "up")
            ip("-n", name, "addr", "add", f"10.213.77.{number + 1}/24", "dev", "eth0")
            ip("-n", name, "link", "set", "eth0", "up")
            ip("-n", name, "link", "set", "lo", "up")
        yield names
    finally:
        # cables first: a namespace's own end goes some time after the namespace, and its name with it
        cables = [("link", "delete", f"{bridge}v{number}") for number in range(count)]
        for words in (*cables, *(("netns", "delete", name) for name in names), ("link", "delete", bridge)):
            subprocess.run(["ip", *words], check=False, capture_output=True)


def cut_off(
    folder: Path,
    number: int,
    arguments: tuple[object, ...],
    ready: Callable[[subprocess.Popen[str]], None],
) -> bool:
    """Scheduler and client on one host, a worker on each of three others; one of these loses its cable.

    `ready` waits until the run is well under way. Whether the run was then cut off, and ended well.
    """
    with hosts(4) as names:
        started = []

        def on(place: int, *command: object) -> subprocess.Popen[str]:
            words = ["ip", "netns", "exec", names[place], *map(str, command)]
            with (folder / "hosts.log").open("ab") as log:
                process = subprocess.Popen(
                    words, stdout=subprocess.DEVNULL, stderr=log, text=True, env=os.environ | QUICK,
                    start_new_session=True,
                )  # fmt: skip
            started.append(process)
            return process

        dask, address = (sys.executable, "-m", "dask"), "tcp://10.213.77.1:8786"
        try:
            on(0, *dask, "scheduler", "--host", "10.213.77.1", "--port", 8786, "--no-dashboard")
            for place in (1, 2, 3):
                own = folder / f"host{place}"
                own.mkdir()
                on(place, *dask, "worker", address, "--host", f"10.213.77.{place + 1}", "--nthreads", 1,
                   "--no-dashboard", "--local-directory", own)  # fmt: skip
            time.sleep(8)
            run = on(0, *TOPLINE, *arguments, "--scheduler", address)
            ready(run)
            ip("-n", names[1 + number % 3], "link", "set", "eth0", "down")
            cut = run.poll() is None
            run.wait(240)
            return cut and run.returncode == 0
        finally:
            for process in started:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
                process.wait(30)
