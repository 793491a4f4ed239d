"""Documents in the order of their dates, where all of them have one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import accumulate

from topline.corpus.records import Document

_PARTS = re.compile(r"(\d{4})(?:-(\d{1,2}))?")


def moment(date: str | None) -> datetime | None:
    """A document's date as a point in time (UTC unless it says otherwise); None if it cannot be read.

    >>> moment("1999-06-28") > moment("1999-06-27T23:00"), moment("last Sunday")
    (True, None)
    """
    text = (date or "").strip()
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        match = _PARTS.fullmatch(text)
        if match is None or not 1 <= int(match[2] or 1) <= 12 or int(match[1]) == 0:
            return None
        read = datetime(int(match[1]), int(match[2] or 1), 1, tzinfo=UTC)
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def by_date(documents: Sequence[Document]) -> tuple[tuple[int, ...], bool]:
    """The documents' numbers by date, and whether there were dates to go by.

    One document without a readable date leaves all of them in the order they came: half an order would
    put it anywhere.
    """
    numbers = range(len(documents))
    if len(documents) < 2:
        return tuple(numbers), True
    moments = [moment(document.date) for document in documents]
    if None in moments:
        return tuple(numbers), False
    dated = {number: found for number, found in zip(numbers, moments, strict=True) if found is not None}
    return tuple(sorted(numbers, key=lambda number: (dated[number], number))), True


def read_order(documents: Sequence[Document], rows: Sequence[int]) -> list[int]:
    """Sentences as a reader meets them: documents by date, then sentences by place.

    `rows` number the sentences of all documents in the order they came.
    """
    reading, _ = by_date(documents)
    ends = list(accumulate(len(document.sentences) for document in documents))
    place = {document: rank for rank, document in enumerate(reading)}
    return sorted(rows, key=lambda row: (place[bisect_right(ends, row)], row))
