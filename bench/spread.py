"""Extracts a second, on one core and two, beside rouge-score and ROUGE-1.5.5.pl on the same extracts.

The peers score a sample of the extracts and are extrapolated. Then fifty documents as long as a newswire
year's, of real text and of drawn words, and what the first run after an installation costs, kernels compiled.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from tests.perl_script import install
from tests.spread_cases import random_document

from bench.common import fastest, record, shared
from topline.corpus.read import read
from topline.corpus.records import Document, Reference, Sentence, Topic
from topline.rouge.metric import Metric
from topline.spread import extracts as kinds
from topline.spread.document import Measuring
from topline.spread.encode import Tables, encode
from topline.spread.exhaustive import enumerate_all
from topline.spread.settings import Settings
from topline.text.budget import Budget

METRICS = ("rouge-1", "rouge-2", "rouge-su4")
SIZES = ((32, 130), (46, 85), (60, 72))
"""Sentences of 20 words or so, and the budget."""
SAMPLE = 100
ROUNDS = 3


def drawn(topic: Topic, budget: int, number: int) -> list[str]:
    """Texts of random extracts: sentences in random order, cut at the budget."""
    rng = random.Random(0)
    texts = topic.texts()
    found = []
    for _ in range(number):
        rng.shuffle(texts)
        found.append(" ".join(" ".join(texts).split()[:budget]))
    return found


def rouge_score(topic: Topic, name: str, texts: list[str]) -> float | None:
    """Extracts a second of the usual Python scorer; it has no skip-bigrams."""
    if name == "rouge-su4":
        return None
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer([name.replace("-", "")], use_stemmer=True)
    reference = topic.references[0].sentences[0]
    seconds = fastest(lambda: [scorer.score(reference, text) for text in texts], 1)
    return len(texts) / seconds


def perl(topic: Topic, name: str, texts: list[str]) -> float:
    """Extracts a second of the script, its start left out."""
    flags = {
        "rouge-1": ["-n", "1"],
        "rouge-2": ["-n", "2"],
        "rouge-su4": ["-n", "1", "-2", "4", "-u"],
    }[name]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        script = install(folder / "script")
        (folder / "model").write_text(topic.references[0].sentences[0] + "\n")
        for number, text in enumerate(texts):
            (folder / f"peer{number}").write_text(text + "\n")

        def seconds(many: int) -> float:
            peers = "".join(f'<P ID="{n}">peer{n}</P>' for n in range(many))
            config = folder / "config.xml"
            config.write_text(
                f'<ROUGE-EVAL><EVAL ID="1"><PEER-ROOT>{folder}</PEER-ROOT><MODEL-ROOT>{folder}</MODEL-ROOT>'
                f'<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT><PEERS>{peers}</PEERS>'
                '<MODELS><M ID="A">model</M></MODELS></EVAL></ROUGE-EVAL>\n'
            )
            start = perf_counter()
            code, _, error = script.run(
                ["-e", str(script.data), *flags, "-m", "-x", "-r", "1", "-a", str(config)], folder
            )
            if code:
                raise SystemExit(error.decode())
            return perf_counter() - start

        few = len(texts) // 10
        return (len(texts) - few) / max(1e-9, seconds(len(texts)) - seconds(few))


Peers = dict[tuple[str, int], tuple[float, float | None]]


def speed(sentences: int, budget: int, name: str, references: int, peers: Peers) -> dict[str, Any]:
    topic = random_document(1, sentences, mean=20, length=110, references=references, vocabulary=3000)
    encoding = encode(topic.texts(), topic.references, Metric.parse(name), Budget(budget, "w"))
    frames = kinds.frames(encoding.lengths.tolist(), budget, "chopped")
    tables = Tables.of(encoding, chopped=True)
    number = kinds.count(encoding.lengths.tolist(), frames)
    counts = enumerate_all(encoding, frames, tables)
    if sum(counts.values()) != number:
        raise SystemExit("the histogram does not hold every extract")
    one = fastest(lambda: enumerate_all(encoding, frames, tables), ROUNDS)
    two = fastest(lambda: enumerate_all(encoding, frames, tables, jobs=2), ROUNDS)
    script, peer = peers.get((name, references), (None, None))
    return {
        "sentences": sentences,
        "words": budget,
        "metric": name,
        "references": references,
        "extracts": number,
        "a_second": round(number / one),
        "two_cores": round(number / two),
        "gain": round(one / two, 2),
        "rouge_score": peer and round(peer),
        "perl": script and round(script),
        "times_perl": script and round(number / one / script),
    }


def peers_of(name: str) -> tuple[float, float | None]:
    """Extracts a second of the script and of rouge-score, one reference."""
    topic = random_document(1, 45, mean=20, length=110, vocabulary=3000)
    texts = drawn(topic, 100, SAMPLE)
    return perl(topic, name, texts), rouge_score(topic, name, texts)


def made() -> list[Topic]:
    """Fifty documents of 20 to 40 sentences whose words are drawn by chance."""
    rng = random.Random(4)
    return [
        random_document(seed, rng.randint(20, 40), mean=21, length=100, vocabulary=3000) for seed in range(50)
    ]


def real() -> list[Topic]:
    """Fifty of real text: abstracts that follow one another, their first references joined to 100 words."""
    rng = random.Random(4)
    abstracts = iter(read(shared("scitldr.jsonl")))
    topics = []
    for number in range(50):
        sentences: list[str] = []
        words: list[str] = []
        size = rng.randint(20, 40)
        while len(sentences) < size:
            abstract = next(abstracts)
            sentences += abstract.texts()
            words += " ".join(abstract.references[0].sentences).split()
        reference = Reference("A", (" ".join(words[:100]),))
        document = Document("a", tuple(map(Sentence, sentences[:size])))
        topics.append(Topic(f"n{number}", (document,), (reference,)))
    return topics


def newswire() -> list[dict[str, Any]]:
    """Fifty documents as long as a newswire year's at 100 words, by the method that the verb chooses."""
    rows = []
    for text, topics in (("real", real()), ("drawn", made())):
        for name in METRICS:
            for method in ("auto", "enumerate"):
                settings = Settings(jobs=2, method=method)
                measuring = Measuring(Metric.parse(name), Budget.parse("100w"), settings)
                measuring.of(topics[0])
                start = perf_counter()
                spreads = [measuring.of(topic)[0] for topic in topics]
                rows.append(
                    {
                        "text": text,
                        "documents": len(topics),
                        "metric": name,
                        "method": method,
                        "extracts": sum(one.distribution.extracts for one in spreads),
                        "largest": max(one.distribution.extracts for one in spreads),
                        "exact": sum(one.distribution.exact for one in spreads),
                        "seconds": round(perf_counter() - start, 2),
                    }
                )
    return rows


