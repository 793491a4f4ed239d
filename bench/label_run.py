"""A night's labelling in one go: CNN/DailyMail-shaped documents, memory watched, killed twice and resumed.

The corpus is made on the fly; `300000` makes it as large as CNN/DailyMail. It is labelled twice:
undisturbed, and killed with -9 twice on the way. Both files must be the same bytes.

`python -m bench.label_run [DOCUMENTS]`
"""

from __future__ import annotations

import filecmp
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, sleep

from tools.plan import put

from bench.common import record
from bench.labels import write_corpus
from topline.run.labels import PART

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reliability.md"
DOCUMENTS = 300_000
"""As many as CNN/DailyMail has; these figures are kept under a name of their own."""
SHORT = 50_000
"""A run to compare with: by default, so that all benchmarks together end."""


def begin(corpus: Path, out: Path) -> subprocess.Popen:
    code = "from topline.cli.main import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, "label", str(corpus), "--out", str(out), "--jobs", "2"],
        stdout=subprocess.DEVNULL,
    )


def resident(pid: int) -> float:
    """MiB that a process holds now; 0 once it has ended."""
    try:
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def labelled(out: Path) -> int:
    """Documents in finished parts."""
    return PART * len(list(out.with_name(f".{out.name}.parts").glob("part-*.jsonl")))


def watched(run: subprocess.Popen, out: Path, size: int, until: int | None = None) -> tuple[float, list]:
    """Wait for the run, or for so many labels and kill it; seconds, and the curve of its memory."""
    start, curve, tenth = perf_counter(), [], 0
    while run.poll() is None:
        done, memory = labelled(out), resident(run.pid)
        if memory and done * 10 // size > tenth:
            tenth = done * 10 // size
            curve.append({"documents": done, "MiB": round(memory)})
        if until is not None and done >= until:
            run.send_signal(signal.SIGKILL)
        sleep(0.05)
    return perf_counter() - start, curve


def said(row: dict) -> list[str]:
    """The page's words on a whole run."""
    return [
        f"`python -m bench.label_run {row['documents']}` labels {row['documents']:,} documents of"
        " CNN/DailyMail's shape, undisturbed and",
        f"killed twice with -9: {row['hours']} hours ({row['documents/s']:,} documents a second) undisturbed,"
        f" {row['hours, killed twice']} hours with",
        "the kills and restarts, the same bytes. Memory stood at"
        f" {row['MiB at first']} MiB after a tenth of the documents and at",
        f"{row['MiB at last']} MiB in the end (`bench/results/label_run.json` has the curve).",
    ]


def main(size: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        corpus, calm, killed = (
            Path(folder) / name for name in ("corpus.jsonl", "calm.jsonl", "killed.jsonl")
        )
        made = write_corpus(corpus, size)
        seconds, curve = watched(run := begin(corpus, calm), calm, size)
        assert run.returncode == 0
        disturbed = 0.0
        for until in (size // 3, 2 * size // 3, None):
            run = begin(corpus, killed)
            disturbed += watched(run, killed, size, until)[0]
            assert run.returncode == (0 if until is None else -signal.SIGKILL)
        same = filecmp.cmp(calm, killed, shallow=False)
        row = {
            "documents": size, "MB": round(corpus.stat().st_size / 1e6), "seconds to make": round(made),
            "hours": round(seconds / 3600, 3), "documents/s": round(size / seconds),
            "hours, killed twice": round(disturbed / 3600, 3), "same bytes": same,
            "MiB at first": curve[0]["MiB"], "MiB at last": curve[-1]["MiB"],
            "MiB at most": max(point["MiB"] for point in curve),
        }  # fmt: skip
        record("label_run" if size == DOCUMENTS else "label_run_short", [row], memory=curve)
        if size == DOCUMENTS:
            PAGE.write_text(put(PAGE.read_text("utf-8"), "label-run", said(row)), "utf-8")
    if not same:
        raise SystemExit("the file of the run that was killed is another one")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SHORT)
