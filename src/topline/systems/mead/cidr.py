"""CIDR: single-pass clustering of a stream of documents (Radev et al. 1999; 2004, section 3.2).

A document is turned into a centroid: counts of its first words, each further word weighing a little
less, cut to those whose count x IDF is high. It joins the most similar cluster if the similarity reaches
the threshold, else it opens one. A cluster's centroid is the running mean of its documents', cut by the
same rule. `variant=paper` measures similarity by equation (3.2), IDF once in the products and not in the
norms; `variant=mead3` puts IDF into both vectors, as the distributed program does.
Clusters are found through an index over centroid words, so a document meets only clusters it shares a
word with; the result is that of a scan over all. `active` and `within` close clusters that have long had no
new document, so that the index is bounded whatever the length of the stream.
Left out: the paper's TDT-specific deferral (decisions are final at once).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

import numpy as np

from topline.errors import OptionError
from topline.systems.matrix import Floats
from topline.systems.system import check, check_choice
from topline.text.tokens import SPACELESS

VARIANTS = ("paper", "mead3")
_WORD = re.compile(r"[^\W\d_]+")
_LETTERS = bytes(byte if chr(byte).isalpha() and byte < 128 else 32 for byte in range(256))
"""ASCII with all that is no letter made space: what `_WORD` finds, sooner."""
_BEGINNING = 9
"""Characters a word that are searched before the whole text is."""
MOST_WORDS = 1 << 21
"""Words, or spellings of them, that are remembered before those out of use are forgotten."""


@dataclass(frozen=True, slots=True)
class CidrOptions:
    """How CIDR clusters."""

    variant: str = "paper"
    """`paper` or `mead3`: the similarity."""
    threshold: float = 0.1
    """The least similarity at which a document joins a cluster."""
    decay: float = 0.01
    """What each further word of a document weighs less; 0 reads all of it."""
    keep_threshold: float = 3.0
    """Words with more count x IDF stay in a centroid..."""
    keep: int = 10
    """... and at least so many."""
    active: int = 100_000
    """No more clusters than this stay open, the longest idle close first; 0 for no such limit."""
    within: int = 0
    """A cluster closes after so many days without a document; 0: it stays open."""

    def __post_init__(self) -> None:
        check_choice("cidr", "variant", self.variant, VARIANTS)
        check("cidr", "threshold", self.threshold, 0.0, 1e9)
        check("cidr", "decay", self.decay, 0.0, 1.0)
        check("cidr", "keep_threshold", self.keep_threshold, 0.0, 1e9)
        check("cidr", "keep", self.keep, 1, 1e6)
        check("cidr", "active", self.active, 0, 2**30)
        check("cidr", "within", self.within, 0, 2**30)
        if self.threshold == 0.0:
            raise OptionError("cidr: with a threshold of 0 every document would join", hint="above 0")

    @property
    def reach(self) -> int | None:
        """How many words of a document count; None for all."""
        if self.decay == 0.0:
            return None
        number = int(1.0 / self.decay)
        return number + 1 if 1.0 - self.decay * number > 1e-12 else number


def words_of(text: str, most: int | None) -> list[str]:
    """The first words: split at digits, underscores and whatever is no letter.

    A vowel sign belongs to its letter; where a script writes no spaces, a character is a word.
    """
    if most is None:
        return _split(text)
    beginning = text[: _BEGINNING * most]
    found = _split(beginning)
    if len(found) > most or len(beginning) == len(text):
        return found[:most]
    return [match[0] for match in islice(_word(text).finditer(text), most)]


def _split(text: str) -> list[str]:
    if text.isascii():
        return text.encode("ascii").translate(_LETTERS).decode("ascii").split()
    return _word(text).findall(text)


def _word(text: str) -> re.Pattern[str]:
    """What a word of this text looks like."""
    special, word = _of_all_scripts()
    return word if special.search(text) else _WORD


@cache
def _of_all_scripts() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Characters that a plain run of letters does not do justice to, and words that may hold them."""
    # within 16 bits: a larger class would be searched through one by one, for every letter
    kinds = [(character, unicodedata.category(character)[0]) for character in map(chr, range(0x300, 0x10000))]
    marks = "".join(character for character, kind in kinds if kind == "M")
    spaceless = "".join(character for character, kind in kinds if kind == "L" and SPACELESS.match(character))
    alone = f"[{spaceless}]"
    word = rf"{alone}[{marks}]*|(?:(?!{alone})[^\W\d_]|[{marks}])+"
    return re.compile(f"[{spaceless}{marks}]"), re.compile(word)


def fold(word: str) -> str:
    """A word without its capitals."""
    return word.lower() if word.isascii() else unicodedata.normalize("NFKC", word).casefold()


class Spellings(dict[str, int]):
    """A code a spelling: twice the number of its word, and one more where it begins with a capital."""

    def __init__(self, add_word: Callable[[str], None]) -> None:
        super().__init__()
        self.words: dict[str, int] = {}
        self._add_word = add_word

    def __missing__(self, spelling: str) -> int:
        word = fold(spelling)
        number = self.words.get(word)
        if number is None:
            number = self.words[word] = len(self.words)
            self._add_word(word)
        self[spelling] = 2 * number + (spelling[0].isupper() and spelling[1:2].islower())
        return self[spelling]

    def renumber(self, kept: Sequence[int]) -> None:
        """Forget all words but these."""
        names = list(self.words)
        self.words = {names[old]: new for new, old in enumerate(kept)}
        self.clear()


class Cidr:
    """Clusters that are open, and what a next document does to them."""

    def __init__(self, idf: Callable[[Sequence[str]], Floats], options: CidrOptions | None = None) -> None:
        from topline.systems.mead.clusters import Clusters

        self.options = options or CidrOptions()
        self.idf = idf
        """The IDF of words."""
        self.documents = 0
        self.opened = 0
        """Clusters opened so far; their numbers count from 0."""
        self._clusters = Clusters(self.options)
        self._reach = self.options.reach
        self._spellings = Spellings(lambda word: self._clusters.add_word(float(idf([word])[0])))

    def add(self, text: str, day: int | None = None) -> int:
        """The number of the cluster that the document joins or opens; `day` is its date as a day's number."""
        spellings = self._spellings
        if max(len(spellings), len(spellings.words)) > MOST_WORDS:
            spellings.renumber(self._clusters.keep_words().tolist())
        words = words_of(text, self._reach)
        codes = np.fromiter(map(spellings.__getitem__, words), np.int64, len(words))
        number, opened = self._clusters.add(codes, self.opened, day)
        self.opened += opened
        self.documents += 1
        return number

    def centroid(self, cluster: int) -> dict[str, float]:
        """The words and mean counts of a cluster, heaviest first (Table 2); {} if it is closed."""
        names = list(self._spellings.words)
        return {names[word]: weight for word, weight in self._clusters.centroid(cluster)}

    @property
    def open(self) -> int:
        """How many clusters are open."""
        return self._clusters.open
