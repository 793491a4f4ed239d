"""Tables: Parquet, CSV and JSON whose columns hold documents and references, a topic a row.

CNN/DailyMail, XSum and Multi-News are recognised by their columns; others take a mapping such as
`document=article,reference=highlights,id=id`.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from topline.corpus.dates import iso_date
from topline.corpus.files import decoded, opened, place, too_long
from topline.corpus.files import lines_and_blanks as file_lines
from topline.corpus.json_array import elements
from topline.corpus.jsonl import rows as json_rows
from topline.corpus.reading import Finds, Found, How
from topline.corpus.records import Document, Reference, Sentence, Topic
from topline.corpus.splitting import given, sentences_of, strings_of
from topline.errors import CorpusError, MissingExtra, OptionError, Where

Row = dict[str, Any]
Columns = tuple[tuple[str, str], ...]

FIELDS = ("id", "document", "documents", "reference", "title", "date", "domain")
KNOWN: tuple[Columns, ...] = (
    (("document", "article"), ("reference", "highlights"), ("id", "id")),  # CNN/DailyMail
    (("document", "document"), ("reference", "summary"), ("id", "id")),  # XSum
    (("documents", "document"), ("reference", "summary")),  # Multi-News
)
"""The mappings that are tried, in this order, when none is given."""
SEPARATOR = "|||||"
"""What stands between the documents of one text in Multi-News."""
_BATCH = 500


def parse_columns(text: str) -> Columns:
    """Read a mapping; `reference` may come more than once.

    >>> parse_columns("document=article,reference=highlights")
    (('document', 'article'), ('reference', 'highlights'))
    """
    pairs = []
    for part in text.split(","):
        field, found, column = (side.strip() for side in part.partition("="))
        if not found or field not in FIELDS or not column:
            raise OptionError(
                f"bad columns: {part.strip()!r}", hint=f"FIELD=COLUMN with FIELD one of {', '.join(FIELDS)}"
            )
        pairs.append((field, column))
    fields = [field for field, _ in pairs]
    doubled = next((field for field in FIELDS if field != "reference" and fields.count(field) > 1), None)
    if doubled:
        raise OptionError(f"bad columns: {doubled} is given twice", hint="only reference may be repeated")
    if len({"document", "documents"} & set(fields)) != 1:
        what = "both document and documents are given" if "document" in fields else "none holds the document"
        raise OptionError(f"bad columns: {what}", hint="document=COLUMN, or documents=COLUMN for several")
    return tuple(pairs)


def known_columns(names: Sequence[str]) -> Columns | None:
    """The first known mapping whose columns are all there."""
    have = set(names)
    return next((known for known in KNOWN if have.issuperset(column for _, column in known)), None)


def read_topics(path: Path, how: How, form: str) -> Finds[Topic]:
    """The rows of a table as topics; a row without an id bears its number, from 1."""
    columns: Columns | None = how.columns or None
    for number, (where, row) in enumerate(_ROWS[form](path, how), 1):
        if isinstance(row, CorpusError):
            yield row
            continue
        columns = columns or _recognised(row, where)
        if form != "json":
            # all rows of such a table have the same columns: a wrong mapping is no bad record to be skipped
            _check_columns(row, columns, Where(where.file))
        try:
            yield Found(_topic(row, columns, number, how, where), where)
        except CorpusError as error:
            yield error


def _recognised(row: Any, where: Where) -> Columns:
    names = list(row) if isinstance(row, dict) else []
    columns = known_columns(names)
    if columns is None:
        raise CorpusError(
            f"unknown columns: {', '.join(map(str, names[:20])) or 'none'}",
            where=Where(where.file),
            hint="say which is which: --columns document=…,reference=…,id=…",
        )
    return columns


def _topic(row: Any, columns: Columns, number: int, how: How, where: Where) -> Topic:
    if not isinstance(row, dict):
        raise CorpusError("wrong type: a row must be an object", where=where, hint="one object a row")
    _check_columns(row, columns, where)
    cells = {field: row[column] for field, column in columns if field != "reference"}
    id = _plain(cells.get("id"), "id", where) or f"{how.prefix}{number}"
    where = Where(where.file, where.line, id)
    documents = tuple(_documents(cells, id, how, where))
    references = tuple(
        reference
        for field, column in columns
        if field == "reference"
        for reference in _references(row[column], column, how, where)
    )
    domain = _plain(cells.get("domain"), "domain", where)
    title = documents[0].title if len(documents) == 1 else ""
    was_split = any(isinstance(row[column], str) for field, column in columns if field == "reference") or any(
        sentence.start is not None for document in documents for sentence in document.sentences
    )
    return Topic(
        id, documents, references, title, domain or None, how.splitter.signature if was_split else None
    )


def _check_columns(row: Row, columns: Columns, where: Where) -> None:
    missing = next((column for _, column in columns if column not in row), None)
    if missing is not None:
        hint = f"there are: {', '.join(list(row)[:20])}"
        raise CorpusError(f"no column {missing!r}", where=where, hint=hint)


def _plain(value: Any, column: str, where: Where) -> str:
    """A cell that holds a word, a number or a day, as text."""
    if isinstance(value, (list, dict, bytes)):
        raise CorpusError(f"wrong type: {column} must be text", where=where)
    return "" if value is None else str(value).strip()


def _documents(cells: Row, id: str, how: How, where: Where) -> Iterator[Document]:
    """The documents of a row: one, or several in a list or between separators."""
    title, date = _plain(cells.get("title"), "title", where), _plain(cells.get("date"), "date", where)
    iso = (iso_date(date) or date) or None
    if "documents" not in cells:
        yield Document(id, _sentences(cells["document"], "document", how, where), title, iso)
        return
    value = cells["documents"]
    parts = value.split(SEPARATOR) if isinstance(value, str) else value
    if not isinstance(parts, list):
        raise CorpusError("wrong type: documents must be text or a list", where=where)
    parts = [part for part in parts if not isinstance(part, str) or part.strip()]
    for number, part in enumerate(parts, 1):
        yield Document(f"{id}.{number}", _sentences(part, "documents", how, where), title, iso)


def _sentences(value: Any, column: str, how: How, where: Where) -> tuple[Sentence, ...]:
    if isinstance(value, str):
        return sentences_of(value, how.splitter, lines_end=True)
    if value is None:
        return ()
    return given(_texts(value, column, where))


def _texts(value: Any, column: str, where: Where) -> list[str]:
    if not isinstance(value, list) or not {str}.issuperset(map(type, value)):
        raise CorpusError(f"wrong type: {column} must be text or a list of sentences", where=where)
    return value


def _references(value: Any, column: str, how: How, where: Where) -> Iterator[Reference]:
    """The references of a cell: a text, its sentences, or a list of such lists."""
    if value is None:
        return
    if isinstance(value, list) and value and all(isinstance(part, list) for part in value):
        for number, part in enumerate(value, 1):
            yield Reference(f"{column}.{number}", tuple(_texts(part, column, where)))
    elif isinstance(value, str):
        yield Reference(column, strings_of(value, how.splitter, lines_end=True))
    else:
        yield Reference(column, tuple(_texts(value, column, where)))


Rows = Iterator[tuple[Where, Any]]


def _parquet_rows(path: Path, how: How) -> Rows:
    """The rows of a Parquet file, a slice at a time: no more than a row group is unpacked at once."""
    try:
        import polars
    except ImportError as error:
        raise MissingExtra("polars", "data") from error
    try:
        table = polars.scan_parquet(path, glob=False)
        names = table.collect_schema().names()
        wanted = {column for _, column in how.columns or known_columns(names) or ()}
        # what is unknown or missing is reported by the first row, which names the columns that are there
        if wanted and wanted.issubset(names):
            table = table.select(sorted(wanted))
        start = 0
        while len(batch := table.slice(start, _BATCH).collect()):
            for number, row in enumerate(batch.iter_rows(named=True), start + 1):
                where = place(path, number)
                yield where, _too_large(row, how.limit, where) or row
            start += _BATCH
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError) as error:
        # on some damaged files polars panics, which is no Exception to Python
        raise CorpusError(f"not Parquet we read: {str(error)[:200]}", where=place(path)) from error


def _too_large(row: Row, limit: int, where: Where) -> CorpusError | None:
    """An error for a text longer than any line may be: packed files hold such texts in few bytes."""
    for name, value in row.items():
        if isinstance(value, str) and len(value) > limit:
            return CorpusError(
                f"{name} is longer than {limit:,} characters", where=where, hint="one text a row"
            )
    return None


def _csv_rows(path: Path, how: How) -> Rows:
    """The rows of a CSV file, or with tabs of a TSV file; the first names the columns."""
    reader = csv.reader(
        _csv_lines(path, how.limit), delimiter="\t" if ".tsv" in path.suffixes else ",", strict=True
    )
    header: list[str] | None = None
    while True:
        where = place(path, reader.line_num + 1)
        try:
            cells = _next(reader, how.limit)
        except csv.Error as error:
            raise CorpusError(
                f"not CSV: {error}", where=where, hint="quotes within a field are doubled"
            ) from error
        if cells is None:
            return
        if header is None:
            header = cells
            doubled = next((name for name, times in Counter(header).items() if name and times > 1), None)
            if doubled:
                raise CorpusError(f"two columns {doubled!r}", where=where, hint="rename one of them")
        elif len(cells) == len(header):
            yield where, dict(zip(header, cells, strict=True))
        elif cells:
            what = f"{len(cells)} fields, the header has {len(header)}"
            yield where, CorpusError(what, where=where, hint="a field with commas is quoted")


def _next(reader: Iterator[list[str]], limit: int) -> list[str] | None:
    """The next row; the limit of a field is the whole process's, so it is set for this row alone."""
    before = csv.field_size_limit(min(limit, sys.maxsize))
    try:
        return next(reader, None)
    finally:
        csv.field_size_limit(before)


def _csv_lines(path: Path, limit: int) -> Iterator[str]:
    for number, data in file_lines(path, limit):
        if data is None:
            raise too_long(path, number, limit)
        yield decoded(data, place(path, number))


def _json_rows(path: Path, how: How) -> Rows:
    """The objects of a JSON file: a list of them, or one a line."""
    return elements(path, how.limit) if is_array(path) else json_rows(path, how.limit)


def is_array(path: Path) -> bool:
    """Whether the file begins as a JSON list."""
    with opened(path) as stream:
        return stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[")


_ROWS = {"parquet": _parquet_rows, "csv": _csv_rows, "json": _json_rows}
FORMS = tuple(_ROWS)
