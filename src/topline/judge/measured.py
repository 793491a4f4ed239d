"""Metric scores of systems on a corpus, as tables for correlation and significance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from topline.corpus.records import Summary, Topic
from topline.corpus.shelf import Shelf
from topline.errors import CorpusError, Where
from topline.judge.grid import Grid, grids
from topline.judge.overlap import rows
from topline.rouge.metric import Metric
from topline.rouge.score import Scorer, comparisons
from topline.search.exact import NO_LIMITS, Limits
from topline.text.budget import Budget


def measure(
    topics: Iterable[Topic], summaries: Iterable[Summary], scorer: Scorer, by: str = "f1"
) -> dict[str, Grid]:
    """Score every summary: a table a metric, system by topic."""
    matched = with_summaries(topics, summaries)
    scores = scorer.score(chain.from_iterable(comparisons(topic, own) for topic, own in matched))
    return _tables((score.metric, score.system, score.id, getattr(score, by)) for score in scores)


def measure_overlap(
    topics: Iterable[Topic],
    summaries: Iterable[Summary],
    metric: Metric,
    budget: Budget,
    references: str = "multi",
    by: str = "f1",
    limits: Limits = NO_LIMITS,
) -> dict[str, Grid]:
    """How far every summary's sentences stand in all oracles: a table a metric, system by topic."""
    found = rows(with_summaries(topics, summaries), metric, budget, references, limits)
    return _tables((f"oracles({one.metric})", one.system, one.id, getattr(one, by)) for one in found)


def _tables(cells: Iterable[tuple[str, str, str, float]]) -> dict[str, Grid]:
    tables = grids(cells)
    if not tables:
        raise CorpusError("no summary of any topic was given")
    return tables


def with_summaries(
    topics: Iterable[Topic], summaries: Iterable[Summary]
) -> Iterator[tuple[Topic, list[Summary]]]:
    """Each topic with the systems' summaries of it; one of an unknown topic is an error in the end."""
    shelf = Shelf(summaries)
    for topic in topics:
        yield topic, shelf.of(topic)
    shelf.refuse_strangers()


def by_system(summaries: Iterable[Summary]) -> dict[str, dict[str, Summary]]:
    """Summaries by system and topic; a second one of the same topic is an error."""
    found: dict[str, dict[str, Summary]] = {}
    for one in summaries:
        if one.id in found.setdefault(one.system, {}):
            raise CorpusError(
                f"system {one.system!r} has two summaries of this topic",
                where=Where(id=one.id),
                hint="keep one, or give the systems different names",
            )
        found[one.system][one.id] = one
    return dict(sorted(found.items()))
