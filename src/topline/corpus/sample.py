"""The bundled sample corpus, by name: `sample:news` wherever a corpus is asked for."""

from __future__ import annotations

from importlib.resources import files
from os.path import exists
from pathlib import Path

from topline.errors import CorpusError

SAMPLES = ("news", "newswire", "literature", "science", "law")
"""Several documents a topic, and four domains with one."""
_PREFIX = "sample:"


def sample(name: str = "news") -> Path:
    """The path of a sample corpus."""
    if name not in SAMPLES:
        raise CorpusError(f"no sample {name!r}", hint=f"one of: {', '.join(SAMPLES)}")
    return Path(str(files("topline").joinpath("sample", f"{name}.jsonl")))


def resolved(path: str | Path) -> Path:
    """The path itself, or the sample's that it names; a file of that very name comes first."""
    text = str(path)
    if text.startswith(_PREFIX) and not exists(text):
        return sample(text.removeprefix(_PREFIX))
    return Path(path)
