"""The parts of a topic's study, each a pure function from a topic and its summaries to a JSON-able result.

A part is computed apart, so that it is stored apart: another system's summaries change the parts that look
at summaries and no other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from fractions import Fraction
from typing import Any

from topline.corpus.records import Summary, Topic
from topline.report.unit import Unit
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


def rouge(unit: Unit) -> Result:
    """Every system's ROUGE as the script counts it."""
    topic, settings = unit.topic, unit.settings
    pairs = list(comparisons(topic, unit.summaries))
    return {"table": _scores(settings.table, pairs), "scale": _scale(settings.metric, pairs)}


def _scale(metric: Metric, pairs: Sequence[Comparison]) -> dict[str, float]:
    """Recall by the scale's metric, a sum of parts added up."""
    found = _scores(metric, pairs)
    return {system: sum(score[0] for score in by_part.values()) for system, by_part in found.items()}


def people(unit: Unit) -> Result:
    """Every reference against the others, as a system's summary would be; none where there is but one."""
    topic, settings = unit.topic, unit.settings
    if len(topic.references) < 2:
        return {}
    pairs = [
        Comparison(
            topic.id, one.id, one.sentences, {o.id: o.sentences for o in topic.references if o is not one}
        )
        for one in topic.references
    ]
    return {"table": _scores(settings.table, pairs), "scale": _scale(settings.metric, pairs)}


def oracle(unit: Unit) -> Result:
    """The best extracts: their score, number, members; the first of them listed."""
    topic, settings = unit.topic, unit.settings
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
        "by_size": {
            str(sentence): {str(size): str(count) for size, count in sorted(sizes.items())}
            for sentence, sizes in sorted(found.membership_by_size.items())
        },
        "jaccard": None if alike is None else alike.mean,
    }


def baselines(unit: Unit) -> Result:
    """Greedy, lead and random extracts on the scale, counted as the oracle is."""
    topic, settings = unit.topic, unit.settings
    from topline.problem.build import build
    from topline.search.greedy import greedy
    from topline.systems.registry import create
    from topline.systems.summarize import Summarizer, choose

    (instance,) = build(topic, settings.metric, settings.budget)
    problem, total = instance.problem, instance.denominator
    ready = Summarizer(create("lead"), settings.budget)
    prepared, room = ready.prepare(topic), ready.room(topic.texts())
    seeds = range(settings.seed, settings.seed + RANDOM_DRAWS)
    draws = [problem.hits(choose(create("random", {"seed": seed}), prepared, room)) for seed in seeds]
    return {
        "greedy": problem.hits(list(greedy(problem).chosen)) / total,
        "lead": problem.hits(choose(ready.system, prepared, room)) / total,
        "random": sum(draws) / total / len(draws),
    }


RANDOM_DRAWS = 100
"""Random extracts whose mean stands for chance: under a budget of words there is no closed form."""


def agreement(unit: Unit) -> Result:
    """Precision, recall and F of extractive systems over all best extracts, from those that were found."""
    found = unit.known.get("oracle")
    if not found or not found["proved"]:
        return {}
    extracts = {one.system: one.selected for one in unit.summaries if one.selected is not None}
    return {system: list(map(float, over_all(found, set(chosen)))) for system, chosen in extracts.items()}


def over_all(found: Mapping[str, Any], chosen: Set[int]) -> tuple[Fraction, Fraction, Fraction]:
    """Averages over all best extracts: sums over sentences, by the sizes of the extracts that hold them."""
    held: Counter[int] = Counter()
    for sentence in chosen:
        for size, count in found["by_size"].get(str(sentence), {}).items():
            held[int(size)] += int(count)
    sets = int(found["count"])
    empty = int(found["sizes"].get("0", "0"))
    if not chosen:
        return (Fraction(empty, sets),) * 3
    precision = Fraction(sum(held.values()), len(chosen) * sets)
    recall = sum((Fraction(count, size) for size, count in held.items()), Fraction(0)) / sets
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else Fraction(0)


