"""Hits and totals of many pairs of texts at once: the meaning above the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topline.errors import MetricError
from topline.rouge.metric import Part
from topline.rouge.plain import gram_hits, lcs_hits
from topline.text.compiled import plainly
from topline.text.encode import TokenTable, Vocabulary

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Text = str | Sequence[str]
"""A text: a string (a sentence a line) or its sentences."""
_MOST = 2**31 - 2
"""N-grams compared at once: more would take tens of gigabytes, and kernels number them in 32 bits."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Tokenised texts: text `t` has the sentences `firsts[t]:firsts[t + 1]` of `tokens`."""

    tokens: TokenTable
    firsts: Ints
    words: int
    """The size of the vocabulary: every token is below it."""

    def __len__(self) -> int:
        return len(self.firsts) - 1

    @property
    def bounds(self) -> Ints:
        """Where each text begins and ends among the tokens, its sentences joined."""
        return self.tokens.starts[self.firsts]

    @property
    def lengths(self) -> Ints:
        """Tokens a text."""
        return np.diff(self.bounds)


def sentences_of(text: Text) -> Sequence[str]:
    """The sentences of a text: the lines of a string, as in ROUGE's SPL files."""
    return text.split("\n") if isinstance(text, str) else text


def tokenized(texts: Sequence[Text], vocabulary: Vocabulary) -> Texts:
    """Tokenise texts, whose sentences are counted apart."""
    pieces: list[str] = []
    firsts = [0]
    for text in texts:
        if isinstance(text, str):
            pieces.append(text)
            firsts.append(firsts[-1] + text.count("\n") + 1)
        else:
            pieces.extend(text)
            firsts.append(firsts[-1] + len(text))
    tokens = vocabulary.encode_lines(pieces)
    if len(tokens) != firsts[-1]:
        # no text at all, or a line break within a sentence of a list: that does not end it
        tokens = vocabulary.encode([sentence for text in texts for sentence in sentences_of(text)])
    return Texts(tokens, np.array(firsts, np.int64), len(vocabulary))


@dataclass(frozen=True, slots=True)
class Counts:
    """What a pair's score is made of; whole numbers but for ROUGE-W."""

    hits: Floats
    models: Floats
    """The most that could be hit: n-grams of the model (weighted for ROUGE-W)."""
    peers: Floats
    """N-grams of the peer (weighted for ROUGE-W)."""
    once: Floats | None = None
    """ROUGE-W's model totals weighted once, not twice: `-f B` chooses by these."""

    def part(self, first: int, last: int) -> Counts:
        """The counts of some of the pairs."""
        once = None if self.once is None else self.once[first:last]
        return Counts(self.hits[first:last], self.models[first:last], self.peers[first:last], once)


def count(part: Part, texts: Texts, peers: Ints, models: Ints, joined: Texts | None = None) -> Counts:
    """Compare text `peers[p]` with text `models[p]` for every pair `p`.

    `joined` gives the texts as ROUGE-L reads them for its unigrams, where a length limit makes these
    differ from the sentences whose LCS is taken.
    """
    if part.additive:
        return _count_grams(part, texts, peers, models)
    return _count_lcs(part, texts, peers, models, joined or texts)


def gram_totals(part: Part, lengths: Ints) -> Ints:
    """N-grams of texts of these lengths; ROUGE-SU leaves the last unigram out, as the script does."""
    if part.kind == "n":
        return np.maximum(lengths - part.n + 1, 0)
    steps = np.maximum(lengths - 1, 0)
    reach = steps if part.gap is None else np.minimum(steps, part.gap + 1)
    pairs = reach * steps - reach * (reach - 1) // 2
    totals: Ints = pairs + (steps if part.kind == "su" else 0)
    return totals


def check_number(part: Part, *numbers: Ints) -> None:
    """Refuse more n-grams than can be counted, before any memory is taken for them."""
    if max(int(number.max(initial=0)) for number in numbers) > _MOST:
        raise MetricError(
            f"these texts have too many n-grams for {part}", hint="limit the words between, e.g. rouge-su4"
        )


