"""Seconds until a fresh process is ready: bare Python, the import, `--help`, and every verb's help."""

from __future__ import annotations

import subprocess
import sys

from bench.common import fastest, record
from topline.cli.main import VERBS

LIMIT = 0.2
"""Seconds that the import and the help may take."""


def seconds(code: str, repeat: int = 7) -> float:
    return fastest(
        lambda: subprocess.run([sys.executable, "-c", code], capture_output=True, check=True), repeat
    )


def help_of(*words: str) -> str:
    return f"from topline.cli.main import main; main({[*words, '--help']!r})"


def main() -> None:
    bare = seconds("pass")
    runs = {
        "python": "pass",
        "import topline": "import topline",
        "topline --help": help_of(),
        **{f"topline {verb} --help": help_of(verb) for verb in VERBS},
    }
    rows = []
    for name, code in runs.items():
        taken = seconds(code)
        rows.append({"start of": name, "seconds": round(taken, 3), "of bare python": round(taken / bare, 2)})
    record("startup", rows, limit=LIMIT)


if __name__ == "__main__":
    main()
