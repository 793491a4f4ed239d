"""MEAD's weights, learned: what the paper left open (section 3.5.4), with a word on how sure one can be.

Only the proportions of the weights matter, so the candidates are all ways to deal out `steps` shares among
the features, each feature measured by its mean largest value, and the weights known by name beside them.
Every candidate summarises every topic once. Cross-validation then chooses the best candidate without a
part of the topics and scores it on that part; the mean of these scores says what the learned weights are
worth on topics they were not learned on. The weights that are given out are the best on all topics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from topline.corpus.records import Topic
from topline.errors import OptionError
from topline.systems.matrix import Floats, Ints
from topline.systems.mead.rerank import Scored
from topline.systems.mead.system import MORE, WEIGHTS, Mead
from topline.systems.prepared import Prepared
from topline.systems.registry import options_of
from topline.systems.summarize import Summarizer, summary_of

Value = Callable[[Topic, Sequence[tuple[Sequence[int], Sequence[str]]]], Sequence[float]]
"""What extracts of a topic are worth, each given as its sentences' numbers and its text."""
Weights = dict[str, float]
THREE = ("centroid", "position", "first")
DIGITS = 4
"""Significant digits of a learned weight."""


@dataclass(frozen=True)
class Fold:
    """One part of the topics, held out."""

    topics: int
    weights: Weights
    """Best on the other topics."""
    trained: float
    """What they reach there..."""
    held_out: float
    """... and on this part."""
    default: float
    """What the weights one had before reach on this part."""


@dataclass(frozen=True)
class Tuned:
    """Learned weights and what is known about them."""

    weights: Weights
    score: float
    """On the topics they were learned on: too good to be believed."""
    held_out: float
    """By cross-validation."""
    default: float
    """Of the weights one had before."""
    named: dict[str, float]
    """Of the weights known by name."""
    gain_low: float
    """The interval of `held_out - default`, by bootstrap over topics."""
    gain_high: float
    folds: tuple[Fold, ...]
    topics: int

    @property
    def surer_than_chance(self) -> bool:
        """Whether the whole interval of the gain is above 0."""
        return self.gain_low > 0


@dataclass(frozen=True)
class Plan:
    """How to learn."""

    features: tuple[str, ...] = THREE
    steps: int = 10
    folds: int = 10
    resamples: int = 10_000
    confidence: float = 95.0
    seed: int = 0

    def __post_init__(self) -> None:
        unknown = [name for name in self.features if name not in (*THREE, *MORE)]
        if unknown or not self.features or len(set(self.features)) < len(self.features):
            known = ", ".join((*THREE, *MORE))
            raise OptionError(f"features {','.join(self.features)!r} make no sense", hint=f"some of {known}")
        if self.steps < 1 or self.folds < 2 or self.resamples < 1 or not 0 < self.confidence < 100:
            raise OptionError("steps and resamples must be 1 or more, folds 2 or more, confidence below 100")
        if self.seed < 0:
            raise OptionError(f"a seed of {self.seed} makes no sense", hint="0 or more")


def tune(topics: Iterable[Topic], summarizer: Summarizer, value: Value, plan: Plan | None = None) -> Tuned:
    """Learn the weights of a MEAD summarizer; `value` says what an extract is worth."""
    plan = plan or Plan()
    mead = summarizer.system
    if not isinstance(mead, Mead):
        raise OptionError(f"only mead has weights to learn, not {mead.name}", hint="--system mead:…")
    tables = [table_of(topic, summarizer, mead, plan.features) for topic in topics]
    if len(tables) < 2:
        raise OptionError(f"{len(tables)} topics are too few to learn from", hint="two or more, better fifty")
    candidates = candidates_of(mead, plan, _scales(tables, plan.features))
    worth = np.array([list(_worth(table, candidates, mead, summarizer, value)) for table in tables])
    folds = tuple(_folds(worth, candidates, plan))
    held_out = np.concatenate([fold_scores for _, fold_scores in folds])
    default = np.concatenate([worth[rows, 0] for rows in _parts(len(tables), plan)])
    low, high = _interval(held_out - default, plan)
    best = _best(worth.mean(axis=0))
    return Tuned(
        weights=candidates[best],
        score=float(worth[:, best].mean()),
        held_out=float(held_out.mean()),
        default=float(worth[:, 0].mean()),
        named={name: float(worth[:, 1 + place].mean()) for place, name in enumerate(_named())},
        gain_low=low,
        gain_high=high,
        folds=tuple(fold for fold, _ in folds),
        topics=len(tables),
    )


@dataclass(frozen=True)
class Table:
    """A topic's features, computed once for all candidates."""

    topic: Topic
    prepared: Prepared
    values: dict[str, Floats]
    short: Any


