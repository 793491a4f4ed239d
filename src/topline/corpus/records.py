"""The records every reader produces and every stage takes: frozen, small, named as in the files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from topline.shown import Shown


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a source document."""

    text: str
    start: int | None = None
    """Offset of the sentence's first character in the document's text; None if it came already split."""
    end: int | None = None
    """Offset behind the sentence's last character."""


@dataclass(frozen=True, slots=True)
class Section:
    """A titled run of a document's sentences; it reaches to the next section's start."""

    title: str
    start: int
    """Number of its first sentence in the document (0-based)."""


@dataclass(frozen=True, slots=True)
class Document:
    """A source document."""

    id: str
    sentences: tuple[Sentence, ...]
    title: str = ""
    date: str | None = None
    """ISO 8601 where the source's date could be read; otherwise as it stood there."""
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Reference:
    """A summary written by a person."""

    id: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Topic(Shown):
    """Documents that are summarised together, and their references."""

    id: str
    documents: tuple[Document, ...]
    references: tuple[Reference, ...] = ()
    title: str = ""
    domain: str | None = None
    splitter: str | None = None
    """What split the texts into sentences; None if all came split. Part of the signature."""

    def sentences(self) -> Iterator[Sentence]:
        """All sentences, documents in corpus order: `selected` in results counts these from 0."""
        for document in self.documents:
            yield from document.sentences

    def texts(self) -> list[str]:
        """The text of every sentence, in the order of `sentences`."""
        return [sentence.text for sentence in self.sentences()]


@dataclass(frozen=True, slots=True)
class Summary(Shown):
    """A system's summary of a topic: its sentences, or the numbers of the topic's sentences it chose."""

    id: str
    """The topic's id."""
    system: str
    sentences: tuple[str, ...] = ()
    selected: tuple[int, ...] | None = None
    """Numbers of the topic's sentences (0-based, documents in corpus order), where the system gave them."""
