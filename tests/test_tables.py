"""Tables in the four forms."""

import pytest

from topline.report.tables import STYLES, cell, latex, markdown, plain, tsv

ROWS = [{"system": "a_b", "score": 0.5}, {"system": "x|y", "score": 0.25, "n": 3}]


def test_plain_aligns_numbers_to_the_right() -> None:
    assert plain(ROWS) == "system    score  n\na_b     0.50000  -\nx|y     0.25000  3\n"


def test_markdown_escapes_bars() -> None:
    assert markdown(ROWS).splitlines()[1:] == [
        "| --- | ---: | ---: |",
        "| a_b | 0.50000 | - |",
        "| x\\|y | 0.25000 | 3 |",
    ]


def test_latex_escapes_and_uses_booktabs() -> None:
    assert latex(ROWS).splitlines() == [
        r"\begin{tabular}{lrr}", r"\toprule", r"system & score & n \\", r"\midrule",
        r"a\_b & 0.50000 & - \\", r"x\textbar{}y & 0.25000 & 3 \\", r"\bottomrule", r"\end{tabular}",
    ]  # fmt: skip


def test_tsv_has_no_stray_tabs_or_breaks() -> None:
    assert tsv([{"a": "x\ty\nz"}]) == "a\nx y z\n"


@pytest.mark.parametrize("style", STYLES)
def test_no_rows_are_no_table(style: str) -> None:
    assert STYLES[style]([]) == ""


def test_cells() -> None:
    assert [cell(v) for v in (None, True, 1 / 3, [1, 2], "a  b", 10**30)] == [
        "-",
        "yes",
        "0.33333",
        "1,2",
        "a b",
        str(10**30),
    ]
