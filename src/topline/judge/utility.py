"""Relative utility (Radev et al. 2004, section 4.2): J, R, S and D, in exact fractions.

Judge j gives sentence i the utility `u_ij`. With the subsumption parameter E, a sentence that is redundant
beside another one in the extract keeps only the share E of its utility:

    f_j(X) = sum_{i in X} u_ij * (E if X holds a sentence that dominates i, else 1)

The mean of `f_j` over all extracts of k of n sentences has a closed form, since expectation is linear: i is
in the extract with probability k / n, and in it without any of its `d_i` dominators with probability
`C(n - 1 - d_i, k - 1) / C(n, k)`.

The paper's worked example rounds every step to three digits (J .841, D .927 and .963, where exact
arithmetic gives .840, .933 and .973): `digits=3` does as it does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb, floor

import numpy as np

from topline.errors import MetricError, OptionError, Where
from topline.judge.judged import Ints, Judged, Link
from topline.judge.subsumption import bits, closure, dominators

VARIANTS = ("paper", "mead3")
Extract = tuple[int, ...]


def extract_size(sentences: int, rate: Fraction, variant: str = "paper") -> int:
    """How many sentences a compression rate takes.

    `paper`: to the nearest, halves up (its examples take 2 of 12 at 20% and 3 of 25 at 10%);
    `mead3`: rounded up, as the program does. At least one sentence, at most all.
    """
    if not 0 < rate <= 1:
        raise OptionError(f"a compression rate of {float(rate):g} makes no sense", hint="above 0, at most 1")
    exact = rate * sentences
    size = ceil(exact) if variant == "mead3" else floor(exact + Fraction(1, 2))
    return min(max(size, 1), sentences)


@dataclass(frozen=True, slots=True)
class Agreement:
    """What the judges reach at one extract size."""

    size: int
    matrix: tuple[tuple[Fraction, ...], ...]
    """Table 7: how much of judge j's utility the extract of judge i reaches."""
    overall: tuple[Fraction, ...]
    """`J_i`: the mean of judge i over all others; empty if there is one judge."""
    J: Fraction | None
    """Interjudge agreement; None with fewer than two judges."""
    R: Fraction
    """Random performance: the mean over all extracts of that size."""


@dataclass(frozen=True, slots=True)
class Performance:
    """What a system's extract reaches."""

    S: Fraction
    D: Fraction | None
    """`(S - R) / (J - R)`; None where J <= R or J is undefined."""
    why: str | None
    """Why D is undefined."""


def normalised(S: Fraction, J: Fraction | None, R: Fraction) -> Performance:
    """D, where it is defined: the judges must agree better than chance."""
    if J is None:
        return Performance(S, None, "one judge: J is undefined")
    if J <= R:
        return Performance(S, None, "J <= R")
    return Performance(S, (S - R) / (J - R), None)


