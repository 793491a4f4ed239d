"""One tree of errors: every message says what is wrong, where, and what to do about it.

ToplineError
├── CorpusError     a file that cannot be read as what it claims to be
│   ├── ParseMismatch  a parse that does not belong to the corpus beside it
│   └── SkipLimit   too many records had to be skipped
├── MetricError     a metric's name or its options make no sense, or a score is undefined
├── BudgetError     a budget's form or size makes no sense
├── OptionError     options that contradict each other
├── SearchLimit     a limit was reached; carries the best found and its bound
├── OutputError     a result could not be written
├── ClusterError    the cluster cannot be reached, was lost, or does not fit this client
└── MissingExtra    an optional library is not installed
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Where:
    """A place in the user's data: file, line (1-based) and id, each where known."""

    file: str | None = None
    line: int | None = None
    id: str | None = None

    def __str__(self) -> str:
        place = self.file or ""
        if self.line is not None:
            place += f":{self.line}" if place else f"line {self.line}"
        if self.id is not None:
            place += f" ({self.id})" if place else self.id
        return place


class ToplineError(Exception):
    """What went wrong, where, and what to do; the parts stay readable as attributes."""

    def __init__(self, what: str, *, where: Where | None = None, hint: str | None = None) -> None:
        self.what = what
        self.where = where or Where()
        self.hint = hint
        super().__init__(what)

    def __str__(self) -> str:
        place = str(self.where)
        text = f"{place}: {self.what}" if place else self.what
        return f"{text} ({self.hint})" if self.hint else text


class CorpusError(ToplineError):
    """A file that cannot be read as what it claims to be."""


class ParseMismatch(CorpusError):
    """A parse that does not belong to the corpus beside it: another document, another sentence."""


class SkipLimit(CorpusError):
    """More records were bad than the caller allowed to be skipped."""


class MetricError(ToplineError):
    """A metric's name or options make no sense, or its score is undefined for this input."""


class BudgetError(ToplineError):
    """A budget's form or size makes no sense."""


class OptionError(ToplineError):
    """Options that contradict each other."""


class SearchLimit(ToplineError):
    """A limit of time, nodes or memory was reached before the proof was complete."""


class OutputError(ToplineError):
    """A result could not be written; what was there before is untouched."""


class ClusterError(ToplineError):
    """The cluster cannot be reached, was lost on the way, or does not fit this client."""


class MissingExtra(ToplineError):
    """An optional library is not installed; the hint is the command that installs it."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} is not installed", hint=f"pip install 'topline[{extra}]'")
        self.library = library
        self.extra = extra

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str]]:
        return MissingExtra, (self.library, self.extra)
