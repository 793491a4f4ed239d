"""`topline score` on files of 10,000 and 100,000 pairs: pairs a second and the process's peak memory."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from bench.common import record
from bench.rouge import texts

RUN = """
import resource, sys
from topline.cli.main import main
try:
    main(sys.argv[1:])
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
"""


def write(folder: Path, pairs: int) -> tuple[Path, Path]:
    """A corpus with one reference a topic, and a system's summaries in another order."""
    corpus, systems = folder / f"corpus{pairs}.jsonl", folder / f"systems{pairs}.jsonl"
    made = texts(2_000, 3)
    rng = random.Random(4)
    order = list(range(pairs))
    with corpus.open("w") as stream:
        for n in order:
            sentences = rng.choice(made).split("\n")
            row = {
                "id": f"t{n}",
                "documents": [{"id": "d", "sentences": sentences[:1]}],
                "references": [{"id": "A", "sentences": sentences}],
            }
            stream.write(json.dumps(row) + "\n")
    rng.shuffle(order)
    with systems.open("w") as stream:
        for n in order:
            stream.write(
                json.dumps({"id": f"t{n}", "system": "s", "sentences": rng.choice(made).split("\n")}) + "\n"
            )
    return corpus, systems


def main() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for pairs in (10_000, 100_000):
            corpus, systems = write(Path(folder), pairs)
            command = ["score", str(corpus), "--systems", str(systems), "--out", str(Path(folder) / "out")]
            begun = perf_counter()
            done = subprocess.run(
                [sys.executable, "-c", RUN, *command], capture_output=True, text=True, check=True
            )
            taken = perf_counter() - begun
            peak = int(done.stderr.split()[-1])
            rows.append(
                {
                    "pairs": pairs,
                    "seconds": round(taken, 1),
                    "pairs a second": round(pairs / taken),
                    "peak MB": peak,
                }
            )
    record("rouge_file", rows, metrics="rouge-1, rouge-2, rouge-l, stems, 1,000 resamples, start included")


if __name__ == "__main__":
    main()
