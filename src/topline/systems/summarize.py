"""`topline.summarize`: a system, a budget, a topic; whole or section by section."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from topline.corpus.records import Summary, Topic
from topline.errors import OptionError
from topline.systems.background import TOPIC, Background, read_background
from topline.systems.chronology import by_date, read_order
from topline.systems.fill import Room, as_rate, cut, fill, share
from topline.systems.prepared import Prepared, prepare
from topline.systems.registry import create, options_of, parse
from topline.systems.system import System
from topline.systems.words import PLAIN, Words
from topline.text.budget import Budget
from topline.text.tokens import Preprocessing


@dataclass(frozen=True)
class Run:
    """One topic's summary and what led to it."""

    summary: Summary
    prepared: tuple[Prepared, ...]
    """The topic, or its sections one by one."""
    rows: tuple[tuple[int, ...], ...]
    """For each of them the topic's numbers of its sentences."""
    chosen: tuple[int, ...]
    """The topic's sentences in the order they were chosen."""
    length: int
    """In the budget's unit, after any cut."""
    dated: bool
    """Whether documents were ordered by date; else by arrival."""


@dataclass
class Summarizer:
    """A system ready for topic after topic: words are remembered, so the next topic is faster."""

    system: System
    budget: Budget | None = None
    rate: Fraction | None = None
    """Share of the sentences, instead of a budget."""
    sections: bool = False
    """Run the system on each section of each document, with budgets in proportion to their length."""
    background: Background = TOPIC
    query: str = ""
    preprocessing: Preprocessing = PLAIN
    label: str | None = None
    """The name under which summaries are written; the system's own if None."""
    _words: Words = field(init=False)

    def __post_init__(self) -> None:
        if (self.budget is None) == (self.rate is None):
            raise OptionError(
                "give a budget or a compression rate, not both", hint="budget='100w' or rate=0.2"
            )
        self._words = Words(self.preprocessing)

    def room(self, texts: Sequence[str]) -> Room:
        """What these sentences may fill."""
        if self.rate is not None:
            return Room.rate(self.rate, texts, up=self.system.rounds_up)
        assert self.budget is not None
        return Room.of(self.budget, texts)

    def prepare(self, topic: Topic) -> Prepared:
        """The topic as systems see it."""
        return prepare(topic, self._words, self.background, self.query)

    def prepared(self, topic: Topic) -> tuple[Prepared, ...]:
        """The topic as systems see it, or its sections one by one."""
        parts = [part for part, _ in section_topics(topic)] if self.sections else [topic]
        return tuple(map(self.prepare, parts))

    def run(self, topic: Topic, prepared: tuple[Prepared, ...] | None = None) -> Run:
        """Summarise a topic and keep what led to it.

        `prepared` may come from another summarizer with the same words, IDF, query and sections: then
        nothing that systems have in common is computed again.
        """
        prepared = prepared or self.prepared(topic)
        room = self.room(topic.texts())
        all_rows, limits = [tuple(range(len(room.lengths)))], [room.limit]
        if self.sections:
            all_rows = [rows for _, rows in section_topics(topic)]
            limits = share([int(room.lengths[list(rows)].sum()) for rows in all_rows], room.limit)
        chosen: list[int] = []
        pieces: dict[int, str] = {}
        length = 0
        for part, rows, limit in zip(prepared, all_rows, limits, strict=True):
            inner = room.part(rows, limit) if self.sections else room
            picked = choose(self.system, part, inner)
            length += min(inner.used(picked), limit) if room.chop else inner.used(picked)
            pieces |= _texts(part, picked, inner, rows)
            chosen += [rows[row] for row in picked]
        order = read_order(topic.documents, chosen)
        summary = Summary(
            topic.id,
            self.label or self.system.name,
            tuple(pieces[row] for row in order),
            tuple(order),
        )
        _, dated = by_date(topic.documents)
        return Run(summary, prepared, tuple(all_rows), tuple(chosen), length, dated)

    def summaries(self, topics: Iterable[Topic]) -> Iterator[Summary]:
        """Summaries of a stream of topics."""
        for topic in topics:
            yield self.run(topic).summary


