"""What must hold of every topic and every summary, whatever format they came in."""

from __future__ import annotations

from array import array
from collections import Counter
from hashlib import blake2b
from itertools import pairwise

from topline.corpus.records import Document, Summary, Topic
from topline.errors import CorpusError, Where

_EMPTY = 0
_FULLEST = 0.6


class Digests:
    """A set of ids kept as 128-bit digests in one flat table: 27 to 54 bytes an id, however long it is.

    Two different ids among a million are taken for the same with odds of about 1.5e-27 (n² / 2^129).
    """

    def __init__(self) -> None:
        self._size = 1 << 10
        self._count = 0
        self._high = array("Q", bytes(8 * self._size))
        self._low = array("Q", bytes(8 * self._size))

    def __len__(self) -> int:
        return self._count

    def add(self, id: str) -> bool:
        """Take the id in; False if it was there before."""
        digest = blake2b(id.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        # 0 marks a free slot, so no digest may have it as its high half
        high, low = int.from_bytes(digest[:8]) or 1, int.from_bytes(digest[8:])
        if not self._put(high, low):
            return False
        self._count += 1
        if self._count > _FULLEST * self._size:
            self._grow()
        return True

    def _put(self, high: int, low: int) -> bool:
        highs, lows, mask = self._high, self._low, self._size - 1
        slot = low & mask
        while highs[slot] != _EMPTY:
            if highs[slot] == high and lows[slot] == low:
                return False
            slot = (slot + 1) & mask
        highs[slot], lows[slot] = high, low
        return True

    def _grow(self) -> None:
        old = zip(self._high, self._low, strict=True)
        self._size *= 2
        self._high = array("Q", bytes(8 * self._size))
        self._low = array("Q", bytes(8 * self._size))
        for high, low in old:
            if high != _EMPTY:
                self._put(high, low)


class Seen:
    """The ids seen so far; a second one is an error."""

    def __init__(self) -> None:
        self._digests = Digests()

    def add(self, kind: str, id: str, where: Where) -> None:
        """Take the id in, or say that it came before."""
        if not self._digests.add(id):
            place = Where(where.file, where.line, " by ".join(id.split("\0")))
            raise CorpusError(f"doubled id of a {kind}", where=place, hint=f"one {kind} an id")


def check_topic(topic: Topic, where: Where, *, references_needed: bool = False) -> None:
    """Raise a CorpusError for what makes a topic unusable."""
    where = Where(where.file, where.line, topic.id or where.id)
    if not topic.id:
        raise CorpusError("empty id of a topic", where=where, hint="ids are how summaries find their topic")
    if not topic.documents:
        raise CorpusError("no documents", where=where, hint="a topic needs at least one document")
    for document in topic.documents:
        _check_document(document, where)
    _check_ids("document", [document.id for document in topic.documents], where)
    _check_ids("reference", [reference.id for reference in topic.references], where)
    if references_needed and not topic.references:
        raise CorpusError("no references", where=where, hint="a score needs a reference summary")


def _check_document(document: Document, where: Where) -> None:
    if not any(not sentence.text.isspace() for sentence in document.sentences if sentence.text):
        raise CorpusError(
            f"empty document: {document.id!r} holds no text", where=where, hint="leave it out, or fill it"
        )
    if document.sections:
        starts = [section.start for section in document.sections]
        rising = all(before < after for before, after in pairwise(starts))
        if not rising or starts[0] < 0 or starts[-1] >= len(document.sentences):
            raise CorpusError(
                f"bad sections: starts in document {document.id!r} do not rise within its sentences",
                where=where,
                hint="start is the number of the section's first sentence, from 0",
            )


def _check_ids(kind: str, ids: list[str], where: Where) -> None:
    if len(set(ids)) < len(ids):
        double = Counter(ids).most_common(1)[0][0]
        hint = f"one {kind} an id in a topic"
        raise CorpusError(f"doubled id of a {kind}: {double!r}", where=where, hint=hint)


def check_summary(summary: Summary, where: Where) -> None:
    """Raise a CorpusError for what makes a summary unusable."""
    where = Where(where.file, where.line, summary.id or where.id)
    if not summary.id:
        raise CorpusError("empty id of a summary", where=where, hint="it is the id of its topic")
    if not summary.system:
        raise CorpusError("empty name of a system", where=where, hint="name the system that wrote it")
    selected = summary.selected or ()
    if min(selected, default=0) < 0:
        raise CorpusError(
            f"selected is out of range: {min(selected)}", where=where, hint="sentences are numbered from 0"
        )
    if len(set(selected)) < len(selected):
        double = Counter(selected).most_common(1)[0][0]
        raise CorpusError(
            f"selected is doubled: {double}", where=where, hint="an extract holds a sentence once"
        )
