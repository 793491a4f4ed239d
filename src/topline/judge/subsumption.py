"""Cross-sentence informational subsumption (CSIS): which sentences say again what another one says.

`(a, b)` reads "the information of a is contained in b". Containment is transitive, so links are closed;
sentences that subsume each other are one equivalence class (section 2.3 of Radev et al. 2004).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from topline.judge.judged import Ints, Judged, Link
from topline.text.tokens import Preprocessing

PLAIN_WORDS = Preprocessing("unicode", stem=False)
"""Words as section 3.6 counts them: stop words too, no stems; of any language."""


def word_overlap(one: Sequence[str], other: Sequence[str]) -> int:
    """Words in common: one that occurs m and n times counts min(m, n)."""
    return (Counter(one) & Counter(other)).total()


def redundancy(one: str, other: str) -> Fraction:
    """`R_s = 2 overlap / (words of one + words of other)`; 1 for equal sentences, 0 for nothing shared."""
    a, b = PLAIN_WORDS.tokens(one), PLAIN_WORDS.tokens(other)
    return Fraction(2 * word_overlap(a, b), len(a) + len(b)) if a or b else Fraction(0)


def links_by_overlap(sentences: Sequence[str], threshold: Fraction) -> frozenset[Link]:
    """Links computed from the text: a is contained in b if b holds `threshold` of a's words."""
    words = [Counter(PLAIN_WORDS.tokens(sentence)) for sentence in sentences]
    holders: dict[str, list[int]] = {}
    for b, bag in enumerate(words):
        for word in bag:
            holders.setdefault(word, []).append(b)
    links: set[Link] = set()
    for a, bag in enumerate(words):
        shared: Counter[int] = Counter()
        for word, count in bag.items():
            for b in holders[word]:
                shared[b] += min(count, words[b][word])
        need = threshold * bag.total()
        links.update((a, b) for b, both in shared.items() if b != a and both >= need)
    return frozenset(links)


def agreed_links(judged: Judged, least: int | None = None) -> frozenset[Link]:
    """Links that at least `least` judges gave; by default more than half of those who were asked."""
    need = len(judged.links) // 2 + 1 if least is None else least
    votes = Counter(link for _, links in judged.links for link in links)
    return frozenset(link for link, count in votes.items() if count >= need)


def closure(sentences: int, links: Iterable[Link]) -> list[int]:
    """For each sentence the set (as bits) of all sentences that contain it, directly or through others."""
    direct: dict[int, list[int]] = {}
    for a, b in links:
        direct.setdefault(a, []).append(b)
    above = [0] * sentences
    for a, containers in direct.items():
        seen, waiting = 0, list(containers)
        while waiting:
            b = waiting.pop()
            if not seen >> b & 1:
                seen |= 1 << b
                waiting.extend(direct.get(b, ()))
        above[a] = seen & ~(1 << a)
    return above


def equivalence_classes(sentences: int, links: Iterable[Link]) -> list[tuple[int, ...]]:
    """Classes of two or more sentences that subsume each other, in the order of their first members."""
    above = closure(sentences, links)
    classes, placed = [], 0
    for a in range(sentences):
        if placed >> a & 1 or not above[a]:
            continue
        members = (a, *(b for b in bits(above[a]) if above[b] >> a & 1))
        if len(members) > 1:
            classes.append(tuple(sorted(members)))
            placed |= sum(1 << b for b in members)
    return classes


def bits(mask: int) -> list[int]:
    """The numbers in a set of bits, rising."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def dominators(above: Sequence[int], utilities: Ints) -> list[int]:
    """For each sentence the sentences beside which it is redundant, in one judge's eyes.

    Beside a sentence that contains more, always; within an equivalence class the one of highest utility
    (the earlier on a tie) keeps its credit, since the information is there once.
    """
    result = list(above)
    for a, mask in enumerate(above):
        for b in bits(mask):
            equal = above[b] >> a & 1
            if equal and (-int(utilities[a]), a) < (-int(utilities[b]), b):
                result[a] &= ~(1 << b)
    return result


@dataclass(frozen=True, slots=True)
class Consensus:
    """What the judges of subsumption say of one sentence (a row of the paper's Table 8)."""

    id: str
    sentence: str
    subsumed_by: tuple[tuple[str, tuple[str, ...]], ...]
    """Each judge with the sentences named; empty for "none"."""
    plus: int | None
    """Judges who agree on the most frequent subsumption, where that is the consensus."""
    minus: int | None
    """Judges who say the sentence is not subsumed, where that is the consensus."""


def consensus(judged: Judged) -> list[Consensus]:
    """Table 8 for a topic. Subsumption is the consensus only if more judges back one than back none."""
    rows = []
    named: list[dict[int, list[int]]] = []
    for _, links in judged.links:
        of: dict[int, list[int]] = {}
        for a, b in sorted(links):
            of.setdefault(a, []).append(b)
        named.append(of)
    for a in range(judged.sentences):
        votes = Counter(b for of in named for b in of.get(a, ()))
        none = sum(a not in of for of in named)
        best = max(votes.values(), default=0)
        by = tuple(
            (judge, tuple(judged.label(b) for b in of.get(a, ())))
            for (judge, _), of in zip(judged.links, named, strict=True)
        )
        plus, minus = (best, None) if best > none else (None, none)
        rows.append(Consensus(judged.id, judged.label(a), by, plus, minus))
    return rows


def agreement_counts(judged: Judged) -> list[tuple[int, int, int]]:
    """Table 9 for a topic: (judges agreeing, sentences with consensus +, sentences with consensus -)."""
    rows = consensus(judged)
    plus, minus = Counter(row.plus for row in rows), Counter(row.minus for row in rows)
    return [(judges, plus[judges], minus[judges]) for judges in range(len(judged.links), 0, -1)]
