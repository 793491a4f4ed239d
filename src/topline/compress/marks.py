"""Punctuation: which chunk a mark stands and falls with."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from typing import NamedTuple

from topline.compress.parse import Parse
from topline.compress.tree import ROOT, Chunk, Mark

_PAIRS = {"(": ")", "[": "]", "{": "}", "“": "”", "«": "»", "``": "''", "-LRB-": "-RRB-", "„": "“"}
_BRACKETS = (")", "]", "}")
_SENTENCES = ("root", "parataxis")
"""Labels of what is added to a sentence ("…, she said"): its comma stays with it."""
_DIVIDING = (";", ":")
"""They part what stands on both sides, and close no phrase."""
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
    set_off = _set_off(parse, chunks, chunk_of, paths)
    marks = []
    for p in loose:
        # "Come in," he said: the comma goes with the quotation that it ends
        half = p + 1 if parse.pieces[p].text == "," and partner.get(p + 1, p) < p else p
        if half in partner:
            low, high = sorted((half, partner[half]))
            inside = sorted({chunk_of[q] for q in range(low, high) if q in chunk_of})
            marks.append(Mark(p, _common(paths, inside), tuple(inside)))
        elif p < first or p > last:
            marks.append(Mark(p, ROOT, ()))
        else:
            place = bisect(words, p)
            left, right = chunk_of[words[place - 1]], chunk_of[words[place]]
            if parse.pieces[p].text in _BRACKETS and words[place - 1] == p - 1:
                marks.append(Mark(p, left, ()))  # "1)", "10(1)": one half stands with its word
            else:
                marks.append(_between(parse, chunks, paths, set_off, p, left, right))
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


class _SetOff(NamedTuple):
    """The chunks whose phrases begin behind a comma or dash, and those that end before one."""

    opened: frozenset[int]
    closed: frozenset[int]


def _set_off(
    parse: Parse, chunks: Sequence[Chunk], chunk_of: dict[int, int], paths: Sequence[Sequence[int]]
) -> _SetOff:
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for c, chunk in enumerate(chunks):
        for above in paths[c][:-1]:
            first[above] = min(first.get(above, chunk.pieces[0]), chunk.pieces[0])
            last[above] = max(last.get(above, chunk.pieces[-1]), chunk.pieces[-1])

    def cut(piece: int) -> bool:
        inside = 0 <= piece < len(parse.pieces)
        return inside and piece not in chunk_of and parse.pieces[piece].text in _SETTING_OFF

    return _SetOff(
        frozenset(c for c, p in first.items() if cut(p - 1)),
        frozenset(c for c, p in last.items() if cut(p + 1)),
    )


def _between(
    parse: Parse,
    chunks: Sequence[Chunk],
    paths: Sequence[Sequence[int]],
    set_off: _SetOff,
    piece: int,
    left: int,
    right: int,
) -> Mark:
    """A mark inside the sentence, between words of two chunks.

    It belongs to the phrase that hangs from the other side: at the end of several, to the innermost that a
    mark sets off at its beginning too. Between two phrases of one head: to a conjunct, to the first if both
    stand before the head (an introductory phrase), to the one that another mark sets off on its other side,
    else to whichever stays.
    """
    top = _common(paths, [left, right])
    if left == right or (top in (left, right) and top == ROOT):
        return Mark(piece, left, ())
    ends = paths[left][: paths[left].index(top)]
    begins = paths[right][: paths[right].index(top)]
    behind = _conjunct(chunks, begins) or list(begins[-1:])
    if not ends:
        return Mark(piece, behind[0], ())
    before = next((c for c in ends if c in set_off.opened), ends[-1])
    if not begins:
        return Mark(piece, top if parse.pieces[piece].text in _DIVIDING else before, ())
    return _beside(chunks, set_off, Mark(piece, top, (before, *behind)))


def _conjunct(chunks: Sequence[Chunk], begins: Sequence[int]) -> list[int]:
    """The conjunct that begins here, if that is what the phrases do: one of a list hangs from the next."""
    if not begins or not chunks[begins[-1]].label.startswith("conj"):
        return []
    return [next(c for c in begins if chunks[c].label.startswith("conj"))]


def _beside(chunks: Sequence[Chunk], set_off: _SetOff, mark: Mark) -> Mark:
    """Whose a mark is that stands between two phrases of one head, or of the sentence."""
    before, behind = mark.sides
    if chunks[behind].label.startswith("conj") or chunks[behind].label in _SENTENCES:
        return Mark(mark.piece, behind, ())
    if mark.owner != ROOT and min(chunks[mark.owner].pieces) > mark.piece:
        return Mark(mark.piece, before, ())
    if (before in set_off.opened) != (behind in set_off.closed):
        return Mark(mark.piece, before if before in set_off.opened else behind, ())
    return mark
