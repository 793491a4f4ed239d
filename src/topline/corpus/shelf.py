"""Summaries by topic, whatever order they came in, kept on disk: a corpus of any size can be matched."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from itertools import islice

from topline.corpus.match import resolved
from topline.corpus.reading import Reading
from topline.corpus.records import Summary, Topic
from topline.errors import CorpusError, OutputError, Where

_BATCH = 1000


class Shelf:
    """Takes summaries in any order and gives back each topic's, systems in order of first appearance.

    They lie in a private temporary database that the operating system removes; a small one never
    leaves memory. What turns out to be of no use later (a summary of no topic, a sentence that the topic
    does not have) is an error, or is skipped and counted by the reading it came from if that may skip.
    """

    def __init__(self, summaries: Iterable[Summary] = ()) -> None:
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute(
            "CREATE TABLE shelf (id TEXT, place INTEGER, text TEXT, file INTEGER, line INTEGER,"
            " taken INTEGER DEFAULT 0, PRIMARY KEY (id, place)) WITHOUT ROWID"
        )
        self.systems: dict[str, int] = {}
        """How many summaries each system gave."""
        self._places: dict[str, int] = {}
        self._names: list[str] = []
        self._files: list[str | None] = [None]
        self._reading = summaries if isinstance(summaries, Reading) else None
        stream = self._placed(summaries)
        try:
            while batch := list(islice(stream, _BATCH)):
                self._put(batch)
        except sqlite3.OperationalError as error:
            hint = "SQLITE_TMPDIR names another folder for temporary files"
            raise OutputError(f"summaries cannot be kept on disk: {error}", hint=hint) from error

    def _placed(self, summaries: Iterable[Summary]) -> Iterator[tuple[Summary, Where]]:
        """Each summary with where it stood, as far as that is known."""
        for summary in summaries:
            yield summary, Where() if self._reading is None else self._reading.where

    def _put(self, batch: list[tuple[Summary, Where]]) -> None:
        self._database.execute("BEGIN")
        for summary, where in batch:
            place = self._places.setdefault(summary.system, len(self._places))
            if place == len(self._names):
                self._names.append(summary.system)
            if where.file != self._files[-1]:
                self._files.append(where.file)
            self.systems[summary.system] = self.systems.get(summary.system, 0) + 1
            text = json.dumps([summary.sentences, summary.selected])
            try:
                self._database.execute(
                    "INSERT INTO shelf (id, place, text, file, line) VALUES (?, ?, ?, ?, ?)",
                    (_key(summary.id), place, text, len(self._files) - 1, where.line),
                )
            except sqlite3.IntegrityError:
                raise CorpusError(
                    f"system {summary.system!r} has two summaries of this topic",
                    where=Where(where.file, where.line, summary.id),
                    hint="keep one, or give the systems different names",
                ) from None
        self._database.execute("COMMIT")

    def take(self, id: str) -> list[Summary]:
        """The summaries of a topic; the topic counts as known from now on."""
        return [summary for summary, _ in self._take(id)]

    def of(self, topic: Topic) -> list[Summary]:
        """The same, `selected` resolved to sentences; those that select what is not there are refused."""
        kept = []
        for summary, where in self._take(topic.id):
            try:
                kept.append(resolved(summary, topic, where))
            except CorpusError as error:
                self._refuse(error)
        return kept

    def _take(self, id: str) -> Iterator[tuple[Summary, Where]]:
        rows = self._database.execute(
            "UPDATE shelf SET taken = 1 WHERE id = ? RETURNING place, text, file, line", (_key(id),)
        ).fetchall()
        for place, text, file, line in sorted(rows):
            yield _summary(id, self._names[place], text), Where(self._files[file], line, id)

    def untaken(self) -> Iterator[tuple[str, str]]:
        """Ids and systems of summaries whose topic never came."""
        return ((where.id or "", system) for system, where in self._untaken())

    def _untaken(self) -> Iterator[tuple[str, Where]]:
        rows = self._database.execute(
            "SELECT id, place, file, line FROM shelf WHERE taken = 0 ORDER BY id, place"
        )
        for id, place, file, line in rows:
            yield self._names[place], Where(self._files[file], line, json.loads(id))

    def refuse_strangers(self) -> None:
        """An error if some summary's topic never came."""
        ((strangers,),) = self._database.execute("SELECT COUNT(*) FROM shelf WHERE taken = 0")
        more = f", and {strangers - 1} more" if strangers > 1 else ""
        hint = "ids must be equal to the letter; topline validate CORPUS --systems FILE lists them all"
        for system, where in self._untaken():
            what = f"{system!r} summarises a topic that the corpus does not have{more}"
            self._refuse(CorpusError(what, where=where, hint=hint))

    def _refuse(self, error: CorpusError) -> None:
        if self._reading is None:
            raise error
        self._reading.refuse(error)

    def close(self) -> None:
        """Give the disk space back now."""
        self._database.close()


def _key(id: str) -> str:
    """Ids may hold what the database's text cannot (lone surrogates): their JSON can."""
    return json.dumps(id)


def _summary(id: str, system: str, text: str) -> Summary:
    sentences, selected = json.loads(text)
    return Summary(id, system, tuple(sentences), None if selected is None else tuple(selected))
