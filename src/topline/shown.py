"""How records look in a notebook: a small table of their fields, everything escaped."""

from __future__ import annotations

from dataclasses import fields
from html import escape
from typing import Any

_LONGEST = 200
"""Characters of a field's value that are shown."""


class Shown:
    """A dataclass that a notebook shows as a table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(field.name)}</th>"
            f"<td style='text-align:left'>{escape(_short(getattr(self, field.name)))}</td></tr>"
            for field in fields(self)  # type: ignore[arg-type]
            if not field.name.startswith("_")
        )
        return f"<table><caption>{escape(type(self).__name__)}</caption>{rows}</table>"


def _short(value: Any) -> str:
    text = f"{value:.5f}" if isinstance(value, float) else str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
