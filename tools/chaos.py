"""Break runs on purpose and look whether anything is lost; the table goes into docs/reliability.md.

.venv/bin/python -m tools.chaos [TIMES]

Each fault is tried so many times (3), at other moments. A run counts as good if in the end its records are
those of an undisturbed run in one thread, timings aside. Hosts are network namespaces; they need root and
iproute2.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.cluster import TOPLINE, begin, local, topline

from topline import read_corpus
from topline.corpus.jsonl import topic_json
from topline.run.cluster import Cluster
from topline.run.store import Store

TOPICS = 400
HARD = "95w"
"""A budget under which one topic has some 1e10 extracts."""
PAGE = Path(__file__).resolve().parents[1] / "docs" / "reliability.md"
BEGIN, END = "<!-- begin: make chaos -->", "<!-- end: make chaos -->"
QUICK = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "12s", "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "10s"}
"""A host that is cut off is given up after seconds, not minutes, so that trying it does not take long."""


class Chaos:
    """A corpus, what an undisturbed run makes of it, and a folder to break things in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.corpus = folder / "corpus.jsonl"
        topics = [json.loads(topic_json(topic)) for topic in read_corpus("sample:news")]
        with self.corpus.open("w") as stream:
            for number in range(TOPICS):
                stream.write(json.dumps(topics[number % len(topics)] | {"id": f"t{number}"}) + "\n")
        self.calm = self.rows(self.run(folder, "calm", "--jobs", "1"))
        self.labels = self.label(folder, "calm-labels")

    def arguments(self, folder: Path, name: str, *more: object) -> tuple[object, ...]:
        return (
            "optima",
            self.corpus,
            "--metric",
            "rouge-2",
            "--json",
            "--out",
            folder / f"{name}.jsonl",
            *more,
        )

    def hard(self, out: Path) -> tuple[object, ...]:
        """One topic whose extracts have to be enumerated."""
        path = self.folder / "hard.jsonl"
        if not path.exists():
            path.write_text(topic_json(next(iter(read_corpus("sample:news")))) + "\n", "utf-8")
        given = ("--metric", "rouge-2", "--budget", HARD, "--method", "enumerate", "--time-limit", 3600)
        return ("spread", path, *given, "--json", "--out", out)

    def run(self, folder: Path, name: str, *more: object) -> Path:
        done = topline(*self.arguments(folder, name, *more))
        if done.returncode:
            raise RuntimeError(done.stderr)
        return folder / f"{name}.jsonl"

    def label(self, folder: Path, name: str) -> bytes:
        out = folder / f"{name}.jsonl"
        done = topline("label", self.corpus, "--out", out)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return out.read_bytes()

    @staticmethod
    def rows(path: Path) -> list[dict[str, Any]]:
        found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        return [{name: value for name, value in row.items() if name != "seconds"} for row in found]

    def same(self, path: Path) -> bool:
        return self.rows(path) == self.calm


def stored(path: Path) -> int:
    if not path.exists():
        return 0
    with Store(path) as store:
        return len(store)


