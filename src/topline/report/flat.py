"""A study as one long table, a figure a row, for Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from topline.errors import MissingExtra
from topline.report.study import Study, records


def rows(found: Study) -> Iterator[dict[str, Any]]:
    """Every figure of `results.jsonl` with the path that leads to it there; what is no number as text."""
    for record in records(found):
        for part, result in record.items():
            if part in ("id", "signature"):
                continue
            for path, value in _leaves(result, ""):
                number = isinstance(value, (int, float))
                yield {
                    "id": record["id"],
                    "part": part,
                    "path": path,
                    "value": float(value) if number else None,
                    "text": None if number or value is None else str(value),
                }


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}/{name}" if path else str(name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _leaves(inner, f"{path}/{number}" if path else str(number))
    else:
        yield path, value


def write_parquet(found: Study, stream: Any) -> None:
    """The rows as a Parquet file."""
    try:
        import polars
    except ImportError as error:
        raise MissingExtra("polars", "data") from error
    text = dict.fromkeys(("id", "part", "path"), polars.String)
    schema = {**text, "value": polars.Float64, "text": polars.String}
    polars.DataFrame(list(rows(found)), schema=schema).write_parquet(stream)
