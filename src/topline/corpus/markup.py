"""Tags and entities of SGML and HTML as newswire and SEE files use them; nothing is expanded or fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import name2codepoint
from typing import NamedTuple

_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]{0,40})([^<>]{0,1000})>|<[!?][^<>]{0,1000}>")
_ATTRIBUTE = re.compile(r"""\b([A-Za-z]{1,30})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""")
_ENTITY = re.compile(r"&(#?[A-Za-z0-9]{1,10});")
_LAYOUT = ("ql", "qr", "qc", "lr", "tl", "tr", "ur", "cx")
_NEWSWIRE = dict.fromkeys(_LAYOUT, "") | {
    "ap": "'", "apos": "'", "lsquo": "'", "rsquo": "'", "ldquo": '"', "rdquo": '"', "lsqb": "[", "rsqb": "]",
    "dollar": "$", "equals": "=", "ast": "*", "hyph": "-", "md": "—", "blank": " ", "nbsp": " ", "bull": "•",
    "cir": "○", "sect": "§", "para": "¶",
}  # fmt: skip
"""TREC's and AQUAINT's own entities beside HTML's; layout codes (`&UR;`, `&QL;`) are nothing."""


class Tag(NamedTuple):
    """A tag: its name in capitals."""

    name: str
    closing: bool
    attributes: str

    def attribute(self, name: str) -> str | None:
        """The value of an attribute, whatever its quotes and the case of its name."""
        for key, *values in _ATTRIBUTE.findall(self.attributes):
            if key.lower() == name:
                return "".join(values).strip()
        return None


def pieces(text: str) -> Iterator[Tag | str]:
    """The tags, and the text between them as it stands; comments and declarations left out."""
    end = 0
    for match in _TAG.finditer(text):
        if match.start() > end:
            yield text[end : match.start()]
        end = match.end()
        if match[2]:
            yield Tag(match[2].upper(), bool(match[1]), match[3])
    if end < len(text):
        yield text[end:]


def plain(text: str) -> str:
    """The text with its entities replaced, once; those not known stay as they are."""
    return _ENTITY.sub(_character, text)


def _character(entity: re.Match[str]) -> str:
    name = entity[1]
    if name.startswith("#"):
        return _numbered(name[1:]) or entity[0]
    if name.lower() in _NEWSWIRE:
        return _NEWSWIRE[name.lower()]
    code = name2codepoint.get(name) or name2codepoint.get(name.lower())
    return chr(code) if code else entity[0]


def _numbered(number: str) -> str | None:
    """The character of `#233` or `#xe9`; None for what is none."""
    try:
        code = int(number[1:], 16) if number[:1] in "xX" else int(number)
        return None if 0xD800 <= code <= 0xDFFF or code == 0 else chr(code)
    except (ValueError, OverflowError):
        return None


def attributes_of(tag: Tag) -> dict[str, str]:
    """All attributes, names in lower case."""
    return {key.lower(): "".join(values).strip() for key, *values in _ATTRIBUTE.findall(tag.attributes)}
