"""The greedy labels of SummaRuNNer (Nallapati et al. 2017), as BertSum's preprocessing computes them.

Sentences are added while that raises the sum of ROUGE-1 and ROUGE-2 F1, up to three; the one that raises
it most comes first, the earlier one on a tie. N-grams are *sets*: no count, no stem, letters and digits
only (other characters are deleted, so that `don't` is `dont`), bigrams within sentences but across those
of the reference, whose sentences are joined. Scores are compared as fractions; the published code has
floats and adds 1e-8 to a denominator, which can only matter where two sentences are nearly equal.
"""

from __future__ import annotations

import re
from itertools import pairwise

from topline.search.recipes import Chosen, Texts

_DELETED = re.compile(r"[^a-zA-Z0-9 ]")
MOST = 3
"""BertSum's `summary_size`."""
Grams = tuple[set[str], set[tuple[str, str]]]


def _grams(text: str) -> Grams:
    words = _DELETED.sub("", " ".join(text.lower().split())).split()
    return set(words), set(pairwise(words))


def label(sentences: Texts, reference: Texts) -> Chosen:
    """Up to three sentences, greedily."""
    wanted = _grams(" ".join(reference))
    grams = [_grams(sentence) for sentence in sentences]
    have: Grams = (set(), set())
    selected: list[int] = []
    best = (0, 1)
    while len(selected) < MOST:
        following = None
        for i, own in enumerate(grams):
            if i in selected:
                continue
            value = _value(have, own, wanted)
            if value[0] * best[1] > best[0] * value[1]:
                best, following = value, i
        if following is None:
            break
        selected.append(following)
        have = (have[0] | grams[following][0], have[1] | grams[following][1])
    return Chosen(tuple(sorted(selected)))


def _value(have: Grams, own: Grams, wanted: Grams) -> tuple[int, int]:
    """The sum of the two F1 of an extract with one more sentence, as a fraction."""
    words, bigrams = have[0] | own[0], have[1] | own[1]
    first = 2 * len(words & wanted[0]), len(words) + len(wanted[0])
    second = 2 * len(bigrams & wanted[1]), len(bigrams) + len(wanted[1])
    if not second[1]:
        return first[0], max(first[1], 1)
    return first[0] * second[1] + second[0] * first[1], first[1] * second[1]
