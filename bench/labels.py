"""Training labels: exact ROUGE-1 + ROUGE-2 F1 beside the greedy of a training pipeline in plain Python.

The load has CNN/DailyMail's shape: 30 sentences of 25 words, references of three sentences that share
words with the source. Also: how far each published recipe falls below the exact labels on real text.

`python -m bench.labels`
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import tempfile
from itertools import accumulate
from pathlib import Path
from random import Random
from statistics import mean
from time import perf_counter

from bench.common import record, shared
from topline import Document, Reference, Sentence, Topic, read_corpus
from topline.errors import MetricError
from topline.run.engine import engine
from topline.run.labels import UNIT
from topline.search.label import RECIPES, Labeller

DOCUMENTS, PEER_DOCUMENTS, CORES = 10_000, 1_000, 2
CHUNK = 1000
MANY = 50_000
"""Enough that starting no longer counts."""
ARTICLES = 2_000
NEWS = 300_000
"""About as many articles as CNN/DailyMail has."""
SYLLABLES = (
    "ba",
    "co",
    "di",
    "fe",
    "gu",
    "la",
    "me",
    "no",
    "pi",
    "ra",
    "se",
    "tu",
    "va",
    "wo",
    "ly",
    "ing",
    "ed",
    "er",
)


def word(rank: int) -> str:
    """A word for each rank; frequent ones are short."""
    text = ""
    while True:
        text += SYLLABLES[rank % len(SYLLABLES)]
        rank //= len(SYLLABLES)
        if not rank:
            return text


def documents(count: int, seed: int = 7) -> list[tuple[list[str], list[str]]]:
    """Sources and references: words by Zipf's law, half of a reference's words from two source sentences."""
    random = Random(seed)
    words = [word(rank) for rank in range(30_000)]
    weights = list(accumulate(1 / (rank + 2.7) for rank in range(len(words))))
    made = []
    for _ in range(count):
        source = [random.choices(words, cum_weights=weights, k=25) for _ in range(30)]
        reference = []
        for _ in range(3):
            start = random.randrange(15)
            phrase = random.choice(source)[start : start + 6] + random.sample(random.choice(source), 4)
            reference.append(" ".join(phrase + random.choices(words, cum_weights=weights, k=8)))
        made.append(([" ".join(sentence) for sentence in source], reference))
    return made


# --- the peer: greedy selection as BertSum's preprocessing and its many descendants have it, step for step:
# sentences as lists of tokens, joined and cleaned by a regular expression, sets of n-grams, and for every
# candidate the union of the sets of its sentences and a dictionary of scores. Its tokens come at the least
# price there is (lower case, split at spaces); the pipelines themselves call a tokeniser that costs more.


def clean(text: str) -> str:
    return re.sub(r"[^a-zA-Z0-9 ]", "", text)


def ngrams(n: int, words: list[str]) -> set[tuple[str, ...]]:
    found = set()
    for i in range(len(words) - n + 1):
        found.add(tuple(words[i : i + n]))
    return found


def rouge(evaluated: set, reference: set) -> dict[str, float]:
    overlapping = len(evaluated.intersection(reference))
    precision = overlapping / len(evaluated) if evaluated else 0.0
    recall = overlapping / len(reference) if reference else 0.0
    return {"f": 2.0 * ((precision * recall) / (precision + recall + 1e-8)), "p": precision, "r": recall}


def pipeline_greedy(source: list[str], abstract: list[str], size: int = 3) -> list[int]:
    tokens = [sentence.lower().split() for sentence in source]
    wanted = [sentence.lower().split() for sentence in abstract]
    reference = clean(" ".join(word for words in wanted for word in words)).split()
    sentences = [clean(" ".join(words)).split() for words in tokens]
    unigrams = [ngrams(1, words) for words in sentences]
    reference_1 = ngrams(1, reference)
    bigrams = [ngrams(2, words) for words in sentences]
    reference_2 = ngrams(2, reference)
    selected: list[int] = []
    best = 0.0
    for _ in range(size):
        current, place = best, -1
        for i in range(len(sentences)):
            if i in selected:
                continue
            candidate = [*selected, i]
            ones = set.union(*map(set, [unigrams[k] for k in candidate]))
            twos = set.union(*map(set, [bigrams[k] for k in candidate]))
            score = rouge(ones, reference_1)["f"] + rouge(twos, reference_2)["f"]
            if score > current:
                current, place = score, i
        if place == -1:
            return sorted(selected)
        selected.append(place)
        best = current
    return sorted(selected)


def write_corpus(path: Path, size: int) -> float:
    """A corpus of this load, a thousand documents in memory at a time; seconds."""
    start = perf_counter()
    with path.open("w") as stream:
        for chunk, first in enumerate(range(0, size, CHUNK)):
            for number, (source, reference) in enumerate(documents(min(CHUNK, size - first), chunk), first):
                topic = {
                    "id": f"d{number}",
                    "documents": [{"id": "d", "sentences": source}],
                    "references": [{"id": "A", "sentences": reference}],
                }
                stream.write(json.dumps(topic) + "\n")
    return perf_counter() - start


def topics_of(given: list[tuple[list[str], list[str]]]) -> list[Topic]:
    return [
        Topic(
            f"d{number}",
            (Document("d", tuple(Sentence(text) for text in source)),),
            (Reference("A", tuple(reference)),),
        )
        for number, (source, reference) in enumerate(given)
    ]


def ours(topics: list[Topic], objective: str) -> float:
    """Seconds for all of them on the cores, from sentences to labels."""
    units = [topics[start : start + UNIT] for start in range(0, len(topics), UNIT)]
    work = Labeller(objective=objective).of_many
    hands = engine(CORES)
    try:
        list(hands.run(work, units[:4]))
        start = perf_counter()
        labels = [label for done in hands.run(work, units) for label in done.result]
        seconds = perf_counter() - start
    finally:
        hands.close()
    assert all(label.proved for label in labels)
    return seconds


def peer(given: list[tuple[list[str], list[str]]]) -> float:
    start = perf_counter()
    for source, reference in given:
        pipeline_greedy(source, reference)
    return perf_counter() - start


def in_memory(given: list[tuple[list[str], list[str]]]) -> list[dict]:
    topics = topics_of(given)
    rows = []
    for objective in ("f1", "recall"):
        mine, other = [], []
        for _ in range(4):  # in turns, so that both see the same machine
            mine.append(len(topics) / ours(topics, objective))
            other.append(PEER_DOCUMENTS / peer(given[:PEER_DOCUMENTS]))
        rows.append(row(f"exact {objective}, in memory, {CORES} threads", max(mine), max(other)))
    return rows


def row(what: str, mine: float, other: float, **more) -> dict:
    return {
        "what": what, "documents/s": round(mine), "peer documents/s": round(other),
        "ratio": round(mine / other, 1),
        f"hours for {NEWS:,}": round(NEWS / mine / 3600, 3),
        "peer's hours": round(NEWS / other / 3600, 2), **more,
    }  # fmt: skip


def peer_of_files(path: Path, out: Path, most: int) -> float:
    start = perf_counter()
    with path.open() as lines, out.open("w") as stream:
        for _, line in zip(range(most), lines, strict=False):
            topic = json.loads(line)
            source = topic["documents"][0]["sentences"]
            chosen = pipeline_greedy(source, topic["references"][0]["sentences"])
            stream.write(json.dumps({"id": topic["id"], "selected": chosen}) + "\n")
    return perf_counter() - start


def from_file_to_file(size: int) -> dict:
    """The verb, its start included, and its memory."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "corpus.jsonl", Path(folder) / "labels.jsonl"
        write_corpus(path, size)
        mine, other = [], []
        for _ in range(3):
            start = perf_counter()
            command = [sys.executable, "-c", "from topline.cli.main import main; main()", "label"]
            subprocess.run(
                [*command, path, "--out", out, "--jobs", str(CORES)], check=True, capture_output=True
            )
            mine.append(size / (perf_counter() - start))
            other.append(PEER_DOCUMENTS / peer_of_files(path, Path(folder) / "peer.jsonl", PEER_DOCUMENTS))
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    what = f"topline label, file to file, {size:,} documents"
    return row(what, max(mine), max(other), **{"peak MB": round(memory)})


