"""ROUGE of summaries: texts in, scores with a signature out. What `topline.score` and the verb call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from threading import local
from typing import NamedTuple

import numpy as np

from topline import __version__
from topline.cores import cores
from topline.corpus.records import Summary, Topic
from topline.errors import CorpusError, OptionError, Where
from topline.rouge.average import Average, averages_of
from topline.rouge.bootstrap import CONFIDENCE, RESAMPLES
from topline.rouge.combine import MODES, Scores, combined, joined
from topline.rouge.counts import Counts, Ints, Text, Texts, count, sentences_of, tokenized
from topline.rouge.limits import Limit, as_one_text, as_sentences
from topline.rouge.metric import Metric, Part
from topline.shown import Shown
from topline.text.compiled import plainly
from topline.text.encode import Vocabulary

BATCH = 512
"""Comparisons that are counted in one call: enough to forget the call's cost, few enough to stay small."""


@dataclass(frozen=True, slots=True)
class Score(Shown):
    """A system's score on a topic by one metric; the fields are those of `topline score --json`."""

    id: str
    system: str
    metric: str
    recall: float
    precision: float
    f1: float
    reference: str | None = None
    """The reference's id where each stands alone (`references="each"`)."""


@dataclass(frozen=True, slots=True)
class Options:
    """How ROUGE is computed beside the metric itself."""

    references: str = "pooled"
    """`pooled` (-f A), `best` (-f B), `jackknife`, or `each` alone."""
    limit: Limit | None = None
    """Cut summaries and references to so many words (-l) or bytes (-b)."""
    alpha: float = 0.5
    """-p: 0 weighs recall alone, 1 precision alone."""

    def __post_init__(self) -> None:
        if self.references not in MODES:
            raise OptionError(
                f"{self.references!r} is no way to use references", hint=f"one of {', '.join(MODES)}"
            )
        if not 0 <= self.alpha <= 1:
            raise OptionError(
                f"alpha {self.alpha} makes no sense", hint="between 0 (recall) and 1 (precision)"
            )

    @property
    def signature(self) -> str:
        """The part of a score's signature that these options make."""
        return f"refs:{self.references}|limit:{self.limit or 'no'}|alpha:{self.alpha:g}|v:{__version__}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A summary and what it is compared with."""

    id: str
    system: str
    summary: Sequence[str]
    references: Mapping[str, Sequence[str]]


class Pairs(NamedTuple):
    """Texts, and which are compared: summary `e` in the pairs `starts[e]:starts[e + 1]`."""

    texts: Sequence[Text]
    starts: Ints
    peers: Ints
    models: Ints


@dataclass(slots=True)
class Scorer:
    """Scores comparisons by several metrics; keeps its vocabulary, so use one for a whole corpus."""

    metric: Metric
    """Every part is scored by itself."""
    options: Options = field(default_factory=Options)
    _vocabulary: Vocabulary = field(init=False)

    def __post_init__(self) -> None:
        self._vocabulary = Vocabulary(self.metric.preprocessing)

    @property
    def signature(self) -> str:
        """Everything a score depends on beside the texts."""
        return f"{self.metric.signature}|{self.options.signature}"

    def score(self, comparisons: Iterable[Comparison]) -> Iterator[Score]:
        """Score a stream in batches; comparisons of one topic should follow one another."""
        for batch in _batches(comparisons):
            if len(batch) == BATCH:
                plainly.end()
            yield from self._batch(batch)

    def _batch(self, batch: list[Comparison]) -> Iterator[Score]:
        columns = [
            (str(part), scores.recall.tolist(), scores.precision.tolist(), scores.f1.tolist())
            for part, scores in zip(self.metric.parts, self.scores(batch), strict=True)
        ]
        for row, (comparison, reference) in enumerate(_rows(batch, self.options.references)):
            for name, recall, precision, f1 in columns:
                yield Score(
                    comparison.id, comparison.system, name, recall[row], precision[row], f1[row], reference
                )

    def scores(self, batch: Sequence[Comparison]) -> list[Scores]:
        """Scores of a batch as arrays, one a part of the metric; a row a comparison (`each`: a reference)."""
        return self.scores_of(_pairs(batch))

    def scores_of(self, pairs: Pairs) -> list[Scores]:
        """The same of texts."""
        joined = apart = self._tokens(pairs.texts, as_one_text)
        if self.options.limit and not self.metric.additive:
            apart = self._tokens(pairs.texts, as_sentences)
        return [
            combined(
                part,
                self._count(part, joined, apart, pairs.peers, pairs.models),
                pairs.starts,
                self.options.references,
                self.options.alpha,
            )
            for part in self.metric.parts
        ]

    def _tokens(self, texts: Sequence[Text], cut: Callable[[Sequence[str], Limit], list[str]]) -> Texts:
        limit = self.options.limit
        if limit:
            texts = [cut(sentences_of(text), limit) for text in texts]
        return tokenized(texts, self._vocabulary)

    @staticmethod
    def _count(part: Part, joined: Texts, apart: Texts, peers: Ints, models: Ints) -> Counts:
        if part.additive:
            return count(part, joined, peers, models)
        return count(part, apart, peers, models, joined)


def _pairs(batch: Sequence[Comparison]) -> Pairs:
    """Every text once (references that systems share too), and which pairs each comparison has."""
    texts: list[Text] = []
    place: dict[int, int] = {}
    peers: list[int] = []
    models: list[int] = []
    starts = [0]
    for comparison in batch:
        if not comparison.references:
            raise _no_reference(comparison.id)
        peer = len(texts)
        texts.append(comparison.summary)
        for reference in comparison.references.values():
            model = place.setdefault(id(reference), len(texts))
            if model == len(texts):
                texts.append(reference)
            peers.append(peer)
            models.append(model)
        starts.append(len(peers))
    return Pairs(texts, np.array(starts), np.array(peers, np.int64), np.array(models, np.int64))


