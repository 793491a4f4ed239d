"""What a cluster costs and brings: a task's overhead, bytes moved, one hard topic on one and two workers.

Workers are processes on loopback, one thread each. `python -m bench.scale`
"""

from __future__ import annotations

import pickle
import tempfile
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from tests.cluster import local

from bench.common import record
from topline import read_corpus
from topline.rouge.metric import Metric
from topline.run.cluster import Cluster
from topline.run.engine import Serial
from topline.run.spreads import Spreads
from topline.search.label import Labeller
from topline.search.oracle import Oracles
from topline.spread.settings import Settings
from topline.text.budget import Budget

TASKS = 3000
TURNS = 2


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


def hard() -> list[dict[str, Any]]:
    """The enumeration of one topic: its units on one worker, on two, and in this thread."""
    topic = next(iter(read_corpus("sample:news")))
    spreads = Spreads(Metric.parse("rouge-2"), Budget.parse("95w"), Settings(method="enumerate"))
    best: dict[str, float] = {}
    found: dict[str, Any] = {}
    with (
        tempfile.TemporaryDirectory() as one,
        tempfile.TemporaryDirectory() as two,
        local(Path(one), 1) as single,
        local(Path(two), 2) as double,
    ):
        engines = {"1 worker": single.address, "2 workers": double.address}
        for turn in range(TURNS + 1):  # in the first turn the workers compile
            for name, address in engines.items():
                with Cluster(address) as hands:
                    spent, done = seconds(lambda hands=hands: next(iter(hands.run(spreads, [topic]))))
                (found[name],) = done.result
                best[name] = min(spent, best.get(name, spent)) if turn > 1 else spent
    with Serial() as hand:
        (serial,) = next(iter(hand.run(spreads, [topic]))).result
    assert found["1 worker"] == found["2 workers"] == serial
    extracts = serial.distribution.extracts
    return [
        {"what": f"spread of {extracts:.1e} extracts, {name}", "ms": round(1000 * spent),
         "times one worker": round(best["1 worker"] / spent, 2)}
        for name, spent in best.items()
    ]  # fmt: skip


if __name__ == "__main__":
    record("scale", [overhead(), *units(), *hard()])
