"""How common words are elsewhere: the table behind IDF and topic signatures, built, written and read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from topline.corpus.records import Topic
from topline.errors import CorpusError, OptionError, Where
from topline.systems.matrix import Floats
from topline.systems.words import PLAIN, Words
from topline.text.tokens import Preprocessing

UNKNOWN = 0.1
"""MEAD's IDF of a word that the table does not hold."""
MOST_WORDS = 1 << 21
"""Words that a census counts at a time."""
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


class Census:
    """Counts words and the documents that hold them, document by document.

    Beyond two million words those met in one document only are forgotten now and then, so that memory
    is bounded; if they come back they start anew, and are counted a little too low.
    """

    def __init__(self, tokenizer: str = PLAIN.tokenizer) -> None:
        self.tokenizer = tokenizer
        self.documents = 0
        self._begin()
        self._folded: dict[str, tuple[int, int]] = {}

    def _begin(self) -> None:
        self._encoder = Words(Preprocessing(self.tokenizer, stem=False))
        self._held = np.zeros(1024, np.int64)
        self._counts = np.zeros(1024, np.int64)
        self._last = np.full(1024, -1, np.int64)
        """The document each word was met in last."""

    def add(self, texts: Sequence[str]) -> None:
        """Count one document."""
        self.add_all([texts])

    def add_all(self, documents: Sequence[Sequence[str]]) -> None:
        """Count documents, each given as its texts; many at a time are sooner counted than one by one."""
        from topline.systems.kernels.counts import count_documents

        if len(self._encoder.words) > MOST_WORDS:
            self._fold()
        table = self._encoder.encode([text for texts in documents for text in texts])
        firsts = np.cumsum([0, *map(len, documents)])
        size = len(self._encoder.words)
        if size > len(self._held):
            self._held = np.concatenate([self._held, np.zeros(size, np.int64)])
            self._counts = np.concatenate([self._counts, np.zeros(size, np.int64)])
            self._last = np.concatenate([self._last, np.full(size, -1, np.int64)])
        count_documents(table.ids, table.starts[firsts], self.documents, self._last, self._held, self._counts)
        self.documents += len(documents)

    def add_topics(self, topics: Iterable[Topic]) -> int:
        """Count every document, its title included, of every topic; returns the number of topics."""
        number = 0
        for topic in topics:
            number += 1
            self.add_all(
                [[doc.title, *(sentence.text for sentence in doc.sentences)] for doc in topic.documents]
            )
        return number

    def words(self) -> Iterator[tuple[str, int, int]]:
        """Each word, the documents that hold it, its occurrences."""
        counted = zip(self._encoder.words.words, self._held.tolist(), self._counts.tolist(), strict=False)
        if not self._folded:
            yield from counted
            return
        self._fold()
        for word, (held, count) in self._folded.items():
            yield word, held, count

    def _fold(self) -> None:
        """Add what was counted to the words of before, and begin again with an empty vocabulary."""
        folded = self._folded
        if len(folded) > MOST_WORDS:
            folded = {word: entry for word, entry in folded.items() if entry[0] > 1}
        names = self._encoder.words.words
        for word, held, count in zip(names, self._held.tolist(), self._counts.tolist(), strict=False):
            before = folded.get(word, (0, 0))
            folded[word] = before[0] + held, before[1] + count
        self._folded = folded
        self._begin()

    def background(self, name: str = "corpus", unknown: float = UNKNOWN) -> Background:
        """The table."""
        words = list(self.words())
        return Background(
            documents=self.documents,
            tokens=sum(count for _, _, count in words),
            values={word: math.log(self.documents / held) for word, held, _ in words},
            counts={word: count for word, _, count in words},
            unknown=unknown,
            name=name,
        )

    def lines(self, least: int = 1) -> Iterator[str]:
        """The table as a file: a header, then word, documents, occurrences; the commonest words first."""
        words = sorted(self.words(), key=lambda row: (-row[1], -row[2], row[0]))
        tokens = sum(count for _, _, count in words)
        yield f"{_HEAD}\tdocuments={self.documents}\ttokens={tokens}\ttokenizer={self.tokenizer}\n"
        for word, held, count in words:
            if held >= least:
                yield f"{word}\t{held}\t{count}\n"


def read_background(path: Path | str, unknown: float = UNKNOWN) -> Background:
    """Read a table that `topline idf` wrote, or lines of `word idf`, as MEAD's own tables are dumped."""
    if not 0.0 <= unknown < math.inf:
        raise OptionError(f"an IDF of {unknown} for unknown words makes no sense", hint="0 or more")
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
    if documents < 1 or len(lines) < 2:
        raise _wrong(path, 1, "the table is empty")
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
