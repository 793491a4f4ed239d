"""XML files as a list of elements, read within bounds and without anything from outside the file.

Parsed with expat: nothing is fetched (MEAD's DOCTYPE names a DTD on its authors' disk), and a file that
declares an entity of its own is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from topline.corpus.files import LINE_LIMIT, head, opened, place
from topline.errors import CorpusError


@dataclass(slots=True)
class Element:
    """A start tag with its attributes, its line and its own text, without that of inner tags."""

    tag: str
    attributes: Mapping[str, str]
    line: int
    parts: list[str] = field(default_factory=list)
    """The text as it was met."""

    @property
    def text(self) -> str:
        """The text in one."""
        return "".join(self.parts)


def is_xml(file: Path) -> bool:
    """Whether the file's first visible character opens a tag."""
    return head(file).lstrip().startswith(b"<")


def elements(file: Path, root: str, limit: int = LINE_LIMIT) -> list[Element]:
    """All elements in document order, of a file whose outermost one is `root`."""
    with opened(file) as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise CorpusError(f"the file is longer than {limit:,} bytes", where=place(file))
    found = _parsed(file, data)
    if not found or found[0].tag != root:
        raise CorpusError(f"is no <{root}> file", where=place(file))
    return found


def _parsed(file: Path, data: bytes) -> list[Element]:
    found: list[Element] = []
    open_ones: list[Element] = []
    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise CorpusError(
            "declares an XML entity, which is refused", where=place(file, parser.CurrentLineNumber)
        )

    def skipped(name: str, _parameter: bool) -> None:
        raise CorpusError(
            f"&{name}; is not defined in the file",
            where=place(file, parser.CurrentLineNumber),
            hint="write the character itself",
        )

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, parser.CurrentLineNumber)
        found.append(element)
        open_ones.append(element)

    def text(data: str) -> None:
        if open_ones:
            open_ones[-1].parts.append(data)

    parser.EntityDeclHandler = refuse
    parser.SkippedEntityHandler = skipped
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: open_ones.pop()
    parser.CharacterDataHandler = text
    parser.buffer_text = True
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise CorpusError(
            f"is no XML: {expat.ErrorString(error.code)}", where=place(file, error.lineno)
        ) from error
    except (ValueError, LookupError) as error:
        raise CorpusError(f"is no XML that can be read: {error}", where=place(file)) from error
    return found
