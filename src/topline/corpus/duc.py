"""DUC and TAC: folders of newswire by topic, models and peers known by the names of their files.

D30001.M.100.T.A           the model (M, a summary of the whole set) of 100 words of D30001 by writer A
D30001.M.100.T.15          the same by system 15
D061.P.100.J.B.AP880911-0016   a model of one document (P) of the set D061
D0801-A.M.100.A.A          TAC and the update tasks: set A of D0801
d30001.CLASSY04.txt        SumRepo: a system's summary of D30001
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from topline.corpus.files import head, place, walk, whole
from topline.corpus.markup import Tag, attributes_of, pieces
from topline.corpus.newswire import is_newswire, read_documents
from topline.corpus.reading import Finds, Found, How
from topline.corpus.records import Document, Reference, Topic
from topline.corpus.see import SummaryText, summary_file, summary_text
from topline.errors import CorpusError

_NAME = re.compile(
    r"(D\d+)[A-Z]{0,2}(-[A-Z])?\.(M|P)\.(\d+)\.([A-Z]{1,2})\.([A-Z]{1,2}|\d{1,3})(?:\.(?!HTML?$|TXT$|SPL$|SEE$)(.+?))?"
    r"(?:\.(?:HTML?|TXT|SPL|SEE))?",
    re.IGNORECASE,
)
_SUMREPO = re.compile(r"(D\d{3,})[A-Z]{0,2}(-[A-Z])?\.([^.].*)\.TXT", re.IGNORECASE)
_FOLDER = re.compile(r"(D\d{2,})[A-Z]{0,3}(-[A-Z])?", re.IGNORECASE)
_SUM = re.compile(rb"<SUM\s", re.IGNORECASE)


class Name(NamedTuple):
    """What the name of a model or peer says."""

    topic: str
    kind: str
    """`M` a summary of the set, `P` of one document."""
    size: str
    author: str
    """A letter for a person, a number for a system."""
    document: str | None = None

    @property
    def is_model(self) -> bool:
        """Whether a person wrote it."""
        return self.author.isalpha()


def name_of(file: str) -> Name | None:
    """The parts of a model's or peer's file name; None for any other file.

    >>> name_of("D0801-A.M.100.A.C")
    Name(topic='D0801-A', kind='M', size='100', author='C', document=None)
    """
    match = _NAME.fullmatch(file)
    if match is None:
        return None
    number, part, kind, size, _, author, document = match.groups()
    return Name(_topic_id(number, part), kind.upper(), size, author.upper(), document)


def sumrepo_name(file: str) -> tuple[str, str] | None:
    """Topic and system of a SumRepo file name.

    >>> sumrepo_name("d30001.CLASSY04.txt")
    ('D30001', 'CLASSY04')
    """
    match = _SUMREPO.fullmatch(file)
    return None if match is None or name_of(file) else (_topic_id(match[1], match[2]), match[3])


def _topic_id(number: str, part: str | None) -> str:
    """`D30001` for d30001t, `D0801-A` for D0801A-A: as all files of a topic can be brought to agree."""
    return number.upper() + (part or "").upper()


def folder_topic(path: Path, root: Path) -> str:
    """A document's topic: by the nearest folder named like a set, its own name, or else its folder's name."""
    parts = [*reversed(path.relative_to(root).parts[:-1]), root.resolve().name, path.name.split(".")[0]]
    for part in parts:
        if match := _FOLDER.fullmatch(part):
            return _topic_id(match[1], match[2])
    return parts[0]


@dataclass(slots=True)
class _Set:
    """A topic's files."""

    documents: list[Path] = field(default_factory=list)
    models: list[tuple[Name, Path]] = field(default_factory=list)


def is_duc(folder: Path, most: int = 1000) -> bool:
    """Whether one of the folder's first files is a model, a peer or newswire."""
    files = (path for _, path in zip(range(most), walk(folder), strict=False))
    return any(name_of(path.name) or is_newswire(head(path)) or _SUM.search(head(path)) for path in files)


def read_topics(folder: Path, how: How) -> Finds[Topic]:
    """A topic a document set, with the models of the whole set."""
    for id, files in sorted(_sets(folder).items()):
        if not files.documents:
            yield CorpusError(
                "models without documents",
                where=place(files.models[0][1], id=id),
                hint="give the folder above both",
            )
            continue
        try:
            documents = [document for path in files.documents for document in read_documents(path, how)]
            models = [named for named in _models(files, how) if named[0].kind == "M"]
            yield Found(
                _topic(id, documents, _of_size(models, how, folder), how),
                place(files.documents[0].parent, id=id),
            )
        except CorpusError as error:
            yield error


