"""From a stream of documents to a corpus of topics: read once, clustered, written cluster by cluster.

Documents lie in a temporary file meanwhile; in memory a document takes a few numbers.
"""

from __future__ import annotations

import json
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from topline.corpus.check import Seen
from topline.corpus.dates import iso_date
from topline.corpus.files import LINE_LIMIT, STDIN
from topline.corpus.jsonl import rows, topic_json
from topline.corpus.read import read
from topline.corpus.sample import resolved
from topline.errors import CorpusError, Where
from topline.systems.background import Background, Census
from topline.systems.chronology import moment
from topline.systems.mead.cidr import Cidr, CidrOptions

Row = dict[str, Any]
_LINES = (".jsonl", ".ndjson")
_UNKNOWN_DAY = -1
AT_ONCE = 1 << 16
"""Characters whose words are counted at a time."""


@dataclass
class Tally:
    """What was odd about a stream."""

    documents: int = 0
    undated: int = 0
    """Documents without a date that can be read."""
    late: int = 0
    """Documents that are dated before one that came earlier."""
    skipped: int = 0


def read_stream(
    path: Path, tally: Tally, *, columns: str | None = None, skip_bad: bool = False
) -> Iterator[Row]:
    """The documents of a stream: JSON Lines with a document or a topic a line, or any corpus's documents."""
    seen = Seen()
    for row, where in _found(path, columns, tally if skip_bad else None):
        try:
            if isinstance(row, CorpusError):
                raise row
            _check(row, where)
            seen.add("document", row["id"], where)
        except CorpusError:
            if not skip_bad:
                raise
            tally.skipped += 1
            continue
        yield row


def _found(path: Path, columns: str | None, skips: Tally | None) -> Iterator[tuple[Row | CorpusError, Where]]:
    """Documents with their places, whatever the form of the stream."""
    where = resolved(path)
    name = where.name.lower().removesuffix(".gz")
    if where == STDIN or name.endswith(_LINES):
        for place, row in rows(where, LINE_LIMIT):
            documents = row.get("documents") if isinstance(row, dict) else None
            for document in documents if isinstance(documents, list) else [row]:
                yield document, place
        return
    reading = read(path, columns=columns, skip_bad=skips is not None)
    for topic in reading:
        for document in json.loads(topic_json(topic))["documents"]:
            yield document, reading.where
    if skips is not None:
        skips.skipped += reading.skipped_count


def _check(row: Any, where: Where) -> None:
    """Raise a CorpusError for what is no document."""
    if not isinstance(row, dict):
        raise CorpusError("a line must be a document, an object", where=where, hint='{"id": …, "text": …}')
    id = row.get("id")
    if not isinstance(id, str) or not id:
        raise CorpusError("a document without an id", where=where, hint='"id": "a" is what it is known by')
    where = Where(where.file, where.line, id)
    for name in ("date", "title"):
        if not isinstance(row.get(name, ""), str | None):
            raise CorpusError(f"{name} must be a string", where=where)
    given = [name for name in ("text", "sentences") if name in row]
    if len(given) != 1:
        raise CorpusError("one of text and sentences is needed", where=where, hint='"text": "…"')
    body = row[given[0]]
    strings = [body] if given == ["text"] else body
    if not isinstance(strings, list) or not all(isinstance(text, str) for text in strings):
        raise CorpusError(f"{given[0]} is not text", where=where, hint="a string, or a list of strings")
    if not any(text.strip() for text in strings):
        raise CorpusError("an empty document", where=where, hint="leave it out, or --skip-bad")


def text_of(row: Row) -> str:
    """A document's title and text in one."""
    body = [row["text"]] if "text" in row else row["sentences"]
    return "\n".join([row.get("title") or "", *body])


