"""Punctuation: which chunk a mark stands and falls with."""

from __future__ import annotations

from bisect import bisect
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
    if not chunk_of or not loose:
        return tuple(Mark(p, ROOT, ()) for p in loose)
    words = sorted(chunk_of)
    first, last = words[0], words[-1]
    partner = _partners(parse, loose)
    paths = _paths(chunks)
    opened = _opened(parse, chunks, chunk_of, paths)
    marks = []
    for p in loose:
        if p in partner:
            low, high = sorted((p, partner[p]))
            inside = sorted({chunk_of[q] for q in range(low, high) if q in chunk_of})
            marks.append(Mark(p, _common(paths, inside), tuple(inside)))
        elif p < first or p > last:
            marks.append(Mark(p, ROOT, ()))
        else:
            place = bisect(words, p)
            left, right = chunk_of[words[place - 1]], chunk_of[words[place]]
            marks.append(_between(chunks, paths, opened, p, left, right))
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


def _paths(chunks: Sequence[Chunk]) -> list[list[int]]:
    """For each chunk itself and those above it, ROOT last."""
    paths: list[list[int]] = [[] for _ in chunks]
    for c in range(len(chunks)):
        way = [c]
        while (above := chunks[way[-1]].parent) != ROOT and not paths[above]:
            way.append(above)
        path = [ROOT] if above == ROOT else paths[above]
        for passed in reversed(way):
            path = paths[passed] = [passed, *path]
    return paths


def _common(paths: Sequence[Sequence[int]], group: Sequence[int]) -> int:
    """The lowest chunk at or above all of these, or ROOT."""
    if not group:
        return ROOT
    return next(c for c in paths[group[0]] if all(c in paths[one] for one in group))


def _opened(
    parse: Parse, chunks: Sequence[Chunk], chunk_of: dict[int, int], paths: Sequence[Sequence[int]]
) -> set[int]:
    """The chunks whose phrases begin behind a comma or dash."""
    first: dict[int, int] = {}
    for c, chunk in enumerate(chunks):
        for above in paths[c][:-1]:
            first[above] = min(first.get(above, chunk.pieces[0]), chunk.pieces[0])
    return {
        c for c, p in first.items()
        if p > 0 and p - 1 not in chunk_of and parse.pieces[p - 1].text in _SETTING_OFF
    }  # fmt: skip


def _between(
    chunks: Sequence[Chunk],
    paths: Sequence[Sequence[int]],
    opened: set[int],
    piece: int,
    left: int,
    right: int,
) -> Mark:
    """A mark inside the sentence, between words of two chunks.

    It belongs to the phrase that hangs from the other side: at the end of several, to the innermost that a
    mark sets off at its beginning too. Between two phrases of one head: to the first if both stand before
    the head (an introductory phrase), to a conjunct, else to whichever stays.
    """
    top = _common(paths, [left, right])
    if left == right or (top in (left, right) and top == ROOT):
        return Mark(piece, left, ())
    ends = paths[left][: paths[left].index(top)]
    begins = paths[right][: paths[right].index(top)]
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
