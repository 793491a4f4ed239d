"""`read` a corpus, `read_summaries` of systems: whatever format they come in, the same records, streamed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from os.path import exists
from pathlib import Path

from topline.corpus import conllu, duc, folders, jsonl, mead, tabular
from topline.corpus.count import expected
from topline.corpus.files import LINE_LIMIT, STDIN, entries, lines, place
from topline.corpus.reading import Finds, How, Reading
from topline.corpus.records import Summary, Topic
from topline.corpus.sample import resolved
from topline.errors import CorpusError, OptionError
from topline.text.sentences import Splitter

_READERS: dict[str, Callable[[Path, How], Finds[Topic]]] = {
    "jsonl": jsonl.read_topics,
    "duc": duc.read_topics,
    "duc-single": duc.read_single,
    "folders": folders.read_topics,
    "conllu": conllu.read_topics,
    "mead": mead.read_topics,
    **{form: partial(tabular.read_topics, form=form) for form in tabular.FORMS},
}
FORMATS = ("auto", *_READERS)
"""What `format` may be; `duc-100` is `duc` with the models of size 100."""
_SUFFIXES = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl",
    ".parquet": "parquet", ".csv": "csv", ".tsv": "csv", ".conllu": "conllu", ".conll": "conllu",
    mead.CLUSTER: "mead", mead.DOCSENT: "mead",
}  # fmt: skip
_SHARDS = (".parquet", ".jsonl", ".ndjson", ".csv", ".tsv", ".json")
"""Of a folder with files of these kinds, all of the first kind that is there are read, by name."""


def read(
    path: str | Path,
    *,
    format: str = "auto",
    columns: str | None = None,
    splitter: str = "syntok",
    skip_bad: bool = False,
    most_skipped: int | None = None,
    references_needed: bool = False,
    line_limit: int = LINE_LIMIT,
) -> Reading[Topic]:
    """The topics of a corpus, one by one, in constant memory (but for 27 to 54 bytes an id).

    `path` is a file, a folder, `-` for standard input (JSON Lines), or `sample:news` for the bundled
    sample; `FORMAT:PATH` names the format within it. `columns` maps a table's columns,
    `document=article,reference=highlights`. What is wrong raises a CorpusError with file, line and id,
    unless `skip_bad` carries on: then the reading's `skipped` and `reasons` tell.
    """
    form, where, size = _resolve(path, format)
    mapping = tabular.parse_columns(columns) if columns else ()
    how = How(Splitter(splitter), mapping, size, limit=line_limit)
    form, finds = _finds(where, form, how)
    return Reading(
        finds, form, skip_bad=skip_bad, most_skipped=most_skipped, references_needed=references_needed,
        expected=partial(expected, where, form),
    )  # fmt: skip


read_corpus = read
"""The name it has as `topline.read_corpus`."""


def _resolve(path: str | Path, format: str) -> tuple[str, Path, str | None]:
    """Format, path and size of models from what the caller gave."""
    where = resolved(path)
    prefix, colon, rest = str(where).partition(":")
    if colon and not exists(where) and _is_format(prefix):
        format, where = prefix, Path(rest)
    if not _is_format(format):
        raise OptionError(f"unknown format {format!r}", hint=f"one of: {', '.join(FORMATS)}")
    family, _, size = format.partition("-")
    return (family, where, size) if size.isdigit() else (format, where, None)


def _is_format(name: str) -> bool:
    family, _, size = name.partition("-")
    return name in FORMATS or (family == "duc" and size.isdigit())


def _finds(path: Path, form: str, how: How) -> tuple[str, Finds[Topic]]:
    """The reader for a path, started."""
    if path != STDIN and not exists(path):
        raise CorpusError(
            "no such file or folder", where=place(path), hint="sample:news is the bundled sample"
        )
    if path.is_dir() and (shards := _shards(path)) and form in ("auto", "jsonl", *tabular.FORMS):
        started = [_finds(file, form, replace(how, prefix=f"{file.name.split('.')[0]}:")) for file in shards]
        return started[0][0], chain.from_iterable(finds for _, finds in started)
    if form == "auto":
        form = _folder_form(path) if path.is_dir() else _file_form(path, how)
    if form != "mead" and path.is_dir() != (form in ("duc", "duc-single", "folders")):
        kind = "a folder" if path.is_dir() else "a file"
        raise CorpusError(f"{form} cannot be read from {kind}", where=place(path), hint="see docs/formats.md")
    if how.columns and form not in tabular.FORMS:
        raise OptionError(f"columns are for tables, this is {form}", hint="leave them out")
    return form, _READERS[form](path, how)


def _shards(folder: Path) -> list[Path]:
    """The tables or JSON Lines files that are a corpus together."""
    files = [path for path in entries(folder) if path.is_file()]
    for kind in _SHARDS:
        if shards := [path for path in files if _suffix(path) == kind]:
            return shards
    return []


def _folder_form(path: Path) -> str:
    if folders.is_plain(path):
        return "folders"
    if mead.is_mead(path):
        return "mead"
    if duc.is_duc(path):
        return "duc"
    raise CorpusError(
        "no corpus found in this folder",
        where=place(path),
        hint="JSON Lines, Parquet or CSV files, TOPIC/documents/*.txt, MEAD's clusters, or DUC's folders; "
        "see docs/formats.md",
    )


def _file_form(path: Path, how: How) -> str:
    """The format of a file by its name, and of JSON by what its first object holds."""
    form = "jsonl" if path == STDIN else _SUFFIXES.get(_suffix(path), "")
    if not form:
        known = ", ".join(sorted(_SUFFIXES))
        raise CorpusError(
            "unknown kind of file", where=place(path), hint=f"known: {known}; or name its format"
        )
    if form != "jsonl" or path == STDIN:
        return form
    if how.columns or tabular.is_array(path):
        return "json"
    return "json" if _first_is_row(path, how) else "jsonl"


def _first_is_row(path: Path, how: How) -> bool:
    """Whether the first line is a row of a known table rather than a topic."""
    first = next(lines(path, how.limit), None)
    if first is None or first.data is None:
        return False
    try:
        row = jsonl.parsed(first.data, place(path, first.number))
    except CorpusError:
        return False
    return isinstance(row, dict) and "documents" not in row and tabular.known_columns(list(row)) is not None


def _suffix(path: Path) -> str:
    """The suffix that tells the kind of file, `.gz` put aside."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes[-1:] == [".gz"]:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def read_summaries(
    *paths: str | Path,
    splitter: str = "syntok",
    skip_bad: bool = False,
    most_skipped: int | None = None,
    line_limit: int = LINE_LIMIT,
) -> Reading[Summary]:
    """Systems' summaries from JSON Lines files, folders of text files, DUC's peers, SumRepo's, SEE or SPL.

    A system gives one summary a topic; a second one is an error wherever it stands.
    """
    how = How(Splitter(splitter), limit=line_limit)
    for path in map(Path, paths):
        if path != STDIN and not exists(path):
            raise CorpusError(
                "no such file or folder", where=place(path), hint="topline summarize makes summaries"
            )
    finds: Iterator[Finds[Summary]] = (_summaries(Path(path), how) for path in paths)
    return Reading(chain.from_iterable(finds), "summaries", skip_bad=skip_bad, most_skipped=most_skipped)


def _summaries(path: Path, how: How) -> Finds[Summary]:
    if path.is_dir():
        files = [file for file in entries(path) if file.is_file() and _suffix(file) in (".jsonl", ".ndjson")]
        if files:
            return chain.from_iterable(jsonl.read_summaries(file, how) for file in files)
        return folders.read_summaries(path, how)
    if path == STDIN or _suffix(path) in (".jsonl", ".ndjson", ".json"):
        return jsonl.read_summaries(path, how)
    return folders.read_summary_files([path], how)
