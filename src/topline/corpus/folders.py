"""Plain folders of text files: a topic a folder, or everything in `documents/` and `references/`.

corpus/TOPIC/documents/NAME.txt    corpus/TOPIC/references/NAME.txt

corpus/documents/TOPIC.txt         corpus/references/TOPIC.txt
corpus/documents/TOPIC/NAME.txt    corpus/references/TOPIC.NAME.txt, corpus/references/TOPIC/NAME.txt

systems/SYSTEM/TOPIC.txt, or SYSTEM/TOPIC.txt for one system
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from topline.corpus.duc import summary_name
from topline.corpus.files import entries, place, walk, whole
from topline.corpus.reading import Finds, Found, How
from topline.corpus.records import Document, Reference, Summary, Topic
from topline.corpus.see import summary_file
from topline.corpus.splitting import sentences_of
from topline.errors import CorpusError

DOCUMENTS, REFERENCES = "documents", "references"


@dataclass(slots=True)
class _Files:
    """A topic's files by the ids of its documents and references."""

    documents: list[tuple[str, Path]] = field(default_factory=list)
    references: list[tuple[str, Path]] = field(default_factory=list)


def is_plain(folder: Path) -> bool:
    """Whether the folder, or one right below it, holds a folder `documents`."""
    return any((below / DOCUMENTS).is_dir() for below in (folder, *entries(folder)) if below.is_dir())


def read_topics(folder: Path, how: How) -> Finds[Topic]:
    """The topics of a folder, by id."""
    if not is_plain(folder):
        hint = f"expected {folder / 'TOPIC' / DOCUMENTS} or {folder / DOCUMENTS}"
        raise CorpusError("no folder of documents", where=place(folder), hint=hint)
    if (folder / DOCUMENTS).is_dir():
        topics, strays = _flat(folder)
    else:
        topics, strays = {path.name: _topic_folder(path) for path in entries(folder) if path.is_dir()}, []
    for id, files in sorted(topics.items()):
        try:
            yield Found(_topic(id, files, how), place(folder, id=id))
        except CorpusError as error:
            yield error
    for stray in strays:
        yield CorpusError(
            "a reference without topic",
            where=place(stray),
            hint="TOPIC.txt, TOPIC.NAME.txt or TOPIC/NAME.txt",
        )


def _texts(folder: Path) -> list[Path]:
    """The files of a folder, folders left out; none if it is not there."""
    return [path for path in entries(folder) if path.is_file()] if folder.is_dir() else []


def _topic_folder(folder: Path) -> _Files:
    return _Files(
        [(path.stem, path) for path in _texts(folder / DOCUMENTS)],
        [(path.stem, path) for path in _texts(folder / REFERENCES)],
    )


def _flat(folder: Path) -> tuple[dict[str, _Files], list[Path]]:
    """The topics of the flat layout, and the references that belong to none."""
    topics: dict[str, _Files] = {}
    for path in entries(folder / DOCUMENTS):
        if path.is_dir():
            topics[path.name] = _Files([(text.stem, text) for text in _texts(path)])
        else:
            topics.setdefault(path.stem, _Files()).documents.append((path.stem, path))
    strays = []
    for path in entries(folder / REFERENCES) if (folder / REFERENCES).is_dir() else ():
        topic, _, name = path.stem.rpartition(".")
        if path.is_dir() and path.name in topics:
            topics[path.name].references += [(text.stem, text) for text in _texts(path)]
        elif path.stem in topics:
            topics[path.stem].references.append(("1", path))
        elif topic in topics:
            topics[topic].references.append((name, path))
        else:
            strays.append(path)
    return topics, strays


def _topic(id: str, files: _Files, how: How) -> Topic:
    documents = tuple(
        Document(name, sentences_of(whole(path, how.limit), how.splitter)) for name, path in files.documents
    )
    references = tuple(Reference(name, summary_file(path, how).sentences) for name, path in files.references)
    return Topic(id, documents, references, splitter=how.splitter.signature)


def read_summaries(folder: Path, how: How) -> Finds[Summary]:
    """The summaries of a folder: DUC's and SumRepo's by their names, others by folder and file.

    What says README speaks of the files beside it and is no summary.
    """
    files = (path for path in walk(folder) if path.stem.upper() != "README")
    return read_summary_files(files, how)


def read_summary_files(paths: Iterable[Path], how: How) -> Finds[Summary]:
    """The summary in each file."""
    for path in paths:
        try:
            id, system = summary_name(path.name) or (
                path.stem,
                path.parent.name or path.parent.resolve().name,
            )
            text = summary_file(path, how)
            yield Found(Summary(id, system, text.sentences), place(path, id=id), text.splitter)
        except CorpusError as error:
            yield error
