"""The records every reader produces and every stage takes: frozen, small, named as in the files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import starmap
from typing import Any

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

    @property
    def split(self) -> str:
        """What a result's signature says of the splitter: nothing if all texts came split."""
        return "" if self.splitter is None else f"|split:{self.splitter}"

    def sentences(self) -> Iterator[Sentence]:
        """All sentences, documents in corpus order: `selected` in results counts these from 0."""
        for document in self.documents:
            yield from document.sentences

    def texts(self) -> list[str]:
        """The text of every sentence, in the order of `sentences`."""
        return [sentence.text for sentence in self.sentences()]

    def __reduce__(self) -> tuple[Any, ...]:
        """Sent to other processes as plain tuples: a record a sentence would cost more than labelling it."""
        documents = [
            (d.id, [(s.text, s.start, s.end) for s in d.sentences], d.title, d.date,
             [(section.title, section.start) for section in d.sections])
            for d in self.documents
        ]  # fmt: skip
        references = [(reference.id, reference.sentences) for reference in self.references]
        return _topic, (self.id, documents, references, self.title, self.domain, self.splitter)


def _topic(
    id: str, documents: list[Any], references: list[Any], title: str, domain: str | None, splitter: str | None
) -> Topic:
    """The topic that `__reduce__` took apart."""
    return Topic(
        id,
        tuple(
            Document(name, tuple(starmap(Sentence, sentences)), head, date, tuple(starmap(Section, sections)))
            for name, sentences, head, date, sections in documents
        ),
        tuple(starmap(Reference, references)),
        title,
        domain,
        splitter,
    )


@dataclass(frozen=True, slots=True)
class Summary(Shown):
    """A system's summary of a topic: its sentences, or the numbers of the topic's sentences it chose."""

    id: str
    """The topic's id."""
    system: str
    sentences: tuple[str, ...] = ()
    selected: tuple[int, ...] | None = None
    """Numbers of the topic's sentences (0-based, documents in corpus order), where the system gave them."""
