"""`topline compare`: which system is better, with significance; and how much room is left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from topline.cli import ceilings, common, scored
from topline.cli.searching import signed
from topline.cores import cores
from topline.report.tables import STYLES, cell

if TYPE_CHECKING:
    from topline.judge.significance import Comparison, Matrix

EXAMPLES = """
\b
Examples:
  topline compare corpus.jsonl --systems mead.jsonl --systems lead.jsonl --table md
  topline compare --scores scores.jsonl --test wilcoxon --show pairs --json
  topline compare corpus.jsonl --systems mead.jsonl --show scale --metric rouge-1+rouge-2
  topline score corpus.jsonl --systems all.jsonl --json | topline compare --scores - --table latex
"""
OPEN, CLOSE = "\ue000", "\ue001"
"""Stand for the marks of a superscript until the table is set: its cells are escaped before that."""
MARKS = {
    "md": ("<sup>", "</sup>"),
    "latex": (r"\textsuperscript{", "}"),
    "plain": (" ^", ""),
    "tsv": (" ^", ""),
}


@click.command(epilog=EXAMPLES)
@scored.source_options
@common.metric_options
@click.option(
    "--test",
    type=click.Choice(["randomisation", "bootstrap", "wilcoxon"]),
    default="randomisation",
    show_default=True,
)
@click.option("--samples", type=click.IntRange(1), default=10_000, show_default=True, help="Resamples.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("--alpha", type=click.FloatRange(0, 1), default=0.05, show_default=True, help="The level.")
@click.option(
    "--show",
    type=click.Choice(["systems", "pairs", *ceilings.SHOWS]),
    default="systems",
    show_default=True,
    help="Systems with superscripts; every pair; or what can be reached.",
)
@click.option("--common", "common_only", is_flag=True, help="Use only the topics that all systems have.")
@click.option("--jobs", type=click.IntRange(1), default=cores, help="Threads.")
@common.columns_option
@common.skip_option
@common.output_options
def command(corpus: Path | None, test: str, show: str, common_only: bool, **given: Any) -> int:
    """Every pair of systems on the same topics, with Holm's correction over all pairs.

    Superscripts name the systems that a system beats; a tie is never a win. Results do not depend on
    the number of threads. `--show scale` sets systems between random and the oracle with their headroom,
    `oracles` holds their sentences against all best extracts and against random ones, `references`
    scores each reference against the others, `words` counts what must be matched.
    """
    if show in ceilings.SHOWS:
        rows = signed(ceilings.rows(corpus, show, given), as_json=given["as_json"])
        common.emit(rows, as_json=given["as_json"], table=given["table"], out=given["out"])
        return 0
    return _compared(corpus, test, show, common_only, given)


def _compared(corpus: Path | None, test: str, show: str, common_only: bool, given: Mapping[str, Any]) -> int:
    """Test all pairs and write what is asked for."""
    from topline.judge.significance import compare

    tables, signature = scored.tables(corpus, given)
    results = []
    for metric, table in tables.items():
        matrix = table.matrix(common=common_only)
        found = compare(matrix, test, samples=given["samples"], seed=given["seed"], jobs=given["jobs"])
        results.append((metric, matrix, found))
    signature += f"|test:{test}|samples:{given['samples']}|seed:{given['seed']}|holm|alpha:{given['alpha']:g}"
    if given["as_json"] or show == "pairs":
        make = _pairs if show == "pairs" else _systems
        made = ({**row, "signature": signature} for result in results for row in make(*result, given))
        rows = signed(made, as_json=given["as_json"])
        common.emit(rows, as_json=given["as_json"], table=given["table"], out=given["out"])
    else:
        click.echo(f"topline: signature {signature}", err=True)
        _write(_table(results, given), given["out"])
    return 0


def _pairs(
    metric: str, matrix: Matrix, found: Comparison, given: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """A row a pair: the difference of means, p and what Holm makes of it."""
    for k, (one, other) in enumerate(found.pairs.tolist()):
        difference, holm = float(found.differences[k]), float(found.holm[k])
        won = holm < given["alpha"] and difference != 0
        yield {
            "metric": metric, "system": matrix.systems[one], "other": matrix.systems[other],
            "difference": difference, "topics": len(matrix.topics), "test": found.test,
            "p": float(found.p[k]), "p_holm": holm, "exact": bool(found.exact[k]),
            "better": matrix.systems[one if difference > 0 else other] if won else None,
        }  # fmt: skip


def _systems(
    metric: str, matrix: Matrix, found: Comparison, given: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """A row a system: its mean with a bootstrap interval, and whom it beats."""
    from topline.judge.significance import better, intervals, letters

    beaten = better(found, len(matrix.systems), given["alpha"])
    spans = intervals(matrix.values, samples=given["samples"], seed=given["seed"])
    names = letters(len(matrix.systems))
    for i, system in enumerate(matrix.systems):
        yield {
            "metric": metric, "system": system, "letter": names[i], "mean": float(matrix.values[i].mean()),
            "low": spans[i][0], "high": spans[i][1], "topics": len(matrix.topics), "test": found.test,
            "beats": [matrix.systems[loser] for loser in beaten[i]],
        }  # fmt: skip


def _table(results: Sequence[tuple[str, Matrix, Comparison]], given: Mapping[str, Any]) -> str:
    """Systems by metric, each mean with the letters of the systems it beats."""
    from topline.judge.significance import superscript

    rows: dict[str, dict[str, str]] = {}
    for metric, matrix, found in results:
        named = list(_systems(metric, matrix, found, given))
        letter = {row["system"]: row["letter"] for row in named}
        for row in named:
            of_system = rows.setdefault(row["system"], {"": row["letter"], "system": row["system"]})
            beats = [letter[loser] for loser in row["beats"]]
            of_system[metric] = cell(row["mean"]) + (f"{OPEN}{superscript(beats)}{CLOSE}" if beats else "")
    style = given["table"]
    text = STYLES[style](list(rows.values()))
    for mark, shown in zip((OPEN, CLOSE), MARKS[style], strict=True):
        text = text.replace(mark, shown)
    return text


def _write(text: str, out: Path | None) -> None:
    if out is None:
        click.echo(text, nl=False)
        return
    with common.whole_file(out) as stream:
        stream.write(text)
