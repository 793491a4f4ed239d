"""From kept chunks to a readable sentence: capitals, spaces, punctuation; and where the kept words stood."""

from __future__ import annotations

from collections.abc import Collection

from topline.compress.tree import ROOT, ChunkTree

_OPENING = frozenset(("(", "[", "{", "“", "‘", "«", "``", "„"))
_CLOSING_QUOTES = frozenset(("”", "’", "»", "''"))
_CLOSING = _CLOSING_QUOTES | {")", "]", "}"}
_STRAIGHT = frozenset(('"', "'"))
_SEPARATORS = frozenset((",", ";", ":", "-", "--", "–", "—", "/"))
_ENDS = frozenset((".", "!", "?", "…", "..."))
LEADS, TRAILS = -1, 1
"""On which side of a word a mark stands that no blank divides from it."""


def kept_pieces(tree: ChunkTree, kept: Collection[int]) -> list[int]:
    """The pieces to print: kept words, and the marks that still make sense between them."""
    if not kept:
        return []
    pieces = [p for c in kept for p in tree.chunks[c].pieces]
    for mark in tree.marks:
        owned = mark.owner == ROOT or mark.owner in kept
        if owned and (not mark.sides or any(side in kept for side in mark.sides)):
            pieces.append(mark.piece)
    return _tidy(tree, sorted(pieces), {mark.piece for mark in tree.marks})


def _tidy(tree: ChunkTree, pieces: list[int], marks: set[int]) -> list[int]:
    """Drop what trimming left behind: commas that open, end or double, quotes around nothing.

    A sentence that kept all its pieces is left as it was.
    """
    if len(pieces) == len(tree.parse.pieces):
        return pieces
    text = _shapes(tree)
    sides = _sides(tree)
    last = max(p for p in pieces if p not in marks)
    changed = True
    while changed:
        changed = False
        for here, behind in zip([None, *pieces], [*pieces, None], strict=True):
            victim = _superfluous(text, marks, here, behind, last) or _astray(sides, here, behind)
            if victim is not None:
                pieces = [p for p in pieces if p not in victim]
                changed = True
                break
    return pieces


def _sides(tree: ChunkTree) -> dict[int | None, int]:
    """The marks that touch a word: whether they lead or trail it."""
    return {
        p: LEADS if p < core[0] else TRAILS
        for span, core in tree.parse.cores() if core
        for p in span if p not in core
    }  # fmt: skip


def _astray(sides: dict[int | None, int], here: int | None, behind: int | None) -> set[int] | None:
    """A mark that has lost the words it touched: a blank would set it off that nobody paid for."""
    if here is not None and sides.get(here) == LEADS and (behind is None or sides.get(behind) == TRAILS):
        return {here}
    if behind is not None and sides.get(behind) == TRAILS and here is None:
        return {behind}
    return None


def _shapes(tree: ChunkTree) -> list[str]:
    """The pieces' texts, straight quotes as the curly ones they stand for."""
    surface = tree.parse.pieces
    shapes = []
    for p, piece in enumerate(surface):
        clings = p > 0 and not surface[p - 1].spaced
        shapes.append(("”" if clings else "“") if piece.text in _STRAIGHT else piece.text)
    return shapes


def _superfluous(
    text: list[str], marks: set[int], here: int | None, behind: int | None, last: int
) -> set[int] | None:
    """Which of two neighbours in print has to go, if any; None stands for the sentence's border.

    `last` is the last word in print: before it a comma may stand within the closing quotes.
    """
    if here is None or behind is None:
        lone = behind if here is None else here
        return {lone} if lone is not None and lone in marks and text[lone] in _SEPARATORS else None
    if here not in marks or behind not in marks:
        return None
    if text[here] in _OPENING and text[behind] in _CLOSING:
        return {here, behind}
    if text[here] in _SEPARATORS and (text[behind] in _SEPARATORS | _ENDS | _CLOSING):
        within = text[here] == "," and text[behind] in _CLOSING_QUOTES and behind < last
        return None if within else {here}
    if text[here] in _OPENING and text[behind] in _SEPARATORS:
        return {behind}
    return None


def render(tree: ChunkTree, kept: Collection[int]) -> str:
    """The trimmed sentence as it is printed."""
    pieces = kept_pieces(tree, kept)
    marks = {mark.piece for mark in tree.marks}
    surface = tree.parse.pieces
    text = ""
    for at, p in enumerate(pieces):
        if at and _spaced(tree, marks, pieces[at - 1], p):
            text += " "
        text += surface[p].text
    return _capital(text, tree.parse.text)


def _spaced(tree: ChunkTree, marks: set[int], before: int, p: int) -> bool:
    """Whether a blank stands between two printed pieces."""
    surface = tree.parse.pieces
    if p == before + 1:
        return surface[before].spaced
    clings_left = p in marks and not surface[p - 1].spaced
    clings_right = before in marks and not surface[before].spaced
    return not (clings_left or clings_right)


def _capital(text: str, source: str) -> str:
    """Start with a capital where the source did."""
    starts = (next((c for c in t if c.isalnum()), "") for t in (source, text))
    capital, first = next(starts), next(starts)
    large = first.upper()
    if not capital.isupper() or first == large or len(large) != 1 or large.lower() != first:
        return text
    if len(large.encode()) != len(first.encode()):
        return text
    at = text.index(first)
    if not _plain_word(text[at:]):
        return text
    return text[:at] + large + text[at + 1 :]


def _plain_word(text: str) -> bool:
    """Whether the first word is lower case throughout: `iPhone` and `e-Bay` keep their own form."""
    word = text.split(maxsplit=1)[0]
    return word == word.lower()


def kept_spans(tree: ChunkTree, kept: Collection[int], source: str) -> tuple[tuple[int, int], ...]:
    """Where the printed pieces stand in the source sentence: rising [start, end) character ranges.

    White space between two printed neighbours is part of the range.
    """
    starts = _offsets(tree, source)
    spans: list[list[int]] = []
    last = None
    for p in kept_pieces(tree, kept):
        start, end = starts[p]
        if last is not None and p == last + 1:
            spans[-1][1] = end
        else:
            spans.append([start, end])
        last = p
    return tuple((start, end) for start, end in spans)


def _offsets(tree: ChunkTree, source: str) -> list[tuple[int, int]]:
    """Where each piece stands in the source, which may differ from the parse in white space only."""
    offsets = []
    at = 0
    for piece in tree.parse.pieces:
        begin = None
        for char in piece.text:
            if char.isspace():
                continue
            while source[at].isspace():
                at += 1
            begin = at if begin is None else begin
            at += 1
        offsets.append((at if begin is None else begin, at))
    return offsets
