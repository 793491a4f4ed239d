"""Summarisers run on judged topics, so that they stand beside the judges at every compression rate."""

from __future__ import annotations

from fractions import Fraction

from topline.corpus.records import Topic
from topline.judge.extracts import Chosen
from topline.systems.registry import create, parse
from topline.systems.summarize import Summarizer
from topline.text.budget import Budget


def at_rate(system: str, topic: Topic, rate: Fraction, size: int) -> Chosen:
    """A system's extract of `size` sentences."""
    name, options = parse(system)
    summary = Summarizer(create(name, options), Budget(size, "s")).run(topic).summary
    return Chosen(topic.id, system, rate, tuple(sorted(summary.selected or ())))
