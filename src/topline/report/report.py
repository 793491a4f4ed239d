"""From a study to its files: the page, the records, the LaTeX tables."""

from __future__ import annotations

from collections.abc import Iterator

from topline.report import overview
from topline.report.human import Human, correlation_section, utility_section
from topline.report.page import Page, Section, render
from topline.report.ranks import figure_of, method_of, ranks_section
from topline.report.study import Study
from topline.report.tables import latex
from topline.report.topic import view

NOBODY = Human()


def sections(study: Study, human: Human = NOBODY) -> list[Section]:
    """All sections for which there is something to say, in the order of the page."""
    made = [
        overview.verdict(study),
        overview.rouge_section(study),
        ranks_section(study),
        overview.oracle_section(study),
        overview.agreement_section(study),
        correlation_section(study, human),
        utility_section(study, human),
        overview.failures_section(study),
    ]
    return [section for section in made if section is not None]


def page_of(study: Study, title: str, human: Human = NOBODY) -> Page:
    """The page of a study."""
    metric = str(study.settings.metric)
    topics = [
        view(one, study.settings, place, figure_of(one, metric), method_of(one))
        for place, one in enumerate(study.topics)
    ]
    return Page(title, overview.glance(study), sections(study, human), topics, [study.settings.signature])


def html(study: Study, title: str, human: Human = NOBODY) -> Iterator[str]:
    """The page as a file, in pieces."""
    return render(page_of(study, title, human))


def latex_tables(study: Study, human: Human = NOBODY) -> Iterator[str]:
    """Every table of the page as LaTeX, with its caption as a comment."""
    for section in sections(study, human):
        yield from _latex(section)


def _latex(section: Section) -> Iterator[str]:
    for table in section.tables:
        rows = [
            {
                name: cell.value if cell.value is not None and not cell.superscript else cell.text
                for name, cell in zip(table.columns, row, strict=True)
            }
            for row in table.rows
        ]
        yield f"% {section.title}: {table.caption}\n{latex(rows)}\n"
