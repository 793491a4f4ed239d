"""What compilation costs: the verbs' first call after a fresh install, and the next one from the cache.

`python -m bench.compile`
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from bench.common import record

SYSTEMS = "systems.jsonl"
INSTALLS = 2
"""Fresh caches tried; the least disturbed run of them is shown."""
VERBS = {
    "oracle": ["oracle", "sample:news", "--json"],
    "oracle, rouge-su4": ["oracle", "sample:news", "--metric", "rouge-su4", "--json"],
    "optima": ["optima", "sample:news", "--json"],
    "oracle, F1": ["oracle", "sample:news", "--objective", "f1", "--metric", "rouge-1+rouge-2", "--json"],
    "oracle, chopped": ["oracle", "sample:news", "--metric", "rouge-2", "--chop", "--json"],
    "label": ["label", "sample:news", "--out", "labels.jsonl"],
    **{
        f"spread, {name}": ["spread", "sample:newswire", "--json", "--metric", name]
        for name in ("rouge-1", "rouge-2", "rouge-su4")
    },
    "spread, one reference": ["spread", "sample:newswire", "--json", "--references", "each"],
    "spread, four references": ["spread", "sample:news", "--json", "--budget", "40w"],
    "spread, best reference": ["spread", "sample:newswire", "--json", "--references", "best"],
    "spread, fitting": ["spread", "sample:newswire", "--json", "--extracts", "fitting"],
    "spread, maximal": ["spread", "sample:newswire", "--json", "--extracts", "maximal"],
    "spread, counted": ["spread", "sample:literature", "--json", "--metric", "rouge-2"],
    "rank": ["rank", "sample:newswire", "--json", "--systems", SYSTEMS],
}


def seconds(arguments: list[str], folder: str) -> tuple[float, float]:
    """By the clock, and of the processor."""
    command = [sys.executable, "-c", "from topline.cli.main import main; main()", *arguments]
    start, before = perf_counter(), os.times()
    subprocess.run(
        command, check=True, capture_output=True, cwd=folder, env={**os.environ, "NUMBA_CACHE_DIR": folder}
    )
    spent, after = perf_counter() - start, os.times()
    children = (
        after.children_user - before.children_user,
        after.children_system - before.children_system,
    )
    return spent, sum(children)


def systems(folder: Path) -> None:
    """A system's summaries of the newswire sample."""
    chosen = [{"id": f"nw{n}", "system": "lead", "selected": [0, 1, 2, 3, 4]} for n in (1, 2, 3, 4)]
    (folder / SYSTEMS).write_text("".join(json.dumps(one) + "\n" for one in chosen))


def main() -> None:
    rows = []
    for name, arguments in VERBS.items():
        firsts = []
        for _ in range(INSTALLS):
            with tempfile.TemporaryDirectory() as folder:
                systems(Path(folder))
                firsts.append(seconds(arguments, folder))
                cached, cached_work = map(
                    min, zip(*(seconds(arguments, folder) for _ in range(3)), strict=True)
                )
        first, work = map(min, zip(*firsts, strict=True))
        rows.append(
            {
                "verb": name,
                "first call s": round(first, 2),
                "processor s": round(work, 2),
                "from the cache s": round(cached, 2),
                "from the cache, processor s": round(cached_work, 2),
            }
        )
    record("compile", rows)


if __name__ == "__main__":
    main()
