"""The candidates of MatchSum (Zhong et al. 2020): extracts of two or three out of five sentences, ranked.

The paper takes the five sentences from a trained extractor (BertExt). Without one, they are the five that
score best each by itself, the best that such an extractor could give. Candidates are ranked by the mean
F1 of ROUGE-1, ROUGE-2 and ROUGE-L; the first is the label.
"""

from __future__ import annotations

from topline.search.recipes import Chosen, Texts
from topline.search.recipes.combinations import best_alone, ranked, subsets

POOL, SIZES = 5, (2, 3)


def label(sentences: Texts, reference: Texts) -> Chosen:
    """All pairs and triples of the five best sentences; a shorter document is a candidate as a whole."""
    pool = best_alone(POOL, sentences, reference)
    sizes = [size for size in SIZES if size <= len(pool)] or [len(pool)]
    order = ranked(subsets(pool, sizes), sentences, reference)
    return Chosen(order[0] if order else (), tuple(order))
