"""Output that is written whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from topline.errors import OutputError, Where


@contextmanager
def whole_file(path: Path, mode: str = "w", *, lasting: bool = True) -> Iterator[IO[Any]]:
    """A file that appears under its name only when it is complete; until then the old one stays.

    A link stays a link: the file it leads to is replaced. A device or a pipe is written as it is. One that
    need not outlast a power cut is not `lasting`: nobody then waits for the disk.
    """
    encoding, newline = (None, None) if "b" in mode else ("utf-8", "\n")
    if path.exists() and not path.is_file() and not path.is_dir():
        with _said_plainly(path), path.open(mode, encoding=encoding, newline=newline) as stream:
            yield stream
        return
    final = Path(os.path.realpath(path))
    handle, temporary = _begun(path, final)
    try:
        with _said_plainly(path), os.fdopen(handle, mode, encoding=encoding, newline=newline) as stream:
            yield stream
            stream.flush()
            if lasting:
                os.fsync(stream.fileno())
        try:
            _copy_permissions(final, temporary)
            os.replace(temporary, final)
        except OSError as error:
            raise _unwritten(path, error) from error
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


def _begun(path: Path, final: Path) -> tuple[int, str]:
    """An empty file beside the one that is meant, for it to be moved there at once."""
    try:
        if final.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        return tempfile.mkstemp(prefix=f".{final.name}.", dir=final.parent)
    except OSError as error:
        raise _unwritten(path, error) from error


def _unwritten(path: Path, error: OSError) -> OutputError:
    return OutputError(f"cannot write: {error.strerror}", where=Where(file=str(path)))


@contextmanager
def _said_plainly(path: Path) -> Iterator[None]:
    """A disk that is full or broken is our error; what else goes wrong meanwhile is not the output's."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
            raise
        what = f"{error.strerror}; what was there before is untouched"
        raise OutputError(what, where=Where(file=str(path)), hint="free some space and run again") from error


def _copy_permissions(path: Path, temporary: str) -> None:
    """Give the new file the old one's permissions, or those of any new file."""
    if path.exists():
        mode = path.stat().st_mode & 0o777
    else:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    os.chmod(temporary, mode)


_LINE = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": "), allow_nan=False)
_ASCII_LINE = json.JSONEncoder(separators=(", ", ": "), allow_nan=False)
# (made once: `json.dumps` makes one for every line)


def json_line(row: Mapping[str, Any]) -> str:
    """A record as a line of JSON; what UTF-8 cannot hold (lone surrogates) is escaped."""
    line = _LINE.encode(row)
    if not line.isascii():
        try:
            line.encode("utf-8")
        except UnicodeEncodeError:
            line = _ASCII_LINE.encode(row)
    return line + "\n"
