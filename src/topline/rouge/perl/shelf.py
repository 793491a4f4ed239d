"""Texts by file: read once, numbered once, and put into one table for the counting kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topline.rouge.counts import Ints, Texts
from topline.rouge.limits import Limit, cut_apart, cut_joined
from topline.rouge.perl.files import sentences
from topline.rouge.perl.tables import ScriptText, Tables
from topline.text.encode import TokenTable, Vocabulary

File = tuple[bytes, str]
"""A path and its format."""


@dataclass(frozen=True, slots=True)
class Table:
    """Numbered texts: one for each reading of a file."""

    joined: Texts
    """As ROUGE-N and ROUGE-S read them, and ROUGE-L its unigrams."""
    apart: Texts
    """As ROUGE-L and ROUGE-W read them, sentence by sentence."""
    readings: Ints

    def places(self, readings: Ints) -> Ints:
        """Where readings stand among the texts."""
        return np.searchsorted(self.readings, readings)


class _View(NamedTuple):
    """One text in one form: stemmed or not, cut as one text or sentence by sentence."""

    file: int
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
    _files: dict[File, int] = field(default_factory=dict)
    _names: list[File] = field(default_factory=list)
    _read: dict[int, list[bytes]] = field(default_factory=dict)
    _views: dict[_View, _Numbered] = field(default_factory=dict)
    _vocabularies: dict[bool, Vocabulary] = field(default_factory=dict)
    _words: dict[str, int] = field(default_factory=dict)

    def number(self, file: File) -> int:
        """A file's number."""
        number = self._files.setdefault(file, len(self._names))
        if number == len(self._names):
            self._names.append(file)
        return number

    def name(self, number: int) -> File:
        """The file of a number."""
        return self._names[number]

    def open(self, files: Ints) -> None:
        """Read files that are not there yet; an unreadable one is an error now, not later."""
        for file in files.tolist():
            if file not in self._read:
                self._read[file] = sentences(*self._names[file])

    def close(self, files: Ints) -> None:
        """Forget what files hold."""
        for file in files.tolist():
            self._read.pop(file, None)
            for stem in self._vocabularies:
                self._views.pop(_View(file, stem, False), None)
                self._views.pop(_View(file, stem, True), None)

    def table(self, wanted: Sequence[Ints]) -> Table:
        """Number the texts of these readings."""
        readings = np.unique(np.concatenate([np.empty(0, np.int64), *wanted]))
        files, stem, clip_stem = ((readings // 4).tolist(), readings & 2 > 0, readings & 1 > 0)
        if self.by_sentence:
            apart = self._texts([_View(*view, True) for view in zip(files, stem.tolist(), strict=True)])
            if not self.mixed and (self.limit is None or self.limit.unit == "w"):
                return Table(apart, apart, readings)
        # under -b the script's two routines cut elsewhere; under -M they may stem differently
        joined = self._texts([_View(*view, False) for view in zip(files, clip_stem.tolist(), strict=True)])
        return Table(joined, apart if self.by_sentence else joined, readings)

    def _texts(self, views: list[_View]) -> Texts:
        for stem in (False, True):
            self._number([view for view in views if view.stem is stem and view not in self._views], stem)
        texts = [self._views[view] for view in views]
        ids = np.concatenate([np.empty(0, np.int32), *(text.ids for text in texts)])
        starts = np.cumsum(np.concatenate([np.zeros(1, np.int64), *(text.sizes for text in texts)]))
        firsts = np.cumsum([0, *(len(text.sizes) for text in texts)])
        words = len(self._words) if self.mixed else sum(map(len, self._vocabularies.values()))
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
            first = last

    def _cut(self, view: _View) -> list[bytes]:
        read = self._read[view.file]
        return cut_apart(read, self.limit) if view.apart else [cut_joined(read, self.limit)]

    def _encoded(self, lines: list[str], stem: bool) -> TokenTable:
        if stem not in self._vocabularies:
            self._vocabularies[stem] = Vocabulary(ScriptText(stem=stem, tables=self.tables))
        vocabulary = self._vocabularies[stem]
        table = vocabulary.encode(lines)
        if not self.mixed:
            return table
        # numbers that both vocabularies share, so that equal words are equal across them
        words = self._words
        shared = [words.setdefault(word, len(words)) for word in vocabulary.words]
        return TokenTable(np.array(shared, np.int32)[table.ids], table.starts)
