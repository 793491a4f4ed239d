"""Rows as tables: aligned text for a terminal, Markdown, LaTeX or tab-separated values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Marked:
    """A number as it is to be read, perhaps with a superscript."""

    text: str
    superscript: str = ""
    interval: str = ""
    """Its bounds, small behind it; LaTeX alone has room for them."""

    def __str__(self) -> str:
        return self.text + (f"^{self.superscript}" if self.superscript else "")


_LATEX = str.maketrans(
    {
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
        # without T1 fonts these three print as other signs
        "|": r"\textbar{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
    }
)


def cell(value: Any) -> str:
    """A value as a table shows it: floats with five digits, lists short, nothing as a dash."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.5f}"
    if isinstance(value, (list, tuple)):
        return ",".join(cell(item) for item in value)
    return " ".join(str(value).split())


def _columns(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _numeric(rows: Sequence[Row], column: str) -> bool:
    values = [row.get(column) for row in rows]
    return all(
        value is None or (isinstance(value, (int, float, Marked)) and not isinstance(value, bool))
        for value in values
    )


def _grid(rows: Sequence[Row], columns: Sequence[str]) -> list[list[str]]:
    return [[cell(row.get(column)) for column in columns] for row in rows]


def plain(rows: Sequence[Row]) -> str:
    """Columns aligned with spaces, numbers to the right."""
    columns = _columns(rows)
    grid = [columns, *_grid(rows, columns)]
    right = [_numeric(rows, column) for column in columns]
    widths = [max(len(line[i]) for line in grid) for i in range(len(columns))]
    lines = (
        "  ".join(
            text.rjust(width) if to_right else text.ljust(width)
            for text, width, to_right in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in grid
    )
    return "\n".join(lines) + "\n" if columns else ""


def markdown(rows: Sequence[Row]) -> str:
    """A Markdown table."""
    columns = _columns(rows)
    rule = ["---:" if _numeric(rows, column) else "---" for column in columns]
    grid = [[text.replace("|", "\\|") for text in line] for line in _grid(rows, columns)]
    return "".join(f"| {' | '.join(line)} |\n" for line in [columns, rule, *grid]) if columns else ""


def _latex_cell(value: Any) -> str:
    if isinstance(value, Marked):
        raised = rf"\textsuperscript{{{value.superscript.translate(_LATEX)}}}" if value.superscript else ""
        bounds = value.interval.translate(_LATEX).replace("–", "--")
        return cell(value.text).translate(_LATEX) + raised + (rf" {{\scriptsize {bounds}}}" if bounds else "")
    return cell(value).translate(_LATEX)


def latex(rows: Sequence[Row]) -> str:
    """A LaTeX tabular with booktabs' rules."""
    columns = _columns(rows)
    if not columns:
        return ""
    form = "".join("r" if _numeric(rows, column) else "l" for column in columns)
    cells = [[_latex_cell(row.get(column)) for column in columns] for row in rows]
    body = [[column.translate(_LATEX) for column in columns], *cells]
    lines = [" & ".join(line) + r" \\" for line in body]
    top = [rf"\begin{{tabular}}{{{form}}}", r"\toprule", lines[0], r"\midrule"]
    return "\n".join([*top, *lines[1:], r"\bottomrule", r"\end{tabular}", ""])


def tsv(rows: Sequence[Row]) -> str:
    """Tab-separated values with a header."""
    columns = _columns(rows)
    return "".join("\t".join(line) + "\n" for line in [columns, *_grid(rows, columns)]) if columns else ""


STYLES: dict[str, Callable[[Sequence[Row]], str]] = {
    "plain": plain,
    "md": markdown,
    "latex": latex,
    "tsv": tsv,
}
