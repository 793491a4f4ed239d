"""Newswire in SGML, as DUC and TAC distribute it: AP, WSJ, FT, LA Times, FBIS, SJMN, APW, NYT, XIE."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from topline.corpus.dates import iso_date, name_date
from topline.corpus.files import place, whole
from topline.corpus.markup import Tag, pieces, plain
from topline.corpus.reading import How
from topline.corpus.records import Document
from topline.corpus.splitting import given, sentences_of
from topline.errors import CorpusError

_FIELDS = {
    **dict.fromkeys(("DOCNO", "DOCID"), "id"),
    **dict.fromkeys(("DATE", "DATE_TIME", "DD", "DATE1", "PUBDATE"), "date"),
    **dict.fromkeys(("HEADLINE", "HL", "HEAD", "H3", "TI", "TITLE", "TTL"), "title"),
    "SLUG": "slug",
    **dict.fromkeys(("TEXT", "LP", "LEADPARA"), "text"),
    "F": "code",  # FBIS: language, kind of article
}
_PARAGRAPHS = {"P", "BR", "DIV", "TABLE", "TR", "ROWRULE", "PARAGRAPH", "ANNOTATION"}
_LABEL = re.compile(r"^[ \t]*(?:Language|Article Type|Document Type):[^\n]{0,40}$", re.MULTILINE)
_FT_TITLE = re.compile(r"^FT\s+\d{1,2}\s+[A-Z]{3}\s+\d{2}\s*/\s*")
_DOCUMENT = re.compile(rb"<DOC[\s>]|<s\s+docid\s*=", re.IGNORECASE)


def is_newswire(head: bytes) -> bool:
    """Whether a file that begins so holds documents."""
    return _DOCUMENT.search(head) is not None


@dataclass(slots=True)
class _Raw:
    """A document's fields as they stand between the tags."""

    id: str = ""
    fields: list[tuple[str, str]] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)

    def texts(self, name: str) -> Iterator[str]:
        """The contents of the fields of this name that hold something, in order."""
        return (text for kind, text in self.fields if kind == name and not text.isspace())

    def first(self, *names: str) -> str:
        """The first content of the first field that has any, on one line."""
        found = (" ".join(plain(text).split()) for name in names for text in self.texts(name))
        return next((text for text in found if text), "")


def read_documents(path: Path, how: How) -> list[Document]:
    """The documents of a file; one without its own id bears the file's name."""
    raws = list(_raws(whole(path, how.limit)))
    if not raws:
        raise CorpusError("no <DOC> in this file", where=place(path), hint="documents stand in <DOC>…</DOC>")
    return [_document(raw, path, how) for raw in raws]


def _raws(text: str) -> Iterator[_Raw]:
    """Split a file at its documents; sentences that name their document stand for one themselves."""
    raw: _Raw | None = None
    inside = False
    buffer: list[Tag | str] = []
    for piece in pieces(text):
        if isinstance(piece, Tag) and piece.name == "DOC":
            if raw is not None:
                yield _filled(raw, buffer)
            inside, buffer = not piece.closing, []
            raw = _Raw(id=piece.attribute("id") or "") if inside else None
            continue
        if not inside and isinstance(piece, Tag) and piece.name == "S" and not piece.closing:
            id = piece.attribute("docid") or ""
            if raw is None or raw.id != id:
                if raw is not None:
                    yield _filled(raw, buffer)
                raw, buffer = _Raw(id=id), []
        buffer.append(piece)
    if raw is not None:
        yield _filled(raw, buffer)


def _filled(raw: _Raw, buffer: list[Tag | str]) -> _Raw:
    """Sort the pieces into fields; text outside of all of them is dropped."""
    open_fields: list[tuple[str, str]] = []
    content: list[str] = []
    sentence: list[str] | None = None

    def flush() -> None:
        if open_fields and content:
            raw.fields.append((open_fields[-1][1], "".join(content)))
        content.clear()

    def end_sentence() -> None:
        if sentence and (text := " ".join(plain("".join(sentence)).split())):
            raw.sentences.append(text)

    for piece in buffer:
        if isinstance(piece, str):
            (content if sentence is None else sentence).append(piece)
        elif piece.name == "S":
            end_sentence()
            in_text = not open_fields or open_fields[-1][1] == "text"
            sentence = [] if in_text and not piece.closing else None
        elif kind := _FIELDS.get(piece.name):
            end_sentence()
            sentence = None
            flush()
            if not piece.closing:
                open_fields.append((piece.name, kind))
            elif any(name == piece.name for name, _ in open_fields):
                while open_fields.pop()[0] != piece.name:
                    continue
        elif piece.name in _PARAGRAPHS:
            content.append("\n\n")
    end_sentence()
    flush()
    return raw


def _document(raw: _Raw, path: Path, how: How) -> Document:
    id = raw.first("id") or raw.id or path.name
    dates = [" ".join(plain(text).split()) for text in raw.texts("date")]
    read = next(filter(None, map(iso_date, dates)), None) or name_date(id)
    text = "\n\n".join(_unwrapped(plain(_LABEL.sub("", text))) for text in raw.texts("text"))
    return Document(
        id,
        given(raw.sentences) if raw.sentences else sentences_of(text, how.splitter),
        _FT_TITLE.sub("", raw.first("title", "slug")),
        read or next(filter(None, dates), None),
    )


def _unwrapped(text: str) -> str:
    """Paragraphs on a line each, with a blank line between them.

    A paragraph ends at a blank line, or before a line that is indented deeper than the one above it.
    """
    paragraphs: list[list[str]] = [[]]
    above = 0
    for line in text.splitlines():
        words = line.split()
        indent = len(line) - len(line.lstrip())
        if not words or (indent >= above + 2 and paragraphs[-1]):
            paragraphs.append([])
        paragraphs[-1] += words
        above = indent if words else 0
    return "\n\n".join(" ".join(words) for words in paragraphs if words)
