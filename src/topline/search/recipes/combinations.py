"""What recipes that try combinations share: extracts ranked by the mean F1 of ROUGE-1, ROUGE-2, ROUGE-L."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations

import numpy as np

from topline.rouge.metric import Metric
from topline.rouge.score import Comparison, Scorer
from topline.search.recipes import Texts

METRIC = "rouge-1+rouge-2+rouge-l"


@cache
def _metric() -> Metric:
    return Metric.parse(METRIC)


def ranked(extracts: Iterable[Sequence[int]], sentences: Texts, reference: Texts) -> list[tuple[int, ...]]:
    """Extracts by the mean of the three F1, best first; equal ones stay in the order given."""
    given = [tuple(extract) for extract in extracts]
    if not given:
        return []
    references = {"reference": reference}
    batch = [Comparison("", "", [sentences[i] for i in extract], references) for extract in given]
    f1 = np.sum([scores.f1 for scores in Scorer(_metric()).scores(batch)], axis=0)
    return [given[place] for place in np.argsort(-np.round(f1, 9), kind="stable")]


def best_alone(most: int, sentences: Texts, reference: Texts) -> list[int]:
    """The sentences that score best each by itself, in document order."""
    alone = ranked(([i] for i in range(len(sentences))), sentences, reference)
    return sorted(i for (i,) in alone[:most])


def subsets(places: Sequence[int], sizes: Iterable[int]) -> list[tuple[int, ...]]:
    """All combinations of these sizes, small ones first."""
    return [chosen for size in sizes for chosen in combinations(places, size)]
