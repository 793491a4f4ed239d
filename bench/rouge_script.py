"""`topline rouge` beside ROUGE-1.5.5.pl: 4 references, stems, 1,000 resamples, three sets of metrics.

Files are read and parsed, figures printed: the whole run, of 30 systems and of one, on the same files for
both, whose print-outs must be equal. Ours is timed in a warm process and as a fresh one, which for 30 systems
is mostly the loading of numba and its kernels. Processor time is compared, as both run in one thread; of
several runs of ours the fastest counts, and of the script's where they are short.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from collections.abc import Callable
from math import inf
from os import times
from pathlib import Path

from tests.perl_script import Script, install

from bench.common import record
from bench.rouge import texts
from topline.rouge.perl.run import run

TOPICS, REFERENCES = 50, 4
SYSTEMS = (30, 1)
ROUNDS = 5
"""Runs that are timed together: the clock of processor time ticks in hundredths of a second."""
SETS = {
    "R-1, R-2, R-L": ["-n", "2", "-m", "-r", "1000"],
    "R-1, R-2, SU4": ["-n", "2", "-x", "-m", "-2", "4", "-u", "-r", "1000"],
    "R-1 to R-4, L, W, SU4": ["-n", "4", "-m", "-w", "1.2", "-2", "4", "-u", "-r", "1000"],
}


def write(folder: Path, systems: int) -> Path:
    """A configuration as DUC's: every system on every topic."""
    evaluations = []
    pool = iter(texts(TOPICS * (systems + REFERENCES), seed=1))
    folder.mkdir()
    for topic in range(TOPICS):
        peers = [(f"{system}", f"{topic}.P.{system}") for system in range(systems)]
        models = [(f"{letter}", f"{topic}.M.{letter}") for letter in "ABCD"[:REFERENCES]]
        for _, name in [*models, *peers]:
            (folder / name).write_text(next(pool))
        evaluations.append(
            f'<EVAL ID="{topic}"><PEER-ROOT>{folder}</PEER-ROOT><MODEL-ROOT>{folder}</MODEL-ROOT>'
            '<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT><PEERS>'
            + "".join(f'<P ID="{id}">{name}</P>' for id, name in peers)
            + "</PEERS><MODELS>"
            + "".join(f'<M ID="{id}">{name}</M>' for id, name in models)
            + "</MODELS></EVAL>"
        )
    config = folder / "config.xml"
    config.write_text("<ROUGE-EVAL>" + "\n".join(evaluations) + "</ROUGE-EVAL>\n")
    return config


def ours(arguments: list[str]) -> bytes:
    out = io.BytesIO()
    run(arguments, out, print)
    return out.getvalue()


def fresh(arguments: list[str]) -> None:
    start = [sys.executable, "-c", "from topline.cli.main import main; main()"]
    subprocess.run([*start, "rouge", *arguments], check=True, capture_output=True)


def processor_seconds(run: Callable[[], object], repeat: int) -> float:
    """Of this process and those it started."""
    best = inf
    for _ in range(repeat):
        before = times()
        run()
        after = times()
        best = min(best, sum(after[:4]) - sum(before[:4]))
    return best


def seconds(script: Script, flags: list[str], config: Path, systems: int) -> dict[str, float]:
    """Of the script's run and of ours; the print-outs must be equal."""
    arguments = [*flags, "-a", str(config)]
    theirs = ["-e", str(script.data), *arguments]
    runs: list[tuple[int, bytes, bytes]] = []
    perl = processor_seconds(
        lambda: runs.append(script.run(theirs, config.parent, timeout=3600)), 1 if systems > 1 else 3
    )
    if any(code or printed != ours(arguments) for code, printed, _ in runs):
        raise SystemExit("the print-outs differ")
    rounds = range(ROUNDS)
    return {
        "topline": processor_seconds(lambda: [ours(arguments) for _ in rounds], 4) / ROUNDS,
        "topline, a fresh process": processor_seconds(lambda: fresh(arguments), 3),
        "ROUGE-1.5.5.pl": perl,
    }


def main() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = install(folder)
        configs = {systems: write(folder / str(systems), systems) for systems in SYSTEMS}
        for metrics, flags in SETS.items():
            for systems, config in configs.items():
                taken = seconds(script, flags, config, systems)
                rows += [
                    {
                        "metrics": metrics,
                        "systems": systems,
                        "run": run_name,
                        "milliseconds": round(each * 1e3, 1),
                        "microseconds a summary": round(each * 1e6 / (TOPICS * systems), 1),
                        "times the script's speed": round(taken["ROUGE-1.5.5.pl"] / each, 1),
                    }
                    for run_name, each in taken.items()
                ]
    record("rouge_script", rows, topics=TOPICS, references=REFERENCES, resamples=1000)


if __name__ == "__main__":
    main()
