"""Texts as arrays: every token an integer, so that everything behind this line counts and never parses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

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

    def make_room(self, text_bytes: int) -> None:
        """Grow so that a text of that many bytes cannot overflow: at most every second byte ends a token."""
        tokens = self.known + text_bytes // 2 + 1
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

    def token(self, raw: int) -> str:
        """The raw token of a number."""
        return self.pool[self.ends[raw] : self.ends[raw + 1]].tobytes().decode("ascii")


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
        if self.preprocessing.tokenizer in RAW_TOKENS:
            return self._encode_bytes(texts)
        return self.encode_plainly(texts)

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

    def _encode_bytes(self, texts: Iterable[str]) -> TokenTable:
        tables = [self._encode_chunk(chunk) for chunk in _chunks(list(texts))]
        if len(tables) == 1:
            return tables[0]
        ids = [np.empty(0, np.int32), *(table.ids for table in tables)]
        sizes = [np.zeros(1, np.int64), *(np.diff(table.starts) for table in tables)]
        return TokenTable(np.concatenate(ids), np.cumsum(np.concatenate(sizes)))

    def _encode_chunk(self, texts: list[str]) -> TokenTable:
        from topline.text.kernels import tokenize

        data = "".join(texts).encode("utf-8", "surrogatepass")
        parts: Sequence[str | bytes] = texts
        if len(data) > sum(map(len, texts)):
            # not all of it is ASCII: a text's bytes are no longer as many as its characters
            parts = [text.encode("utf-8", "surrogatepass") for text in texts]
        buffer = np.frombuffer(data, np.uint8)
        ends = np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)))
        raw = self._raw
        raw.make_room(len(buffer))
        before = raw.known
        raws = np.empty(len(buffer) // 2 + len(parts) + 1, np.int32)
        starts = np.zeros(len(parts) + 1, np.int64)
        classes = np.frombuffer(RAW_TOKENS[self.preprocessing.tokenizer], np.uint8)
        written, raw.known = tokenize(
            buffer, ends, classes, raw.slots, raw.keys, raw.pool, raw.ends, before, raws, starts
        )
        for new in range(before, raw.known):
            raw.normal[new] = self.number(raw.token(new))
        numbers = raw.normal[raws[:written]]
        kept = numbers >= 0
        places = np.zeros(written + 1, np.int64)
        np.cumsum(kept, out=places[1:])
        return TokenTable(numbers[kept], places[starts])


def _chunks(texts: list[str]) -> Iterator[list[str]]:
    """Runs of about `_CHUNK` characters: the hash table has to be sized for the worst case of one."""
    first = size = 0
    for i, text in enumerate(texts):
        size += len(text)
        if size >= _CHUNK:
            yield texts[first : i + 1]
            first, size = i + 1, 0
    if first < len(texts) or not texts:
        yield texts[first:]
