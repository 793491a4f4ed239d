"""ROUGE of all systems with oracle, greedy and random beside them: writes docs/quality.md.

Run `python -m bench.quality`; `opinosis` is left out where the shared data is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import Any

from bench.common import ROOT, record, shared
from topline.corpus.read import read
from topline.corpus.records import Summary, Topic
from topline.problem.build import build
from topline.report.tables import markdown
from topline.rouge.metric import Metric
from topline.rouge.score import Scorer, comparisons
from topline.search.exact import Limits, solve
from topline.search.greedy import greedy
from topline.systems.background import Census
from topline.systems.random import expected_score
from topline.systems.registry import SYSTEMS, create, parse
from topline.systems.summarize import Summarizer
from topline.text.budget import Budget

METRICS = ("rouge-1", "rouge-2", "rouge-su4")
MORE = (
    "occams:weights=lsa",
    "submodular:scale=0.3",
    "lead:kind=rounds",
    "mead:weights=c1p2f1",
    "mead:variant=mead3,first=1,fill=fit",
    "lexrank:kind=threshold",
)
DRAWS = 100
PAGE = ROOT / "docs" / "quality.md"
Choose = Callable[[Topic], Sequence[int]]


def scored(topics: Sequence[Topic], name: str, choose: Choose) -> dict[str, Any]:
    """Mean recalls and length of a system."""
    scorer = Scorer(Metric.parse("+".join(METRICS)))
    found: dict[str, list[float]] = {metric: [] for metric in METRICS}
    lengths = []
    for topic in topics:
        summary = Summary(topic.id, name, selected=tuple(choose(topic)))
        texts = topic.texts()
        lengths.append(sum(len(texts[row].split()) for row in summary.selected or ()))
        for one in scorer.score(comparisons(topic, [summary])):
            found[one.metric].append(one.recall)
    return {
        "system": name,
        **{metric: mean(values) for metric, values in found.items()},
        "words": round(mean(lengths), 1),
    }


def bounds(metric: str, budget: Budget) -> Iterator[tuple[str, Choose]]:
    """The best extract by a metric, and the greedy one."""
    parsed = Metric.parse(metric)

    def problem(topic: Topic) -> Any:
        return build(topic, parsed, budget)[0].problem

    yield f"oracle ({metric})", lambda topic: solve(problem(topic), Limits(seconds=20.0)).chosen
    yield f"greedy ({metric})", lambda topic: greedy(problem(topic)).chosen


def chance(topics: Sequence[Topic], budget: Budget) -> dict[str, Any]:
    """The mean over many seeds."""
    rows = []
    for seed in range(DRAWS):
        ready = Summarizer(create("random", {"seed": seed}), budget)
        rows.append(
            scored(topics, "random", lambda topic, ready=ready: ready.run(topic).summary.selected or ())
        )
    columns = [*METRICS, "words"]
    return {
        "system": f"random (mean of {DRAWS})",
        **{name: mean(row[name] for row in rows) for name in columns},
    }


def table(path: Path | str, budget: Budget) -> list[dict[str, Any]]:
    topics = list(read(path))
    census = Census()
    census.add_topics(topics)
    background = census.background()
    limits = [
        scored(topics, name, choose)
        for metric in ("rouge-1", "rouge-2")
        for name, choose in bounds(metric, budget)
    ]
    systems = []
    for spec in (*(name for name in SYSTEMS if name != "random"), *MORE):
        start = perf_counter()
        ready = Summarizer(create(*parse(spec)), budget, background=background)
        systems.append(
            scored(topics, spec, lambda topic, ready=ready: ready.run(topic).summary.selected or ())
        )
        print(f"{spec}: {perf_counter() - start:.1f} s")
    systems.sort(key=lambda row: -row["rouge-2"])
    return [*limits, *systems, chance(topics, budget)]


def closed_form() -> list[dict[str, Any]]:
    """Random extracts of five sentences: the mean of many draws beside the exact mean of all."""
    topics = list(read("sample:news"))
    rows = []
    for metric in ("rouge-1", "rouge-2"):
        parsed = Metric.parse(metric)
        exact = mean(float(expected_score(topic, parsed, 5)) for topic in topics)
        hits = []
        for topic in topics:
            (instance,) = build(topic, parsed, Budget(5, "s"))
            for seed in range(DRAWS):
                ready = Summarizer(create("random", {"seed": seed}), Budget(5, "s"))
                chosen = list(ready.run(topic).summary.selected or ())
                hits.append(instance.problem.hits(chosen) / instance.denominator)
        rows.append({"metric": metric, f"mean of {DRAWS} draws a topic": mean(hits), "closed form": exact})
    return rows


HEAD = """# How good the summarisers are

Mean ROUGE recall (stems, stop words kept, pooled references) of every system, between the best extract
there is and chance. This page is written by `python -m bench.quality`. IDF and topic signatures come from
the corpus itself; no option was tuned to either collection.

The oracle maximises n-grams within sentences, as the papers do, and is proven best (or the best found in
20 seconds a topic); it is scored here as ROUGE scores, across sentence borders. Systems are sorted by
ROUGE-2.
"""


CLOSED = """
## Chance in closed form

Where the budget is a number of sentences the expected score of a random extract is exact, without
drawing. Five sentences of the sample corpus, n-grams counted within sentences:

"""
READING = """
## How to read this

Eight topics, or fifty-one very short ones, do not order systems that lie a point apart: ask
[`topline compare`](compare.md). What the tables do show is the room that every system leaves below the
oracle, and how little of it separates some of them from chance.
"""


def main() -> None:
    parts = [HEAD]
    kept: list[dict[str, Any]] = []
    corpora: list[tuple[str, Path | str, str]] = [("the sample corpus (8 topics)", "sample:news", "100w")]
    corpora.append(("opinosis (51 topics)", shared("opinosis.jsonl"), "20w"))
    for title, path, text in corpora:
        budget = Budget.parse(text)
        rows = [{**row, "words": f"{row['words']:.1f}"} for row in table(path, budget)]
        kept += [{"corpus": title, **row} for row in rows]
        parts.append(f"\n## On {title}, {budget.amount} words\n\n{markdown(rows)}")
    parts += [CLOSED, markdown(closed_form()), READING]
    PAGE.write_text("".join(parts), "utf-8")
    record("quality", kept)


if __name__ == "__main__":
    main()
