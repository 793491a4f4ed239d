"""From Topic x Metric x Budget to integers: the coverage problems whose optima are the best extracts.

N-grams of the sources are counted within sentences, those of a reference across its sentences, as the
script does (so that totals are ROUGE's own). The script's `-u` does not count the last word's unigram
of a text: references lose it here too; the sentences of an extract keep theirs, since only the last
one chosen would lose it. The re-scored ROUGE shows the difference, one hit at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import lcm

import numpy as np

from topline.corpus.records import Reference, Topic
from topline.errors import MetricError, OptionError, Where
from topline.problem.problem import Ints, Problem
from topline.rouge.metric import Metric, Part
from topline.text.budget import Budget
from topline.text.encode import TokenTable, Vocabulary

MODES = ("pooled", "each", "best")
"""How several references count: together, one by one, or whichever is matched best."""
POOLED = "pooled"
LARGEST = 2**62
"""Values of the search and their bounds stay below this."""
_ANY_GAP = 2**30


@dataclass(frozen=True, slots=True)
class Instance:
    """A topic's problem against its pooled references or one of them, and what F1 needs beside it."""

    topic: str
    references: str
    """`pooled`, or the reference's id."""
    problem: Problem
    """Maximises recall: for a sum of metrics the sum of the recalls, over the common `denominator`."""
    denominator: int
    """What hits are divided by: ROUGE's total, or for a sum of metrics their least common multiple."""
    part_starts: Ints
    """Metric part `p` owns the n-grams `part_starts[p]:part_starts[p + 1]`."""
    scales: tuple[int, ...]
    """What the gains of each part were multiplied by to be addable."""
    totals: tuple[int, ...]
    """Each part's n-grams in the references."""
    own: Ints
    """`own[p, i]`: how many n-grams of part `p` sentence `i` has, matched or not."""
    pooled: int
    """How many references there are in this problem."""


def build(
    topic: Topic,
    metric: Metric,
    budget: Budget,
    references: str = POOLED,
    vocabulary: Vocabulary | None = None,
) -> list[Instance]:
    """The topic's problems: one if references are pooled, else one a reference, in their order.

    A `vocabulary` may be kept from topic to topic; it must have the metric's preprocessing.
    """
    if references not in MODES:
        raise OptionError(f"unknown mode {references!r} of references", hint=f"one of {', '.join(MODES)}")
    sentences = topic.texts()
    lengths = np.array([budget.length(sentence) for sentence in sentences], np.int64)
    limit = budget.limit(sentences)
    chosen = topic.references
    if not chosen:
        raise MetricError(
            "the topic has no reference", where=Where(id=topic.id), hint="a score needs a reference"
        )
    tokens = encode(sentences, chosen, metric, vocabulary)
    return [
        instance(topic.id, name, tokens, run, metric, lengths, limit)
        for name, *run in runs_of(chosen, references)
    ]


def runs_of(references: Sequence[Reference], mode: str) -> list[tuple[str, int, int]]:
    """Which references make a problem: its name, the first and the one behind the last."""
    if mode == POOLED:
        return [(POOLED, 0, len(references))]
    return [(reference.id, r, r + 1) for r, reference in enumerate(references)]


def encode(
    sentences: Sequence[str],
    references: Sequence[Reference],
    metric: Metric,
    vocabulary: Vocabulary | None = None,
) -> TokenTable:
    """Number the tokens of the sentences and, behind them, of the references (sentences joined)."""
    if vocabulary is None:
        vocabulary = Vocabulary(metric.preprocessing)
    return vocabulary.encode([*sentences, *(" ".join(reference.sentences) for reference in references)])


def instance(
    topic: str,
    name: str,
    tokens: TokenTable,
    run: Sequence[int],
    metric: Metric,
    lengths: Ints,
    limit: int,
) -> Instance:
    """The problem of all sentences against the run `first:last` of the references."""
    from topline.problem.kernels import cover

    kinds, widths = codes(metric)
    n = len(lengths)
    starts, grams, counts, gain_starts, gains, part_starts, own, totals = cover(
        tokens.ids, tokens.starts, n, n + run[0], n + run[1], kinds, widths
    )
    parts = tuple(map(int, totals))
    denominator = _common(topic, name, metric, parts)
    scales = tuple(denominator // total for total in parts)
    if len(parts) > 1:
        sizes = np.diff(gain_starts[part_starts])
        gains = gains * np.repeat(np.array(scales, np.int64), sizes)
    problem = Problem(
        lengths=lengths,
        budget=limit,
        starts=starts,
        grams=grams,
        counts=counts,
        gain_starts=gain_starts,
        gains=gains,
        total=denominator * len(parts),
        charges=np.zeros(n, np.int64),
    )
    return Instance(
        topic, name, problem, denominator, part_starts, scales, parts, own, pooled=run[1] - run[0]
    )


def _common(topic: str, name: str, metric: Metric, totals: tuple[int, ...]) -> int:
    """The common denominator of the parts' recalls."""
    for part, total in zip(metric.parts, totals, strict=True):
        if total == 0:
            whose = "the references hold" if name == POOLED else f"reference {name!r} holds"
            raise MetricError(
                f"{whose} no n-gram of {part}: the score is undefined",
                where=Where(id=topic),
                hint="mend the reference, or carry on with --skip-bad",
            )
    common = lcm(*totals)
    if common * len(totals) >= LARGEST:
        raise MetricError(
            f"the recalls of {metric} have no common denominator below 2^62",
            where=Where(id=topic),
            hint="add fewer metrics, or take the references each",
        )
    return common


@lru_cache(maxsize=64)
def codes(metric: Metric) -> tuple[Ints, Ints]:
    """The parts' kinds and widths as the kernel takes them."""
    codes = [_code(part) for part in metric.parts]
    return np.array([kind for kind, _ in codes], np.int64), np.array([width for _, width in codes], np.int64)


def _code(part: Part) -> tuple[int, int]:
    from topline.problem.kernels import GRAMS, PAIRS, PAIRS_AND_WORDS

    if not part.additive:
        raise MetricError(f"{part} does not count n-grams", hint="search takes rouge-N, rouge-S and rouge-SU")
    if part.kind == "n":
        return GRAMS, part.n
    gap = _ANY_GAP if part.gap is None else part.gap
    return (PAIRS_AND_WORDS if part.kind == "su" else PAIRS), gap
