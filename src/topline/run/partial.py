"""A file that grows in parts beside the place where it will be: what is finished outlives the run.

A part is named with the digests of what went in and of what came out, so that one that is half written, or
that was made of other texts, is known for what it is. One run at a time works in such a folder.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import IO

from topline.errors import OutputError, Where
from topline.run.whole import whole_file

try:
    import fcntl
except ImportError:  # where there is no such lock, two runs on one file are the user's to avoid
    fcntl = None  # type: ignore[assignment]

_NAME = re.compile(r"part-(\d{6,})-(\d+)-([0-9a-f]{32})-([0-9a-f]{32})\.jsonl")


def digest(data: bytes) -> str:
    """What a part's name says of bytes."""
    return blake2b(data, digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Part:
    """A finished part."""

    path: Path
    taken: int
    """Topics that went in; those that were skipped are not in the part."""
    source: str
    """The digest of their texts."""
    digest: str
    """The digest of what lies there."""

    def lines(self) -> list[str] | None:
        """The part's lines; None if they are not what was written."""
        data = self.path.read_bytes()
        return data.decode("utf-8").split("\n")[:-1] if digest(data) == self.digest else None


class Partial:
    """The folder of a file's parts, held by one run until it is closed."""

    def __init__(self, out: Path, signature: str) -> None:
        self.path = out.with_name(f".{out.name}.parts")
        self.signature = signature
        try:
            self._lock = self._hold()
            self._check()
        except OSError as error:
            raise OutputError(f"cannot write: {error.strerror}", where=self._where) from error

    @property
    def _where(self) -> Where:
        return Where(file=str(self.path))

    def _hold(self) -> int | None:
        """Lock the folder; the lock goes when the process does, however it ends."""
        while True:
            self.path.mkdir(parents=True, exist_ok=True)
            if fcntl is None:
                return None
            held = os.open(self.path, os.O_RDONLY)
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                os.close(held)
                raise OutputError(
                    "another run is writing this file", where=self._where, hint="wait for it, or stop it"
                ) from error
            except OSError:
                return held  # a file system without locks
            # the run that had it may have finished and removed the folder meanwhile
            if self._is_there(held):
                return held
            os.close(held)

    def _is_there(self, held: int) -> bool:
        with suppress(FileNotFoundError):
            return os.path.samestat(os.fstat(held), os.stat(self.path))
        return False

    def _check(self) -> None:
        """The parts of a run with other options are not this run's."""
        note = self.path / "signature"
        found = note.read_text("utf-8") if note.exists() else self.signature
        if found != self.signature and any(self.path.glob("part-*")):
            self.close()
            raise OutputError(
                f"parts of a run with other options lie there ({found}); this run is {self.signature}",
                where=self._where,
                hint="finish that run, or delete the folder",
            )
        with whole_file(note) as stream:
            stream.write(self.signature)

    def finished(self) -> Iterator[Part]:
        """The parts without a gap from the first on; then whatever else lies there is deleted."""
        found: dict[int, Part] = {}
        for path in sorted(self.path.glob("part-*")):
            if match := _NAME.fullmatch(path.name):
                found[int(match[1])] = Part(path, int(match[2]), match[3], match[4])
        number = 0
        while number in found:
            yield found[number]
            number += 1

    def forget(self, first: int) -> None:
        """Delete the parts from a number on: they are done again."""
        for path in self.path.glob("part-*"):
            match = _NAME.fullmatch(path.name)
            if match is None or int(match[1]) >= first:
                path.unlink()

    def put(self, number: int, taken: int, source: str, text: str) -> None:
        """Keep a part. Its digest tells whether all of it reached the disk, so nobody waits for that."""
        name = f"part-{number:06d}-{taken}-{source}-{digest(text.encode())}.jsonl"
        with whole_file(self.path / name, lasting=False) as stream:
            stream.write(text)

    def paths(self) -> list[Path]:
        """All parts in order."""
        return sorted(self.path.glob("part-*.jsonl"), key=lambda path: int(path.name.split("-")[1]))

    def copy(self, stream: IO[bytes]) -> None:
        """The parts behind one another."""
        for path in self.paths():
            with path.open("rb") as part:
                shutil.copyfileobj(part, stream)

    def remove(self) -> None:
        """The file is there: its parts go."""
        shutil.rmtree(self.path)

    def close(self) -> None:
        """Let the folder go; one without any part is of no use to anybody."""
        if (self._lock is None or self._is_there(self._lock)) and not any(self.path.glob("part-*")):
            shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
