"""Summaries to topics, by id: what is missing, what belongs to no topic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from topline.corpus.reading import Reading
from topline.corpus.records import Summary, Topic
from topline.errors import CorpusError, Where


@dataclass(frozen=True, slots=True)
class Matched:
    """A topic and the summaries of it, systems by name."""

    topic: Topic
    summaries: tuple[Summary, ...]


def match(
    topics: Iterable[Topic], summaries: Iterable[Summary], *, missing_allowed: bool = True
) -> Iterator[Matched]:
    """Each topic with its summaries, their `selected` resolved to sentences.

    Summaries are held in memory, topics stream. A summary without topic is an error, raised when the
    topics are through; so is a topic that a system left out unless `missing_allowed`.
    """
    matching = Matching(summaries)
    for topic in topics:
        missing = matching.missing(topic.id)
        if missing and not missing_allowed:
            what = f"no summary by {', '.join(missing)}"
            raise CorpusError(what, where=Where(id=topic.id), hint="a system summarises every topic")
        yield matching.take(topic)
    for error in matching.unknown():
        raise error


class Matching:
    """Summaries by topic, to be taken out as topics come."""

    def __init__(self, summaries: Iterable[Summary]) -> None:
        self._held: dict[str, dict[str, tuple[Summary, Where]]] = {}
        systems: set[str] = set()
        for summary in summaries:
            where = summaries.where if isinstance(summaries, Reading) else Where(id=summary.id)
            of_topic = self._held.setdefault(summary.id, {})
            if summary.system in of_topic:
                what = f"doubled summary by {summary.system}"
                raise CorpusError(what, where=where, hint="a system gives one summary a topic")
            of_topic[summary.system] = (summary, where)
            systems.add(summary.system)
        self.systems = sorted(systems)
        """All systems' names."""

    def missing(self, id: str) -> list[str]:
        """The systems that have no summary of this topic; to be asked before it is taken."""
        held = self._held.get(id, {})
        return [name for name in self.systems if name not in held]

    def take(self, topic: Topic) -> Matched:
        """The topic with its summaries, which are let go."""
        held = self._held.pop(topic.id, {})
        return Matched(topic, tuple(resolved(held[name][0], topic, held[name][1]) for name in sorted(held)))

    def unknown(self) -> list[CorpusError]:
        """The summaries whose topic never came, as errors."""
        return [
            CorpusError(
                f"summary without topic, by {summary.system}",
                where=replace(where, id=summary.id),
                hint="ids are compared letter for letter",
            )
            for held in self._held.values()
            for summary, where in held.values()
        ]


def resolved(summary: Summary, topic: Topic, where: Where | None = None) -> Summary:
    """The summary with the sentences it selected, if it gave their numbers only."""
    if summary.selected is None:
        return summary
    texts = topic.texts()
    beyond = max(summary.selected, default=-1)
    if beyond >= len(texts):
        raise CorpusError(
            f"selected is out of range: {beyond}, of {len(texts)} sentences",
            where=replace(where or Where(), id=topic.id),
            hint="sentences are numbered from 0, documents in corpus order",
        )
    if summary.sentences:
        return summary
    return replace(summary, sentences=tuple(texts[number] for number in summary.selected))
