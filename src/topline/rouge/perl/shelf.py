"""Texts by file: read once, numbered once, and put into one table for the counting kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topline.rouge.counts import Texts
from topline.rouge.limits import Limit, cut_apart, cut_joined
from topline.rouge.perl.files import sentences
from topline.rouge.perl.tables import ScriptText, Tables
from topline.text.encode import TokenTable, Vocabulary


class Reading(NamedTuple):
    """A file, and whether it is stemmed: `-M` may stem what ROUGE-W clips by but not what it compares."""

    path: bytes
    format: str
    stem: bool
    clip_stem: bool


@dataclass(frozen=True, slots=True)
class Table:
    """Numbered texts, and where each reading stands among them."""

    joined: Texts
    """As ROUGE-N and ROUGE-S read them, and ROUGE-L its unigrams."""
    apart: Texts
    """As ROUGE-L and ROUGE-W read them, sentence by sentence."""
    places: dict[Reading, int]


@dataclass(slots=True)
class Shelf:
    """Reads files, remembers those that systems share, and numbers their words in one vocabulary."""

    tables: Tables
    limit: Limit | None
    by_sentence: bool
    """Whether a score looks at single sentences."""
    _files: dict[tuple[bytes, str], list[bytes]] = field(default_factory=dict)
    _vocabularies: dict[bool, Vocabulary] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)

    def open(self, files: Iterable[tuple[bytes, str]]) -> None:
        """Read files that are not there yet; an unreadable one is an error now, not later."""
        for file in files:
            if file not in self._files:
                self._files[file] = sentences(*file)

    def close(self, files: Iterable[tuple[bytes, str]]) -> None:
        """Forget files."""
        for file in files:
            self._files.pop(file, None)

    def table(self, readings: Sequence[Reading]) -> Table:
        """Number these texts."""
        places = {reading: place for place, reading in enumerate(dict.fromkeys(readings))}
        if self.by_sentence:
            apart = self._numbered(
                [cut_apart(self._files[r.path, r.format], self.limit) for r in places],
                [r.stem for r in places],
            )
            same = all(r.stem == r.clip_stem for r in places)
            if same and (self.limit is None or self.limit.unit == "w"):
                return Table(apart, apart, places)
        joined = self._numbered(
            [[cut_joined(self._files[r.path, r.format], self.limit)] for r in places],
            [r.clip_stem for r in places],
        )
        return Table(joined, apart if self.by_sentence else joined, places)

    def _numbered(self, texts: list[list[bytes]], stem: list[bool]) -> Texts:
        firsts = np.cumsum([0, *map(len, texts)])
        lines = [line.decode("latin-1") for text in texts for line in text]
        variants = {stemmed: self._vocabulary(stemmed).encode(lines) for stemmed in sorted(set(stem))}
        if len(self._vocabularies) == 1:
            (tokens,) = variants.values() or [TokenTable(np.empty(0, np.int32), np.zeros(1, np.int64))]
            return Texts(tokens, firsts, len(self._vocabulary(any(stem))))
        chosen = np.repeat(np.array(stem, bool), np.diff(firsts))
        tokens = _chosen(
            chosen, {stemmed: self._shared(stemmed, table) for stemmed, table in variants.items()}
        )
        return Texts(tokens, firsts, len(self._numbers))

    def _vocabulary(self, stem: bool) -> Vocabulary:
        if stem not in self._vocabularies:
            self._vocabularies[stem] = Vocabulary(ScriptText(stem=stem, tables=self.tables))
        return self._vocabularies[stem]

    def _shared(self, stem: bool, table: TokenTable) -> TokenTable:
        """The same in numbers that both vocabularies share, so that equal words are equal across them."""
        numbers = self._numbers
        shared = [numbers.setdefault(word, len(numbers)) for word in self._vocabulary(stem).words]
        return TokenTable(np.array(shared, np.int32)[table.ids], table.starts)


def _chosen(chosen: NDArray[np.bool_], variants: dict[bool, TokenTable]) -> TokenTable:
    """Sentence by sentence the stemmed or the plain variant."""
    picked = [variants[bool(stem)][sentence] for sentence, stem in enumerate(chosen)]
    ids = np.concatenate([np.empty(0, np.int32), *picked])
    return TokenTable(ids, np.cumsum([0, *map(len, picked)]))