def read_single(folder: Path, how: How) -> Finds[Topic]:
    """A topic a document, with the models of that document (DUC 2001, 2002; task 1 of 2003 and 2004)."""
    for _, files in sorted(_sets(folder).items()):
        try:
            models = [named for named in _models(files, how) if named[0].kind == "P"]
            models = _of_size(models, how, folder)
        except CorpusError as error:
            yield error
            continue
        for path in files.documents:
            try:
                for document in read_documents(path, how):
                    own = [named for named in models if named[0].document == document.id]
                    yield Found(_topic(document.id, [document], own, how), place(path, id=document.id))
            except CorpusError as error:
                yield error


def _sets(folder: Path) -> dict[str, _Set]:
    """All topics of the folder; peers and files of no known kind are left aside."""
    sets: dict[str, _Set] = {}
    for path in walk(folder):
        name = name_of(path.name)
        if name is not None:
            if name.is_model:
                sets.setdefault(name.topic, _Set()).models.append((name, path))
        elif sumrepo_name(path.name) is None:
            start = head(path)
            if _SUM.search(start):
                for found in {model.topic: model for model, _ in _sums(path)}.values():
                    sets.setdefault(found.topic, _Set()).models.append((found, path))
            elif is_newswire(start):
                sets.setdefault(folder_topic(path, folder), _Set()).documents.append(path)
    for files in sets.values():
        files.documents = _without_twins(files.documents)
    return sets


def _without_twins(documents: list[Path]) -> list[Path]:
    """Where a document comes with its sentences marked as well (`NAME.S`, in a folder beside), only that."""
    marked = {path.name.upper() for path in documents}
    return [path for path in documents if f"{path.name.upper()}.S" not in marked]


def _models(files: _Set, how: How) -> Iterator[tuple[Name, SummaryText]]:
    """The topic's models with their sentences."""
    for name, path in files.models:
        if name_of(path.name):
            yield name, summary_file(path, how)
        else:
            for model, text in _sums(path):
                if model.topic == name.topic:
                    yield model, summary_text(text, "", how)


def _sums(path: Path) -> Iterator[tuple[Name, str]]:
    """The `<SUM DOCSET="d061" SIZE="100" DOCREF="AP880911-0016" SUMMARIZER="B">` of DUC 2001 and 2002.

    Extracts, whose sentences are marked as the documents', are no models.
    """
    name: Name | None = None
    text: list[str] = []
    for piece in pieces(whole(path)):
        if isinstance(piece, str):
            text.append(piece)
        elif piece.name == "S":
            name = None
        elif piece.name == "SUM":
            if name is not None and piece.closing:
                yield name, "".join(text)
            name, text = (None if piece.closing else _sum_name(piece, path)), []


def _sum_name(tag: Tag, path: Path) -> Name:
    says = attributes_of(tag)
    match = _FOLDER.fullmatch(says.get("docset", ""))
    if match is None or not says.get("summarizer"):
        raise CorpusError("a <SUM> without DOCSET or SUMMARIZER", where=place(path), hint='DOCSET="d061"')
    # documents of per-document summaries may be listed with spaces around
    single = says.get("type", "").upper() == "PERDOC"
    document = says.get("docref") if single else None
    return Name(
        _topic_id(match[1], match[2]),
        "P" if single else "M",
        says.get("size", ""),
        says["summarizer"],
        document,
    )


def _of_size(
    models: Iterable[tuple[Name, SummaryText]], how: How, folder: Path
) -> list[tuple[Name, SummaryText]]:
    """The models of the size asked for; without asking there must be one size only."""
    models = list(models)
    sizes = sorted({name.size for name, _ in models})
    if how.size is not None:
        chosen = [named for named in models if named[0].size.lstrip("0") == how.size.lstrip("0")]
        if models and not chosen:
            hint = f"there are: {', '.join(sizes)}"
            raise CorpusError(f"no models of size {how.size}", where=place(folder), hint=hint)
        return chosen
    if len(sizes) > 1:
        hint = f"choose one: duc-{sizes[0].lstrip('0')}:{folder}"
        raise CorpusError(f"models of several sizes: {', '.join(sizes)}", where=place(folder), hint=hint)
    return models


def _topic(id: str, documents: list[Document], models: list[tuple[Name, SummaryText]], how: How) -> Topic:
    references = tuple(Reference(name.author, text.sentences) for name, text in models)
    was_split = any(text.splitter for _, text in models) or any(
        sentence.start is not None for document in documents for sentence in document.sentences
    )
    return Topic(id, tuple(documents), references, splitter=how.splitter.signature if was_split else None)


def summary_name(file: str) -> tuple[str, str] | None:
    """Topic and system of a model's or peer's file name; None if it is neither DUC's nor SumRepo's."""
    name = name_of(file)
    if name is None:
        return sumrepo_name(file)
    return name.document if name.kind == "P" and name.document else name.topic, name.author
