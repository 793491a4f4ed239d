"""What a cluster costs and brings: who spends what on a unit, bytes moved, one hard topic on two workers.

Workers are processes on loopback, one thread each. Processor time is counted by process: a client, a
scheduler and workers that share two cores must not count for one another. The tables, and the plan for many
more workers that follows from them, go into docs/cluster-run.md.

`python -m bench.scale`
"""

from __future__ import annotations

import os
import pickle
import tempfile
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from itertools import chain, islice, repeat
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from tests.cluster import Local, local
from tools import plan

from bench.common import record
from bench.labels import write_corpus
from bench.search_growth import topic as grown
from topline import Preprocessing, read_corpus
from topline.corpus.records import Topic
from topline.rouge.metric import Metric
from topline.run.cluster import Cluster
from topline.run.engine import Serial
from topline.run.labels import PART, UNIT, Run
from topline.run.optima import EveryOracle
from topline.run.per_thread import PerThread
from topline.run.spreads import Spreads
from topline.search.label import Labeller
from topline.spread.settings import Settings
from topline.text.budget import Budget

TASKS, TOPICS, DOCUMENTS = 3000, 800, 6 * PART
SENTENCES, WORDS, REFERENCES = 1_000, 1_350, 4
"""Of a problem whose best extracts take minutes."""
_TICK = os.sysconf("SC_CLK_TCK")
WHO = ("client", "scheduler", "worker")


def nothing(unit: int) -> int:
    return unit


def seconds(run: Any) -> tuple[float, Any]:
    start = perf_counter()
    found = run()
    return perf_counter() - start, found


def spent(session: int) -> float:
    """Processor seconds of a process and of those that it started."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:  # it has ended meanwhile
            continue
        if int(fields[3]) == session:
            total += int(fields[11]) + int(fields[12])
    return total / _TICK


def clocks(cluster: Local) -> list[float]:
    workers = sum(spent(worker.pid) for worker in cluster.workers)
    return [process_time(), spent(cluster.scheduler.pid), workers]


@contextmanager
def processors(cluster: Local, units: int, row: dict[str, Any]):
    """Puts into the row what each of the three spends on a unit."""
    begun = clocks(cluster)
    yield
    for who, before, after in zip(WHO, begun, clocks(cluster), strict=True):
        row[f"ms {who}"] = round(1000 * (after - before) / units, 2)


def moved(work: Callable[[Any], Any], unit: Any) -> dict[str, int]:
    return {"bytes out": len(pickle.dumps(unit)), "bytes back": len(pickle.dumps(work(unit)))}


def costs() -> list[dict[str, Any]]:
    """What a unit costs, from the corpus's file to its result."""
    with (
        tempfile.TemporaryDirectory() as folder,
        local(Path(folder)) as cluster,
        Cluster(cluster.address) as hands,
    ):
        return [
            no_work(cluster, hands),
            labels(cluster, hands, Path(folder)),
            topics(cluster, hands, "optima, 100 words", PerThread(_every("rouge-1"))),
            topics(cluster, hands, "spread, 30 words", _spreads("30w")),
        ]


def no_work(cluster: Local, hands: Cluster) -> dict[str, Any]:
    row: dict[str, Any] = {"unit": "no work", "topics": 0}
    list(hands.run(nothing, range(100)))
    with processors(cluster, TASKS, row):
        list(hands.run(nothing, range(TASKS)))
    return row | moved(nothing, 1)


def labels(cluster: Local, hands: Cluster, folder: Path) -> dict[str, Any]:
    """Documents of CNN/DailyMail's shape, read, labelled and written."""
    row: dict[str, Any] = {"unit": f"label, {UNIT} documents", "topics": UNIT}
    corpus, out = folder / "corpus.jsonl", folder / "labels.jsonl"
    write_corpus(corpus, DOCUMENTS)
    labeller = Labeller()
    names = ("recipe", "metric", "budget", "objective", "soft")
    settings = {name: getattr(labeller, name) for name in names}
    Run(settings, out, hands).run(islice(read_corpus(corpus), 4 * UNIT))
    with processors(cluster, DOCUMENTS // UNIT, row):
        Run(settings, out, hands).run(read_corpus(corpus))
    return row | moved(labeller.of_many, tuple(islice(read_corpus(corpus), UNIT)))


def topics(cluster: Local, hands: Cluster, what: str, work: Any) -> dict[str, Any]:
    """Topics of the bundled sample, again and again."""
    row: dict[str, Any] = {"unit": what, "topics": 1}
    some = list(read_corpus("sample:news"))
    list(hands.run(work, some + some))
    with processors(cluster, TOPICS, row):
        list(hands.run(work, islice(again(some), TOPICS)))
    return row | moved(work, some[0])


def again(topics: list[Topic]) -> Iterable[Topic]:
    return chain.from_iterable(repeat(topics))


def _every(metric: str) -> EveryOracle:
    return EveryOracle(Metric.parse(metric), Budget.parse("100w"))


def _spreads(budget: str) -> Spreads:
    return Spreads(Metric.parse("rouge-2"), Budget.parse(budget), Settings())


def hard(what: str, work: Any, topic: Topic, shown: Callable[[Any], Any], turns: int) -> list[dict[str, Any]]:
    """One topic on one worker and on two, in turns; the workers have compiled before."""
    best: dict[str, float] = {}
    found: dict[str, Any] = {}
    warm = next(iter(read_corpus("sample:newswire")))
    for _ in range(turns):
        for workers, name in enumerate(("1 worker", "2 workers"), start=1):
            # one cluster at a time: an idle one takes time of the cores too
            with (
                tempfile.TemporaryDirectory() as folder,
                local(Path(folder), workers) as cluster,
                Cluster(cluster.address) as hands,
            ):
                list(hands.run(work, [warm] * 4))
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
    work = Spreads(Metric.parse("rouge-2"), Budget.parse("115w"), Settings(method="enumerate"))
    with Serial() as hand:
        (here,) = next(iter(hand.run(work, [topic]))).result
    return hard(
        f"spread of {here.distribution.extracts:.1e} extracts", work, topic, lambda found: found, turns=3
    )


def optima() -> list[dict[str, Any]]:
    """All best extracts of a long budget: stories behind one another, beyond the knee of search_growth."""
    topic = grown(SENTENCES, REFERENCES)
    metric = Metric.parse("rouge-1", Preprocessing(stem=True, stopwords="smart"))
    work = PerThread(EveryOracle(metric, Budget(WORDS, "w")))
    counts: list[int] = []

    def shown(found: Any) -> Any:
        (every,) = found
        counts.append(every.count)
        return every.hits, every.count, every.count_all, list(islice(every.optima, 1000))

    rows = hard(f"optima of {SENTENCES:,} sentences, {WORDS:,} words", work, topic, shown, turns=1)
    return [row | {"optima": f"{counts[0]:.3e}"} for row in rows]


if __name__ == "__main__":
    record("scale", costs(), hard=[*spread(), *optima()])
    plan.fill()
