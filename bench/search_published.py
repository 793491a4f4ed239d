"""All best extracts: ours beside Algorithms 1-3 of the paper, both compiled, on the same problems.

Where the published search is not finished within the limit its time is a lower bound and the topic is
counted apart. Table 7's figures (feasible and checked extracts) come along.

`python -m bench.search_published`
"""

from __future__ import annotations

import sys
from statistics import mean, median
from time import perf_counter

from bench.common import record, shared
from topline import Budget, Metric, read_corpus
from topline.corpus.sample import sample
from topline.problem.build import build
from topline.search.exact import Limits
from topline.search.optima import optima
from topline.search.published import feasible, published

CASES = (
    ("opinosis", "30w", "pooled", 20.0, None),
    ("opinosis", "100w", "pooled", 3.0, 10),
    ("sample:news", "100w", "pooled", 20.0, None),
    ("sample:news", "100w", "each", 5.0, 12),
    ("squality", "100w", "pooled", 10.0, 6),
    ("squality", "250w", "pooled", 5.0, 4),
)
"""Corpus, budget, references, the published search's seconds a problem, and how many problems."""


def main() -> None:
    rows = []
    for name, budget, mode, limit, most in CASES:
        path = sample("news") if name == "sample:news" else shared(f"{name}.jsonl")
        for metric in ("rouge-1", "rouge-2"):
            parts = Metric.parse(metric), Budget.parse(budget)
            given = [
                instance.problem for topic in read_corpus(path) for instance in build(topic, *parts, mode)
            ][:most]
            _ = optima(given[0]).count
            published(given[0], Limits(seconds=0.01))
            ours, theirs, checked, naive, unfinished = [], [], [], [], 0
            ours_all = theirs_all = 0.0
            for problem in given:
                start = perf_counter()
                sets = optima(problem, Limits(seconds=60))
                count = sets.count
                mine = perf_counter() - start
                start = perf_counter()
                by_paper = published(problem, Limits(seconds=limit))
                other = perf_counter() - start
                ours_all += mine
                theirs_all += other
                if not by_paper.proved:
                    unfinished += 1
                    continue
                assert sets.proved
                assert (sets.value, count) == (by_paper.value, len(by_paper.optima))
                ours.append(mine)
                theirs.append(other)
                checked.append(by_paper.checked)
                naive.append(feasible(problem))
            row = {
                "corpus": name,
                "budget": budget,
                "references": mode,
                "metric": metric,
                "problems": len(given),
            }
            row |= {"published finished": len(theirs), f"not in {limit:g} s": unfinished}
            row["ratio of all, at least"] = round(theirs_all / ours_all, 1)
            if theirs:
                row |= {
                    "ours ms": round(1e3 * mean(ours), 2),
                    "published ms": round(1e3 * mean(theirs), 2),
                    "ratio of means": round(mean(theirs) / mean(ours), 1),
                    "checked (median)": int(median(checked)),
                    "feasible (median)": f"{float(median(naive)):.2e}",
                }
            rows.append(
                {name.replace(f"not in {limit:g} s", "not finished"): value for name, value in row.items()}
            )
            print(rows[-1], file=sys.stderr, flush=True)
    record("search_published", rows)


if __name__ == "__main__":
    main()
