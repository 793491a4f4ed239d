"""Stop-word lists by name or from a file."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from topline.errors import MetricError, Where


@lru_cache(maxsize=8)
def load_stopwords(name: str) -> frozenset[str]:
    """The stop words called `none`, `smart`, or in the file of that path (a word a line)."""
    if name == "none":
        return frozenset()
    if name == "smart":
        return frozenset(files("topline.text").joinpath("data/smart.txt").read_text("ascii").split("\n")) - {
            ""
        }
    path = Path(name)
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise MetricError(
            f"cannot read the stop words: {getattr(error, 'strerror', None) or error}",
            where=Where(file=name),
            hint="give none, smart, or a UTF-8 file with a word a line",
        ) from error
    return frozenset(word.strip().lower() for word in text.splitlines()) - {""}
