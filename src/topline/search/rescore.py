"""ROUGE of one extract as a text, counted plainly: compiled counting would take longer to compile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from topline.rouge.counts import gram_totals, tokenized
from topline.rouge.metric import Metric, Part
from topline.rouge.score import Comparison, Options, Scorer
from topline.text.encode import Vocabulary

PLAIN = 200_000
"""Up to so many n-grams are counted plainly."""
Gram = tuple[int, ...]


def rescored(
    metric: Metric,
    vocabulary: Vocabulary,
    extract: Sequence[str],
    references: Sequence[Sequence[str]],
    objective: str,
) -> float:
    """The sum of the parts' recalls (or F1) against all references, n-grams across sentences counted.

    >>> rescored(Metric.parse("rouge-2"), Vocabulary(), ["A cat", "sat."], [["A cat sat there."]], "recall")
    0.6666666666666666
    """
    texts = tokenized([extract, *references], vocabulary)
    if sum(int(gram_totals(part, texts.lengths).sum()) for part in metric.parts) > PLAIN:
        whole = Comparison("", "", extract, {str(r): text for r, text in enumerate(references)})
        scores = Scorer(metric, Options()).score([whole])
        return sum(one.f1 if objective == "f1" else one.recall for one in scores)
    ids = texts.tokens.ids.tolist()
    own, *models = [ids[start:end] for start, end in zip(texts.bounds[:-1], texts.bounds[1:], strict=True)]
    score = 0.0
    for part in metric.parts:
        mine = Counter(_grams(part, own))
        theirs = [Counter(_grams(part, model)) for model in models]
        hits = sum((mine & model).total() for model in theirs)
        total = sum(model.total() for model in theirs)
        if objective == "f1":
            hits, total = 2 * hits, total + len(models) * mine.total()
        score += hits / total if total else 0.0
    return score


def _grams(part: Part, tokens: list[int]) -> Iterator[Gram]:
    """A text's n-grams; of skip-bigrams' unigrams all but the last, as the script counts."""
    if part.kind == "n":
        yield from zip(*(tokens[i:] for i in range(part.n)), strict=False)
        return
    if part.kind == "su":
        yield from ((token,) for token in tokens[:-1])
    if part.gap is None:
        yield from combinations(tokens, 2)
        return
    for i, token in enumerate(tokens):
        yield from ((token, other) for other in tokens[i + 1 : i + part.gap + 2])
