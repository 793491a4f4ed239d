"""A corpus of labels: streamed, on all cores, in constant memory, and resumable.

Labels are written in parts beside the output file, each named with the digests of its topics and its lines.
A run that was killed keeps the parts that are sound, passes over their topics, and goes on; when all is done
the parts become the output file. The file does not depend on how often that happened.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

from topline.corpus.records import Topic
from topline.errors import MissingExtra, OptionError, OutputError, ToplineError, Where
from topline.run.engine import Done, Engine, Parts, Watch
from topline.run.partial import Partial
from topline.run.whole import json_line, whole_file
from topline.search.label import Label, Labeller

PART = 1024
"""Topics a part."""
UNIT = 64
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
        self.tally = _Tally()
        self.failed: list[Done[Any, Any]] = []
        """Topics that failed again and again for no fault of their own; the others are labelled."""

    def run(self, topics: Iterable[Topic], watch: Watch | None = None) -> Labelled:
        """Label all topics; what an earlier run has finished is not done again."""
        parts = Partial(self.out, self.signature)
        try:
            stream = iter(topics)
            number = self._resume(parts, stream, watch)
            self._go_on(parts, number, stream, watch)
            self._join(parts)
        finally:
            parts.close()
        tally = self.tally
        mean = tally.scores / tally.documents if tally.documents else 0.0
        return Labelled(tally.documents, tally.kept, tally.skipped, tally.unproved if self.exact else 0, mean)

    def _resume(self, parts: Partial, stream: Iterator[Topic], watch: Watch | None) -> int:
        """Pass over the topics of sound parts; returns the number of the next part."""
        number = 0
        for part in parts.finished():
            lines = part.lines()
            if lines is None:
                break
            source = Fingerprint()
            for unit in _units(islice(stream, part.taken)):
                source.add(unit)
                if watch is not None:
                    watch.finished(Done(unit, kept=True))
            if source.digest() != part.source:
                raise OutputError(
                    f"the corpus has changed since the run began: its topics up to number {source.count} of"
                    f" part {number} are not those of then",
                    where=Where(file=str(parts.path)),
                    hint="delete the folder to begin anew",
                )
            for line in lines:
                self.tally.add(json.loads(line))
            self.tally.kept += len(lines)
            self.tally.skipped += part.taken - len(lines)
            number += 1
        parts.forget(number)
        return number

    def _go_on(self, parts: Partial, number: int, stream: Iterator[Topic], watch: Watch | None) -> None:
        """Label what is left, part by part."""
        rows: list[dict[str, Any]] = []
        source = Fingerprint()
        for done in self.engine.run(self.work, _units(stream), watch=watch, split=self._one_by_one):
            for found in (done.result or []) if done.error is None else [done]:
                self._take(found, rows)
            source.add(done.unit)
            if source.count >= PART:
                parts.put(number, source.count, source.digest(), "".join(map(json_line, rows)))
                number, source, rows = number + 1, Fingerprint(), []
        if source.count:
            parts.put(number, source.count, source.digest(), "".join(map(json_line, rows)))

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

    def _join(self, parts: Partial) -> None:
        """The parts become the file."""
        with whole_file(self.out, "wb") as stream:
            if self.out.suffix == ".parquet":
                _write_parquet(parts.paths(), stream)
            else:
                parts.copy(stream)
        parts.remove()


def _units(topics: Iterator[Topic]) -> Iterator[tuple[Topic, ...]]:
    return iter(lambda: tuple(islice(topics, UNIT)), ())


class Fingerprint:
    """What went into a part: how many topics, and a digest of their ids and texts."""

    def __init__(self) -> None:
        self.count = 0
        self._digest = blake2b(digest_size=16)

    def add(self, unit: Sequence[Topic]) -> None:
        """Take topics in."""
        self.count += len(unit)
        for topic in unit:
            pieces = [topic.id, *topic.texts()]
            for reference in topic.references:
                pieces += ["", *reference.sentences]
            self._digest.update("\0".join([*pieces, ""]).encode("utf-8", "surrogatepass"))

    def digest(self) -> str:
        """The digest of all that was taken in."""
        return self._digest.hexdigest()


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
