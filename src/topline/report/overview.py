"""The corpus's side of the page: the scale, the tables of systems and topics, what failed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from statistics import fmean
from typing import Any

import numpy as np

from topline.report.page import Cell, Figure, Section, Table, number
from topline.report.scale import Mark, draw
from topline.report.study import Study, TopicStudy
from topline.rouge.average import Average, Averages

ALPHA = 0.05
"""The level at which a difference between systems is called one."""


@dataclass(frozen=True, slots=True)
class Levels:
    """Means over the topics on the scale's metric."""

    random: float | None
    lead: float | None
    greedy: float | None
    oracle: float | None
    compressive: float | None
    people: float | None
    systems: Mapping[str, float]

    def headroom(self, score: float | None) -> float | None:
        """How much of the way from random to the best extract a score has gone."""
        if score is None or self.random is None or self.oracle is None or self.oracle <= self.random:
            return None
        return (score - self.random) / (self.oracle - self.random)


def systems_of(study: Study) -> list[str]:
    """The systems in order of first appearance."""
    return list(dict.fromkeys(one.system for topic in study.topics for one in topic.summaries))


def _mean(values: Iterator[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _part(topic: TopicStudy, part: str, *path: str) -> Any:
    found: Any = topic.results.get(part)
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def oracle_score(topic: TopicStudy) -> float | None:
    """The best extract's score on a topic."""
    found = topic.results.get("oracle")
    return None if not found else found["hits"] / found["total"]


def person_score(topic: TopicStudy) -> float | None:
    """The mean of the references, each against the others."""
    scale = _part(topic, "people", "scale")
    return fmean(scale.values()) if scale else None


def levels(study: Study) -> Levels:
    """Where everything lies on the scale."""
    topics = study.topics

    def baseline(name: str) -> float | None:
        return _mean(_part(topic, "baselines", name) for topic in topics)

    systems = {}
    for system in systems_of(study):
        score = _mean(_part(topic, "rouge", "scale", system) for topic in topics)
        if score is not None:
            systems[system] = score
    return Levels(
        baseline("random"),
        baseline("lead"),
        baseline("greedy"),
        _mean(oracle_score(topic) for topic in topics),
        _mean(_part(topic, "compress", "score") for topic in topics),
        _mean(person_score(topic) for topic in topics),
        systems,
    )


def marks(found: Levels) -> list[Mark]:
    """The points of the scale."""
    same = found.lead is not None and isclose(found.systems.get("lead", -1.0), found.lead)
    lead = None if same else found.lead
    named = [
        ("random (chance)", found.random, "chance"),
        ("lead (baseline)", lead, "chance"),
        ("greedy", found.greedy, "oracle"),
        ("best extract", found.oracle, "oracle"),
        ("best trimmed summary", found.compressive, "oracle"),
        ("people", found.people, "person"),
        *((name, score, "system") for name, score in found.systems.items()),
    ]
    return [
        Mark(name, score, kind, found.headroom(score)) for name, score, kind in named if score is not None
    ]


def verdict(study: Study) -> Section:
    """The answer in a sentence, and the scale."""
    found = levels(study)
    points = sorted(marks(found), key=lambda mark: -mark.score)
    metric = str(study.settings.metric)
    rows = [
        (
            Cell(one.name),
            number(one.score),
            Cell("–") if one.headroom is None else number(100 * one.headroom, 1),
        )
        for one in points
    ]
    caption = "Headroom: percent of the way from random to the best extract"
    return Section(
        "scale",
        "Where the systems stand",
        "The scale",
        paragraphs=list(_sentences(found, metric)),
        figures=[Figure(draw(points, metric), f"Mean {metric} recall over the topics")],
        tables=[Table(caption, ("summary", metric, "headroom %"), rows)],
        notes=_scale_note(found),
        signatures=[study.settings.signature],
    )


def _sentences(found: Levels, metric: str) -> Iterator[str]:
    if found.oracle is not None and found.random is not None:
        yield (
            f"The best possible extract reaches {found.oracle:.3f} {metric}; a random one {found.random:.3f}."
        )
    if found.systems:
        name = max(found.systems, key=lambda one: (found.systems[one], one))
        gone = found.headroom(found.systems[name])
        way = "" if gone is None else f", {100 * gone:.0f} % of the way from random to the best extract"
        yield f"The best system, {name}, reaches {found.systems[name]:.3f}{way}."


def _scale_note(found: Levels) -> list[str]:
    if found.people is None:
        return []
    return [
        "People: every reference against the others. It is measured against one reference fewer than the"
        " systems are, and written freely, so it may lie below or above the best extract."
    ]


def _averages(study: Study) -> dict[tuple[str, str], Average]:
    collected = Averages()
    for topic in study.topics:
        for system, scores in (_part(topic, "rouge", "table") or {}).items():
            for metric, (recall, precision, f1) in scores.items():
                collected.add(system, metric, topic.topic.id, recall, precision, f1)
    return {(system, metric): average for system, metric, average in collected.averages()}


def rouge_section(study: Study) -> Section | None:
    """The ROUGE table with intervals, and superscripts for the systems that one beats."""
    averages = _averages(study)
    if not averages:
        return None
    metrics = [str(part) for part in study.settings.table.parts]
    systems = systems_of(study)
    beaten = {metric: _beaten(study, systems, metric) for metric in metrics}
    columns = ["system", *(f"{metric} {what}" for metric in metrics for what in ("R", "P", "F"))]
    rows = []
    for place, system in enumerate(systems):
        row = [Cell(f"{_letter(place)}  {system}")]
        for metric in metrics:
            average = averages.get((system, metric))
            row += _cells(average, beaten[metric].get(system, ""))
        rows.append(row)
    note = (
        "Averages are bootstrap means with 95 % intervals, as ROUGE-1.5.5 prints them. A superscript on F"
        " names the systems it beats (approximate randomisation, Holm's correction, level 0.05); only"
        " topics that all systems summarised are compared."
    )
    caption = "ROUGE of the systems; letters name them in superscripts"
    signature = f"{study.settings.table.signature}|refs:pooled|limit:no|resamples:1000"
    return Section(
        "rouge", "ROUGE of the systems", "ROUGE", tables=[Table(caption, columns, rows)], notes=[note],
        signatures=[signature],
    )  # fmt: skip


def _cells(average: Average | None, superscript: str) -> list[Cell]:
    if average is None:
        return [Cell("–")] * 3
    parts = (average.recall, average.precision, average.f1)
    cells = [number(part.mean, 5, interval=f"{part.low:.3f}–{part.high:.3f}") for part in parts]
    return [*cells[:2], Cell(cells[2].text, cells[2].value, cells[2].interval, superscript)]


def _letter(place: int) -> str:
    from topline.judge.significance import letters

    return letters(place + 1)[place]


def _beaten(study: Study, systems: Sequence[str], metric: str) -> dict[str, str]:
    """For each system the letters of those it beats, on the topics that all have."""
    from topline.judge.significance import Matrix, better, compare

    tables = [_part(topic, "rouge", "table") or {} for topic in study.topics]
    whole = [at for at, table in enumerate(tables) if all(system in table for system in systems)]
    if len(systems) < 2 or not whole:
        return {}
    values = np.array([[tables[at][system][metric][2] for at in whole] for system in systems])
    ids = tuple(study.topics[at].topic.id for at in whole)
    wins = better(compare(Matrix(tuple(systems), ids, values), seed=study.settings.seed), len(systems), ALPHA)
    return {system: "".join(_letter(k) for k in won) for system, won in zip(systems, wins, strict=True)}


def _short(count: str) -> str:
    """A count that may be astronomical, as a person reads it."""
    return count if len(count) <= 7 else f"{int(count[:4]) / 1000:.2f}e{len(count) - 1}"


def oracle_section(study: Study) -> Section | None:
    """How many best extracts every topic has, and how near greedy comes."""
    rows = []
    for topic in study.topics:
        found = topic.results.get("oracle")
        if not found:
            continue
        greedy = _part(topic, "baselines", "greedy")
        score = found["hits"] / found["total"]
        rows.append(
            [
                Cell(topic.topic.id, link=f"#topic={topic.topic.id}"),
                number(score),
                number(greedy),
                Cell(_short(found["count"]), float(found["count"])),
                Cell(_short(found["count_all"]), float(found["count_all"])),
                number(found["jaccard"], 3),
                Cell("yes" if found["proved"] else f"at most {found['bound'] / found['total']:.4f}"),
            ]
        )
    if not rows:
        return None
    columns = ("topic", "best extract", "greedy", "best extracts", "with idle sentences", "Jaccard", "proved")
    several = sum(cell[3].text != "1" for cell in rows)
    text = f"{several} of {len(rows)} topics have more than one best extract."
    caption = "The best extracts of every topic; Jaccard: how alike two different ones are on average"
    return Section(
        "oracles", "The best extracts", "Oracles", [text], tables=[Table(caption, columns, rows)],
        signatures=[study.settings.signature],
    )  # fmt: skip


def agreement_section(study: Study) -> Section | None:
    """F-measures over all oracles, as Hirao et al. propose them."""
    per_system: dict[str, list[list[float]]] = {}
    for topic in study.topics:
        for system, values in (topic.results.get("agreement") or {}).items():
            per_system.setdefault(system, []).append(values)
    if not per_system:
        return None
    rows = [
        [
            Cell(system),
            *(number(fmean(row[k] for row in values)) for k in range(3)),
            Cell(str(len(values)), len(values)),
        ]
        for system, values in per_system.items()
    ]
    text = (
        "How many of a system's sentences stand in the best extracts: averaged over all of them, without"
        " listing them (Hirao et al. 2017). Only summaries made of source sentences can be measured."
    )
    table = Table("Agreement with all best extracts", ("system", "precision", "recall", "F", "topics"), rows)
    signatures = [study.settings.signature]
    return Section(
        "agreement", "Sentences of the best extracts", "Sentences", [text], tables=[table],
        signatures=signatures,
    )  # fmt: skip


def failures_section(study: Study) -> Section | None:
    """What could not be computed, and why: never hidden."""
    if not study.failures:
        return None
    rows = [[Cell(one.id), Cell(one.part), Cell(one.error)] for one in study.failures]
    table = Table("Parts that could not be computed", ("topic", "part", "why"), rows)
    return Section("failures", "What could not be computed", "Failures", tables=[table])


def glance(study: Study) -> list[tuple[str, str]]:
    """The corpus in figures."""
    topics = [one.topic for one in study.topics]
    references = [len(topic.references) for topic in topics]
    return [
        ("topics", f"{len(topics):,}"),
        ("documents", f"{sum(len(topic.documents) for topic in topics):,}"),
        ("sentences", f"{sum(1 for topic in topics for _ in topic.sentences()):,}"),
        ("references a topic", _range(references)),
        ("systems", str(len(systems_of(study)))),
        ("budget", str(study.settings.budget)),
        ("metric", str(study.settings.metric)),
    ]


def _range(values: Sequence[int]) -> str:
    low, high = min(values, default=0), max(values, default=0)
    return str(low) if low == high else f"{low}–{high}"
