"""Whatever happens to a run, nothing finished is lost, nothing half is left, and the next one goes on."""

from __future__ import annotations

import json
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.cluster import begin, listed, topline
from topline import read_corpus
from topline.cli import label, oracle
from topline.corpus.jsonl import topic_json
from topline.search.label import Labeller
from topline.search.oracle import Oracles

TOPICS = 2_000
"""Enough that a run is still under way when somebody decides to stop it."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample's topics, again and again under other ids."""
    path = tmp_path_factory.mktemp("corpus") / "corpus.jsonl"
    topics = [json.loads(topic_json(topic)) for topic in read_corpus("sample:news")]
    with path.open("w") as stream:
        for number in range(TOPICS):
            stream.write(json.dumps(topics[number % len(topics)] | {"id": f"t{number}"}) + "\n")
    return path


def rows(path: Path) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [{name: value for name, value in row.items() if name != "seconds"} for row in found]


@pytest.fixture(scope="module")
def calm(corpus: Path) -> list[dict[str, Any]]:
    """What an undisturbed run gives."""
    out = corpus.with_name("calm.jsonl")
    assert topline("oracle", corpus, "--json", "--out", out, "--jobs", 1).returncode == 0
    return rows(out)


def kept(store: Path) -> int:
    """Results in a store that others are writing."""
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
            (count,) = database.execute("SELECT COUNT(*) FROM results").fetchone()
    except sqlite3.Error:
        return 0
    finally:
        if "database" in locals():
            database.close()
    return int(count)


def stopped(arguments: tuple[object, ...], store: Path, after: int, how: signal.Signals) -> tuple[int, str]:
    """Begin a run and stop it when so many results are stored."""
    run = begin(*arguments)
    until = time.monotonic() + 120
    while kept(store) < after and run.poll() is None:
        assert time.monotonic() < until
        time.sleep(0.01)
    run.send_signal(how)
    _, said = run.communicate(timeout=60)
    return run.returncode, said


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_leaves_what_was_there_and_the_next_run_goes_on(
    corpus: Path, calm: list[dict[str, Any]], tmp_path: Path, jobs: int
) -> None:
    out, store = tmp_path / "out.jsonl", tmp_path / "store"
    out.write_text("the old result\n")
    run = ("oracle", corpus, "--json", "--out", out, "--store", store, "--jobs", jobs)
    code, said = stopped(run, store, 5, signal.SIGINT)
    assert (code, said.lstrip()) == (130, "topline: interrupted; nothing half-written was left behind\n")
    assert out.read_text() == "the old result\n"
    assert {name for name in listed(tmp_path) if not name.startswith("store")} == {"out.jsonl"}
    before = kept(store)
    assert 5 <= before < TOPICS
    assert topline(*run).returncode == 0
    assert rows(out) == calm


def test_kill_9_loses_only_what_was_under_way(
    corpus: Path, calm: list[dict[str, Any]], tmp_path: Path
) -> None:
    out, store = tmp_path / "out.jsonl", tmp_path / "store"
    run = ("oracle", corpus, "--json", "--out", out, "--store", store, "--jobs", 2)
    assert stopped(run, store, 10, signal.SIGKILL)[0] == -signal.SIGKILL
    assert not out.exists()
    assert stopped(run, store, kept(store) + 10, signal.SIGKILL)[0] == -signal.SIGKILL
    assert topline(*run).returncode == 0
    assert rows(out) == calm
    first = out.read_bytes()
    assert topline(*run).returncode == 0
    assert out.read_bytes() == first  # timings too: all of it comes from the store


def test_two_runs_on_one_store_come_to_the_same(
    corpus: Path, calm: list[dict[str, Any]], tmp_path: Path
) -> None:
    outs = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    runs = [begin("oracle", corpus, "--json", "--out", out, "--store", tmp_path / "store") for out in outs]
    assert [run.communicate(timeout=120)[1] for run in runs] == ["", ""]
    assert rows(outs[0]) == rows(outs[1]) == calm


