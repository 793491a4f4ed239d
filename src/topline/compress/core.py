"""The problem without what no optimum needs: the arrays that the own search works on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topline.compress.arrays import Arrays, Bytes
from topline.compress.problem import CompressiveProblem, Rows
from topline.compress.tree import ROOT


@dataclass(frozen=True, slots=True)
class Core:
    """The nodes (chunks, some with their idle parents) that a best choice is made of."""

    arrays: Arrays
    budget: int
    chunks: Rows
    """The problem's chunks that each node stands for."""

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.arrays.parents)

    def hits(self, chosen: Bytes) -> int:
        """The gain of the chosen nodes (a 0/1 row)."""
        arrays = self.arrays
        counts = np.zeros(len(arrays.gain_starts) - 1, np.int64)
        kept = np.repeat(chosen, np.diff(arrays.entry_starts)) == 1
        np.add.at(counts, arrays.entry_grams[kept], arrays.entry_counts[kept])
        broken = np.zeros(len(arrays.link_grams), np.int64)
        np.add.at(broken, arrays.member_links, chosen[arrays.members] != arrays.signs)
        np.add.at(counts, arrays.link_grams[broken == 0], 1)
        sizes = np.diff(arrays.gain_starts)
        places = np.arange(len(arrays.gains)) - np.repeat(arrays.gain_starts[:-1], sizes)
        return int(arrays.gains[places < np.repeat(counts, sizes)].sum())

    def kept(self, chosen: Bytes) -> list[int]:
        """The problem's chunks behind the chosen nodes (a 0/1 row)."""
        return sorted(chunk for node in np.flatnonzero(chosen) for chunk in self.chunks[int(node)])


class _Draft:
    """Nodes while they are being dropped and merged."""

    def __init__(self, problem: CompressiveProblem) -> None:
        self.parents: list[int] = []
        self.lengths: list[int] = []
        self.hollow: list[int] = []
        self.chunks: list[list[int]] = []
        self.node_of = [0] * problem.chunks
        tops = np.bincount(
            problem.sentence[problem.parents == ROOT], minlength=len(problem.openings)
        ).tolist()
        openings = problem.openings.tolist()
        opened: dict[int, int] = {}
        rows = zip(problem.sentence.tolist(), problem.parents.tolist(), problem.lengths.tolist(), strict=True)
        for c, (s, parent, length) in enumerate(rows):
            if parent != ROOT:
                self._add(self.node_of[parent], length, c)
            elif tops[s] == 1 or openings[s] == 0:
                self._add(ROOT, length + openings[s], c)
            else:
                if s not in opened:
                    opened[s] = len(self.parents)
                    self._add(ROOT, openings[s], None)
                self._add(opened[s], length, c)

    def _add(self, parent: int, length: int, chunk: int | None) -> None:
        if chunk is not None:
            self.node_of[chunk] = len(self.parents)
        self.parents.append(parent)
        self.lengths.append(length)
        self.hollow.append(int(chunk is None))
        self.chunks.append([] if chunk is None else [chunk])

    def busy(self, problem: CompressiveProblem, *, every: bool) -> list[bool]:
        """The nodes that hold something; with `every`, also those that could come between words."""
        busy = [False] * len(self.parents)
        for chunk in problem.needs.values.tolist() + (problem.gaps.values.tolist() if every else []):
            busy[self.node_of[chunk]] = True
        return busy

    def useful(self, problem: CompressiveProblem, busy: list[bool]) -> list[bool]:
        """The nodes that are busy, or lead to busy ones, and fit into the budget with those above them."""
        useful = list(busy)
        reach: list[int] = []
        for c, parent in enumerate(self.parents):
            above = 0 if parent == ROOT else reach[parent]
            reach.append(above + self.lengths[c])
        spare = sum(-length for length in self.lengths if length < 0)
        for c in range(len(self.parents) - 1, -1, -1):
            useful[c] = useful[c] and reach[c] <= problem.budget + spare
            if useful[c] and self.parents[c] != ROOT:
                useful[self.parents[c]] = True
        return useful


