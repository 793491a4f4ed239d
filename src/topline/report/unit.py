"""A unit of a study's work: one part of one topic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from topline.corpus.records import Summary, Topic
from topline.report.settings import Settings
from topline.systems.background import TOPIC, Background

if TYPE_CHECKING:
    from topline.compress.parsed import ParsedTopic


@dataclass(frozen=True, slots=True)
class Unit:
    """One part of one topic's study; small enough to be sent to another machine."""

    part: str
    topic: Topic
    summaries: tuple[Summary, ...]
    settings: Settings
    parsed: ParsedTopic | None = None
    """The topic's dependency trees, for the part that trims sentences."""
    background: Background = TOPIC
    """How rare the topic's words are in the corpus, for the part that is MEAD's."""
    known: Mapping[str, Any] = field(default_factory=dict)
    """Results of the parts that this one builds on."""
