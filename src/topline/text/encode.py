"""Texts as arrays: every token an integer, so that everything behind this line counts and never parses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from topline.text.compiled import plainly
from topline.text.tokens import RAW_TOKENS, TOKENIZERS, Preprocessing

_SMALLEST = 1 << 12
_CHUNK = 1 << 15
"""Bytes that are tokenised in one call: small enough that the tables stay in the cache."""
Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True, slots=True)
class TokenTable:
    """The tokens of many texts behind one another: text `i` is `ids[starts[i]:starts[i + 1]]`."""

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, text: int) -> NDArray[np.int32]:
        return self.ids[self.starts[text] : self.starts[text + 1]]


class _RawTokens:
    """The hash table behind the compiled tokeniser: which raw tokens are known, byte for byte."""

    def __init__(self) -> None:
        self.known = 0
        self.slots = np.full(2 * _SMALLEST, -1, np.int32)
        self.keys = np.zeros(_SMALLEST, np.uint64)
        self.ends = np.zeros(_SMALLEST + 1, np.int64)
        self.pool = np.zeros(8 * _SMALLEST, np.uint8)
        self.normal = np.zeros(_SMALLEST, np.int32)
        """The number of each raw token's normal form; -1 for stop words."""

    def make_room(self, tokens: int, text_bytes: int) -> None:
        """Grow so that so many more tokens of so many bytes cannot overflow."""
        tokens += self.known
        if tokens > len(self.keys):
            size = max(tokens, 2 * len(self.keys))
            self.keys, self.normal = _grown(self.keys, size), _grown(self.normal, size)
            self.ends = _grown(self.ends, size + 1)
            self.slots = np.full(1 << (2 * size - 1).bit_length(), -1, np.int32)
            if self.known:
                from topline.text.kernels import rehash

                rehash(self.slots, self.keys, self.known)
        pool = int(self.ends[self.known]) + text_bytes
        if pool > len(self.pool):
            self.pool = _grown(self.pool, max(pool, 2 * len(self.pool)))

    def tokens(self, first: int) -> list[str]:
        """The raw tokens from a number on."""
        ends = self.ends[first : self.known + 1].tolist()
        text = self.pool[ends[0] : ends[-1]].tobytes().decode("ascii")
        return [text[start - ends[0] : end - ends[0]] for start, end in pairwise(ends)]


def _grown(array: NDArray[Number], size: int) -> NDArray[Number]:
    larger = np.zeros(size, array.dtype)
    larger[: len(array)] = array
    return larger


@dataclass(slots=True)
class Vocabulary:
    """Numbers for normalised tokens (stems), in order of appearance.

    Raw tokens are normalised once and remembered. Not for several threads at once: a thread has its own.
    """

    preprocessing: Preprocessing = field(default_factory=Preprocessing)
    words: list[str] = field(default_factory=list)
    """The normalised token of each number."""
    _numbers: dict[str, int] = field(default_factory=dict)
    _seen: dict[str, int] = field(default_factory=dict)
    _raw: _RawTokens = field(default_factory=_RawTokens)

    def __len__(self) -> int:
        return len(self.words)

    def number(self, raw: str) -> int:
        """The number of a raw token's normal form; -1 for a stop word."""
        normal = self.preprocessing.normalise(raw)
        if normal is None:
            return -1
        number = self._numbers.setdefault(normal, len(self.words))
        if number == len(self.words):
            self.words.append(normal)
        return number

    def encode(self, texts: Iterable[str]) -> TokenTable:
        """Tokenise and number texts; new words extend the vocabulary in order of appearance."""
        texts = list(texts)
        if self._plainly(texts):
            return self.encode_plainly(texts)
        return self._encode_bytes(*_laid_out(texts))

    def _plainly(self, texts: Sequence[str]) -> bool:
        """Whether the compiled tokeniser is none for these choices, or not worth loading."""
        return self.preprocessing.tokenizer not in RAW_TOKENS or plainly.may(sum(map(len, texts)))

    def encode_plainly(self, texts: Iterable[str]) -> TokenTable:
        """The same in plain Python: for tokenisers without a compiled twin, and to check the one that has."""
        tokenize = TOKENIZERS[self.preprocessing.tokenizer]
        seen = self._seen
        ids: list[int] = []
        starts = [0]
        for text in texts:
            for token in tokenize(text):
                number = seen.get(token)
                if number is None:
                    number = seen[token] = self.number(token)
                if number >= 0:
                    ids.append(number)
            starts.append(len(ids))
        return TokenTable(np.array(ids, np.int32), np.array(starts, np.int64))

    def encode_lines(self, pieces: Sequence[str]) -> TokenTable:
        """The same for texts that are the lines of strings: no line is cut out of its string for that."""
        if self._plainly(pieces):
            return self.encode_plainly(line for piece in pieces for line in piece.split("\n"))
        data = "\n".join(pieces).encode("utf-8", "surrogatepass")
        return self._encode_bytes(data, _line_ends(data))

    def _encode_bytes(self, data: bytes, ends: NDArray[np.int64]) -> TokenTable:
        """Texts end where `ends` says, in runs of about `_CHUNK` bytes, for whose worst tables are sized."""
        buffer = np.frombuffer(data, np.uint8)
        ids = [np.empty(0, np.int32)]
        sizes = [np.zeros(1, np.int64)]
        first = start = 0
        while first < len(ends):
            last = max(first, int(np.searchsorted(ends, start + _CHUNK))) + 1
            chunk_ends = ends[first:last]
            end = int(chunk_ends[-1])
            table = self._encode_chunk(buffer[start:end], chunk_ends - start)
            ids.append(table.ids)
            sizes.append(np.diff(table.starts))
            first, start = last, end
        return TokenTable(np.concatenate(ids), np.cumsum(np.concatenate(sizes)))

    def _encode_chunk(self, buffer: NDArray[np.uint8], ends: NDArray[np.int64]) -> TokenTable:
        from topline.text.kernels import tokenize

        raw = self._raw
        # every token takes a byte at least, and another one or its text's end to end it
        most = (len(buffer) + len(ends)) // 2 + 1
        raw.make_room(most, len(buffer))
        before = raw.known
        raws = np.empty(most, np.int32)
        starts = np.zeros(len(ends) + 1, np.int64)
        classes = np.frombuffer(RAW_TOKENS[self.preprocessing.tokenizer], np.uint8)
        written, raw.known = tokenize(
            buffer, ends, classes, raw.slots, raw.keys, raw.pool, raw.ends, before, raws, starts
        )
        if raw.known > before:
            raw.normal[before : raw.known] = [self.number(token) for token in raw.tokens(before)]
        numbers = raw.normal[raws[:written]]
        kept = numbers >= 0
        if kept.all():
            return TokenTable(numbers, starts)
        places = np.zeros(written + 1, np.int64)
        np.cumsum(kept, out=places[1:])
        return TokenTable(numbers[kept], places[starts])


def _line_ends(data: bytes) -> NDArray[np.int64]:
    """Where each line ends; a line break counts to the line behind it, where it separates as any space."""
    breaks = np.flatnonzero(np.frombuffer(data, np.uint8) == 10)
    return np.append(breaks, len(data))


def _laid_out(texts: list[str]) -> tuple[bytes, NDArray[np.int64]]:
    """The texts' bytes behind one another, and where each text ends."""
    data = "\n".join(texts).encode("utf-8", "surrogatepass")
    ends = _line_ends(data)
    if len(ends) == len(texts):
        return data, ends
    # there is no text at all, or one holds a line break
    parts = [text.encode("utf-8", "surrogatepass") for text in texts]
    return b"".join(parts), np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)))
