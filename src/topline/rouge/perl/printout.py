"""The script's print-out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from topline.rouge.bootstrap import Floats
from topline.rouge.perl.averages import Averages
from topline.rouge.perl.figures import fixed, shown, whole
from topline.rouge.perl.flags import Flags
from topline.rouge.perl.integers import total
from topline.rouge.perl.plan import Step
from topline.rouge.perl.weights import Triple

_LEADING_NUMBER = re.compile("[0-9]+")


def printed(line: str) -> bytes:
    """A line's bytes as Perl prints it: Latin-1 where that can hold it, otherwise UTF-8."""
    try:
        return line.encode("latin-1")
    except UnicodeEncodeError:
        return line.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Result:
    """What is printed of a system's step."""

    system: str
    step: Step
    ids: list[str]
    rows: Floats
    """A row an id: recall, precision, F; or with `-t` model, peer and hit counts."""
    triples: list[Triple]
    """With `-t` the rows in Perl's numbers."""
    averages: Averages | None
    """None with `-t 2`, which prints the sums."""


def lines(result: Result, flags: Flags) -> Iterator[bytes]:
    """A step's lines."""
    name = f"{result.system} {result.step.tag}"
    yield b"-" * 45 + b"\n"
    if result.averages is None:
        models, peers, hits = (whole(total(column)) for column in _columns(result.triples))
        yield printed(f"{name} M_count: ") + f"{models} P_count: {peers} H_count: {hits}\n".encode()
    else:
        for letter, average in zip("RPF", result.averages, strict=True):
            yield printed(f"{name} Average_{letter}: {fixed(average.mean)} ")
            yield printed(
                f"({flags.value('c', '95')}%-conf.int. {fixed(average.low)} - {fixed(average.high)})\n"
            )
    if flags.has("d"):
        yield b"." * 45 + b"\n"
        yield from _evaluations(name, result, flags)


def _evaluations(name: str, result: Result, flags: Flags) -> Iterator[bytes]:
    """A line an evaluation: by the number an id begins with, otherwise as strings."""
    form = shown if flags.counting else fixed
    rows = dict(zip(result.ids, result.triples if flags.counting else result.rows.tolist(), strict=True))
    for id in in_order(result.ids):
        first, second, third = map(form, rows[id])
        yield printed(f"{name} Eval {id} R:{first} P:{second} F:{third}\n")


def in_order(ids: list[str]) -> list[str]:
    """The script's order: leading numbers by size, all else by code.

    Equal numbers go by code here; the script leaves them to the order of its hash.

    >>> in_order(["10.A", "9.A", "D1.A", "-1.A"])
    ['-1.A', '9.A', '10.A', 'D1.A']
    """

    def key(id: str) -> tuple[str, int, str]:
        number = _LEADING_NUMBER.match(id)
        return ("0", int(number[0][:4000]), id) if number else (id, 0, id)

    return sorted(ids, key=key)


def _columns(triples: list[Triple]) -> Iterator[tuple[float, ...]]:
    return iter(zip(*triples, strict=True)) if triples else iter([(), (), ()])