def from_articles(given: list[tuple[list[str], list[str]]]) -> dict:
    """CNN/DailyMail's own form: Parquet with articles as text, which have to be split into sentences."""
    import polars

    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "corpus.parquet", Path(folder) / "labels.parquet"
        articles = [" ".join(f"{text.capitalize()}." for text in source) for source, _ in given]
        highlights = ["\n".join(f"{text.capitalize()}." for text in reference) for _, reference in given]
        ids = [f"d{number}" for number in range(len(given))]
        table = polars.DataFrame({"article": articles, "highlights": highlights, "id": ids})
        table.write_parquet(path)
        start = perf_counter()
        command = [sys.executable, "-c", "from topline.cli.main import main; main()", "label"]
        subprocess.run([*command, path, "--out", out, "--jobs", str(CORES)], check=True, capture_output=True)
        rate = len(given) / (perf_counter() - start)
    return {
        "what": "topline label, Parquet, articles to split", "documents/s": round(rate),
        f"hours for {NEWS:,}": round(NEWS / rate / 3600, 3),
    }  # fmt: skip


def recipes(name: str, budget: str, most: int | None) -> list[dict]:
    """Mean scores of the recipes' labels by the exact labels' own measure."""
    from topline import Budget

    topics = list(read_corpus(shared(f"{name}.jsonl")))[:most]
    scores: dict[str, list[float]] = {recipe: [] for recipe in RECIPES}
    seconds = dict.fromkeys(RECIPES, 0.0)
    proved = 0
    sizes: dict[str, list[int]] = {recipe: [] for recipe in RECIPES}
    labellers = {recipe: Labeller(recipe, budget=Budget.parse(budget)) for recipe in RECIPES}
    for topic in topics:
        one = Topic(topic.id, topic.documents, topic.references[:1])
        try:
            labels = {}
            for recipe, labeller in labellers.items():
                start = perf_counter()
                labels[recipe] = labeller.of(one)
                seconds[recipe] += perf_counter() - start
        except MetricError:
            continue
        proved += labels["exact"].proved
        for recipe, label in labels.items():
            scores[recipe].append(label.score)
            sizes[recipe].append(len(label.selected))
    best = mean(scores["exact"])
    pairs = {recipe: list(zip(scores[recipe], scores["exact"], strict=True)) for recipe in RECIPES}
    return [
        {
            "corpus": name, "budget of exact": budget, "recipe": recipe, "documents": len(scores[recipe]),
            "mean R-1 + R-2 F1": round(mean(scores[recipe]), 4),
            "of exact": f"{mean(scores[recipe]) / best:.1%}",
            "as good": f"{mean(mine >= exact - 1e-12 for mine, exact in pairs[recipe]):.1%}",
            "exact proved": proved, "sentences": round(mean(sizes[recipe]), 2),
            "ms a document": round(1e3 * seconds[recipe] / len(scores[recipe]), 2),
        }
        for recipe in RECIPES
    ]  # fmt: skip


def main() -> None:
    given = documents(DOCUMENTS)
    record(
        "labels",
        [
            *in_memory(given),
            *(from_file_to_file(size) for size in (DOCUMENTS, MANY)),
            from_articles(given[:ARTICLES]),
        ],
        load="30 sentences x 25 words, 3-sentence references",
    )
    quality = [row for case in (("scitldr", "3s", None), ("squality", "3s", None)) for row in recipes(*case)]
    record("labels_recipes", quality)


if __name__ == "__main__":
    main()
