"""The tables of docs/cluster-run.md, made from bench/results/scale.json: `python -m tools.plan` writes them.

The plan multiplies what a unit was measured to cost by ten million topics. Workers become more; a client and
a scheduler are one process each, and stay so.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from topline.run.engine import WINDOW

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "cluster-run.md"
RESULTS = ROOT / "bench" / "results" / "scale.json"
TOPICS, WORKERS = 10_000_000, 1_000
Row = dict[str, Any]


def measured(rows: list[Row]) -> list[str]:
    """Who spends what on a unit."""
    lines = [
        "| unit | client, ms | scheduler, ms | worker, ms | bytes out | bytes back |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        times = " | ".join(f"{row[f'ms {who}']:.2f}" for who in ("client", "scheduler", "worker"))
        lines.append(f"| {row['unit']} | {times} | {row['bytes out']:,} | {row['bytes back']:,} |")
    return lines


def hard(rows: list[Row]) -> list[str]:
    """One topic on one worker and on two."""
    return [
        "| one hard topic | seconds | times one worker |",
        "|---|---:|---:|",
        *(f"| {row['what']} | {row['ms'] / 1000:.1f} | {row['times one worker']:.2f} |" for row in rows),
    ]


def planned(rows: list[Row]) -> list[str]:
    """Ten million topics on a thousand workers, if each part had all it needs of the others."""
    lines = [
        "| | units | hours of client | hours of scheduler | hours of 1,000 workers | through the scheduler | "
        "in flight | breaks first |",
        "|---|---:|---:|---:|---:|---:|---:|---|",
    ]
    lines.extend(_planned(row) for row in rows if row["topics"])
    return lines


def _planned(row: Row) -> str:
    units = TOPICS / row["topics"]
    hours = {who: units * row[f"ms {who}"] / 3.6e6 for who in ("client", "scheduler", "worker")}
    hours["worker"] /= WORKERS
    size = row["bytes out"] + row["bytes back"]
    slowest = max(hours, key=lambda who: hours[who])
    fed = hours["worker"] * WORKERS / max(hours["client"], hours["scheduler"])
    limit = (
        "the workers" if slowest == "worker" else f"the {slowest}: it feeds {min(fed, WORKERS):,.0f} workers"
    )
    times = " | ".join(f"{hours[who]:,.3f}" for who in ("client", "scheduler", "worker"))
    return (
        f"| {row['unit']} | {units:,.0f} | {times} | {units * size / 1e9:,.0f} GB | "
        f"{WINDOW * WORKERS * row['bytes out'] / 1e9:,.2f} GB | {limit} |"
    )


def put(page: str, name: str, lines: list[str]) -> str:
    """The page with these lines between a section's marks."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    head, rest = page.split(begin)
    return head + "\n".join([begin, "", *lines, "", end]) + rest.split(end)[1]


def fill() -> None:
    """Write the tables into the page."""
    found = json.loads(RESULTS.read_text("utf-8"))
    page = put(PAGE.read_text("utf-8"), "scale", [*measured(found["rows"]), "", *hard(found["hard"])])
    PAGE.write_text(put(page, "plan", planned(found["rows"])), "utf-8")


if __name__ == "__main__":
    fill()
