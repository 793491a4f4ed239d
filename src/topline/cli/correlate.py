"""`topline correlate`: metrics against human scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from topline.cli import common, scored
from topline.cli.searching import signed
from topline.errors import CorpusError, OptionError

if TYPE_CHECKING:
    from topline.judge.grid import Grid
    from topline.judge.scores import HumanScore

EXAMPLES = """
\b
Examples:
  topline correlate corpus.jsonl --systems all.jsonl --human content.table --metric rouge-1+rouge-2
  topline correlate --scores scores.jsonl --human human.csv --level topic --coefficient kendall
  topline correlate --scores scores.jsonl --human human.csv --show williams
"""


@click.command(epilog=EXAMPLES)
@scored.source_options
@click.option("--human", type=click.Path(path_type=Path), multiple=True, required=True, help="Repeat it.")
@click.option("--measure", multiple=True, help="Which human measures; default: all.")
@click.option(
    "--level", type=click.Choice(["system", "topic", "pooled"]), multiple=True, help="Default: system."
)
@click.option(
    "--coefficient",
    type=click.Choice(["pearson", "spearman", "kendall"]),
    multiple=True,
    help="Default: all three.",
)
@common.metric_options
@click.option("--show", type=click.Choice(["correlations", "williams"]), default="correlations")
@click.option("--samples", type=click.IntRange(1), default=1000, show_default=True, help="Resamples.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option(
    "--confidence", type=click.FloatRange(1, 99.9), default=95.0, show_default=True, help="Percent."
)
@click.option("--common", "common_only", is_flag=True, help="Leave out what only one side knows.")
@common.columns_option
@common.skip_option
@common.output_options
def command(corpus: Path | None, show: str, common_only: bool, **given: Any) -> int:
    """How well metrics agree with people: Pearson, Spearman and Kendall, with intervals and p-values.

    Human scores come as CSV, JSON Lines or NIST's tables of responsiveness and linguistic quality. Where
    a column is constant the correlation is undefined: the column `why` says so.
    """
    tables, signature = scored.tables(corpus, given)
    humans = _humans(given)
    measures = _measures(humans, given["measure"])
    pairs = {
        (metric, measure): (table, *_held_against(table, humans, measure, common_only))
        for metric, table in tables.items()
        for measure in measures
    }
    rows = _williams(pairs, tables, given) if show == "williams" else _correlations(pairs, given)
    signature += f"|samples:{given['samples']}|seed:{given['seed']}|confidence:{given['confidence']:g}"
    rows = signed(({**row, "signature": signature} for row in rows), as_json=given["as_json"])
    common.emit(rows, as_json=given["as_json"], table=given["table"], out=given["out"])
    return 0


def _humans(given: Mapping[str, Any]) -> list[HumanScore]:
    from topline.judge.samples import resolved
    from topline.judge.scores import read_human

    bad: list[CorpusError] | None = [] if given["skip_bad"] else None
    found = [score for path in given["human"] for score in read_human(resolved(path), bad=bad)]
    if bad:
        click.echo(f"topline: skipped {len(bad)} bad records, the first: {bad[0]}", err=True)
    return found


def _measures(humans: list[HumanScore], wanted: tuple[str, ...]) -> list[str]:
    from topline.judge.scores import measures

    there = measures(humans)
    unknown = [name for name in wanted if name not in there]
    if unknown:
        raise OptionError(f"nobody gave {unknown[0]!r}", hint=f"there are: {', '.join(there)}")
    return list(wanted) or there


Pair = tuple["Grid", "Grid", "list[str]"]
Row = dict[str, Any]


def _held_against(
    table: Grid, humans: list[HumanScore], measure: str, common_only: bool
) -> tuple[Grid, list[str]]:
    """The human scores for a metric's systems and topics, and the systems that both know."""
    from topline.judge.scores import human_grid

    human = human_grid(humans, measure, table.systems, table.topics, skip_unknown=common_only)
    known = set(human.systems)
    lacking = [system for system in table.systems if system not in known]
    if lacking and not common_only:
        raise CorpusError(
            f"{lacking[0]!r} has no human score of {measure!r}",
            hint="--common leaves out what only one side knows",
        )
    return human, [system for system in table.systems if system in known]


def _arrays(pair: Pair, level: str) -> tuple[Any, Any]:
    """Both sides as arrays over the same systems and, where people judged topics, the same topics."""
    table, human, systems = pair
    if set(human.topics) <= set(table.topics):
        return table.over(human.topics).rows(systems), human.rows(systems)
    if level != "system":
        raise OptionError(f"the {level} level needs human scores for every topic", hint="--level system")
    return table.rows(systems), human.rows(systems)


def _correlations(
    pairs: Mapping[tuple[str, str], Pair], given: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    from topline.judge.correlation import COEFFICIENTS, correlate

    for level in given["level"] or ("system",):
        for (metric, measure), pair in pairs.items():
            ours, theirs = _arrays(pair, level)
            for kind in given["coefficient"] or COEFFICIENTS:
                found = correlate(
                    ours, theirs, level=level, kind=kind, samples=given["samples"],
                    seed=given["seed"], confidence=given["confidence"] / 100,
                )  # fmt: skip
                yield {
                    "metric": metric, "human": measure, "level": level, "coefficient": kind, "n": found.n,
                    "r": found.r, "low": found.low, "high": found.high, "p": found.p,
                    "null_low": found.null_low, "null_high": found.null_high, "exact": found.exact,
                    "undefined": found.undefined, "why": found.why,
                }  # fmt: skip


def _williams(
    pairs: Mapping[tuple[str, str], Pair], tables: Mapping[str, Grid], given: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Each pair of metrics against the same human measure, over systems that all have scores for."""
    from topline.judge.correlation import coefficient, system_means, williams

    if len(tables) < 2:
        raise OptionError("Williams' test compares two metrics", hint="--metric rouge-1+rouge-2")
    for measure in dict.fromkeys(measure for _, measure in pairs):
        for kind in given["coefficient"] or ("pearson",):
            for one, other in combinations(tables, 2):
                first, second = pairs[one, measure], pairs[other, measure]
                systems = [name for name in first[2] if name in set(second[2])]
                x, h1 = system_means(*_arrays((first[0], first[1], systems), "system"))
                y, h2 = system_means(*_arrays((second[0], second[1], systems), "system"))
                row = {"human": measure, "coefficient": kind, "metric": one, "other": other, "n": len(x)}
                if len(x) != len(y):
                    yield {**row, "why": "the metrics score different systems"}
                    continue
                values = [coefficient(kind, x, h1), coefficient(kind, y, h2), coefficient(kind, x, y)]
                yield {**row, **_tested(values, len(x), williams)}


def _tested(values: list[float | None], n: int, test: Any) -> dict[str, Any]:
    r, r_other, r_between = values
    row = {"r": r, "r_other": r_other, "r_between": r_between}
    if r is None or r_other is None or r_between is None:
        return {**row, "t": None, "df": None, "p": None, "why": "a column is constant"}
    found = test(r, r_other, r_between, n)
    return {**row, "t": found.t, "df": found.df, "p": found.p, "why": found.why}
