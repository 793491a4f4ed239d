"""Finished work, kept: a killed run goes on where it stopped, and what did not change is not computed again.

A result lies under the digest of what was asked: the verb with its options, the input, and the version
that answered. The store is one SQLite file in write-ahead mode: a result is there whole or not at all,
whatever kills the process, and several runs may use it at once.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Any

from topline import __version__
from topline.errors import OutputError, Where

FORMAT = 2
"""Of the store itself; goes up when its tables change."""
_BUSY = 60.0
"""Seconds to wait for another run that is writing."""


def digest(*parts: object) -> str:
    """The name of a piece of work: equal parts, equal name. Parts must be made of what JSON knows."""
    text = json.dumps([__version__, *parts], sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode("ascii"), digest_size=20).hexdigest()


_SEAL = 16
"""Characters of the checksum before a value."""


def _sealed(text: str) -> str:
    return hashlib.blake2b(text.encode("ascii"), digest_size=_SEAL // 2).hexdigest() + text


def _unsealed(kept: Any) -> str | None:
    """The value behind its checksum; None if they do not belong together."""
    text = kept[_SEAL:] if isinstance(kept, str) and kept.isascii() else ""
    return text if text and _sealed(text) == kept else None


class Store:
    """Results by digest, as JSON values. Threads of a process may share it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(
                path, timeout=_BUSY, isolation_level=None, check_same_thread=False
            )
            self._prepare()
        except (sqlite3.Error, OSError) as error:
            raise self._failed(error) from error

    def _prepare(self) -> None:
        run = self._database.execute
        self._write_ahead()
        run("PRAGMA synchronous = NORMAL")
        run("BEGIN IMMEDIATE")
        run("CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID")
        run("CREATE TABLE IF NOT EXISTS results (digest TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID")
        run("INSERT OR IGNORE INTO about VALUES ('made by', ?)", (f"topline {__version__}, store {FORMAT}",))
        (made_by,) = run("SELECT value FROM about WHERE name = 'made by'").fetchone()
        run("COMMIT")
        if made_by != f"topline {__version__}, store {FORMAT}":
            self._database.close()
            raise OutputError(
                f"this store was made by {made_by}; this is topline {__version__}, store {FORMAT}",
                where=Where(file=str(self.path)),
                hint="delete it, or name another with --store",
            )

    def _write_ahead(self) -> None:
        """Two runs that begin together both ask for this mode, and SQLite lets neither wait for the other."""
        until = monotonic() + _BUSY
        while True:
            try:
                self._database.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or monotonic() > until:
                    raise
                sleep(0.01)

    def get(self, name: str) -> Any | None:
        """The result of that digest; None if it was never computed, or if a broken disk has changed it."""
        try:
            with self._lock:
                row = self._database.execute("SELECT value FROM results WHERE digest = ?", (name,)).fetchone()
                if row is None:
                    return None
                text = _unsealed(row[0])
                if text is None:
                    self._database.execute("DELETE FROM results WHERE digest = ?", (name,))
                    return None
        except sqlite3.Error as error:
            raise self._failed(error) from error
        return json.loads(text)

    def put(self, name: str, value: Any) -> None:
        """Keep a result; if another run has put one there, that one stays (it is equal)."""
        text = _sealed(json.dumps(value, separators=(",", ":")))
        try:
            with self._lock:
                self._database.execute("INSERT OR IGNORE INTO results VALUES (?, ?)", (name, text))
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def __len__(self) -> int:
        with self._lock:
            (count,) = self._database.execute("SELECT COUNT(*) FROM results").fetchone()
        return int(count)

    def close(self) -> None:
        """Fold the log into the file."""
        with suppress(sqlite3.Error):  # a disk that is full keeps the log beside the file: nothing is lost
            self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _failed(self, error: Exception) -> OutputError:
        return OutputError(
            f"the store cannot be used: {error}",
            where=Where(file=str(self.path)),
            hint="is the disk full, or the file something else? Results kept so far are not lost",
        )
