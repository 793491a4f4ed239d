"""On a cluster of worker processes: the same bytes, whatever is killed; and errors in time."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cluster import HOST, Local, free_port, local, topline
from topline.errors import BudgetError, ClusterError, OptionError
from topline.run.cluster import PATIENCE, Cluster
from topline.run.engine import Parts, Serial

OUR_NAME = "topline.run.cluster"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Local]:
    here = str(Path(__file__).parents[1])
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = f"{here}{os.pathsep}{before}" if before else here
    try:
        with local(tmp_path_factory.mktemp("cluster")) as one:
            yield one
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


def rows(text: str) -> list[dict[str, Any]]:
    """The records without their timings: these differ from run to run by nature."""
    found = [json.loads(line) for line in text.splitlines()]
    for row in found:
        row.pop("seconds", None)
    return found


@pytest.mark.parametrize(
    "arguments",
    [
        ("oracle",),
        ("optima", "--metric", "rouge-2", "--list", "3", "--sample", "2"),
        ("compress", "--metric", "rouge-2"),
        ("spread", "--metric", "rouge-2", "--budget", "30w"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_verb_gives_the_same_in_every_engine(cluster: Local, arguments: tuple[str, ...]) -> None:
    verb, *more = arguments
    found = [
        topline(verb, "sample:news", "--json", *more, *engine)
        for engine in (("--jobs", 1), ("--jobs", 2), ("--scheduler", cluster.address))
    ]
    assert [(run.returncode, run.stderr) for run in found] == [(0, "")] * 3
    assert rows(found[0].stdout) == rows(found[1].stdout) == rows(found[2].stdout)
    assert len(rows(found[0].stdout)) == 8


def test_labels_and_the_page_are_the_same_bytes_by_a_scheduler_file(cluster: Local, tmp_path: Path) -> None:
    parts = ("--no-compress", "--no-spread", "--no-mead", "--title", "x", "--run", "lead")
    for name, engine in (("a", ("--jobs", 1)), ("b", ("--scheduler", cluster.file))):
        labels = topline("label", "sample:news", "--out", tmp_path / f"{name}.jsonl", *engine)
        page = topline("report", "sample:news", *parts, "--out", tmp_path / f"{name}.html", *engine)
        assert (labels.returncode, page.returncode) == (0, 0), labels.stderr + page.stderr
    for end in (".jsonl", ".html", ".results.jsonl"):
        assert (tmp_path / f"a{end}").read_bytes() == (tmp_path / f"b{end}").read_bytes()


def unit(number: int) -> Any:
    """Slow enough to be killed in; some are cut into parts, some fail, one kills its worker."""
    time.sleep(0.01)
    if number == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 11:
        raise ValueError("always")
    if number == 12:
        raise BudgetError("no")
    if number % 10 == 5:
        return Parts(part, range(number), sum)
    return number * number


def part(number: int) -> int:
    return number + 1


def test_a_unit_that_kills_its_workers_is_set_aside_and_the_rest_is_done(cluster: Local) -> None:
    with Cluster(cluster.address) as hands:
        done = {one.unit: one for one in hands.run(unit, range(40))}
    assert list(done) == list(range(40))
    assert (done[7].quarantined, done[11].quarantined, done[12].quarantined) == (True, True, False)
    assert "killed" in str(done[7].error)
    assert isinstance(done[12].error, BudgetError)
    usual = [number for number in range(40) if number not in (7, 11, 12)]
    with Serial() as hand:
        assert [done[n].result for n in usual] == [one.result for one in hand.run(unit, usual)]


def whose(number: int) -> tuple[int, int]:
    time.sleep(0.01)
    return os.getpid(), number


def test_a_worker_killed_in_the_middle_changes_nothing(cluster: Local) -> None:
    with Cluster(cluster.address) as hands:
        found = hands.run(whose, range(150))
        first = [next(found).result for _ in range(10)]
        os.kill(first[-1][0], signal.SIGKILL)
        rest = [one.result for one in found]
    assert [number for _, number in [*first, *rest]] == list(range(150))
    assert len({pid for pid, _ in [*first, *rest]}) >= 2


def test_a_scheduler_lost_in_the_middle_is_an_error_that_says_how_to_go_on(tmp_path: Path) -> None:
    with local(tmp_path, 1) as alone, Cluster(alone.address) as hands:
        found = hands.run(slow, range(100))
        assert next(found).result == 0
        os.killpg(alone.scheduler.pid, signal.SIGKILL)
        start = time.monotonic()
        with pytest.raises(ClusterError, match="the scheduler was lost") as lost:
            list(found)
        assert "run the same command again" in str(lost.value)
        assert "\n" not in str(lost.value)
        assert time.monotonic() - start < 3 * PATIENCE


def slow(number: int) -> int:
    time.sleep(0.2)
    return number


def deaf(server: socket.socket) -> None:
    """Accept whoever comes, and never answer."""
    held = []
    while True:
        try:
            held.append(server.accept())
        except OSError:
            break
    for one, _ in held:
        one.close()


@pytest.mark.parametrize("kind", ["nobody", "deaf"])
def test_a_scheduler_that_does_not_answer_is_an_error_within_ten_seconds(kind: str) -> None:
    with socket.socket() as server:
        port = free_port()
        if kind == "deaf":
            server.bind((HOST, port))
            server.listen()
            ears = threading.Thread(target=deaf, args=(server,))
            ears.start()
        start = time.monotonic()
        run = topline("oracle", "sample:news", "--scheduler", f"tcp://{HOST}:{port}")
        seconds = time.monotonic() - start
        if kind == "deaf":
            server.shutdown(socket.SHUT_RDWR)
            ears.join()
    assert run.returncode == 2
    assert run.stderr.startswith(f"topline: no scheduler answers at tcp://{HOST}:{port}")
    assert len(run.stderr.splitlines()) == 1
    assert seconds < PATIENCE + 5  # and the time to start


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("tcp://127.0.0.1", "is no address of a scheduler"),
        ("http://x:1", "is no address of a scheduler"),
        ("tcp://x:99999", "is no address of a scheduler"),
        ("tls://127.0.0.1:1", "tls:// needs certificates"),
        ("127.0.0.1:8786", "is no scheduler file"),
        (__file__, "is no scheduler file"),
    ],
)
def test_an_address_that_makes_no_sense_is_an_error_at_once(given: str, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        Cluster(given)


def test_workers_of_another_version_are_refused(tmp_path: Path) -> None:
    older = tmp_path / "older.py"
    older.write_text(
        f"import topline\ntopline.__version__ = '0.0.1'\nimport {OUR_NAME} as c\nc.__version__ = '0.0.1'\n"
    )
    with local(tmp_path, 1, "--preload", str(older)) as strange:
        run = topline("oracle", "sample:news", "--scheduler", strange.address)
    assert run.returncode == 2
    assert "runs topline 0.0.1" in run.stderr
    assert "install the same version everywhere" in run.stderr


def test_what_is_not_there_is_named_with_the_command_that_installs_it(tmp_path: Path) -> None:
    for name, package in (("slurm", "dask-jobqueue"), ("kubernetes", "dask-kubernetes")):
        run = topline("oracle", "sample:news", "--scheduler", name)
        assert (run.returncode, run.stdout) == (2, "")
        assert f"pip install {package}" in run.stderr
    hidden = tmp_path / "distributed.py"
    hidden.write_text("raise ImportError('not here')")
    run = topline(
        "oracle", "sample:news", "--scheduler", "tcp://x:1", env=os.environ | {"PYTHONPATH": str(tmp_path)}
    )
    assert "pip install 'topline[cluster]'" in run.stderr
    run = topline("oracle", "sample:news", "--scheduler", tmp_path / "none.json")
    assert "is no scheduler file" in run.stderr
