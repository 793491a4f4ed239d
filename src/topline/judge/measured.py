"""Metric scores of systems on a corpus, as tables for correlation and significance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from topline.corpus.records import Summary, Topic
from topline.corpus.shelf import Shelf
from topline.errors import CorpusError, OptionError, Where
from topline.judge.grid import FIELDS, Grid, grids
from topline.rouge.score import Comparison, Scorer, comparisons


def measure(
    topics: Iterable[Topic], summaries: Iterable[Summary], scorer: Scorer, by: str = "f1"
) -> dict[str, Grid]:
    """Score every summary: a table a metric, system by topic."""
    if by not in FIELDS:
        raise OptionError(f"{by!r} is no field of a score", hint=f"one of {', '.join(FIELDS)}")
    shelf = Shelf(summaries)

    def compared() -> Iterator[Comparison]:
        for topic in topics:
            yield from comparisons(topic, shelf.take(topic.id))

    scores = scorer.score(compared())
    tables = grids((score.metric, score.system, score.id, getattr(score, by)) for score in scores)
    for id, system in shelf.untaken():
        raise CorpusError(
            f"{system!r} summarises a topic that the corpus does not have",
            where=Where(id=id),
            hint="ids must be equal to the letter",
        )
    if not tables:
        raise CorpusError("no summary of any topic was given")
    return tables


def by_system(summaries: Iterable[Summary]) -> dict[str, dict[str, Summary]]:
    """Summaries by system and topic."""
    ordered = sorted(summaries, key=lambda one: one.system)
    return {name: {one.id: one for one in group} for name, group in groupby(ordered, key=lambda s: s.system)}
