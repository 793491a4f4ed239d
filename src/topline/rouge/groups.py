"""Summaries by the references they share, so that these are counted once for all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topline.rouge.counts import Counts, Ints, Texts, check_number, gap_of, gram_totals, plain_gram_hits
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
    lengths = texts.lengths
    totals = gram_totals(part, lengths)
    numbers = np.diff(groups.model_starts)
    levels = max(1, part.n - 1)
    rooms = np.zeros(len(numbers), np.int64)
    np.add.at(rooms, np.repeat(np.arange(len(numbers)), numbers), (levels * totals + lengths)[groups.models])
    check_number(part, rooms, totals)
    peers, models = _pairs(groups, int(np.repeat(numbers, np.diff(groups.peer_starts)).sum()))
    hits = plain_gram_hits(part, texts, peers, models, totals)
    if hits is None:
        hits = _group_hits(part, texts, groups, rooms, totals, len(peers))
    return Counts(hits.astype(float), totals[models].astype(float), totals[peers].astype(float))


def _group_hits(part: Part, texts: Texts, groups: Groups, rooms: Ints, totals: Ints, pairs: int) -> Ints:
    from topline.rouge.kernels_groups import group_hits

    hits = np.zeros(pairs, np.int64)
    gap = gap_of(part, int(texts.lengths.max(initial=0)))
    group_hits(
        texts.tokens.ids, texts.bounds, groups.peers, groups.peer_starts, groups.models, groups.model_starts,
        groups.pairs, part.n or 2, gap, part.kind == "su", texts.words, rooms, int(totals.max(initial=0)),
        hits,
    )  # fmt: skip
    return hits


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
