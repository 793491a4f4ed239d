"""Our own format: JSON Lines, a topic or a summary a line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from topline.corpus.dates import iso_date
from topline.corpus.files import decoded, lines, place, too_long
from topline.corpus.reading import Finds, Found, How, Record
from topline.corpus.records import Document, Reference, Section, Sentence, Summary, Topic
from topline.corpus.splitting import given, sentences_of, strings_of
from topline.errors import CorpusError, Where
from topline.text.sentences import Splitter

Value = TypeVar("Value")
_NAMES = {dict: "an object", list: "a list", str: "a string", int: "a whole number", type(None): "null"}
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def read_topics(path: Path, how: How) -> Finds[Topic]:
    """The topics of a JSON Lines file."""
    return _records(path, how, topic_of)


def read_summaries(path: Path, how: How) -> Finds[Summary]:
    """The summaries of a JSON Lines file; where a line names no system, the file's name does."""
    system = path.name.split(".")[0]
    return _records(path, how, lambda row, splitter, where: summary_of(row, splitter, where, system))


def _records(path: Path, how: How, build: Callable[[Any, Splitter, Where], Record]) -> Finds[Record]:
    for where, row in rows(path, how.limit):
        try:
            if isinstance(row, CorpusError):
                raise row
            record = build(row, how.splitter, where)
            yield Found(record, where, how.splitter.signature if "text" in row else None)
        except CorpusError as error:
            yield error


def rows(path: Path, limit: int) -> Iterator[tuple[Where, Any]]:
    """Each line's place and value, or the error it is."""
    file = place(path).file
    for number, data in lines(path, limit):
        where = Where(file, number)
        try:
            if data is None:
                raise too_long(path, number, limit)
            yield where, parsed(data, where)
        except CorpusError as error:
            yield where, error


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def parsed(data: bytes, where: Where) -> Any:
    """A line's JSON value: strict, and of text that UTF-8 can hold."""
    text = decoded(data, where)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        what = f"not JSON: {error.msg} at character {error.pos + 1}"
        raise CorpusError(what, where=where, hint="one JSON object a line") from error
    except RecursionError as error:
        raise CorpusError("not JSON we read: nested too deeply", where=where) from error
    except ValueError as error:
        raise CorpusError(f"not JSON: {str(error)[:100]}", where=where) from error
    if _SURROGATE.search(data) and not _encodes(value):
        raise CorpusError(
            r"bad UTF-8: a lone surrogate (\ud800 to \udfff) is no character",
            where=where,
            hint="write the text again from its source",
        )
    return value


def _encodes(value: Any) -> bool:
    """Whether UTF-8 can hold every string in the value."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def topic_of(row: Any, splitter: Splitter, where: Where) -> Topic:
    """A topic from its JSON object."""
    _expect(row, dict, "the line", where)
    where = Where(where.file, where.line, _label(row))
    if "documents" not in row:
        hint = "of a table say which column is which: --columns document=…,reference=…,id=…"
        raise CorpusError("no documents: the field is missing", where=where, hint=hint)
    documents = [_document(item, splitter, where) for item in field(row, "documents", list, where)]
    references = [_reference(item, splitter, where) for item in field(row, "references", list, where, [])]
    was_split = any("text" in item for item in (*row["documents"], *(row.get("references") or ())))
    return Topic(
        field(row, "id", str, where),
        tuple(documents),
        tuple(references),
        field(row, "title", str, where, ""),
        field(row, "domain", str, where, None),
        splitter.signature if was_split else field(row, "splitter", str, where, None),
    )


def _document(row: Any, splitter: Splitter, where: Where) -> Document:
    _expect(row, dict, "a document", where)
    id = field(row, "id", str, where)
    date = field(row, "date", str, where, None)
    return Document(
        id,
        _sentences(row, splitter, where),
        field(row, "title", str, where, ""),
        None if date is None else iso_date(date) or date,
        tuple(_section(item, where) for item in field(row, "sections", list, where, ())),
    )


def _section(row: Any, where: Where) -> Section:
    _expect(row, dict, "a section", where)
    return Section(field(row, "title", str, where), field(row, "start", int, where))


def _sentences(row: dict[str, Any], splitter: Splitter, where: Where) -> tuple[Sentence, ...]:
    """A document's sentences: split from its text, or given with or without their spans."""
    if "text" in row:
        return sentences_of(_only_text(row, where), splitter)
    texts = _strings(row, where)
    spans = row.get("spans")
    if spans is None:
        return given(texts)
    if not isinstance(spans, list) or len(spans) != len(texts) or not all(map(_is_span, spans)):
        raise CorpusError(
            "spans must be a list of [start, end], one a sentence", where=where, hint="or leave them out"
        )
    return tuple(Sentence(text, *(span or ())) for text, span in zip(texts, spans, strict=True))


def _is_span(span: Any) -> bool:
    if span is None:
        return True
    return isinstance(span, list) and [type(end) for end in span] == [int, int] and 0 <= span[0] <= span[1]


