"""Break runs on purpose and look whether anything is lost; the table goes into docs/reliability.md.

.venv/bin/python -m tools.chaos [TIMES [FAULT...]]

Each fault is tried so many times (3), at other moments; with names only those are, and the table is not
written. A run counts as good if in the end its records are those of an undisturbed run in one thread, timings
aside. Hosts are network namespaces; they need root and iproute2.
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
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.cluster import begin, local, topline
from tools.hosts import cut_off

from topline import read_corpus
from topline.corpus.jsonl import topic_json
from topline.run.cluster import Cluster
from topline.run.labels import PART
from topline.run.store import Store

TOPICS = 400
DOCUMENTS = 12 * PART
"""To be labelled: enough that a run can be stopped twice between its parts."""
HARD = "115w"
"""A budget under which one topic has some 6e10 extracts."""
PAGE = Path(__file__).resolve().parents[1] / "docs" / "reliability.md"
BEGIN, END = "<!-- begin: make chaos -->", "<!-- end: make chaos -->"


class Chaos:
    """A corpus, what an undisturbed run makes of it, and a folder to break things in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.corpus = folder / "corpus.jsonl"
        topics = [json.loads(topic_json(topic)) for topic in read_corpus("sample:news")]
        with self.corpus.open("w") as stream:
            for number in range(TOPICS):
                stream.write(json.dumps(topics[number % len(topics)] | {"id": f"t{number}"}) + "\n")
        self.documents = folder / "documents.jsonl"
        texts = [json.loads(topic_json(topic)) for topic in read_corpus("sample:newswire")]
        with self.documents.open("w") as stream:
            for number in range(DOCUMENTS):
                stream.write(json.dumps(texts[number % len(texts)] | {"id": f"d{number}"}) + "\n")

    @cached_property
    def calm(self) -> list[dict[str, Any]]:
        """The records of an undisturbed run in one thread."""
        return self.rows(self.run(self.folder, "calm", "--jobs", "1"))

    @cached_property
    def labels(self) -> bytes:
        """The labels of an undisturbed run in one thread."""
        return self.label(self.folder, "calm-labels", "--jobs", "1")

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

    def label(self, folder: Path, name: str, *more: object) -> bytes:
        out = folder / f"{name}.jsonl"
        done = topline("label", self.documents, "--out", out, *more)
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
            if run.returncode != (130 if how == signal.SIGINT else -how):
                return False
        left = [path.name for path in folder.iterdir() if not path.name.startswith("store")]
        clean = how == signal.SIGKILL or not left
        return clean and chaos.same(chaos.run(folder, "out", "--store", store))

    return fault


