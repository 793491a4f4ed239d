"""ROUGE-1.5.5's stemmer: WordNet's exceptions first, then Porter with the script's own step 4."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files

_CONSONANTS = "[^aeiou][^aeiouy]*"
_VOWELS = "[aeiouy][aeiou]*"
_MEASURE_0 = re.compile(f"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}")
"""Matches a stem whose measure is above 0; the next two: exactly 1, above 1."""
_MEASURE_IS_1 = re.compile(f"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}(?:{_VOWELS})?$")
_MEASURE_1 = re.compile(f"(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}{_VOWELS}{_CONSONANTS}")
_HAS_VOWEL = re.compile(f"(?:{_CONSONANTS})?[aeiouy]")
_SHORT = re.compile(f"{_CONSONANTS}[aeiouy][^aeiouwxy]$")
_NEVER_HALVED = "aeiouylsz"
"""Letters that stay doubled before -ed and -ing."""

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble",
    "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate",
    "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al",
    "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ou", "ism", "ate", "iti", "ous",
    "ive", "ize",
)  # fmt: skip


def _by_ending(suffixes: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Suffixes by their last two letters, the longest first: most words have none and need one look."""
    longest_first = sorted(suffixes, key=len, reverse=True)
    return {
        ending: tuple(suffix for suffix in longest_first if suffix.endswith(ending))
        for ending in {suffix[-2:] for suffix in longest_first}
    }


_ENDINGS_2, _ENDINGS_3, _ENDINGS_4 = map(_by_ending, (_STEP_2, _STEP_3, _STEP_4))


def _longest(word: str, endings: dict[str, tuple[str, ...]]) -> str | None:
    """The longest of the suffixes that the word ends in; the regular expression finds it leftmost."""
    for suffix in endings.get(word[-2:], ()):
        if word.endswith(suffix):
            return suffix
    return None


def _plurals(word: str) -> str:
    if word[-1] != "s":
        return word
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word if word.endswith("ss") else word[:-1]


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _MEASURE_0.match(word[:-3]) else word
    suffix = "ed" if word.endswith("ed") else "ing" if word.endswith("ing") else ""
    if not suffix or not _HAS_VOWEL.match(word[: -len(suffix)]):
        return word
    word = word[: -len(suffix)]
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if word[-1:] == word[-2:-1] and word[-1:] not in _NEVER_HALVED:
        return word[:-1]
    return word + "e" if _SHORT.match(word) else word


def _replaced(word: str, table: dict[str, str], endings: dict[str, tuple[str, ...]]) -> str:
    suffix = _longest(word, endings)
    if suffix is not None and _MEASURE_0.match(word[: -len(suffix)]):
        return word[: -len(suffix)] + table[suffix]
    return word


def _strip(word: str) -> str:
    """Step 4 as the script has it: the rules for -ement, -ment and -ent run one after another."""
    suffix = _longest(word, _ENDINGS_4)
    if suffix is not None:
        word = _dropped(word, suffix)
    if word.endswith("ment"):
        word = _dropped(word, "ment")
    if word.endswith("ent"):
        return _dropped(word, "ent")
    return _dropped(word, "ion") if word.endswith(("sion", "tion")) else word


def _dropped(word: str, suffix: str) -> str:
    stemmed = word[: -len(suffix)]
    return stemmed if _MEASURE_1.match(stemmed) else word


def _tidy(word: str) -> str:
    if word.endswith("e"):
        short = word[:-1]
        if _MEASURE_1.match(short) or (_MEASURE_IS_1.match(short) and not _SHORT.match(short)):
            word = short
    return word[:-1] if word.endswith("ll") and _MEASURE_1.match(word) else word


@lru_cache(maxsize=1 << 16)
def porter(word: str) -> str:
    """The script's Porter stemmer alone, for lower-case words.

    >>> porter("departmental"), porter("agreement"), porter("happily")
    ('depart', 'agreem', 'happili')
    """
    if len(word) < 3:
        return word
    initial_y = word[0] == "y"
    if initial_y:
        word = "Y" + word[1:]
    word = _past(_plurals(word))
    if word.endswith("y") and _HAS_VOWEL.match(word[:-1]):
        word = word[:-1] + "i"
    if word[-2:] in _ENDINGS_2:
        word = _replaced(word, _STEP_2, _ENDINGS_2)
    if word[-2:] in _ENDINGS_3:
        word = _replaced(word, _STEP_3, _ENDINGS_3)
    word = _tidy(_strip(word))
    return "y" + word[1:] if initial_y else word


@lru_cache(maxsize=1)
def exceptions() -> dict[str, str]:
    """WordNet 2.0's irregular forms as the script's database holds them (the first base form)."""
    text = files("topline.text").joinpath("data/wordnet-exceptions.txt").read_text("latin-1")
    return dict(line.split(" ", 1) for line in text.splitlines())


@lru_cache(maxsize=1 << 16)
def stem(token: str) -> str:
    """Stem a token as `-m` does: up to three characters stay; exceptions are looked up, not stemmed again.

    >>> stem("mice"), stem("mouse"), stem("was"), stem("agreement")
    ('mouse', 'mous', 'was', 'agreem')
    """
    if len(token.encode("utf-8", "surrogatepass")) <= 3:
        return token
    return exceptions().get(token) or porter(token)