def _no_reference(id: str) -> CorpusError:
    what = "there is no reference to score against"
    return CorpusError(what, where=Where(id=id), hint="add one, or --skip-bad")


def _rows(batch: list[Comparison], mode: str) -> Iterator[tuple[Comparison, str | None]]:
    for comparison in batch:
        if mode == "each":
            yield from ((comparison, reference) for reference in comparison.references)
        else:
            yield comparison, None


def comparisons(topic: Topic, summaries: Iterable[Summary]) -> Iterator[Comparison]:
    """What a topic's summaries are compared with; `selected` summaries become their sentences."""
    references = {reference.id: reference.sentences for reference in topic.references}
    for summary in summaries:
        yield Comparison(topic.id, summary.system, text_of(topic, summary), references)


def text_of(topic: Topic, summary: Summary) -> Sequence[str]:
    """A summary's sentences; those of the topic that it selected, in its order, if it gave numbers only."""
    if summary.sentences or summary.selected is None:
        return summary.sentences
    source = topic.texts()
    wrong = [number for number in summary.selected if not 0 <= number < len(source)]
    if wrong:
        raise CorpusError(
            f"{summary.system!r} selects sentence {wrong[0]}, but the topic has {len(source)}",
            where=Where(id=topic.id),
            hint="numbers count from 0, documents in corpus order",
        )
    return [source[number] for number in summary.selected]


@dataclass(frozen=True, slots=True)
class Scored(Shown):
    """The scores of many texts: arrays a metric, in the order of the texts."""

    scores: Mapping[str, Scores]
    signature: str

    def _shown(self) -> dict[str, str]:
        """Means over the texts; `average` has intervals."""
        means = {
            f"{name} R, P, F": ", ".join(f"{part.mean():.5f}" for part in (one.recall, one.precision, one.f1))
            for name, one in self.scores.items()
            if len(one.recall)
        }
        return {**means, "signature": self.signature}

    def average(self, resamples: int = RESAMPLES, confidence: float = CONFIDENCE) -> dict[str, Average]:
        """Averages with bootstrap intervals as the script prints them; texts count in the order given."""
        averages = averages_of(list(self.scores.values()), resamples, confidence)
        return dict(zip(self.scores, averages, strict=True))


def score(
    summaries: Sequence[Text],
    references: Sequence[Text | Sequence[Text]],
    metric: str | Metric = "rouge-1+rouge-2+rouge-l",
    options: Options | None = None,
    threads: int | None = None,
) -> Scored:
    """ROUGE of summaries, each against its reference or references.

    A text is a string (a sentence a line). `references[i]` is a string, or a list of several
    references, each a string or a list of sentences. Many texts are shared among as many `threads` as
    there are cores, unless told otherwise; the scores are the same.

    >>> result = score(["The cat sat."], [["A cat sat down.", "The cat sat there."]], "rouge-1")
    >>> result.scores["rouge-1"].recall.tolist()
    [0.625]
    """
    _check_rows(summaries, references)
    if threads is not None and threads < 1:
        raise OptionError(f"{threads} threads can score nothing", hint="at least 1, or None for all cores")
    scorer = Scorer(Metric.parse(metric) if isinstance(metric, str) else metric, options or Options())
    firsts = range(0, len(summaries), BATCH)
    if len(firsts) > 1:
        plainly.end()
    # a vocabulary belongs to one thread, and so does its scorer
    own = local()

    def batch(first: int) -> list[Scores]:
        if not hasattr(own, "scorer"):
            own.scorer = Scorer(scorer.metric, scorer.options)
        rows = slice(first, first + BATCH)
        found: list[Scores] = own.scorer.scores_of(_pairs_of_rows(summaries[rows], references[rows]))
        return found

    batches = _shared(batch, firsts, threads or cores())
    names = [str(part) for part in scorer.metric.parts]
    columns = {name: joined([found[place] for found in batches]) for place, name in enumerate(names)}
    return Scored(columns, scorer.signature)


def _shared(do: Callable[[int], list[Scores]], parts: Sequence[int], threads: int) -> list[list[Scores]]:
    """What is done of each part, in order."""
    if min(threads, len(parts)) < 2:
        return list(map(do, parts))
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(threads, len(parts)), "topline-score") as pool:
        return list(pool.map(do, parts))


def _check_rows(summaries: Sequence[Text], references: Sequence[Text | Sequence[Text]]) -> None:
    if isinstance(summaries, str) or isinstance(references, str):
        # a string is a sequence of one-letter texts to Python, which nobody means
        raise OptionError("one text where a list of texts is needed", hint='score(["…"], ["…"])')
    if len(summaries) != len(references):
        what = f"{len(summaries)} summaries but {len(references)} references"
        raise OptionError(what, hint="give as many of the one as of the other")
    for row, several in enumerate(references):
        if not isinstance(several, str) and not len(several):
            raise _no_reference(str(row))


def _pairs_of_rows(summaries: Sequence[Text], references: Sequence[Text | Sequence[Text]]) -> Pairs:
    """Summaries first, then all references in order."""
    texts = list(summaries)
    starts = [0]
    for several in references:
        if isinstance(several, str):
            texts.append(several)
        else:
            texts.extend(several)
        starts.append(len(texts) - len(summaries))
    peers = np.repeat(np.arange(len(summaries)), np.diff(starts))
    return Pairs(texts, np.array(starts), peers, np.arange(len(summaries), len(texts)))


def _batches(stream: Iterable[Comparison]) -> Iterator[list[Comparison]]:
    iterator = iter(stream)
    while batch := list(islice(iterator, BATCH)):
        yield batch
