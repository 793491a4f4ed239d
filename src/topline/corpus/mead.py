"""MEAD's corpora: `cluster` files that list documents, and `docsent` files with their sentences.

GA3/GA3.cluster      <CLUSTER LANG="ENG"><D DID="41"/><D DID="81"/></CLUSTER>
GA3/docsent/41.docsent      <DOCSENT DID="41"><BODY>… <S PAR="1" RSNT="1" SNO="1">…</S> …
"""

from __future__ import annotations

from collections.abc import Iterator
from os.path import isfile
from pathlib import Path

from topline.corpus.dates import name_date
from topline.corpus.files import LINE_LIMIT, entries, place, walk
from topline.corpus.reading import Finds, Found, How
from topline.corpus.records import Document, Sentence, Topic
from topline.corpus.xml import elements
from topline.errors import CorpusError

CLUSTER, DOCSENT = ".cluster", ".docsent"


def is_mead(folder: Path) -> bool:
    """Whether the folder, or one right below it, holds a `cluster` file."""
    below = (path for path in entries(folder) if path.is_dir())
    return any(path.suffix == CLUSTER for where in (folder, *below) for path in entries(where))


def read_topics(path: Path, how: How) -> Finds[Topic]:
    """A topic a `cluster` file: the one given, or all below a folder. A `docsent` file is a topic alone."""
    files = [path] if path.is_file() else [file for file in walk(path) if file.suffix == CLUSTER]
    if not files:
        raise CorpusError("holds no cluster file", where=place(path), hint="GA3.cluster beside docsent/")
    for file in files:
        try:
            topic = alone(file, how.limit) if file.suffix == DOCSENT else cluster(file, how.limit)
            yield Found(topic, place(file))
        except CorpusError as error:
            yield error


def docsent(file: Path, limit: int = LINE_LIMIT) -> Document:
    """A document's sentences; the headline is its first sentence, as SNO counts it."""
    found = elements(file, "DOCSENT", limit)
    sentences: list[Sentence] = []
    for element in found:
        if element.tag == "S":
            if element.attributes.get("SNO") != str(len(sentences) + 1):
                raise CorpusError(
                    f"SNO={element.attributes.get('SNO')!r} where {len(sentences) + 1} was due",
                    where=place(file, element.line),
                )
            sentences.append(Sentence(" ".join(element.text.split())))
    id = found[0].attributes.get("DID") or file.name.split(".")[0]
    return Document(id, tuple(sentences), date=name_date(id))


def alone(file: Path, limit: int = LINE_LIMIT) -> Topic:
    """A topic of one document."""
    document = docsent(file, limit)
    return Topic(document.id, (document,))


def cluster(file: Path, limit: int = LINE_LIMIT) -> Topic:
    """A topic: the documents that a `cluster` file lists, found beside it or in `docsent/`."""
    documents = tuple(docsent(path, limit) for path in _listed(file, limit))
    if not documents:
        raise CorpusError("lists no document", where=place(file))
    return Topic(file.name.split(".")[0], documents)


def _listed(file: Path, limit: int) -> Iterator[Path]:
    for element in elements(file, "CLUSTER", limit):
        if element.tag != "D":
            continue
        name = element.attributes.get("DID", "")
        where = place(file, element.line)
        if not name or Path(name).name != name:
            raise CorpusError(f"DID={name[:80]!r} is no document's name", where=where)
        places = [folder / f"{name}{DOCSENT}" for folder in (file.parent, file.parent / "docsent")]
        there = next((path for path in places if isfile(path)), None)
        if there is None:
            raise CorpusError(f"{name[:80]}{DOCSENT} is neither beside it nor in docsent/", where=where)
        yield there
