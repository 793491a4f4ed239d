"""Numbers for words and for their terms (stems without stop words), kept from topic to topic."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from topline.text.encode import TokenTable, Vocabulary
from topline.text.tokens import RAW_TOKENS, Preprocessing

PLAIN = Preprocessing("unicode", stem=True, stopwords="smart")
"""What the systems take unless told otherwise: words of any language, stems, no stop words."""
_TYPOGRAPHY = re.compile("[\u00a0\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026]")
"""Dashes, quotation marks and the like: separators to every tokeniser, but not ASCII."""
_MOST = 1 << 21
"""Words after which the memory starts afresh, so that a stream of topics needs no more and more of it."""


@dataclass(slots=True)
class Words:
    """Word numbers of one preprocessing. Numbers depend on what came before; a prepared topic's do not."""

    preprocessing: Preprocessing = PLAIN
    words: Vocabulary = field(init=False)
    terms: Vocabulary = field(init=False)
    _ascii: Vocabulary | None = field(init=False)
    _from_ascii: NDArray[np.int32] = field(init=False)
    _term_of: NDArray[np.int32] = field(init=False)
    _scratch: NDArray[np.int32] = field(init=False)

    def __post_init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        tokenizer = self.preprocessing.tokenizer
        self.words = Vocabulary(Preprocessing(tokenizer, stem=False))
        self.terms = Vocabulary(self.preprocessing)
        # on ASCII text every tokeniser does what the compiled one does
        self._ascii = None if tokenizer in RAW_TOKENS else Vocabulary(Preprocessing("rouge155", stem=False))
        self._from_ascii = np.empty(0, np.int32)
        self._term_of = np.empty(0, np.int32)
        self._scratch = np.empty(0, np.int32)

    def encode(self, texts: Sequence[str]) -> TokenTable:
        """The words of texts, lower-cased, every one of them."""
        if len(self.words) > _MOST:
            self._begin()
        if self._ascii is None:
            return self.words.encode(texts)
        texts = [text if text.isascii() else _TYPOGRAPHY.sub(" ", text) for text in texts]
        plain = [text.isascii() for text in texts]
        if all(plain):
            return self._encode_ascii(texts)
        fast = self._encode_ascii([text for text, ascii_ in zip(texts, plain, strict=True) if ascii_])
        slow = self.words.encode([text for text, ascii_ in zip(texts, plain, strict=True) if not ascii_])
        return _interleave(plain, fast, slow)

    def _encode_ascii(self, texts: Sequence[str]) -> TokenTable:
        assert self._ascii is not None
        table = self._ascii.encode(texts)
        known = len(self._from_ascii)
        if known < len(self._ascii):
            new = [self.words.number(word) for word in self._ascii.words[known:]]
            self._from_ascii = np.concatenate([self._from_ascii, np.array(new, np.int32)])
        return TokenTable(self._from_ascii[table.ids], table.starts)

    def term_of(self) -> NDArray[np.int32]:
        """The term of every word so far; -1 for stop words."""
        known = len(self._term_of)
        if known < len(self.words):
            new = [self.terms.number(word) for word in self.words.words[known:]]
            self._term_of = np.concatenate([self._term_of, np.array(new, np.int32)])
        return self._term_of

    def scratch(self) -> NDArray[np.int32]:
        """Working space for `compact`: as long as there are words, -1 throughout."""
        if len(self._scratch) < len(self.words):
            self._scratch = np.full(2 * len(self.words), -1, np.int32)
        return self._scratch


def _interleave(first: Sequence[bool], yes: TokenTable, no: TokenTable) -> TokenTable:
    """Two tables as one: text after text from the first where it says so, else from the second."""
    rows = {True: iter(range(len(yes))), False: iter(range(len(no)))}
    parts = [(yes if choice else no)[next(rows[choice])] for choice in first]
    sizes = [0, *(len(part) for part in parts)]
    return TokenTable(np.concatenate([np.empty(0, np.int32), *parts]), np.cumsum(np.array(sizes, np.int64)))
