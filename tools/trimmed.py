"""Draws the trimmed sentences that docs/trimmed-samples.md judges: `python -m tools.trimmed TREEBANK`.

From each of the four groups (two label sets, two rule sets) of sentences that a best summary for ROUGE-2
trims and leaves at least three words of, so many are drawn at random, each source sentence once.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from random import Random

from topline.compress.oracle import Compressions
from topline.compress.parsed import ParsedTopic, source
from topline.corpus.read import read
from topline.corpus.records import Document, Reference, Topic
from topline.errors import MetricError
from topline.rouge.metric import Metric
from topline.text.budget import Budget

RUN, BEHIND = 40, 5
"""Sentences of a treebank that make a document, and those behind them that make its reference."""


def news() -> Iterator[ParsedTopic]:
    """The bundled news with their parses."""
    parses = source(Path("sample:news"))
    return (parses.parsed(topic) for topic in read("sample:news"))


def runs(treebank: Path) -> Iterator[ParsedTopic]:
    """Runs of a treebank's sentences as documents, the sentences behind each as its reference."""
    (topic,) = read(treebank)
    whole = source(treebank).parsed(topic)
    sentences = [sentence for document in topic.documents for sentence in document.sentences]
    for at in range(0, len(sentences) - RUN - BEHIND + 1, RUN + BEHIND):
        end = at + RUN
        behind = tuple(sentence.text for sentence in sentences[end : end + BEHIND])
        made = Topic(
            f"{topic.id}-{at}", (Document("d", tuple(sentences[at:end])),), (Reference("r", behind),)
        )
        yield ParsedTopic(made, whole.parses[at:end], whole.labels)


def trimmed(topics: Iterator[ParsedTopic], budget: str, rules: str) -> list[tuple[str, str]]:
    """The sentences that best summaries trim, each with its source."""
    best = Compressions(Metric.parse("rouge-2"), Budget.parse(budget), rules=rules)
    found = {}
    for topic in topics:
        texts = topic.topic.texts()
        try:
            (summary,) = best.of(topic)
        except MetricError:
            continue
        for number, text in zip(summary.selected, summary.sentences, strict=True):
            if text != " ".join(texts[number].split()) and len(text.split()) >= 3:
                found[texts[number]] = text
    return [(text, whole) for whole, text in found.items()]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("treebank", type=Path, help="CoNLL-U with gold trees")
    options.add_argument("--count", type=int, default=25, help="of each group")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--sources", action="store_true", help="print what each was trimmed from")
    given = options.parse_args()
    for name, make, budget in (
        ("the bundled news (ClearNLP labels)", news, "100w"),
        ("gold trees (UD labels)", lambda: runs(given.treebank), "50w"),
    ):
        for rules in ("paper", "strict"):
            found = trimmed(make(), budget, rules)
            drawn = Random(given.seed).sample(found, min(given.count, len(found)))
            print(f"\n## {name}, rules `{rules}`: {len(drawn)} of {len(found)}\n")
            for place, (text, whole) in enumerate(drawn, 1):
                print(f"{place}. {text}")
                if given.sources:
                    print(f"   < {whole}")


if __name__ == "__main__":
    main()
