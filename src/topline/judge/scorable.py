"""Topics whose references hold nothing to be matched: stop words alone, or a single word for bigrams."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from topline.corpus.records import Topic
from topline.errors import MetricError
from topline.problem.build import build
from topline.rouge.metric import Metric
from topline.text.budget import Budget

_ANY = Budget(1, "s")


def scorable(topics: Iterable[Topic], metrics: Iterable[Metric], bad: list[MetricError]) -> Iterator[Topic]:
    """The topics that every metric can score by each reference; the errors of the others go to `bad`."""
    wanted = tuple(metrics)
    for topic in topics:
        try:
            for metric in wanted:
                build(topic, metric, _ANY, "each")
        except MetricError as error:
            bad.append(error)
        else:
            yield topic
