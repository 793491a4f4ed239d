"""One best extract: the exact solver beside HiGHS on the same problem, model building included.

`python -m bench.search_one`
"""

from __future__ import annotations

from pathlib import Path
from statistics import mean, median
from time import perf_counter

from bench.common import record, shared
from topline import Budget, Metric, read_corpus
from topline.corpus.sample import sample
from topline.problem.build import build
from topline.problem.problem import Problem
from topline.search.exact import solve
from topline.search.ilp import solve_ilp

CASES = (("opinosis", "30w"), ("sample:news", "100w"))


def problems(name: str, budget: str, metric: str) -> list[Problem]:
    path: Path = sample("news") if name == "sample:news" else shared(f"{name}.jsonl")
    parts = Metric.parse(metric), Budget.parse(budget)
    return [build(topic, *parts)[0].problem for topic in read_corpus(path)]


def seconds(solver, problem: Problem, repeat: int) -> tuple[float, int]:
    """The fastest of some runs, and the value found."""
    best, value = float("inf"), 0
    for _ in range(repeat):
        start = perf_counter()
        found = solver(problem)
        best = min(best, perf_counter() - start)
        assert found.proved
        value = found.value
    return best, value


def main() -> None:
    rows = []
    for name, budget in CASES:
        for metric in ("rouge-1", "rouge-2"):
            given = problems(name, budget, metric)
            solve(given[0])
            ours, theirs = [], []
            for problem in given:  # one after the other on the same problem: both see the same machine
                mine, value = seconds(solve, problem, 3)
                other, same = seconds(solve_ilp, problem, 3)
                assert value == same
                ours.append(mine)
                theirs.append(other)
            ratios = [other / mine for mine, other in zip(ours, theirs, strict=True)]
            rows.append(
                {
                    "corpus": name, "budget": budget, "metric": metric, "topics": len(given),
                    "exact ms": round(1e3 * mean(ours), 3), "exact worst ms": round(1e3 * max(ours), 3),
                    "highs ms": round(1e3 * mean(theirs), 2), "highs worst ms": round(1e3 * max(theirs), 2),
                    "ratio of means": round(mean(theirs) / mean(ours), 1),
                    "median ratio": round(median(ratios), 1), "least ratio": round(min(ratios), 1),
                }
            )  # fmt: skip
    record("search_one", rows)


if __name__ == "__main__":
    main()
