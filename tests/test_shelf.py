"""Summaries are found by topic whatever order they came in."""

import random

import pytest

from topline.corpus.records import Summary
from topline.corpus.shelf import Shelf
from topline.errors import CorpusError


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
