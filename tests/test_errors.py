"""Errors say what, where and what to do, and survive the way from a worker."""

import pickle

import pytest

from topline.errors import BudgetError, CorpusError, MissingExtra, ToplineError, Where


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (CorpusError("two topics have this id", where=Where("c.jsonl", 7, "d1"), hint="rename one"),
         "c.jsonl:7 (d1): two topics have this id (rename one)"),
        (CorpusError("odd", where=Where(line=3)), "line 3: odd"),
        (CorpusError("odd", where=Where(id="d1")), "d1: odd"),
        (BudgetError("no"), "no"),
        (MissingExtra("polars", "data"), "polars is not installed (pip install 'topline[data]')"),
    ],
)  # fmt: skip
def test_an_error_reads_as_one_line(error: ToplineError, text: str) -> None:
    assert str(error) == text
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.where, copy.hint) == (type(error), text, error.where, error.hint)
