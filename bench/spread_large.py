"""Beyond enumeration: 99 sentences at 160 words, and whole stories at 250 words.

Which method it came to, how wide the band is, how far down the tail is exact, and the seconds it took.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from time import perf_counter
from typing import Any

from tests.spread_cases import random_document

from bench.common import record, shared
from topline.corpus.read import read
from topline.corpus.records import Topic
from topline.rouge.metric import Metric
from topline.spread.document import spread_of
from topline.spread.settings import Settings
from topline.text.budget import Budget

METRICS = ("rouge-2", "rouge-1")
STORIES = 2


def cases() -> Iterator[tuple[str, Topic, str]]:
    for seed in (1, 2, 3):
        made = random_document(seed, 99, mean=20, length=160, vocabulary=3000)
        yield f"99 sentences, {seed}", made, "160w"
    for story in islice(read(shared("squality.jsonl")), STORIES):
        yield f"story {story.id}", story, "250w"


def measure(name: str, topic: Topic, budget: str, metric: str) -> dict[str, Any]:
    start = perf_counter()
    (spread,) = spread_of(topic, Metric.parse(metric), Budget.parse(budget), Settings(jobs=2))
    seconds = perf_counter() - start
    held = spread.distribution
    tail = sum(held.tail.values())
    return {
        "document": name,
        "sentences": len(topic.texts()),
        "metric": metric,
        "extracts": f"{held.extracts:.3e}",
        "method": spread.method,
        "mean": held.mean,
        "best": held.most / held.total,
        "band_width": round(2 * 100 * held.band, 4),
        "tail_share": f"{tail / held.extracts:.1e}" if tail else None,
        "seconds": round(seconds, 1),
    }


def main() -> None:
    warm = random_document(0, 30, mean=12)
    for method in ("enumerate", "count", "sample"):
        spread_of(warm, Metric.parse("rouge-1"), Budget.parse("60w"), Settings(method=method, draws=1000))
    record(
        "spread_large",
        [measure(name, topic, budget, metric) for name, topic, budget in cases() for metric in METRICS],
    )


if __name__ == "__main__":
    main()
