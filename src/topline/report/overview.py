"""The corpus's side of the page: the scale, the tables of systems and topics, what failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log10
from statistics import fmean
from typing import Any

import numpy as np

from topline.report.levels import Level, levels, oracle_score, part, systems_of
from topline.report.page import Cell, Figure, Section, Table, number
from topline.report.scale import Mark, draw
from topline.report.study import Study
from topline.rouge.average import Average, Averages
from topline.rouge.score import text_of

ALPHA = 0.05
"""The level at which a difference between systems is called one."""


def verdict(study: Study) -> Section:
    """The answer in a sentence, and the scale."""
    found = levels(study)
    metric = str(study.settings.metric)
    points = [Mark(one.name, one.score, one.kind) for one in found]
    rows = [
        (
            Cell(one.name),
            number(one.score),
            number(None if one.headroom is None else 100 * one.headroom, 1),
            Cell(str(one.topics), one.topics),
        )
        for one in found
    ]
    caption = "Headroom: percent of the way from random to the best extract"
    return Section(
        "scale",
        "Where the systems stand",
        "The scale",
        paragraphs=list(_sentences(found, metric, proved=not _open(study, "oracle"))),
        figures=[Figure(draw(points, metric), f"Mean {metric} recall over the topics")],
        tables=[Table(caption, ("summary", metric, "headroom %", "topics"), rows)],
        notes=list(_scale_notes(study, found)),
        signatures=list(_signatures(study)),
    )


def _signatures(study: Study) -> Iterator[str]:
    yield study.settings.signature
    trimmed = (part(topic, "compress", "signature") for topic in study.topics)
    yield from [f"best trimmed summary: {one}" for one in dict.fromkeys(trimmed) if one]


def _open(study: Study, name: str) -> list[Any]:
    """A part's results that a limit cut short."""
    results = (topic.results.get(name) for topic in study.topics)
    return [one for one in results if one and not one["proved"]]


def _sentences(found: Sequence[Level], metric: str, *, proved: bool) -> Iterator[str]:
    by_name = {one.name: one for one in found if one.kind != "system"}
    best, chance = by_name.get("best extract"), by_name.get("random (chance)")
    if best and chance:
        which = "The best possible extract" if proved else "The best extract that was found"
        yield f"{which} reaches {best.score:.3f} {metric}; a random one {chance.score:.3f}."
    systems = [one for one in found if one.kind == "system"]
    if systems:
        first = systems[0]
        way = (
            ""
            if first.headroom is None
            else f", {100 * first.headroom:.0f} % of the way from random to the best extract"
        )
        yield f"The best system, {first.name}, reaches {first.score:.3f}{way}."


def _scale_notes(study: Study, found: Sequence[Level]) -> Iterator[str]:
    """What a reader of the scale should know."""
    for name, kind in (("oracle", "best extract"), ("compress", "best trimmed summary")):
        results = [one for topic in study.topics if (one := topic.results.get(name))]
        open_ = len(_open(study, name))
        if open_:
            bound = fmean(one["bound"] / one["total"] for one in results)
            yield (
                f"The {kind} is not proven best on {open_} of {len(results)} topics: there it is the best"
                f" that was found in time. The mean is at most {bound:.4f}."
            )
    if len({one.topics for one in found}) > 1:
        yield "Not everything is there for every topic: headroom is measured on the topics that a row has."
    yield from _too_long(study)
    yield from study.remarks
    if any(one.kind == "person" for one in found):
        yield (
            "People: every reference against the others. It is measured against one reference fewer than the"
            " systems are, and written freely, so it may lie below or above the best extract."
        )


def _too_long(study: Study) -> Iterator[str]:
    """Systems whose summaries break the budget: they may pass what keeps it."""
    budget = study.settings.budget
    over: dict[str, list[float]] = {}
    for one in study.topics:
        limit = budget.limit(one.topic.texts())
        for summary in one.summaries:
            length = sum(map(budget.length, text_of(one.topic, summary)))
            over.setdefault(summary.system, []).append(length / limit if limit else float(length > 0) + 1)
    broken = {system: [share for share in shares if share > 1] for system, shares in over.items()}
    said = [
        f"{system} ({len(shares)} of {len(over[system])} topics, by up to {100 * (max(shares) - 1):.0f} %)"
        for system, shares in broken.items()
        if shares
    ]
    if said:
        yield (
            f"Longer than the budget of {budget}: {', '.join(said)}. Such a summary is scored whole here,"
            " so it may pass the best extract within the budget."
        )


def _averages(study: Study) -> dict[tuple[str, str], Average]:
    collected = Averages()
    for topic in study.topics:
        for system, scores in (part(topic, "rouge", "table") or {}).items():
            for metric, (recall, precision, f1) in scores.items():
                collected.add(system, metric, topic.topic.id, recall, precision, f1)
    return {(system, metric): average for system, metric, average in collected.averages()}


