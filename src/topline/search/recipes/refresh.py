"""The labels of Refresh (Narayan, Cohen and Lapata 2018): the best combination of good sentences.

The ten sentences that score best each by itself (mean F1 of ROUGE-1, ROUGE-2 and ROUGE-L) are combined,
up to three at a time (the paper's limit for CNN; four for DailyMail), and the best combination wins, the
shorter and earlier one on a tie.
"""

from __future__ import annotations

from topline.search.recipes import Chosen, Texts
from topline.search.recipes.combinations import best_alone, ranked, subsets

POOL, MOST = 10, 3


def label(sentences: Texts, reference: Texts) -> Chosen:
    """The best of all combinations of up to three of the ten best sentences."""
    pool = best_alone(POOL, sentences, reference)
    order = ranked(subsets(pool, range(1, MOST + 1)), sentences, reference)
    return Chosen(order[0] if order else ())
