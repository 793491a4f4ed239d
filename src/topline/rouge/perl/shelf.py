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


File = tuple[bytes, str]
"""A path and its format."""


class Reading(NamedTuple):
    """A file, and whether it is stemmed: `-M` may stem what ROUGE-W clips by but not what it compares."""

    file: File
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


class _View(NamedTuple):
    """One text in one form: stemmed or not, cut as one text or sentence by sentence."""

    file: File
    stem: bool
    apart: bool


class _Numbered(NamedTuple):
    """A text's tokens and the sizes of its sentences."""

    ids: NDArray[np.int32]
    sizes: NDArray[np.int64]


@dataclass(slots=True)
class Shelf:
    """Reads files, keeps those that systems share, and numbers their words in one vocabulary."""

    tables: Tables
    limit: Limit | None
    by_sentence: bool
    """Whether a score looks at single sentences."""
    mixed: bool
    """Whether stemmed and unstemmed texts are compared (`-M`)."""
    _files: dict[File, list[bytes]] = field(default_factory=dict)
    _views: dict[_View, _Numbered] = field(default_factory=dict)
    _views_of: dict[File, list[_View]] = field(default_factory=dict)
    _vocabularies: dict[bool, Vocabulary] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)

    def open(self, files: Iterable[File]) -> None:
        """Read files that are not there yet; an unreadable one is an error now, not later."""
        for file in files:
            if file not in self._files:
                self._files[file] = sentences(*file)

    def close(self, files: Iterable[File]) -> None:
        """Forget files."""
        for file in files:
            self._files.pop(file, None)
            for view in self._views_of.pop(file, ()):
                del self._views[view]

    def table(self, readings: Sequence[Reading]) -> Table:
        """Number these texts."""
        places = {reading: place for place, reading in enumerate(dict.fromkeys(readings))}
        if not self.by_sentence:
            joined = self._texts([_View(r.file, r.clip_stem, False) for r in places])
            return Table(joined, joined, places)
        apart = self._texts([_View(r.file, r.stem, True) for r in places])
        if not self.mixed and (self.limit is None or self.limit.unit == "w"):
            return Table(apart, apart, places)
        # under -b the two routines cut elsewhere; under -M they may stem differently
        joined = self._texts([_View(r.file, r.clip_stem, False) for r in places])
        return Table(joined, apart, places)

    def _texts(self, views: list[_View]) -> Texts:
        for stem in (False, True):
            self._number([view for view in views if view.stem is stem and view not in self._views], stem)
        texts = [self._views[view] for view in views]
        ids = np.concatenate([np.empty(0, np.int32), *(text.ids for text in texts)])
        starts = np.cumsum(np.concatenate([np.zeros(1, np.int64), *(text.sizes for text in texts)]))
        firsts = np.cumsum([0, *(len(text.sizes) for text in texts)])
        words = len(self._numbers) if self.mixed else sum(map(len, self._vocabularies.values()))
        return Texts(TokenTable(ids, starts), firsts, words)

    def _number(self, views: list[_View], stem: bool) -> None:
        """Tokenise what has not been yet."""
        if not views:
            return
        texts = [self._cut(view) for view in views]
        table = self._encoded([line.decode("latin-1") for text in texts for line in text], stem)
        sizes = np.diff(table.starts)
        first = 0
        for view, text in zip(views, texts, strict=True):
            last = first + len(text)
            ids = table.ids[table.starts[first] : table.starts[last]]
            self._views[view] = _Numbered(ids, sizes[first:last])
            self._views_of.setdefault(view.file, []).append(view)
            first = last

    def _cut(self, view: _View) -> list[bytes]:
        read = self._files[view.file]
        return cut_apart(read, self.limit) if view.apart else [cut_joined(read, self.limit)]

    def _encoded(self, lines: list[str], stem: bool) -> TokenTable:
        if stem not in self._vocabularies:
            self._vocabularies[stem] = Vocabulary(ScriptText(stem=stem, tables=self.tables))
        vocabulary = self._vocabularies[stem]
        table = vocabulary.encode(lines)
        if not self.mixed:
            return table
        # numbers that both vocabularies share, so that equal words are equal across them
        numbers = self._numbers
        shared = [numbers.setdefault(word, len(numbers)) for word in vocabulary.words]
        return TokenTable(np.array(shared, np.int32)[table.ids], table.starts)
