"""All best extracts by other ways of listing: HiGHS with no-good cuts, and merged states without bounds.

No-good cuts: solve, forbid the set that was found, solve again, until the value falls. Merged states: as
graphillion and its like build a diagram, sentence by sentence, keeping each state (what is covered, how
long) once with its number of sets, and no bound; in plain Python. Where a way is not done within the limit
its time is a lower bound.

`python -m bench.search_listing`
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean
from time import perf_counter
from typing import Any

import numpy as np

from bench.common import record, shared
from topline import Budget, Metric, Preprocessing, read_corpus
from topline.corpus.sample import sample
from topline.problem.build import build
from topline.problem.problem import Problem
from topline.search.ilp import model
from topline.search.optima import optima

SECONDS = 3.0
CASES = (
    ("opinosis", "20w", 12),
    ("opinosis", "30w", 12),
    ("sample:news", "100w", 8),
    ("squality", "100w", 4),
)
METRICS = (("rouge-1", "smart"), ("rouge-2", "none"))


def no_good_cuts(problem: Problem, until: float) -> tuple[int, int] | None:
    """Value and number of the best sets of sentences that overlap; None if time was up."""
    highs = model(problem)
    infinity = float("inf")
    overlapping = np.flatnonzero(np.diff(problem.starts))
    silent = np.flatnonzero(np.diff(problem.starts) == 0)
    if len(silent):
        highs.changeColsBounds(
            len(silent), silent.astype(np.int32), np.zeros(len(silent)), np.zeros(len(silent))
        )
    best, count = -1, 0
    while (left := until - perf_counter()) > 0:
        highs.setOptionValue("time_limit", highs.getRunTime() + left)
        highs.run()
        values = np.array(highs.getSolution().col_value[: problem.sentences])
        if highs.modelStatusToString(highs.getModelStatus()) != "Optimal":
            return (best, count) if "Infeasible" in str(highs.getModelStatus()) else None
        chosen = values > 0.5
        value = problem.hits(np.flatnonzero(chosen).tolist())
        if value < best:
            return best, count
        best, count = value, count + 1
        # sum over chosen of (1 - x) + sum over others of x >= 1
        signs = np.where(chosen[overlapping], -1.0, 1.0)
        highs.addRow(
            1.0 - float(chosen.sum()), infinity, len(overlapping), overlapping.astype(np.int32), signs
        )
    return None


def merged_states(problem: Problem, until: float) -> tuple[int, int] | None:
    """The same, from all states that sets of sentences come to."""
    most = np.diff(problem.gain_starts)
    sums = [
        np.concatenate([[0], np.cumsum(problem.gains[a:b])]).tolist()
        for a, b in zip(problem.gain_starts[:-1], problem.gain_starts[1:], strict=True)
    ]
    states = {((0,) * len(most), 0): 1}
    for i in range(problem.sentences):
        entries = slice(problem.starts[i], problem.starts[i + 1])
        held = list(zip(problem.grams[entries].tolist(), problem.counts[entries].tolist(), strict=True))
        length = int(problem.lengths[i])
        if not held or length > problem.budget:
            continue
        for (covered, used), ways in [*states.items()]:
            if used + length > problem.budget:
                continue
            after = list(covered)
            for gram, count in held:
                after[gram] = min(int(most[gram]), after[gram] + count)
            state = tuple(after), used + length
            states[state] = states.get(state, 0) + ways
        if perf_counter() > until or len(states) > 3_000_000:
            return None
    found: dict[int, int] = {}
    for (covered, _), ways in states.items():
        value = sum(gained[count] for gained, count in zip(sums, covered, strict=True))
        found[value] = found.get(value, 0) + ways
    return max(found), found[max(found)]


WAYS: dict[str, Callable[[Problem, float], tuple[int, int] | None]] = {
    "no-good cuts": no_good_cuts,
    "merged states": merged_states,
}


def case(name: str, budget: str, most: int, metric: str, stopwords: str) -> dict[str, Any]:
    path = sample("news") if name == "sample:news" else shared(f"{name}.jsonl")
    what = Metric.parse(metric, Preprocessing(stem=True, stopwords=stopwords))
    topics = [topic for topic, _ in zip(read_corpus(path), range(most), strict=False)]
    problems = [build(topic, what, Budget.parse(budget))[0].problem for topic in topics]
    _ = optima(problems[0]).count
    row: dict[str, Any] = {"corpus": name, "budget": budget, "metric": metric, "problems": len(problems)}
    ours, answers = [], []
    for problem in problems:
        start = perf_counter()
        sets = optima(problem)
        answers.append((sets.value, sets.count))
        ours.append(perf_counter() - start)
    row |= {"ours ms": round(1e3 * mean(ours), 2), "most optima": max(count for _, count in answers)}
    for way, lister in WAYS.items():
        seconds, finished = [], 0
        for problem, answer in zip(problems, answers, strict=True):
            start = perf_counter()
            found = lister(problem, start + SECONDS)
            seconds.append(perf_counter() - start)
            if found is not None:
                assert found == answer, (name, budget, metric, way, found, answer)
                finished += 1
        row |= {f"{way}: finished": finished, f"{way}: times ours": round(mean(seconds) / mean(ours), 1)}
    return row


def main() -> None:
    rows = [case(*where, *metric) for where in CASES for metric in METRICS]
    record("search_listing", rows, limit=SECONDS)


if __name__ == "__main__":
    main()
