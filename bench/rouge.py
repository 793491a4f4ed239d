"""ROUGE-1, 2 and L of 100-word texts with one reference, beside rouge-score and rouge-rust.

Every scorer has a process of its own and is timed twice: its first call, with everything empty that it keeps
between calls (our vocabulary, irregular forms, stems), and later ones. Importing it and loading its compiled
code, ours from numba's cache, stands in a column of its own; `all in` adds that to the first call. rouge-rust
shares its pairs among threads, and so do we: rows with equal threads compare. The processor's time stands
beside the wall's, because other work on the machine does not lengthen it.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from time import perf_counter, process_time
from typing import Any, NamedTuple

from bench.common import fastest, record

PAIRS = 20_000
PEER_PAIRS = 200
WORDS = 100
PROCESSES = 3
"""Of each scorer."""


def sentences() -> list[str]:
    found: list[str] = []
    for name in ("news", "newswire", "literature", "science", "law"):
        for line in files("topline.sample").joinpath(f"{name}.jsonl").read_text("utf-8").splitlines():
            for document in json.loads(line)["documents"]:
                found += document["sentences"]
    return found


def texts(count: int, seed: int) -> list[str]:
    """Texts of whole sentences, a sentence a line, of about a hundred words."""
    rng = random.Random(seed)
    pool = sentences()
    made = []
    for _ in range(count):
        lines: list[str] = []
        while sum(len(line.split()) for line in lines) < WORDS:
            lines.append(rng.choice(pool))
        made.append("\n".join(lines))
    return made


Score = Callable[[list[str], list[str]], Any]


class Scorer(NamedTuple):
    """How a scorer is made ready, and on how many pairs it is timed."""

    ready: Callable[[int], Score]
    """Imported and compiled, but with empty tables; takes the number of threads."""
    pairs: int
    threads: tuple[int, ...]


def topline(threads: int) -> Score:
    from topline.rouge.metric import Metric
    from topline.rouge.score import score
    from topline.text.compiled import plainly
    from topline.text.tokens import Preprocessing

    # loads the kernels, and no table: nothing is stemmed
    plainly.end()
    score(["a"], ["a"], Metric.parse("rouge-1+rouge-2+rouge-l", Preprocessing(stem=False)), threads=1)
    return lambda summaries, references: score(summaries, references, threads=threads)


def rouge_score(threads: int, *, stem: bool) -> Score:  # noqa: ARG001 - it has one
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1", "rouge2", "rougeLsum"], use_stemmer=stem)
    return lambda summaries, references: [
        scorer.score(r, s) for s, r in zip(summaries, references, strict=True)
    ]


def rouge_rust(threads: int) -> Score:
    os.environ["RAYON_NUM_THREADS"] = str(threads)
    from fast_rouge import score_batch_flat

    return lambda summaries, references: score_batch_flat(references, summaries)


CORES = len(os.sched_getaffinity(0))
THREADS = (1,) if CORES == 1 else (1, CORES)
SCORERS = {
    "topline, stems": Scorer(topline, PAIRS, THREADS),
    "rouge-rust, no stems": Scorer(rouge_rust, PAIRS, THREADS),
    "rouge-score, stems": Scorer(lambda threads: rouge_score(threads, stem=True), PEER_PAIRS, (1,)),
    "rouge-score, no stems": Scorer(lambda threads: rouge_score(threads, stem=False), PEER_PAIRS, (1,)),
}


def child(name: str, threads: int) -> dict[str, float]:
    """Seconds of this process's first call, of its fastest later one, and of getting ready."""
    scorer = SCORERS[name]
    summaries, references = texts(scorer.pairs, 1), texts(scorer.pairs, 2)
    begun = perf_counter()
    score = scorer.ready(threads)
    ready = perf_counter()
    before = process_time()
    score(summaries, references)
    first, processor = perf_counter() - ready, process_time() - before
    return {
        "processor": processor / scorer.pairs,
        "ready": ready - begun,
        "first": first / scorer.pairs,
        "later": fastest(lambda: score(summaries, references)) / scorer.pairs,
    }


def timed(name: str, threads: int) -> dict[str, float]:
    """The fastest of several processes."""
    command = [sys.executable, "-m", "bench.rouge", name, str(threads)]
    runs = [
        json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for _ in range(PROCESSES)
    ]
    return {key: min(run[key] for run in runs) for key in runs[0]}


def main() -> None:
    rows = []
    for name, scorer in SCORERS.items():
        for threads in scorer.threads:
            seconds = timed(name, threads)
            rows.append({
                "scorer": name,
                "threads": threads,
                "first call, pairs a second": round(1 / seconds["first"]),
                "later calls, pairs a second": round(1 / seconds["later"]),
                "first call, processor microseconds a pair": round(1e6 * seconds["processor"], 1),
                "seconds to import": round(seconds["ready"], 3),
                f"{PAIRS:,} pairs all in, seconds": round(seconds["ready"] + PAIRS * seconds["first"], 2),
            })  # fmt: skip
    record("rouge", rows, pairs=PAIRS, words=WORDS, metrics="rouge-1, rouge-2, rouge-l (summary level)")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(json.dumps(child(sys.argv[1], int(sys.argv[2]))))
    else:
        main()
