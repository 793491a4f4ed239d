"""Compressive oracles by trying every rooted subtree of every sentence, scored by the printed text."""

from collections import Counter
from collections.abc import Iterator
from itertools import product

from topline.compress.parsed import ParsedTopic
from topline.compress.text import render
from topline.compress.tree import ChunkTree
from topline.rouge.metric import Metric
from topline.text.budget import Budget


def rooted_subtrees(tree: ChunkTree) -> Iterator[frozenset[int]]:
    """Every set of chunks that holds each one's parent, the empty one included."""
    for keep in product((False, True), repeat=len(tree.chunks)):
        kept = frozenset(c for c, kept in enumerate(keep) if kept)
        if all(tree.chunks[c].parent == -1 or tree.chunks[c].parent in kept for c in kept):
            yield kept


def grams(metric: Metric, tokens: list[str]) -> Counter[tuple[int, tuple[str, ...]]]:
    """N-grams of one text by the parts of a metric; skip distance 0 only."""
    found: Counter[tuple[int, tuple[str, ...]]] = Counter()
    for number, part in enumerate(metric.parts):
        sizes = (part.n,) if part.kind == "n" else (1, 2) if part.kind == "su" else (2,)
        for size in sizes:
            found.update((number, tuple(tokens[i : i + size])) for i in range(len(tokens) - size + 1))
    return found


def recall_hits(metric: Metric, sentences: list[str], references: list[list[str]]) -> list[int]:
    """Matched n-grams of each part, summed over the references; a reference's last unigram is not in SU."""
    tokens = metric.preprocessing.tokens
    have: Counter[tuple[int, tuple[str, ...]]] = Counter()
    for sentence in sentences:
        have.update(grams(metric, tokens(sentence)))
    hits = [0] * len(metric.parts)
    for reference in references:
        said = tokens(" ".join(reference))
        want = grams(metric, said)
        for number, part in enumerate(metric.parts):
            if part.kind == "su" and said:
                want[number, (said[-1],)] -= 1
        for gram, count in want.items():
            hits[gram[0]] += min(count, have[gram])
    return hits


def best(
    parsed: ParsedTopic, metric: Metric, budget: Budget, rules: str, references: list[list[str]]
) -> tuple[int, int]:
    """The most hits of one metric within the budget, and how many choices of subtrees reach it.

    For words only topics without marks are exact: a mark that is not printed is paid for in the problem.
    """
    trees = parsed.trees(rules)
    limit = budget.limit(parsed.topic.texts())
    most, count = -1, 0
    for choice in product(*(list(rooted_subtrees(tree)) for tree in trees)):
        texts = [render(tree, kept) for tree, kept in zip(trees, choice, strict=True) if kept]
        if sum(budget.length(text) for text in texts) > limit:
            continue
        (hits,) = recall_hits(metric, texts, references)
        if hits > most:
            most, count = hits, 0
        count += hits == most
    return most, count
