"""The script's figures as records, for `topline rouge --json`: the fields of `topline score --json`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from topline import __version__
from topline.rouge.perl.figures import fixed
from topline.rouge.perl.flags import Flags
from topline.rouge.perl.printout import Result, in_order

_SCORES, _COUNTS = ("recall", "precision", "f1"), ("model_count", "peer_count", "hits")


def records(result: Result, flags: Flags) -> Iterator[dict[str, Any]]:
    """With `-d` a record an evaluation; then the averages, or with `-t 2` the sums."""
    step = result.step
    metric = str(step.part) if step.part else f"rouge-be-{flags.value('3')}"
    if flags.has("d"):
        names = _COUNTS if flags.counting else _SCORES
        rows = dict(zip(result.ids, result.rows.tolist(), strict=True))
        for id in in_order(result.ids):
            yield {
                "id": id.removesuffix(f".{result.system}"),
                "system": result.system,
                "metric": metric,
                **dict(zip(names, rows[id], strict=True)),
            }
    average: dict[str, Any] = {"system": result.system, "metric": metric, "topics": len(result.ids)}
    if result.averages is None:
        average |= dict(zip(_COUNTS, result.rows.sum(axis=0).tolist(), strict=True))
    else:
        for name, interval in zip(_SCORES, result.averages, strict=True):
            average |= {
                name: _figure(interval.mean),
                f"{name}_low": _figure(interval.low),
                f"{name}_high": _figure(interval.high),
            }
    yield {**average, "signature": signature(metric, flags)}


def _figure(value: float) -> float | None:
    """As it is printed; JSON has no figure for what is none."""
    return float(fixed(value)) if math.isfinite(value) else None


def signature(metric: str, flags: Flags) -> str:
    """Everything that a figure depends on beside the texts."""
    stem = "models-only" if flags.has("M") else "porter155" if flags.has("m") else "no"
    return (
        f"{metric}|tok:rouge155|stem:{stem}|stop:{'smart' if flags.has('s') else 'none'}"
        f"|refs:{'best' if flags.best else 'pooled'}|limit:{flags.limit or 'no'}|alpha:{flags.alpha:g}"
        f"|counting:{flags.counting}|v:{__version__}|resamples:{flags.resamples:g}|confidence:{flags.confidence:g}"
    )
