"""What a corpus holds: how much of everything, and what looks odd though it can be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from topline.corpus.dates import iso_date
from topline.corpus.reading import Reading
from topline.corpus.records import Document, Reference, Topic
from topline.errors import Where

LONGEST_SENTENCE = 200
"""Words of the longest sentence that is taken for one."""


@dataclass(slots=True)
class Tally:
    """How many topics have how many of something."""

    counts: Counter[int] = field(default_factory=Counter)

    def add(self, value: int) -> None:
        """Count a value in."""
        self.counts[value] += 1

    @property
    def total(self) -> int:
        """The sum of all values."""
        return sum(value * count for value, count in self.counts.items())

    def median(self) -> int:
        """The lower median."""
        half, passed = (self.counts.total() + 1) // 2, 0
        for value in sorted(self.counts):
            passed += self.counts[value]
            if passed >= half:
                return value
        return 0

    def row(self, what: str) -> dict[str, Any]:
        """The row of a table."""
        values = self.counts or {0: 1}
        ends = {"least": min(values), "median": self.median(), "most": max(values)}
        return {"what": what, "total": self.total, **ends}


@dataclass(slots=True)
class Oddity:
    """Something odd: how often, and where first."""

    what: str
    count: int
    first: Where


class Survey:
    """Looks at topics one by one and keeps counts only."""

    def __init__(self) -> None:
        self.topics = 0
        self.tallies: dict[str, Tally] = {name: Tally() for name in _PER_TOPIC}
        self.domains: Counter[str] = Counter()
        self.splitters: Counter[str] = Counter()
        self.oddities: dict[str, Oddity] = {}
        self.dated = 0
        self.earliest: str | None = None
        self.latest: str | None = None

    def add(self, topic: Topic, where: Where) -> None:
        """Count a topic in."""
        where = replace(where, id=topic.id)
        self.topics += 1
        texts = topic.texts()
        counts = (
            len(topic.documents),
            len(texts),
            sum(len(text.split()) for text in texts),
            len(topic.references),
            sum(len(text.split()) for reference in topic.references for text in reference.sentences),
        )
        for tally, count in zip(self.tallies.values(), counts, strict=True):
            tally.add(count)
        self.domains[topic.domain or "none"] += 1
        self.splitters[topic.splitter or "came split"] += 1
        self._look_at_sentences(texts, where)
        self._look_at_documents(topic.documents, where)
        self._look_at_references(topic.references, where)

    def end(self, where: Where) -> None:
        """Say what is odd of the corpus as a whole, when all topics were seen."""
        if not self.topics:
            self._warn("corpus without topics", where)

    def _warn(self, what: str, where: Where) -> None:
        oddity = self.oddities.setdefault(what, Oddity(what, 0, where))
        oddity.count += 1

    def _look_at_sentences(self, texts: list[str], where: Where) -> None:
        for text in texts:
            if not any(map(str.isalnum, text)):
                self._warn("sentence without a letter or digit", where)
            elif text.count(" ") >= LONGEST_SENTENCE and len(text.split()) > LONGEST_SENTENCE:
                self._warn(f"sentence of over {LONGEST_SENTENCE} words", where)

    def _look_at_documents(self, documents: Iterable[Document], where: Where) -> None:
        seen = set()
        for document in documents:
            texts = tuple(sentence.text for sentence in document.sentences)
            if texts in seen:
                self._warn("document that equals another of its topic", where)
            seen.add(texts)
            if document.date is None:
                continue
            if iso_date(document.date) is None:
                self._warn("date that cannot be read", where)
                continue
            self.dated += 1
            self.earliest = min(self.earliest or document.date, document.date)
            self.latest = max(self.latest or document.date, document.date)

    def _look_at_references(self, references: tuple[Reference, ...], where: Where) -> None:
        if not references:
            self._warn("topic without references", where)
        for reference in references:
            if not any(text.strip() for text in reference.sentences):
                self._warn("empty reference", where)

    def rows(self) -> list[dict[str, Any]]:
        """What there is, a row a thing; `least`, `median` and `most` are those of a topic."""
        rows: list[dict[str, Any]] = [{"what": "topics", "total": self.topics}]
        rows += [tally.row(name) for name, tally in self.tallies.items()]
        if self.dated:
            rows.append({"what": "dates", "total": self.dated, "least": self.earliest, "most": self.latest})
        if set(self.domains) != {"none"}:
            rows += [{"what": f"domain: {name}", "total": n} for name, n in sorted(self.domains.items())]
        rows += [{"what": f"sentences: {name}", "total": n} for name, n in sorted(self.splitters.items())]
        return rows


_PER_TOPIC = ("documents", "sentences", "words", "references", "reference words")


def survey(reading: Reading[Topic]) -> Survey:
    """Look at a whole corpus."""
    seen = Survey()
    for topic in reading:
        seen.add(topic, reading.where)
    seen.end(reading.where)
    return seen
