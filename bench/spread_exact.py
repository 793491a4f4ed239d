"""Every way of counting beside the definition in plain Python, on hundreds of random small documents."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

from tests.spread_cases import METRICS, brute_force, random_case

from bench.common import record
from topline.rouge.metric import Metric
from topline.spread import extracts as kinds
from topline.spread.encode import Tables, encode
from topline.spread.exhaustive import enumerate_all
from topline.spread.frontier import Frontier
from topline.text.budget import Budget

DOCUMENTS = 60
"""For each kind of extract, metric and way to use references."""


def compare(kind: str, name: str, *, best: bool) -> dict[str, Any]:
    rng = random.Random(f"{kind} {name} {best}")
    metric = Metric.parse(name)
    equal = extracts = 0
    for _ in range(DOCUMENTS):
        sentences, references, _, budget = random_case(rng)
        expected = brute_force(sentences, references, metric, budget, kind, best=best)
        encoding = encode(sentences, references, metric, Budget(budget, "w"), best=best)
        frames = kinds.frames(encoding.lengths.tolist(), budget, kind)
        counts = enumerate_all(encoding, frames, Tables.of(encoding, chopped=frames[0].chopped))
        found = Counter({Fraction(hits, encoding.total): number for hits, number in counts.items()})
        same = found == expected
        if not best:
            counted: Counter[Fraction] = Counter()
            for frame in frames:
                for index, number in (Frontier.of(encoding, frame, 2**40).count(2**40) or {}).items():
                    counted[Fraction(int(encoding.values[0][index]), encoding.total)] += number
            same = same and counted == expected
        equal += same
        extracts += expected.total()
    return {
        "extracts": kind,
        "metric": name,
        "references": "best" if best else "pooled",
        "documents": DOCUMENTS,
        "equal": equal,
        "extracts_in_all": extracts,
    }


def main() -> None:
    rows = [
        compare(kind, name, best=best) for kind in kinds.KINDS for name in METRICS for best in (False, True)
    ]
    record("spread_exact", rows)
    if any(row["equal"] < row["documents"] for row in rows):
        raise SystemExit("some distributions differ from the definition")


if __name__ == "__main__":
    main()