def first_runs() -> list[dict[str, Any]]:
    """Seconds of the verb with an empty cache of kernels, and again; and the memory it took, in MB."""
    rows = []
    start = "from topline.cli.main import main; main()"
    for options in (
        ["--metric", "rouge-1"],
        ["--metric", "rouge-su4", "--references", "best"],
        ["--metric", "rouge-2", "--extracts", "maximal"],
        ["--metric", "rouge-1", "--budget", "140w", "--time-limit", "1", "--draws", "100000"],
    ):
        with tempfile.TemporaryDirectory() as cache:
            seconds = []
            for _ in range(3):
                began = perf_counter()
                subprocess.run(
                    [sys.executable, "-c", start, "spread", "sample:newswire", *options],
                    env={**os.environ, "NUMBA_CACHE_DIR": cache}, capture_output=True, check=False,
                )  # fmt: skip
                seconds.append(perf_counter() - began)
        rows.append(
            {
                "options": " ".join(options),
                "first_run": round(seconds[0], 2),
                "from_the_cache": round(min(seconds[1:]), 2),
            }
        )
    return rows


def main() -> None:
    peers = {(name, 1): peers_of(name) for name in METRICS}
    rows = [
        speed(sentences, budget, name, references, peers)
        for sentences, budget in SIZES
        for references in (1, 4)
        for name in METRICS
    ]
    record("spread", rows)
    record("spread_newswire", newswire(), memory=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
    record("spread_first_run", first_runs())


if __name__ == "__main__":
    main()
