"""Summaries by topic, whatever order they came in, kept on disk: a corpus of any size can be matched."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from itertools import islice

from topline.corpus.records import Summary
from topline.errors import CorpusError, Where

_BATCH = 1000


class Shelf:
    """Takes summaries in any order and gives back each topic's, systems in order of first appearance.

    They lie in a private temporary database that the operating system removes; a small one never
    leaves memory.
    """

    def __init__(self, summaries: Iterable[Summary] = ()) -> None:
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute(
            "CREATE TABLE shelf (id TEXT, place INTEGER, text TEXT, taken INTEGER DEFAULT 0,"
            " PRIMARY KEY (id, place)) WITHOUT ROWID"
        )
        self.systems: dict[str, int] = {}
        """How many summaries each system gave."""
        self._places: dict[str, int] = {}
        stream = iter(summaries)
        while batch := list(islice(stream, _BATCH)):
            self._put(batch)

    def _put(self, batch: list[Summary]) -> None:
        self._database.execute("BEGIN")
        for summary in batch:
            place = self._places.setdefault(summary.system, len(self._places))
            self.systems[summary.system] = self.systems.get(summary.system, 0) + 1
            text = json.dumps([summary.sentences, summary.selected])
            try:
                self._database.execute(
                    "INSERT INTO shelf (id, place, text) VALUES (?, ?, ?)", (_key(summary.id), place, text)
                )
            except sqlite3.IntegrityError:
                raise CorpusError(
                    f"system {summary.system!r} has two summaries of this topic",
                    where=Where(id=summary.id),
                    hint="keep one, or give the systems different names",
                ) from None
        self._database.execute("COMMIT")

    def take(self, id: str) -> list[Summary]:
        """The summaries of a topic; the topic counts as known from now on."""
        names = list(self._places)
        rows = self._database.execute(
            "UPDATE shelf SET taken = 1 WHERE id = ? RETURNING place, text", (_key(id),)
        ).fetchall()
        return [_summary(id, names[place], text) for place, text in sorted(rows)]

    def untaken(self) -> Iterator[tuple[str, str]]:
        """Ids and systems of summaries whose topic never came."""
        names = list(self._places)
        rows = self._database.execute("SELECT id, place FROM shelf WHERE taken = 0 ORDER BY id, place")
        return ((json.loads(id), names[place]) for id, place in rows)

    def refuse_strangers(self) -> None:
        """An error if some summary's topic never came."""
        strangers = list(self.untaken())
        if strangers:
            id, system = strangers[0]
            more = f", and {len(strangers) - 1} more" if len(strangers) > 1 else ""
            raise CorpusError(
                f"{system!r} summarises a topic that the corpus does not have{more}",
                where=Where(id=id),
                hint="ids must be equal to the letter; topline validate CORPUS --systems FILE lists them all",
            )

    def close(self) -> None:
        """Give the disk space back now."""
        self._database.close()


def _key(id: str) -> str:
    """Ids may hold what the database's text cannot (lone surrogates): their JSON can."""
    return json.dumps(id)


def _summary(id: str, system: str, text: str) -> Summary:
    sentences, selected = json.loads(text)
    return Summary(id, system, tuple(sentences), None if selected is None else tuple(selected))
