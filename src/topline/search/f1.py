"""The extract with the best F1: `2 f(S) / (T + K m(S))`, for one metric or a sum of several.

Small documents are searched depth first with a bound on the sum of ratios. Where that takes too long,
one metric is solved by Dinkelbach's iteration: maximise `b f(S) - a K m(S)` for the best ratio `a/b` so
far, a coverage problem with a charge per sentence, until the maximum is `a T`. A sum then has the sum
of its metrics' best as its bound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from topline.errors import MetricError, Where
from topline.problem.build import Instance
from topline.problem.problem import Ints, Problem
from topline.search.exact import NO_LIMITS, Limits, solve
from topline.search.greedy import counts_of, root_bound, single_hits
from topline.search.timing import deadline_of, until

if TYPE_CHECKING:
    from topline.search.kernels.counts import Counts

_LARGEST = 2**62
FIRST_NODES = 20_000
"""Nodes of the depth-first search before Dinkelbach takes over."""
MOST_NODES = 1 << 23
"""Nodes after which the search for the best sum of F1 makes do with a bound."""
Chosen = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Best:
    """The best extract found by a sum of ratios, as exact fractions."""

    chosen: Chosen
    value: Fraction
    bound: Fraction
    """No extract has a larger value."""
    proved: bool
    nodes: int


def part_hits(instance: Instance, chosen: Chosen | list[int]) -> list[int]:
    """The hits of an extract by part of the metric, unscaled."""
    problem = instance.problem
    have = np.zeros(len(problem.gain_starts), np.int64)
    for i in chosen:
        entries = slice(problem.starts[i], problem.starts[i + 1])
        have[problem.grams[entries]] += problem.counts[entries]
    hits = [0] * len(instance.totals)
    for gram in np.flatnonzero(have):
        first = int(problem.gain_starts[gram])
        last = min(first + int(have[gram]), int(problem.gain_starts[gram + 1]))
        part = int(np.searchsorted(instance.part_starts, gram, "right")) - 1
        hits[part] += int(problem.gains[first:last].sum()) // instance.scales[part]
    return hits


def f1(instance: Instance, chosen: Chosen | list[int]) -> Fraction:
    """The F1 of an extract, summed over the metric's parts: slow, simple, the judge of the search."""
    score = Fraction(0)
    for part, hits in enumerate(part_hits(instance, chosen)):
        own = sum(int(instance.own[part, i]) for i in chosen)
        score += Fraction(2 * hits, instance.totals[part] + instance.pooled * own)
    return score


def shown(instance: Instance, chosen: Chosen) -> tuple[int, int]:
    """F1 as hits and total: of one metric as it is defined, of a sum over the least common denominator."""
    if len(instance.totals) > 1:
        value = f1(instance, chosen)
        return value.numerator, value.denominator
    own = sum(int(instance.own[0, i]) for i in chosen)
    return 2 * part_hits(instance, chosen)[0], instance.totals[0] + instance.pooled * own


def recall(instance: Instance, chosen: Chosen | list[int]) -> Fraction:
    """The recall of an extract, summed over the metric's parts."""
    return Fraction(instance.problem.hits(list(chosen)), instance.denominator)


def best_f1(instance: Instance, limits: Limits = NO_LIMITS) -> Best:
    """The extract with the best F1; ties go to fewer sentences, then to smaller numbers.

    Where Dinkelbach's iteration had to take over, the first optimum it finds is kept.
    """
    begin, deadline = perf_counter(), deadline_of(limits)
    most, total = FIRST_NODES, 0
    guess: Chosen = greedy_f1(instance)
    while True:
        guess, nodes, complete = ratio_search(instance, "f1", most, guess)
        total += nodes
        if complete:
            value = f1(instance, guess)
            return Best(guess, value, value, True, total)
        if len(instance.totals) == 1:
            return _dinkelbach(instance, guess, limits, deadline, total)
        # each round takes four times the last one's nodes; the bound needs time of its own
        hopeless = nodes == 0 or total > (limits.nodes or MOST_NODES)
        if hopeless or 8 * (perf_counter() - begin) > deadline - begin:
            return _bounded(instance, guess, limits, deadline, total)
        most *= 4


def most_f1(instance: Instance) -> Fraction:
    """A quick bound: `h` hits take at least `h / K` n-grams, so F1 is at most `2h / (T + h)`."""
    bound = Fraction(0)
    for part, total in enumerate(instance.totals):
        alone = one_part(instance, part).problem
        hits = root_bound(alone, single_hits(alone))
        bound += Fraction(2 * hits, total + hits)
    return bound


def greedy_f1(instance: Instance, objective: str = "f1") -> Chosen:
    """The greedy of extractive training pipelines: add what raises the F1 most, in order of adding."""
    from topline.search.kernels.ratio import greedy_ratio

    size, joined = greedy_ratio(*_arguments(instance, objective))
    return tuple(map(int, joined[:size]))


def ratio_search(
    instance: Instance, objective: str, most: int, guess: Chosen = ()
) -> tuple[Chosen, int, bool]:
    """The best by F1 or recall, depth first: sentences rising, nodes visited, whether it was complete."""
    from topline.search.kernels.ratio import best_ratio

    best = np.zeros(instance.problem.sentences + 1, np.int64)
    best[: len(guess)] = sorted(guess)
    size, nodes, complete, _ = best_ratio(
        *_arguments(instance, objective), most, best, len(guess), np.zeros(0, np.int64)
    )
    return tuple(map(int, best[:size])), int(nodes), bool(complete)


