"""Summary files: SEE (an anchor a sentence), SPL (a line a sentence), or plain text.

This reads them for a corpus, entities decoded. The script's own reading, quirks included, belongs to the
drop-in for ROUGE-1.5.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from topline.corpus.files import whole
from topline.corpus.markup import Tag, pieces, plain
from topline.corpus.reading import How
from topline.corpus.splitting import strings_of
from topline.text.sentences import lines

_ENDS = (".", "!", "?", '"', "'", ")", ":", ";", "…", "。", "”", "’")
_SEE_SUFFIXES = {".html", ".htm", ".see"}


class SummaryText(NamedTuple):
    """The sentences of a summary file."""

    sentences: tuple[str, ...]
    splitter: str | None
    """What split them; None if the file had them split."""


def summary_file(path: Path, how: How) -> SummaryText:
    """The sentences of a summary file: by its anchors, by its lines, or split."""
    return summary_text(whole(path, how.limit), path.suffix.lower(), how)


def summary_text(text: str, suffix: str, how: How) -> SummaryText:
    """The same for a text; its file's suffix says what it claims to be.

    Plain text holds a sentence a line if at least half of its lines, the last left out, end as sentences do.
    """
    anchored = tuple(anchors(text))
    if anchored or suffix in _SEE_SUFFIXES:
        return SummaryText(anchored, None)
    spans = [text[span.start : span.end] for span in lines(text)]
    ended = sum(line.endswith(_ENDS) for line in spans[:-1])
    if suffix == ".spl" or (len(spans) > 1 and 2 * ended >= len(spans) - 1):
        return SummaryText(tuple(spans), None)
    return SummaryText(strings_of(text, how.splitter), how.splitter.signature)


def anchors(text: str) -> Iterator[str]:
    """The sentences of a SEE file: the text of each `<a href=… id=…>`."""
    inside: list[str] | None = None
    for piece in pieces(text):
        if isinstance(piece, str):
            if inside is not None:
                inside.append(piece)
        elif piece.name in ("A", "BODY", "HTML"):
            if sentence := " ".join(plain("".join(inside or ())).split()):
                yield sentence
            inside = [] if _opens(piece) else None
    if sentence := " ".join(plain("".join(inside or ())).split()):
        yield sentence


def _opens(tag: Tag) -> bool:
    return tag.name == "A" and not tag.closing and bool(tag.attribute("href") and tag.attribute("id"))
