"""Chunk trees: what a sentence may be trimmed to is any rooted subtree of one."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from topline.compress.parse import Parse

ROOT = -1
"""The parent of the chunks that may start a sentence, and the owner of marks that always stay."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Words that stay or go together."""

    pieces: tuple[int, ...]
    """Pieces of the parse's surface, in order; marks at a word's edge are not among them."""
    parent: int
    """Number of the chunk it hangs from, or ROOT."""
    label: str
    """The dependency label by which it hangs."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A punctuation mark: it is paid for with its owner and printed beside words that stay."""

    piece: int
    owner: int
    """The chunk it belongs to, or ROOT."""
    sides: tuple[int, ...]
    """Printed only if one of these chunks stays; empty: whenever the owner does."""


@dataclass(frozen=True, slots=True)
class ChunkTree:
    """A sentence as chunks, numbered in the order of their first words."""

    parse: Parse
    chunks: tuple[Chunk, ...]
    marks: tuple[Mark, ...]

    def preorder(self) -> list[int]:
        """The chunks with each one's whole subtree right behind it; siblings in the order of the text."""
        children: dict[int, list[int]] = {}
        for c, chunk in enumerate(self.chunks):
            children.setdefault(chunk.parent, []).append(c)
        order: list[int] = []
        stack = children.get(ROOT, [])[::-1]
        while stack:
            order.append(stack.pop())
            stack.extend(children.get(order[-1], [])[::-1])
        return order

    def ancestors(self, chunk: int) -> list[int]:
        """The chunks above a chunk, nearest first."""
        above = []
        while (chunk := self.chunks[chunk].parent) != ROOT:
            above.append(chunk)
        return above

    def closed(self, kept: Iterable[int]) -> set[int]:
        """The smallest rooted subtree that holds these chunks."""
        return {c for chunk in kept for c in (chunk, *self.ancestors(chunk))}

    def is_rooted(self, kept: Collection[int]) -> bool:
        """Whether a set of chunks is a rooted subtree: with each chunk its parent."""
        return all(self.chunks[c].parent in (ROOT, *kept) for c in kept)

    def chunk_of(self) -> dict[int, int]:
        """The chunk of every piece that is in one."""
        return {piece: c for c, chunk in enumerate(self.chunks) for piece in chunk.pieces}

    def phrase(self, chunk: int) -> str:
        """A chunk's words as they are written, the marks that touch them included; `…` where it is torn."""
        mine = set(self.chunks[chunk].pieces)
        marks = {mark.piece for mark in self.marks}
        text, last = "", None
        for i, piece in enumerate(self.parse.pieces):
            touching = i in marks and i - 1 == last and not self.parse.pieces[i - 1].spaced
            if i not in mine and not touching:
                continue
            torn = last is not None and any(k not in marks for k in range(last + 1, i))
            text += "… " if torn else ""
            text += piece.text + " " * piece.spaced
            last = i
        return text.strip()


def drawing(tree: ChunkTree) -> str:
    """The tree as indented lines: each chunk in brackets under the one it hangs from."""
    children: dict[int, list[int]] = {}
    for c, chunk in enumerate(tree.chunks):
        children.setdefault(chunk.parent, []).append(c)
    lines = ["ROOT"]
    stack = [(c, 1) for c in reversed(children.get(ROOT, []))]
    while stack:
        c, depth = stack.pop()
        lines.append(f"{'  ' * depth}[{tree.phrase(c)}] {tree.chunks[c].label}")
        stack.extend((d, depth + 1) for d in reversed(children.get(c, [])))
    return "\n".join(lines) + "\n"
