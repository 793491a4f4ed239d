"""What a cluster costs and brings: a task's overhead, bytes moved, one hard topic on one and two workers.

Workers are processes on loopback, one thread each. `python -m bench.scale`
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

from tests.cluster import local

from bench.common import record, shared
from topline import Preprocessing, read_corpus
from topline.corpus.records import Topic
from topline.rouge.metric import Metric
from topline.run.cluster import Cluster
from topline.run.engine import Serial
from topline.run.optima import EveryOracle
from topline.run.per_thread import PerThread
from topline.run.spreads import Spreads
from topline.search.label import Labeller
from topline.search.oracle import Oracles
from topline.spread.settings import Settings
from topline.text.budget import Budget

TASKS = 3000
STORY = "63833"


def nothing(unit: int) -> int:
    return unit


def seconds(run: Any) -> tuple[float, Any]:
    start = perf_counter()
    found = run()
    return perf_counter() - start, found


def overhead() -> dict[str, Any]:
    with (
        tempfile.TemporaryDirectory() as folder,
        local(Path(folder)) as cluster,
        Cluster(cluster.address) as hands,
    ):
        list(hands.run(nothing, range(100)))
        spent, _ = seconds(lambda: list(hands.run(nothing, range(TASKS))))
    return {"what": "a task of no work", "ms": round(1000 * spent / TASKS, 2)}


def units() -> list[dict[str, Any]]:
    """What a topic costs and how large it and its result are on the way."""
    topics = list(read_corpus("sample:news"))
    metric, budget = Metric.parse("rouge-1"), Budget.parse("100w")
    works = {"oracle, 100 words": Oracles(metric, budget).of, "label, 3 sentences": Labeller().of}
    rows = []
    for what, work in works.items():
        work(topics[0])
        spent, found = seconds(partial(lambda work: [work(topic) for topic in topics], work))
        rows.append({
            "what": what, "ms": round(1000 * spent / len(topics), 2),
            "bytes out": sum(len(pickle.dumps(topic)) for topic in topics) // len(topics),
            "bytes back": sum(len(pickle.dumps(one)) for one in found) // len(topics),
        })  # fmt: skip
    return rows


def hard(what: str, work: Any, topic: Topic, shown: Callable[[Any], Any], turns: int) -> list[dict[str, Any]]:
    """One topic on one worker and on two, in turns; the workers have compiled before."""
    best: dict[str, float] = {}
    found: dict[str, Any] = {}
    warm = next(iter(read_corpus("sample:newswire")))
    with (
        tempfile.TemporaryDirectory() as one,
        tempfile.TemporaryDirectory() as two,
        local(Path(one), 1) as single,
        local(Path(two), 2) as double,
    ):
        engines = {"1 worker": single.address, "2 workers": double.address}
        for turn in range(turns):
            for name, address in engines.items():
                with Cluster(address) as hands:
                    if turn == 0:
                        list(hands.run(work, [warm, warm, warm, warm]))
                    spent, done = seconds(lambda hands=hands: next(iter(hands.run(work, [topic]))))
                found[name] = shown(done.result)
                best[name] = min(spent, best.get(name, spent))
    assert found["1 worker"] == found["2 workers"]
    return [
        {"what": f"{what}, {name}", "ms": round(1000 * spent),
         "times one worker": round(best["1 worker"] / spent, 2)}
        for name, spent in best.items()
    ]  # fmt: skip


def spread() -> list[dict[str, Any]]:
    """The enumeration of one topic."""
    topic = next(iter(read_corpus("sample:news")))
    work = Spreads(Metric.parse("rouge-2"), Budget.parse("95w"), Settings(method="enumerate"))
    with Serial() as hand:
        (here,) = next(iter(hand.run(work, [topic]))).result
    return hard(
        f"spread of {here.distribution.extracts:.1e} extracts", work, topic, lambda found: found, turns=2
    )


def optima() -> list[dict[str, Any]]:
    """All best extracts of the hardest story under one of its references."""
    topic = next(one for one in read_corpus(shared("squality.jsonl")) if one.id == STORY)
    topic = replace(topic, references=topic.references[-1:])
    metric = Metric.parse("rouge-1", Preprocessing(stem=True, stopwords="smart"))
    work = PerThread(EveryOracle(metric, Budget.parse("250w")))
    counts: list[int] = []

    def shown(found: Any) -> Any:
        (every,) = found
        counts.append(every.count)
        return every.hits, every.count, every.count_all, list(islice(every.optima, 1000))

    rows = hard("optima of a story, 250 words, one reference", work, topic, shown, turns=1)
    return [row | {"optima": f"{counts[0]:.3e}"} for row in rows]


if __name__ == "__main__":
    record("scale", [overhead(), *units(), *spread(), *optima()])
