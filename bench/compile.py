"""What compilation costs: the verbs' first call after a fresh install, and the next one from the cache.

`python -m bench.compile`
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from time import perf_counter

from bench.common import record

VERBS = {
    "oracle": ["oracle", "sample:news", "--json"],
    "oracle, rouge-su4": ["oracle", "sample:news", "--metric", "rouge-su4", "--json"],
    "optima": ["optima", "sample:news", "--json"],
    "oracle, F1": ["oracle", "sample:news", "--objective", "f1", "--metric", "rouge-1+rouge-2", "--json"],
    "oracle, chopped": ["oracle", "sample:news", "--metric", "rouge-2", "--chop", "--json"],
    "label": ["label", "sample:news", "--out", "labels.jsonl"],
}


def seconds(arguments: list[str], folder: str) -> float:
    command = [sys.executable, "-c", "from topline.cli.main import main; main()", *arguments]
    start = perf_counter()
    subprocess.run(
        command, check=True, capture_output=True, cwd=folder, env={**os.environ, "NUMBA_CACHE_DIR": folder}
    )
    return perf_counter() - start


def main() -> None:
    rows = []
    for name, arguments in VERBS.items():
        with tempfile.TemporaryDirectory() as folder:
            first = seconds(arguments, folder)
            cached = min(seconds(arguments, folder) for _ in range(3))
        rows.append({"verb": name, "first call s": round(first, 2), "from the cache s": round(cached, 2)})
    record("compile", rows)


if __name__ == "__main__":
    main()
