"""Every way of counting beside the definition in plain Python, on hundreds of random small documents.

And beside the scorer, which is given every single extract as a text. There words that no reference has stand
between the sentences, since a distribution counts n-grams within them.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

from tests.spread_cases import METRICS, brute_force, random_case
from tests.spread_cases import extracts as all_extracts

from bench.common import record
from topline.rouge.metric import Metric
from topline.rouge.score import Comparison, Options, Scorer
from topline.spread import extracts as kinds
from topline.spread.encode import Tables, encode
from topline.spread.exhaustive import enumerate_all
from topline.spread.frontier import Frontier
from topline.text.budget import Budget

DOCUMENTS = 60
"""For each kind of extract, metric and way to use references."""
_WALL = " zz" * 7 + " "


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


def scored(name: str, mode: str) -> dict[str, Any]:
    """The same documents, each extract scored by itself; recalls to the five digits that a score has."""
    rng = random.Random(f"{name} {mode}")
    metric = Metric.parse(name)
    scorer = Scorer(metric, Options(references=mode))
    equal = extracts = 0
    for _ in range(DOCUMENTS):
        sentences, references, _, budget = random_case(rng, most=6)
        models = {reference.id: list(reference.sentences) for reference in references}
        expected: Counter[float] = Counter()
        for extract in all_extracts(sentences, budget, "chopped"):
            text = "".join(" ".join(words) + _WALL for words in extract)
            (one,) = scorer.score([Comparison("t", "s", [text], models)])
            expected[round(one.recall, 5)] += 1
        encoding = encode(sentences, references, metric, Budget(budget, "w"), best=mode == "best")
        frames = kinds.frames(encoding.lengths.tolist(), budget, "chopped")
        found: Counter[float] = Counter()
        for hits, number in enumerate_all(encoding, frames, Tables.of(encoding, chopped=True)).items():
            found[round(hits / encoding.total + 1e-12, 5)] += number
        equal += found == expected
        extracts += expected.total()
    return {
        "extracts": "chopped, by the scorer",
        "metric": name,
        "references": mode,
        "documents": DOCUMENTS,
        "equal": equal,
        "extracts_in_all": extracts,
    }


def main() -> None:
    rows = [
        compare(kind, name, best=best) for kind in kinds.KINDS for name in METRICS for best in (False, True)
    ]
    rows += [scored(name, mode) for name in METRICS[:3] for mode in ("pooled", "best")]
    record("spread_exact", rows)
    if any(row["equal"] < row["documents"] for row in rows):
        raise SystemExit("some distributions differ from the definition")


if __name__ == "__main__":
    main()
