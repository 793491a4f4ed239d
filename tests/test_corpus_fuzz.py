"""Whatever bytes a file holds, a reader gives records or a CorpusError: no other exception, and no hang."""

from collections.abc import Callable
from pathlib import Path

import pytest
from bench.fuzz import SEEDS, Seed
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import damaged
from topline.corpus.check import check_summary, check_topic
from topline.corpus.records import Summary, Topic
from topline.errors import CorpusError, Where

READERS = [pytest.param(seed, id=seed.name) for seed in SEEDS]


def outcome(seed: Seed, folder: Path, data: bytes) -> list[Topic | Summary]:
    """What reading gives, with bad records skipped; nothing where the file as a whole is refused."""
    try:
        return list(seed.read(seed.write(folder, data)))
    except CorpusError:
        return []


def checked(records: list[Topic | Summary]) -> None:
    """What is given holds what every record must hold."""
    for record in records:
        check: Callable[..., None] = check_topic if isinstance(record, Topic) else check_summary
        check(record, Where())
        record.id.encode("utf-8")
        for text in record.texts() if isinstance(record, Topic) else record.sentences:
            text.encode("utf-8")


@pytest.mark.parametrize("seed", READERS)
def test_the_undamaged_file_is_read(seed, tmp_path):
    assert len(outcome(seed, tmp_path, seed.data)) == seed.records


@pytest.mark.parametrize("seed", READERS)
@settings(max_examples=40, deadline=5000)
@given(data=st.data())
def test_damaged_files(seed, data, tmp_path_factory):
    checked(outcome(seed, tmp_path_factory.mktemp("f"), data.draw(damaged(seed.data))))


@pytest.mark.parametrize("seed", READERS)
@settings(max_examples=20, deadline=5000)
@given(data=st.binary(max_size=200))
def test_any_bytes(seed, data, tmp_path_factory):
    checked(outcome(seed, tmp_path_factory.mktemp("f"), data))
