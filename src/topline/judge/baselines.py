"""Summarisers run on judged topics, so that they stand beside the judges at every compression rate."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property

from topline.corpus.records import Topic
from topline.judge.extracts import Chosen
from topline.systems.background import TOPIC, Background, Census
from topline.systems.prepared import Prepared
from topline.systems.registry import create, parse
from topline.systems.summarize import Summarizer
from topline.text.budget import Budget


def background_of(topics: Iterable[Topic]) -> Background:
    """How rare words are in the corpus; within the topic, where there is only one."""
    census = Census()
    return census.background() if census.add_topics(topics) > 1 else TOPIC


class Baselines:
    """A corpus for summarisers: each topic is prepared once, whatever the systems and rates."""

    def __init__(self, topics: Iterable[Topic]) -> None:
        self.topics = {topic.id: topic for topic in topics}
        self._prepared: dict[str, tuple[Prepared, ...]] = {}

    @cached_property
    def background(self) -> Background:
        """How rare words are in the corpus."""
        return background_of(self.topics.values())

    def at_rate(self, system: str, id: str, rate: Fraction, size: int) -> Chosen:
        """A system's extract of `size` sentences."""
        ready = Summarizer(create(*parse(system)), Budget(size, "s"), background=self.background)
        if id not in self._prepared:
            self._prepared[id] = ready.prepared(self.topics[id])
        run = ready.run(self.topics[id], self._prepared[id])
        return Chosen(id, system, rate, tuple(sorted(run.chosen)))