def table_of(topic: Topic, summarizer: Summarizer, mead: Mead, names: Sequence[str]) -> Table:
    """Prepare a topic and compute its features."""
    prepared = summarizer.prepare(topic)
    values = mead.features(prepared, [name for name in names if name in MORE])
    return Table(topic, prepared, values, mead.short(prepared))


def _scales(tables: Sequence[Table], names: Sequence[str]) -> Weights:
    """Each feature's mean largest value; 1 for one that is 0 throughout."""
    scales = {
        name: float(np.mean([np.abs(table.values[name]).max(initial=0.0) for table in tables]))
        for name in names
    }
    return {name: scale or 1.0 for name, scale in scales.items()}


def candidates_of(mead: Mead, plan: Plan, scales: Weights) -> list[Weights]:
    """The weights one has, those known by name, then every way to deal out the shares."""
    own = dict(zip(THREE, mead.three_weights, strict=True))
    others = {name: getattr(mead, name) for name in MORE if getattr(mead, name) or name in plan.features}
    found = [own | others, *(named | others for named in _named().values())]
    base = scales[plan.features[0]]
    for shares in _shares(plan.steps, len(plan.features)):
        learned = {
            name: _rounded(share / plan.steps * base / scales[name])
            for name, share in zip(plan.features, shares, strict=True)
        }
        found.append(own | others | learned)
    return found


def _named() -> dict[str, Weights]:
    """The weights that are known by name."""
    return {name: dict(zip(THREE, three, strict=True)) for name, three in WEIGHTS.items() if three}


def _shares(steps: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to deal out so many shares, in a fixed order."""
    if parts == 1:
        yield (steps,)
        return
    for first in range(steps, -1, -1):
        for rest in _shares(steps - first, parts - 1):
            yield first, *rest


def _rounded(weight: float) -> float:
    return float(f"{weight:.{DIGITS}g}")


def _worth(
    table: Table, candidates: Sequence[Weights], mead: Mead, summarizer: Summarizer, value: Value
) -> Iterator[float]:
    """What each candidate's extract of a topic is worth; equal extracts are valued once."""
    room = summarizer.room(table.prepared.texts)
    extracts: list[tuple[int, ...]] = []
    for weights in candidates:
        changes: dict[str, Any] = dict(weights)
        system = replace(mead, **changes)
        scored = Scored(table.prepared, system.score(table.values, table.short), table.short)
        extracts.append(tuple(system.extract_scored(scored, room).chosen))
    distinct = list(dict.fromkeys(extracts))
    summaries = [summary_of(table.topic, table.prepared, list(chosen), room) for chosen in distinct]
    worth = dict(zip(distinct, value(table.topic, summaries), strict=True))
    yield from (worth[chosen] for chosen in extracts)


def _parts(topics: int, plan: Plan) -> list[Ints]:
    """The topics dealt out at random into parts of equal size (but for one topic)."""
    order = np.random.Generator(np.random.PCG64(plan.seed)).permutation(topics)
    return [np.sort(part) for part in np.array_split(order, min(plan.folds, topics))]


def _folds(worth: Floats, candidates: Sequence[Weights], plan: Plan) -> Iterator[tuple[Fold, Floats]]:
    """Each fold, and the scores of its topics."""
    for rows in _parts(len(worth), plan):
        others = np.delete(worth, rows, axis=0)
        best = _best(others.mean(axis=0))
        scores = worth[rows, best]
        yield (
            Fold(
                len(rows),
                candidates[best],
                float(others[:, best].mean()),
                float(scores.mean()),
                float(worth[rows, 0].mean()),
            ),
            scores,
        )


def _best(means: Floats) -> int:
    """The best candidate; the first on a tie, so that the weights one has stay unless others are better."""
    return int(np.argmax(np.round(means, 12)))


def _interval(gains: Floats, plan: Plan) -> tuple[float, float]:
    """The percentile interval of the mean gain, topics drawn with replacement."""
    generator = np.random.Generator(np.random.PCG64([plan.seed, 1]))
    means = [
        float(gains[generator.integers(0, len(gains), len(gains))].mean()) for _ in range(plan.resamples)
    ]
    tail = (100.0 - plan.confidence) / 2.0
    low, high = np.percentile(means, [tail, 100.0 - tail])
    return float(low), float(high)


def options_file(tuned: Tuned, mead: Mead, more: dict[str, Any]) -> dict[str, Any]:
    """What `--system mead:FILE` reads: the options with the learned weights, and where they are from."""
    options = {name: value for name, value in options_of(mead).items() if name != "weights"}
    return {
        "system": mead.name,
        "options": options | tuned.weights,
        "tuned": {
            "topics": tuned.topics,
            "score": tuned.score,
            "held_out": tuned.held_out,
            "default": tuned.default,
            "gain": [tuned.gain_low, tuned.gain_high],
            **more,
        },
    }
