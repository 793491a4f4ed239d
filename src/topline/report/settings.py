"""What a study is asked: metrics, budget, which parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from topline.rouge.metric import Metric
from topline.text.budget import Budget

PARTS = ("rouge", "people", "oracle", "baselines", "agreement", "spread", "rank", "compress", "mead")
"""The parts of a topic's study, in their order; each can be left out."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a study depends on beside the corpus and the summaries."""

    metric: Metric
    """The metric of the scale: what oracles maximise and distributions count."""
    table: Metric
    """The metrics of the ROUGE table, each for itself."""
    budget: Budget
    parts: tuple[str, ...] = PARTS
    listed: int = 20
    """Best extracts listed for a topic."""
    seconds: float = 20.0
    """For each part of each topic; then the best found is shown with its bound."""
    seed: int = 0

    @property
    def extracts(self) -> str:
        """What distributions count: extracts cut at the budget; whole ones, if it is in sentences."""
        from topline.spread.extracts import CHOPPED, MAXIMAL

        return MAXIMAL if self.budget.unit == "s" else CHOPPED

    @property
    def signature(self) -> str:
        """The settings as a line."""
        return f"{self.metric.signature}|refs:pooled|{self.budget.signature}"

    def key(self, names: Sequence[str]) -> dict[str, Any]:
        """Some of them, as stored results depend on them."""
        values = {name: getattr(self, name) for name in names}
        return {
            name: value.signature if isinstance(value, Metric | Budget) else value
            for name, value in values.items()
        }
