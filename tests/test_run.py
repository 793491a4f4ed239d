"""Engines give the same results in the same order; the store keeps what is whole; faults are named."""

import itertools
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from topline.errors import BudgetError, OptionError, OutputError
from topline.run.engine import TRIES, WINDOW, Done, Engine, Serial, Threads, engine
from topline.run.keep import Kept
from topline.run.store import Store, digest


def square(unit: int) -> int:
    time.sleep(0.0005 * (unit % 3))
    return unit * unit


@pytest.fixture(params=[1, 2, 4])
def any_engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    made = engine(request.param)
    yield made
    made.close()


def test_results_come_in_the_units_order(any_engine: Engine) -> None:
    assert [done.result for done in any_engine.run(square, range(200))] == [n * n for n in range(200)]


def test_a_failing_unit_is_tried_three_times_and_the_rest_goes_on(any_engine: Engine) -> None:
    tried: list[int] = []

    def work(unit: int) -> int:
        if unit == 3:
            tried.append(unit)
            raise ValueError("always")
        return unit

    done = list(any_engine.run(work, range(6)))
    assert [one.result for one in done] == [0, 1, 2, None, 4, 5]
    assert (str(done[3].error), done[3].tries, len(tried)) == ("always", TRIES, TRIES)


def test_what_fails_once_is_done_in_the_end() -> None:
    failures = itertools.count()

    def work(unit: int) -> int:
        if next(failures) == 0:
            raise MemoryError
        return unit

    assert list(Serial().run(work, [7])) == [Done(7, 7, None, 2)]


def test_bad_input_is_not_tried_again() -> None:
    def work(_: int) -> int:
        raise BudgetError("no")

    (done,) = Serial().run(work, [1])
    assert (type(done.error), done.tries) == (BudgetError, 1)


def test_units_are_taken_only_as_there_is_room() -> None:
    taken: list[int] = []

    def units() -> Iterator[int]:
        for unit in range(10_000):
            taken.append(unit)
            yield unit

    threads = Threads(2)
    results = threads.run(square, units())
    next(results)
    assert len(taken) <= 2 * WINDOW
    results.close()  # type: ignore[attr-defined]
    threads.close()
    assert not any(thread.name.startswith("topline") for thread in threading.enumerate())


def test_no_jobs_are_an_error() -> None:
    with pytest.raises(OptionError, match="0 jobs"):
        Threads(0)


def test_the_store_gives_back_what_was_put(tmp_path: Path) -> None:
    with Store(tmp_path / "new" / "store") as store:
        assert store.get("a") is None
        store.put("a", {"hits": 10**30, "text": "é"})
        store.put("a", "another answer comes too late")
    with Store(tmp_path / "new" / "store") as store:
        assert store.get("a") == {"hits": 10**30, "text": "é"}
        assert len(store) == 1


def test_digests_depend_on_every_part_and_not_on_the_order_of_keys() -> None:
    assert digest("oracle", {"a": 1, "b": 2}) == digest("oracle", {"b": 2, "a": 1})
    names = {
        digest("oracle", 1),
        digest("oracle", "1"),
        digest("optima", 1),
        digest("oracle", 1, None),
        digest(),
    }
    assert len(names) == 5


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store"
    Store(path).close()
    with sqlite3.connect(path) as database:
        database.execute("UPDATE about SET value = 'topline 9.9.9, store 1'")
    database.close()
    with pytest.raises(OutputError, match=r"made by topline 9\.9\.9.*name another with --store"):
        Store(path)


@pytest.mark.parametrize("damage", ["", "{", "5", "\u00e9", b"\x00\xff", None, 7])
def test_a_result_that_a_broken_disk_has_changed_is_computed_anew(tmp_path: Path, damage: object) -> None:
    path = tmp_path / "store"
    with Store(path) as store:
        store.put("a", {"hits": 12})
        store.put("b", 1)
    with sqlite3.connect(path) as database:
        (kept,) = database.execute("SELECT value FROM results WHERE digest = 'a'").fetchone()
        changed = kept.replace("12", "13") if damage == "" else damage
        database.execute("UPDATE results SET value = ? WHERE digest = 'a'", (changed,))
    database.close()
    with Store(path) as store:
        assert store.get("a") is None
        store.put("a", {"hits": 12})
        assert (store.get("a"), store.get("b")) == ({"hits": 12}, 1)


@pytest.mark.parametrize(
    "strange",
    [
        {"record": ["os", "system", {}]},
        {"record": ["topline.search.oracle", "Oracle", {"x": 1}]},
        {"record": ["topline.run.store", "Store", {"path": "x"}]},
        {"[]": "not packed"},
        {"a": 1, "b": 2},
        {"{}": [1]},
    ],
)
def test_what_somebody_else_put_into_a_store_is_refused_and_not_run(tmp_path: Path, strange: object) -> None:
    with Store(tmp_path / "store") as store:
        kept = Kept(store, "oracle", name=str)
        store.put(kept._digest(1, ()), strange)
        with pytest.raises(OutputError):
            kept.get(1, ())


@pytest.mark.parametrize("content", [b"something else entirely, long enough to have a header" * 10, b"{}"])
def test_a_file_that_is_no_store_is_a_typed_error_and_stays(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "store"
    path.write_bytes(content)
    with pytest.raises(OutputError, match="the store cannot be used"):
        Store(path)
    assert path.read_bytes() == content


def test_two_runs_on_one_store_do_not_harm_each_other(tmp_path: Path) -> None:
    path = tmp_path / "store"
    code = (
        "import sys; from pathlib import Path; from topline.run.store import Store\n"
        "store = Store(Path(sys.argv[1]))\n"
        "for n in range(300): store.put(f'{sys.argv[2]}{n}', n); store.put(f'both{n}', n)\n"
    )
    runs = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in "ab"]
    assert [run.wait(60) for run in runs] == [0, 0]
    with Store(path) as store:
        assert len(store) == 900
        assert all(store.get(f"{name}{n}") == n for name in ("a", "b", "both") for n in range(300))


def test_a_run_that_is_killed_leaves_a_store_that_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "store"
    code = (
        "import itertools, sys; from pathlib import Path; from topline.run.store import Store\n"
        "store = Store(Path(sys.argv[1]))\n"
        "for n in itertools.count():\n"
        "    store.put(f'{n}', [n] * 1000)\n"
        "    print(n, flush=True)\n"
    )
    for _ in range(2):
        with subprocess.Popen(
            [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True
        ) as run:
            assert run.stdout is not None
            last = [run.stdout.readline() for _ in range(40)][-1]
            run.kill()
        with Store(path) as store:
            assert all(store.get(str(n)) == [n] * 1000 for n in range(int(last) + 1))