def wait_for(what: Callable[[], bool], run: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 180
    while not what() and run.poll() is None and time.monotonic() < until:
        time.sleep(0.02)


def interrupted(how: signal.Signals) -> Callable[[Chaos, Path, int], bool]:
    """The run itself is stopped twice; then it is started again."""

    def fault(chaos: Chaos, folder: Path, number: int) -> bool:
        store = folder / "store"
        for share in (3, 7):
            run = begin(*chaos.arguments(folder, "out", "--store", store))
            enough = TOPICS * share // 10 + 7 * number
            wait_for(lambda enough=enough: stored(store) > enough, run)  # type: ignore[misc]
            run.send_signal(how)
            run.communicate()
        left = [path.name for path in folder.iterdir() if not path.name.startswith("store")]
        clean = how == signal.SIGKILL or not left
        return clean and chaos.same(chaos.run(folder, "out", "--store", store))

    return fault


def worker_killed(chaos: Chaos, folder: Path, number: int) -> bool:
    with local(folder) as cluster:
        store = folder / "store"
        run = begin(*chaos.arguments(folder, "out", "--store", store, "--scheduler", cluster.address))
        wait_for(lambda: stored(store) > 40 * (number + 1), run)
        os.killpg(cluster.workers[number % 2].pid, signal.SIGKILL)
        _, said = run.communicate()
        return run.returncode == 0 and not said and chaos.same(folder / "out.jsonl")


def scheduler_killed(chaos: Chaos, folder: Path, number: int) -> bool:
    store = folder / "store"
    with local(folder) as cluster:
        run = begin(*chaos.arguments(folder, "out", "--store", store, "--scheduler", cluster.address))
        wait_for(lambda: stored(store) > 40 * (number + 1), run)
        os.killpg(cluster.scheduler.pid, signal.SIGKILL)
        _, said = run.communicate()
        told = run.returncode == 2 and "run the same command again" in said
    (folder / "scheduler.json").unlink(missing_ok=True)
    with local(folder) as cluster:
        return told and chaos.same(chaos.run(folder, "out", "--store", store, "--scheduler", cluster.address))


def greedy(number: int) -> int:
    """A unit of work; one of them takes more memory than its worker may have."""
    if number == 5:
        return len(bytearray(os.urandom(1 << 20)) * 1500)
    return number * number


def memory(_: Chaos, folder: Path, __: int) -> bool:
    with local(folder, 2, "--memory-limit", "700MB") as cluster, Cluster(cluster.address) as hands:
        done = list(hands.run(greedy, range(12)))
    return [one.unit for one in done if one.quarantined] == [5] and all(
        one.result == one.unit**2 for one in done if one.unit != 5
    )


def disk_full(chaos: Chaos, folder: Path, number: int) -> bool:
    """Files may not grow beyond a size; then they may."""
    size = 30_000 + 20_000 * number
    full = topline(
        *chaos.arguments(folder, "out", "--store", folder / "store"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )
    told = full.returncode == 2 and not (folder / "out.jsonl").exists()
    return told and chaos.same(chaos.run(folder, "out", "--store", folder / "store"))


def labels_killed(chaos: Chaos, folder: Path, number: int) -> bool:
    for _ in range(2):
        run = begin("label", chaos.corpus, "--out", folder / "out.jsonl")
        time.sleep(1.0 + 0.3 * number)
        run.kill()
        run.communicate()
    return chaos.label(folder, "out") == chaos.labels


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
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)
        subprocess.run(["ip", "link", "delete", bridge], check=False, capture_output=True)


def cut_off(folder: Path, number: int, arguments: tuple[object, ...], after: int) -> bool:
    """Scheduler and client on one host, a worker on each of three others; one of these loses its cable."""
    store = folder / "store"
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
            run = on(0, *TOPLINE, *arguments, "--store", store, "--scheduler", address)
            wait_for(lambda: stored(store) > after, run)
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


def host_cut_off(chaos: Chaos, folder: Path, number: int) -> bool:
    """While many topics are under way."""
    arguments = chaos.arguments(folder, "out")
    return cut_off(folder, number, arguments, 60 * (number + 1)) and chaos.same(folder / "out.jsonl")


def host_cut_off_hard(chaos: Chaos, folder: Path, number: int) -> bool:
    """While all of them count the extracts of one topic."""
    arguments = chaos.hard(folder / "out.jsonl")
    done = cut_off(folder, number, arguments, 4 + 8 * number)
    calm = chaos.folder / "calm-hard.jsonl"
    if not calm.exists() and topline(*chaos.hard(calm), "--jobs", 1).returncode:
        return False
    return done and chaos.rows(folder / "out.jsonl") == chaos.rows(calm)


FAULTS: list[tuple[str, str, Callable[[Chaos, Path, int], bool]]] = [
    ("`kill -9` of a run, twice", "started again, it goes on", interrupted(signal.SIGKILL)),
    (
        "Ctrl-C in a run, twice",
        "exit 130, no file left; started again, it goes on",
        interrupted(signal.SIGINT),
    ),
    ("`kill -9` of `label`, twice", "started again, it goes on", labels_killed),
    ("disk full for output and store", "said, exit 2; with room again, it goes on", disk_full),
    ("`kill -9` of one of two workers", "not noticed", worker_killed),
    ("`kill -9` of the scheduler", "said, exit 2; on a new scheduler it goes on", scheduler_killed),
    ("a unit too large for any worker's memory", "named; the other units are done", memory),
    ("one of three worker hosts cut off from the network", "not noticed", host_cut_off),
    ("the same while they share one hard topic", "not noticed", host_cut_off_hard),
]


def main(times: int) -> int:
    lost, lines = (
        0,
        ["| Fault | Tried | What happens | Runs that lost something |", "| --- | ---: | --- | ---: |"],
    )
    with tempfile.TemporaryDirectory(prefix="chaos-") as place:
        chaos = Chaos(Path(place))
        for number, (what, then, fault) in enumerate(FAULTS):
            if fault in (host_cut_off, host_cut_off_hard) and (os.geteuid() or shutil.which("ip") is None):
                print(f"{what}: not tried: needs root and the command ip")
                lines.append(f"| {what} | 0 | needs root and `ip` | – |")
                continue
            bad = 0
            for attempt in range(times):
                folder = Path(place) / f"{number}-{attempt}"
                folder.mkdir()
                start = time.monotonic()
                good = fault(chaos, folder, attempt)
                bad += not good
                print(f"{what}: {'good' if good else 'BAD'} ({time.monotonic() - start:.0f} s)", flush=True)
            lost += bad
            lines.append(f"| {what} | {times} | {then} | {bad} |")
    text = PAGE.read_text("utf-8")
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    PAGE.write_text(head + "\n".join([BEGIN, *lines, END]) + tail, "utf-8")
    return lost


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)))
