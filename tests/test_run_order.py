"""The line through which every engine goes: parts, memory, suspicion; and results as JSON and back."""

from __future__ import annotations

import json
import pickle
import random
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topline.corpus.records import Document, Reference, Section, Sentence, Topic
from topline.errors import OutputError
from topline.run.engine import Done, Parts, Serial, Threads
from topline.run.order import in_order
from topline.run.plain import plain, whole
from topline.run.progress import Progress
from topline.search.every import all_oracles

Tree = Any
"""A number, or a list of trees: what a unit comes to if it is cut and cut again."""
trees = st.recursive(st.integers(0, 9), lambda inner: st.lists(inner, max_size=4), max_leaves=12)


def total(tree: Tree) -> int:
    """The plain twin: no engine, no parts."""
    return tree if isinstance(tree, int) else sum(map(total, tree)) + 1


def rounds(tree: Tree) -> Any:
    """The same by parts: a round adds up its leaves and goes on with what is left."""
    return tree if isinstance(tree, int) else _round(tree, 1)


def _round(left: list[Tree], found: int) -> Parts:
    return Parts(_leaf, left, lambda results: _joined(results, found))


def _leaf(tree: Tree) -> tuple[int, list[Tree]]:
    return (tree, []) if isinstance(tree, int) else (1, tree)


def _joined(results: list[tuple[int, list[Tree]]], found: int) -> Any:
    found += sum(own for own, _ in results)
    left = [tree for _, some in results for tree in some]
    return _round(left, found) if left else found


