"""Where systems stand among all extracts: percentile ranks, and how many extracts are better.

A system's hits are counted as its rivals' are: n-grams within sentences, the text cut at the budget, against
the same references. Beside the systems stand four marks: the best extract, the greedy one, the first
sentences and sentences in random order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from topline.corpus.records import Summary, Topic
from topline.errors import CorpusError, Where
from topline.rouge.metric import Metric
from topline.shown import Shown
from topline.spread.distribution import Better, Distribution
from topline.spread.document import Spread
from topline.spread.extracts import CHOPPED
from topline.spread.scale import Scale
from topline.text.budget import Budget

ORACLE, GREEDY, LEAD, RANDOM = "(oracle)", "(greedy)", "(lead)", "(random)"
MARKS = (ORACLE, GREEDY, LEAD, RANDOM)


@dataclass(frozen=True, slots=True)
class Standing(Shown):
    """A system's place among all extracts of a topic."""

    id: str
    system: str
    metric: str
    references: str
    hits: int
    total: int
    percentile: float
    """The percentage of extracts with fewer hits (of the draws, if sampled)."""
    interval: tuple[float, float]
    """Its bounds: equal if exact, else at 99% confidence."""
    better: Better
    """Extracts with more hits."""
    equal: int | None
    """Extracts with the same hits, where that is known."""

    @property
    def score(self) -> float:
        """Recall (or the sum of recalls)."""
        return self.hits / self.total


def text_of(summary: Summary, topic: Topic) -> list[str]:
    """A summary's sentences: its own (the last may be cut), or those of the topic that it chose."""
    if summary.sentences or summary.selected is None:
        return list(summary.sentences)
    texts = topic.texts()
    for number in summary.selected:
        if not 0 <= number < len(texts):
            raise CorpusError(
                f"{summary.system!r} selects sentence {number} of {len(texts)}",
                where=Where(id=topic.id),
                hint="sentences are counted from 0, documents in corpus order",
            )
    return [texts[number] for number in summary.selected]


def standings(
    topic: Topic,
    spread: Spread,
    summaries: Sequence[Summary],
    metric: Metric,
    budget: Budget,
    seed: int = 0,
    *,
    extracts: str = CHOPPED,
    sections: str = "none",
) -> list[Standing]:
    """The systems of a topic, and behind them the marks, which are extracts of the same kind."""
    scale = Scale.of(topic, metric, budget, spread.references, extracts=extracts, sections=sections)
    hits = [(summary.system, scale.hits(text_of(summary, topic))) for summary in summaries]
    if spread.distribution.best_known:
        hits.append((ORACLE, spread.distribution.most))
    hits += [(GREEDY, scale.greedy()), (LEAD, scale.lead()), (RANDOM, scale.random(seed))]
    return [standing(spread, system, number) for system, number in hits]


def standing(spread: Spread, system: str, hits: int) -> Standing:
    """The place of some hits in a distribution."""
    distribution: Distribution = spread.distribution
    return Standing(
        spread.id,
        system,
        spread.metric,
        spread.references,
        hits,
        distribution.total,
        distribution.percent(hits),
        distribution.percentile(hits),
        distribution.better(hits),
        distribution.equal(hits),
    )


def error_reduction(score: Fraction, base: Fraction, best: Fraction) -> float | None:
    """By which part a system lessens the distance of a baseline from the optimum; None if there is none."""
    return None if best == base else float((score - base) / (best - base))
