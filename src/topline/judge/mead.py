"""MEAD's XML: `sentjudge`, `extract`, `docsent` and `cluster` files, so that judged collections work.

Parsed with expat: nothing outside the file is fetched (their DOCTYPE names a DTD on the authors' disk),
and a file that declares an entity of its own is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from xml.parsers import expat

from topline.corpus.records import Document, Sentence, Topic
from topline.errors import CorpusError, Where
from topline.judge.judged import Key, Rating, millionths


@dataclass(slots=True)
class Element:
    """A start tag with its attributes, its line and all the text up to its end tag."""

    tag: str
    attributes: Mapping[str, str]
    line: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class MeadExtract:
    """An `extract` file: which sentences a system chose, named by document and number."""

    id: str
    system: str
    rate: Fraction | None
    """The compression the file states."""
    keys: tuple[Key, ...]
    where: Where


def is_xml(file: Path) -> bool:
    """Whether the file's first visible character opens a tag."""
    with file.open("rb") as stream:
        return stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")


def elements(file: Path) -> list[Element]:
    """All elements in document order."""
    found: list[Element] = []
    open_ones: list[Element] = []
    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise CorpusError(
            "declares an XML entity, which is refused", where=Where(str(file), parser.CurrentLineNumber)
        )

    def skipped(name: str, _parameter: bool) -> None:
        raise CorpusError(
            f"&{name}; is not defined in the file",
            where=Where(str(file), parser.CurrentLineNumber),
            hint="write the character itself",
        )

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, parser.CurrentLineNumber)
        found.append(element)
        open_ones.append(element)

    def data(text: str) -> None:
        if open_ones:
            open_ones[-1].text += text

    parser.EntityDeclHandler = refuse
    parser.SkippedEntityHandler = skipped
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: open_ones.pop()
    parser.CharacterDataHandler = data
    parser.buffer_text = True
    try:
        parser.Parse(file.read_bytes(), True)
    except expat.ExpatError as error:
        raise CorpusError(
            f"is no XML: {expat.ErrorString(error.code)}", where=Where(str(file), error.lineno)
        ) from error
    except (ValueError, LookupError) as error:
        raise CorpusError(f"is no XML that can be read: {error}", where=Where(file=str(file))) from error
    return found


def _key(element: Element, file: Path) -> Key:
    document, number = element.attributes.get("DID", ""), element.attributes.get("SNO", "")
    if not document or not (number.isascii() and number.isdigit()) or len(number) > 9:
        raise CorpusError(f"<{element.tag}> lacks DID or SNO", where=Where(str(file), element.line))
    return document, int(number)


def _root(found: list[Element], tag: str, file: Path) -> Element:
    if not found or found[0].tag != tag:
        raise CorpusError(f"is no <{tag}> file", where=Where(file=str(file)))
    return found[0]


def _topic_id(root: Element, file: Path) -> str:
    """A file's topic: its QID, or the file's name up to the first dot (MEAD writes QID="none")."""
    stated = root.attributes.get("QID", "").strip()
    return stated if stated and stated.lower() != "none" else file.name.split(".")[0]


def sentjudge(file: Path) -> Iterator[Rating | CorpusError]:
    """A judge's utilities, one rating a judge; a sentence that a judge left out is said by name."""
    found = elements(file)
    topic = _topic_id(_root(found, "SENT-JUDGE", file), file)
    keys: dict[Key, None] = {}
    given: dict[str, dict[int, tuple[str | None, int]]] = {}
    for element in found:
        if element.tag == "S":
            key = _key(element, file)
            if key in keys:
                raise CorpusError(
                    f"sentence {key[1]} of {key[0]} is there twice",
                    where=Where(str(file), element.line, topic),
                )
            keys[key] = None
        elif element.tag == "JUDGE":
            judge = element.attributes.get("N", "")
            if not judge or not keys:
                raise CorpusError("<JUDGE> without N or outside <S>", where=Where(str(file), element.line))
            value = element.attributes.get("UTIL"), element.line
            if given.setdefault(judge, {}).setdefault(len(keys) - 1, value) is not value:
                raise CorpusError(
                    f"judge {judge} rates one sentence twice", where=Where(str(file), element.line)
                )
    for judge, values in given.items():
        yield _rating(topic, judge, values, tuple(keys), file)


def _rating(
    topic: str, judge: str, values: Mapping[int, tuple[str | None, int]], keys: tuple[Key, ...], file: Path
) -> Rating | CorpusError:
    try:
        utilities = []
        for i, (document, number) in enumerate(keys):
            value, line = values.get(i, (None, 0))
            where = Where(str(file), line or None, topic)
            utilities.append(millionths(value, judge, f"{number} of {document}", where))
        return Rating(topic, judge, tuple(utilities), None, keys, Where(str(file), id=topic))
    except CorpusError as error:
        return error


def extract(file: Path) -> MeadExtract:
    """Which sentences a system chose, in the order the file gives them."""
    found = elements(file)
    root = _root(found, "EXTRACT", file)
    where = Where(file=str(file), id=_topic_id(root, file))
    stated = root.attributes.get("COMPRESSION", "").strip().rstrip("%")
    try:
        percent = Decimal(stated) if stated else None
    except InvalidOperation:
        percent = Decimal(-1)
    if percent is not None and not 0 < percent <= 100:
        raise CorpusError(f"COMPRESSION={stated!r} is no percentage", where=where)
    rate = None if percent is None else Fraction(percent) / 100
    keys = tuple(_key(element, file) for element in found if element.tag == "S")
    return MeadExtract(where.id or "", root.attributes.get("SYSTEM") or file.stem, rate, keys, where)


def docsent(file: Path) -> Document:
    """A document's sentences; the headline is its first sentence, as SNO counts it."""
    found = elements(file)
    root = _root(found, "DOCSENT", file)
    sentences: list[Sentence] = []
    for element in found:
        if element.tag == "S":
            if element.attributes.get("SNO") != str(len(sentences) + 1):
                raise CorpusError(
                    f"SNO={element.attributes.get('SNO')!r} where {len(sentences) + 1} was due",
                    where=Where(str(file), element.line),
                )
            sentences.append(Sentence(" ".join(element.text.split())))
    return Document(root.attributes.get("DID") or file.name.split(".")[0], tuple(sentences))


def cluster(file: Path) -> Topic:
    """A topic: the documents that a `cluster` file lists, found beside it or in `docsent/`."""
    found = elements(file)
    _root(found, "CLUSTER", file)
    documents = []
    for element in found:
        if element.tag != "D":
            continue
        name = element.attributes.get("DID", "")
        where = Where(str(file), element.line)
        if not name or Path(name).name != name:
            raise CorpusError(f"DID={name!r} is no document's name", where=where)
        places = [file.parent / f"{name}.docsent", file.parent / "docsent" / f"{name}.docsent"]
        there = next((place for place in places if place.is_file()), None)
        if there is None:
            raise CorpusError(f"{name}.docsent is neither beside it nor in docsent/", where=where)
        documents.append(docsent(there))
    if not documents:
        raise CorpusError("lists no document", where=Where(file=str(file)))
    return Topic(file.name.split(".")[0], tuple(documents))
