"""How records look in a notebook: a small table of their fields, everything escaped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from html import escape
from typing import Any

_LONGEST = 200
"""Characters of a field's value that are shown."""


class Shown:
    """A dataclass that a notebook shows as a table."""

    __slots__ = ()

    def _shown(self) -> Mapping[str, Any]:
        """What the table says: the fields, unless a record knows better."""
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        return {name: getattr(self, name) for name in names if not name.startswith("_")}

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th>"
            f"<td style='text-align:left'>{escape(_short(value))}</td></tr>"
            for name, value in self._shown().items()
        )
        return f"<table><caption>{escape(type(self).__name__)}</caption>{rows}</table>"


def _short(value: Any) -> str:
    text = f"{value:.5f}" if isinstance(value, float) else str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
