"""Lead: the baseline of the Document Understanding Conferences.

`recent`: the first sentences of the most recent document, as in DUC 2001-2004 (if it ends before the
budget does, the next recent document goes on). `rounds`: the first sentence of every document, then the
second of every one, and so on, oldest document first: the round-robin lead of DUC 2001's coverage
baseline and of MEAD's lead classifier. For one document both are the first sentences.
Left out: nothing. Without dates the document that came last counts as the most recent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topline.systems.fill import Room, fill
from topline.systems.prepared import Prepared
from topline.systems.system import System, check_choice

KINDS = ("recent", "rounds")


@dataclass(frozen=True)
class Lead(System):
    """First sentences."""

    name: ClassVar[str] = "lead"
    paper: ClassVar[str] = "DUC 2001-2004, baselines"

    kind: str = "recent"
    """`recent` or `rounds`."""
    stop: bool = True
    """Stop at the first sentence that does not fit, rather than pass over it."""

    def __post_init__(self) -> None:
        check_choice(self.name, "kind", self.kind, KINDS)

    def order(self, topic: Prepared) -> list[int]:
        """All sentences, first ones first."""
        if self.kind == "recent":
            rank = {document: -place for place, document in enumerate(topic.reading)}
            return sorted(range(len(topic)), key=lambda row: (rank[int(topic.document[row])], row))
        place = {document: place for place, document in enumerate(topic.reading)}
        return sorted(
            range(len(topic)), key=lambda row: (int(topic.position[row]), place[int(topic.document[row])])
        )

    def choose(self, topic: Prepared, room: Room) -> list[int]:
        """The first sentences that fit."""
        order = self.order(topic)
        if not self.stop:
            return fill(order, room)
        used, end = 0, 0
        while end < len(order) and used < room.limit and room.fits(order[end], used):
            used += int(room.lengths[order[end]])
            end += 1
        return order[:end]
