"""The README's table of figures, made from bench/results: `python -m tools.figures` writes it into README.md.

Every figure there is a ratio, ours beside a peer in the same run; a row whose benchmark has not been run
is left out, as is one whose results are of an older form.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- figures -->\n", "<!-- /figures -->"
Rows = list[dict[str, Any]]


def rows_of(name: str) -> Rows:
    """The rows of a benchmark's last run."""
    path = ROOT / "bench" / "results" / f"{name}.json"
    found: Rows = json.loads(path.read_text("utf-8"))["rows"] if path.exists() else []
    return found


def one(rows: Rows, **fields: Any) -> dict[str, Any]:
    """The row with these fields."""
    (found,) = (row for row in rows if all(row.get(name) == value for name, value in fields.items()))
    return found


def ratio(value: float) -> str:
    """A ratio as a reader wants it: small ones with a digit behind the point."""
    return f"{value:.1f}" if value < 10 else f"{value:,.0f}"


def span(values: list[float], write: Callable[[float], str] = ratio) -> str:
    """From the least to the largest."""
    least, most = write(min(values)), write(max(values))
    return least if least == most else f"{least} to {most}"


def rouge(rows: Rows) -> list[str]:
    """Beside the scorers in Python and Rust, with as many threads as these."""
    speed, most = "first call, pairs a second", max(row["threads"] for row in rows)
    alone, ours = (one(rows, scorer="topline, stems", threads=threads)[speed] for threads in (1, most))
    score = one(rows, scorer="rouge-score, stems")[speed]
    rust = one(rows, scorer="rouge-rust, no stems", threads=most)[speed]
    what = "ROUGE-1, 2 and L with stems, pairs a second, first call"
    return [
        f"| {what} | {alone:,} | rouge-score {score:,} | {alone / score:,.0f}x |",
        f"| the same with {most} threads, the peer without stems | {ours:,} | rouge-rust {rust:,} | "
        f"{ours / rust:.1f}x |",
    ]


def script(rows: Rows) -> list[str]:
    """Beside the real script."""
    ours = [
        row["times the script's speed"] for row in rows if (row["run"], row["systems"]) == ("topline", 30)
    ]
    return [
        "| 50 topics x 30 systems, 4 references, `-r 1000`, by metrics | "
        f"– | ROUGE-1.5.5.pl | {span(ours)}x |"
    ]


def search(rows: Rows) -> list[str]:
    """One best extract, beside a solver."""
    ratios = span([row["ratio of means"] for row in rows])
    return [f"| one best extract, opinosis at 30 and the sample at 100 words | – | HiGHS | {ratios}x |"]


def every(rows: Rows) -> list[str]:
    """All best extracts, beside the published search."""
    lines = []
    for corpus, name in (("sample:news", "the sample"), ("opinosis", "opinosis"), ("squality", "stories")):
        found = [row for row in rows if (row["corpus"], row["budget"]) == (corpus, "100w")]
        ratios = span([row["ratio of all, at least"] for row in found])
        lines.append(
            f"| all best extracts, {name} at 100 words | – | Algorithms 1–3, compiled | {ratios}x or more |"
        )
    return lines


def labels(rows: Rows) -> list[str]:
    """Labels, beside a training pipeline's."""
    found = one(rows, what="exact f1, in memory, 2 threads")
    ours, peer = found["documents/s"], found["peer documents/s"]
    what = "exact labels by ROUGE-1 + ROUGE-2, documents a second"
    return [f"| {what} | {ours:,} | greedy in Python {peer:,} | {found['ratio']}x |"]


def spread(rows: Rows) -> list[str]:
    """Extracts scored, beside the script."""
    found = [row for row in rows if row["metric"] == "rouge-2" and row["references"] == 1]
    rates = [row["a_second"] / 1e9 for row in found]
    ratios = [row["times_perl"] for row in found]
    return [
        f"| every extract's ROUGE-2, a second and core | {span(rates)}e9 | ROUGE-1.5.5.pl | {span(ratios)}x |"
    ]


def compress(rows: Rows) -> list[str]:
    """Trimmed summaries, beside a solver."""
    ratios = span([row["ratio"] for row in rows])
    return [f"| best trimmed summary, 200 sentences, search alone | – | HiGHS, solving alone | {ratios}x |"]


def systems(rows: Rows) -> list[str]:
    """Summarisers, beside sumy's."""
    lines = []
    for name in ("lexrank", "textrank"):
        row = one(rows, system=name)
        lines.append(
            f"| {name}, documents of 30 sentences a second | {row['documents a second']:,} | "
            f"sumy {row['sumy']:,.0f} | {row['times sumy']:.0f}x |"
        )
    return lines


def judge(rows: Rows) -> list[str]:
    """Significance of many pairs, beside scipy."""
    row = next(row for row in rows if row["what"].startswith("randomisation, 499"))
    return [
        f"| significance of 499,500 pairs of systems on 1,000 topics | {row['seconds']:.0f} s | "
        f"scipy, extrapolated | {row['ratio']:,.0f}x |"
    ]


TABLE: dict[str, Callable[[Rows], list[str]]] = {
    "rouge": rouge,
    "rouge_script": script,
    "search_one": search,
    "search_published": every,
    "labels": labels,
    "spread": spread,
    "compress": compress,
    "systems": systems,
    "judge": judge,
}


def table() -> str:
    """The table in Markdown."""
    lines = ["| what | Topline | beside | ratio |", "|---|---:|---:|---:|"]
    for name, write in TABLE.items():
        rows = rows_of(name)
        try:
            lines.extend(write(rows) if rows else [])
        except (KeyError, ValueError, StopIteration):
            print(
                f"left out: {name}, measured before it had these columns: python -m bench.{name}",
                file=sys.stderr,
            )
    return "\n".join(lines) + "\n"


def filled(page: str) -> str:
    """The page with the table in its place."""
    head, rest = page.split(BEGIN)
    return head + BEGIN + "\n" + table() + "\n" + END + rest.split(END)[1]


if __name__ == "__main__":
    path = ROOT / "README.md"
    path.write_text(filled(path.read_text("utf-8")), "utf-8")
