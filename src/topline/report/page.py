"""The page: one HTML file without a network, made of sections, figures, tables and the topics' data."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from topline import __version__

_NO_TEXT = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff" + "".join(
    chr(plane + end) for plane in range(0x10000, 0x110000, 0x10000) for end in (0xFFFE, 0xFFFF)
)
"""Characters that no HTML file may hold."""
_UNSAFE = re.compile(f"[<>&\u2028\u2029{_NO_TEXT}]")
"""These, and what could end a script element or be taken for markup: JSON may write any as an escape."""
_FORBIDDEN = re.compile(f"[{_NO_TEXT}]")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: what is read, and what it is sorted by."""

    text: str
    value: float | None = None
    interval: str = ""
    superscript: str = ""
    link: str = ""

    @classmethod
    def topic(cls, id: str) -> Cell:
        """A topic's id, which leads to its view."""
        return cls(id, link=f"#topic={quote(shown(id), safe='')}")


@dataclass(frozen=True, slots=True)
class Table:
    """A sortable table."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    @property
    def textual(self) -> list[bool]:
        """Which columns hold words: they are aligned to the left."""
        return [all(row[at].value is None for row in self.rows) for at in range(len(self.columns))]


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing (SVG, made by us) and what it shows, in words."""

    svg: str
    caption: str


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of the page."""

    id: str
    title: str
    short: str
    """As the navigation names it."""
    paragraphs: Sequence[str] = ()
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()
    notes: Sequence[str] = ()
    signatures: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class TopicView:
    """What the browser needs to show one topic."""

    place: int
    id: str
    title: str
    data: dict[str, Any]
    figure: str = ""
    """The topic's drawing as SVG."""


@dataclass(frozen=True, slots=True)
class Page:
    """Everything the page shows."""

    title: str
    glance: Sequence[tuple[str, str]] = ()
    sections: Sequence[Section] = ()
    topics: Sequence[TopicView] = ()
    signatures: Sequence[str] = field(default=())


def embedded(data: Any) -> str:
    r"""JSON that may stand in a script element: no text in it can end the element or begin another.

    >>> embedded("</script>]]>")
    '"\\u003c/script\\u003e]]\\u003e"'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _UNSAFE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    """A character as JSON writes it in ASCII."""
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def shown(text: str) -> str:
    """A text without the characters that no HTML file may hold: each becomes the replacement character."""
    return _FORBIDDEN.sub("\ufffd", text)


def number(value: float | None, digits: int = 4, *, interval: str = "", superscript: str = "") -> Cell:
    """A number as a cell; nothing as a dash."""
    if value is None:
        return Cell("–")
    return Cell(f"{value:.{digits}f}", value, interval, superscript)


def _resource(name: str) -> str:
    return files("topline.report").joinpath("templates", name).read_text("utf-8")


def render(page: Page) -> Iterator[str]:
    """The file, in pieces. The script runs by its hash alone: nothing a document holds can run."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    script = _resource("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=False)
    template = environment.from_string(_resource("page.html.j2"))
    # Markup marks what we made ourselves: style, script, drawings (escaped where they were drawn), JSON
    pieces = template.generate(
        page=_marked(page),
        css=Markup(_resource("page.css")),
        script=Markup(script),
        script_hash=f"sha256-{digest}",
        version=__version__,
    )
    return map(shown, pieces)


def _marked(page: Page) -> dict[str, Any]:
    """The page with its drawings and data marked as ready to stand as they are."""
    from markupsafe import Markup

    sections = [
        {
            **{name: getattr(section, name) for name in Section.__slots__},
            "figures": [{"svg": Markup(one.svg), "caption": one.caption} for one in section.figures],
        }
        for section in page.sections
    ]
    topics = (
        {
            "place": topic.place,
            "id": topic.id,
            "title": topic.title,
            "json": Markup(embedded(topic.data)),
            "figure": Markup(topic.figure),
        }
        for topic in page.topics
    )
    return {
        "title": page.title,
        "glance": page.glance,
        "sections": sections,
        "topics": list(topics),
        "signatures": page.signatures,
    }