def all_best(instance: Instance, chosen: Chosen, most: int, objective: str = "f1") -> list[Chosen] | None:
    """Every extract as good as a best one, in order of their sentences; None if `most` nodes did not do."""
    from topline.search.kernels.ratio import best_ratio

    arguments = _arguments(instance, objective)
    room = 1 << 12
    while True:
        best = np.zeros(instance.problem.sentences + 1, np.int64)
        best[: len(chosen)] = sorted(chosen)
        collected = np.zeros(room, np.int64)
        _, _, complete, written = best_ratio(*arguments, most, best, len(chosen), collected)
        if not complete or written > 1 << 24:
            return None
        if written <= room:
            return sorted(_unpacked(collected[:written].tolist()))
        room = int(written)


def _unpacked(cells: list[int]) -> list[Chosen]:
    found = []
    at = 0
    while at < len(cells):
        found.append(tuple(sorted(cells[at + 1 : at + 1 + cells[at]])))
        at += 1 + cells[at]
    return found


def _arguments(instance: Instance, objective: str) -> tuple[Counts, int, Ints, Ints, Ints, Ints]:
    """What the kernels take; values must fit 64 bits over their common denominator."""
    problem = instance.problem
    own = instance.own * (instance.pooled if objective == "f1" else 0)
    totals = np.array(instance.totals, np.int64)
    largest = [int(total) + int(row.sum()) for total, row in zip(totals, own, strict=True)]
    if len(largest) * prod(largest) >= _LARGEST:
        raise MetricError(
            "the F1 of so many metrics on so long a text has no denominator below 2^62",
            where=Where(id=instance.topic),
            hint="add fewer metrics",
        )
    scales = np.array(instance.scales, np.int64)
    return counts_of(problem), problem.budget, instance.part_starts, scales, totals, own


def one_part(instance: Instance, part: int) -> Instance:
    """The same topic by one part of the metric alone, gains unscaled."""
    problem = instance.problem
    first, last = int(instance.part_starts[part]), int(instance.part_starts[part + 1])
    kept = (problem.grams >= first) & (problem.grams < last)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])[problem.starts]
    gains = slice(problem.gain_starts[first], problem.gain_starts[last])
    alone = replace(
        problem,
        starts=starts,
        grams=problem.grams[kept] - first,
        counts=problem.counts[kept],
        gain_starts=problem.gain_starts[first : last + 1] - problem.gain_starts[first],
        gains=problem.gains[gains] // instance.scales[part],
        total=instance.totals[part],
    )
    return replace(
        instance,
        problem=alone,
        denominator=instance.totals[part],
        part_starts=np.array([0, last - first], np.int64),
        scales=(1,),
        totals=(instance.totals[part],),
        own=instance.own[part : part + 1],
    )


def charged(instance: Instance, ratio: Fraction) -> Problem:
    """Dinkelbach's problem for one metric: its value exceeds `a T` iff some extract's ratio exceeds `a/b`."""
    a, b = ratio.numerator, ratio.denominator
    problem = instance.problem
    largest = max(b * problem.total, a * instance.pooled * int(instance.own.sum()))
    if largest >= _LARGEST:
        raise MetricError(
            "the F1 of so long a text does not fit 64 bits", where=Where(id=instance.topic), hint="cut it"
        )
    charges: Ints = instance.own[0] * (a * instance.pooled)
    return replace(problem, gains=problem.gains * b, total=problem.total * b, charges=charges)


def _dinkelbach(instance: Instance, guess: Chosen, limits: Limits, deadline: float, nodes: int) -> Best:
    """Exact for one metric: each step's maximum gives the next ratio, until nothing exceeds it."""
    total = instance.totals[0]
    while True:
        ratio = f1(instance, guess) / 2
        found = solve(charged(instance, ratio), until(deadline, limits))
        nodes += found.nodes
        reached = ratio.numerator * total
        better = found.value > reached
        if better:
            guess = tuple(sorted(map(int, found.chosen)))
        if found.proved and better:
            continue
        value = f1(instance, guess)
        # b f - a K m <= bound for every extract, so its ratio exceeds a/b by at most this
        above = Fraction(max(0, found.bound - reached), ratio.denominator * total)
        bound = value if found.proved else max(value, 2 * (ratio + above))
        return Best(guess, value, bound, value == bound, nodes)


def _bounded(instance: Instance, guess: Chosen, limits: Limits, deadline: float, nodes: int) -> Best:
    """What a sum was found to reach, and the sum of what its metrics can reach each."""
    value, bound = f1(instance, guess), Fraction(0)
    parts = len(instance.totals)
    for part in range(parts):
        share = perf_counter() + max(0.0, deadline - perf_counter()) / (parts - part)
        alone = one_part(instance, part)
        best = _dinkelbach(alone, greedy_f1(alone), limits, share, 0)
        bound += best.bound
        nodes += best.nodes
    return Best(guess, value, bound, value == bound, nodes)
