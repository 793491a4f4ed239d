"""The best trimmed summary of 200 newswire sentences at 100 words: our search beside the plain HiGHS model.

A topic of 200 sentences is two topics of the bundled news (their parses too); the references are those of
the first. Parsing is not timed; what is: chunk trees, problem, search (`ours`), and the paper's program
with all its variables and constraints, handed to HiGHS as arrays and solved on one thread (`highs`; its
problem is the one already built). Growth puts more and more of the bundled topics behind one another: all
of the news, then the single documents, then, up to 2,000 sentences, those of a treebank if it is there.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from bench.common import record, shared
from topline.compress.cross import variants
from topline.compress.ilp import solve_ilp
from topline.compress.oracle import Compressions
from topline.compress.parsed import ParsedTopic, source
from topline.compress.problem import encode
from topline.compress.search import solve
from topline.compress.tree import ChunkTree
from topline.corpus.read import read
from topline.corpus.records import Topic
from topline.search.exact import Limits
from topline.text.budget import Budget

CORPORA = ("sample:news", "sample:newswire", "sample:law", "sample:literature", "sample:science")
BUDGET = "100w"
REPEAT = 3


def bundled(corpus: str) -> list[ParsedTopic]:
    parses = source(Path(corpus))
    return [parses.parsed(topic) for topic in read(corpus)]


def treebank() -> ParsedTopic:
    """Other people's sentences; their labels are those of Universal Dependencies."""
    path = shared("ewt-test.conllu")
    parses = source(path)
    (topic,) = read(path)
    return parses.parsed(topic)


def joined(topics: list[ParsedTopic], sentences: int) -> ParsedTopic:
    """The first topic with the documents of the others behind its own, cut at so many sentences."""
    documents, parses = [], []
    for number, one in enumerate(topics):
        documents += [replace(document, id=f"{number}-{document.id}") for document in one.topic.documents]
        parses.extend(one.parses)
    while len(parses) > sentences:
        document = documents.pop()
        keep = max(0, len(document.sentences) - (len(parses) - sentences))
        del parses[len(parses) - len(document.sentences) + keep :]
        if keep:
            documents.append(replace(document, sentences=document.sentences[:keep]))
    first = topics[0]
    return ParsedTopic(
        Topic(first.topic.id, tuple(documents), first.topic.references), tuple(parses), first.labels
    )


def timed(
    parsed: ParsedTopic, settings: Compressions, highs: bool, repeat: int, more: Sequence[ChunkTree] = ()
) -> dict[str, Any]:
    """Seconds of the fastest of several runs, everything behind the parse included."""
    seconds, searching = [], []
    for _ in range(repeat):
        begin = perf_counter()
        made = encode([*parsed.trees(settings.rules), *more], settings.vocabulary)
        problem, _ = settings.problem(parsed.topic, made, parsed.topic.references)
        built = perf_counter()
        outcome = solve(problem, Limits(seconds=60))
        end = perf_counter()
        seconds.append(end - begin)
        searching.append(end - built)
    row = {
        "topic": parsed.topic.id, "sentences": len(made.trees), "chunks": problem.chunks,
        "hits": outcome.hits, "proved": outcome.proved, "states": outcome.states,
        "ours": min(seconds), "search": min(searching),
    }  # fmt: skip
    if highs:
        begin = perf_counter()
        answer = solve_ilp(problem, time_limit=60)
        row["highs"] = perf_counter() - begin
        assert not answer.proved or answer.hits == outcome.hits
    return row


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--growth", type=int, nargs="*", default=[200, 400, 800, 1400, 2000])
    given = options.parse_args()
    topics = bundled(CORPORA[0])
    settings = {
        (name, rules): Compressions(metric, Budget.parse(BUDGET), rules=rules)
        for name, metric in variants().items()
        for rules in ("paper", "strict")
    }
    for setting in settings.values():  # compiles, and fills the vocabularies
        timed(joined(topics[:1], 50), setting, highs=False, repeat=1)
    rows, summary = [], []
    for (name, rules), setting in settings.items():
        own = [
            timed(joined([topics[k], topics[(k + 1) % len(topics)], topics[(k + 2) % len(topics)]], 200),
                  setting, highs=True, repeat=REPEAT)
            for k in range(len(topics))
        ]  # fmt: skip
        rows += [{"metric": name, "rules": rules, **row} for row in own]
        summary.append(
            {
                "metric": name, "rules": rules, "topics": len(own),
                "ours_median": median(r["ours"] for r in own), "ours_worst": max(r["ours"] for r in own),
                "search_median": median(r["search"] for r in own),
                "search_worst": max(r["search"] for r in own),
                "highs_median": median(r["highs"] for r in own), "highs_worst": max(r["highs"] for r in own),
                "ratio": median(r["highs"] / r["search"] for r in own),
                "proved": all(r["proved"] for r in own),
            }
        )  # fmt: skip
    record("compress", summary, budget=BUDGET, topics=rows)
    everything = topics + [topic for corpus in CORPORA[1:] for topic in bundled(corpus)]
    most = sum(len(topic.parses) for topic in everything)
    beyond = treebank().trees("paper") if max(given.growth) > most else []
    grown = [
        {
            "metric": name,
            **timed(
                joined(everything, size), settings[name, "paper"], highs=True, repeat=1,
                more=beyond[: max(0, size - most)],
            ),
        }
        for name in variants()
        for size in given.growth
    ]  # fmt: skip
    record("compress_growth", grown, budget=BUDGET)


if __name__ == "__main__":
    main()
