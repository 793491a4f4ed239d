"""How fast and in how much memory corpora are read: a million topics, a line of 1 GB, tables, text to split.

The peer of JSON Lines is `json.loads` on every line and nothing else. Each case runs in a process of its own,
whose peak of memory over that of an empty reading is reported.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.common import record, shared
from topline.corpus.read import read
from topline.errors import CorpusError

MANY, FEWER = 1_000_000, 100_000
LINE = 2**30


def write_topics(path: Path, count: int) -> None:
    with path.open("w") as stream:
        for number in range(count):
            stream.write(topic(f"topic-{number:07}", ["One sentence of it.", f"Another, number {number}."]))


def write_articles(path: Path) -> None:
    """Thirty sentences each, as news has them."""
    sentence = (
        "The mayor said on Tuesday that the bridge over the river would close for repairs in the autumn"
    )
    with path.open("w") as stream:
        for number in range(FEWER):
            stream.write(
                topic(str(number), [f"{sentence} of {year}, {number}." for year in range(1990, 2020)])
            )


def topic(id: str, sentences: list[str]) -> str:
    documents, references = [{"id": "d", "sentences": sentences}], [{"id": "A", "sentences": ["It."]}]
    return json.dumps({"id": id, "documents": documents, "references": references}) + "\n"


def write_long_line(path: Path) -> None:
    """A topic, a line of 1 GB, a topic."""
    topic = b'{"id": "%s", "documents": [{"id": "d", "sentences": ["x"]}]}\n'
    with path.open("wb") as stream:
        stream.write(topic % b"first")
        stream.write(b'{"id": "')
        for _ in range(LINE // 2**20):
            stream.write(b"x" * 2**20)
        stream.write(b'"}\n' + topic % b"last")


def write_parquet(path: Path) -> None:
    import polars

    article = "The mayor said on Tuesday that the bridge would close. " * 40
    rows = {
        "id": [str(number) for number in range(FEWER)],
        "article": [f"{number} {article}" for number in range(FEWER)],
        "highlights": ["The bridge closes .\nThe mayor said so ."] * FEWER,
    }
    polars.DataFrame(rows).write_parquet(path, row_group_size=1000)


def write_csv(path: Path) -> None:
    with path.open("w") as stream:
        stream.write("id,document,summary\n")
        for number in range(FEWER):
            stream.write(f'{number},"A ""quoted"" sentence, number {number}.","Short, {number}."\n')


def read_all(path: Path) -> int:
    return sum(1 for _ in read(path, splitter="lines"))


def read_split(path: Path) -> int:
    return sum(1 for _ in read(path))


def parse_only(path: Path) -> int:
    with path.open("rb") as stream:
        return sum(1 for line in stream if json.loads(line))


def refuse(path: Path) -> int:
    """The error as soon as the line is known to be too long."""
    try:
        return read_all(path)
    except CorpusError as error:
        print(error, file=sys.stderr)
        return 1


def skip(path: Path) -> int:
    return sum(1 for _ in read(path, skip_bad=True))


WRITE: dict[str, Callable[[Path], None]] = {
    "many.jsonl": lambda path: write_topics(path, MANY),
    "fewer.jsonl": lambda path: write_topics(path, FEWER),
    "articles.jsonl": write_articles,
    "long.jsonl": write_long_line,
    "table.parquet": write_parquet,
    "table.csv": write_csv,
}
READ: dict[str, Callable[[Path], int]] = {
    "topics": read_all,
    "json.loads only": parse_only,
    "refuse": refuse,
    "skip": skip,
    "split": read_split,
}
CASES = (
    ("a million topics", "many.jsonl", "topics"),
    ("a million topics", "many.jsonl", "json.loads only"),
    ("a tenth of them", "fewer.jsonl", "topics"),
    ("100,000 articles", "articles.jsonl", "topics"),
    ("100,000 articles", "articles.jsonl", "json.loads only"),
    ("a line of 1 GB: refused", "long.jsonl", "refuse"),
    ("a line of 1 GB: skipped", "long.jsonl", "skip"),
    ("Parquet, 100,000 articles", "table.parquet", "topics"),
    ("CSV, 100,000 rows", "table.csv", "topics"),
    ("stories, split", "squality.jsonl", "split"),
)


def measured(what: str, path: Path) -> dict[str, Any]:
    """Run a case in a process of its own."""
    command = [sys.executable, "-m", "bench.readers", what, str(path)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    result: dict[str, Any] = json.loads(said.splitlines()[-1])
    return result


def peak() -> int:
    """The most memory this process ever held, in kB; `ru_maxrss` would start from the parent's."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmHWM:")[1].split()[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def child(what: str, path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / f"small{path.suffix}"
        if path.suffix == ".jsonl":
            write_topics(small, 1)
            read_all(small)
        before = peak()
        start = perf_counter()
        count = READ[what](path)
        seconds = perf_counter() - start
    grown = (peak() - before) / 1024
    print(json.dumps({"count": count, "seconds": seconds, "peak MB": round(grown, 1)}))


def main() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, file, what in CASES:
            path = shared(file) if file == "squality.jsonl" else Path(folder) / file
            if not path.exists():
                WRITE[file](path)
            got = measured(what, path)
            rows.append(
                {"case": name, "reader": what, **got, "a second": round(got["count"] / got["seconds"])}
            )
    seconds = {(row["case"], row["reader"]): row["seconds"] for row in rows}
    for row in rows:
        if parse := seconds.get((row["case"], "json.loads only")):
            row["times json.loads"] = round(row["seconds"] / parse, 2)
    record("readers", rows)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        child(sys.argv[1], Path(sys.argv[2]))
    else:
        main()
