"""CIDR on a long stream: documents a second, beside a scan over all clusters on its beginning.

The stream is made of real paragraphs (`squality`, `scitldr`) dealt out anew: a document is a few
paragraphs of one source, so that documents of a source belong together.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from time import perf_counter

from bench.common import ROOT, record, shared
from topline.corpus.read import read
from topline.systems.background import Census
from topline.systems.mead.cidr import Cidr, CidrOptions

sys.path.insert(0, str(ROOT))
from tests.twins.plain_cidr import PlainCidr

DOCUMENTS, SCANNED = 100_000, 2_000
SENTENCES = 12


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


def rows() -> list[dict[str, object]]:
    texts = stream(DOCUMENTS)
    census = Census()
    start = perf_counter()
    for text in texts:
        census.add([text])
    counting = perf_counter() - start
    background = census.background()
    Cidr(background.idf).add("Compile the kernels first, they are kept on disk.")
    found: list[dict[str, object]] = [
        {"what": "counting words for IDF", "documents": DOCUMENTS, "seconds": counting,
         "documents a second": round(DOCUMENTS / counting)}
    ]  # fmt: skip
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
