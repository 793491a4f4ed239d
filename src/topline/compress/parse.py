"""A dependency parse of one sentence, as both parsers and CoNLL-U files give it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from topline.errors import CorpusError, Where

NO_HEAD = -1
_MARKS = frozenset(",;:.!?…\"'`“”‘’„«»‹›()[]{}-–—―/\\*_~|<>·•")
_MARK_LABELS = frozenset(("punct", "root", "ROOT", ""))
CLEARNLP_ONLY = frozenset(
    ("prep", "pobj", "dobj", "nsubjpass", "auxpass", "csubjpass", "acomp", "attr", "prt", "neg", "pcomp")
)
"""Labels that UD does not have; one of them in a file shows that the file is in ClearNLP style."""


@dataclass(frozen=True, slots=True)
class Word:
    """A syntactic word: what the parser hangs on a head."""

    form: str
    head: int
    """Number of the head word (0-based) or NO_HEAD."""
    label: str
    pos: str = ""
    """Universal part of speech."""
    tag: str = ""
    """The treebank's own tag (for English: Penn's)."""
    feats: str = ""
    lemma: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the sentence's surface: one word, or a token of several words (`don't`, `zum`)."""

    text: str
    first: int
    """Number of its first word."""
    last: int
    """One behind the number of its last word."""
    spaced: bool
    """Whether white space follows."""


@dataclass(frozen=True, slots=True)
class Parse:
    """A sentence's words with their heads, and the surface they cover."""

    words: tuple[Word, ...]
    pieces: tuple[Piece, ...]
    _cores: list[tuple[range, range]] = field(default_factory=list, init=False, repr=False, compare=False)
    """What `cores` found: trees, problems and texts all ask for it."""

    def __post_init__(self) -> None:
        word = _astray([word.head for word in self.words])
        if word is not None:
            raise CorpusError(
                f"no tree: the heads of word {word + 1} ({self.words[word].form!r}) lead to no root",
                where=Where(id=self.text[:40]),
                hint="every word's head leads to a root",
            )

    @property
    def text(self) -> str:
        """The sentence as it is written, white space as single blanks."""
        return "".join(piece.text + " " * piece.spaced for piece in self.pieces).rstrip()

    def is_mark(self, piece: int) -> bool:
        """Whether a piece is punctuation that may come and go with the words around it."""
        word = self.words[self.pieces[piece].first]
        return word.label in _MARK_LABELS and _MARKS.issuperset(self.pieces[piece].text)

    def spans(self) -> Iterator[range]:
        """The runs of pieces that no white space divides: words as a word count sees them."""
        start = 0
        for i, piece in enumerate(self.pieces):
            if piece.spaced or i + 1 == len(self.pieces):
                yield range(start, i + 1)
                start = i + 1

    def cores(self) -> Sequence[tuple[range, range]]:
        """Each run of `spans` with its part between the outermost words: marks inside stay, outside not."""
        if not self._cores:
            for span in self.spans():
                inner = [i for i in span if not self.is_mark(i)]
                self._cores.append((span, range(inner[0], inner[-1] + 1) if inner else range(0)))
        return self._cores


def _astray(heads: Sequence[int]) -> int | None:
    """A word from which no way leads to a root by following heads; every word is passed once."""
    safe = [head == NO_HEAD for head in heads]
    for start in range(len(heads)):
        path: list[int] = []
        word = start
        while not safe[word]:
            path.append(word)
            if not NO_HEAD <= heads[word] < len(heads) or len(path) > len(heads):
                return start
            word = heads[word]
        for passed in path:
            safe[passed] = True
    return None


def writable(text: str) -> str:
    """The text with a question mark for what no file can hold (lone surrogates)."""
    return text.encode("utf-8", "replace").decode("utf-8")


def label_set(parses: Sequence[Parse]) -> str:
    """Which of the two label sets the parses use: `clearnlp` if any label of its own occurs, else `ud`."""
    found = {word.label.lower() for parse in parses for word in parse.words}
    return "clearnlp" if found & CLEARNLP_ONLY else "ud"


def spaced_as(parse: Parse, source: str) -> Parse:
    """The parse with the white space of its source, from which it may differ in nothing else."""
    pieces = []
    at = 0
    for piece in parse.pieces:
        for char in piece.text:
            if not char.isspace():
                at = next(i for i in range(at, len(source)) if not source[i].isspace()) + 1
        spaced = source[at : at + 1].isspace() and bool(source[at:].strip())
        pieces.append(replace(piece, spaced=spaced))
    return replace(parse, pieces=tuple(pieces))
