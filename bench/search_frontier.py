"""The frontier: clusters of five stories (2,700 sentences, 20 references), one optimum and all of them.

`python -m bench.search_frontier [SECONDS]`: what is not finished in time is shown with its bound.
"""

from __future__ import annotations

import sys
from time import perf_counter

from bench.common import record, shared
from topline import Budget, Metric, Preprocessing, Topic, read_corpus
from topline.problem.build import build
from topline.search.exact import Limits, solve
from topline.search.optima import optima

CLUSTER = 5
METRICS = (("rouge-1", "smart"), ("rouge-2", "none"))


def clusters() -> list[Topic]:
    stories = list(read_corpus(shared("squality.jsonl")))
    groups = [stories[k : k + CLUSTER] for k in range(0, len(stories) - CLUSTER + 1, CLUSTER)]
    return [
        Topic(
            id="+".join(story.id for story in group),
            documents=tuple(document for story in group for document in story.documents),
            references=tuple(reference for story in group for reference in story.references),
        )
        for group in groups
    ]


def main() -> None:
    limits = Limits(seconds=float(sys.argv[1]) if len(sys.argv) > 1 else 15.0)
    rows = []
    topics = clusters()
    for budget in ("250w", "500w", "1000w"):
        for metric, stopwords in METRICS:
            what = Metric.parse(metric, Preprocessing(stem=True, stopwords=stopwords))
            for number, topic in enumerate(topics):
                problem = build(topic, what, Budget.parse(budget))[0].problem
                start = perf_counter()
                one = solve(problem, limits)
                first = perf_counter() - start
                start = perf_counter()
                every = optima(problem, limits)
                rows.append(
                    {
                        "cluster": number, "sentences": problem.sentences, "budget": budget, "metric": metric,
                        "value": one.value, "bound": one.bound, "proved": one.proved,
                        "seconds": round(first, 3),
                        "all found": every.proved, "count": every.count if every.proved else None,
                        "all seconds": round(perf_counter() - start, 3),
                    }
                )  # fmt: skip
    record("search_frontier", rows, limit=limits.seconds)


if __name__ == "__main__":
    main()
