"""Summarisers: documents a second beside sumy, summa and lexrank, and seconds for a 1,000-sentence topic.

Everybody gets the same documents of 30 sentences (`squality`), already split into sentences; words are
split, stemmed and counted within the measured time. sumy's own tokeniser wants data that is downloaded
first, so it gets a regular expression instead, which is quicker. summa takes one text and splits it itself.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from bench.common import fastest, record, shared
from topline.corpus.read import read
from topline.corpus.records import Document, Sentence, Topic
from topline.systems.registry import SYSTEMS, create
from topline.systems.summarize import Summarizer
from topline.text.budget import Budget

SIZE, DOCUMENTS, PEER_DOCUMENTS = 30, 200, 30
LARGE = 1000


def documents() -> list[list[str]]:
    """Documents of so many sentences, cut from stories."""
    texts = [topic.texts() for topic in read(shared("squality.jsonl"))]
    parts = [story[k : k + SIZE] for story in texts for k in range(0, len(story) - SIZE, SIZE)]
    return parts[:DOCUMENTS]


def topic_of(number: int, texts: Sequence[str]) -> Topic:
    return Topic(f"t{number}", (Document("d", tuple(map(Sentence, texts))),))


def large_topic() -> Topic:
    """A thousand sentences from several stories, as ten documents."""
    texts = [text for topic in read(shared("squality.jsonl")) for text in topic.texts()][:LARGE]
    step = LARGE // 10
    parts = (
        Document(f"d{k}", tuple(map(Sentence, texts[k * step : (k + 1) * step])), date=f"2004-01-{k + 1:02d}")
        for k in range(10)
    )
    return Topic("large", tuple(parts))


def sumy(kind: str) -> Callable[[Sequence[str]], Any]:
    from sumy.models.dom import ObjectDocumentModel, Paragraph
    from sumy.models.dom import Sentence as Line
    from sumy.nlp.stemmers import Stemmer
    from sumy.summarizers.lex_rank import LexRankSummarizer
    from sumy.summarizers.text_rank import TextRankSummarizer
    from sumy.utils import get_stop_words

    word = re.compile(r"[^\W\d_]+")

    class Words:
        @staticmethod
        def to_words(text: str) -> tuple[str, ...]:
            return tuple(word.findall(text))

    summarizer = {"lexrank": LexRankSummarizer, "textrank": TextRankSummarizer}[kind](Stemmer("english"))
    summarizer.stop_words = get_stop_words("english")

    def run(texts: Sequence[str]) -> Any:
        model = ObjectDocumentModel([Paragraph([Line(text, Words) for text in texts])])
        return summarizer(model, 3)

    return run


def summa(_: str) -> Callable[[Sequence[str]], Any]:
    from summa.summarizer import summarize

    return lambda texts: summarize(" ".join(texts), words=60)


def lexrank(_: str) -> Callable[[Sequence[str]], Any]:
    from lexrank import STOPWORDS, LexRank

    ranker = LexRank(documents()[:20], stopwords=STOPWORDS["en"])
    return lambda texts: ranker.get_summary(list(texts), summary_size=3, threshold=None)


PEERS = {
    "lexrank": {"sumy": sumy, "lexrank": lexrank},
    "textrank": {"sumy": sumy, "summa": summa},
}


def speed() -> list[dict[str, Any]]:
    texts = documents()
    topics = [topic_of(number, text) for number, text in enumerate(texts)]
    rows = []
    for name in SYSTEMS:
        ready = Summarizer(create(name), Budget.parse("3s"))
        list(ready.summaries(topics[:2]))
        seconds = fastest(lambda ready=ready: list(ready.summaries(topics)), repeat=9)
        row: dict[str, Any] = {"system": name, "documents a second": round(len(topics) / seconds)}
        for peer, make in PEERS.get(name, {}).items():
            run = make(name)
            run(texts[0])
            spent = fastest(lambda run=run: [run(text) for text in texts[:PEER_DOCUMENTS]])
            row[peer] = round(PEER_DOCUMENTS / spent, 1)
            row[f"times {peer}"] = round(row["documents a second"] / row[peer], 1)
        rows.append(row)
    return rows


def large() -> list[dict[str, Any]]:
    topic = large_topic()
    rows = []
    for name in SYSTEMS:
        ready = Summarizer(create(name), Budget.parse("250w"))
        ready.run(topic)
        rows.append(
            {"system": name, "seconds for 1,000 sentences": fastest(lambda ready=ready: ready.run(topic))}
        )
    return rows


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    by_name = {row["system"]: row for row in large()}
    record("systems", [{**row, **by_name[row["system"]]} for row in speed()])
