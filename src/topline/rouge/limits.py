"""The script's length limits, `-l` words and `-b` bytes: they cut references too, and count in their own way.

Words are separated by white space as in a raw file; a sentence's leading space makes an empty word that
counts. Bytes do not count the spaces that join sentences. ROUGE-L and ROUGE-W read texts through a second
routine of the script, which under `-b` never adds the sentences' lengths up: it cuts the first sentence
that alone is too long and drops what follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from topline.errors import OptionError


@dataclass(frozen=True, slots=True)
class Limit:
    """How much of every text is read.

    >>> str(Limit.words(100)), str(Limit.bytes(665))
    ('100w', '665b')
    """

    amount: float
    """May be broken or negative, as the script takes whatever its flags say."""
    unit: str

    def __post_init__(self) -> None:
        if self.unit not in ("w", "b") or self.amount == 0:
            raise OptionError(f"a limit of {self} makes no sense", hint="e.g. 100w or 665b")

    @classmethod
    def words(cls, amount: float) -> Limit:
        """The script's `-l`."""
        return cls(amount, "w")

    @classmethod
    def bytes(cls, amount: float) -> Limit:
        """The script's `-b`."""
        return cls(amount, "b")

    def __str__(self) -> str:
        return f"{self.amount:g}{self.unit}"


def raw_words(sentence: bytes) -> list[bytes]:
    """A sentence's words as `-l` counts them.

    >>> raw_words(b" an early  start ")
    [b'', b'an', b'early', b'start']
    """
    words = sentence.split()
    return [b"", *words] if words and sentence[:1].isspace() else words


def _first_words(words: Sequence[bytes], room: float) -> bytes:
    """The words that still fit; a broken room of less than one lets one word through."""
    last = int(room - 1)
    return b" ".join(words[: max(0, last + 1)])


def _cut(sentences: Iterable[bytes], limit: Limit, *, add_bytes: bool) -> tuple[list[bytes], list[float]]:
    """What the limit leaves of the sentences, and how much was taken before each."""
    kept: list[bytes] = []
    before: list[float] = []
    taken = 0
    for sentence in sentences:
        before.append(taken)
        words = raw_words(sentence) if limit.unit == "w" else []
        size = len(words) if limit.unit == "w" else len(sentence)
        if taken + size >= limit.amount:
            room = limit.amount - taken
            kept.append(_first_words(words, room) if limit.unit == "w" else sentence[: int(room)])
            break
        kept.append(sentence)
        taken += size if limit.unit == "w" or add_bytes else 0
    return kept, before


def cut_joined(sentences: Iterable[bytes], limit: Limit | None) -> bytes:
    """A text as ROUGE-N and ROUGE-S read it: its sentences joined by spaces, cut at the limit.

    >>> cut_joined([b"One two", b"three four"], Limit.words(3))
    b'One two three'
    """
    if limit is None:
        return b" ".join(sentences)
    kept, before = _cut(sentences, limit, add_bytes=True)
    return b"".join(b" " + part if taken else part for part, taken in zip(kept, before, strict=True))


def cut_apart(sentences: Iterable[bytes], limit: Limit | None) -> list[bytes]:
    """A text as ROUGE-L and ROUGE-W read it: a list of sentences.

    >>> cut_apart([b"One two", b"three four"], Limit.bytes(8))
    [b'One two', b'three fo']
    """
    return list(sentences) if limit is None else _cut(sentences, limit, add_bytes=False)[0]


def as_one_text(sentences: Sequence[str], limit: Limit) -> list[str]:
    """`cut_joined` for strings, measured in UTF-8; a character that is cut in two is lost."""
    return [cut_joined(map(_encoded, sentences), limit).decode("utf-8", "ignore")]


def as_sentences(sentences: Sequence[str], limit: Limit) -> list[str]:
    """`cut_apart` for strings."""
    return [part.decode("utf-8", "ignore") for part in cut_apart(map(_encoded, sentences), limit)]


def _encoded(sentence: str) -> bytes:
    return sentence.encode("utf-8", "surrogatepass")
