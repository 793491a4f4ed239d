"""What is written is whole or not there, and errors become one line and an exit code."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import click
import pytest

from topline.cli.common import emit, exit_code_of, json_line, whole_file
from topline.errors import CorpusError, OutputError, SearchLimit, Where


class FullDisk:
    """A stream on which every write fails as on a full disk."""

    def __init__(self, stream: IO[Any]) -> None:
        self.stream = stream

    def write(self, _: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def write_and_stop(path: Path, stop: BaseException) -> None:
    with whole_file(path) as stream:
        stream.write("new")
        raise stop


def test_a_file_appears_only_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with whole_file(path) as stream:
        stream.write("half")
        assert not path.exists()
    assert path.read_text() == "half"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.jsonl"]


@pytest.mark.parametrize("stop", [ValueError("no"), KeyboardInterrupt()])
def test_what_was_there_stays_when_writing_stops(tmp_path: Path, stop: BaseException) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("old")
    with pytest.raises(type(stop)):
        write_and_stop(path, stop)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.jsonl"]


def test_a_full_disk_is_a_typed_error_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("old")
    with pytest.raises(OutputError, match=r"out\.jsonl: No space left on device"), whole_file(path) as stream:
        FullDisk(stream).write("new")
    assert path.read_text() == "old"


def test_a_folder_that_is_not_there_is_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot write"):
        emit([{"a": 1}], as_json=True, table="plain", out=tmp_path / "no" / "out")


def test_a_folder_in_place_of_a_file_is_a_typed_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=f"{tmp_path}: cannot write: Is a directory"):
        emit([{"a": 1}], as_json=True, table="plain", out=tmp_path)


def test_a_link_stays_and_the_file_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "file", tmp_path / "link"
    link.symlink_to(target)
    for text in ("new", "newer"):
        with whole_file(link) as stream:
            stream.write(text)
        assert link.is_symlink()
        assert target.read_text() == text


def test_a_pipe_is_written_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with whole_file(pipe) as stream:
        stream.write("row")
    assert os.read(reader, 100) == b"row"
    os.close(reader)
    assert pipe.is_fifo()


def test_a_new_file_has_a_new_files_permissions_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    plain, kept = tmp_path / "plain", tmp_path / "kept"
    plain.write_text("")
    kept.write_text("")
    kept.chmod(0o600)
    for name in ("new", "kept"):
        with whole_file(tmp_path / name) as stream:
            stream.write("x")
    assert (tmp_path / "new").stat().st_mode == plain.stat().st_mode
    assert kept.stat().st_mode & 0o777 == 0o600


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    script = "from topline.cli.main import main; main(['idf', 'sample:news', '--json'])"
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert (process.wait(), process.stderr.read()) == (0, b"")


def test_json_lines_keep_letters_and_escape_what_utf8_cannot_hold() -> None:
    assert json_line({"a": "é"}) == '{"a": "é"}\n'
    assert json.loads(json_line({"a": "\ud800"}).encode()) == {"a": "\ud800"}


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (
            CorpusError("bad", where=Where("f", 3, "d1"), hint="mend it"),
            2,
            "topline: f:3 (d1): bad (mend it)",
        ),
        (SearchLimit("time is up"), 3, "topline: time is up"),
        (KeyboardInterrupt(), 130, "topline: interrupted"),
        (click.UsageError("what?"), 2, "what?"),
        (PermissionError(13, "Permission denied", "secret"), 2, "topline: secret: Permission denied"),
    ],
)
def test_errors_become_one_line_and_an_exit_code(
    error: BaseException, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    group = click.Group()

    @group.command()
    def fail() -> None:
        raise error

    assert exit_code_of(group, ["fail"]) == code
    assert said in capsys.readouterr().err
