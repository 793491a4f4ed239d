"""Sections of a document: those it came with, or a linear segmentation (Utiyama and Isahara 2001).

The most probable segmentation is the cheapest path from the first sentence to the last: a segment of `n`
words in which word `w` occurs `f(w)` times costs `sum_w f(w) log((n + k) / (f(w) + 1)) + log N`, with `k`
different words among the `N` of the text. The number of segments comes out by itself. As the authors do, stop
words are left out and stems compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log

from topline.corpus.records import Document, Topic
from topline.text.encode import Vocabulary
from topline.text.tokens import Preprocessing


def sections_of(topic: Topic, how: str) -> list[range]:
    """The runs of a topic's sentences that are sections: `given` boundaries, or `auto`matic ones."""
    found: list[range] = []
    first = 0
    for document in topic.documents:
        size = len(document.sentences)
        starts = _given(document) if how == "given" else segment([s.text for s in document.sentences])
        ends = [*starts[1:], size]
        found += [range(first + a, first + b) for a, b in zip(starts, ends, strict=True) if a < b]
        first += size
    return found


def _given(document: Document) -> list[int]:
    """Where the sections begin; what stands before the first is one too."""
    return sorted({0, *(section.start for section in document.sections)}) if document.sentences else []


def segment(sentences: Sequence[str]) -> list[int]:
    """The first sentences of the segments of the cheapest segmentation; on a tie of the one with fewest."""
    table = Vocabulary(Preprocessing(stopwords="smart")).encode(sentences)
    words = [table[i].tolist() for i in range(len(table))]
    total = sum(map(len, words))
    different = len({word for some in words for word in some})
    if total == 0:
        return [0] if sentences else []
    costs: list[tuple[float, int]] = [(0.0, 0)] + [(inf, 0)] * len(words)
    came_from = [0] * (len(words) + 1)
    for start in range(len(words)):
        before, segments = costs[start]
        for end, cost in _growing(words[start:], total, different):
            candidate = (before + cost, segments + 1)
            if candidate < costs[start + end]:
                costs[start + end], came_from[start + end] = candidate, start
    starts = []
    at = len(words)
    while at:
        at = came_from[at]
        starts.append(at)
    return starts[::-1]


def _growing(words: Sequence[Sequence[int]], total: int, different: int) -> list[tuple[int, float]]:
    """The costs of the segments of one sentence, two, three, ... from the first on."""
    counts: dict[int, int] = {}
    size = 0
    spent = 0.0
    found = []
    for end, sentence in enumerate(words, 1):
        for word in sentence:
            before = counts.get(word, 0)
            counts[word] = before + 1
            spent += (before + 1) * log(before + 2) - before * log(before + 1)
        size += len(sentence)
        found.append((end, size * log(size + different) - spent + log(total)))
    return found
