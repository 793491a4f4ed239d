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
def whole_file(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """A file that appears under its name only when it is complete; until then the old one stays."""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise OutputError(f"cannot write: {error.strerror}", where=Where(file=str(path))) from error
    try:
        encoding = None if "b" in mode else "utf-8"
        with os.fdopen(handle, mode, encoding=encoding, newline=None if "b" in mode else "\n") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        _copy_permissions(path, temporary)
        os.replace(temporary, path)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
            what = f"{error.strerror}; what was there before is untouched"
            raise OutputError(
                what, where=Where(file=str(path)), hint="free some space and run again"
            ) from error
        raise
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


def _copy_permissions(path: Path, temporary: str) -> None:
    """Give the new file the old one's permissions, or those of any new file."""
    if path.exists():
        mode = path.stat().st_mode & 0o777
    else:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    os.chmod(temporary, mode)


def json_line(row: Mapping[str, Any]) -> str:
    """A record as a line of JSON; what UTF-8 cannot hold (lone surrogates) is escaped."""
    line = json.dumps(row, ensure_ascii=False, separators=(", ", ": "), allow_nan=False)
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        line = json.dumps(row, separators=(", ", ": "), allow_nan=False)
    return line + "\n"
