"""A corpus of labels: streamed, on all cores, in constant memory, and resumable.

Labels are written in parts beside the output file, each whole or not at all and named with the digest of
its lines. A run that was killed keeps the parts that are sound, passes over their topics, and goes on;
when all is done the parts become the output file. The file does not depend on how often that happened.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

from topline.corpus.records import Topic
from topline.errors import MissingExtra, OptionError, OutputError, ToplineError, Where
from topline.run.engine import Done, Engine, Parts
from topline.run.whole import json_line, whole_file
from topline.search.label import Label, Labeller

PART = 1024
"""Topics a part."""
UNIT = 32
"""Topics that a thread takes at a time."""
_FIELDS = tuple(field.name for field in fields(Label))
FORMATS = (".jsonl", ".parquet")


@dataclass(frozen=True, slots=True)
class Labelled:
    """What a run did."""

    documents: int
    """Labels in the file."""
    kept: int
    """Of these, from parts of an earlier run."""
    skipped: int
    """Topics that could not be labelled."""
    unproved: int
    mean_score: float


@dataclass(slots=True)
class _Tally:
    documents: int = 0
    kept: int = 0
    skipped: int = 0
    unproved: int = 0
    scores: float = 0.0

    def add(self, row: dict[str, Any]) -> None:
        self.documents += 1
        self.unproved += not row["proved"]
        self.scores += row["score"]


class Run:
    """One labelling of a corpus into a file."""

    def __init__(
        self, settings: dict[str, Any], out: Path, engine: Engine, *, skip_bad: bool = False
    ) -> None:
        if out.suffix not in FORMATS:
            raise OptionError(f"labels go into {' or '.join(FORMATS)}, not {out.suffix or out.name!r}")
        if out.suffix == ".parquet":
            _polars()
        self.exact = settings["recipe"] == "exact"
        self.work = _Work(settings)
        self.signature = self.work.labeller.signature
        self.out, self.engine, self.skip_bad = out, engine, skip_bad
        self.parts = out.with_name(f".{out.name}.parts")
        self.tally = _Tally()
        self.failed: list[Done[Any, Any]] = []
        """Topics that failed again and again for no fault of their own; the others are labelled."""

    def run(self, topics: Iterable[Topic]) -> Labelled:
        """Label all topics; what an earlier run has finished is not done again."""
        self._open()
        stream = iter(topics)
        number = self._resume(stream)
        units = iter(lambda: tuple(islice(stream, UNIT)), ())
        rows: list[dict[str, Any]] = []
        taken = 0
        for done in self.engine.run(self.work, units, split=self._one_by_one):
            for found in (done.result or []) if done.error is None else [done]:
                self._take(found, rows)
            taken += len(done.unit)
            if taken >= PART:
                self._close_part(number, taken, rows)
                number, taken, rows = number + 1, 0, []
        if taken:
            self._close_part(number, taken, rows)
        self._join()
        tally = self.tally
        mean = tally.scores / tally.documents if tally.documents else 0.0
        return Labelled(tally.documents, tally.kept, tally.skipped, tally.unproved if self.exact else 0, mean)

    def _one_by_one(self, unit: tuple[Topic, ...]) -> Parts | None:
        """A unit that fails for no fault of its topics' texts, topic by topic."""
        if len(unit) == 1:
            return None
        return Parts(self.work, [(topic,) for topic in unit], _joined, forgiving=True)

    def _take(self, found: Label | ToplineError | Done[Any, Any], rows: list[dict[str, Any]]) -> None:
        if isinstance(found, Done):
            if not found.quarantined:
                assert found.error is not None
                raise found.error
            self.failed.append(found)
            self.tally.skipped += 1
            return
        if isinstance(found, ToplineError):
            if not self.skip_bad:
                raise found
            self.tally.skipped += 1
            return
        row = {name: value for name in _FIELDS if (value := getattr(found, name)) is not None}
        rows.append(row)
        self.tally.add(row)

    def _open(self) -> None:
        """The parts of a run with other options are not this run's."""
        note = self.parts / "signature"
        if note.exists() and note.read_text("utf-8") != self.signature:
            raise OutputError(
                f"parts of a run with other options lie there ({note.read_text('utf-8')})",
                where=Where(file=str(self.parts)),
                hint="finish that run, or delete the folder",
            )
        self.parts.mkdir(parents=True, exist_ok=True)
        with whole_file(note) as stream:
            stream.write(self.signature)

    def _resume(self, stream: Iterator[Topic]) -> int:
        """Pass over the topics of sound parts; returns the number of the next part. Others are deleted."""
        number = 0
        found = {_numbered(path): path for path in self.parts.glob("part-*.jsonl")}
        while number in found and _sound(found[number]):
            path = found.pop(number)
            taken = int(path.stem.split("-")[2])
            ids = {topic.id for topic in islice(stream, taken)}
            for line in path.read_text("utf-8").split("\n")[:-1]:
                row = json.loads(line)
                if row["id"] not in ids:
                    raise OutputError(
                        f"the corpus has changed since the run began: {row['id']!r} has moved or is gone",
                        where=Where(file=str(self.parts)),
                        hint="delete the folder to begin anew",
                    )
                self.tally.add(row)
                self.tally.kept += 1
                taken -= 1
            self.tally.skipped += taken
            number += 1
        for path in found.values():
            path.unlink()
        return number

    def _close_part(self, number: int, taken: int, rows: list[dict[str, Any]]) -> None:
        text = "".join(map(json_line, rows))
        name = f"part-{number:06d}-{taken}-{_digest(text.encode())}.jsonl"
        with whole_file(self.parts / name) as stream:
            stream.write(text)

    def _join(self) -> None:
        """The parts become the file."""
        paths = sorted(self.parts.glob("part-*.jsonl"))
        with whole_file(self.out, "wb") as stream:
            if self.out.suffix == ".parquet":
                _write_parquet(paths, stream)
            else:
                for path in paths:
                    with path.open("rb") as part:
                        shutil.copyfileobj(part, stream)
        shutil.rmtree(self.parts)


