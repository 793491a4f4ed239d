"""`topline spread`: the distribution of the score over every extract, per document and per domain."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import click

from topline.cli import common
from topline.cli.searching import signed
from topline.cli.spreading import Run, check_all, spread_options
from topline.run.whole import whole_file
from topline.spread.combine import Domain, moments
from topline.spread.document import Spread

EXAMPLES = """
\b
Examples:
  topline spread sample:newswire
  topline spread corpus.jsonl --metric rouge-2 --budget 160w --json --out spread.jsonl
  topline spread corpus.jsonl --domain --plots figures
  topline spread novels.jsonl --sections auto --budget 1148w --time-limit 600 --resume novels.journal
"""
ALL = "all"
"""The domain of topics that name none."""


@click.command(epilog=EXAMPLES)
@common.corpus_argument
@spread_options
@click.option(
    "--domain", "by_domain", is_flag=True, help="A row a domain: the distribution of the mean score."
)
@click.option(
    "--plots", type=click.Path(path_type=Path, file_okay=False), help="Figures as SVG, into this folder."
)
@common.columns_option
@common.skip_option
@common.output_options
def command(corpus: Path, by_domain: bool, plots: Path | None, skip_bad: bool, **given: Any) -> int:
    """The distribution of the score over every extract of a document (Ceylan et al. 2010).

    Exact where that can be done within the time limit; `method` says how each figure came about. Exit code
    3 says that some distributions had to be sampled; these come with a 99% band.
    """
    run = Run.of({**given, "skip_bad": skip_bad})
    check_all(run)
    reading = common.read_topics(corpus, columns=given["columns"], skip_bad=skip_bad, references=True)
    kept: dict[str, list[Spread]] = {}
    keep = by_domain or plots is not None
    rows = _topics(run, reading, kept if keep else None, json=given["as_json"], plots=plots)
    if by_domain:
        for _ in rows:
            pass
        rows = _domains(run, kept, json=given["as_json"])
    common.emit(
        signed(rows, as_json=given["as_json"]),
        as_json=given["as_json"],
        table=given["table"],
        out=given["out"],
    )
    if plots is not None:
        _plot_domains(run, kept, plots)
    common.say_skipped(reading)
    return run.end()


def _topics(
    run: Run, reading: Any, kept: dict[str, list[Spread]] | None, *, json: bool, plots: Path | None
) -> Iterator[dict[str, Any]]:
    """A row a distribution; on the way they are drawn and kept for their domain."""
    for topic, spreads in run.over(reading):
        for spread in spreads:
            if kept is not None:
                kept.setdefault(topic.domain or ALL, []).append(spread)
            if plots is not None:
                _plot_topic(spread, plots)
            yield {**row(spread, json=json), "signature": run.signature + topic.split}


def row(spread: Spread, *, json: bool) -> dict[str, Any]:
    """A distribution's fields; the histogram itself only in JSON."""
    held = spread.distribution
    found: dict[str, Any] = {
        "id": spread.id,
        "references": spread.references,
        "metric": spread.metric,
        "extracts": held.extracts,
    }
    if json:
        found["histogram"] = {"hits": [*held.counts], "count": [*held.counts.values()]}
        if not held.exact:
            found |= {"draws": held.draws, "band": held.band}
        if held.rare:
            low, high = zip(*held.rare.values(), strict=True)
            found["rare"] = {"hits": [*held.rare], "low": low, "high": high}
        if held.tail_from is not None:
            found["tail"] = {"from": held.tail_from, "hits": [*held.tail], "count": [*held.tail.values()]}
    return {
        **found,
        "total": held.total,
        "mean": held.mean,
        "sd": held.sd,
        "min": held.least / held.total,
        "max": held.most / held.total,
        "method": spread.method,
        **({"sections": spread.sections} if spread.sections is not None else {}),
        **({"note": spread.note} if spread.note or not json else {}),
    }


def _domains(run: Run, kept: dict[str, list[Spread]], *, json: bool) -> Iterator[dict[str, Any]]:
    """The paper's Table 2: a row a domain; in JSON with the pdf, exact and by Algorithm 1."""
    for name, spreads in kept.items():
        domain = Domain(name, tuple(spread.distribution for spread in spreads))
        printed = domain.printed()
        mean, sd = moments(printed)
        found = {
            "domain": name,
            "documents": domain.size,
            "metric": str(run.metric),
            "mean": domain.mean,
            "sd": domain.sd,
            "min": domain.least,
            "max": domain.most,
            "mean_algorithm_1": mean,
            "sd_algorithm_1": sd,
            "method": "exact" if domain.exact else "partly sampled",
        }
        if json:
            found["pdf"] = {"exact": domain.pdf().tolist(), "algorithm_1": printed.tolist()}
        yield {**found, "signature": run.signature}


_LONGEST = 100
"""Bytes of a name; file systems allow 255, ending included."""


def _file_name(name: str) -> str:
    """A name for a file; one that had to be changed bears a digest, so that no two become the same."""
    plain = "".join(c if c.isalnum() or c in "-_." else "_" for c in name)
    data = plain.encode("utf-8")
    if plain == name and 0 < len(data) <= _LONGEST:
        return name
    short = data[:_LONGEST].decode("utf-8", "ignore")
    return f"{short}-{blake2b(name.encode('utf-8', 'surrogatepass'), digest_size=4).hexdigest()}"


def write_figure(folder: Path, name: str, svg: str) -> None:
    """Write an SVG into a folder, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    with whole_file(folder / f"{_file_name(name)}.svg") as stream:
        stream.write(svg)


def _plot_topic(spread: Spread, folder: Path) -> None:
    from topline.report.plots import histogram

    name = spread.id if spread.references in ("pooled", "best") else f"{spread.id}-{spread.references}"
    for log in (False, True):
        svg = histogram(spread.distribution, name, spread.metric, log=log)
        write_figure(folder, f"{name}{'-log' if log else ''}", svg)


def _plot_domains(run: Run, kept: dict[str, list[Spread]], folder: Path) -> None:
    from topline.report.plots import densities, ensemble

    curves = []
    for name, spreads in kept.items():
        held = [spread.distribution for spread in spreads]
        domain = Domain(name, tuple(held))
        curves.append((name, domain.pdf()))
        pair = [("exact", curves[-1][1]), ("Algorithm 1", domain.printed())]
        for log in (False, True):
            end = "-log" if log else ""
            write_figure(folder, f"domain-{name}{end}", densities(pair, name, str(run.metric), log=log))
            write_figure(folder, f"ensemble-{name}{end}", ensemble(held, name, str(run.metric), log=log))
    if curves:
        write_figure(folder, "domains", densities(curves, "domains", str(run.metric)))