class Panel:
    """The judges of one topic with the subsumption links and the credit E that hold for all of them."""

    def __init__(
        self,
        judged: Judged,
        links: Iterable[Link] = (),
        credit: Fraction = Fraction(1),
        digits: int | None = None,
    ) -> None:
        if not judged.judges:
            raise OptionError(f"{judged.id}: no judge gave utilities")
        if not 0 <= credit <= 1:
            raise OptionError(f"E = {float(credit):g} makes no sense", hint="from 0 (no credit) to 1 (full)")
        self.judged = judged
        self.credit = credit
        self.digits = digits
        self.n = judged.sentences
        above = closure(self.n, links) if credit < 1 else [0] * self.n
        self.dominators = [dominators(above, row) for row in judged.utilities]

    def utility(self, judge: int, extract: Iterable[int]) -> int:
        """`f_j` of an extract, in units of millionths over E's denominator."""
        row, over = self.judged.utilities[judge], self.dominators[judge]
        chosen = set(extract)
        mask = sum(1 << i for i in chosen)
        p, q = self.credit.as_integer_ratio()
        return sum(int(row[i]) * (p if over[i] & mask else q) for i in chosen)

    def ideal(self, judge: int, size: int) -> Extract:
        """The judge's own extract: the highest utilities, the earlier sentence on a tie.

        With subsumption the sentence that adds most is taken next (the paper leaves its heuristic open).
        """
        row = self.judged.utilities[judge]
        if not any(self.dominators[judge]):
            return tuple(sorted(int(i) for i in np.argsort(-row, kind="stable")[:size]))
        return _greedy(row, self.dominators[judge], self.credit, size)

    def agreement(self, size: int) -> Agreement:
        """J and R for extracts of `size` sentences."""
        judges = range(len(self.judged.judges))
        own = [self.ideal(judge, size) for judge in judges]
        best = [self._best(judge, own[judge]) for judge in judges]
        matrix = tuple(
            tuple(self._digits(Fraction(self.utility(j, own[i]), best[j])) for j in judges) for i in judges
        )
        R = self._mean([self._random(judge, size) / best[judge] for judge in judges])
        if len(own) < 2:
            return Agreement(size, matrix, (), None, R)
        overall = tuple(self._mean([matrix[i][j] for j in judges if j != i]) for i in judges)
        return Agreement(size, matrix, overall, self._mean(overall), R)

    def performance(self, extract: Sequence[int], agreement: Agreement | None = None) -> Performance:
        """S and D of a system's extract, each judge's best taken at the extract's own size."""
        chosen = sorted(set(extract))
        if not chosen or chosen[0] < 0 or chosen[-1] >= self.n:
            raise OptionError(f"{self.judged.id}: the extract {chosen[:5]} is not among {self.n} sentences")
        level = agreement if agreement and agreement.size == len(chosen) else self.agreement(len(chosen))
        reached = [
            self._digits(
                Fraction(self.utility(judge, chosen), self._best(judge, self.ideal(judge, len(chosen))))
            )
            for judge in range(len(self.judged.judges))
        ]
        return normalised(self._mean(reached), level.J, level.R)

    def _best(self, judge: int, own: Extract) -> int:
        """The utility of the judge's own extract, which all others are measured by."""
        best = self.utility(judge, own)
        if not best:
            raise MetricError(
                f"judge {self.judged.judges[judge]}'s own extract of {len(own)} sentences is worth nothing",
                where=Where(id=self.judged.id),
                hint="every sentence in it is redundant: a larger E or a smaller extract",
            )
        return best

    def _mean(self, values: Sequence[Fraction]) -> Fraction:
        return self._digits(mean(values))

    def _digits(self, value: Fraction) -> Fraction:
        """The value, or the nearest with so many digits, halves up."""
        if self.digits is None:
            return value
        unit = 10**self.digits
        return Fraction(floor(value * unit + Fraction(1, 2)), unit)

    def _random(self, judge: int, size: int) -> Fraction:
        """The mean of `f_j` over all extracts of that size."""
        row = self.judged.utilities[judge]
        weight: Counter[int] = Counter()
        for i, over in enumerate(self.dominators[judge]):
            weight[over.bit_count()] += int(row[i])
        p, q = self.credit.as_integer_ratio()
        held = comb(self.n - 1, size - 1)
        total = sum(u * (p * held + (q - p) * _without(self.n, size, d)) for d, u in weight.items())
        return Fraction(total, comb(self.n, size))


def _without(n: int, size: int, dominating: int) -> int:
    """How many extracts hold a given sentence and none of its dominators."""
    return comb(n - 1 - dominating, size - 1)


def mean(values: Sequence[Fraction]) -> Fraction:
    """The exact mean."""
    return sum(values, Fraction(0)) / len(values)


def _greedy(row: Ints, over: Sequence[int], credit: Fraction, size: int) -> Extract:
    """Take the sentence that adds most, again and again; a later one may cost an earlier its credit."""
    p, q = credit.as_integer_ratio()
    under: list[list[int]] = [[] for _ in over]
    for i, mask in enumerate(over):
        for b in bits(mask):
            under[b].append(i)
    gain = row * q
    mask, taken = 0, []
    for _ in range(size):
        best = int(np.argmax(gain))
        stale = set(under[best]) | set(bits(over[best]))
        for member in under[best]:
            if mask >> member & 1:
                stale |= set(bits(over[member]))
        mask |= 1 << best
        taken.append(best)
        gain[best] = np.iinfo(np.int64).min
        for c in stale:
            if not mask >> c & 1:
                lost = sum(int(row[m]) for m in under[c] if mask >> m & 1 and not over[m] & mask)
                gain[c] = int(row[c]) * (p if over[c] & mask else q) - lost * (q - p)
    return tuple(sorted(taken))
