"""The measures that relative utility is held against (section 4.1): one ideal summary, chosen or not.

The ideal holds the sentences that more than half of the judges choose. Percent agreement is the share of
sentences treated alike; precision and recall count the chosen ones only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Match:
    """An extract held against an ideal one; None where a denominator is 0."""

    precision: Fraction | None
    recall: Fraction | None
    f1: Fraction | None
    agreement: Fraction
    """Percent agreement, as a share."""


def majority(extracts: Sequence[Iterable[int]]) -> tuple[int, ...]:
    """The sentences that more than half of the judges chose."""
    votes = Counter(i for extract in extracts for i in set(extract))
    return tuple(sorted(i for i, count in votes.items() if 2 * count > len(extracts)))


def judges_agreement(extracts: Sequence[Iterable[int]], sentences: int) -> Fraction:
    """How often a judge sides with the majority, over all judges and sentences."""
    votes = Counter(i for extract in extracts for i in set(extract))
    n = len(extracts)
    alike = sum(max(count, n - count) for count in votes.values()) + n * (sentences - len(votes))
    return Fraction(alike, n * sentences)


def match(extract: Iterable[int], ideal: Iterable[int], sentences: int) -> Match:
    """Precision, recall, F1 and percent agreement of an extract."""
    chosen, wanted = set(extract), set(ideal)
    both = len(chosen & wanted)
    precision = Fraction(both, len(chosen)) if chosen else None
    recall = Fraction(both, len(wanted)) if wanted else None
    f1 = Fraction(2 * both, len(chosen) + len(wanted)) if chosen and wanted else None
    return Match(precision, recall, f1, 1 - Fraction(len(chosen ^ wanted), sentences))
