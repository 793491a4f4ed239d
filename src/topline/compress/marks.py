"""Punctuation: which chunk a mark stands and falls with."""

from __future__ import annotations

from collections.abc import Sequence

from topline.compress.parse import Parse
from topline.compress.tree import ROOT, Chunk, Mark

_PAIRS = {"(": ")", "[": "]", "{": "}", "“": "”", "«": "»", "``": "''", "-LRB-": "-RRB-", "„": "“"}
_SETTING_OFF = (",", "-", "--", "–", "—")
_STRAIGHT = ('"', "'", "”", "’", "_", "*")


def place_marks(parse: Parse, chunks: Sequence[Chunk]) -> tuple[Mark, ...]:
    """An owner for every mark: pairs go with what they enclose, commas with the phrase they set off.

    What opens or ends the sentence belongs to ROOT: it stays whatever is trimmed.
    """
    chunk_of = {piece: c for c, chunk in enumerate(chunks) for piece in chunk.pieces}
    loose = [p for p in range(len(parse.pieces)) if p not in chunk_of]
    if not chunk_of:
        return tuple(Mark(p, ROOT, ()) for p in loose)
    first, last = min(chunk_of), max(chunk_of)
    partner = _partners(parse, loose)
    opened = _opened(parse, chunks, chunk_of)
    marks = []
    for p in loose:
        if p in partner:
            low, high = sorted((p, partner[p]))
            inside = sorted({chunk_of[q] for q in range(low, high) if q in chunk_of})
            marks.append(Mark(p, _common(chunks, inside), tuple(inside)))
        elif p < first or p > last:
            marks.append(Mark(p, ROOT, ()))
        else:
            before = max(q for q in chunk_of if q < p)
            behind = min(q for q in chunk_of if q > p)
            marks.append(_between(chunks, opened, p, chunk_of[before], chunk_of[behind]))
    return tuple(marks)


def _partners(parse: Parse, loose: Sequence[int]) -> dict[int, int]:
    """Quotes and brackets with their other half; one that stands alone has none."""
    partner: dict[int, int] = {}
    open_marks: list[int] = []
    for p in loose:
        text = parse.pieces[p].text
        opener = next((o for o in reversed(open_marks) if _closes(parse.pieces[o].text, text)), None)
        if opener is not None:
            partner[p], partner[opener] = opener, p
            del open_marks[open_marks.index(opener) :]
        elif text in _PAIRS or text in _STRAIGHT:
            open_marks.append(p)
    return {p: q for p, q in partner.items() if abs(p - q) > 1}


def _closes(opening: str, text: str) -> bool:
    return _PAIRS.get(opening) == text or (opening in _STRAIGHT and opening == text)


def _path(chunks: Sequence[Chunk], chunk: int) -> list[int]:
    """A chunk and those above it, ROOT last."""
    path = [chunk]
    while path[-1] != ROOT:
        path.append(chunks[path[-1]].parent)
    return path


def _common(chunks: Sequence[Chunk], group: Sequence[int]) -> int:
    """The lowest chunk at or above all of these, or ROOT."""
    if not group:
        return ROOT
    paths = [_path(chunks, c) for c in group]
    return next(c for c in paths[0] if all(c in path for path in paths))


def _opened(parse: Parse, chunks: Sequence[Chunk], chunk_of: dict[int, int]) -> set[int]:
    """The chunks whose phrases begin behind a comma or dash."""
    first: dict[int, int] = {}
    for c, chunk in enumerate(chunks):
        for above in _path(chunks, c)[:-1]:
            first[above] = min(first.get(above, chunk.pieces[0]), chunk.pieces[0])
    return {
        c for c, p in first.items()
        if p > 0 and p - 1 not in chunk_of and parse.pieces[p - 1].text in _SETTING_OFF
    }  # fmt: skip


def _between(chunks: Sequence[Chunk], opened: set[int], piece: int, left: int, right: int) -> Mark:
    """A mark inside the sentence, between words of two chunks.

    It belongs to the phrase that hangs from the other side: at the end of several, to the innermost that a
    mark sets off at its beginning too. Between two phrases of one head: to the first if both stand before
    the head (an introductory phrase), to a conjunct, else to whichever stays.
    """
    top = _common(chunks, [left, right])
    if left == right or (top in (left, right) and top == ROOT):
        return Mark(piece, left, ())
    ends = _path(chunks, left)[: _path(chunks, left).index(top)]
    begins = _path(chunks, right)[: _path(chunks, right).index(top)]
    if not ends:
        return Mark(piece, begins[-1], ())
    before = next((c for c in ends if c in opened), ends[-1])
    if not begins:
        return Mark(piece, before, ())
    behind = begins[-1]
    if chunks[behind].label.startswith("conj"):
        return Mark(piece, behind, ())
    if top != ROOT and min(chunks[top].pieces) > piece:
        return Mark(piece, before, ())
    return Mark(piece, top, (before, behind))
