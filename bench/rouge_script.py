"""`topline rouge` beside ROUGE-1.5.5.pl: 4 references, R-1, R-2, SU4, stems, 1,000 resamples.

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

from tests.perl_script import install

from bench.common import record
from bench.rouge import texts
from topline.rouge.perl.run import run

TOPICS, REFERENCES = 50, 4
SYSTEMS, SCRIPT_SYSTEMS = 30, 2
ROUNDS = 5
"""Runs that are timed together: the clock of processor time ticks in hundredths of a second."""
FLAGS = ["-n", "2", "-x", "-m", "-2", "4", "-u", "-r", "1000"]


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


def ours(config: Path, *arguments: str) -> bytes:
    out = io.BytesIO()
    run(
        [*FLAGS, *arguments, str(config)] if "-a" in arguments else [*FLAGS, str(config), *arguments],
        out,
        print,
    )
    return out.getvalue()


def fresh(config: Path) -> None:
    command = [
        sys.executable,
        "-c",
        "from topline.cli.main import main; main()",
        "rouge",
        *FLAGS,
        "-a",
        str(config),
    ]
    subprocess.run(command, check=True, capture_output=True)


def processor_seconds(run: Callable[[], object], repeat: int) -> float:
    """Of this process and those it started."""
    best = inf
    for _ in range(repeat):
        before = times()
        run()
        after = times()
        best = min(best, sum(after[:4]) - sum(before[:4]))
    return best


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = install(folder)
        small, large = write(folder / "small", SCRIPT_SYSTEMS), write(folder / "large", SYSTEMS)
        flags = ["-e", str(script.data), *FLAGS, "-a", str(small)]
        code, printed, _ = script.run(flags, folder)
        if code or printed != ours(small, "-a"):
            raise SystemExit("the print-outs differ")
        summaries = TOPICS * SYSTEMS
        many, single = f"topline, {SYSTEMS} systems", "topline, 1 system"
        seconds = {
            many: processor_seconds(lambda: [ours(large, "-a") for _ in range(ROUNDS)], 5)
            / summaries
            / ROUNDS,
            f"{many}, a fresh process": processor_seconds(lambda: fresh(large), 3) / summaries,
            single: processor_seconds(lambda: [ours(large, "7") for _ in rounds], 5) / TOPICS / ROUNDS,
        }
        perl = processor_seconds(lambda: script.run(flags, folder), 3) / (TOPICS * SCRIPT_SYSTEMS)
        seconds[f"ROUGE-1.5.5.pl, {SCRIPT_SYSTEMS} systems"] = perl
    rows = [
        {
            "run": name,
            "microseconds a summary": round(each * 1e6, 1),
            "times the script's speed": round(perl / each, 1),
        }
        for name, each in seconds.items()
    ]
    record("rouge_script", rows, flags=" ".join(FLAGS), topics=TOPICS, references=REFERENCES)


if __name__ == "__main__":
    main()
