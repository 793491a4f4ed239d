"""How many records a corpus will have, for whoever wants to know how long it will take."""

from __future__ import annotations

from pathlib import Path

from topline.corpus.files import STDIN, opened

_CHUNK = 1 << 20


def expected(path: Path, form: str) -> int | None:
    """About how many: the lines of JSON Lines, the rows of Parquet; None for anything else."""
    if path == STDIN or not path.is_file():
        return None
    if form == "jsonl":
        return _lines(path)
    if form == "parquet":
        import polars

        return int(polars.scan_parquet(path, glob=False).select(polars.len()).collect().item())
    return None


def _lines(path: Path) -> int:
    count, last = 0, b"\n"
    with opened(path) as stream:
        while data := stream.read(_CHUNK):
            count += data.count(b"\n")
            last = data[-1:]
    return count + (last != b"\n")
