"""The papers' tables, computed for the user's corpus, a file a paper.

Each module has `CORPORA`, the names under which it knows the paper's own corpora (`--as`), `TABLES`: the
table's name and what makes it, and `METRICS`, where there are any, that must be defined for every topic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from topline.corpus.records import Summary, Topic
from topline.errors import OptionError
from topline.judge.judged import Judged
from topline.judge.scores import HumanScore
from topline.search.exact import NO_LIMITS, Limits
from topline.text.budget import Budget

PAPERS = ("hirao2017", "ceylan2010", "schluter2017", "radev2004", "compressive")
Row = dict[str, Any]
Kept = TypeVar("Kept")


class Lacking(OptionError):
    """A table needs something that was not given."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a paper, for the user's corpus."""

    paper: str
    name: str
    title: str
    rows: tuple[Row, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """What the user has: a corpus, and perhaps systems, human scores and judgments."""

    topics: tuple[Topic, ...]
    budget: Budget
    systems: Mapping[str, Mapping[str, Summary]] = field(default_factory=dict)
    """Summaries by system and topic."""
    human: Sequence[HumanScore] = ()
    judged: Mapping[str, Judged] = field(default_factory=dict)
    known: str | None = None
    """The paper's corpus that this one is; then the paper's figures stand beside."""
    corpus: Path | None = None
    """Where the corpus was read, if from a file: parses may lie beside it."""
    parses: Path | None = None
    """The documents' dependency trees, as CoNLL-U."""
    limits: Limits = NO_LIMITS
    samples: int = 1000
    draws: int = 100
    seed: int = 0
    jobs: int = 1
    kept: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    """What tables share, so that it is computed once."""

    def once(self, key: Any, make: Callable[[], Kept]) -> Kept:
        """What `make` gives, made the first time it is asked for."""
        if key not in self.kept:
            self.kept[key] = make()
        found: Kept = self.kept[key]
        return found

    def need_systems(self) -> Mapping[str, Mapping[str, Summary]]:
        """The systems, or an error that says they are needed."""
        if not self.systems:
            raise Lacking("this table needs systems' summaries", hint="--systems FILE")
        return self.systems

    def need_human(self) -> Sequence[HumanScore]:
        """The human scores, or an error that says they are needed."""
        if not self.human:
            raise Lacking("this table needs human scores", hint="--human FILE")
        return self.human

    def need_judged(self) -> Mapping[str, Judged]:
        """The judgments, or an error that says they are needed."""
        if not self.judged:
            raise Lacking("this table needs judgments of sentences", hint="--judgments FILE")
        return self.judged


Maker = Callable[[Given], Table]


def module_of(paper: str) -> Any:
    """The module of a paper."""
    if paper not in PAPERS:
        raise OptionError(f"{paper!r} is no paper", hint=f"one of {', '.join(PAPERS)}")
    return import_module(f"topline.judge.papers.{paper}")


def tables(paper: str, given: Given, only: Sequence[str] = ()) -> Iterator[Table | Lacking]:
    """The paper's tables in order; one that lacks its input comes as that error, unless it was asked for."""
    module = module_of(paper)
    makers: dict[str, Maker] = module.TABLES
    if given.known is not None and given.known not in module.CORPORA:
        raise OptionError(
            f"{paper} has no figures for {given.known!r}", hint=f"one of {', '.join(module.CORPORA)}"
        )
    unknown = [name for name in only if name not in makers]
    if unknown:
        raise OptionError(f"{paper} has no table {unknown[0]!r}", hint=f"one of {', '.join(makers)}")
    for name in only or makers:
        try:
            yield makers[name](given)
        except Lacking as error:
            if only:
                raise
            yield Lacking(f"{name}: {error.what}", hint=error.hint)


def beside(row: Row, figures: Mapping[str, Any] | None) -> Row:
    """A row with the paper's own figures next to ours, where there are any."""
    if figures is None:
        return row
    merged: Row = {}
    for name, value in row.items():
        merged[name] = value
        if name in figures:
            merged[f"{name} (paper)"] = figures[name]
    return merged
