"""The far tail, exactly: how many extracts reach an index, from the best one downwards.

Branch and bound with the multipliers of `bounds`. Two ways to go through the same tree: depth first, which
costs time for every extract of the tail; and the frontier with a threshold, which merges equal states and so
can count tails of any size, if the states stay few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from topline.spread.bounds import SCALE, Bound
from topline.spread.encode import Encoding, Ints, Masks, Tables, Words, words, words_left
from topline.spread.extracts import Frame
from topline.spread.frontier import Frontier, most_of
from topline.spread.grams import Gram
from topline.spread.runs import Runs

_NODE, _NODE_WORD = 60, 8
"""Work of a node of the depth-first search, and of every word of its state."""


@dataclass(slots=True)
class Branching:
    """Depth-first branch and bound over the extracts of a frame."""

    encoding: Encoding
    frame: Frame
    tables: Tables
    bound: Bound
    order: list[int]
    state: Words
    start: int
    masks: Words
    ahead: Ints

    @classmethod
    def of(cls, encoding: Encoding, frame: Frame, tables: Tables) -> Branching:
        """Prepare the bounds; the sentences whose part in good extracts is clearest come first."""
        bound = Bound.of(encoding, frame.room)
        order = bound.clearest(encoding, range(frame.free), frame.room)
        given: Counter[Gram] = Counter()
        for position in range(frame.forced, encoding.size):
            given.update(encoding.sentences[position].whole)
        state = words_left(encoding, given)
        open_ = int((encoding.weights * np.bitwise_count(state)).sum())
        masks, ahead = _completions(encoding, frame, bound, order)
        return cls(
            encoding, frame, tables, bound, order, state, int(encoding.reach[0]) - open_, masks, ahead
        )  # fmt: skip

    def count(self, need: int, limit: int) -> tuple[Ints | None, int]:
        """The number of extracts of every index from `need` on, and the nodes; None beyond `limit` nodes."""
        from topline.spread.kernels.bounding import tail

        tables, encoding = self.tables, self.encoding
        found = np.zeros(int(encoding.reach[0]) + 1, np.int64)
        runs = Runs.of(encoding.lengths, self.frame)
        nodes = tail(
            np.array(self.order, np.int64), encoding.lengths, self.start, self.frame.room, self.frame.slack,
            self.frame.chopped, runs.closes, tables.whole, tables.prefix, encoding.weights, self.state,
            tables.clear, tables.keep, tables.steps, SCALE, need, self.bound.slack, self.masks, self.ahead,
            limit, found,
        )  # fmt: skip
        return (found, nodes) if nodes >= 0 else (None, limit)


def _completions(encoding: Encoding, frame: Frame, bound: Bound, order: Sequence[int]) -> tuple[Words, Ints]:
    """For every step of the order, and for closing alone: what can still be met, and what room is worth."""
    masks = Masks.of(encoding)
    closing: Counter[Gram] = Counter()
    ends = np.zeros(frame.room + 1, np.int64)
    if frame.chopped:
        for position, sentence in enumerate(encoding.sentences):
            closing |= most_of(encoding, position)
            for first, worth in zip(sentence.starts, bound.of_prefixes(sentence).tolist(), strict=True):
                ends[first:] = np.maximum(ends[first:], worth)
    met = masks.bits(closing)
    can = [words(met, encoding.width)]
    ahead = [ends]
    behind = closing.copy()
    for position in reversed(order):
        sentence = encoding.sentences[position]
        worth = int(bound.of_prefixes(sentence)[-1])
        best = ahead[-1].copy()
        if sentence.length <= frame.room:
            best[sentence.length :] = np.maximum(
                best[sentence.length :], ahead[-1][: -sentence.length] + worth
            )
        ahead.append(best)
        behind.update(sentence.whole)
        met |= masks.bits({gram: behind[gram] for gram in sentence.whole})
        can.append(words(met, encoding.width))
    can.reverse()
    ahead.reverse()
    return np.array([*can, can[-1]]), np.array([*ahead, ends])


@dataclass(slots=True)
class Tail:
    """The exact counts of all indices from some index on."""

    counts: dict[int, int] = field(default_factory=dict)
    known: int = 0
    """The first index whose count is exact; no extract exceeds the largest in `counts`."""


@dataclass(slots=True)
class _Ways:
    """The two ways through a frame's tree, and what each is known to need."""

    branching: Branching
    frontier: Frontier
    nodes: int = 0
    merging: int = 0
    """No less has been needed for a higher threshold, so a lower one needs as much at least."""

    @classmethod
    def of(cls, encoding: Encoding, frame: Frame, tables: Tables, most: int) -> _Ways:
        """Prepare both."""
        branching = Branching.of(encoding, frame, tables)
        return cls(branching, Frontier.of(encoding, frame, most, pruned=True, bound=branching.bound))

    def count(self, need: int, left: int) -> tuple[dict[int, int] | None, int]:
        """The tail by whichever way reaches it first, the cheap attempt first; and the work left.

        An attempt that an earlier one shows to be in vain is not made.
        """
        node = _NODE + _NODE_WORD * self.branching.encoding.width
        for share in (64, 8, 2):
            if left // share >= self.merging:
                self.frontier.work = 0
                counts = self.frontier.count(left // share, need)
                self.merging = self.frontier.work
                left -= self.merging
                if counts is not None:
                    return counts, left
            limit = left // share // node
            if limit >= self.nodes:
                found, self.nodes = self.branching.count(need, limit)
                left -= self.nodes * node
                if found is not None:
                    return {int(i): int(found[i]) for i in np.flatnonzero(found)}, left
        return None, left


def tail(
    encoding: Encoding, frames: Sequence[Frame], tables: Tables, most: int, work: int, least: int = 0
) -> Tail:
    """Lower the threshold, from the bound on, as long as the work allows (or down to `least`)."""
    ways = [_Ways.of(encoding, frame, tables, most) for frame in frames]
    ceiling = max(one.frontier.ceiling() for one in ways)
    result = Tail(known=ceiling + 1)
    left, gap = work, 1
    while result.known > max(least, 1):
        need = max(least, 1, ceiling + 1 - gap)
        counts: Counter[int] = Counter()
        for one in ways:
            part, left = one.count(need, left)
            if part is None:
                return result
            counts.update(part)
        result = Tail({index: counts[index] for index in sorted(counts)}, need)
        gap += max(1, gap // 4)
    return result
