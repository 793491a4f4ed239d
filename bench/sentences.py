"""Which sentence splitter: syntok against pysbd, by borders found and by speed.

Gold borders come from the English Web Treebank (sentences within its documents) and from the sentences of
abstracts, joined by spaces again; cases of newswire (initials, decimals, quotations) are written out below.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from time import perf_counter

from bench.common import record, shared
from topline.corpus.conllu import read_sentences
from topline.text.sentences import Splitter

Split = Callable[[str], list[tuple[int, int]]]

NEWSWIRE = """
Mr. Low of Lowell & Co. paid $3.50 a share.|He left at 5 p.m. on Friday.|Nobody saw him go.
The U.S. delegation met Gov. Ann Harte in St. Paul.|It was late.
"We have nothing to say," the minister said.|"Ask me tomorrow."|Then she hung up.
The index rose 2.5 percent to 3,071.12.|Analysts had expected 1.9 percent.
"Is it over?" he asked.|"I doubt it!"|The crowd went home.
Dr. J. R. Ames, who works at Univ. of Dover, disagreed.|"No. 5 failed," he said.
``We were lucky,'' said Capt. Orla Voss.|``Nobody was hurt.''|The ship had left on Jan. 4.
He waited ... and waited.|Nothing came.
They came from Washington, D.C.|The others came from L.A. by bus.
The company (formerly Harbor Inc.) was sold.|Its shares fell 12 cents to $9.25.|Trading stopped.
Prices fell to $4.10.|They recovered within a week.
"I will not resign ..." he began.|He did not finish.
The vote was 51-49.|Sen. Pell voted no.|Rep. Ortiz abstained.
The fire began at 11 a.m.|Firefighters arrived at noon.
What now?|No one knew.
The storm, at 40.5 N, moved west.|It weakened on Sept. 12.
NEW YORK (AP) _ The bank said Tuesday it would close.|Customers were told by mail.
"Stop!" cried Mrs. Hall.|The boy ran on.
It cost 3.5 million dollars.|Who paid?|The city did.
The court, in Smith v. Jones, ruled for the state.|An appeal is likely.
"""


def newswire() -> Iterator[tuple[str, list[int]]]:
    """The cases above as texts with the places where a sentence ends."""
    for line in NEWSWIRE.strip().splitlines():
        yield joined(line.split("|"))


def treebank() -> Iterator[tuple[str, list[int]]]:
    texts: list[str] = []
    for sentence in read_sentences(shared("ewt-test.conllu")):
        if sentence.new_document is not None and texts:
            yield joined(texts)
            texts = []
        texts.append(sentence.text)
    yield joined(texts)


def abstracts() -> Iterator[tuple[str, list[int]]]:
    with shared("scitldr.jsonl").open() as stream:
        for line in stream:
            yield joined(
                [text.strip() for text in json.loads(line)["documents"][0]["sentences"] if text.strip()]
            )


def stories() -> list[str]:
    with shared("squality.jsonl").open() as stream:
        return [document["text"] for line in stream for document in json.loads(line)["documents"]]


def joined(sentences: list[str]) -> tuple[str, list[int]]:
    """Sentences behind one another, and where each but the last ends."""
    ends, length = [], -1
    for sentence in sentences:
        length += len(sentence) + 1
        ends.append(length)
    return " ".join(sentences), ends[:-1]


def syntok_splitter() -> Split:
    from syntok.segmenter import analyze

    def split(text: str) -> list[tuple[int, int]]:
        sentences = [list(tokens) for paragraph in analyze(text) for tokens in paragraph]
        return [(tokens[0].offset, tokens[-1].offset + len(tokens[-1].value)) for tokens in sentences]

    return split


def pysbd_splitter() -> Split:
    import pysbd

    segmenter = pysbd.Segmenter(language="en", clean=False, char_span=True)

    def split(text: str) -> list[tuple[int, int]]:
        spans = [(span.start, span.end) for span in segmenter.segment(text)]
        return [(start, start + len(text[start:end].rstrip())) for start, end in spans]

    return split


def borders(split: Split, texts: list[tuple[str, list[int]]]) -> dict[str, float]:
    right = found = gold = 0
    for text, ends in texts:
        guess = {end for _, end in split(text)} - {len(text.rstrip())}
        right += len(guess & set(ends))
        found, gold = found + len(guess), gold + len(ends)
    precision, recall = right / max(found, 1), right / max(gold, 1)
    return {"borders": gold, "precision": precision, "recall": recall, "f1": 2 * right / max(found + gold, 1)}


def speed(split: Split, texts: list[str]) -> float:
    start = perf_counter()
    for text in texts:
        split(text)
    return sum(map(len, texts)) / (perf_counter() - start)


def lost(split: Split, texts: list[str]) -> int:
    """Characters that are in no sentence, though they are not white space."""
    return sum(
        sum(not c.isspace() for c in text) - sum(not c.isspace() for s, e in split(text) for c in text[s:e])
        for text in texts
    )


def main() -> None:
    splitters: dict[str, Split] = {
        "ours on syntok": lambda text: [(span.start, span.end) for span in Splitter().spans(text)],
        "syntok": syntok_splitter(),
        "pysbd": pysbd_splitter(),
    }
    sources = {
        "newswire cases": list(newswire()),
        "treebank": list(treebank()),
        "abstracts": list(abstracts()),
    }
    rows = []
    for name, split in splitters.items():
        split("Warm up.")
        for source, texts in sources.items():
            rows.append({"splitter": name, "text": source, **borders(split, texts)})
        rate = speed(split, stories())
        rows.append(
            {
                "splitter": name,
                "text": "stories",
                "characters a second": round(rate),
                "lost": lost(split, stories()[:5]),
            }
        )
        for source, unit in {"no full stop": "word ", "a numbered list": "1. "}.items():
            growth = speed(split, [unit * (6_000 // len(unit))]) / speed(
                split, [unit * (12_000 // len(unit))]
            )
            rows.append({"splitter": name, "text": f"{source}, twice as long", "slower a character": growth})
    record("sentences", rows)


if __name__ == "__main__":
    main()
