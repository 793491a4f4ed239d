"""All best extracts in pieces: the same sets, in the same order, whatever does the pieces."""

from __future__ import annotations

import pickle
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from topline import read_corpus
from topline.rouge.metric import Metric
from topline.run.engine import Done, Engine, Serial, Threads
from topline.run.keep import Kept
from topline.run.optima import EveryOracle
from topline.run.per_thread import PerThread
from topline.run.store import Store
from topline.search import pieces
from topline.search.every import Every
from topline.search.exact import Limits
from topline.text.budget import Budget


@pytest.fixture(autouse=True)
def little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "TOGETHER", 5)
    monkeypatch.setattr(pieces, "PATIENCE", 15)


def every(limits: Limits | None = None) -> EveryOracle:
    settings = (Metric.parse("rouge-2"), Budget.parse("100w"), "each", "recall", "exact")
    return EveryOracle(*settings, limits or Limits())


def topics() -> list[Any]:
    return list(islice(read_corpus("sample:news"), 2))


def shown(done: list[Done[Any, list[Every]]]) -> list[Any]:
    return [
        (one.references, one.hits, one.count, one.count_all, one.proved, list(one.optima))
        for unit in done
        for one in unit.result or []
    ]


def through(engine: Engine, work: EveryOracle, memory: Any = None) -> list[Any]:
    with engine as hands:
        return shown(list(hands.run(PerThread(work), topics(), memory)))


def test_pieces_through_engines_are_the_search_in_one_go() -> None:
    here = [one for topic in topics() for one in every().worker.of(topic)]
    alone = [(o.references, o.hits, o.count, o.count_all, o.proved, list(o.optima)) for o in here]
    assert len(alone) == 8
    assert through(Serial(), every()) == alone
    assert through(Threads(3), every()) == alone
    limited = through(Serial(), every(Limits(seconds=600)))
    assert limited == alone, "with a limit nothing goes elsewhere, and the sets are the same"


def test_all_that_goes_elsewhere_can_be_sent() -> None:
    """What a cluster sends, and what comes back from it, pickled: topics, pieces, and what waits for them."""

    class Posting(Serial):
        def start(self, ticket: int, work: Any, unit: Any) -> None:
            def there(unit: Any) -> Any:
                return posted(posted(work)(unit))

            super().start(ticket, there, posted(unit))

    def posted(thing: Any) -> Any:
        return pickle.loads(pickle.dumps(thing))

    assert through(Posting(), every()) == through(Serial(), every())


def test_hard_problems_do_go_elsewhere() -> None:
    sent: list[int] = []

    class Counting(Serial):
        def start(self, ticket: int, work: Any, unit: Any) -> None:
            sent.append(ticket)
            super().start(ticket, work, unit)

    through(Counting(), every())
    assert len(sent) > 2 + 8, "topics, and pieces of their problems"


def test_pieces_that_are_stored_are_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(tmp_path / "store") as store:
        first = through(Serial(), every(), Kept(store, "optima"))
        kept = len(store)

        def never(*_: Any) -> None:
            raise AssertionError("everything is in the store")

        monkeypatch.setattr(pieces, "together", never)
        assert through(Serial(), every(), Kept(store, "optima")) == first
        assert len(store) == kept > 2
