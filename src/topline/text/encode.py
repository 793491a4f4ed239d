"""Texts as arrays: every token an integer, so that everything behind this line counts and never parses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from topline.text.tokens import TOKENIZERS, Preprocessing


@dataclass(frozen=True, slots=True)
class TokenTable:
    """The tokens of many texts behind one another: text `i` is `ids[starts[i]:starts[i + 1]]`."""

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, text: int) -> NDArray[np.int32]:
        return self.ids[self.starts[text] : self.starts[text + 1]]


@dataclass(slots=True)
class Vocabulary:
    """Numbers for normalised tokens (stems); raw tokens are normalised once and remembered."""

    preprocessing: Preprocessing = field(default_factory=Preprocessing)
    words: list[str] = field(default_factory=list)
    """The normalised token of each number."""
    _numbers: dict[str, int] = field(default_factory=dict)
    _raw: dict[str, int] = field(default_factory=dict)

    def number(self, raw: str) -> int:
        """The number of a raw token's normal form; -1 for a stop word."""
        known = self._raw.get(raw)
        if known is not None:
            return known
        normal = self.preprocessing.normalise(raw)
        number = -1 if normal is None else self._numbers.setdefault(normal, len(self._numbers))
        if number == len(self.words):
            self.words.append(normal or "")
        self._raw[raw] = number
        return number

    def encode(self, texts: Iterable[str] | Sequence[str]) -> TokenTable:
        """Tokenise and number texts; new words extend the vocabulary in order of appearance."""
        tokenize = TOKENIZERS[self.preprocessing.tokenizer]
        known, number = self._raw.get, self.number
        ids: list[int] = []
        starts = [0]
        for text in texts:
            for token in tokenize(text):
                found = known(token)
                found = number(token) if found is None else found
                if found >= 0:
                    ids.append(found)
            starts.append(len(ids))
        return TokenTable(np.array(ids, np.int32), np.array(starts, np.int64))
