"""The parts of a topic's study, each a pure function from a topic and its summaries to a JSON-able result.

A part is computed apart, so that it is stored apart: another system's summaries change the parts that look
at summaries and no other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from topline.corpus.records import Summary, Topic
from topline.report.settings import Settings
from topline.rouge.metric import Metric
from topline.rouge.score import Comparison, Options, Scorer, comparisons, text_of
from topline.search.exact import Limits

Summaries = Sequence[Summary]
Result = Any


def _scores(metric: Metric, pairs: Sequence[Comparison]) -> dict[str, dict[str, list[float]]]:
    """Recall, precision and F by system and metric."""
    found: dict[str, dict[str, list[float]]] = {pair.system: {} for pair in pairs}
    for one in Scorer(metric, Options()).score(pairs):
        found[one.system][one.metric] = [one.recall, one.precision, one.f1]
    return found


def rouge(topic: Topic, summaries: Summaries, settings: Settings) -> Result:
    """Every system's ROUGE as the script counts it."""
    pairs = list(comparisons(topic, summaries))
    return {"table": _scores(settings.table, pairs), "scale": _scale(settings.metric, pairs)}


def _scale(metric: Metric, pairs: Sequence[Comparison]) -> dict[str, float]:
    """Recall by the scale's metric, a sum of parts added up."""
    found = _scores(metric, pairs)
    return {system: sum(score[0] for score in by_part.values()) for system, by_part in found.items()}


def people(topic: Topic, _: Summaries, settings: Settings) -> Result:
    """Every reference against the others, as a system's summary would be; none where there is but one."""
    if len(topic.references) < 2:
        return {}
    pairs = [
        Comparison(
            topic.id, one.id, one.sentences, {o.id: o.sentences for o in topic.references if o is not one}
        )
        for one in topic.references
    ]
    return {"table": _scores(settings.table, pairs), "scale": _scale(settings.metric, pairs)}


def oracle(topic: Topic, _: Summaries, settings: Settings) -> Result:
    """The best extracts: their score, number, members; the first of them listed."""
    from itertools import islice

    from topline.problem.build import build
    from topline.search.optima import optima

    (instance,) = build(topic, settings.metric, settings.budget)
    found = optima(instance.problem, Limits(seconds=settings.seconds))
    listed = [list(chosen) for chosen in islice(found, settings.listed)]
    members = {
        sentence: float(Fraction(sum(by_size.values()), found.count))
        for sentence, by_size in found.membership_by_size.items()
    }
    alike = found.similarity(seed=settings.seed)
    return {
        "hits": found.value,
        "bound": found.bound,
        "total": instance.denominator,
        "parts": len(settings.metric.parts),
        "proved": found.proved,
        "count": str(found.count),
        "count_all": str(found.count_all),
        "sizes": {str(size): str(count) for size, count in sorted(found.sizes.items())},
        "list": listed,
        "membership": {str(sentence): share for sentence, share in sorted(members.items())},
        "jaccard": None if alike is None else alike.mean,
    }


def baselines(topic: Topic, _: Summaries, settings: Settings) -> Result:
    """Greedy, lead and random extracts on the scale, counted as the oracle is."""
    from topline.problem.build import build
    from topline.search.greedy import greedy
    from topline.systems.summarize import summarize

    (instance,) = build(topic, settings.metric, settings.budget)
    problem, total = instance.problem, instance.denominator
    chosen = {
        "greedy": greedy(problem).chosen,
        "lead": summarize(topic, "lead", settings.budget).selected or (),
    }
    draws = [
        problem.hits(list(summarize(topic, "random", settings.budget, seed=settings.seed + n).selected or ()))
        for n in range(RANDOM_DRAWS)
    ]
    return {
        **{name: problem.hits(list(some)) / total for name, some in chosen.items()},
        "random": sum(draws) / total / len(draws),
    }


RANDOM_DRAWS = 100
"""Random extracts whose mean stands for chance: under a budget of words there is no closed form."""


def agreement(topic: Topic, summaries: Summaries, settings: Settings) -> Result:
    """Precision, recall and F of extractive systems over all best extracts."""
    from topline.problem.build import build
    from topline.search.optima import optima

    extracts = {one.system: one.selected for one in summaries if one.selected is not None}
    if not extracts:
        return {}
    (instance,) = build(topic, settings.metric, settings.budget)
    found = optima(instance.problem, Limits(seconds=settings.seconds))
    if not found.proved:
        return {}
    over_all = {system: found.agreement(chosen) for system, chosen in extracts.items()}
    return {system: [float(a.precision), float(a.recall), float(a.f1)] for system, a in over_all.items()}


def mead(topic: Topic, _: Summaries, settings: Settings) -> Result:
    """MEAD's score table, as Table 3 of its paper."""
    from topline.systems.registry import create
    from topline.systems.summarize import Summarizer
    from topline.systems.table import score_rows

    system = create("mead")
    run = Summarizer(system, settings.budget).run(topic)
    return [
        {name: value for name, value in row.items() if name != "id"} for row in score_rows(topic, run, system)
    ]


STAGES: Mapping[str, Callable[[Topic, Summaries, Settings], Result]] = {
    "rouge": rouge,
    "people": people,
    "oracle": oracle,
    "baselines": baselines,
    "agreement": agreement,
    "mead": mead,
}
LOOK_AT_SUMMARIES = frozenset({"rouge", "agreement", "rank"})
"""The parts that depend on what systems wrote."""


def texts(topic: Topic, summaries: Summaries) -> dict[str, Any]:
    """What systems wrote, as the page shows it."""
    return {
        one.system: {
            "selected": None if one.selected is None else list(one.selected),
            "sentences": list(text_of(topic, one)),
        }
        for one in summaries
    }


__all__ = ["LOOK_AT_SUMMARIES", "STAGES", "Settings", "asdict", "texts"]
