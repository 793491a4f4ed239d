"""A topic's side of the page: its sentences with the numbers of their words, and what was found on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from topline.report.levels import oracle_score, person_score
from topline.report.page import TopicView
from topline.report.ranks import percentile_of, place_of
from topline.report.settings import Settings
from topline.report.stages import texts
from topline.report.study import TopicStudy
from topline.text.encode import Vocabulary

STOP = -1
"""Stands for a stop word among the numbers of a sentence's words."""


class _Words:
    """Numbers for the words that occur in a reference; 0 for all others, so that the data stays small."""

    def __init__(self, settings: Settings, references: Iterable[Sequence[str]]) -> None:
        self._vocabulary = Vocabulary(settings.metric.preprocessing)
        self._known = {int(n) for text in references for n in self._vocabulary.encode(text).ids}
        self._numbers: dict[str, int] = {}

    def of(self, sentences: Sequence[str]) -> list[list[int]]:
        """The numbers of each sentence's words, in order, stop words included."""
        numbers = self._numbers
        found = []
        for sentence in sentences:
            tokens = self._raw(sentence)
            for token in tokens:
                if token not in numbers:
                    numbers[token] = self._number(token)
            found.append([numbers[token] for token in tokens])
        return found

    def _raw(self, sentence: str) -> list[str]:
        from topline.text.tokens import TOKENIZERS

        return TOKENIZERS[self._vocabulary.preprocessing.tokenizer](sentence)

    def _number(self, token: str) -> int:
        number = self._vocabulary.number(token)
        if number < 0:
            return STOP
        return number + 1 if number in self._known else 0


def _documents(study: TopicStudy) -> list[dict[str, Any]]:
    rows = []
    first = 0
    for document in study.topic.documents:
        rows.append({"id": document.id, "title": document.title, "date": document.date, "first": first})
        first += len(document.sentences)
    return rows


def _optima(study: TopicStudy) -> dict[str, Any]:
    found = study.results.get("oracle") or {}
    membership = found.get("membership", {})
    count = sum(len(document.sentences) for document in study.topic.documents)
    return {
        "list": found.get("list", []),
        "count": found.get("count", "0"),
        "membership": [round(membership.get(str(number), 0.0), 4) for number in range(count)],
    }


_COUNTED_ALIKE = ("best extract", "best trimmed summary", "greedy", "lead")
"""Summaries whose hits are those of one text against all references, as an extract's are."""


def _scale(study: TopicStudy) -> list[dict[str, Any]]:
    """Every summary's score on this topic, best first, and its place among all extracts."""
    results = study.results
    baselines = results.get("baselines") or {}
    named: dict[str, float | None] = {
        "best extract": oracle_score(study),
        "best trimmed summary": (results.get("compress") or {}).get("score"),
        "people": person_score(study),
        "greedy": baselines.get("greedy"),
        "lead": baselines.get("lead"),
        "random (mean)": baselines.get("random"),
        **((results.get("rouge") or {}).get("scale") or {}),
    }
    ranks = results.get("rank") or {}
    rows = []
    for name, score in named.items():
        if score is None:
            continue
        rank = ranks.get(name)
        if rank is None and name in _COUNTED_ALIKE:
            rank = place_of(results.get("spread"), score)
        rows.append(
            {
                "name": name,
                "score": score,
                "percentile": None if rank is None else percentile_of(rank),
                "better": None if rank is None else rank["better"],
            }
        )
    return sorted(rows, key=lambda row: -row["score"])


def _trimmed(study: TopicStudy, words: _Words) -> dict[str, Any] | None:
    found = study.results.get("compress")
    if not found:
        return None
    sentences = [{**one, "tokens": words.of([one["text"]])[0]} for one in found["sentences"]]
    return {"score": found["score"], "signature": found["signature"], "sentences": sentences}


def _tables(study: TopicStudy) -> list[dict[str, Any]]:
    found = study.results.get("mead")
    if not found or not found["rows"]:
        return []
    columns = list(found["rows"][0])
    rows = [[_rounded(row[name]) for name in columns] for row in found["rows"]]
    return [
        {"title": "MEAD's score table", "columns": columns, "rows": rows, "signature": found["signature"]}
    ]


def _rounded(value: Any) -> Any:
    """A number as it is shown: four digits behind the point."""
    return round(value, 4) if isinstance(value, float) else value


_UNITS = {1: "words", 2: "bigrams", 3: "trigrams"}


def _size(settings: Settings) -> int:
    """The n-grams that are marked in the references: the metric's own; words, where it takes pairs."""
    first = settings.metric.parts[0]
    return first.n if first.kind == "n" else 1


def view(study: TopicStudy, settings: Settings, place: int, figure: str, caption: str) -> TopicView:
    """The data of one topic, as `page.js` reads it."""
    topic = study.topic
    sentences = topic.texts()
    words = _Words(settings, (reference.sentences for reference in topic.references))
    size = _size(settings)
    systems = texts(topic, study.summaries)
    for own in systems.values():
        if own["selected"] is None:
            own["tokens"] = words.of(own["sentences"])
        else:
            del own["sentences"]
    data = {
        "place": place,
        "id": topic.id,
        "title": topic.title,
        "metric": str(settings.metric),
        "tokenizer": settings.metric.preprocessing.tokenizer,
        "n": size,
        "unit": _UNITS.get(size, f"{size}-grams"),
        "signature": settings.signature,
        "extracts": settings.extracts,
        "documents": _documents(study),
        "sentences": sentences,
        "tokens": words.of(sentences),
        "references": [
            {"id": one.id, "sentences": list(one.sentences), "tokens": words.of(one.sentences)}
            for one in topic.references
        ],
        "systems": systems,
        "optima": _optima(study),
        "compressive": _trimmed(study, words),
        "scale": _scale(study),
        "ranked": "rank" in study.results,
        "spread": caption,
        "tables": _tables(study),
    }
    return TopicView(place, topic.id, topic.title, data, figure)
