"""Counting every extract without visiting it, sentence after sentence; and the far tail alone, by bound.

What the sentences passed so far have done is forgotten but for the open demand that later ones can still
meet, so many sets become one state. With a threshold, states that cannot reach it are dropped: branch and
bound over merged states, exact for every index from the threshold on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil, log2, prod

import numpy as np

from topline.spread import extracts
from topline.spread.bounds import SCALE, Bound
from topline.spread.encode import Encoding, Ints, Masks, Words, words, words_left
from topline.spread.extracts import Frame
from topline.spread.grams import Gram

MODULI = (0, *(2**62 - k for k in (57, 87, 117, 143, 153, 167, 171, 195, 203, 273)))
"""Counts are kept modulo 2^64 (written 0) and, where they can be larger, modulo as many primes as needed."""
MEMORY = 1 << 29
"""Bytes that the states of a step may take."""
_TRIES = 20
_TOGETHER = 4
"""Additions that are a unit of work: they run through memory in vectors."""


def _product(moduli: int) -> int:
    return prod(modulus or 2**64 for modulus in MODULI[:moduli])


MOST = _product(len(MODULI)) - 1
"""The largest number of extracts that can be counted this way."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What a sentence can do to a state: row 0 takes it whole, the others chop it."""

    length: int
    takes: Words
    clear: Words
    keep: Words
    steps: Ints
    firsts: Ints
    lasts: Ints

    @classmethod
    def of(cls, encoding: Encoding, masks: Masks, position: int, *, chopped: bool) -> Choices:
        """A row for the whole sentence and one for each run of prefixes that hold the same."""
        sentence = encoding.sentences[position]
        rows = [(sentence.length, sentence.length, sentence.whole)]
        if chopped:
            runs = pairwise([*sentence.starts, sentence.length + 1])
            for (first, end), count in zip(runs, sentence.counts, strict=True):
                if end > max(first, 1):
                    rows.append((max(first, 1), end - 1, count))
        steps = [masks.steps(count) for _, _, count in rows]
        shape = (len(rows), max(1, *map(len, steps)), encoding.width)
        clear, keep = np.zeros(shape, np.uint64), np.zeros(shape, np.uint64)
        for row, moves in enumerate(steps):
            for step, (lose, kept) in enumerate(moves):
                clear[row, step], keep[row, step] = lose, kept
        return cls(
            length=sentence.length,
            takes=np.array([masks.thermometer(count) for _, _, count in rows]),
            clear=clear,
            keep=keep,
            steps=np.array([len(moves) for moves in steps], np.int64),
            firsts=np.array([first for first, _, _ in rows], np.int64),
            lasts=np.array([last for _, last, _ in rows], np.int64),
        )


@dataclass(slots=True)
class Layer:
    """States after a sentence."""

    keys: Words
    values: Words
    lows: Ints
    highs: Ints


