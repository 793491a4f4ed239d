"""Seconds until a fresh process is ready: bare Python, the import, `--help`, and every verb's help.

Beside the time on the wall stands the processor's, which other work on the machine does not lengthen: the
ratio is of that.
"""

from __future__ import annotations

import subprocess
import sys
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter

from bench.common import record
from topline.cli.main import VERBS

LIMIT = 0.2
"""Seconds that the import and the help may take."""


def spent() -> float:
    """Seconds of the processor that finished processes have taken."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds(code: str, repeat: int = 7) -> tuple[float, float]:
    """On the wall and of the processor, each of the fastest of several runs."""
    runs = []
    for _ in range(repeat):
        start, before = perf_counter(), spent()
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        runs.append((perf_counter() - start, spent() - before))
    return min(run[0] for run in runs), min(run[1] for run in runs)


def help_of(*words: str) -> str:
    return f"from topline.cli.main import main; main({[*words, '--help']!r})"


def main() -> None:
    _, bare = seconds("pass")
    runs = {
        "python": "pass",
        "import topline": "import topline",
        "topline --help": help_of(),
        **{f"topline {verb} --help": help_of(verb) for verb in VERBS},
    }
    rows = []
    for name, code in runs.items():
        wall, processor = seconds(code)
        rows.append({
            "start of": name, "seconds": round(wall, 3), "processor": round(processor, 3),
            "of bare python": round(processor / bare, 2),
        })  # fmt: skip
    record("startup", rows, limit=LIMIT)


if __name__ == "__main__":
    main()
