"""A reading: the records of a source one by one, and an account of what was wrong and skipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from topline.corpus.check import Seen, check_summary, check_topic
from topline.corpus.files import LINE_LIMIT
from topline.corpus.records import Summary, Topic
from topline.errors import CorpusError, SkipLimit, Where
from topline.text.sentences import Splitter

Record = TypeVar("Record", Topic, Summary)
KEPT = 1000
"""Of so many skipped records the whole error is kept; beyond, they are only counted."""


@dataclass(frozen=True, slots=True)
class Found(Generic[Record]):
    """A record and where it stood."""

    record: Record
    where: Where
    splitter: str | None = None
    """What split a summary's text into sentences, if it did not come split; a topic says so itself."""


Finds = Iterator[Found[Record] | CorpusError]
"""What a reader gives: records, and in their places the errors of those that are bad. What a reader
raises instead (a file that cannot be opened) ends the reading even if bad records may be skipped."""


@dataclass(frozen=True, slots=True)
class How:
    """What every reader needs to know beside the path."""

    splitter: Splitter = Splitter()  # noqa: RUF009 - frozen
    columns: tuple[tuple[str, str], ...] = ()
    """Field and column, in the order given; empty to recognise the columns."""
    size: str | None = None
    """Of several sizes of DUC models, the one to read."""
    prefix: str = ""
    """What stands before the number that is the id of a table's row: the file's name among several files."""
    limit: int = LINE_LIMIT
    """Bytes of the longest line or text file."""


class Reading(Generic[Record]):
    """An iterator over records: bad ones raise, or are skipped and counted.

    The unit that is skipped is a topic or a summary, never a part of one: a topic without one of its
    documents would be another topic.
    """

    def __init__(
        self,
        finds: Finds[Record],
        form: str,
        *,
        skip_bad: bool = False,
        most_skipped: int | None = None,
        references_needed: bool = False,
        expected: Callable[[], int | None] = lambda: None,
    ) -> None:
        self.expected = expected
        """Counts the records beforehand, about and quickly; None where that cannot be done."""
        self.form = form
        """The format that was read."""
        self.where = Where()
        """Where the record given last stood."""
        self.count = 0
        """Records given so far."""
        self.skipped: list[CorpusError] = []
        """The first thousand errors of skipped records."""
        self.reasons: Counter[str] = Counter()
        """How many records were skipped, by kind of reason."""
        self.nothing: CorpusError | None = None
        """What is raised in the end if there was no record at all, not even a bad one."""
        self.splitters: set[str] = set()
        """What split the texts of the records given so far: part of a result's signature."""
        self._finds: Finds[Record] = finds
        self._skip_bad = skip_bad
        self._most_skipped = most_skipped
        self._references_needed = references_needed
        self._seen = Seen()

    @property
    def skipped_count(self) -> int:
        """Records skipped so far."""
        return self.reasons.total()

    def __iter__(self) -> Reading[Record]:
        return self

    def __next__(self) -> Record:
        while True:
            find = next(self._finds, None)
            if find is None:
                if self.nothing and not self.count and not self.reasons:
                    raise self.nothing
                raise StopIteration
            if isinstance(find, CorpusError):
                self.refuse(find)
                continue
            error = self._wrong(find)
            if error is None:
                self.where = find.where
                self.count += 1
                self._note_splitter(find)
                return find.record
            self.refuse(error)

    def _note_splitter(self, find: Found[Record]) -> None:
        splitter = find.record.splitter if isinstance(find.record, Topic) else find.splitter
        if splitter is not None:
            self.splitters.add(splitter)

    def _wrong(self, find: Found[Record]) -> CorpusError | None:
        """What is wrong with a record that could be read."""
        try:
            if isinstance(find.record, Topic):
                check_topic(find.record, find.where, references_needed=self._references_needed)
                self._seen.add("topic", find.record.id, find.where)
            else:
                check_summary(find.record, find.where)
                self._seen.add("summary", f"{find.record.id}\0{find.record.system}", find.where)
        except CorpusError as error:
            return error
        return None

    def refuse(self, error: CorpusError) -> None:
        """Raise the error, or count it if bad records may be skipped.

        Whoever finds out later that a record is of no use (a summary of no topic) may say so here.
        """
        if not self._skip_bad:
            raise error
        self.reasons[reason(error)] += 1
        if len(self.skipped) < KEPT:
            self.skipped.append(error)
        if self._most_skipped is not None and self.skipped_count > self._most_skipped:
            raise SkipLimit(
                f"more than {self._most_skipped} records are bad, the last one: {error.what}",
                where=error.where,
                hint=error.hint,
            )


def reason(error: CorpusError) -> str:
    """The kind of an error: its message without what follows the first colon."""
    return error.what.split(":", 1)[0]
