"""MEAD's features of a sentence: sections 3.5.1-3.5.3, their twins in Table 3, and what else it ships."""

from __future__ import annotations

import re

import numpy as np

from topline.systems.matrix import Floats, Ints
from topline.systems.prepared import Prepared
from topline.text.tokens import SPACELESS, unicode_words

_NO_LETTER = re.compile(r"[^\w\s-]|_")


def scaled(values: Floats) -> Floats:
    """Divided by the cluster's largest, as Table 3 has the centroid value."""
    largest = float(values.max(initial=0.0))
    return values / largest if largest > 0 else np.zeros_like(values)


def length(topic: Prepared) -> Ints:
    """The number of words of each sentence."""
    return np.array([words_of(text) for text in topic.texts], np.int64)


def words_of(text: str) -> int:
    """Table 3's Length: words split at white space and hyphens, punctuation alone not counted.

    Where a script writes no spaces, a character is a word.

    >>> words_of("The now-banned Front (FIS) -- was poised to win.")
    9
    """
    if not text.isascii() and SPACELESS.search(text):
        return len(unicode_words(text))
    return len(_NO_LETTER.sub("", text).replace("-", " ").split())


def position_linear(topic: Prepared, values: Floats) -> Floats:
    """`P_i = (n - i + 1) / n x C_max`, with the document's n sentences and its largest centroid value."""
    sizes = topic.sizes[topic.document]
    highest = np.zeros(len(topic.sizes))
    np.maximum.at(highest, topic.document, values)
    return (sizes - topic.position + 1) / sizes * highest[topic.document]


def position_sqrt(topic: Prepared) -> Floats:
    """Table 3's Position: `1 / sqrt(i)`."""
    return 1.0 / np.sqrt(topic.position)


def first_product(topic: Prepared) -> Floats:
    """`F_i`: the inner product of the word counts of the sentence and of its document's first one."""
    return _with_first(topic, topic.words.counts.astype(np.float64))


def first_cosine(topic: Prepared) -> Floats:
    """Table 3's SimWithFirst: the cosine of the same two vectors, with IDF weights."""
    return _with_first(topic, topic.words.unit_rows(topic.word_idf))


def _with_first(topic: Prepared, values: Floats) -> Floats:
    """Inner products of each sentence with the first of its document."""
    from topline.systems.kernels.counts import products

    words = topic.words
    found = np.zeros(len(topic))
    for document, first in enumerate(topic.first_sentences.tolist()):
        if topic.sizes[document]:
            inside = slice(first, first + int(topic.sizes[document]))
            begin, end = words.starts[inside.start], words.starts[inside.stop]
            found[inside] = products(
                words.starts[inside.start : inside.stop + 1] - begin,
                words.terms[begin:end],
                values[begin:end],
                0,
                words.columns,
            )
    return found


def query_cosine(topic: Prepared) -> Floats:
    """Cosine with the query, with IDF weights; 0 without a query."""
    return _with_extra(topic, np.full(len(topic), topic.query_row, np.int64))


def query_overlap(topic: Prepared) -> Floats:
    """How many of the sentence's words are the query's, each as often as both have it."""
    query = topic.extra_words.row(topic.query_row)
    return np.array(
        [
            sum(min(count, query.get(word, 0)) for word, count in topic.words.row(row).items())
            for row in range(len(topic))
        ],
        np.float64,
    )


def title_cosine(topic: Prepared) -> Floats:
    """Cosine with the title of the sentence's document, with IDF weights; 0 without a title."""
    return _with_extra(topic, len(topic) + topic.document.astype(np.int64))


def _with_extra(topic: Prepared, extras: Ints) -> Floats:
    """Cosines of each sentence with the extra row that belongs to it."""
    from topline.systems.kernels.counts import products

    matrix = topic.extra_words
    values = matrix.unit_rows(topic.word_idf)
    found = np.zeros(len(topic))
    for extra in np.unique(extras).tolist():
        mine = extras == extra
        cosines = products(matrix.starts, matrix.terms, values, extra, matrix.columns)
        found[mine] = cosines[: len(topic)][mine]
    return found


def longest(topic: Prepared) -> Floats:
    """The length over the cluster's largest."""
    return scaled(length(topic).astype(np.float64))


def lexrank(topic: Prepared) -> Floats:
    """LexRank's score over the cluster's largest."""
    from topline.systems.lexrank import LexRank

    return scaled(LexRank().scores(topic))
