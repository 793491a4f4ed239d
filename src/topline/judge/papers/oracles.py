"""What several papers' tables share: every topic's oracles, found once, and systems' mean scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from topline.corpus.records import Summary, Topic
from topline.errors import CorpusError, SearchLimit, Where
from topline.judge.papers import Given
from topline.problem.build import Instance, build
from topline.rouge.metric import Metric
from topline.rouge.score import Comparison, Scorer, text_of
from topline.search.optima import Optima, optima
from topline.text.tokens import Preprocessing

ROUGE = {
    "ROUGE1": Metric.parse("rouge-1", Preprocessing(stopwords="smart")),
    "ROUGE2": Metric.parse("rouge-2"),
}
"""Hirao's conditions: unigrams without stop words, bigrams with them, stems in both."""
MODES = {"multi": "pooled", "single": "each"}


@dataclass(frozen=True, slots=True)
class Solved:
    """A topic's problem (against all references or one) with its oracles."""

    instance: Instance
    sets: Optima

    @property
    def score(self) -> Fraction:
        """The oracles' recall."""
        return Fraction(self.sets.value, self.instance.problem.total)


def solved(given: Given, metric: Metric, mode: str) -> list[list[Solved]]:
    """For every topic its solved problems: one in `multi`, one a reference in `single`."""
    return given.once(
        ("solved", metric.signature, mode),
        lambda: [_solve(topic, given, metric, mode) for topic in given.topics],
    )


def _solve(topic: Topic, given: Given, metric: Metric, mode: str) -> list[Solved]:
    found = []
    for instance in build(topic, metric, given.budget, MODES[mode]):
        sets = optima(instance.problem, given.limits)
        if not sets.proved:
            raise SearchLimit(
                "not all oracles were found within the limits",
                where=Where(id=topic.id),
                hint="a larger --time-limit, or a smaller budget",
            )
        found.append(Solved(instance, sets))
    return found


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