def test_ctrl_c_in_a_callback_of_a_library_is_not_lost() -> None:
    code = (
        "import ctypes, time; from topline.cli.common import keep_interrupts\n"
        "def called(): raise KeyboardInterrupt\n"
        "keep_interrupts()\n"
        "try:\n"
        "    ctypes.CFUNCTYPE(None)(called)()\n"
        "    time.sleep(5)\n"
        "except KeyboardInterrupt: print('heard')\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert (run.stdout, run.stderr) == ("heard\n", "")


def small_files(size: int) -> Callable[[], None]:
    """Files of this process end at a size: to it, the disk is full."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_full_disk_is_said_and_the_old_output_stays(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("the old result\n")
    run = ("oracle", corpus, "--json", "--out", out)
    full = topline(*run, preexec_fn=small_files(8192))
    assert full.returncode == 2
    assert "what was there before is untouched" in full.stderr
    assert (out.read_text(), listed(tmp_path)) == ("the old result\n", ["out.jsonl"])
    full = topline(*run, "--store", tmp_path / "store", preexec_fn=small_files(40_000))
    assert full.returncode == 2
    assert "the store cannot be used" in full.stderr
    assert out.read_text() == "the old result\n"
    assert topline(*run, "--store", tmp_path / "store").returncode == 0
    assert len(rows(out)) == TOPICS


def failing(kind: type, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One topic cannot be done, whatever one does."""
    done = getattr(kind, name)

    def fail(self: Any, given: Any) -> Any:
        topics = given if isinstance(given, tuple) else (given,)
        if any(topic.id == "t03" for topic in topics):
            raise MemoryError("too large")
        return done(self, given)

    monkeypatch.setattr(kind, name, fail)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_topic_that_always_fails_is_named_and_the_rest_delivered(
    monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    failing(Oracles, "of", monkeypatch)
    run = CliRunner().invoke(oracle.command, ["sample:news", "--json", "--jobs", jobs], standalone_mode=False)
    assert run.return_value == 3
    assert [json.loads(line)["id"] for line in run.stdout.splitlines()] == [
        f"t{n:02d}" for n in (1, 2, 4, 5, 6, 7, 8)
    ]
    assert run.stderr == "topline: t03 failed 3 times and was left out: MemoryError: too large\n"


def test_of_a_batch_of_documents_only_the_one_that_fails_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    failing(Labeller, "of_many", monkeypatch)
    out = tmp_path / "labels.jsonl"
    run = CliRunner().invoke(
        label.command, ["sample:news", "--out", str(out), "--jobs", "2"], standalone_mode=False
    )
    assert run.return_value == 3
    assert [row["id"] for row in rows(out)] == [f"t{n:02d}" for n in (1, 2, 4, 5, 6, 7, 8)]
    assert "t03 failed 3 times and was left out" in run.stderr


def test_ids_do_not_become_paths(tmp_path: Path) -> None:
    topic = json.loads(topic_json(next(iter(read_corpus("sample:news")))))
    corpus, folder = tmp_path / "corpus.jsonl", tmp_path / "in" / "here"
    ids = ["../../escaped", "a/b", "a_b", "..", "\0", "\u4e2d" * 120, "x" * 300]
    corpus.write_text("".join(json.dumps(topic | {"id": id}) + "\n" for id in ids))
    run = topline("spread", corpus, "--budget", "20w", "--plots", folder)
    assert run.returncode == 0, run.stderr
    assert listed(tmp_path) == ["corpus.jsonl", "in"]
    assert listed(tmp_path / "in") == ["here"]
    # two figures a topic, and those of the domain
    assert len([name for name in listed(folder) if not name.startswith(("domain", "ensemble"))]) == 2 * len(
        ids
    )
    assert "a_b.svg" in listed(folder)