class Shuffled(Serial):
    """Hands that finish in any order, several at once."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.random = random.Random(seed)

    def window(self) -> int:
        return self.random.randint(1, 5)

    def finished(self) -> list[tuple[int, Done[Any, Any]]]:
        self.random.shuffle(self._next)
        some = self.random.randint(1, len(self._next))
        return [pair for _ in range(some) for pair in super(Shuffled, self).finished()]


@settings(max_examples=60, deadline=None)
@given(st.lists(trees, max_size=12), st.integers(0, 1000))
def test_units_cut_into_parts_again_and_again_give_what_one_piece_gives(units: list[Tree], seed: int) -> None:
    expected = [total(tree) for tree in units]
    for hands in (Serial(), Shuffled(seed)):
        assert [done.result for done in hands.run(rounds, units)] == expected


def test_threads_do_parts_too() -> None:
    units: list[Tree] = [[1, [2, [3]], []], 4, [[5, 6], 7]] * 20
    with Threads(3) as threads:
        assert [done.result for done in threads.run(rounds, units)] == [total(tree) for tree in units]


class Notes:
    """A memory that counts."""

    def __init__(self) -> None:
        self.held: dict[tuple[Any, ...], Any] = {}

    def get(self, unit: Any, path: tuple[int, ...]) -> Any | None:
        return self.held.get((unit, *path))

    def put(self, unit: Any, path: tuple[int, ...], result: Any) -> None:
        assert (unit, *path) not in self.held, "computed twice"
        self.held[unit, *path] = result


def test_what_is_known_is_not_done_again_parts_included() -> None:
    done: list[int] = []

    def cut(unit: int) -> Any:
        return Parts(piece, range(unit), sum)

    def piece(number: int) -> int:
        done.append(number)
        if number == 3 and done.count(3) < 5:
            raise MemoryError
        return number

    notes = Notes()
    first = list(Serial().run(cut, [2, 5], notes))
    assert [one.result for one in first] == [1, None]
    assert first[1].quarantined
    second = list(Serial().run(cut, [2, 5], notes))
    assert [(one.result, one.kept) for one in second] == [(1, True), (10, False)]
    assert sorted(done) == [0, 0, 1, 1, 2, 3, 3, 3, 3, 3, 4]


class Bomb(Serial):
    """Hands that take down everything that runs beside unit 4."""

    def __init__(self) -> None:
        super().__init__()
        self.most: list[int] = []

    def window(self) -> int:
        return 4

    def finished(self) -> list[tuple[int, Done[Any, Any]]]:
        pieces, self._next = self._next, []
        done = [(ticket, piece()) for ticket, piece in pieces]
        self.most.append(len(done))
        if any(one.unit == 4 for _, one in done):
            killed = RuntimeError("killed")
            return [(ticket, Done(one.unit, None, killed, 3, alone=False)) for ticket, one in done]
        return done


def test_units_brought_down_by_another_are_tried_alone() -> None:
    hands = Bomb()
    done = list(in_order(hands, abs, range(9)))
    assert [one.result for one in done] == [0, 1, 2, 3, None, 5, 6, 7, 8]
    assert done[4].quarantined
    assert 1 in hands.most


def test_a_unit_that_fails_is_split_so_that_only_the_guilty_is_left_out() -> None:
    def work(unit: tuple[int, ...]) -> list[int]:
        if 3 in unit:
            raise OSError("no")
        return list(unit)

    def split(unit: tuple[int, ...]) -> Parts | None:
        return Parts(work, [(one,) for one in unit], list, forgiving=True) if len(unit) > 1 else None

    done = list(Serial().run(work, [(1, 2), (3, 4), (5,), (3,)], split=split))
    assert done[0].result == [1, 2]
    assert done[1].result[1] == [4]
    assert (done[1].result[0].unit, done[1].result[0].quarantined) == ((3,), True)
    assert done[2].result == [5]
    assert done[3].quarantined


def test_progress_counts_what_is_done_kept_and_failed_and_names_the_gap() -> None:
    @dataclass
    class Row:
        id: str
        proved: bool
        hits: int
        bound: int

    watch = Progress("topics")
    watch.running(3)
    watch.finished(Done(1, [Row("t9", False, 10, 12)]))
    watch.finished(Done(2, [Row("t1", True, 10, 10)], kept=True))
    watch.finished(Done(3, None, ValueError("no")))
    assert (watch.done, watch.kept, watch.failed) == (3, 1, 1)
    assert watch.note == "3 running, 1 from the store, 1 failed, t9: found 10, at most 12"
    watch.parts(Row("t7", True, 0, 0), 12)
    assert watch.note == "3 running, 1 from the store, 1 failed, t7: 12 parts left, t9: found 10, at most 12"
    watch.parts(Row("t7", True, 0, 0), 0)
    assert "parts" not in watch.note
    batches = Progress("documents", size=len)
    batches.finished(Done((1, 2, 3), []))
    assert batches.done == 3


def test_parts_of_a_unit_are_counted_down() -> None:
    left: list[int] = []

    class Look(Progress):
        def parts(self, unit: Any, left_now: int) -> None:
            assert unit == 5
            left.append(left_now)

    def work(unit: int) -> Parts:
        return Parts(abs, range(unit), sum)

    assert [done.result for done in Serial().run(work, [5], watch=Look("topics"))] == [10]
    assert left == [4, 3, 2, 1, 0]


def test_a_corpus_says_beforehand_how_many_topics_it_has(tmp_path: Path) -> None:
    from topline import read_corpus

    assert read_corpus("sample:news").expected() == 8
    one = tmp_path / "corpus.jsonl"
    one.write_text('{"id": "a"}\n{"id": "b"}')
    assert read_corpus(one).expected() == 2


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.fractions(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text() | st.integers() | st.tuples(st.integers(), st.text()), inner, max_size=3)
    ),
    max_leaves=10,
)


def same(a: Any, b: Any) -> bool:
    """Equal, and of equal types all the way down."""
    if type(a) is not type(b):
        return False
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return same(list(a.items()), list(b.items()))
    return bool(a == b)


@given(values)
def test_values_come_back_as_they_were(value: Any) -> None:
    assert same(whole(json.loads(json.dumps(plain(value)))), value)


def test_arrays_and_records_come_back() -> None:
    array = np.arange(12, dtype=np.int64).reshape(3, 4)[:, ::2]
    back = whole(json.loads(json.dumps(plain([array, Fraction(1, 3)]))))
    assert back[0].dtype == array.dtype
    np.testing.assert_array_equal(back[0], array)
    texts = ("A cat sat.", "Dogs bark.", "One cat sat.")
    document = Document("d", tuple(map(Sentence, texts)))
    found = all_oracles(Topic("t", (document,), (Reference("A", ("The cat sat there.",)),)), "rouge-1", "3w")
    (again,) = whole(json.loads(json.dumps(plain(found))))
    assert again.sizes == found[0].sizes
    assert list(again.optima) == list(found[0].optima) == [(0,), (2,)]


@pytest.mark.parametrize(
    "value",
    [
        {"record": ["os", "system", {"command": "true"}]},
        {"record": ["topline.run.plain", "import_module", {"name": "os"}]},
        {"record": ["topline.run.plain", "json", {}]},
        {"record": ["topline.errors", "ToplineError", {"what": "no"}]},
        {"call": []},
    ],
)
def test_a_store_cannot_make_anything_but_records(value: Any) -> None:
    with pytest.raises(OutputError):
        whole(value)


def test_what_is_no_record_is_not_stored() -> None:
    with pytest.raises(TypeError, match="no record"):
        plain(object())


def test_a_topic_travels_whole() -> None:
    sentences = (Sentence("One.", 0, 4), Sentence("Two\ud800."))
    document = Document("a", sentences, "head", "1998-10-16", (Section("first", 0), Section("next", 1)))
    topic = Topic("t", (document, Document("b", ())), (Reference("A", ("x", "y")),), "title", "news", "lines")
    again = pickle.loads(pickle.dumps(topic))
    assert again == topic
    assert repr(again) == repr(topic)
