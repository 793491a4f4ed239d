"""Tokenisers and the choices that turn a text into tokens, as one value with a signature."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from topline.errors import MetricError
from topline.text.stem import stem
from topline.text.stopwords import load_stopwords

_KEEP = b"abcdefghijklmnopqrstuvwxyz0123456789"
_TABLE = bytes(byte if byte in _KEEP else byte + 32 if 65 <= byte <= 90 else 32 for byte in range(256))
"""ROUGE-1.5.5 byte by byte: ASCII capitals fall, everything but letters and digits is space. Hyphens
are split off there as tokens of their own and then dropped, which comes to the same."""


def rouge155(text: str) -> list[str]:
    """Tokenise as ROUGE-1.5.5 does: bytes, ASCII letters and digits, all else separates.

    >>> rouge155("The café's 1,000 well-known U.S. tables")
    ['the', 'caf', 's', '1', '000', 'well', 'known', 'u', 's', 'tables']
    """
    return text.encode("utf-8", "surrogatepass").translate(_TABLE).decode("ascii").split()


_SCRIPTS_WITHOUT_SPACES = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    "\u3040-\u30ff\u31f0-\u31ff"  # Kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\U00020000-\U0003ffff"
)
SPACELESS = re.compile(f"[{_SCRIPTS_WITHOUT_SPACES}]")
"""A letter of a script that puts no spaces between words."""
_ZERO_WIDTH_SPACE = "\u200b"


def unicode_words(text: str) -> list[str]:
    """Tokenise any language: runs of letters, marks and digits; a token a character where no spaces are used.

    Text is normalised (NFKC) and case-folded first.

    >>> unicode_words("Größe 中文 हिन्दी")
    ['grösse', '中', '文', 'हिन्दी']
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _join_marks("".join(map(_spaced, folded)).split())


@lru_cache(maxsize=1 << 14)
def _spaced(character: str) -> str:
    """A character with the spaces that part it from others; what is no word's is a space itself."""
    category = unicodedata.category(character)
    if category[0] in "LMN":
        return f" {character} " if SPACELESS.match(character) else character
    # soft hyphens and joiners only say how a word is written: it stays one word
    return "" if category == "Cf" and character != _ZERO_WIDTH_SPACE else " "


def _join_marks(tokens: list[str]) -> list[str]:
    """Put a combining mark that stands alone (Thai vowel signs) back onto the letter before it."""
    joined: list[str] = []
    for token in tokens:
        if joined and all(unicodedata.category(c)[0] == "M" for c in token):
            joined[-1] += token
        else:
            joined.append(token)
    return joined


Tokenizer = Callable[[str], list[str]]
TOKENIZERS: dict[str, Tokenizer] = {"rouge155": rouge155, "unicode": unicode_words}
RAW_TOKENS = {"rouge155": _TABLE.replace(b" ", b"\0")}
"""For tokenisers that work byte by byte: what each byte counts as, 0 for separators (see `kernels`)."""


@dataclass(frozen=True, slots=True)
class Preprocessing:
    """How a text becomes tokens: the tokeniser, then stop words out, then stems."""

    tokenizer: str = "rouge155"
    stem: bool = True
    stopwords: str = "none"
    """`none`, `smart` (the script's own list) or the path of a file with a word a line."""

    def __post_init__(self) -> None:
        if self.tokenizer not in TOKENIZERS:
            known = ", ".join(TOKENIZERS)
            raise MetricError(f"unknown tokenizer {self.tokenizer!r}", hint=f"one of: {known}")

    def normalise(self, token: str) -> str | None:
        """What becomes of one raw token: None if it is a stop word, else its stem or itself."""
        if token in load_stopwords(self.stopwords):
            return None
        return stem(token) if self.stem else token

    def tokens(self, text: str) -> list[str]:
        """All tokens of a text, ready to be counted."""
        normal = (self.normalise(token) for token in TOKENIZERS[self.tokenizer](text))
        return [token for token in normal if token is not None]

    @property
    def signature(self) -> str:
        """The part of a score's signature that says how text became tokens."""
        return f"tok:{self.tokenizer}|stem:{'porter155' if self.stem else 'no'}|stop:{self.stopwords}"
