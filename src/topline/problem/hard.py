"""Hard instances: Schluter's reduction (2017, theorems 1 and 2) from dominating sets to extracts.

A vertex becomes a sentence that names its neighbours and itself, the reference names every vertex once.
An extract of `k` sentences then matches `n` n-grams for each vertex that the `k` vertices dominate.
Dummy words stand between the names, so that every n-gram names exactly one vertex. In cubic graphs all
sentences are equally long; in others they are filled up with dummies, whose n-grams no reference holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from topline.corpus.records import Document, Reference, Sentence, Topic
from topline.errors import OptionError
from topline.rouge.metric import Metric
from topline.text.budget import Budget

DUMMY = "d"
Edge = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Hard:
    """An instance whose best extract is a best dominating set of `k` vertices."""

    topic: Topic
    metric: Metric
    budget: Budget

    def dominated(self, hits: int) -> int:
        """How many vertices an extract with so many hits dominates."""
        return hits // self.metric.parts[0].n


def reduction(vertices: int, edges: Sequence[Edge], k: int, n: int = 1) -> Hard:
    """The document, reference, metric and budget for choosing `k` vertices of a graph, by ROUGE-n."""
    if vertices < 1 or k < 1 or n < 1:
        raise OptionError("a graph needs a vertex, k and n must be at least 1")
    closed = [{v} for v in range(vertices)]
    for v, w in edges:
        if not (0 <= v < vertices and 0 <= w < vertices):
            raise OptionError(f"edge {v}-{w} leaves the graph's {vertices} vertices")
        closed[v].add(w)
        closed[w].add(v)
    longest = _size(max(map(len, closed)), n)
    sentences = []
    for neighbours in closed:
        words = _names(sorted(neighbours), n)
        sentences.append(Sentence(" ".join(words + [DUMMY] * (longest - len(words)))))
    topic = Topic(
        id=f"graph-{vertices}-{len(edges)}-{k}-{n}",
        documents=(Document("graph", tuple(sentences)),),
        references=(Reference("vertices", (" ".join(_names(range(vertices), n)),)),),
    )
    return Hard(topic, Metric.parse(f"rouge-{n}"), Budget(k * longest, "w"))


def _names(vertices: Sequence[int], n: int) -> list[str]:
    """The order-n sentence of these vertices: n - 1 dummies before, between and behind their names."""
    padding = [DUMMY] * (n - 1)
    words = list(padding)
    for v in vertices:
        words += [f"v{v}", *padding]
    return words


def _size(vertices: int, n: int) -> int:
    return vertices + (vertices + 1) * (n - 1)


def random_cubic(vertices: int, seed: int) -> list[Edge]:
    """The edges of a random cubic graph: three stubs a vertex, paired until the graph is simple."""
    if vertices < 4 or vertices % 2:
        raise OptionError(f"no cubic graph has {vertices} vertices", hint="an even number from 4")
    random = Random(seed)
    while True:
        stubs = [v for v in range(vertices) for _ in range(3)]
        random.shuffle(stubs)
        edges = {(min(pair), max(pair)) for pair in zip(stubs[::2], stubs[1::2], strict=True)}
        if len(edges) == 3 * vertices // 2 and all(v != w for v, w in edges):
            return sorted(edges)
