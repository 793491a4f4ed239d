"""CIDR on a long stream: documents a second, beside a scan over all clusters on its beginning; memory.

The stream is made of real paragraphs (`squality`, `scitldr`) dealt out anew: a document is a few
paragraphs of one source, so that documents of a source belong together. The whole command is measured from
file to file, in a process of its own; its memory also where nothing belongs together.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.common import ROOT, record, shared
from topline.corpus.read import read
from topline.systems.background import Census
from topline.systems.mead.cidr import Cidr, CidrOptions

sys.path.insert(0, str(ROOT))
from tests.twins.plain_cidr import PlainCidr

DOCUMENTS, SCANNED = 100_000, 2_000
SENTENCES = 12
STRANGERS, ACTIVE = (100_000, 200_000, 400_000), 10_000


def stream(number: int) -> list[str]:
    """So many documents of a dozen sentences, each of one source."""
    chance = random.Random(1998)
    sources: list[list[str]] = []
    for name in ("scitldr.jsonl", "squality.jsonl", "opinosis.jsonl"):
        for topic in read(shared(name)):
            texts = topic.texts()
            sources += [texts[k : k + 60] for k in range(0, len(texts), 60)]
    return [
        " ".join(chance.choices(sources[chance.randrange(len(sources))], k=SENTENCES)) for _ in range(number)
    ]


def strangers(number: int) -> Iterator[str]:
    """So many short documents that hardly share a word with any other."""
    chance = random.Random(7)
    words = ["".join(chance.choices("abcdefghijklmnop", k=8)) for _ in range(50_000)]
    for _ in range(number):
        yield " ".join(chance.choices(words, k=12))


def run(texts: Iterable[str], *options: str) -> dict[str, Any]:
    """The command on a file with these documents: what it takes in all."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stream.jsonl"
        with path.open("w") as stream:
            for number, text in enumerate(texts):
                day = f"1998-{1 + number // 28 % 12:02d}-{1 + number % 28:02d}"
                stream.write(json.dumps({"id": f"doc{number}", "date": day, "text": text}) + "\n")
        program = "from topline.cli.main import main; main()"
        command = [sys.executable, "-c", program, "cluster", str(path), "--out", f"{folder}/out.jsonl"]
        start = perf_counter()
        process = subprocess.Popen([*command, *options], stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        assert status == 0, "the command failed"
        seconds = perf_counter() - start
    return {
        "documents": number + 1, "seconds": seconds,
        "processor seconds": usage.ru_utime + usage.ru_stime,
        "documents a second": round((number + 1) / seconds), "peak MB": usage.ru_maxrss // 1024,
    }  # fmt: skip


def rows() -> list[dict[str, object]]:
    texts = stream(DOCUMENTS)
    run(texts[:100])
    found: list[dict[str, object]] = [{"what": "topline cluster, file to file", **run(texts)}]
    for number in STRANGERS:
        apart = ("--variant", "mead3", "--threshold", "0.5", "--active", str(ACTIVE))
        found.append({"what": f"the same on strangers, {' '.join(apart)}", **run(strangers(number), *apart)})
    census = Census()
    start = perf_counter()
    for k in range(0, DOCUMENTS, 40):
        census.add_all([[text] for text in texts[k : k + 40]])
    counting = perf_counter() - start
    background = census.background()
    Cidr(background.idf).add("Compile the kernels first, they are kept on disk.")
    found.append(
        {"what": "counting words for IDF", "documents": DOCUMENTS, "seconds": counting,
         "documents a second": round(DOCUMENTS / counting)}
    )  # fmt: skip
    for variant in ("paper", "mead3"):
        for threshold in (0.1, 0.3):
            one = Cidr(background.idf, CidrOptions(variant, threshold))
            start = perf_counter()
            for text in texts:
                one.add(text)
            seconds = perf_counter() - start
            found.append(
                {"what": f"index, {variant}, threshold {threshold}", "documents": DOCUMENTS,
                 "clusters": one.opened, "seconds": seconds,
                 "documents a second": round(DOCUMENTS / seconds)}
            )  # fmt: skip
    beginning = texts[:SCANNED]
    options = CidrOptions("mead3", 0.3)
    fast = Cidr(background.idf, options)
    start = perf_counter()
    by_index = [fast.add(text) for text in beginning]
    indexed = perf_counter() - start
    values = background.values
    plain = PlainCidr(lambda word: values.get(word, background.unknown), "mead3", 0.3)
    start = perf_counter()
    by_scan = [plain.add(text) for text in beginning]
    scanned = perf_counter() - start
    assert by_index == by_scan, "the index must find what the scan finds"
    found.append(
        {"what": "plain scan, mead3, threshold 0.3", "documents": SCANNED, "clusters": plain.opened,
         "seconds": scanned, "documents a second": round(SCANNED / scanned),
         "index is faster by": round(scanned / indexed, 1)}
    )  # fmt: skip
    return found


if __name__ == "__main__":
    assert Path(ROOT / "tests").is_dir()
    record("cidr", rows())
