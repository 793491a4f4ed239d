"""Summaries are found by topic whatever order they came in."""

import random
import sqlite3
from pathlib import Path

import pytest

from topline.corpus.read import read_summaries
from topline.corpus.records import Document, Sentence, Summary, Topic
from topline.corpus.shelf import Shelf
from topline.errors import CorpusError, OutputError


def test_every_summary_is_found_and_systems_keep_their_order() -> None:
    made = [
        Summary(f"t{t}", s, (f"{s} on {t}.",), (t,) if s == "b" else None) for s in "bca" for t in range(50)
    ]
    mixed = made[1:]
    random.Random(1).shuffle(mixed)
    shelf = Shelf([made[0], *mixed])
    order = list(shelf.systems)
    for t in range(50):
        taken = shelf.take(f"t{t}")
        assert sorted(taken, key=lambda s: s.system) == sorted(made[t::50], key=lambda s: s.system)
        assert [s.system for s in taken] == order
    assert list(shelf.untaken()) == []


def test_a_topic_without_summaries_has_none_and_strangers_are_named() -> None:
    shelf = Shelf([Summary("a", "x", ("One.",)), Summary("lone\ud800", "y", ())])
    assert shelf.take("b") == []
    assert shelf.take("a") == [Summary("a", "x", ("One.",))]
    assert list(shelf.untaken()) == [("lone\ud800", "y")]


def test_two_summaries_of_a_topic_by_one_system_are_an_error() -> None:
    with pytest.raises(CorpusError, match="'x' has two summaries"):
        Shelf([Summary("a", "x", ("One.",)), Summary("a", "x", ("Two.",))])


def test_a_full_disk_is_a_typed_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(Shelf, "_put", full)
    with pytest.raises(OutputError, match="cannot be kept on disk: database or disk is full"):
        Shelf([Summary("a", "x", ("One.",))])


TOPIC = Topic("a", (Document("d", (Sentence("One."), Sentence("Two."))),))


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A good summary, one that selects what is not there, one of no topic."""
    path = tmp_path / "wrong.jsonl"
    path.write_text(
        '{"id": "a", "system": "good", "selected": [1]}\n'
        '{"id": "a", "system": "beyond", "selected": [2]}\n'
        '{"id": "b", "system": "lone", "sentences": []}\n'
    )
    return path


def test_what_is_of_no_use_is_an_error_with_its_place(wrong: Path) -> None:
    with pytest.raises(CorpusError, match=rf"{wrong}:2 \(a\): selected is out of range: 2, of 2"):
        Shelf(read_summaries(wrong)).of(TOPIC)
    shelf = Shelf(read_summaries(wrong))
    shelf.take("a")
    with pytest.raises(CorpusError, match=rf"{wrong}:3 \(b\): 'lone' summarises a topic"):
        shelf.refuse_strangers()


def test_what_is_of_no_use_is_skipped_and_counted_where_that_is_allowed(wrong: Path) -> None:
    reading = read_summaries(wrong, skip_bad=True)
    shelf = Shelf(reading)
    assert shelf.of(TOPIC) == [Summary("a", "good", ("Two.",), (1,))]
    assert reading.skipped_count == 1
    shelf.refuse_strangers()
    assert [error.where.line for error in reading.skipped] == [2, 3]
