"""The bundled examples of judging, by name: `sample:judgments` and `sample:human`."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

FILES = {"judgments": "judgments.jsonl", "human": "human.csv"}
"""Invented, as the samples are: utilities for `sample:newswire`, ratings of systems on `sample:news`."""
_PREFIX = "sample:"


def resolved(path: str | Path) -> Path:
    """The path itself, or the example's that it names; a file of that very name comes first."""
    name = str(path).removeprefix(_PREFIX)
    if str(path) == name or name not in FILES or Path(path).exists():
        return Path(path)
    return Path(str(files("topline").joinpath("sample", FILES[name])))
