"""From a stream of documents to a corpus of topics: read once, clustered, written cluster by cluster.

Documents lie in a temporary file meanwhile; in memory a document takes a few numbers.
"""

from __future__ import annotations

import json
import tempfile
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
_UNKNOWN_DAY = -(2**62)


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
    if where == STDIN or where.suffix.lower() in _LINES:
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


class Spool:
    """Documents in a temporary file, in the order they came; gone when it is closed."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed by `close`
        self._starts = array("q", [0])
        self.seconds = array("d")
        """Each document's date as a time stamp; for those without, that of the one before."""
        self.days = array("q")
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
        line = json.dumps(row, ensure_ascii=True).encode()
        self._file.write(line)
        self._starts.append(self._starts[-1] + len(line))

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, number: int) -> Row:
        self._file.seek(self._starts[number])
        size = self._starts[number + 1] - self._starts[number]
        row: Row = json.loads(self._file.read(size))
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
    clusters: dict[int, array[int]]
    """Documents by the number of their cluster, in the order they were read."""

    def topics(self, least: int = 1) -> Iterator[Row]:
        """Each cluster of enough documents as a topic, in the order of their first documents."""
        width = max(4, len(str(len(self.clusters))))
        for number, members in self.clusters.items():
            if len(members) >= least:
                documents = [self.spool[member] for member in members]
                yield {"id": f"c{number + 1:0{width}d}", "documents": documents, "references": []}

    def centroid_rows(self, least: int = 1) -> Iterator[Row]:
        """The centroids of open clusters as Table 2: Term, TF, IDF, TF*IDF."""
        width = max(4, len(str(len(self.clusters))))
        for number, members in self.clusters.items():
            if len(members) < least:
                continue
            words = self.cidr.centroid(number)
            for (word, weight), idf in zip(words.items(), self.cidr.idf(list(words)).tolist(), strict=True):
                yield {
                    "id": f"c{number + 1:0{width}d}", "Term": word,
                    "TF": weight, "IDF": idf, "TF*IDF": weight * idf,
                }  # fmt: skip


def fill_spool(documents: Iterable[Row], spool: Spool, tally: Tally, census: Census | None) -> None:
    """Read a stream to its end; `census` counts its words on the way."""
    for row in documents:
        spool.add(row, tally)
        if census is not None:
            census.add([text_of(row)])


def cluster(
    spool: Spool, background: Background, options: CidrOptions, *, by_date: bool = False
) -> Clustering:
    """Cluster the documents in the order they came, or by date (those without stay behind the one before)."""
    cidr = Cidr(background.idf, options)
    order: Iterable[int] = range(len(spool))
    if by_date:
        order = sorted(order, key=spool.seconds.__getitem__)
    clusters: dict[int, array[int]] = {}
    for number in order:
        day = spool.days[number]
        found = cidr.add(text_of(spool[number]), None if day == _UNKNOWN_DAY else day)
        clusters.setdefault(found, array("q")).append(number)
    return Clustering(spool, cidr, clusters)
