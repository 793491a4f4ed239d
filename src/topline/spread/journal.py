"""Finished pieces of a long run, kept in a file: interrupted, it loses at most the piece it was at."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from threading import Lock

from topline.errors import CorpusError, OutputError, Where
from topline.spread.encode import Encoding, Ints
from topline.spread.extracts import Frame

_BEGINNING = '{"piece": "'


class Journal:
    """A file of JSON Lines, a finished piece a line; a last line that was cut short is dropped."""

    def __init__(self, path: Path | None = None) -> None:
        self.elsewhere: dict[str, Ints] | None = None
        """By fingerprint, long enumerations that were done elsewhere; None if all is done here."""
        self._path = path
        self._done: dict[str, dict[int, int]] = {}
        self._lock = Lock()
        if path is not None and path.exists():
            self._read(path)

    @property
    def kept(self) -> bool:
        """Whether there is a file."""
        return self._path is not None

    def _read(self, path: Path) -> None:
        text = path.read_bytes().decode("utf-8", "replace")
        whole = text[: text.rfind("\n") + 1]
        last = text[len(whole) :]
        if last[: len(_BEGINNING)] != _BEGINNING[: len(last)]:
            # not ours to cut short
            raise _no_journal(path, whole.count("\n") + 1)
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                record = json.loads(line)
                counts = {int(index): int(count) for index, count in record["counts"].items()}
                self._done[str(record["piece"])] = counts
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise _no_journal(path, number) from error
        if whole != text:
            path.write_text(whole, "utf-8")

    def get(self, piece: str) -> dict[int, int] | None:
        """What a piece came to, if it was finished before."""
        return self._done.get(piece)

    def once(self, piece: str, count: Callable[[], dict[int, int]]) -> dict[int, int]:
        """What a piece came to: from the file, or counted now and kept."""
        found = self.get(piece)
        if found is None:
            found = count()
            self.put(piece, found)
        return found

    def put(self, piece: str, counts: Mapping[int, int]) -> None:
        """Keep what a piece came to."""
        if self._path is None:
            return
        line = json.dumps({"piece": piece, "counts": {str(index): count for index, count in counts.items()}})
        try:
            with self._lock, self._path.open("a", encoding="utf-8") as stream:
                stream.write(line + "\n")
        except OSError as error:
            where = Where(file=str(self._path))
            raise OutputError(f"cannot write the journal: {error.strerror}", where=where) from error


def _no_journal(path: Path, line: int) -> CorpusError:
    return CorpusError(
        "this is no journal of a spread",
        where=Where(file=str(path), line=line),
        hint="give another file to --resume, or delete this one",
    )


def fingerprint(encoding: Encoding, frames: list[Frame]) -> str:
    """A name for a piece of work that two different ones do not share."""
    digest = sha256()
    for array in (encoding.lengths, encoding.state, encoding.weights, encoding.groups, *encoding.values):
        digest.update(array.tobytes() + b"|")
    for sentence in encoding.sentences:
        rows = [
            (start, sorted(count.items()))
            for start, count in zip(sentence.starts, sentence.counts, strict=True)
        ]
        digest.update(repr(rows).encode())
    digest.update(repr(frames).encode())
    return digest.hexdigest()[:32]
