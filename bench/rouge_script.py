"""`topline rouge` beside ROUGE-1.5.5.pl: 4 references, stems, 1,000 resamples, three sets of metrics.

Files are read and parsed, tables loaded, figures printed: the whole run. Ours is timed in a warm process and
as a fresh one; the script evaluates fewer systems, because its time grows with their number alone. Processor
time is compared, as both run in one thread; the fastest of several runs counts on both sides.
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
SYSTEMS, SCRIPT_SYSTEMS = 30, 2
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


def ours(flags: list[str], *arguments: str) -> bytes:
    out = io.BytesIO()
    run([*flags, *arguments], out, print)
    return out.getvalue()


def fresh(flags: list[str], config: Path) -> None:
    start = [sys.executable, "-c", "from topline.cli.main import main; main()"]
    subprocess.run([*start, "rouge", *flags, "-a", str(config)], check=True, capture_output=True)


def processor_seconds(run: Callable[[], object], repeat: int) -> float:
    """Of this process and those it started."""
    best = inf
    for _ in range(repeat):
        before = times()
        run()
        after = times()
        best = min(best, sum(after[:4]) - sum(before[:4]))
    return best


def seconds_a_summary(script: Script, flags: list[str], small: Path, large: Path) -> dict[str, float]:
    """Of the script and of ours; the print-outs must be equal."""
    theirs = ["-e", str(script.data), *flags, "-a", str(small)]
    code, printed, _ = script.run(theirs, small.parent)
    if code or printed != ours(flags, "-a", str(small)):
        raise SystemExit("the print-outs differ")
    summaries, rounds = TOPICS * SYSTEMS, range(ROUNDS)
    many, one = ["-a", str(large)], [str(large), "7"]
    return {
        f"topline, {SYSTEMS} systems": processor_seconds(lambda: [ours(flags, *many) for _ in rounds], 4)
        / (summaries * ROUNDS),
        f"topline, {SYSTEMS} systems, a fresh process": processor_seconds(lambda: fresh(flags, large), 3)
        / summaries,
        "topline, 1 system": processor_seconds(lambda: [ours(flags, *one) for _ in rounds], 4)
        / (TOPICS * ROUNDS),
        f"ROUGE-1.5.5.pl, {SCRIPT_SYSTEMS} systems": processor_seconds(
            lambda: script.run(theirs, small.parent), 2
        )
        / (TOPICS * SCRIPT_SYSTEMS),
    }


def main() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = install(folder)
        small, large = write(folder / "small", SCRIPT_SYSTEMS), write(folder / "large", SYSTEMS)
        for metrics, flags in SETS.items():
            seconds = seconds_a_summary(script, flags, small, large)
            *_, perl = seconds.values()
            rows += [
                {
                    "metrics": metrics,
                    "run": run_name,
                    "microseconds a summary": round(each * 1e6, 1),
                    "times the script's speed": round(perl / each, 1),
                }
                for run_name, each in seconds.items()
            ]
    record("rouge_script", rows, topics=TOPICS, references=REFERENCES, resamples=1000)


if __name__ == "__main__":
    main()
