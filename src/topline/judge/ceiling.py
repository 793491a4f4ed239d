"""What can be reached: people against people, and random, lead, greedy and oracle on one scale.

A reference is scored against the others (leave one out, as in Schluter 2017 and DUC's jackknife): what a
person reaches. `headroom = (system - random) / (oracle - random)` is how much of the way from chance to
the oracle a system has gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean as mean

from topline.corpus.records import Reference, Summary, Topic
from topline.errors import MetricError, SearchLimit, Where
from topline.problem.build import build
from topline.problem.problem import Problem
from topline.rouge.metric import Metric
from topline.rouge.score import Comparison, Score, Scorer, text_of
from topline.search.exact import NO_LIMITS, Limits, Solution, solve
from topline.search.greedy import greedy
from topline.systems.registry import create
from topline.systems.summarize import Summarizer
from topline.text.budget import Budget

Key = tuple[str, str, str]
"""Kind, name, metric."""


def leave_one_out(topic: Topic, scorer: Scorer) -> list[Score]:
    """Every reference scored against the topic's other references; `system` is the reference's id."""
    if len(topic.references) < 2:
        raise MetricError(
            "one reference has no others to be held against", where=Where(id=topic.id), hint="two or more"
        )
    compared = [
        Comparison(topic.id, one.id, one.sentences, _others(topic.references, one))
        for one in topic.references
    ]
    return list(scorer.score(compared))


def _others(references: Sequence[Reference], one: Reference) -> Mapping[str, Sequence[str]]:
    return {other.id: other.sentences for other in references if other.id != one.id}


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often a word must be matched (Schluter's Figure 1)."""

    id: str
    reference: str | None
    """None for the average over all references."""
    rank: int
    word: str
    frequency: float
    """Occurrences in the reference; averaged over all of them, below 1 for most words."""


def frequencies(topic: Topic, metric: Metric) -> list[Frequency]:
    """The words of each reference and of all on average, most frequent first (ties by the word)."""
    tokens = metric.preprocessing.tokens
    bags = {one.id: Counter(tokens(" ".join(one.sentences))) for one in topic.references}
    rows = [row for id, bag in bags.items() for row in _ranked(topic.id, id, bag, 1)]
    together: Counter[str] = sum(bags.values(), Counter())
    return [*rows, *_ranked(topic.id, None, together, max(len(bags), 1))]


def _ranked(topic: str, reference: str | None, bag: Counter[str], share: int) -> Iterator[Frequency]:
    order = sorted(bag.items(), key=lambda item: (-item[1], item[0]))
    for rank, (word, count) in enumerate(order, start=1):
        yield Frequency(topic, reference, rank, word, count / share)


@dataclass(frozen=True, slots=True)
class Step:
    """A place on the scale from random to oracle."""

    name: str
    kind: str
    """`random`, `lead`, `system`, `reference`, `greedy` or `oracle`."""
    metric: str
    score: float
    """The mean over topics, by the chosen field."""
    headroom: float | None
    """Held against random and the oracle on the same topics; None where random reaches the oracle."""
    topics: int


def headroom(score: float, random: float, oracle: float) -> float | None:
    """How much of the way from random to the oracle a score has gone; None where there is no way to go."""
    return (score - random) / (oracle - random) if oracle > random else None


def best_extract(topic: Topic, metric: Metric, budget: Budget, limits: Limits = NO_LIMITS) -> Solution:
    """The oracle of the pooled references."""
    (instance,) = build(topic, metric, budget)
    return solve(instance.problem, limits)


def scale(
    topics: Iterable[tuple[Topic, Sequence[Summary]]],
    scorer: Scorer,
    budget: Budget,
    *,
    by: str = "recall",
    draws: int = 20,
    limits: Limits = NO_LIMITS,
) -> list[Step]:
    """Random, lead, systems, references, greedy and oracle, scored alike and averaged over topics.

    The oracle and the greedy extract are made for each metric; random is the mean of `draws` seeds.
    Systems are scored as the scorer is told; references by leaving each out in turn.
    """
    found: dict[Key, dict[str, list[float]]] = {}
    for topic, summaries in topics:
        for kind, score in _on_topic(topic, summaries, scorer, budget, draws, limits):
            name = score.system if kind == "system" else kind
            of_topic = found.setdefault((kind, name, score.metric), {}).setdefault(topic.id, [])
            of_topic.append(getattr(score, by))
    means = {key: {id: mean(values) for id, values in cells.items()} for key, cells in found.items()}
    steps = [_step(key, cells, means) for key, cells in means.items()]
    order = ("random", "lead", "system", "reference", "greedy", "oracle")
    return sorted(steps, key=lambda step: (step.metric, order.index(step.kind), step.score, step.name))


def _step(key: Key, cells: Mapping[str, float], means: Mapping[Key, Mapping[str, float]]) -> Step:
    """A place on the scale: the way from random to the oracle is that on the step's own topics."""
    kind, name, metric = key
    chance, best = (mean(means[end, end, metric][id] for id in cells) for end in ("random", "oracle"))
    value = mean(cells.values())
    return Step(name, kind, metric, value, headroom(value, chance, best), len(cells))


def _on_topic(
    topic: Topic,
    summaries: Sequence[Summary],
    scorer: Scorer,
    budget: Budget,
    draws: int,
    limits: Limits,
) -> Iterator[tuple[str, Score]]:
    references = {one.id: one.sentences for one in topic.references}

    def scored(kind: str, given: Iterable[Summary], by: Scorer = scorer) -> Iterator[tuple[str, Score]]:
        compared = (Comparison(topic.id, one.system, text_of(topic, one), references) for one in given)
        for score in by.score(compared):
            yield kind, score

    prepared = Summarizer(create("lead"), budget).prepared(topic)

    def run(system: str, **options: int) -> Summary:
        return Summarizer(create(system, options), budget).run(topic, prepared).summary

    yield from scored("random", (run("random", seed=seed) for seed in range(draws)))
    yield from scored("lead", [run("lead")])
    yield from scored("system", summaries)
    if len(topic.references) > 1:
        for score in leave_one_out(topic, _pooling(scorer)):
            yield "reference", score
    for part in scorer.metric.parts:
        alone = Metric((part,), scorer.metric.preprocessing)
        (instance,) = build(topic, alone, budget)
        only = Scorer(alone, scorer.options)
        yield from scored("greedy", [_chosen(topic, greedy(instance.problem))], only)
        yield from scored("oracle", [_chosen(topic, _proved(topic, instance.problem, limits))], only)


def _proved(topic: Topic, problem: Problem, limits: Limits) -> Solution:
    """The best extract; one that may not be the best is no end of a scale."""
    solution = solve(problem, limits)
    if not solution.proved:
        raise SearchLimit(
            f"the best extract was not proved within the limits: {solution.value} of at most "
            f"{solution.bound} hits",
            where=Where(id=topic.id),
            hint="a larger --time-limit, or a smaller budget",
        )
    return solution


def _pooling(scorer: Scorer) -> Scorer:
    """The same scorer with references pooled: the one that is scored is left out already."""
    if scorer.options.references != "jackknife":
        return scorer
    return Scorer(scorer.metric, replace(scorer.options, references="pooled"))


def _chosen(topic: Topic, solution: Solution) -> Summary:
    return Summary(topic.id, "", selected=solution.chosen)
