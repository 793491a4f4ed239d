"""Writing a corpus's parses, document by document, so that a run can be broken off and go on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, tee
from pathlib import Path
from typing import Protocol

from topline.compress.conllu import block, document_name
from topline.compress.parse import Parse, writable
from topline.corpus.conllu import read_sentences
from topline.corpus.records import Topic
from topline.errors import OutputError, ParseMismatch, Where


class Parses(Protocol):
    """Anything that parses sentences in order."""

    @property
    def signature(self) -> str:
        """What parses, and its version."""

    def parses(self, texts: Iterable[str]) -> Iterator[Parse]:
        """A tree for every sentence."""


@dataclass(frozen=True, slots=True)
class ToParse:
    """A document to parse: its name in the file and its sentences that are not blank."""

    name: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """What a run came to."""

    documents: int
    resumed: int
    """Documents that an earlier run had parsed."""


def documents(topics: Iterable[Topic]) -> Iterator[ToParse]:
    """The corpus's documents, named TOPIC/DOCUMENT."""
    for topic in topics:
        for document in topic.documents:
            texts = (" ".join(writable(sentence.text).split()) for sentence in document.sentences)
            yield ToParse(document_name(topic, document), tuple(text for text in texts if text))


def blocks(parser: Parses, units: Iterable[ToParse]) -> Iterator[str]:
    """The CoNLL-U text of each document; sentences are parsed in batches across documents."""
    named, parsed = tee(units)
    trees = parser.parses(text for unit in parsed for text in unit.texts)
    for unit in named:
        text = f"# newdoc id = {unit.name}\n# parser = {parser.signature}\n" if unit.texts else ""
        for number, _ in enumerate(unit.texts):
            text += block(next(trees), f"{unit.name}/{number}")
        yield text


class Writer:
    """A CoNLL-U file that grows beside its final name and is renamed when complete."""

    def __init__(self, out: Path, parser: Parses) -> None:
        self.out, self.parser = out, parser
        self.part = out.with_name(out.name + ".part")

    def write(self, units: Iterable[ToParse]) -> Written:
        """Parse what an earlier run has not, and complete the file."""
        stream = iter(units)
        resumed = self._resumed(stream)
        count = resumed
        try:
            with self.part.open("a", encoding="utf-8", newline="\n") as file:
                for text in blocks(self.parser, stream):
                    file.write(text)
                    file.flush()
                    count += 1
                os.fsync(file.fileno())
            os.replace(self.part, self.out)
        except OSError as error:
            raise OutputError(
                f"cannot write: {error.strerror}", where=Where(file=str(self.part)), hint="then run again"
            ) from error
        return Written(count, resumed)

    def _resumed(self, units: Iterator[ToParse]) -> int:
        """Pass the documents that the partial file holds; its last one may be torn and is cut off."""
        if not self.part.exists():
            return 0
        self._check_parser()
        self._cut()
        count = 0
        for name, sentences in groupby(read_sentences(self.part), key=lambda sentence: sentence.document):
            texts = tuple(sentence.text for sentence in sentences)
            unit = next((unit for unit in self._counted(units) if unit.texts), None)
            count += self._passed
            if unit is None or (unit.name, unit.texts) != (name, texts):
                raise ParseMismatch(
                    f"an unfinished file holds the parse of another corpus: document {name!r}",
                    where=Where(file=str(self.part)),
                    hint="remove it to begin anew",
                )
        return count

    def _counted(self, units: Iterator[ToParse]) -> Iterator[ToParse]:
        self._passed = 0
        for unit in units:
            self._passed += 1
            yield unit

    def _check_parser(self) -> None:
        """One file holds the parses of one model."""
        with self.part.open(encoding="utf-8", errors="replace") as file:
            lines = (line.removeprefix("# parser = ") for line in file if line.startswith("# parser = "))
            before = next(lines, self.parser.signature).strip()
        if before != self.parser.signature:
            raise ParseMismatch(
                f"an unfinished file was parsed by {before}, not {self.parser.signature}",
                where=Where(file=str(self.part)),
                hint="remove it to begin anew, or name that model",
            )

    def _cut(self) -> None:
        """Cut the partial file before its last document."""
        marker = b"# newdoc id = "
        with self.part.open("r+b") as file:
            end = position = 0
            for line in file:
                if line.startswith(marker):
                    end = position
                position += len(line)
            file.truncate(end)
