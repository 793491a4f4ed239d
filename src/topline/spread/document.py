"""The distribution of a document's score over all its extracts, by whatever method reaches it in time.

Exact first: small documents are enumerated; larger ones are counted without visiting, if merging pays; if it
does not but there is time, enumerated all the same. What is left is sampled, with a band, and its far tail
counted exactly. Time is measured in work, not by a clock, so that a run gives the same answer on any machine
and any number of threads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from topline.corpus.records import Reference, Topic
from topline.errors import CorpusError, OptionError, SearchLimit, Where
from topline.rouge.metric import Metric
from topline.spread import extracts
from topline.spread.distribution import Distribution, exactly, sum_of
from topline.spread.encode import Encoding, Ints, Tables, encode
from topline.spread.exhaustive import enumerate_all
from topline.spread.extracts import CHOPPED, Frame
from topline.spread.frontier import MOST, Frontier
from topline.spread.journal import Journal, fingerprint
from topline.spread.sample import BLOCK, Sampler
from topline.spread.segment import sections_of
from topline.spread.tail import tail
from topline.text.budget import Budget
from topline.text.encode import Vocabulary

METHODS = ("auto", "enumerate", "count", "sample")
SECTIONS = ("none", "given", "auto")
REFERENCES = ("pooled", "each", "best")
SECOND = 400_000_000
"""Work that any of the methods does in a second of one core of a small machine, with something to spare."""
AT_ONCE = 100_000_000
"""Extracts that are enumerated without trying to count them."""
BAND_DRAWS = 11_000_000
"""Draws that make the 99% band narrower than 0.1 percentile points from edge to edge."""
_DRAW, _DRAW_WORD, _DRAW_LIMB = 200, 20, 150
"""Work of a draw beside one for each sentence: of every word of the state, and of every limb of a count."""
_LEAST_DRAWS = 100_000
TOGETHER = 1_000_000_000
"""Extracts up to which an enumeration is one piece of work."""
_PIECE = 5_000_000_000
"""Extracts in a unit of work of a long enumeration: what an interruption costs."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How distributions are computed, beside metric and budget."""

    extracts: str = CHOPPED
    """`chopped`, `fitting` or `maximal`; see `extracts`."""
    references: str = "pooled"
    """`pooled`, `each` or `best`."""
    sections: str = "none"
    """`given` boundaries, `auto`matic segmentation, or `none`: the document as a whole."""
    method: str = "auto"
    """`auto`, or one of `enumerate`, `count`, `sample` without regard to time."""
    seconds: float = 60.0
    """About how long a document may take on one core."""
    draws: int | None = None
    """How many, if it comes to sampling; else as many as a narrow band needs, or the time allows."""
    seed: int = 0
    jobs: int = 1
    journal: Path | None = None
    """Where finished pieces are kept, so that an interrupted run can go on."""

    def check(self, budget: Budget) -> None:
        """Refuse what makes no sense."""
        extracts.check(self.extracts, budget.unit)
        for name, value, known in (
            ("method", self.method, METHODS),
            ("sections", self.sections, SECTIONS),
            ("references", self.references, REFERENCES),
        ):
            if value not in known:
                raise OptionError(f"{value!r} is no choice for {name}", hint=f"one of {', '.join(known)}")
        if self.sections != "none" and self.references == "best":
            raise OptionError(
                "the best reference of a sum of sections is not the sum of the sections' best references",
                hint="pool the references, or take each",
            )
        if self.sections != "none" and budget.unit == "s":
            raise OptionError("sections share out words or bytes, not sentences", hint="give --budget 100w")
        if self.references == "best" and self.method == "count":
            raise OptionError("the best of several references cannot be counted without visiting")


