"""How time and memory grow with the sentences, the budget and the references, and where the knee is.

`python -m bench.search_growth [SECONDS]`: stories put together to any size; with matplotlib also a plot
in docs/images.
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

SENTENCES = (100, 1_000, 10_000, 30_000, 100_000)
BUDGETS = (50, 100, 250, 500, 750, 1_000)
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


TASKS = {"one": ("one ms", "proved"), "all": ("all ms", "all found")}
"""What is timed, and the field that says whether it was done in time."""


def knee(rows: list[dict[str, Any]], axis: str, task: str) -> str:
    """The first size from which on time grows faster than the square of the size, or is not enough."""
    time, done = TASKS[task]
    for small, large in pairwise(rows):
        if not large[done]:
            return f"{axis} {small[axis]} to {large[axis]}: not done in time"
        if large[time] / small[time] > (large[axis] / small[axis]) ** 2 and large[time] > 50:
            return f"{axis} {small[axis]} to {large[axis]}: steeper than its square"
    return "none in this range"


def plot(rows: list[dict[str, Any]]) -> None:
    """Milliseconds above, memory below; a circle that is not filled was not done in time."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        print("no plot without matplotlib: pip install 'topline[plot]'")
        return
    matplotlib.rcParams |= {"svg.hashsalt": "topline", "svg.fonttype": "none"}
    figure = Figure(figsize=(11, 6), layout="constrained")
    for (above, below), axis in zip(
        figure.subplots(2, 3).T, ("sentences", "budget", "references"), strict=True
    ):
        for metric, colour in (("rouge-1", "tab:blue"), ("rouge-2", "tab:orange")):
            some = [row for row in rows if row["grows"] == axis and row["metric"] == metric]
            sizes = [row[axis] for row in some]
            for task, (time, done) in TASKS.items():
                style = "-" if task == "one" else "--"
                above.plot(sizes, [row[time] for row in some], style, color=colour, label=f"{metric}, {task}")
                for row in some:
                    filled = colour if row[done] else "white"
                    above.plot(row[axis], row[time], "o", color=colour, markerfacecolor=filled)
            below.plot(sizes, [row["peak MB"] for row in some], "o-", color=colour, label=metric)
        above.set(ylabel="milliseconds", xscale="log", yscale="log")
        below.set(
            xlabel=axis, ylabel="peak MB", xscale="log", ylim=(0, 1.1 * max(r["peak MB"] for r in rows))
        )
    above.legend()
    unsaid = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(ROOT / "docs" / "images" / "growth.svg", metadata=unsaid)


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
                knees |= {f"{axis}, {metric}, {task}": knee(some, axis, task) for task in TASKS}
                rows.extend(some)
    record("search_growth", rows, knees=knees)
    for name, where in knees.items():
        print(f"knee of {name}: {where}")
    plot(rows)


if __name__ == "__main__":
    main()
