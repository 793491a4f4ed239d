"""What a summariser is: options as fields, one method that chooses, and a score table where it has scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from topline.errors import OptionError
from topline.systems.closest import Closest
from topline.systems.fill import Accept, Room, fill, ranked
from topline.systems.matrix import Floats
from topline.systems.prepared import Prepared


@dataclass(frozen=True)
class System(ABC):
    """A summariser. Subclasses are frozen dataclasses: their fields are the options of `NAME:key=value`."""

    name: ClassVar[str]
    paper: ClassVar[str]
    """Where it comes from, in one line."""

    @property
    def rounds_up(self) -> bool:
        """Whether a compression rate takes the next whole number of sentences rather than the nearest."""
        return False

    @abstractmethod
    def choose(self, topic: Prepared, room: Room) -> list[int]:
        """Sentences in the order they are chosen, within the room."""

    def columns(self, topic: Prepared) -> dict[str, Floats]:
        """The columns of the score table, `Score` last; none for a system that weighs sets of sentences."""
        del topic
        return {}


@dataclass(frozen=True)
class Ranker(System):
    """A system that gives each sentence a score and takes the best ones."""

    redundancy: float = 1.0
    """A sentence whose cosine with a chosen one is above this is passed over; at 1 none is."""

    def __post_init__(self) -> None:
        check(self.name, "redundancy", self.redundancy, 0.0, 1.0)

    @abstractmethod
    def scores(self, topic: Prepared) -> Floats:
        """A score a sentence."""

    def choose(self, topic: Prepared, room: Room) -> list[int]:
        """The best sentences that fit, in that order."""
        return fill(ranked(self.scores(topic)), room, not_redundant(topic, self.redundancy))

    def columns(self, topic: Prepared) -> dict[str, Floats]:
        """The scores."""
        return {"Score": self.scores(topic)}


def not_redundant(topic: Prepared, highest: float) -> Accept | None:
    """Pass over sentences whose cosine with a chosen one is above `highest`; None if nothing can be."""
    if highest >= 1.0:
        return None
    closest = Closest(topic.terms, topic.term_idf)
    return lambda row, chosen: closest.to(row, chosen) <= highest


def check(system: str, option: str, value: float, least: float, most: float) -> None:
    """An option must lie in its range."""
    if not least <= value <= most:
        raise OptionError(
            f"{system}: {option}={value} is out of range", hint=f"between {least:g} and {most:g}"
        )


def check_choice(system: str, option: str, value: str, choices: tuple[str, ...]) -> None:
    """An option must be one of its words."""
    if value not in choices:
        raise OptionError(f"{system}: unknown {option} {value!r}", hint=f"one of {', '.join(choices)}")
