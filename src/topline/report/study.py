"""A study of a corpus: every part of every topic, stored as it is finished, computed only if it changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from topline.corpus.jsonl import summary_json, topic_json
from topline.corpus.records import Summary, Topic
from topline.errors import ToplineError
from topline.report.own import within
from topline.report.settings import Settings
from topline.report.stages import BUILDS_ON, DEPEND_ON, LOOK_AT_SUMMARIES, STAGES
from topline.report.unit import Unit
from topline.run.engine import Done, Engine
from topline.run.store import Store, digest
from topline.systems.background import TOPIC, Background

if TYPE_CHECKING:
    from topline.compress.parsed import ParsedTopic

Watch = Callable[[Iterable[Any], str, int], Iterable[Any]]
"""Shows a person how far a stage has come; given the items, the stage's name and how many there are."""


@dataclass(frozen=True, slots=True)
class TopicStudy:
    """A topic, what the systems wrote on it, and the result of every part."""

    topic: Topic
    summaries: tuple[Summary, ...]
    results: Mapping[str, Any]
    """By part; a part that failed or was left out is missing."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A part of a topic that could not be computed."""

    id: str
    part: str
    error: str


@dataclass(slots=True)
class Study:
    """All topics studied, and what failed on the way."""

    settings: Settings
    topics: list[TopicStudy] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    computed: int = 0
    """Parts computed now; the others were in the store."""
    remarks: list[str] = field(default_factory=list)
    """What a reader should know of how it was made."""


class Parses(Protocol):
    """Where dependency trees come from."""

    key: str
    """Equal for equal trees: stored results depend on it."""

    def parsed(self, topic: Topic) -> ParsedTopic:
        """The topic with its trees."""


_COMPILED: set[str] = set()
"""Parts that this process has been through: from then on their kernels are there."""


def _work(unit: Unit) -> Any:
    """A part of a topic. What a limit cut short while its kernels were being compiled gets a second try."""
    compiled = unit.part in _COMPILED
    result = STAGES[unit.part](unit)
    if not compiled and cut_short(result):
        result = STAGES[unit.part](unit)
    _COMPILED.add(unit.part)
    return result


def _name(unit: Unit, topic_digest: str, parses: Parses | None) -> str:
    """What the result is stored as: part, settings, topic, and what else the part looks at."""
    asked = unit.settings.key(DEPEND_ON[unit.part])
    seen = [json.loads(summary_json(one)) for one in unit.summaries] if unit.part in LOOK_AT_SUMMARIES else []
    trees = parses.key if parses is not None and unit.part == "compress" else ""
    words = [unit.background.documents, sorted(unit.background.values.items())]
    return digest("report", unit.part, asked, topic_digest, seen, trees, words)


def _unit(
    part: str,
    topic: Topic,
    summaries: Sequence[Summary],
    settings: Settings,
    results: Mapping[str, Any],
    background: Background,
) -> Unit:
    needed = BUILDS_ON.get(part, "")
    known = {needed: results[needed]} if needed in results else {}
    words = within(background, topic) if part == "mead" else TOPIC
    return Unit(part, topic, tuple(summaries), settings, background=words, known=known)


def _with_parses(unit: Unit, parses: Parses | None) -> Unit:
    """The trees are fetched as the work is handed out, so that only those under way are held."""
    if unit.part != "compress" or parses is None:
        return unit
    return replace(unit, parsed=parses.parsed(unit.topic))


def _unwatched(items: Iterable[Any], _: str, __: int) -> Iterable[Any]:
    return items


def study(
    topics: Sequence[tuple[Topic, Sequence[Summary]]],
    settings: Settings,
    engine: Engine,
    store: Store | None = None,
    watch: Watch = _unwatched,
    parses: Parses | None = None,
    background: Background = TOPIC,
) -> Study:
    """Compute every part of every topic, a part at a time over all topics.

    What is in the store is taken from there; what is finished goes there at once, so that stopping loses
    no more than the parts under way.
    """
    given = Study(settings)
    results: list[dict[str, Any]] = [{} for _ in topics]
    digests = [digest(topic_json(topic)) for topic, _ in topics]
    for part in settings.parts:
        if part not in STAGES:
            continue
        units = [
            _unit(part, topic, some, settings, known, background)
            for (topic, some), known in zip(topics, results, strict=True)
        ]
        names = [_name(unit, name, parses) for unit, name in zip(units, digests, strict=True)]
        kept = [None if store is None else store.get(name) for name in names]
        missing = [place for place, result in enumerate(kept) if result is None]
        for place, result in enumerate(kept):
            if result is not None:
                results[place][part] = result["result"]
        done = engine.run(
            _work,
            (_with_parses(units[place], parses) for place in missing),
            None if store is None else _Kept(store, {units[at].topic.id: names[at] for at in missing}),
        )
        for place, one in zip(missing, watch(done, part, len(missing)), strict=True):
            _take(given, one, results[place])
    given.topics = [
        TopicStudy(topic, tuple(some), found) for (topic, some), found in zip(topics, results, strict=True)
    ]
    return given


def _take(given: Study, one: Done[Unit, Any], results: dict[str, Any]) -> None:
    if one.error is not None:
        what = str(one.error) if isinstance(one.error, ToplineError) else repr(one.error)
        given.failures.append(Failure(one.unit.topic.id, one.unit.part, what))
        return
    results[one.unit.part] = one.result
    given.computed += 1


class _Kept:
    """The engine's memory: a result is put away when it is finished, though an earlier one is under way."""

    def __init__(self, store: Store, names: Mapping[str, str]) -> None:
        self._store, self._names = store, names

    def get(self, unit: Unit, path: tuple[int, ...]) -> None:
        """Nothing: what is known is not handed to the engine."""

    def put(self, unit: Unit, path: tuple[int, ...], result: Any) -> None:  # noqa: ARG002 - the engine's
        """Keep a result if it is final."""
        if _sound(unit, result):
            self._store.put(self._names[unit.topic.id], {"result": result})


def _sound(unit: Unit, result: Any) -> bool:
    """Whether a result can be kept: what a time limit cut short may come out better next time."""
    needed = BUILDS_ON.get(unit.part)
    if needed is not None and (needed not in unit.known or cut_short(unit.known[needed])):
        return False
    return not cut_short(result)


def cut_short(result: Any) -> bool:
    """Whether a result says that a limit was reached before its proof was complete."""
    return isinstance(result, Mapping) and result.get("proved") is False


def records(found: Study) -> Iterator[dict[str, Any]]:
    """The study as flat records, a topic a line, for `results.jsonl`."""
    for one in found.topics:
        yield {"id": one.topic.id, "signature": found.settings.signature, **one.results}
