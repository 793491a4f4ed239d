"""Summarisers run on judged topics, so that they stand beside the judges at every compression rate."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from topline.corpus.records import Topic
from topline.judge.extracts import Chosen
from topline.systems.background import TOPIC, Background, Census
from topline.systems.registry import create, parse
from topline.systems.summarize import Summarizer
from topline.text.budget import Budget


def background_of(topics: Iterable[Topic]) -> Background:
    """How rare words are in the corpus; within the topic, where there is only one."""
    census = Census()
    return census.background() if census.add_topics(topics) > 1 else TOPIC


def at_rate(system: str, topic: Topic, rate: Fraction, size: int, background: Background = TOPIC) -> Chosen:
    """A system's extract of `size` sentences."""
    made = create(*parse(system))
    summary = Summarizer(made, Budget(size, "s"), background=background).run(topic).summary
    return Chosen(topic.id, system, rate, tuple(sorted(summary.selected or ())))
