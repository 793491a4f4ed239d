"""Sentence-by-sentence alignment (Chen and Bansal 2018): each reference sentence finds its source sentence.

For one reference sentence after the other, the document sentence with the best ROUGE-L recall is taken,
the earlier one on a tie; a document sentence is taken once. Words are lower-case runs between spaces.
"""

from __future__ import annotations

from topline.search.recipes import Chosen, Texts


def label(sentences: Texts, reference: Texts) -> Chosen:
    """One document sentence for each reference sentence, while there are any."""
    documents = [sentence.lower().split() for sentence in sentences]
    free = list(range(len(documents)))
    for wanted in reference:
        if not free:
            break
        words = wanted.lower().split()
        masks: dict[str, int] = {}
        for place, word in enumerate(words):
            masks[word] = masks.get(word, 0) | 1 << place
        # the recall's denominator is the reference sentence: the same for all
        free.remove(max(free, key=lambda i: (_longest(masks, len(words), documents[i]), -i)))
    return Chosen(tuple(i for i in range(len(documents)) if i not in set(free)))


def _longest(masks: dict[str, int], size: int, words: list[str]) -> int:
    """The length of the longest common subsequence: a bit a word of the reference (Hyyro 2004)."""
    full = (1 << size) - 1
    row = full
    for word in words:
        matched = row & masks.get(word, 0)
        row = (row + matched | row - matched) & full
    return size - row.bit_count()
