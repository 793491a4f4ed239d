"""What several papers' tables share: every topic's oracles, found once, and systems' mean scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from topline.corpus.records import Summary, Topic
from topline.errors import CorpusError, Where
from topline.judge.overlap import oracles
from topline.judge.papers import Given
from topline.rouge.metric import Metric
from topline.rouge.score import Comparison, Scorer, text_of
from topline.search.optima import Optima
from topline.text.tokens import Preprocessing

ROUGE = {
    "ROUGE1": Metric.parse("rouge-1", Preprocessing(stopwords="smart")),
    "ROUGE2": Metric.parse("rouge-2"),
}
"""Hirao's conditions: unigrams without stop words, bigrams with them, stems in both."""


def solved(given: Given, metric: Metric, mode: str) -> list[list[Optima]]:
    """Every topic's oracles: one diagram in `multi`, one a reference in `single`."""
    return given.once(
        ("oracles", metric.signature, mode),
        lambda: [oracles(topic, metric, given.budget, mode, given.limits) for topic in given.topics],
    )


def score(sets: Optima) -> Fraction:
    """The oracles' recall."""
    return Fraction(sets.value, sets.problem.total)


def mean(values: Iterable[float | Fraction]) -> float:
    """The plain mean."""
    listed = list(values)
    return float(sum(listed) / len(listed))


def summaries_of(given: Given, system: str) -> list[tuple[Topic, Summary]]:
    """A system's summaries with their topics; it must have one of each."""
    own = given.need_systems()[system]
    for topic in given.topics:
        if topic.id not in own:
            raise CorpusError(
                f"{system!r} has no summary of this topic",
                where=Where(id=topic.id),
                hint="the tables average over the same topics for every system",
            )
    return [(topic, own[topic.id]) for topic in given.topics]


def recalls(metric: Metric, pairs: Iterable[tuple[Topic, Summary]]) -> list[float]:
    """ROUGE recall of summaries by a metric of one part, in their order."""
    compared = (
        Comparison(
            topic.id, summary.system, text_of(topic, summary), {r.id: r.sentences for r in topic.references}
        )
        for topic, summary in pairs
    )
    return [score.recall for score in Scorer(metric).score(compared)]


def system_means(given: Given, metrics: Mapping[str, Metric]) -> dict[str, dict[str, float]]:
    """Each system's mean recall by each metric."""
    return {
        system: {name: mean(recalls(m, summaries_of(given, system))) for name, m in metrics.items()}
        for system in given.need_systems()
    }
