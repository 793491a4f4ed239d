"""Exactly uniform draws from all extracts, by rank: whatever their number, no extract is favoured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from topline.spread import extracts
from topline.spread.encode import Encoding, Ints, Tables, Words, words_left
from topline.spread.extracts import Frame
from topline.spread.grams import Gram

BLOCK = 1 << 15
"""Draws that share a seed: the draws of a number do not depend on the number of threads."""


@dataclass(frozen=True, slots=True)
class Sampler:
    """Draws extracts of an encoded document."""

    encoding: Encoding
    tables: Tables
    frames: Sequence[Frame]
    ways: Words
    """The table of the kernel."""
    limits: Words
    """The sizes of the frames and their sum, in limbs."""
    starts: Words
    """The open demand that each frame begins with."""
    moves: tuple[Ints, Ints, Words, Words]
    """What the sentences take, of the words that they touch; see the kernel."""

    @classmethod
    def of(cls, encoding: Encoding, frames: Sequence[Frame], tables: Tables) -> Sampler:
        """Count what lies beyond each decision."""
        lengths = encoding.lengths.tolist()
        sizes = [extracts.size(lengths, frame) for frame in frames]
        sizes.append(sum(sizes))
        limbs = max(1, -(-sizes[-1].bit_length() // 64))
        chopped = frames[0].chopped
        counts = _beyond(lengths, frames[0].room) if chopped else _up_to(lengths, max(f.room for f in frames))
        limits = np.array([[[size] for size in sizes]], object).transpose(1, 2, 0)
        return cls(
            encoding,
            tables,
            frames,
            _limbs(counts, limbs),
            _limbs(limits[:, 0], limbs),
            np.array([start_of(encoding, frame) for frame in frames]),
            _moves(tables, encoding.size),
        )

    def block(self, number: int, seed: int, draws: int = BLOCK) -> Ints:
        """The indices of a block of draws, a column a demand."""
        from topline.spread.kernels.drawing import draw_chopped, draw_whole

        encoding, tables = self.encoding, self.tables
        out = np.zeros((draws, len(encoding.reach)), np.int64)
        top = int(self.limits[-1, 0, 0])
        mask = np.uint64((1 << top.bit_length()) - 1)
        state = np.uint64(_seed(seed, number))
        if self.frames[0].chopped:
            draw_chopped(
                encoding.lengths, self.frames[0].room, self.ways, self.limits[-1:], mask, tables.prefix,
                encoding.weights, encoding.groups, encoding.reach, self.starts[0],
                *self.moves, state, out,
            )  # fmt: skip
        else:
            columns = [(frame.free, frame.room, frame.slack) for frame in self.frames]
            free, rooms, slacks = np.array(columns, np.int64).T.copy()
            draw_whole(
                encoding.lengths, free, rooms, slacks, self.ways, self.limits, mask,
                encoding.weights, encoding.groups, encoding.reach, self.starts,
                *self.moves, state, out,
            )  # fmt: skip
        return out


def _moves(tables: Tables, sentences: int) -> tuple[Ints, Ints, Words, Words]:
    """The moves of each sentence behind one another: of every step the words that have fields to move."""
    by_sentence = tables.clear[:, :, :sentences].transpose(2, 0, 1)
    sentence, step, word = np.nonzero(by_sentence)
    begins = np.searchsorted(sentence, np.arange(sentences + 1))
    at = step, word, sentence
    return begins, word, tables.clear[at], tables.keep[at]


def _seed(seed: int, block: int) -> int:
    """A generator's first state: far from those of other blocks and seeds."""
    words = np.random.SeedSequence([seed, block]).generate_state(1, np.uint64)
    return int(words[0])


def start_of(encoding: Encoding, frame: Frame) -> Words:
    """The demand that the sentences leave open which all extracts of a frame hold."""
    given: Counter[Gram] = Counter()
    for position in range(frame.forced, encoding.size):
        given.update(encoding.sentences[position].whole)
    return words_left(encoding, given)


def _beyond(lengths: Sequence[int], room: int) -> np.ndarray:
    """`[2 * c + closed, i]`: the ways to fill `c` with the positions from `i` on."""
    counts = np.zeros((2 * (room + 1), len(lengths) + 1), object)
    counts[1, -1] = 1
    open_, closed = counts[0::2], counts[1::2]
    for i in range(len(lengths) - 1, -1, -1):
        length = lengths[i]
        sums = np.concatenate([[0], np.cumsum(closed[:, i + 1])])
        least = np.maximum(np.arange(room + 1) - length, 0)
        open_[:, i] = open_[:, i + 1] + sums[:-1] - sums[least]
        closed[:, i] = closed[:, i + 1]
        if length <= room:
            open_[length:, i] = open_[length:, i] + open_[: room + 1 - length, i + 1]
            closed[length:, i] = closed[length:, i] + closed[: room + 1 - length, i + 1]
    return counts


def _up_to(lengths: Sequence[int], room: int) -> np.ndarray:
    """`[c, i]`: the sets of the first `i` positions with a length of at most `c`."""
    counts = np.zeros((room + 1, len(lengths) + 1), object)
    counts[:, 0] = 1
    for i, length in enumerate(lengths):
        counts[:, i + 1] = counts[:, i]
        if length <= room:
            counts[length:, i + 1] = counts[length:, i + 1] + counts[: room + 1 - length, i]
    return counts


def _limbs(counts: np.ndarray, limbs: int) -> Words:
    """Whole numbers as 64-bit limbs, the highest first: `[row, limb, column]`."""
    flat = b"".join(int(count).to_bytes(8 * limbs, "big") for count in counts.ravel())
    words = np.frombuffer(flat, ">u8").astype(np.uint64).reshape(*counts.shape, limbs)
    return np.ascontiguousarray(words.transpose(0, 2, 1))