def _reference(row: Any, splitter: Splitter, where: Where) -> Reference:
    _expect(row, dict, "a reference", where)
    return Reference(field(row, "id", str, where), _summary_sentences(row, splitter, where))


def _summary_sentences(row: dict[str, Any], splitter: Splitter, where: Where) -> tuple[str, ...]:
    if "text" in row:
        return strings_of(_only_text(row, where), splitter)
    return tuple(_strings(row, where))


def summary_of(row: Any, splitter: Splitter, where: Where, system: str) -> Summary:
    """A summary from its JSON object; `system` stands in where it names none."""
    _expect(row, dict, "the line", where)
    where = Where(where.file, where.line, _label(row))
    id, system = field(row, "id", str, where), field(row, "system", str, where, system)
    if not {"text", "sentences", "selected"} & row.keys():
        raise CorpusError(
            "no summary: one of sentences, text or selected is needed", where=where, hint="an empty one is []"
        )
    selected = row.get("selected")
    if selected is not None and (
        not isinstance(selected, list) or any(type(number) is not int for number in selected)
    ):
        what = "wrong type: selected must be a list of whole numbers"
        raise CorpusError(what, where=where, hint="the numbers of the topic's sentences, from 0")
    only_selected = not {"text", "sentences"} & row.keys()
    sentences = () if only_selected else _summary_sentences(row, splitter, where)
    return Summary(id, system, sentences, None if selected is None else tuple(selected))


def _only_text(row: dict[str, Any], where: Where) -> str:
    if "sentences" in row:
        raise CorpusError("both text and sentences are given", where=where, hint="give one of them")
    text: str = field(row, "text", str, where)
    return text


def _strings(row: dict[str, Any], where: Where) -> list[str]:
    if "sentences" not in row:
        what = f"no sentences and no text in {row.get('id')!r}"
        raise CorpusError(what, where=where, hint='"sentences": ["…"] or "text": "…"')
    texts: list[str] = field(row, "sentences", list, where)
    if not {str}.issuperset(map(type, texts)):
        wrong = next(text for text in texts if not isinstance(text, str))
        raise _wrong_type("a sentence", "a string", wrong, where)
    return texts


_REQUIRED: Any = object()


def field(row: dict[str, Any], name: str, kind: type, where: Where, default: Any = _REQUIRED) -> Any:
    """The value of a field, of the kind it must be; null counts as left out where it may be."""
    value = row.get(name)
    if value is None and default is not _REQUIRED:
        return default
    if type(value) is not kind:
        if name not in row:
            raise CorpusError(f"no {name}: the field is missing", where=where, hint=f'"{name}" is needed')
        raise _wrong_type(name, _NAMES[kind], value, where)
    return value


def _expect(value: Any, kind: type, what: str, where: Where) -> None:
    if not isinstance(value, kind):
        raise _wrong_type(what, _NAMES[kind], value, where)


def _wrong_type(name: str, wanted: str, value: Any, where: Where) -> CorpusError:
    return CorpusError(
        f"wrong type: {name} must be {wanted}, not {_NAMES.get(type(value), type(value).__name__)}",
        where=where,
        hint="the fields are described in docs/formats.md",
    )


def _label(row: dict[str, Any]) -> str | None:
    """The id as far as it can be shown."""
    id = row.get("id")
    return id if isinstance(id, str) else None


def topic_json(topic: Topic) -> str:
    """A topic as a line of JSON without its end; reading it gives an equal topic."""
    row: dict[str, Any] = {"id": topic.id}
    _put(row, title=topic.title, domain=topic.domain, splitter=topic.splitter)
    row["documents"] = [_document_row(document) for document in topic.documents]
    row["references"] = [{"id": r.id, "sentences": list(r.sentences)} for r in topic.references]
    return json.dumps(row, ensure_ascii=False)


def _document_row(document: Document) -> dict[str, Any]:
    row: dict[str, Any] = {"id": document.id}
    _put(row, date=document.date, title=document.title)
    row["sentences"] = [sentence.text for sentence in document.sentences]
    if any(sentence.start is not None for sentence in document.sentences):
        row["spans"] = [None if s.start is None else [s.start, s.end] for s in document.sentences]
    _put(row, sections=[{"title": s.title, "start": s.start} for s in document.sections])
    return row


def _put(row: dict[str, Any], **values: Any) -> None:
    """Put in the fields that hold something."""
    row.update({name: value for name, value in values.items() if value not in (None, "", [])})


def summary_json(summary: Summary) -> str:
    """A summary as a line of JSON without its end; reading it gives an equal summary."""
    row: dict[str, Any] = {"id": summary.id, "system": summary.system}
    if summary.sentences or summary.selected is None:
        row["sentences"] = list(summary.sentences)
    if summary.selected is not None:
        row["selected"] = list(summary.selected)
    return json.dumps(row, ensure_ascii=False)
