"""How common words are elsewhere: the table behind IDF and topic signatures, built, written and read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from topline.corpus.records import Topic
from topline.errors import CorpusError, Where
from topline.systems.matrix import Floats
from topline.systems.words import PLAIN, Words
from topline.text.tokens import Preprocessing

UNKNOWN = 0.1
"""MEAD's IDF of a word that the table does not hold."""
_HEAD = "# topline idf"


@dataclass(frozen=True)
class Background:
    """A table of words; the empty one stands for no background."""

    documents: int = 0
    tokens: int = 0
    """Words in all documents, repeated ones included; 0 where the table does not say."""
    values: dict[str, float] = field(default_factory=dict)
    """`log(documents / documents that hold the word)`, natural logarithm."""
    counts: dict[str, int] = field(default_factory=dict)
    """How often the word occurs; empty where the table does not say."""
    unknown: float = UNKNOWN
    name: str = "topic"

    def idf(self, words: Sequence[str]) -> Floats:
        """IDF of words."""
        get, unknown = self.values.get, self.unknown
        return np.array([get(word, unknown) for word in words], np.float64)


TOPIC = Background()
"""No background at all: the topic's own sentences are what a word's rarity is measured on."""


@dataclass
class Census:
    """Counts words and the documents that hold them, document by document."""

    tokenizer: str = PLAIN.tokenizer
    documents: int = 0
    words: dict[str, list[int]] = field(default_factory=dict)
    """Word: documents that hold it, occurrences."""

    def __post_init__(self) -> None:
        self._encoder = Words(Preprocessing(self.tokenizer, stem=False))

    def add(self, texts: Sequence[str]) -> None:
        """Count one document."""
        ids, counts = np.unique(self._encoder.encode(texts).ids, return_counts=True)
        names = self._encoder.words.words
        self.documents += 1
        for number, count in zip(ids.tolist(), counts.tolist(), strict=True):
            entry = self.words.setdefault(names[number], [0, 0])
            entry[0] += 1
            entry[1] += count

    def add_topics(self, topics: Iterable[Topic]) -> int:
        """Count every document, its title included, of every topic; returns the number of topics."""
        number = 0
        for topic in topics:
            number += 1
            for document in topic.documents:
                self.add([document.title, *(sentence.text for sentence in document.sentences)])
        return number

    def background(self, name: str = "corpus", unknown: float = UNKNOWN) -> Background:
        """The table."""
        return Background(
            documents=self.documents,
            tokens=sum(count for _, count in self.words.values()),
            values={word: math.log(self.documents / held) for word, (held, _) in self.words.items()},
            counts={word: count for word, (_, count) in self.words.items()},
            unknown=unknown,
            name=name,
        )

    def lines(self, least: int = 1) -> Iterator[str]:
        """The table as a file: a header, then word, documents, occurrences; the commonest words first."""
        tokens = sum(count for _, count in self.words.values())
        yield f"{_HEAD}\tdocuments={self.documents}\ttokens={tokens}\ttokenizer={self.tokenizer}\n"
        rows = sorted(self.words.items(), key=lambda item: (-item[1][0], -item[1][1], item[0]))
        for word, (held, count) in rows:
            if held >= least:
                yield f"{word}\t{held}\t{count}\n"


def read_background(path: Path | str, unknown: float = UNKNOWN) -> Background:
    """Read a table that `topline idf` wrote, or lines of `word idf`, as MEAD's own tables are dumped."""
    try:
        lines = Path(path).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(
            f"cannot read the IDF table: {error}",
            where=Where(file=str(path)),
            hint="topline idf CORPUS --out FILE",
        ) from error
    if lines and lines[0].startswith(_HEAD):
        return _read_own(str(path), lines, unknown)
    return _read_plain(str(path), lines, unknown)


def _read_own(path: str, lines: Sequence[str], unknown: float) -> Background:
    try:
        head = dict(part.split("=", 1) for part in lines[0].split("\t")[1:])
        documents, tokens = int(head["documents"]), int(head["tokens"])
    except (KeyError, ValueError) as error:
        raise _wrong(path, 1, "the header lacks documents= and tokens=") from error
    values: dict[str, float] = {}
    counts: dict[str, int] = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            word, held, count = line.split("\t")
            values[word] = math.log(documents / int(held))
            counts[word] = int(count)
        except (ValueError, ZeroDivisionError) as error:
            raise _wrong(path, number, "a line is word, documents, occurrences") from error
        if not 1 <= int(held) <= documents or int(count) < int(held):
            raise _wrong(path, number, f"{word!r} cannot be in {held} of {documents} documents")
    return Background(documents, tokens, values, counts, unknown, path)


def _read_plain(path: str, lines: Sequence[str], unknown: float) -> Background:
    values: dict[str, float] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            word, idf = line.split()
            values[word.lower()] = float(idf)
        except ValueError as error:
            raise _wrong(path, number, "a line is a word and its IDF") from error
        if not math.isfinite(values[word.lower()]):
            raise _wrong(path, number, f"the IDF of {word!r} is not finite")
    if not values:
        raise _wrong(path, 1, "the table is empty")
    return Background(1, 0, values, {}, unknown, path)


def _wrong(path: str, line: int, what: str) -> CorpusError:
    return CorpusError(what, where=Where(file=path, line=line), hint="topline idf CORPUS --out FILE")
