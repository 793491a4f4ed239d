"""Topline: how far a summariser can go, and where it stands."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "Budget": "topline.text.budget",
    "Document": "topline.corpus.records",
    "Metric": "topline.rouge.metric",
    "Preprocessing": "topline.text.tokens",
    "Reference": "topline.corpus.records",
    "Score": "topline.rouge.score",
    "Scored": "topline.rouge.score",
    "Scorer": "topline.rouge.score",
    "Spread": "topline.spread.document",
    "Section": "topline.corpus.records",
    "Sentence": "topline.corpus.records",
    "Summary": "topline.corpus.records",
    "Topic": "topline.corpus.records",
    "ToplineError": "topline.errors",
    "label": "topline.search.label",
    "Label": "topline.search.label",
    "Every": "topline.search.every",
    "Oracle": "topline.search.oracle",
    "all_oracles": "topline.search.every",
    "compressive_oracle": "topline.compress.oracle",
    "oracle": "topline.search.oracle",
    "spread_of": "topline.spread.document",
    "summarize": "topline.systems.summarize",
    "read_corpus": "topline.corpus.read",
    "read_summaries": "topline.corpus.read",
    "score": "topline.rouge.score",
}
"""Where each public name lives; it is imported when first used, so that `import topline` stays cheap."""

__all__ = ["__version__", *sorted(_HOME)]  # noqa: PLE0604 - the table above is the one list of names


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'topline' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