@dataclass(frozen=True, slots=True)
class Spread:
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
            raise CorpusError(
                "no section gets as much as a word of the budget",
                where=Where(id=topic.id),
                hint="raise the budget",
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


@dataclass(slots=True)
class Document:
    """A document (or a section) ready to be measured."""

    encoding: Encoding
    frames: list[Frame]
    extracts: int
    settings: Settings
    _tables: Tables | None = None

    @classmethod
    def of(cls, encoding: Encoding, settings: Settings) -> Document:
        """Find the extracts' families and count them."""
        lengths = encoding.lengths.tolist()
        frames = extracts.frames(lengths, encoding.budget, settings.extracts)
        return cls(encoding, frames, extracts.count(lengths, frames), settings)

    @property
    def tables(self) -> Tables:
        """The arrays of the kernels, made when first needed."""
        if self._tables is None:
            self._tables = Tables.of(self.encoding, chopped=self.frames[0].chopped)
        return self._tables

    def exact(self, journal: Journal) -> tuple[Distribution, str] | None:
        """The exact distribution, if the settings and the time allow it."""
        method, best = self.settings.method, len(self.encoding.demands) > 1
        work = int(self.settings.seconds * SECOND)
        visiting = self.extracts * max(2, self.encoding.width) // 2 * (8 if best else 1)
        if method == "enumerate" or (method == "auto" and visiting <= min(AT_ONCE, work)):
            return self._enumerated(journal), "enumerated"
        if method == "count" or (method == "auto" and not best):
            counted = self._counted(min(visiting, work // 3) if method == "auto" else 2**62)
            if counted is not None:
                return counted, "counted"
            if method == "count":
                raise SearchLimit(
                    "there are too many states to count these extracts without visiting them",
                    hint="--method auto samples what it cannot count",
                )
        if method == "auto" and visiting <= work * 2 // 3:
            return self._enumerated(journal), "enumerated"
        return None

    def _enumerated(self, journal: Journal) -> Distribution:
        pieces = max(64, self.extracts // _PIECE)
        elsewhere = self.extracts > TOGETHER
        counts = enumerate_all(
            self.encoding, self.frames, self.tables, jobs=self.settings.jobs, pieces=pieces, journal=journal,
            elsewhere=elsewhere,
        )  # fmt: skip
        return exactly(counts, self.encoding.total)

    def _counted(self, work: int) -> Distribution | None:
        if self.extracts > MOST:
            return None
        counts: Counter[int] = Counter()
        values = self.encoding.values[0]
        for frame in self.frames:
            found = Frontier.of(self.encoding, frame, self.extracts).count(work)
            if found is None:
                return None
            for index, number in found.items():
                counts[int(values[index])] += number
        return exactly(counts, self.encoding.total)

    def draws(self) -> int:
        """How many draws the settings allow."""
        if self.settings.draws is not None:
            return self.settings.draws
        limbs = -(-self.extracts.bit_length() // 64)
        each = _DRAW + self.encoding.size + _DRAW_WORD * self.encoding.width + _DRAW_LIMB * limbs
        affordable = int(self.settings.seconds * SECOND / 3) // each
        return min(BAND_DRAWS, max(_LEAST_DRAWS, affordable))

    def sampled_hits(self, block: int, draws: int, sampler: Sampler) -> Ints:
        """The hits of a block of draws."""
        drawn = sampler.block(block, self.settings.seed, draws)
        hits: Ints = np.max([values[drawn[:, g]] for g, values in enumerate(self.encoding.values)], axis=0)
        return hits

    def exact_tail(self) -> tuple[dict[int, int], int] | None:
        """The extracts by hits from some number of hits on, and that number; None where it is not known."""
        if len(self.encoding.demands) > 1 or self.settings.method != "auto" or self.extracts > MOST:
            return None
        found = tail(
            self.encoding, self.frames, self.tables, self.extracts, int(self.settings.seconds * SECOND / 3)
        )
        values = self.encoding.values[0]
        if np.any(np.diff(values) < 0) or found.known >= len(values):
            # for a sum of metrics a larger index need not mean more hits
            return None
        return {int(values[index]): number for index, number in found.counts.items()}, int(
            values[found.known]
        )


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
    return _sampled(documents, journal)


def _sampled(documents: Sequence[Document], journal: Journal) -> tuple[Distribution, str]:
    """Draws from every section, added; for a document as a whole the exact tail too."""
    settings = documents[0].settings
    draws = min(document.draws() for document in documents)
    samplers = [Sampler.of(document.encoding, document.frames, document.tables) for document in documents]
    names = (
        [fingerprint(document.encoding, document.frames) for document in documents] if journal.kept else []
    )

    def block(number: int) -> dict[int, int]:
        piece = f"{'+'.join(names)}/draws/{settings.seed}/{draws}/{number}"
        known = journal.get(piece)
        if known is not None:
            return known
        size = min(BLOCK, draws - number * BLOCK)
        hits = np.zeros(size, np.int64)
        for place, (document, sampler) in enumerate(zip(documents, samplers, strict=True)):
            hits += document.sampled_hits(number * len(documents) + place, size, sampler)
        seen, times = np.unique(hits, return_counts=True)
        found = dict(zip(seen.tolist(), times.tolist(), strict=True))
        journal.put(piece, found)
        return found

    counts: Counter[int] = Counter()
    with ThreadPoolExecutor(settings.jobs) as pool:
        for found in pool.map(block, range(-(-draws // BLOCK))):
            counts.update(found)
    number = 1
    for document in documents:
        number *= document.extracts
    kept = dict(sorted(counts.items()))
    ceiling = sum(max(int(values.max()) for values in one.encoding.values) for one in documents)
    distribution = Distribution(
        number, documents[0].encoding.total, kept, exact=False, draws=draws, ceiling=ceiling
    )
    known = documents[0].exact_tail() if len(documents) == 1 else None
    if known is None:
        return distribution, "sampled"
    method = "sampled, tail exact" if known[0] else "sampled"
    return replace(distribution, tail=known[0], tail_from=known[1]), method


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
