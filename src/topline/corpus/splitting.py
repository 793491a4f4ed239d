"""From a text to the sentences of a record."""

from __future__ import annotations

from topline.corpus.records import Sentence
from topline.text.sentences import Splitter

_BREAKS = dict.fromkeys(map(ord, "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")


def sentences_of(text: str, splitter: Splitter, *, lines_end: bool = False) -> tuple[Sentence, ...]:
    """The text's sentences with their offsets; line breaks within a sentence become spaces, one for one."""
    return tuple(
        Sentence(text[start:end].translate(_BREAKS), start, end)
        for start, end in splitter.spans(text, lines_end=lines_end)
    )


def strings_of(text: str, splitter: Splitter, *, lines_end: bool = False) -> tuple[str, ...]:
    """The text's sentences as strings, for summaries."""
    return tuple(sentence.text for sentence in sentences_of(text, splitter, lines_end=lines_end))


def given(texts: list[str]) -> tuple[Sentence, ...]:
    """Sentences that came already split."""
    return tuple(map(Sentence, texts))
