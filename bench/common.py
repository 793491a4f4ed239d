"""What the benchmarks share: where real text lies, what machine this is, how results are written."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

from topline.report.tables import plain

ROOT = Path(__file__).resolve().parents[1]


def shared(name: str) -> Path:
    """A file of the shared data; the benchmark ends with a plain word where it is absent."""
    path = Path(os.environ.get("TOPLINE_SHARED", ROOT.parent / "shared")) / "data" / name
    if not path.exists():
        raise SystemExit(f"{name} is not there: set TOPLINE_SHARED to the folder that holds data/")
    return path


def machine() -> dict[str, Any]:
    """The facts that make a figure comparable."""
    return {
        "python": platform.python_version(),
        "cores": len(os.sched_getaffinity(0)),
        "processor": platform.machine(),
        **{name: version(name) for name in ("numpy", "numba", "highspy")},
    }


def fastest(run: Callable[[], Any], repeat: int = 3) -> float:
    """Seconds of the fastest of several runs: the least disturbed one."""
    seconds = []
    for _ in range(repeat):
        start = perf_counter()
        run()
        seconds.append(perf_counter() - start)
    return min(seconds)


def record(name: str, rows: Sequence[dict[str, Any]], **more: Any) -> None:
    """Print the rows as a table and keep them in bench/results."""
    print(f"\n{name}\n{plain(rows)}")
    path = ROOT / "bench" / "results" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"machine": machine(), **more, "rows": list(rows)}, indent=1) + "\n")