def _json(row: Row) -> bytes:
    """A document as JSON; what UTF-8 cannot hold (lone surrogates) is escaped."""
    try:
        return json.dumps(row, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        return json.dumps(row, allow_nan=False).encode()
    except ValueError as error:
        raise CorpusError("holds a number too large for JSON", where=Where(id=row["id"])) from error


class Spool:
    """Documents in a temporary file, in the order they came; gone when it is closed."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed by `close`
        self._starts = array("q", [0])
        self.seconds = array("d")
        """Each document's date as a time stamp; for those without, that of the one before."""
        self.days = array("i")
        """Each document's date as a day's number."""

    def add(self, row: Row, tally: Tally) -> None:
        """Put a document at the end."""
        date = row.get("date")
        when = moment(iso_date(date) or date) if date else None
        before = self.seconds[-1] if self.seconds else float("-inf")
        stamp = before if when is None else when.timestamp()
        tally.documents += 1
        tally.undated += when is None
        tally.late += stamp < before
        self.seconds.append(stamp)
        self.days.append(_UNKNOWN_DAY if when is None else when.toordinal())
        line = _json(row)
        self._file.write(line)
        self._starts.append(self._starts[-1] + len(line))

    def __len__(self) -> int:
        return len(self._starts) - 1

    def line(self, number: int) -> bytes:
        """A document as JSON."""
        self._file.seek(self._starts[number])
        return self._file.read(self.size(number))

    def size(self, number: int) -> int:
        """Bytes of a document."""
        return self._starts[number + 1] - self._starts[number]

    def __getitem__(self, number: int) -> Row:
        row: Row = json.loads(self.line(number))
        return row

    def __iter__(self) -> Iterator[Row]:
        return (self[number] for number in range(len(self)))

    def close(self) -> None:
        """Let the file go."""
        self._file.close()


@dataclass
class Clustering:
    """Which documents of a spool are a cluster together."""

    spool: Spool
    cidr: Cidr
    order: Sequence[int]
    """The documents in the order they were taken."""
    labels: array[int]
    """The number of each one's cluster, in that order."""

    def clusters(self, least: int = 1) -> Iterator[tuple[int, str, list[int]]]:
        """Each cluster of enough documents as they were opened: its number, name and documents."""
        labels = np.array(self.labels, np.int32)
        grouped = np.argsort(labels, kind="stable")
        width = max(4, len(str(self.cidr.opened)))
        end = 0
        for number, size in enumerate(np.bincount(labels, minlength=self.cidr.opened).tolist()):
            start, end = end, end + size
            if size >= least:
                members = [self.order[place] for place in grouped[start:end].tolist()]
                yield number, f"c{number + 1:0{width}d}", members

    def topics(self, least: int = 1) -> Iterator[Row]:
        """Each cluster as a topic, in the order of their first documents."""
        for _, id, members in self.clusters(least):
            yield {"id": id, "documents": [self.spool[member] for member in members], "references": []}

    def json(self, least: int = 1) -> Iterator[str]:
        """The topics as JSON Lines, piece by piece: a cluster may be larger than the memory."""
        for _, id, members in self.clusters(least):
            yield f'{{"id": "{id}", "documents": ['
            for place, member in enumerate(members):
                yield (", " if place else "") + self.spool.line(member).decode()
            yield '], "references": []}\n'

    def too_long(self, limit: int = LINE_LIMIT) -> list[str]:
        """Clusters whose topic is a longer line than other verbs read."""
        return [id for _, id, members in self.clusters() if sum(map(self.spool.size, members)) > limit]

    def centroid_rows(self, least: int = 1) -> Iterator[Row]:
        """The centroids of open clusters as Table 2: Term, TF, IDF, TF*IDF."""
        for number, id, _ in self.clusters(least):
            words = self.cidr.centroid(number)
            for (word, weight), idf in zip(words.items(), self.cidr.idf(list(words)).tolist(), strict=True):
                yield {"id": id, "Term": word, "TF": weight, "IDF": idf, "TF*IDF": weight * idf}


def fill_spool(documents: Iterable[Row], spool: Spool, tally: Tally, census: Census | None) -> None:
    """Read a stream to its end; `census` counts its words on the way, many documents at a time."""
    waiting: list[str] = []
    size = 0
    for row in documents:
        spool.add(row, tally)
        if census is None:
            continue
        waiting.append(text_of(row))
        size += len(waiting[-1])
        if size > AT_ONCE:
            census.add_all([[text] for text in waiting])
            waiting, size = [], 0
    if census is not None:
        census.add_all([[text] for text in waiting])


def cluster(
    spool: Spool, background: Background, options: CidrOptions, *, by_date: bool = False
) -> Clustering:
    """Cluster the documents in the order they came, or by date (those without stay behind the one before)."""
    cidr = Cidr(background.idf, options)
    order: Sequence[int] = range(len(spool))
    if by_date:
        order = sorted(order, key=spool.seconds.__getitem__)
    labels = array("i")
    for number in order:
        day = spool.days[number]
        labels.append(cidr.add(text_of(spool[number]), None if day == _UNKNOWN_DAY else day))
    return Clustering(spool, cidr, order, labels)
