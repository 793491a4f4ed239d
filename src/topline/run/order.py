"""Leading hands through a stream of units: bounded work under way, results in order, parts, quarantine."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeVar

from topline.errors import ClusterError
from topline.run.engine import Done, Hands, Memory, Parts, Split, Watch

Unit = TypeVar("Unit")


@dataclass(slots=True)
class _Slot:
    """A unit's place in the line."""

    unit: Any
    done: Done[Any, Any] | None = None
    round: int = 0
    """How often it was cut into parts."""
    join: Callable[[list[Any]], Any] | None = None
    forgiving: bool = False
    results: list[Any] = field(default_factory=list)
    missing: int = 0
    tries: int = 1


@dataclass(frozen=True, slots=True)
class _Piece:
    """A unit, or a part of one."""

    slot: _Slot
    work: Callable[[Any], Any]
    unit: Any
    path: tuple[int, ...] = ()
    again: bool = False
    """It was perhaps brought down by another and now runs alone."""


class _Line:
    """The units under way."""

    def __init__(
        self, hands: Hands, memory: Memory | None, watch: Watch | None, split: Split[Any] | None
    ) -> None:
        self.hands, self.memory, self.watch, self.split = hands, memory, watch, split
        self.slots: deque[_Slot] = deque()
        self.backlog: deque[_Piece] = deque()
        self.suspects: deque[_Piece] = deque()
        self.alone = False
        """A suspect is running."""
        self.running: dict[int, _Piece] = {}
        self.tickets = count()

    def append(self, work: Callable[[Any], Any], unit: Any) -> None:
        """A new unit at the end of the line."""
        slot = _Slot(unit)
        self.slots.append(slot)
        known = self._known(unit, ())
        if known is not None:
            self._finish(slot, Done(unit, known, kept=True))
        else:
            self.backlog.append(_Piece(slot, work, unit))

    def _known(self, unit: Any, path: tuple[int, ...]) -> Any | None:
        return None if self.memory is None else self.memory.get(unit, path)

    def start(self, window: int) -> None:
        """Begin what there is room for; what is under suspicion runs with nothing beside it."""
        if self.suspects and not self.running:
            self.alone = True
            self._start(self.suspects.popleft())
        if self.suspects or self.alone:
            return
        while self.backlog and len(self.running) < window:
            piece = self.backlog.popleft()
            if piece.slot.done is None:
                self._start(piece)
        if self.watch is not None:
            self.watch.running(len(self.running))

    def _start(self, piece: _Piece) -> None:
        ticket = next(self.tickets)
        self.running[ticket] = piece
        self.hands.start(ticket, piece.work, piece.unit)

    def wait(self) -> None:
        """Take in what is finished."""
        for ticket, done in self.hands.finished():
            piece = self.running.pop(ticket)
            self.alone = self.alone and not piece.again
            self._take(piece, done)

    def _take(self, piece: _Piece, done: Done[Any, Any]) -> None:
        slot = piece.slot
        if slot.done is not None:  # another part of it has failed
            return
        if done.error is not None:
            if isinstance(done.error, ClusterError):
                raise done.error
            if not done.alone and not piece.again:
                self.suspects.append(_Piece(slot, piece.work, piece.unit, piece.path, again=True))
            else:
                self._failed(piece, Done(slot.unit, None, done.error, done.tries))
            return
        slot.tries = max(slot.tries, done.tries)
        if not piece.path:
            self._outcome(slot, done.result)
            return
        if self.memory is not None and not isinstance(done.result, Parts):
            self.memory.put(slot.unit, piece.path, done.result)
        self._part(slot, piece.path[1], done.result)

    def _failed(self, piece: _Piece, done: Done[Any, Any]) -> None:
        """A unit failed, or a part of one: perhaps it can be cut up, perhaps the others are enough."""
        slot = piece.slot
        if piece.path and slot.forgiving:
            self._part(slot, piece.path[1], Done(piece.unit, None, done.error, done.tries))
            return
        parts = (
            self.split(slot.unit) if self.split is not None and not piece.path and done.quarantined else None
        )
        if parts is None:
            self._finish(slot, done)
        else:
            self._outcome(slot, parts)

    def _part(self, slot: _Slot, number: int, result: Any) -> None:
        slot.results[number] = result
        slot.missing -= 1
        if self.watch is not None and len(slot.results) > 1:
            self.watch.parts(slot.unit, slot.missing)
        if slot.missing == 0:
            self._join(slot)

    def _join(self, slot: _Slot) -> None:
        assert slot.join is not None
        try:
            outcome = slot.join(slot.results)
        except Exception as error:  # as for units: the others go on
            self._finish(slot, Done(slot.unit, None, error, slot.tries))
            return
        self._outcome(slot, outcome)

    def _outcome(self, slot: _Slot, outcome: Any) -> None:
        """A result, or parts: those that are not known go before everything that waits."""
        if not isinstance(outcome, Parts):
            self._finish(slot, Done(slot.unit, outcome, None, slot.tries))
            return
        slot.round += 1
        slot.join, slot.forgiving, slot.missing = outcome.join, outcome.forgiving, len(outcome.units)
        slot.results = [None] * slot.missing
        if not slot.missing:
            self._join(slot)
            return
        new = []
        for number, unit in enumerate(outcome.units):
            path = (slot.round, number)
            known = self._known(slot.unit, path)
            if known is None:
                new.append(_Piece(slot, outcome.work, unit, path))
            else:
                self._part(slot, number, known)
        self.backlog.extendleft(reversed(new))

    def _finish(self, slot: _Slot, done: Done[Any, Any]) -> None:
        slot.done = done
        slot.results, slot.join = [], None
        if self.memory is not None and done.error is None and not done.kept:
            self.memory.put(slot.unit, (), done.result)
        if self.watch is not None:
            self.watch.finished(done)


def in_order(
    hands: Hands,
    work: Callable[[Unit], Any],
    units: Iterable[Unit],
    memory: Memory | None = None,
    watch: Watch | None = None,
    split: Split[Unit] | None = None,
) -> Iterator[Done[Unit, Any]]:
    """Do the work on every unit; results in the units' order, kept at once when they are finished."""
    line = _Line(hands, memory, watch, split)
    stream = iter(units)
    more = True
    while more or line.slots:
        window = hands.window()
        while more and len(line.slots) < window:
            try:
                unit = next(stream)
            except StopIteration:
                more = False
            else:
                line.append(work, unit)
        line.start(window)
        while line.slots and line.slots[0].done is not None:
            done = line.slots.popleft().done
            assert done is not None
            yield done
        if line.slots and (line.running or line.suspects):
            line.start(window)
            line.wait()
