"""Published ways to label sentences, one file each, by the name that people call them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

Texts = Sequence[str]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a recipe labels."""

    selected: tuple[int, ...]
    """The sentences, rising."""
    candidates: tuple[tuple[int, ...], ...] | None = None
    """Where the recipe ranks whole extracts: these, best first."""


Recipe = Callable[[Texts, Texts], Chosen]
"""From a document's sentences and a reference's to what is labelled."""

PAPERS = {
    "bertsum": "Nallapati et al. 2017 (SummaRuNNer), as Liu 2019 (BertSum) computes it",
    "refresh": "Narayan et al. 2018 (Refresh)",
    "alignment": "Chen and Bansal 2018",
    "matchsum": "Zhong et al. 2020 (MatchSum)",
}
"""The recipes by name, with the papers they come from."""


def recipe(name: str) -> Recipe:
    """The recipe of that name, imported now."""
    found: Recipe = import_module(f"{__name__}.{name}").label
    return found