def _count_grams(part: Part, texts: Texts, peers: Ints, models: Ints) -> Counts:
    lengths = texts.lengths
    totals = gram_totals(part, lengths)
    check_number(part, totals)
    hits = plain_gram_hits(part, texts, peers, models, totals)
    if hits is None:
        hits = _gram_hits(part, texts, peers, models, totals)
    return Counts(hits.astype(float), totals[models].astype(float), totals[peers].astype(float))


def _gram_hits(part: Part, texts: Texts, peers: Ints, models: Ints, totals: Ints) -> Ints:
    from topline.rouge import kernels

    longest = int(texts.lengths.max(initial=0))
    most = int(totals[peers].max(initial=0)) * max(1, part.n - 1)
    room = max(longest, int(totals[models].max(initial=0)))
    hits = np.zeros(len(peers), np.int64)
    kernels.gram_hits(
        texts.tokens.ids, texts.bounds, peers, models, part.n or 2, gap_of(part, longest), part.kind == "su",
        texts.words, max(most, longest * max(1, part.n - 1)), room, hits,
    )  # fmt: skip
    return hits


def gap_of(part: Part, longest: int) -> int:
    """Words between those of a skip-bigram, bounded by the longest text; -1 for n-grams."""
    if part.kind == "n":
        return -1
    return longest if part.gap is None else part.gap


def plain_gram_hits(part: Part, texts: Texts, peers: Ints, models: Ints, totals: Ints) -> Ints | None:
    """Hits in plain Python, if the kernels are not worth loading."""
    # an n-gram of either text is a step: it is counted once, and compared in each pair
    if not plainly.may(float(totals[peers].sum() + totals[models].sum()) + len(peers) + len(texts)):
        return None
    gap = gap_of(part, int(texts.lengths.max(initial=0)))
    return gram_hits(texts.tokens.ids, texts.bounds, peers, models, part.n or 2, gap, part.kind == "su")


def _count_lcs(part: Part, texts: Texts, peers: Ints, models: Ints, joined: Texts) -> Counts:
    weighted = part.kind == "w"
    sizes = np.diff(texts.tokens.starts)
    weight = float(part.weight)
    powers = _powers(np.arange(int(sizes.max(initial=0)) + 2, dtype=float), weight)
    hits = np.zeros(len(peers))
    runs = texts.tokens.ids, texts.tokens.starts, texts.firsts, joined.tokens.ids, joined.bounds
    if plainly.may(_lcs_steps(texts, peers, models, weighted)):
        hits = lcs_hits(*runs, peers, models, powers if weighted else None)
    else:
        from topline.rouge import kernels

        kernels.lcs_hits(*runs, peers, models, powers, weighted, max(texts.words, joined.words), hits)
    said = joined.lengths.astype(float)
    if not weighted:
        return Counts(hits, texts.lengths[models].astype(float), said[peers])
    bases = _weighted_bases(sizes, texts.firsts, powers)
    return Counts(hits, _powers(bases, weight)[models], _powers(said, weight)[peers], bases[models])


def _lcs_steps(texts: Texts, peers: Ints, models: Ints, weighted: bool) -> float:
    """Steps in plain Python: ROUGE-W fills tables, ROUGE-L takes a row as a number, and the way back."""
    lengths = texts.lengths
    others = lengths[peers] if weighted else 3 * np.diff(texts.firsts)[peers]
    return float((lengths[models] * others).sum()) + len(texts)


def _powers(values: Floats, weight: float) -> Floats:
    """Powers one by one: numpy's vectorised power differs in the last digit from C's, the script's."""
    try:
        return np.array([value**weight for value in values.tolist()])
    except OverflowError as error:
        raise MetricError("ROUGE-W's weight is too large for these texts", hint="e.g. 1.2") from error


def _weighted_bases(sizes: Ints, firsts: Ints, powers: Floats) -> Floats:
    """The sum of the sentences' weighted lengths, a text at a time, added in order."""
    bases = np.zeros(len(firsts) - 1)
    for text in range(len(bases)):
        for size in sizes[firsts[text] : firsts[text + 1]]:
            bases[text] += powers[size]
    return bases
