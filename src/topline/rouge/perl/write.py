"""A corpus and systems' summaries as the script's own files: to run the real one on them, or ours."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from topline.corpus.match import Matched
from topline.errors import CorpusError, OutputError, Where

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(folder: Path, topics: Iterable[Matched]) -> Path:
    """Write SPL files and `config.xml` into a new folder, whole or not at all; returns the configuration."""
    folder = folder.absolute()
    if folder.exists():
        raise OutputError("is there already", where=Where(str(folder)), hint="name a new folder")
    try:
        unfinished = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            _fill(unfinished, folder, topics)
            unfinished.chmod(0o755)
            os.rename(unfinished, folder)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    except OSError as error:
        raise OutputError(f"cannot write: {error.strerror}", where=Where(str(folder))) from error
    return folder / "config.xml"


def _fill(folder: Path, final: Path, topics: Iterable[Matched]) -> None:
    for kind in ("models", "peers"):
        (folder / kind).mkdir()
    with (folder / "config.xml").open("w", encoding="utf-8") as config:
        config.write('<ROUGE-EVAL version="1.5.5">\n')
        for number, matched in enumerate(topics, 1):
            config.writelines(_evaluation(folder, final, number, matched))
        config.write("</ROUGE-EVAL>\n")


def _evaluation(folder: Path, final: Path, number: int, matched: Matched) -> Iterator[str]:
    """An evaluation's lines, its files written on the way; they are numbered, as ids may be any text."""
    yield f"<EVAL ID={_attribute(matched.topic.id)}>\n"
    for kind in ("peers", "models"):
        yield f"<{kind[:-1].upper()}-ROOT>{escape(str(final / kind))}</{kind[:-1].upper()}-ROOT>\n"
    yield '<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>\n<PEERS>\n'
    for place, summary in enumerate(matched.summaries, 1):
        name = _text(folder / "peers", f"{number}.{place}.txt", summary.sentences)
        yield f"<P ID={_attribute(summary.system)}>{name}</P>\n"
    yield "</PEERS>\n<MODELS>\n"
    for place, reference in enumerate(matched.topic.references, 1):
        name = _text(folder / "models", f"{number}.{place}.txt", reference.sentences)
        yield f"<M ID={_attribute(reference.id)}>{name}</M>\n"
    yield "</MODELS>\n</EVAL>\n"


def _text(folder: Path, name: str, sentences: Sequence[str]) -> str:
    """A sentence a line."""
    lines = (sentence.replace("\n", " ") + "\n" for sentence in sentences)
    (folder / name).write_bytes("".join(lines).encode("utf-8", "surrogatepass"))
    return name


def _attribute(id: str) -> str:
    if _NO_XML.search(id):
        where = Where(id=id)
        raise CorpusError("XML cannot hold this id", where=where, hint="take its control characters out")
    return quoteattr(id, {"\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})
