"""Where everything lies on the scale: means over the topics, and how much of the way each has gone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from statistics import fmean
from typing import Any

from topline.report.study import Study, TopicStudy

_DIGITS = 1e-5
"""Systems' scores are rounded to five digits, as the script prints them."""
Score = Callable[[TopicStudy], float | None]
"""A topic's score of something, None where the topic has none."""


@dataclass(frozen=True, slots=True)
class Level:
    """A point of the scale."""

    name: str
    kind: str
    """`chance`, `system`, `person` or `oracle`."""
    score: float
    """The mean over the topics that have one."""
    headroom: float | None
    """How much of the way from random to the best extract it has gone, on just these topics."""
    topics: int


def part(topic: TopicStudy, name: str, *path: str) -> Any:
    """What lies at a path in a part's result; None where there is nothing."""
    found: Any = topic.results.get(name)
    for step in path:
        found = found.get(step) if isinstance(found, Mapping) else None
    return found


def systems_of(study: Study) -> list[str]:
    """The systems in order of first appearance."""
    return list(dict.fromkeys(one.system for topic in study.topics for one in topic.summaries))


def oracle_score(topic: TopicStudy) -> float | None:
    """The best extract's score on a topic."""
    found = topic.results.get("oracle")
    return None if not found else found["hits"] / found["total"]


def person_score(topic: TopicStudy) -> float | None:
    """The mean of the references, each against the others."""
    scale = part(topic, "people", "scale")
    return fmean(scale.values()) if scale else None


def levels(study: Study) -> list[Level]:
    """All points of the scale, the best first."""

    def of(name: str, *path: str) -> Score:
        return lambda topic: part(topic, name, *path)

    named: list[tuple[str, str, Score]] = [
        ("random (chance)", "chance", of("baselines", "random")),
        ("lead (baseline)", "chance", of("baselines", "lead")),
        ("greedy", "oracle", of("baselines", "greedy")),
        ("best extract", "oracle", oracle_score),
        ("best trimmed summary", "oracle", of("compress", "score")),
        ("people", "person", person_score),
        *((system, "system", of("rouge", "scale", system)) for system in systems_of(study)),
    ]
    found = [level for one in named if (level := _level(study.topics, *one)) is not None]
    return sorted(_without_twin(found), key=lambda level: -level.score)


def _level(topics: Sequence[TopicStudy], name: str, kind: str, score_of: Score) -> Level | None:
    held = [(score, topic) for topic in topics if (score := score_of(topic)) is not None]
    if not held:
        return None
    return Level(name, kind, fmean(score for score, _ in held), _headroom(held), len(held))


def _headroom(held: Sequence[tuple[float, TopicStudy]]) -> float | None:
    """Means over the same topics: a system is not held against topics that it left out."""
    ends = [
        (score, chance, best)
        for score, topic in held
        if (chance := part(topic, "baselines", "random")) is not None
        and (best := oracle_score(topic)) is not None
    ]
    if not ends:
        return None
    score, chance, best = (fmean(values) for values in zip(*ends, strict=True))
    return (score - chance) / (best - chance) if best > chance else None


def _without_twin(found: Sequence[Level]) -> list[Level]:
    """Leave the baseline out where it is one of the systems."""
    lead = next((one for one in found if one.kind == "system" and one.name == "lead"), None)
    return [
        one
        for one in found
        if not (lead and one.name == "lead (baseline)" and isclose(one.score, lead.score, abs_tol=_DIGITS))
    ]
