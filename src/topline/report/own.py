"""Summaries by our own systems, made once and kept with the rest of a study."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from topline.corpus.jsonl import summary_json, topic_json
from topline.corpus.records import Summary, Topic
from topline.errors import OptionError
from topline.run.store import Store, digest
from topline.systems.background import TOPIC, Background
from topline.systems.prepared import prepare
from topline.systems.registry import create, parse
from topline.systems.summarize import Summarizer, signature
from topline.systems.words import Words
from topline.text.budget import Budget


@dataclass(slots=True)
class Own:
    """Our systems, ready for topic after topic."""

    ready: Sequence[Summarizer]
    store: Store
    signatures: Sequence[str]
    """What their summaries depend on beside the topic."""

    @classmethod
    def of(cls, names: Sequence[str], budget: str, background: Background, store: Store) -> Own:
        """The systems of these names (`NAME:key=value,…`), each of them once."""
        ready = [
            Summarizer(create(*parse(name)), Budget.parse(budget), background=background, label=name)
            for name in dict.fromkeys(names)
        ]
        rarity = digest(background.documents, sorted(background.values.items()))
        return cls(ready, store, [f"{one.label}|{signature(one)}|{rarity}" for one in ready])

    def beside(self, topic: Topic, others: Sequence[Summary]) -> list[Summary]:
        """The summaries that others wrote, and ours."""
        for one in others:
            if any(one.system == ours.label for ours in self.ready):
                raise OptionError(
                    f"{one.system!r} is a system of the summaries and one to run",
                    hint=f"leave out --run {one.system}, or rename the other",
                )
        return [*others, *self._summaries(topic)]

    def _summaries(self, topic: Topic) -> list[Summary]:
        text = topic_json(topic) if self.ready else ""
        names = [digest("report", "summary", asked, text) for asked in self.signatures]
        kept = [self.store.get(name) for name in names]
        prepared = None
        found = []
        for ready, name, row in zip(self.ready, names, kept, strict=True):
            if row is not None:
                found.append(
                    Summary(row["id"], row["system"], tuple(row["sentences"]), tuple(row["selected"]))
                )
                continue
            prepared = prepared or ready.prepared(topic)
            found.append(ready.run(topic, prepared).summary)
            self.store.put(name, json.loads(summary_json(found[-1])))
        return found


def within(background: Background, topic: Topic) -> Background:
    """As much of a table as a topic's words need: so much goes with the topic."""
    if background is TOPIC:
        return TOPIC
    names = prepare(topic, Words(), TOPIC).names
    return replace(
        background,
        values={name: background.values[name] for name in names if name in background.values},
        counts={name: background.counts[name] for name in names if name in background.counts},
    )