def reduce(problem: CompressiveProblem, *, every: bool = False) -> Core:
    """Drop chunks that hold and lead to nothing, merge idle ones with their only child, sort occurrences.

    Some optimum of the problem is left, with the same gain; not every one. With `every`, each choice of
    the chunks that matter to the gain is left exactly once, with what it needs above it: idle chunks are
    then not merged, and are kept only together with a child.
    """
    draft = _Draft(problem)
    busy = draft.busy(problem, every=every)
    useful = draft.useful(problem, busy)
    target = list(range(len(busy))) if every else _merged(draft, busy, useful)
    number = {node: n for n, node in enumerate(sorted({t for t, u in zip(target, useful, strict=True) if u}))}
    lengths, hollow = [0] * len(number), [0] * len(number)
    parents = [ROOT] * len(number)
    chunks: list[list[int]] = [[] for _ in number]
    for node in (node for node, is_useful in enumerate(useful) if is_useful):
        n = number[target[node]]
        lengths[n] += draft.lengths[node]
        chunks[n].extend(draft.chunks[node])
        hollow[n] = int(not chunks[n] or (every and not busy[node]))
        if target[node] == node:
            parents[n] = ROOT if draft.parents[node] == ROOT else number[target[draft.parents[node]]]
    place = [number[target[node]] if useful[node] else -1 for node in draft.node_of]
    return _arrays(problem, place, parents, lengths, hollow, chunks)


def _merged(draft: _Draft, busy: list[bool], useful: list[bool]) -> list[int]:
    """The top of the chain that each node is merged into: an idle node with one useful child is no choice."""
    children = [0] * len(useful)
    for c, parent in enumerate(draft.parents):
        if useful[c] and parent != ROOT:
            children[parent] += 1
    target = list(range(len(useful)))
    for c, parent in enumerate(draft.parents):
        if useful[c] and parent != ROOT and not busy[parent] and children[parent] == 1:
            target[c] = target[parent]
    return target


def _arrays(
    problem: CompressiveProblem,
    place: list[int],
    parents: list[int],
    lengths: list[int],
    hollow: list[int],
    chunks: list[list[int]],
) -> Core:
    entries: list[dict[int, int]] = [{} for _ in parents]
    links: list[tuple[int, list[tuple[int, int]]]] = []
    rows = zip(problem.grams.tolist(), problem.needs.lists(), problem.gaps.lists(), strict=True)
    for gram, stay, go in rows:
        needs = {place[c] for c in stay}
        gaps = {place[c] for c in go} - {-1}
        if -1 in needs or needs & gaps:
            continue
        if len(needs) == 1 and not gaps:
            (node,) = needs
            entries[node][gram] = entries[node].get(gram, 0) + 1
        else:
            links.append((gram, [*((c, 1) for c in sorted(needs)), *((c, 0) for c in sorted(gaps))]))
    entry_rows = Rows.of(entries)
    member_rows = Rows.of([[c for c, _ in members] for _, members in links])
    order = np.argsort(member_rows.values, kind="stable")
    counts = np.bincount(member_rows.values, minlength=len(parents))
    arrays = Arrays(
        parents=np.array(parents, np.int64),
        lengths=np.array(lengths, np.int64),
        hollow=np.array(hollow, np.int64),
        entry_starts=entry_rows.starts,
        entry_grams=entry_rows.values,
        entry_counts=np.array([k for row in entries for k in row.values()], np.int64),
        link_grams=np.array([gram for gram, _ in links], np.int64),
        member_starts=member_rows.starts,
        members=member_rows.values,
        signs=np.array([sign for _, members in links for _, sign in members], np.int64),
        member_links=member_rows.owners.astype(np.int64),
        node_starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        node_members=order.astype(np.int64),
        gain_starts=problem.gains.starts,
        gains=problem.gains.values,
    )
    longest = sum(max(0, length) for length in lengths)
    return Core(arrays, min(problem.budget, longest), Rows.of(chunks))
