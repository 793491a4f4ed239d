"""What people say beside the metrics: correlation with human scores, relative utility by judges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from topline.errors import ToplineError
from topline.report.page import Cell, Section, Table, number
from topline.report.study import Study

if TYPE_CHECKING:
    from topline.judge.correlation import Correlation
    from topline.judge.grid import Grid
    from topline.judge.judged import Judged
    from topline.judge.relative import Study as Relative
    from topline.judge.scores import HumanScore

RATES = (Fraction(1, 10), Fraction(1, 5), Fraction(3, 10))
"""The compression rates at which judges' agreement and chance are shown."""


@dataclass(frozen=True, slots=True)
class Human:
    """What people gave: scores of systems, utilities of sentences."""

    scores: Sequence[HumanScore] = ()
    judged: Sequence[Judged] = ()


def _grids(study: Study) -> dict[str, Grid]:
    from topline.judge.grid import grids

    cells = (
        (metric, system, one.topic.id, values[2])
        for one in study.topics
        for system, table in (one.results.get("rouge") or {}).get("table", {}).items()
        for metric, values in table.items()
    )
    return dict(grids(cells))


def correlation_section(study: Study, human: Human) -> Section | None:
    """System-level correlation of each metric's F with each human measure."""
    from topline.judge.scores import measures

    if not human.scores:
        return None
    rows, notes = [], []
    for metric, table in _grids(study).items():
        for measure in measures(human.scores):
            try:
                rows += list(_rows(metric, measure, table, human.scores, study.settings.seed))
            except ToplineError as error:
                notes.append(f"{metric} with {measure}: {error}")
    if not rows and not notes:
        notes.append("None of the systems that people scored is among these.")
    columns = ("metric", "people", "coefficient", "systems", "r", "p")
    caption = "Correlation of mean F with mean human scores, system by system; 95 % bootstrap intervals"
    text = "With few systems an interval is wide and p cannot be small, whatever r is."
    tables = [Table(caption, columns, rows)] if rows else []
    signatures = [
        f"{study.settings.table.signature}|refs:pooled|limit:no|resamples:1000|seed:{study.settings.seed}"
    ]
    return Section(
        "correlation", "Agreement with people", "People", [text], tables=tables, notes=notes,
        signatures=signatures,
    )  # fmt: skip


def _rows(
    metric: str, measure: str, table: Grid, scores: Sequence[HumanScore], seed: int
) -> Iterator[list[Cell]]:
    from topline.judge.correlation import COEFFICIENTS, correlate
    from topline.judge.scores import human_grid

    theirs = human_grid(list(scores), measure, table.systems, table.topics, skip_unknown=True)
    systems = [system for system in table.systems if system in set(theirs.systems)]
    ours = table.over(theirs.topics) if set(theirs.topics) <= set(table.topics) else table
    for kind in COEFFICIENTS:
        yield _correlation_row(
            metric, measure, correlate(ours.rows(systems), theirs.rows(systems), kind=kind, seed=seed)
        )


def _correlation_row(metric: str, measure: str, found: Correlation) -> list[Cell]:
    interval = "" if found.low is None else f"{found.low:.2f} to {found.high:.2f}"
    r = Cell(found.why or "undefined") if found.r is None else number(found.r, 3, interval=interval)
    return [
        Cell(metric),
        Cell(measure),
        Cell(found.coefficient),
        Cell(str(found.n), found.n),
        r,
        number(found.p, 3),
    ]


def utility_section(study: Study, human: Human) -> Section | None:
    """Relative utility: judges, chance and the systems on one scale."""
    from topline.judge import relative

    topics = {one.topic.id: one for one in study.topics}
    judged = {one.id: one for one in human.judged if one.id in topics and one.judges}
    if not judged:
        return None
    settings = relative.Settings()
    panels = {id: settings.panel(one, topics[id].topic) for id, one in judged.items()}
    found = relative.Study(panels, settings)
    levels = [row for row in found.levels(RATES) if "id" in row]
    columns = ("topic", "rate", "sentences", "judges J", "random R")
    rows = []
    for row in levels:
        place = [Cell(row["id"], link=f"#topic={row['id']}"), number(row["rate"], 2)]
        size = Cell(str(row["size"]), row["size"])
        rows.append([*place, size, number(row["J"], 3), number(row["R"], 3)])
    tables = [Table("How far judges agree, and what chance gives, at three compression rates", columns, rows)]
    systems = _system_rows(study, found, judged)
    if systems:
        caption = "The systems: S, and D, which is 0 for chance and 1 for a judge"
        tables.append(Table(caption, ("system", "topics", "J", "R", "S", "D"), systems))
    text = (
        "J: the share of the other judges' utility that a judge's own extract keeps. R: what all extracts of"
        " that size keep on average. S: what a system keeps; D places it between the two (Radev et al. 2004)."
    )
    return Section(
        "utility", "Relative utility", "Utility", [text], tables=tables, signatures=[settings.signature]
    )


def _system_rows(study: Study, found: Relative, judged: Mapping[str, Judged]) -> list[list[Cell]]:
    from topline.judge.extracts import Chosen

    extracts = [
        Chosen(one.topic.id, summary.system, None, tuple(sorted(summary.selected)))
        for one in study.topics
        if one.topic.id in judged
        for summary in one.summaries
        if summary.selected
    ]
    rows = (row for row in found.systems(extracts) if "id" not in row)
    return [
        [Cell(row["system"]), Cell(str(row["topics"]), row["topics"]),
         *(number(row[name], 3) for name in ("J", "R", "S")),
         number(row["D"], 3) if row["D"] is not None else Cell(row["why"] or "undefined")]
        for row in rows
    ]  # fmt: skip