def two_at_once(chaos: Chaos, folder: Path, number: int) -> bool:
    """Two runs share a store; one is killed."""
    store = folder / "store"
    one, other = (begin(*chaos.arguments(folder, name, "--store", store)) for name in ("one", "other"))
    wait_for(lambda: stored(store) > TOPICS // 4 + 30 * number, one)
    one.kill()
    one.communicate()
    _, said = other.communicate()
    fine = one.returncode == -signal.SIGKILL and other.returncode == 0 and not said
    return (
        fine and chaos.same(folder / "other.jsonl") and chaos.same(chaos.run(folder, "one", "--store", store))
    )


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
    """Killed twice; between, a finished part loses its end, as after a power cut."""
    out = folder / "out.jsonl"
    parts = folder / ".out.jsonl.parts"
    for enough in (2, 4):
        run = begin("label", chaos.documents, "--out", out)
        wait_for(lambda enough=enough: len([*parts.glob("part-*")]) >= enough, run)  # type: ignore[misc]
        run.kill()
        run.communicate()
        if run.returncode != -signal.SIGKILL:
            return False
        damaged = sorted(parts.glob("part-*"))[number % enough]
        damaged.write_bytes(damaged.read_bytes()[: -100 * number or None])
    return chaos.label(folder, "out") == chaos.labels


def until_stored(store: Path, count: int) -> Callable[[subprocess.Popen[str]], None]:
    """Waits for a run to have kept so many results."""
    return lambda run: wait_for(lambda: stored(store) > count, run)


def host_cut_off(chaos: Chaos, folder: Path, number: int) -> bool:
    """While many topics are under way."""
    store = folder / "store"
    arguments = chaos.arguments(folder, "out", "--store", store)
    done = cut_off(folder, number, arguments, until_stored(store, 60 * (number + 1)))
    return done and chaos.same(folder / "out.jsonl")


def host_cut_off_hard(chaos: Chaos, folder: Path, number: int) -> bool:
    """While all of them count the extracts of one topic."""
    store = folder / "store"
    arguments = (*chaos.hard(folder / "out.jsonl"), "--store", store)
    done = cut_off(folder, number, arguments, until_stored(store, 4 + 8 * number))
    calm = chaos.folder / "calm-hard.jsonl"
    if not calm.exists() and topline(*chaos.hard(calm), "--jobs", 1).returncode:
        return False
    return done and chaos.rows(folder / "out.jsonl") == chaos.rows(calm)


Fault = Callable[[Chaos, Path, int], bool]
FAULTS: list[tuple[str, str, str, Fault]] = [
    ("killed", "`kill -9` of a run, twice", "started again, it goes on", interrupted(signal.SIGKILL)),
    (
        "interrupted",
        "Ctrl-C in a run, twice",
        "exit 130, no file left; started again, it goes on",
        interrupted(signal.SIGINT),
    ),
    (
        "two-at-once",
        "two runs on one store, `kill -9` of one",
        "the other does not notice; started again, the one goes on",
        two_at_once,
    ),
    (
        "labels",
        "`kill -9` of `label`, twice, and a part cut short",
        "started again, it goes on; the part is done again",
        labels_killed,
    ),
    ("disk", "disk full for output and store", "said, exit 2; with room again, it goes on", disk_full),
    ("worker", "`kill -9` of one of two workers", "not noticed", worker_killed),
    (
        "scheduler",
        "`kill -9` of the scheduler",
        "said, exit 2; on a new scheduler it goes on",
        scheduler_killed,
    ),
    ("memory", "a unit too large for any worker's memory", "named; the other units are done", memory),
    ("host", "one of three worker hosts cut off from the network", "not noticed", host_cut_off),
    ("host-hard", "the same while they share one hard topic", "not noticed", host_cut_off_hard),
]


def main(times: int, names: list[str]) -> int:
    lost, lines = (
        0,
        ["| Fault | Tried | What happens | Runs that lost something |", "| --- | ---: | --- | ---: |"],
    )
    with tempfile.TemporaryDirectory(prefix="chaos-") as place:
        chaos = Chaos(Path(place))
        for name, what, then, fault in FAULTS:
            if names and name not in names:
                continue
            if name.startswith("host") and (os.geteuid() or shutil.which("ip") is None):
                print(f"{what}: not tried: needs root and the command ip")
                lines.append(f"| {what} | 0 | needs root and `ip` | – |")
                continue
            bad = sum(
                not tried(chaos, Path(place) / f"{name}-{turn}", what, fault, turn) for turn in range(times)
            )
            lost += bad
            lines.append(f"| {what} | {times} | {then} | {bad} |")
    if not names:
        text = PAGE.read_text("utf-8")
        head, rest = text.split(BEGIN)
        _, tail = rest.split(END)
        PAGE.write_text(head + "\n".join([BEGIN, *lines, END]) + tail, "utf-8")
    return lost


def tried(chaos: Chaos, folder: Path, what: str, fault: Fault, turn: int) -> bool:
    folder.mkdir()
    start = time.monotonic()
    good = fault(chaos, folder, turn)
    print(f"{what}: {'good' if good else 'BAD'} ({time.monotonic() - start:.0f} s)", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    return good


if __name__ == "__main__":
    times, *names = sys.argv[1:] or ["3"]
    sys.exit(bool(main(int(times), names)))
