"""Stop words and irregular forms: from the script's data folder, or the bundled ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from topline.errors import CorpusError, ToplineError, Where
from topline.rouge.perl.berkeley import read_hash
from topline.rouge.perl.flags import Flags
from topline.text.stem import exceptions, porter
from topline.text.stopwords import load_stopwords
from topline.text.tokens import Preprocessing

STOPWORDS, DATABASE, SOURCES = "smart_common_words.txt", "WordNet-2.0.exc.db", "WordNet-2.0-Exceptions"


@dataclass(frozen=True, slots=True)
class Tables:
    """What `-s` drops and what `-m` looks up before it stems."""

    stopwords: frozenset[str]
    exceptions: Mapping[str, str]

    def stem(self, word: str) -> str:
        """A word's base form if it is listed as irregular, else its Porter stem."""
        known = self.exceptions.get(word)
        return porter(word) if known is None else known


@dataclass(frozen=True, slots=True)
class ScriptText(Preprocessing):
    """The script's way from a raw token to what is counted, with the tables of a run."""

    tables: Tables = field(default_factory=lambda: Tables(frozenset(), {}), compare=False)

    def normalise(self, token: str) -> str | None:
        """None for a stop word; a stem for what has more than three characters."""
        if token in self.tables.stopwords:
            return None
        return self.tables.stem(token) if self.stem and len(token) > 3 else token


def load(flags: Flags, warn: Callable[[str], None]) -> Tables:
    """The tables that `-e` or the environment names; the bundled ones without either."""
    folder = os.environ.get("ROUGE_EVAL_HOME") or os.environ.get("RED_EVAL_HOME") or ""
    if flags.has("e"):
        folder = os.fsdecode(flags.value("e").encode("latin-1")) + "/"
    stemming = flags.has("m") or flags.has("M")
    if not folder:
        stop = load_stopwords("smart") if flags.has("s") else frozenset()
        return Tables(stop, exceptions() if stemming else {})
    home = Path(folder)
    stop = _stopwords(home / STOPWORDS)
    return Tables(stop if flags.has("s") else frozenset(), _irregular(home, warn) if stemming else {})


def _stopwords(path: Path) -> frozenset[str]:
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        hint = (
            "let -e or ROUGE_EVAL_HOME name the script's data folder, or give neither for the bundled tables"
        )
        raise CorpusError(what, where=Where(str(path)), hint=hint) from error
    return frozenset(line.decode("latin-1") for line in lines)


def _irregular(home: Path, warn: Callable[[str], None]) -> Mapping[str, str]:
    """The database if it can be read, else what it is built from, else the bundled table."""
    try:
        forms = {
            key.decode("latin-1"): value.decode("latin-1")
            for key, value in read_hash(home / DATABASE).items()
        }
    except (OSError, ToplineError) as error:
        forms = _from_sources(home / SOURCES)
        why = getattr(error, "what", None) or "cannot be read"
        which = f"the .exc files in {home / SOURCES}" if forms else "the bundled table"
        warn(f"{home / DATABASE}: {why}; irregular forms come from {which}")
        return forms or exceptions()
    if not forms:
        warn(f"{home / DATABASE} is empty: words are stemmed without irregular forms, as the script would")
    return forms


def _from_sources(folder: Path) -> dict[str, str]:
    """The first base form of every line; adjectives have the last word, as in the bundled table."""
    forms: dict[str, str] = {}
    for path in sorted(folder.glob("*.exc"), reverse=True):
        for line in path.read_bytes().decode("latin-1").split("\n"):
            irregular, base = [*line.split()[:2], "", ""][:2]
            if base:
                forms[irregular] = base
    return forms
