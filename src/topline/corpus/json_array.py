"""A file that is one JSON list, read element by element: the whole is never in memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from topline.corpus.files import opened, place
from topline.corpus.jsonl import parsed
from topline.errors import CorpusError, Where

_CHUNK = 2**16
_MARK = b"\xef\xbb\xbf"
_OUTSIDE = re.compile(rb'["\[\]{},]')
_IN_STRING = re.compile(rb'["\\]')


def elements(path: Path, limit: int) -> Iterator[tuple[Where, Any]]:
    """Each element's place and value, or the error it is; a list that is not closed raises."""
    scanner = _Scanner(path, limit)
    with opened(path) as stream:
        first = stream.read(_CHUNK).removeprefix(_MARK)
        yield from scanner.feed(first)
        while chunk := stream.read(_CHUNK):
            yield from scanner.feed(chunk)
    scanner.finish()


class _Scanner:
    """Finds where elements end: by brackets, commas and quotes, each byte looked at once."""

    def __init__(self, path: Path, limit: int) -> None:
        self.path, self.limit = path, limit
        self.depth = 0
        """Brackets that are open; 1 is the list itself."""
        self.begun = self.closed = False
        self.line = 1
        """The line where the current element begins."""
        self._in_string = self._escaped = False
        self._parts: list[bytes] = []
        self._held = 0

    def feed(self, chunk: bytes) -> Iterator[tuple[Where, Any]]:
        """The elements that end in this chunk."""
        at = kept = 0
        if self.closed:
            self._keep(chunk)
            return
        if self._escaped:
            self._escaped, at = False, 1
        while match := (_IN_STRING if self._in_string else _OUTSIDE).search(chunk, at):
            mark, at = match[0], match.end()
            if mark == b"\\":
                # the escaped byte may be the first of the next chunk
                self._escaped, at = at == len(chunk), at + 1
            elif mark == b'"':
                self._in_string = not self._in_string
            elif mark in b"[{":
                self.depth += 1
                if self.depth == 1 and not self.begun:
                    self._keep(chunk[kept : at - 1])
                    yield from self._element(closing=True)
                    self.begun, kept = True, at
            elif self.depth == 1:
                self._keep(chunk[kept : at - 1])
                yield from self._element(closing=mark != b",")
                kept = at
                if mark != b",":
                    self.depth, self.closed = 0, True
                    break
            elif mark != b",":
                self.depth -= 1
        self._keep(chunk[kept:])

    def finish(self) -> None:
        """Raise if the list is still open, or something stands behind it."""
        where = place(self.path, self.line)
        if not self.closed:
            raise CorpusError("not JSON: the list is not closed", where=where, hint="the file was cut short")
        if b"".join(self._parts).strip():
            raise CorpusError(
                "not JSON: something stands behind the list", where=where, hint="one list a file"
            )

    def _keep(self, part: bytes) -> None:
        self._parts.append(part)
        self._held += len(part)
        if self._held > self.limit:
            raise CorpusError(
                f"an element is longer than {self.limit:,} bytes",
                where=place(self.path, self.line),
                hint="raise the limit if it is meant",
            )

    def _element(self, *, closing: bool) -> Iterator[tuple[Where, Any]]:
        """The element held so far; before the closing bracket there may be none."""
        data = b"".join(self._parts)
        self._parts, self._held = [], 0
        body = data.lstrip()
        where = place(self.path, self.line + data.count(b"\n", 0, len(data) - len(body)))
        self.line += data.count(b"\n")
        if body or not closing:
            try:
                yield where, parsed(body, where)
            except CorpusError as error:
                yield where, error