def rouge_section(study: Study) -> Section | None:
    """The ROUGE table with intervals, and superscripts for the systems that one beats."""
    averages = _averages(study)
    if not averages:
        return None
    metrics = [str(one) for one in study.settings.table.parts]
    systems = systems_of(study)
    beaten = {metric: _beaten(study, systems, metric) for metric in metrics}
    columns = ["system", *(f"{metric} {what}" for metric in metrics for what in ("R", "P", "F")), "topics"]
    rows = []
    for place, system in enumerate(systems):
        row = [Cell(f"{_letter(place)}  {system}")]
        for metric in metrics:
            average = averages.get((system, metric))
            row += _cells(average, beaten[metric].get(system, ""))
        count = sum(system in (part(topic, "rouge", "table") or {}) for topic in study.topics)
        rows.append([*row, Cell(str(count), count)])
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
    cells = [number(one.mean, 5, interval=f"{one.low:.3f}–{one.high:.3f}") for one in parts]
    return [*cells[:2], Cell(cells[2].text, cells[2].value, cells[2].interval, superscript)]


def _letter(place: int) -> str:
    from topline.judge.significance import letters

    return letters(place + 1)[place]


def _beaten(study: Study, systems: Sequence[str], metric: str) -> dict[str, str]:
    """For each system the letters of those it beats, on the topics that all have."""
    from topline.judge.significance import Matrix, better, compare

    tables = [part(topic, "rouge", "table") or {} for topic in study.topics]
    whole = [at for at, table in enumerate(tables) if all(system in table for system in systems)]
    if len(systems) < 2 or not whole:
        return {}
    values = np.array([[tables[at][system][metric][2] for at in whole] for system in systems])
    ids = tuple(study.topics[at].topic.id for at in whole)
    wins = better(compare(Matrix(tuple(systems), ids, values), seed=study.settings.seed), len(systems), ALPHA)
    return {system: "".join(_letter(k) for k in won) for system, won in zip(systems, wins, strict=True)}


def _count(count: str) -> Cell:
    """A count that may be astronomical, as a person reads it."""
    text = count if len(count) <= 7 else f"{int(count[:4]) / 1000:.2f}e{len(count) - 1}"
    return Cell(text, log10(int(count)) if int(count) else -1.0)


def oracle_section(study: Study) -> Section | None:
    """How many best extracts every topic has, and how near greedy comes."""
    rows = []
    for topic in study.topics:
        found = topic.results.get("oracle")
        if not found:
            continue
        rows.append(
            [
                Cell.topic(topic.topic.id),
                number(oracle_score(topic)),
                number(part(topic, "baselines", "greedy")),
                _count(found["count"]),
                _count(found["count_all"]),
                number(found["jaccard"], 3),
                Cell("yes" if found["proved"] else f"at most {found['bound'] / found['total']:.4f}"),
            ]
        )
    if not rows:
        return None
    columns = ("topic", "best extract", "greedy", "best extracts", "with idle sentences", "Jaccard", "proved")
    several = sum(cell[3].text != "1" for cell in rows)
    text = (
        f"{several} of {len(rows)} topics have more than one best extract. Idle sentences share nothing with"
        " the references and merely fit."
    )
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
    rows = [[Cell.topic(one.id), Cell(one.part), Cell(one.error)] for one in study.failures]
    table = Table("Parts that could not be computed", ("topic", "part", "why"), rows)
    return Section("failures", "What could not be computed", "Failures", tables=[table])


def glance(study: Study) -> list[tuple[str, str]]:
    """The corpus in figures."""
    topics = [one.topic for one in study.topics]

    def words(texts: Sequence[str]) -> int:
        return sum(len(text.split()) for text in texts)

    references = [len(topic.references) for topic in topics]
    lengths = [words(reference.sentences) for topic in topics for reference in topic.references]
    return [
        ("topics", f"{len(topics):,}"),
        ("documents", f"{sum(len(topic.documents) for topic in topics):,}"),
        ("sentences", f"{sum(1 for topic in topics for _ in topic.sentences()):,}"),
        ("words", f"{sum(words(topic.texts()) for topic in topics):,}"),
        ("references a topic", _range(references)),
        ("words a reference", f"{fmean(lengths):.0f}" if lengths else "–"),
        ("systems", str(len(systems_of(study)))),
        ("budget", str(study.settings.budget)),
        ("metric", str(study.settings.metric)),
    ]


def _range(values: Sequence[int]) -> str:
    low, high = min(values, default=0), max(values, default=0)
    return str(low) if low == high else f"{low}–{high}"
