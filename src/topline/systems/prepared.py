"""One prepared topic for all systems: tokenised once, one count matrix, one IDF, one similarity graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topline.corpus.records import Document, Topic
from topline.systems.background import TOPIC, Background
from topline.systems.chronology import by_date
from topline.systems.graph import Graph, cosine_graph
from topline.systems.matrix import Floats, Ints, Matrix, bigrams, count
from topline.systems.words import Words
from topline.text.encode import TokenTable


@dataclass(frozen=True)
class Names:
    """Some words of a vocabulary, looked up when they are asked for."""

    vocabulary: Sequence[str]
    numbers: NDArray[np.int32]

    def names(self) -> tuple[str, ...]:
        """The words."""
        return tuple(self.vocabulary[number] for number in self.numbers.tolist())


@dataclass(frozen=True)
class Prepared:
    """A topic as the systems see it: sentences are rows, in corpus order, whatever their document's date.

    Two views of its words: `words`, every token as it stands (lower-cased), and `terms`, stems without stop
    words. Rows behind the sentences are extras: the documents' titles, the topic's title, the query.
    """

    topic: Topic
    texts: tuple[str, ...]
    document: NDArray[np.int32]
    """The number of each sentence's document."""
    position: NDArray[np.int32]
    """Each sentence's place in its document, from 1."""
    sizes: NDArray[np.int32]
    """Sentences a document."""
    reading: tuple[int, ...]
    """The documents' numbers in the order they are read: by date, or as they came."""
    dated: bool
    """Whether every document has a date to go by (one document needs none)."""
    tokens: TokenTable
    """Every row's words, numbered from 0 in order of first appearance, extras included."""
    stems: NDArray[np.int32]
    """The term of each word's number; -1 for stop words."""
    columns: tuple[int, int]
    """How many words and terms there are, extras included."""
    vocabularies: tuple[Names, Names]
    """What words and terms are called."""
    background: Background
    query: str

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The word of each number."""
        return self.vocabularies[0].names()

    @cached_property
    def term_names(self) -> tuple[str, ...]:
        """The term of each number."""
        return self.vocabularies[1].names()

    @cached_property
    def first_sentences(self) -> Ints:
        """The row of each document's first sentence (the next document's, where one is empty)."""
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(self.sizes, dtype=np.int64)])[:-1]

    @cached_property
    def words(self) -> Matrix:
        """Counts of every word, sentence by sentence."""
        return count(self.tokens, len(self), self.columns[0])

    @cached_property
    def terms(self) -> Matrix:
        """Counts of terms, sentence by sentence."""
        return count(self._term_table, len(self), self.columns[1])

    @cached_property
    def extra_words(self) -> Matrix:
        """Counts of every word in the sentences and, behind them, the extras."""
        return count(self.tokens, len(self.tokens), self.columns[0])

    @cached_property
    def extra_terms(self) -> Matrix:
        """Counts of terms in the sentences and, behind them, the extras."""
        return count(self._term_table, len(self.tokens), self.columns[1])

    @cached_property
    def bigrams(self) -> Matrix:
        """Counts of pairs of neighbouring terms, sentence by sentence; stop words between them are passed."""
        return bigrams(self._term_table, len(self), self.columns[1])

    @cached_property
    def word_idf(self) -> Floats:
        """IDF of each word: from the background or, without one, over the topic's sentences."""
        if self.background.documents:
            return self.background.idf(self.names)
        return _idf(self.words.frequencies(), len(self))

    @cached_property
    def term_idf(self) -> Floats:
        """IDF of each term: that of its commonest form, or over the topic's sentences."""
        if not self.background.documents:
            return _idf(self.terms.frequencies(), len(self))
        idf = np.full(self.columns[1], np.inf)
        kept = self.stems >= 0
        np.minimum.at(idf, self.stems[kept], self.word_idf[kept])
        return idf

    @cached_property
    def cosines(self) -> Graph:
        """Cosines of the sentences' TF x IDF vectors over terms, where they share any."""
        return cosine_graph(self.terms, self.term_idf)

    def overlaps(self, row: int) -> Floats:
        """Twice the words shared over the words of both, of one sentence with every sentence; kept."""
        from topline.systems.kernels.counts import overlaps

        if row not in self._overlaps:
            words = self.words
            self._overlaps[row] = overlaps(words.starts, words.terms, words.counts, words.lengths, row)
        return self._overlaps[row]

    @cached_property
    def _overlaps(self) -> dict[int, Floats]:
        return {}

    @property
    def topic_title_row(self) -> int:
        """The row of the topic's title."""
        return len(self) + len(self.sizes)

    @property
    def query_row(self) -> int:
        """The row of the query."""
        return len(self) + len(self.sizes) + 1

    @cached_property
    def _term_table(self) -> TokenTable:
        return TokenTable(self.stems[self.tokens.ids], self.tokens.starts)


def prepare(
    topic: Topic, words: Words | None = None, background: Background = TOPIC, query: str = ""
) -> Prepared:
    """Prepare a topic; `words` may be kept from topic to topic and makes the next ones faster."""
    from topline.systems.kernels.counts import compact

    words = words or Words()
    texts = topic.texts()
    titles = [document.title for document in topic.documents]
    table = words.encode([*texts, *titles, topic.title, query])
    ids, distinct = compact(table.ids, words.scratch())
    stems, distinct_terms = compact(words.term_of()[distinct], words.scratch())
    sizes = np.array([len(document.sentences) for document in topic.documents], np.int32)
    reading, dated = by_date(topic.documents)
    return Prepared(
        topic=topic,
        texts=tuple(texts),
        document=np.repeat(np.arange(len(sizes), dtype=np.int32), sizes),
        position=_positions(topic.documents),
        sizes=sizes,
        reading=reading,
        dated=dated,
        tokens=TokenTable(ids, table.starts),
        stems=stems,
        columns=(len(distinct), len(distinct_terms)),
        vocabularies=(Names(words.words.words, distinct), Names(words.terms.words, distinct_terms)),
        background=background,
        query=query,
    )


def _positions(documents: Sequence[Document]) -> NDArray[np.int32]:
    parts = [np.arange(1, len(document.sentences) + 1, dtype=np.int32) for document in documents]
    return np.concatenate([np.empty(0, np.int32), *parts])


def _idf(frequencies: Ints, units: int) -> Floats:
    """`log(units / frequency)`; 0 for what no sentence holds (a title's word), which cannot matter."""
    idf: Floats = np.log(max(units, 1) / np.maximum(frequencies, 1))
    return np.where(frequencies > 0, idf, 0.0)