def choose(system: System, topic: Prepared, room: Room) -> list[int]:
    """What a system chooses; where it finds nothing to say (stop words alone, say), the first that fit."""
    chosen = system.choose(topic, room) if len(topic) else []
    return chosen or fill(range(len(topic)), room)


def summarize(
    topic: Topic,
    system: str | System = "mead",
    budget: Budget | str | None = None,
    *,
    rate: float | str | None = None,
    sections: bool = False,
    background: Background | str | None = None,
    query: str = "",
    preprocessing: Preprocessing = PLAIN,
    **options: Any,
) -> Summary:
    """Summarise one topic: `selected` are its sentences, documents by date.

    `system` is a name, or `NAME:key=value,…`; further keywords are the system's options. The budget
    (`100w` unless said otherwise) or compression `rate` holds for every system. `background` is a table
    of `topline idf`; without it a word's IDF comes from the topic's own sentences.
    """
    made, name = (system, system.name) if isinstance(system, System) else _made(system, options)
    if isinstance(system, System) and options:
        raise OptionError("a ready system takes no further options", hint="give its name instead")
    if isinstance(budget, str):
        budget = Budget.parse(budget)
    if budget is None and rate is None:
        budget = Budget.parse("100w")
    table = read_background(background) if isinstance(background, str) else background or TOPIC
    exact = None if rate is None else as_rate(rate)
    ready = Summarizer(made, budget, exact, sections, table, query, preprocessing, name)
    return ready.run(topic).summary


def _made(text: str, options: dict[str, Any]) -> tuple[System, str]:
    name, typed = parse(text)
    return create(name, typed | options), text if ":" in text else name


def signature(ready: Summarizer) -> str:
    """System, options, budget, words and IDF of a run, in sacrebleu's manner."""
    options = ",".join(f"{key}={value}" for key, value in options_of(ready.system).items())
    budget = f"rate:{ready.rate}" if ready.budget is None else ready.budget.signature
    parts = [f"{ready.system.name}{':' + options if options else ''}", budget, ready.preprocessing.signature]
    parts += [f"idf:{ready.background.name}"]
    return "|".join(parts + (["sections:yes"] if ready.sections else []))


def section_topics(topic: Topic) -> list[tuple[Topic, tuple[int, ...]]]:
    """Each section of each document as a topic, with the numbers of its sentences in the whole topic."""
    parts = []
    first = 0
    for document in topic.documents:
        starts = sorted({0, *(section.start for section in document.sections)})
        titles = {section.start: section.title for section in document.sections}
        ends = [*starts[1:], len(document.sentences)]
        for start, end in zip(starts, ends, strict=True):
            if start < end:
                part = replace(
                    document,
                    sentences=document.sentences[start:end],
                    title=titles.get(start) or document.title,
                    sections=(),
                )
                rows = tuple(range(first + start, first + end))
                parts.append((replace(topic, documents=(part,)), rows))
        first += len(document.sentences)
    return parts


def summary_of(
    topic: Topic, prepared: Prepared, chosen: Sequence[int], room: Room
) -> tuple[list[int], list[str]]:
    """The chosen sentences' numbers and texts as a reader meets them."""
    texts = _texts(prepared, chosen, room, range(len(prepared)))
    order = read_order(topic.documents, chosen)
    return order, [texts[row] for row in order]


def _texts(part: Prepared, picked: Sequence[int], room: Room, rows: Sequence[int]) -> dict[int, str]:
    """The text of each chosen sentence; with `chop` the last one chosen is cut where the budget ends."""
    texts = {rows[row]: part.texts[row] for row in picked}
    if room.chop and picked:
        over = room.used(picked) - room.limit
        if over > 0:
            last = picked[-1]
            texts[rows[last]] = cut(part.texts[last], int(room.lengths[last]) - over, room.unit)
    return texts