@dataclass(slots=True)
class Frontier:
    """Counts the extracts of a frame by index, all of them or those from a threshold on."""

    encoding: Encoding
    frame: Frame
    moduli: Words
    state: Words
    """The demand that the forced sentences leave open."""
    start: int
    """Their index."""
    order: list[int]
    """Free sentences with something to give, in the order in which they are passed."""
    masks: Masks
    reachable: list[Words]
    """For each of them what those behind it can still meet."""
    bare: list[int]
    """Lengths of the free sentences that have nothing to give."""
    work: int = 0
    """Done so far, roughly, in the settings' unit."""
    _choices: dict[int, Choices] = field(default_factory=dict)
    _ahead: Ints | None = field(default=None)
    _bound: Bound | None = field(default=None)

    @classmethod
    def of(
        cls, encoding: Encoding, frame: Frame, most: int, *, pruned: bool = False, bound: Bound | None = None
    ) -> Frontier:
        """Prepare counting; `most` is the number of extracts, which decides how wide counts must be.

        `pruned`: for counting with a threshold, which wants another order of the sentences, and the frame's
        `bound`, made here if there is none yet.
        """
        masks = Masks.of(encoding)
        state = encoding.state.copy()
        given: Counter[Gram] = Counter()
        for position in range(frame.forced, encoding.size):
            given.update(encoding.sentences[position].whole)
        state = words_left(encoding, given)
        order, bare = _order(encoding, frame, search=not pruned)
        if pruned:
            bound = bound or Bound.of(encoding, frame.room)
            order = bound.clearest(encoding, order, frame.room)
        behind: Counter[Gram] = Counter()
        reachable, met = [], 0
        for position in reversed(order):
            reachable.append(words(met, encoding.width))
            most_here = most_of(encoding, position)
            behind.update(most_here)
            met |= masks.bits({gram: behind[gram] for gram in most_here})
        needed = next(k for k in range(1, len(MODULI) + 1) if _product(k) > most)
        open_ = int((encoding.weights * np.bitwise_count(state)).sum())
        return cls(
            encoding, frame, np.array(MODULI[:needed], np.uint64), state,
            int(encoding.reach[0]) - open_, order, masks, reachable[::-1], bare, _bound=bound,
        )  # fmt: skip

    def count(self, limit: int, need: int = 0) -> dict[int, int] | None:
        """The number of extracts of every index from `need` on; None if that takes more than `limit` work."""
        room = self.frame.room
        if need:
            self._prepare_bound()
        layer = Layer(
            np.array([[*self.state, np.uint64(2 * self.start + (not self.frame.chopped))]], np.uint64),
            np.zeros((1, len(self.moduli), room + 1), np.uint64),
            np.zeros(1, np.int64),
            np.zeros(1, np.int64),
        )
        layer.values[0, :, 0] = 1
        for t in range(len(self.order)):
            additions = len(layer.keys) * len(self._at(t).takes) * (room + 1) * len(self.moduli)
            self.work += -(-additions // _TOGETHER)
            if self.work > limit:
                return None
            following = self._advance(layer, t, need)
            if following is None:
                return None
            layer = following
        return self._finish(layer, need)

    def _at(self, t: int) -> Choices:
        """What the sentence of a step can do; counting that gives up early never asks for most of them."""
        if t not in self._choices:
            self._choices[t] = Choices.of(
                self.encoding, self.masks, self.order[t], chopped=self.frame.chopped
            )
        return self._choices[t]

    def _prepare_bound(self) -> None:
        if self._bound is None:
            self._bound = Bound.of(self.encoding, self.frame.room)
        if self._ahead is None:
            sentences = [self.encoding.sentences[position] for position in self.order]
            self._ahead = self._bound.ahead(sentences, self.frame.room, chopped=self.frame.chopped)

    def ceiling(self) -> int:
        """An index that no extract of the frame exceeds."""
        self._prepare_bound()
        assert self._bound is not None
        assert self._ahead is not None
        bytes_ = self.state.view(np.uint8)
        slack = int(self._bound.slack[np.arange(len(bytes_)), bytes_].sum())
        closed = 0 if self.frame.chopped else 1
        return self.start + (slack + int(self._ahead[0, closed, self.frame.room])) // SCALE

    def _advance(self, layer: Layer, t: int, need: int) -> Layer | None:
        from topline.spread.kernels.frontier import FULL, advance

        room, moduli, choices = self.frame.room, len(self.moduli), self._at(t)
        row_bytes = 8 * (len(self.state) + 1 + moduli * (room + 1) + 2)
        most = min(MEMORY // row_bytes, len(layer.keys) * (len(choices.takes) + 1) + 2)
        new = Layer(
            np.empty((most, len(self.state) + 1), np.uint64),
            np.empty((most, moduli, room + 1), np.uint64),
            np.empty(most, np.int64),
            np.empty(most, np.int64),
        )
        slots = np.full(1 << ceil(log2(2 * most + 2)), -1, np.int32)
        nothing = np.zeros((2, room + 1), np.int64)
        used = advance(
            layer.keys, layer.values, layer.lows, layer.highs, len(layer.keys), room, choices.length,
            choices.takes, choices.clear, choices.keep, choices.steps, choices.firsts, choices.lasts,
            self.encoding.weights, self.reachable[t], self.moduli, SCALE, need * SCALE,
            self._bound.slack if self._bound is not None else nothing,
            self._ahead[t + 1] if self._ahead is not None else nothing,
            slots, new.keys, new.values, new.lows, new.highs,
        )  # fmt: skip
        if used == FULL:
            return None
        return Layer(new.keys[:used], new.values[:used], new.lows[:used], new.highs[:used])

    def _finish(self, layer: Layer, need: int) -> dict[int, int]:
        """Join the states with the sentences that have nothing to give, and read the counts."""
        endings = self._endings()
        residues: dict[int, list[int]] = {}
        for row in range(len(layer.keys)):
            head = int(layer.keys[row, -1])
            index, closed = head >> 1, head & 1
            if index < need:
                continue
            sums = residues.setdefault(index, [0] * len(self.moduli))
            for m in range(len(self.moduli)):
                for c in range(int(layer.lows[row]), int(layer.highs[row]) + 1):
                    sums[m] += int(layer.values[row, m, c]) * endings[closed][c]
        moduli = [m or 2**64 for m in self.moduli.tolist()]
        counts = {index: _joined(sums, moduli) for index, sums in residues.items()}
        return {index: counts[index] for index in sorted(counts) if counts[index]}

    def _endings(self) -> tuple[list[int], list[int]]:
        """For a set not closed and one closed, of each length: in how many ways bare sentences end it."""
        room, slack = self.frame.room, self.frame.slack
        if self.frame.chopped:
            none, one = extracts.chopped_ways(self.bare, room)
            return one[::-1], none[::-1]
        ways = extracts.subsets(self.bare, room)
        whole = [sum(ways[max(0, room - slack - c) : room - c + 1]) for c in range(room + 1)]
        return [0] * (room + 1), whole


def _joined(residues: Sequence[int], moduli: Sequence[int]) -> int:
    """The number below the product of the moduli that has these residues."""
    whole, product = 0, 1
    for residue, modulus in zip(residues, moduli, strict=True):
        whole += product * ((residue - whole) * pow(product, -1, modulus) % modulus)
        product *= modulus
    return whole


def most_of(encoding: Encoding, position: int) -> Counter[Gram]:
    """The most occurrences that any prefix of a sentence holds."""
    most: Counter[Gram] = Counter()
    for count in encoding.sentences[position].counts:
        most |= count
    return most


def _order(encoding: Encoding, frame: Frame, *, search: bool = True) -> tuple[list[int], list[int]]:
    """An order that keeps the active demand small, and the lengths of the sentences without any overlap.

    Greedy: next comes the sentence that adds least to the log of the number of possible states; several
    tries with a little noise, the best of which counts.
    """
    sizes: dict[Gram, int] = {}
    for one in encoding.offsets:
        sizes[one.gram] = max(one.size, sizes.get(one.gram, 0))
    grams = list(sizes)
    has = np.array(
        [[gram in most for gram in grams] for most in (most_of(encoding, s) for s in range(frame.free))], bool
    ).reshape(frame.free, len(grams))
    live = np.flatnonzero(has.any(1))
    bare = [int(encoding.lengths[s]) for s in range(frame.free) if s not in set(live.tolist())]
    if not search:
        return live.tolist(), bare
    logs = np.log2(1.0 + np.array([sizes[gram] for gram in grams]))
    random = np.random.default_rng(0)
    best: tuple[float, list[int]] = (np.inf, [])
    for attempt in range(_TRIES if len(live) > 1 else 1):
        found = _greedy(has[live].astype(float), logs, random if attempt else None)
        if found[0] < best[0]:
            best = found
    return [int(live[i]) for i in best[1]], bare


def _greedy(has: np.ndarray, logs: np.ndarray, random: np.random.Generator | None) -> tuple[float, list[int]]:
    left = has.sum(0)
    active = np.zeros(len(logs))
    waiting = np.ones(len(has), bool)
    order: list[int] = []
    cost = 0.0
    while waiting.any():
        change = np.where(left == 1, -logs * active, logs * (1 - active))
        score = has @ change + (random.random(len(has)) * 1.5 if random is not None else 0.0)
        score[~waiting] = np.inf
        chosen = int(score.argmin())
        waiting[chosen] = False
        order.append(chosen)
        left = left - has[chosen]
        active = np.where(left == 0, 0.0, np.maximum(active, has[chosen]))
        cost += 2.0 ** min(float(logs @ active), 500.0)
    return cost, order
