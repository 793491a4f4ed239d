"""Table 1: summaries that are best for one ROUGE variant, scored by every variant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from topline import __version__
from topline.compress.oracle import Compressed, Compressions
from topline.compress.parsed import ParsedTopic
from topline.corpus.records import Topic
from topline.rouge.metric import Metric
from topline.rouge.score import Comparison, Options, Scorer
from topline.search.exact import NO_LIMITS, Limits
from topline.text.budget import Budget
from topline.text.tokens import Preprocessing

KINDS = ("compressive", "extractive")


def variants(*, stem: bool = True) -> dict[str, Metric]:
    """The paper's three: ROUGE-1 without stop words, ROUGE-2 with them, ROUGE-SU0."""
    return {
        "rouge-1": Metric.parse("rouge-1", Preprocessing(stem=stem, stopwords="smart")),
        "rouge-2": Metric.parse("rouge-2", Preprocessing(stem=stem)),
        "rouge-su0": Metric.parse("rouge-su0", Preprocessing(stem=stem)),
    }


class Cross:
    """Recalls of best summaries and best extracts, a topic at a time; then their averages."""

    def __init__(
        self,
        budget: Budget,
        references: str = "pooled",
        rules: str = "paper",
        limits: Limits = NO_LIMITS,
        *,
        stem: bool = True,
    ) -> None:
        self.metrics = variants(stem=stem)
        self.solvers = {
            name: Compressions(metric, budget, references, rules, limits=limits)
            for name, metric in self.metrics.items()
        }
        mode = "best" if references == "best" else "pooled"
        self.scorers = {name: Scorer(metric, Options(mode)) for name, metric in self.metrics.items()}
        self.signature = (
            f"stem:{'porter155' if stem else 'no'}|{budget.signature}|refs:{references}|rules:{rules}"
            f"|topline-{__version__}"
        )
        self.sums: dict[tuple[str, str, str], list[float]] = {}
        self.unproved: list[str] = []

    def add(self, parsed: ParsedTopic) -> None:
        """Solve a topic for every variant, and score what comes out by every variant."""
        texts = parsed.topic.texts()
        for best_for, solver in self.solvers.items():
            for found in solver.of(parsed):
                if not (found.proved and found.extract_proved):
                    self.unproved.append(found.id)
                extract = tuple(texts[s] for s in found.extract_selected)
                for kind, text in zip(KINDS, (found.sentences, extract), strict=True):
                    self._score(parsed.topic, kind, best_for, text, found)

    def _score(
        self, topic: Topic, kind: str, best_for: str, text: tuple[str, ...], found: Compressed
    ) -> None:
        references = {r.id: r.sentences for r in topic.references if found.references in ("pooled", r.id)}
        for name, scorer in self.scorers.items():
            (score,) = scorer.score([Comparison(topic.id, kind, text, references)])
            self.sums.setdefault((kind, best_for, name), []).append(score.recall)

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row a kind of summary and variant it is best for; a column a variant it is scored by."""
        for kind in KINDS:
            for best_for in self.metrics:
                means = {
                    name: sum(values) / len(values)
                    for name in self.metrics
                    if (values := self.sums.get((kind, best_for, name), []))
                }
                if means:
                    yield {"summary": kind, "best_for": best_for, **means, "signature": self.signature}