def mead(unit: Unit) -> Result:
    """MEAD's score table, as Table 3 of its paper."""
    topic, settings = unit.topic, unit.settings
    from topline.systems.registry import create
    from topline.systems.summarize import Summarizer, signature
    from topline.systems.table import score_rows

    system = create("mead")
    ready = Summarizer(system, settings.budget, background=unit.background)
    rows = score_rows(topic, ready.run(topic), system)
    return {
        "signature": signature(ready),
        "rows": [{name: value for name, value in row.items() if name != "id"} for row in rows],
    }


def compress(unit: Unit) -> Result:
    """The best summary of trimmed sentences, with what is kept of each."""
    from topline.compress.oracle import Compressions

    if unit.parsed is None:
        return {}
    settings = unit.settings
    limits = Limits(seconds=settings.seconds)
    (found,) = Compressions(settings.metric, settings.budget, limits=limits).of(unit.parsed)
    parts = zip(found.selected, found.sentences, found.kept, strict=True)
    return {
        "score": found.score,
        "hits": found.hits,
        "bound": found.bound,
        "total": found.total,
        "proved": found.proved,
        "signature": found.signature,
        "sentences": [
            {"sentence": sentence, "text": text, "kept": [list(span) for span in kept]}
            for sentence, text, kept in parts
        ],
    }


SPREAD_SECONDS = 1.0
"""Work that a topic's distribution may take here: fifty topics are to be done in two minutes."""


def spread(unit: Unit) -> Result:
    """The distribution of the score over every extract of the topic, by whatever method reaches it."""
    from topline.spread.document import Measuring
    from topline.spread.settings import Settings as How

    settings = unit.settings
    how = How(extracts=settings.extracts, seconds=SPREAD_SECONDS, seed=settings.seed)
    (found,) = Measuring(settings.metric, replace(settings.budget, chop=False), how).of(unit.topic)
    one = found.distribution
    return {
        "method": found.method,
        "note": found.note,
        "extracts": str(one.extracts),
        "total": one.total,
        "exact": one.exact,
        "draws": one.draws,
        "counts": {str(hits): str(count) for hits, count in sorted(one.counts.items())},
        "tail": {str(hits): str(count) for hits, count in sorted(one.tail.items())},
        "tail_from": one.tail_from,
        "rare": {str(hits): [str(low), str(high)] for hits, (low, high) in sorted(one.rare.items())},
    }


def rank(unit: Unit) -> Result:
    """Every system's place among all extracts."""
    from topline.report.ranks import rank as place

    return place(unit)


STAGES: Mapping[str, Callable[[Unit], Result]] = {
    "rouge": rouge,
    "people": people,
    "oracle": oracle,
    "baselines": baselines,
    "agreement": agreement,
    "spread": spread,
    "rank": rank,
    "compress": compress,
    "mead": mead,
}
LOOK_AT_SUMMARIES = frozenset({"rouge", "agreement", "rank"})
"""The parts that depend on what systems wrote."""
BUILDS_ON = {"agreement": "oracle", "rank": "spread"}
"""Parts that need another part's result."""
DEPEND_ON: Mapping[str, tuple[str, ...]] = {
    "rouge": ("metric", "table"),
    "people": ("metric", "table"),
    "oracle": ("metric", "budget", "listed", "seed"),
    "baselines": ("metric", "budget", "seed"),
    "agreement": ("metric", "budget"),
    "spread": ("metric", "budget", "seed"),
    "rank": ("metric", "budget", "seed"),
    "compress": ("metric", "budget"),
    "mead": ("budget",),
}
"""The settings that a part's result depends on. Time is none of them: what it cut short is not kept."""


def texts(topic: Topic, summaries: Summaries) -> dict[str, Any]:
    """What systems wrote, as the page shows it."""
    return {
        one.system: {
            "selected": None if one.selected is None else list(one.selected),
            "sentences": list(text_of(topic, one)),
        }
        for one in summaries
    }
