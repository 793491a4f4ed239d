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
_DEEPEST = 20
"""Fields within fields; what lies deeper is no newswire."""
_LABEL = re.compile(r"^[ \t]*(?:Language|Article Type|Document Type):[^\n]{0,40}$", re.MULTILINE)
_FT_TITLE = re.compile(r"^FT\s+\d{1,2}\s+[A-Z]{3}\s+\d{2}\s*/\s*")
_DOCUMENT = re.compile(rb"<DOC[\s>]|<s\s+docid\s*=", re.IGNORECASE)


def is_newswire(head: bytes) -> bool:
    """Whether a file that begins so holds documents."""
    return _DOCUMENT.search(head) is not None


@dataclass(slots=True)
class _Raw:
    """A document's fields as they stand between the tags; text outside of all of them is dropped."""

    id: str = ""
    fields: list[tuple[str, str]] = field(default_factory=list)
    """Kind and content, in the order in which the fields end."""
    sentences: list[str] = field(default_factory=list)
    """The sentences of the text, where the document marks them."""
    loose: list[str] = field(default_factory=list)
    """Sentences marked outside of all fields: bylines and such, or the text of a document without fields."""
    _open: list[tuple[str, str]] = field(default_factory=list)
    _content: list[str] = field(default_factory=list)
    _sentence: list[str] | None = None

    def texts(self, name: str) -> Iterator[str]:
        """The contents of the fields of this name that hold something, in order."""
        return (text for kind, text in self.fields if kind == name and not text.isspace())

    def first(self, *names: str) -> str:
        """The first content of the first field that has any, on one line."""
        found = (_one_line(text) for name in names for text in self.texts(name))
        return next((text for text in found if text), "")

    def feed(self, piece: Tag | str) -> None:
        """Take in the next tag or text."""
        if isinstance(piece, str):
            (self._content if self._sentence is None else self._sentence).append(piece)
        elif piece.name == "S":
            self._end_sentence()
            if not piece.closing and (not self._open or self._open[-1][1] == "text"):
                self._sentence = []
        elif piece.name in _FIELDS:
            self.end()
            self._move(piece)
        elif piece.name in _PARAGRAPHS:
            self._content.append("\n\n")

    def end(self) -> None:
        """Close what is being collected: the field changes, or the document ends."""
        self._end_sentence()
        if self._open and self._content:
            self.fields.append((self._open[-1][1], "".join(self._content)))
        self._content.clear()

    def _end_sentence(self) -> None:
        if self._sentence and (text := _one_line("".join(self._sentence))):
            (self.sentences if self._open else self.loose).append(text)
        self._sentence = None

    def _move(self, tag: Tag) -> None:
        """Into a field, or out of it and of those within that were left open."""
        if tag.closing and any(name == tag.name for name, _ in self._open):
            while self._open.pop()[0] != tag.name:
                continue
        elif not tag.closing and len(self._open) < _DEEPEST:
            self._open.append((tag.name, _FIELDS[tag.name]))


def _one_line(text: str) -> str:
    return " ".join(plain(text).split())


def read_documents(path: Path, how: How) -> list[Document]:
    """The documents of a file; one without its own id bears the file's name."""
    raws = list(_raws(whole(path, how.limit)))
    if not raws:
        raise CorpusError("no <DOC> in this file", where=place(path), hint="documents stand in <DOC>…</DOC>")
    return [_document(raw, path, how) for raw in raws]


def _raws(text: str) -> Iterator[_Raw]:
    """Split a file at its documents; outside of them, sentences that name their document stand for it."""
    raw: _Raw | None = None
    inside = False
    for piece in pieces(text):
        id = _begins(piece, raw, inside)
        ends = isinstance(piece, Tag) and piece.name == "DOC"
        if raw is not None and (ends or id is not None):
            raw.end()
            yield raw
            raw = None
        if ends:
            inside = id is not None
        if id is not None:
            raw = _Raw(id)
        if raw is not None:
            raw.feed(piece)
    if raw is not None:
        raw.end()
        yield raw


def _begins(piece: Tag | str, raw: _Raw | None, inside: bool) -> str | None:
    """The id (or nothing) of the document that begins with this piece; None if none begins."""
    if isinstance(piece, str) or piece.closing:
        return None
    if piece.name == "DOC":
        return piece.attribute("id") or ""
    if piece.name == "S" and not inside:
        id = piece.attribute("docid") or ""
        return id if raw is None or raw.id != id else None
    return None


def _document(raw: _Raw, path: Path, how: How) -> Document:
    id = raw.first("id") or raw.id or path.name
    marked = raw.sentences or ([] if any(raw.texts("text")) else raw.loose)
    dates = [_one_line(text) for text in raw.texts("date")]
    read = next(filter(None, map(iso_date, dates)), None) or name_date(id)
    text = "\n\n".join(_unwrapped(plain(_LABEL.sub("", text))) for text in raw.texts("text"))
    return Document(
        id,
        given(marked) if marked else sentences_of(text, how.splitter),
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
