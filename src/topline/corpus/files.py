"""Files as they come: plain or gzipped, UTF-8 with or without its mark, read within bounds."""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO, NamedTuple, cast

from topline.errors import CorpusError, Where

LINE_LIMIT = 64 * 2**20
"""Bytes of the longest line, and of the longest file that is read whole, unless the caller says otherwise."""

STDIN = Path("-")
_CHUNK = 2**20
_DEEPEST = 100
_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF32_MARKS = (b"\xff\xfe\0\0", b"\0\0\xfe\xff")
_GZIP_MARK = b"\x1f\x8b\x08"


class Line(NamedTuple):
    """A line of a file: its number from 1, and its bytes; None where it was longer than the limit."""

    number: int
    data: bytes | None


def place(path: Path, line: int | None = None, id: str | None = None) -> Where:
    """Where something was found."""
    return Where(file="stdin" if path == STDIN else str(path), line=line, id=id)


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The file's bytes, unpacked if it is gzipped; what goes wrong while reading becomes a CorpusError."""
    try:
        with _stream(path) as stream:
            yield stream
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorpusError(
            f"damaged gzip file: {error}", where=place(path), hint="fetch or pack it again"
        ) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CorpusError(f"cannot read: {reason}", where=place(path)) from error


def _stream(path: Path) -> AbstractContextManager[IO[bytes]]:
    if path == STDIN:
        return nullcontext(sys.stdin.buffer)
    if path.suffix.lower() == ".gz":
        return cast(IO[bytes], gzip.open(path, "rb"))
    return path.open("rb")


def lines(path: Path, limit: int = LINE_LIMIT) -> Iterator[Line]:
    """The lines of a file that are not blank."""
    return (line for line in lines_and_blanks(path, limit) if line.data is None or not line.data.isspace())


def lines_and_blanks(path: Path, limit: int = LINE_LIMIT) -> Iterator[Line]:
    """The lines of a file; of an overlong one no more than the limit is ever held."""
    with opened(path) as stream:
        number = 0
        while data := stream.readline(limit + 1):
            number += 1
            if number == 1:
                data = _without_mark(data, path)
            if len(data) > limit and not data.endswith(b"\n"):
                yield Line(number, None)
                _skip_line(stream)
            elif data:
                yield Line(number, data)


def _skip_line(stream: IO[bytes]) -> None:
    """Move behind the end of the line that was begun."""
    while (rest := stream.readline(_CHUNK)) and not rest.endswith(b"\n"):
        del rest


def _without_mark(data: bytes, path: Path) -> bytes:
    """The first bytes of a file without the mark of UTF-8; the marks of UTF-16 and gzip are errors."""
    if data.startswith(_GZIP_MARK):
        hint = "let its name end in .gz, or unpack it: zcat FILE | topline VERB -"
        raise CorpusError("this file is gzipped", where=place(path), hint=hint)
    if data.startswith(_UTF32_MARKS):
        hint = "convert it: iconv -f UTF-32 -t UTF-8"
        raise CorpusError("this file is UTF-32, not UTF-8", where=place(path), hint=hint)
    if data.startswith(_UTF16_MARKS):
        hint = "convert it: iconv -f UTF-16 -t UTF-8"
        raise CorpusError("this file is UTF-16, not UTF-8", where=place(path), hint=hint)
    return data.removeprefix(_UTF8_MARK)


def too_long(path: Path, line: int, limit: int) -> CorpusError:
    """The error for a line that is longer than the limit."""
    return CorpusError(
        f"the line is longer than {limit:,} bytes",
        where=place(path, line),
        hint="one topic a line; raise the limit if it is meant",
    )


def decoded(data: bytes, where: Where) -> str:
    """Bytes as text, or an error that says which byte is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"bad UTF-8: byte {error.start + 1} is 0x{data[error.start]:02x}"
        raise CorpusError(what, where=where, hint="convert it: iconv -f LATIN1 -t UTF-8") from error


def whole(path: Path, limit: int = LINE_LIMIT) -> str:
    """A whole text file, within the limit; a file with NUL bytes is not text."""
    with opened(path) as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise CorpusError(
            f"the file is longer than {limit:,} bytes", where=place(path), hint="one text a file"
        )
    data = _without_mark(data, path)
    if b"\0" in data:
        raise CorpusError("the file holds NUL bytes: it is not text", where=place(path))
    return decoded(data, place(path))


def head(path: Path, size: int = 4096) -> bytes:
    """The first bytes of a file, for guessing what it is."""
    if path == STDIN:
        return b""
    with opened(path) as stream:
        return stream.read(size).removeprefix(_UTF8_MARK)


def walk(folder: Path) -> Iterator[Path]:
    """All files below a folder, by name; hidden ones left out, and no folder entered twice by links."""
    yield from _walk(folder, frozenset())


def _walk(folder: Path, above: frozenset[str]) -> Iterator[Path]:
    real = os.path.realpath(folder)
    if real in above:
        return
    if len(above) > _DEEPEST:
        raise CorpusError(f"folders nested over {_DEEPEST} deep", where=place(folder))
    for path in entries(folder):
        if path.is_dir():
            yield from _walk(path, above | {real})
        elif path.is_file():
            yield path


def entries(folder: Path) -> list[Path]:
    """What a folder holds, by name, hidden entries left out."""
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        raise CorpusError(f"cannot read: {error.strerror}", where=place(folder)) from error
