"""ROUGE-1, 2 and L of 100-word texts with one reference, beside rouge-score and rouge-rust in one process.

Ours is timed twice: the first call with everything a fresh process has to load (compiled kernels from the
cache, stemming tables, every word stemmed for the first time), and a later one. The peers are warm.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from importlib.resources import files
from time import perf_counter
from typing import Any

from bench.common import fastest, record

PAIRS = 20_000
PEER_PAIRS = 200
WORDS = 100


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


def rouge_score_of(summaries: list[str], references: list[str], *, stem: bool) -> Callable[[], Any]:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1", "rouge2", "rougeLsum"], use_stemmer=stem)
    return lambda: [scorer.score(r, s) for s, r in zip(summaries, references, strict=True)]


def rouge_rust_of(summaries: list[str], references: list[str]) -> Callable[[], Any]:
    from fast_rouge import score_batch_flat

    return lambda: score_batch_flat(references, summaries)


def main() -> None:
    summaries, references = texts(PAIRS, 1), texts(PAIRS, 2)
    begun = perf_counter()
    from topline.rouge.score import score

    score(summaries, references)
    cold = perf_counter() - begun
    warm = fastest(lambda: score(summaries, references))
    few = slice(0, PEER_PAIRS)
    seconds = {
        "topline, stems, first call": cold / PAIRS,
        "topline, stems": warm / PAIRS,
        "rouge-score, stems": fastest(rouge_score_of(summaries[few], references[few], stem=True), 2)
        / PEER_PAIRS,
        "rouge-score, no stems": fastest(rouge_score_of(summaries[few], references[few], stem=False), 2)
        / PEER_PAIRS,
        "rouge-rust, no stems, its threads": fastest(rouge_rust_of(summaries, references)) / PAIRS,
    }
    ours = seconds["topline, stems, first call"]
    rows = [
        {
            "scorer": name,
            "pairs a second": round(1 / each),
            "first call of ours is faster by": round(each / ours, 2),
        }
        for name, each in seconds.items()
    ]
    record("rouge", rows, pairs=PAIRS, words=WORDS, metrics="rouge-1, rouge-2, rouge-l (summary level)")


if __name__ == "__main__":
    main()
