"""What to evaluate: the script's XML configuration, or with `-z` a list of files.

Every odd habit of the script's reader is kept: element names in any case but attributes in capitals;
evaluations of the same id flow together; only the last run of text counts where a comment or an element
cuts it; a doubled reference id counts its last file twice. Entity declarations are refused: nothing
expands and no other file is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from xml.parsers import expat

from topline.errors import CorpusError, Where

_GROUPS = {
    "peer-root": ("roots", "peer"),
    "model-root": ("roots", "model"),
    "peers": ("entries", "peer"),
    "models": ("entries", "model"),
}
FORMATS = ("see", "isi", "spl", "simple")


@dataclass(slots=True)
class Evaluation:
    """One summary a system, and the references they are compared with."""

    id: str
    format: str = ""
    peer_root: str = ""
    model_root: str = ""
    peers: dict[str, str] = field(default_factory=dict)
    """The file of each system."""
    models: list[str] = field(default_factory=list)
    """The ids of the references, in order."""
    files: dict[str, str] = field(default_factory=dict)
    """The file of each reference."""
    listed: bool = False
    """From a list: paths are bytes (here as Latin-1) and have no root."""

    def peer_path(self, system: str) -> bytes:
        """Where a system's summary lies."""
        file = self.peers[system]
        return file.encode("latin-1") if self.listed else f"{self.peer_root}/{file}".encode()

    def model_paths(self) -> list[bytes]:
        """Where the references lie."""
        files = [self.files.get(id, "") for id in self.models]
        if self.listed:
            return [file.encode("latin-1") for file in files]
        return [f"{self.model_root}/{file}".encode() for file in files]


@dataclass(slots=True)
class Plan:
    """All evaluations in the order of the file, and all systems."""

    evaluations: dict[str, Evaluation] = field(default_factory=dict)
    systems: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Open:
    """An element that is being read."""

    role: str
    """`walk`, `roots`, `entries` (PEERS, MODELS), `entry` (P, M) or `skip`."""
    evaluation: str
    what: str = ""
    """`peer` or `model`, where the role has both."""
    id: str = ""
    run: list[str] | None = None
    """The pieces of the present run of text."""


class _Reader:
    """Follows the elements as they open and close."""

    def __init__(self, path: str) -> None:
        self.plan = Plan()
        self.path = path
        self.stack = [_Open("walk", "")]
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text
        self.parser.CommentHandler = lambda _: self.flush()
        self.parser.ProcessingInstructionHandler = lambda *_: self.flush()
        self.parser.EntityDeclHandler = self.refuse
        self.parser.SkippedEntityHandler = self.refuse

    def error(self, what: str, hint: str) -> CorpusError:
        return CorpusError(what, where=Where(self.path, self.parser.CurrentLineNumber), hint=hint)

    def refuse(self, *_: object) -> None:
        raise self.error("entities are not read here", "write the text itself in place of the entity")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.flush()
        above = self.stack[-1]
        self.stack.append(self.opened(name, name.casefold(), attributes, above))

    def opened(self, name: str, kind: str, attributes: dict[str, str], above: _Open) -> _Open:
        if above.role == "entries" and kind == above.what[0]:
            id = self.attribute(name, attributes, "ID")
            self.entry(above, id)
            return _Open("entry", above.evaluation, above.what, id)
        if above.role != "walk" or kind == "input-format":
            if above.role == "walk":
                self.format(self.attribute(name, attributes, "TYPE"), above.evaluation)
            return _Open("skip", above.evaluation)
        if kind == "eval":
            id = self.attribute(name, attributes, "ID")
            self.plan.evaluations.setdefault(id, Evaluation(id))
            return _Open("walk", id)
        role, what = _GROUPS.get(kind, ("walk", ""))
        return _Open(role, above.evaluation, what)

    def attribute(self, name: str, attributes: dict[str, str], wanted: str) -> str:
        if wanted not in attributes:
            raise self.error(
                f"<{name}> has no {wanted}", f'write <{name} {wanted}="…">, {wanted} in capitals'
            )
        return attributes[wanted]

    def evaluation(self, element: _Open | str) -> Evaluation:
        id = element if isinstance(element, str) else element.evaluation
        if id not in self.plan.evaluations:
            raise self.error("this belongs to no evaluation", "put it inside an <EVAL ID=…>")
        return self.plan.evaluations[id]

    def format(self, format: str, evaluation: str) -> None:
        if format.removesuffix("\n").lower() not in FORMATS:
            raise self.error(f"unknown format {format!r}", "TYPE is SEE, SPL, ISI or SIMPLE")
        self.evaluation(evaluation).format = format

    def entry(self, group: _Open, id: str) -> None:
        if group.what == "peer":
            self.plan.systems.add(id)
        evaluation = self.evaluation(group)
        if group.what == "model":
            evaluation.models.append(id)

    def text(self, data: str) -> None:
        element = self.stack[-1]
        if element.role in ("roots", "entry"):
            if element.run is None:
                element.run = []
            element.run.append(data)

    def flush(self) -> None:
        """End a run of text: it replaces what an earlier one said."""
        element = self.stack[-1]
        if element.run is None:
            return
        said, element.run = "".join(element.run).strip(), None
        evaluation = self.evaluation(element)
        if element.role == "roots" and element.what == "peer":
            evaluation.peer_root = said
        elif element.role == "roots":
            evaluation.model_root = said
        elif element.what == "peer":
            evaluation.peers[element.id] = said
        else:
            evaluation.files[element.id] = said

    def end(self, _: str) -> None:
        self.flush()
        self.stack.pop()


def read_xml(path: Path) -> Plan:
    """Read the script's XML configuration."""
    with _opened(path) as stream:
        reader = _Reader(str(path))
        try:
            reader.parser.ParseFile(stream)
        except expat.ExpatError as error:
            what = f"no well-formed XML: {expat.ErrorString(error.code)}"
            where = Where(str(path), error.lineno)
            raise CorpusError(what, where=where, hint="for a plain list of files give -z") from error
        except (LookupError, ValueError) as error:
            # expat asks Python for an encoding that it does not know itself
            what = f"the encoding it declares cannot be read: {error}"
            raise CorpusError(what, where=Where(str(path), 1), hint="write the file in UTF-8") from error
    return reader.plan


def read_list(path: Path, format: str, system: str) -> Plan:
    """Read a list: a summary and its references a line, evaluations numbered from 1."""
    plan = Plan(systems={system})
    with _opened(path) as stream:
        for line, files in _rows(stream):
            if len(files) < 2:
                where = Where(str(path), line)
                raise CorpusError("a summary without reference", where=where, hint="name both in the line")
            id = str(len(plan.evaluations) + 1)
            names = [f"M.{place}" for place in range(1, len(files))]
            plan.evaluations[id] = Evaluation(
                id, format, peers={system: files[0]}, models=names,
                files=dict(zip(names, files[1:], strict=True)), listed=True,
            )  # fmt: skip
    return plan


def _rows(stream: IO[bytes]) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(stream, 1):
        files = line.split()
        if files and not line.startswith(b"#"):
            yield number, [file.decode("latin-1") for file in files]


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise CorpusError(what, where=Where(str(path)), hint="name the configuration") from error
