"""Summaries by the references they share, so that these are counted once for all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topline.rouge.counts import Counts, Ints, Texts, check_number, gram_totals
from topline.rouge.metric import Part


@dataclass(frozen=True, slots=True)
class Groups:
    """Group `g` has the summaries `peer_starts[g]:peer_starts[g + 1]` of `peers`, and likewise `models`."""

    peers: Ints
    peer_starts: Ints
    models: Ints
    model_starts: Ints
    pairs: Ints
    """Where each summary's comparisons begin, in the order in which they were asked for."""


def grouped(peers: Ints, models: Ints, starts: Ints) -> Groups:
    """Sort summaries by their references: summary `peers[i]` has `models[starts[i]:starts[i + 1]]`."""
    bounds, references = starts.tolist(), models.tolist()
    members: dict[tuple[int, ...], list[int]] = {}
    for i in range(len(peers)):
        members.setdefault(tuple(references[bounds[i] : bounds[i + 1]]), []).append(i)
    order = np.array([i for group in members.values() for i in group], np.int64)
    return Groups(
        peers[order],
        np.cumsum([0, *map(len, members.values())]),
        np.array([model for shared in members for model in shared], np.int64),
        np.cumsum([0, *map(len, members)]),
        starts[order],
    )


def count_grams(part: Part, texts: Texts, groups: Groups) -> Counts:
    """What `count` gives for the same comparisons, in their order."""
    from topline.rouge.kernels_groups import group_hits

    lengths = texts.lengths
    totals = gram_totals(part, lengths)
    longest = int(lengths.max(initial=0))
    numbers = np.diff(groups.model_starts)
    levels = max(1, part.n - 1)
    rooms = np.zeros(len(numbers), np.int64)
    np.add.at(rooms, np.repeat(np.arange(len(numbers)), numbers), (levels * totals + lengths)[groups.models])
    check_number(part, rooms, totals)
    hits = np.zeros(int(np.repeat(numbers, np.diff(groups.peer_starts)).sum()), np.int64)
    group_hits(
        texts.tokens.ids, texts.bounds, groups.peers, groups.peer_starts, groups.models, groups.model_starts,
        groups.pairs, part.n or 2, _gap(part, longest), part.kind == "su", texts.words, rooms,
        int(totals.max(initial=0)), hits,
    )  # fmt: skip
    peers, models = _pairs(groups, len(hits))
    return Counts(hits.astype(float), totals[models].astype(float), totals[peers].astype(float))


def _gap(part: Part, longest: int) -> int:
    if part.kind == "n":
        return -1
    return longest if part.gap is None else part.gap


def _pairs(groups: Groups, number: int) -> tuple[Ints, Ints]:
    """The texts of every comparison."""
    peers, models = np.zeros(number, np.int64), np.zeros(number, np.int64)
    for group in range(len(groups.peer_starts) - 1):
        references = groups.models[groups.model_starts[group] : groups.model_starts[group + 1]]
        members = slice(groups.peer_starts[group], groups.peer_starts[group + 1])
        places = groups.pairs[members, None] + np.arange(len(references))
        models[places] = references
        peers[places] = groups.peers[members, None]
    return peers, models
