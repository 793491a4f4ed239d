"""How time and memory grow with the sentences, the budget and the references, and where the knee is.

`python -m bench.search_growth [SECONDS]`: stories put together to any size; with matplotlib also a plot.
"""

from __future__ import annotations

import resource
import sys
from itertools import pairwise
from multiprocessing import get_context
from time import perf_counter
from typing import Any

from bench.common import ROOT, record, shared
from topline import Budget, Document, Metric, Preprocessing, Sentence, Topic, read_corpus
from topline.problem.build import build
from topline.search.exact import Limits, solve
from topline.search.optima import optima

SENTENCES = (100, 1_000, 10_000, 100_000)
BUDGETS = (50, 100, 250, 500, 1_000)
REFERENCES = (1, 2, 4, 10)
USUAL = (1_000, 100, 4)
"""What stays while another grows: sentences, budget in words, references."""


def topic(sentences: int, references: int) -> Topic:
    """So many sentences of the stories, one behind the other.

    A longer source goes round again with other parts of each sentence, so that few are equal.
    """
    stories = list(read_corpus(shared("squality.jsonl")))
    texts = [sentence.text for story in stories for sentence in story.sentences()]
    lap = 1
    while len(texts) < sentences:
        lap += 1
        for text in texts[: sentences - len(texts)]:
            words = text.split()
            texts.append(" ".join(words[len(words) * (lap % 5) // 5 :] + words[: lap % 3]))
    people = [reference for story in stories for reference in story.references]
    return Topic(
        "grown", (Document("all", tuple(map(Sentence, texts[:sentences]))),), tuple(people[:references])
    )


def measure(case: tuple[int, int, int, str, float]) -> dict[str, Any]:
    """One size in a process of its own, whose peak of memory (reading and building included) is its own."""
    sentences, budget, references, metric, seconds = case
    what = Metric.parse(
        metric, Preprocessing(stem=True, stopwords="smart" if metric == "rouge-1" else "none")
    )
    problem = build(topic(sentences, references), what, Budget(budget, "w"))[0].problem
    small = build(topic(30, 1), what, Budget(30, "w"))[0].problem
    _ = solve(small), optima(small).count
    start = perf_counter()
    one = solve(problem, Limits(seconds=seconds))
    first = perf_counter() - start
    start = perf_counter()
    every = optima(problem, Limits(seconds=seconds))
    return {
        "sentences": sentences, "budget": budget, "references": references, "metric": metric,
        "one ms": round(1e3 * first, 2), "proved": one.proved,
        "all ms": round(1e3 * (perf_counter() - start), 2), "all found": every.proved,
        "count": every.count if every.proved else None,
        "peak MB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }  # fmt: skip


def knee(rows: list[dict[str, Any]], axis: str) -> str:
    """The first size from which on time grows faster than the square of the size, or is not enough."""
    for small, large in pairwise(rows):
        if not large["proved"]:
            return f"{axis} {large[axis]}: not proved in time"
        if large["one ms"] / small["one ms"] > (large[axis] / small[axis]) ** 2 and large["one ms"] > 50:
            return f"{axis} {small[axis]} to {large[axis]}: steeper than its square"
    return "none in this range"


def plot(rows: list[dict[str, Any]]) -> None:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        print("no plot without matplotlib: pip install 'topline[plot]'")
        return
    figure = Figure(figsize=(11, 3.5), layout="constrained")
    for axes, axis in zip(figure.subplots(1, 3), ("sentences", "budget", "references"), strict=True):
        for metric in ("rouge-1", "rouge-2"):
            some = [row for row in rows if row["grows"] == axis and row["metric"] == metric]
            for what, style in (("one ms", "-"), ("all ms", "--")):
                axes.plot(
                    [row[axis] for row in some],
                    [row[what] for row in some],
                    f"o{style}",
                    label=f"{metric}, {what[:3]}",
                )
        axes.set(xlabel=axis, ylabel="milliseconds", xscale="log", yscale="log")
    axes.legend()
    figure.savefig(ROOT / "docs" / "growth.svg", metadata={"Date": None})


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    rows, knees = [], {}
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for place, (axis, values) in enumerate(
            (("sentences", SENTENCES), ("budget", BUDGETS), ("references", REFERENCES))
        ):
            for metric in ("rouge-1", "rouge-2"):
                some = []
                for value in values:
                    size = (*USUAL[:place], value, *USUAL[place + 1 :])
                    some.append({"grows": axis} | pool.apply(measure, ((*size, metric, seconds),)))
                knees[f"{axis}, {metric}"] = knee(some, axis)
                rows.extend(some)
    record("search_growth", rows, knees=knees)
    for name, where in knees.items():
        print(f"knee of {name}: {where}")
    plot(rows)


if __name__ == "__main__":
    main()
