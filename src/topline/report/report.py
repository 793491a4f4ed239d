"""From a study to its files: the page, the records, the LaTeX tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from topline.report import overview
from topline.report.human import Human, correlation_section, utility_section
from topline.report.page import Cell, Page, Section, render
from topline.report.ranks import figure_of, method_of, ranks_section
from topline.report.settings import PARTS
from topline.report.study import Study
from topline.report.tables import Marked, latex
from topline.report.topic import view

NOBODY = Human()


SECTIONS: Mapping[str, tuple[str, ...]] = {
    "scale": ("rouge", "people", "oracle", "baselines", "compress"),
    "rouge": ("rouge",),
    "ranks": ("spread", "rank"),
    "oracles": ("oracle", "baselines"),
    "agreement": ("agreement",),
    "correlation": ("rouge",),
    "utility": (),
    "topics": PARTS,
}
"""The sections of the page, and the parts of a study that each is made of."""


def parts_of(names: Iterable[str]) -> tuple[str, ...]:
    """The parts that some sections need, in the order of a study."""
    needed = {part for name in names for part in SECTIONS[name]}
    return tuple(part for part in PARTS if part in needed)


def sections(
    study: Study, human: Human = NOBODY, shown: Collection[str] = tuple(SECTIONS)
) -> Iterator[Section]:
    """The sections for which there is something to say, in the order of the page; failures always."""
    makers: dict[str, Callable[[], Section | None]] = {
        "scale": lambda: overview.verdict(study),
        "rouge": lambda: overview.rouge_section(study),
        "ranks": lambda: ranks_section(study),
        "oracles": lambda: overview.oracle_section(study),
        "agreement": lambda: overview.agreement_section(study),
        "correlation": lambda: correlation_section(study, human),
        "utility": lambda: utility_section(study, human),
    }
    made = [make() for name, make in makers.items() if name in shown]
    for section in [*made, overview.failures_section(study)]:
        if section is not None:
            yield section


def page_of(
    study: Study, title: str, human: Human = NOBODY, shown: Collection[str] = tuple(SECTIONS)
) -> Page:
    """The page of a study."""
    metric = str(study.settings.metric)
    topics = [
        view(one, study.settings, place, figure_of(one, metric), method_of(one))
        for place, one in enumerate(study.topics if "topics" in shown else ())
    ]
    made = list(sections(study, human, shown))
    return Page(title, overview.glance(study), made, topics, [study.settings.signature])


def html(
    study: Study, title: str, human: Human = NOBODY, shown: Collection[str] = tuple(SECTIONS)
) -> Iterator[str]:
    """The page as a file, in pieces."""
    return render(page_of(study, title, human, shown))


def latex_tables(
    study: Study, human: Human = NOBODY, shown: Collection[str] = tuple(SECTIONS)
) -> Iterator[str]:
    """Every table of the page as LaTeX, with its caption as a comment."""
    for section in sections(study, human, shown):
        yield from _latex(section)


def _latex(section: Section) -> Iterator[str]:
    for table in section.tables:
        rows = [
            {name: _cell(cell) for name, cell in zip(table.columns, row, strict=True)} for row in table.rows
        ]
        said = [f"{section.title}: {table.caption}", *section.signatures]
        yield "".join(f"% {' '.join(line.split())}\n" for line in said) + latex(rows) + "\n"


def _cell(cell: Cell) -> Marked | str | None:
    if cell.value is None:
        return None if cell.text == "–" else cell.text
    return Marked(cell.text, cell.superscript, cell.interval)
