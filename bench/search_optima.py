"""Every best extract: seconds a problem, count included, against the times asked for.

`python -m bench.search_optima`: R-1 without stop words, R-2 with them, stems, as in the paper.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.common import record, shared
from topline import Budget, Metric, Preprocessing, read_corpus
from topline.corpus.sample import sample
from topline.problem.build import build
from topline.problem.problem import Problem
from topline.search.exact import Limits
from topline.search.optima import optima

SECONDS = 20.0
CASES = (
    ("opinosis", "20w", "pooled", 0.005, 0.05),
    ("opinosis", "30w", "pooled", 0.005, 0.05),
    ("opinosis", "100w", "pooled", 0.005, 0.05),
    ("sample:news", "100w", "pooled", 0.005, 0.05),
    ("squality", "100w", "pooled", 0.02, 3.0),
    ("squality", "250w", "pooled", 0.02, 3.0),
    ("squality", "500w", "pooled", 0.02, 3.0),
    ("squality", "250w", "each", None, SECONDS),
)
"""Corpus, budget, references, and the median and worst seconds asked for."""
METRICS = (("rouge-1", "smart"), ("rouge-2", "none"))


def problems(
    name: str, budget: str, references: str, metric: str, stopwords: str
) -> Iterator[tuple[str, Problem]]:
    path: Path = sample("news") if name == "sample:news" else shared(f"{name}.jsonl")
    what = Metric.parse(metric, Preprocessing(stem=True, stopwords=stopwords))
    for topic in read_corpus(path):
        for instance in build(topic, what, Budget.parse(budget), references):
            yield f"{topic.id} {instance.references}", instance.problem


def main() -> None:
    rows = []
    for name, budget, references, typical, worst in CASES:
        for metric, stopwords in METRICS:
            found = []
            for label, problem in problems(name, budget, references, metric, stopwords):
                if not found:
                    _ = optima(problem).count
                start = perf_counter()
                some = optima(problem, Limits(seconds=SECONDS))
                count = some.count
                found.append((perf_counter() - start, label, count, some.proved))
            seconds = [taken for taken, *_ in found]
            slowest = max(found)
            rows.append(
                {
                    "corpus": name, "budget": budget, "references": references, "metric": metric,
                    "problems": len(found), "all found": sum(proved for *_, proved in found),
                    "median ms": round(1e3 * median(seconds), 2), "worst ms": round(1e3 * max(seconds), 1),
                    "asked median ms": typical and 1e3 * typical, "asked worst ms": 1e3 * worst,
                    "most optima": max(count for *_, count, _ in found), "slowest": slowest[1],
                    "unfinished": " ".join(label for _, label, _, proved in found if not proved),
                }
            )  # fmt: skip
    record("search_optima", rows, limit=SECONDS)


if __name__ == "__main__":
    main()
