"""The distribution of a document's score over all its extracts, by whatever method reaches it in time.

Exact first; what is left is sampled, with a band, and its far tail counted exactly. Time is measured in work,
not by a clock, so that a run gives the same answer on any machine and any number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from topline.corpus.records import Reference, Topic
from topline.errors import CorpusError, Where
from topline.rouge.metric import Metric
from topline.shown import Shown
from topline.spread.distribution import Distribution, sum_of
from topline.spread.encode import Ints, encode
from topline.spread.journal import Journal
from topline.spread.ready import Document
from topline.spread.sampled import sampled
from topline.spread.segment import sections_of
from topline.spread.settings import Settings
from topline.text.budget import Budget
from topline.text.encode import Vocabulary


@dataclass(frozen=True, slots=True)
class Spread(Shown):
    """A document's distribution and how it came about."""

    id: str
    metric: str
    references: str
    """`pooled`, `best`, or the reference's id."""
    distribution: Distribution
    method: str
    """`enumerated`, `counted`, `sampled`, or `sampled, tail exact`; sections may differ: joined by `+`."""
    budget: int
    """In words (or bytes, or sentences)."""
    sections: int | None = None
    """Into how many the document was divided, if it was."""
    note: str | None = None
    """What is special about this document."""

    def _shown(self) -> dict[str, Any]:
        """The fields of `topline spread`'s table."""
        one = self.distribution
        scores = {"mean": one.mean, "sd": one.sd, "min": one.least / one.total, "max": one.most / one.total}
        names = ("id", "references", "metric")
        told = {name: getattr(self, name) for name in names} | {"extracts": one.extracts} | scores
        return told | {"method": self.method, "budget": self.budget, "note": self.note}


@dataclass(slots=True)
class Measuring:
    """Turns topics into distributions; keeps the vocabulary and the journal."""

    metric: Metric
    budget: Budget
    settings: Settings = field(default_factory=Settings)
    _journal: Journal = field(init=False)

    def __post_init__(self) -> None:
        self.settings.check(self.budget)
        self._journal = Journal(self.settings.journal)

    def of(self, topic: Topic, elsewhere: dict[str, Ints] | None = None) -> list[Spread]:
        """One distribution; or one a reference if each stands alone.

        With `elsewhere`, long enumerations are taken from there; one that is missing raises `TooMuch`.
        """
        self._journal.elsewhere = elsewhere
        if not topic.references:
            raise CorpusError(
                "there is no reference to score against",
                where=Where(id=topic.id),
                hint="add one, or --skip-bad",
            )
        if self.settings.references == "each":
            return [self._one(topic, [reference], reference.id) for reference in topic.references]
        return [self._one(topic, topic.references, self.settings.references)]

    def _one(self, topic: Topic, references: Sequence[Reference], name: str) -> Spread:
        texts = topic.texts()
        limit = self.budget.limit(texts)
        vocabulary = Vocabulary(self.metric.preprocessing)
        parts = [texts]
        limits = [limit]
        if self.settings.sections != "none":
            parts = [texts[run.start : run.stop] for run in sections_of(topic, self.settings.sections)]
            limits = shares(limit, [sum(map(self.budget.length, part)) for part in parts])
        unit = "w" if self.budget.unit == "%" else self.budget.unit
        documents = [
            Document.of(
                encode(
                    part, references, self.metric, Budget(most, unit), best=name == "best", where=topic.id,
                    vocabulary=vocabulary,
                ),
                self.settings,
            )
            for part, most in zip(parts, limits, strict=True)
            if most
        ]  # fmt: skip
        if not documents:
            what = "the budget comes to nothing" if len(parts) == 1 else "no section gets any of the budget"
            raise CorpusError(
                f"{what}: {self.budget} is {limit} here", where=Where(id=topic.id), hint="raise the budget"
            )
        distribution, method = _together(documents, self._journal)
        return Spread(
            topic.id,
            str(self.metric),
            name,
            distribution,
            method,
            limit,
            len(parts) if self.settings.sections != "none" else None,
            _note(documents, limit, self.budget),
        )


def _note(documents: Sequence[Document], limit: int, budget: Budget) -> str | None:
    """What a reader should know who wonders about the figures."""
    lengths = [int(length) for document in documents for length in document.encoding.lengths]
    said = []
    if sum(lengths) < limit:
        said.append(f"the document is shorter than the budget ({sum(lengths)} of {limit}{budget.unit})")
    elif lengths and min(lengths) > limit:
        said.append("every sentence is longer than the budget")
    elif longer := sum(length > limit for length in lengths):
        said.append(f"longer than the budget: {longer} of {len(lengths)} sentences")
    if not any(document.encoding.offsets for document in documents):
        said.append("the document shares no n-gram with the references")
    return "; ".join(said) or None


def shares(limit: int, lengths: Sequence[int]) -> list[int]:
    """A budget in proportion to the sections' lengths, by largest remainders.

    >>> shares(100, [50, 30, 21])
    [49, 30, 21]
    """
    whole = max(1, sum(lengths))
    given = [limit * length // whole for length in lengths]
    by_rest = sorted(range(len(lengths)), key=lambda i: (-(limit * lengths[i] % whole), i))
    for i in by_rest[: limit - sum(given)]:
        given[i] += 1
    return given


def _together(documents: Sequence[Document], journal: Journal) -> tuple[Distribution, str]:
    """One document's distribution, or that of sections together: exact only if all of them are."""
    exact = []
    if documents[0].settings.method != "sample":
        for document in documents:
            found = document.exact(journal)
            if found is None:
                break
            exact.append(found)
    if len(exact) == len(documents):
        methods = list(dict.fromkeys(method for _, method in exact))
        return sum_of([one for one, _ in exact]) if len(exact) > 1 else exact[0][0], "+".join(methods)
    return sampled(documents, journal)


def spread_of(
    topic: Topic,
    metric: str | Metric = "rouge-1",
    budget: str | Budget = "100w",
    settings: Settings | None = None,
) -> list[Spread]:
    """The distribution of a topic's score over all its extracts: one, or one a reference (`each`).

    Strings are read as on the command line.

    >>> from topline import Document, Reference, Sentence, Topic
    >>> sentences = (Sentence("The cat sat."), Sentence("A dog barks."), Sentence("Cats sleep."))
    >>> topic = Topic("t", (Document("d", sentences),), (Reference("A", ("The cat barks.",)),))
    >>> [spread] = spread_of(topic, "rouge-1", "4w")
    >>> spread.method, spread.distribution.extracts, dict(spread.distribution.counts)
    ('enumerated', 6, {1: 1, 2: 5})
    """
    return Measuring(
        Metric.parse(metric) if isinstance(metric, str) else metric,
        Budget.parse(budget) if isinstance(budget, str) else budget,
        settings or Settings(),
    ).of(topic)