def _joined(results: list[Any]) -> list[Any]:
    """The labels of topics that were done one by one; in place of one that failed, what became of it."""
    return [found for one in results for found in ([one] if isinstance(one, Done) else one)]


class _Work:
    """Labels units of topics; what is sent to another process begins there with a vocabulary of its own."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        self.labeller = Labeller(**settings)

    def __call__(self, topics: Sequence[Topic]) -> list[Label | ToplineError]:
        return self.labeller.of_many(topics)

    def __reduce__(self) -> tuple[type[_Work], tuple[dict[str, Any]]]:
        return _Work, (self.settings,)


def _numbered(path: Path) -> int:
    return int(path.stem.split("-")[1])


def _sound(path: Path) -> bool:
    return path.stem.split("-")[3] == _digest(path.read_bytes())


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def _polars() -> Any:
    try:
        import polars
    except ImportError as error:
        raise MissingExtra("polars", "data") from error
    return polars


def _write_parquet(paths: list[Path], stream: Any) -> None:
    """The parts as row groups of one file, read one after the other."""
    polars = _polars()
    schema = {
        "id": polars.String,
        "sentences": polars.Int64,
        "selected": polars.List(polars.Int64),
        "score": polars.Float64,
        "proved": polars.Boolean,
        "signature": polars.String,
        "soft": polars.List(polars.Float64),
        "candidates": polars.List(polars.List(polars.Int64)),
    }
    filled = [path for path in paths if path.stat().st_size]
    if not filled:
        polars.DataFrame(schema=schema).write_parquet(stream)
        return
    polars.scan_ndjson(filled, schema=schema).sink_parquet(stream, row_group_size=PART)
