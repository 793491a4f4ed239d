"""Relative utility of a whole judged corpus as flat rows, topic by topic and averaged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from topline.corpus.records import Topic
from topline.errors import OptionError
from topline.judge.agreement import Match, judges_agreement, majority, match
from topline.judge.extracts import Chosen
from topline.judge.judged import Judged
from topline.judge.subsumption import (
    agreed_links,
    agreement_counts,
    consensus,
    equivalence_classes,
    links_by_overlap,
)
from topline.judge.utility import VARIANTS, Agreement, Panel, extract_size, mean, normalised

Row = dict[str, Any]
RATES = tuple(Fraction(percent, 100) for percent in range(10, 100, 10))
"""The nine compression rates of Tables 10-12."""
SOURCES = ("judged", "overlap", "none")


@dataclass(frozen=True, slots=True)
class Settings:
    """How subsumption counts and how rates become sizes."""

    credit: Fraction = Fraction(1)
    """The paper's E: what a subsumed sentence keeps of its utility."""
    source: str = "judged"
    """Where links come from: the judges, computed by word overlap, or none."""
    threshold: Fraction = Fraction(7, 10)
    """With `overlap`: the share of a sentence's words that another must hold."""
    agree: int | None = None
    """With `judged`: how many judges must give a link; by default more than half."""
    variant: str = "paper"
    digits: int | None = None
    """Round every step to so many digits, as the paper's worked example does."""

    def __post_init__(self) -> None:
        if self.source not in SOURCES or self.variant not in VARIANTS:
            raise OptionError(f"{self.source!r} or {self.variant!r} is unknown")
        if not 0 <= self.credit <= 1 or not 0 < self.threshold <= 1:
            raise OptionError("E lies between 0 and 1, the threshold above 0 and up to 1")

    @property
    def signature(self) -> str:
        """Everything the figures depend on beside the judgments."""
        links = {
            "overlap": f"overlap:{float(self.threshold):g}",
            "judged": f"judged:{self.agree or 'majority'}",
        }
        links["none"] = "none"
        return (
            f"relative-utility|E:{float(self.credit):g}|links:{links[self.source]}"
            f"|variant:{self.variant}|digits:{'exact' if self.digits is None else self.digits}"
        )

    def panel(self, judged: Judged, topic: Topic | None = None) -> Panel:
        """The judges of a topic under these settings."""
        links = agreed_links(judged, self.agree) if self.source == "judged" else frozenset()
        if self.source == "overlap" and self.credit < 1:
            if topic is None:
                raise OptionError(f"{judged.id}: links by overlap need the texts", hint="give the corpus")
            links = links_by_overlap(topic.texts(), self.threshold)
        return Panel(judged, links, self.credit, self.digits)


@dataclass(slots=True)
class Study:
    """The panels of a judged corpus; J and R of each size are computed once."""

    panels: Mapping[str, Panel]
    settings: Settings
    _levels: dict[tuple[str, int], Agreement] = field(default_factory=dict)

    def size(self, id: str, rate: Fraction) -> int:
        """How many sentences a rate takes of a topic."""
        return extract_size(self.panels[id].n, rate, self.settings.variant)

    def level(self, id: str, size: int) -> Agreement:
        """J and R of a topic."""
        if (id, size) not in self._levels:
            self._levels[id, size] = self.panels[id].agreement(size)
        return self._levels[id, size]

    def levels(self, rates: Sequence[Fraction]) -> Iterator[Row]:
        """J and R by topic and rate, then averaged over topics: the curve of Fig. 8."""
        for rate in rates:
            taken = [self.level(id, self.size(id, rate)) for id in self.panels]
            for (id, panel), level in zip(self.panels.items(), taken, strict=True):
                yield {
                    "id": id, "rate": float(rate), "size": level.size, "sentences": panel.n,
                    "judges": len(panel.judged.judges), "J": _float(level.J), "R": float(level.R),
                }  # fmt: skip
            if len(taken) > 1:
                J, R, _ = _averages(taken, [])
                yield {"rate": float(rate), "topics": len(taken), "J": _float(J), "R": float(R)}

    def matrix(self, rates: Sequence[Fraction]) -> Iterator[Row]:
        """Table 7: a row a judge, a column a judge, and the mean over the others."""
        for rate in rates:
            for id, panel in self.panels.items():
                level = self.level(id, self.size(id, rate))
                for i, judge in enumerate(panel.judged.judges):
                    cells = zip(panel.judged.judges, level.matrix[i], strict=True)
                    yield {
                        "id": id, "rate": float(rate), "judge": judge,
                        **{f"of {other}": float(value) for other, value in cells},
                        "overall": float(level.overall[i]) if level.overall else None,
                    }  # fmt: skip

    def systems(self, extracts: Iterable[Chosen]) -> Iterator[Row]:
        """S and D of every extract, then each system's averages at each rate."""
        groups: dict[tuple[str, Fraction | None], list[tuple[Agreement, Fraction, Fraction | None]]] = {}
        for one in extracts:
            level = self.level(one.id, len(one.sentences))
            reached = self.panels[one.id].performance(one.sentences, level)
            groups.setdefault((one.system, one.rate), []).append((level, reached.S, reached.D))
            yield {
                "id": one.id, "system": one.system, "rate": _float(one.rate), "size": level.size,
                "J": _float(level.J), "R": float(level.R), "S": float(reached.S), "D": _float(reached.D),
                "why": reached.why,
            }  # fmt: skip
        for (system, rate), group in groups.items():
            J, R, S = _averages([level for level, _, _ in group], [S for _, S, _ in group])
            overall = normalised(S, J, R)
            defined = [D for _, _, D in group if D is not None]
            yield {
                "system": system, "rate": _float(rate), "topics": len(group),
                "J": _float(J), "R": float(R), "S": float(S), "D": _float(overall.D), "why": overall.why,
                "D_mean": float(mean(defined)) if defined else None, "D_topics": len(defined),
            }  # fmt: skip

    def against_ideal(self, extracts: Iterable[Chosen]) -> Iterator[Row]:
        """Section 4.1's measures of every extract against the majority's ideal of the same size."""
        for one in extracts:
            panel = self.panels[one.id]
            ideal = majority(self._own(one.id, len(one.sentences)))
            yield {
                "id": one.id, "system": one.system, "rate": _float(one.rate), "size": len(one.sentences),
                "ideal": list(ideal), **_match_row(match(one.sentences, ideal, panel.n)),
            }  # fmt: skip

    def judges_against_ideal(self, rates: Sequence[Fraction]) -> Iterator[Row]:
        """Section 4.1's measures of the judges themselves: each against the majority, and all together."""
        for rate in rates:
            for id, panel in self.panels.items():
                own = self._own(id, self.size(id, rate))
                ideal = majority(own)
                for judge, extract in zip(panel.judged.judges, own, strict=True):
                    yield {
                        "id": id, "rate": float(rate), "judge": judge, "ideal": list(ideal),
                        **_match_row(match(extract, ideal, panel.n)),
                    }  # fmt: skip
                yield {
                    "id": id, "rate": float(rate), "ideal": list(ideal),
                    "agreement": float(judges_agreement(own, panel.n)),
                }  # fmt: skip

    def _own(self, id: str, size: int) -> list[tuple[int, ...]]:
        panel = self.panels[id]
        return [panel.ideal(judge, size) for judge in range(len(panel.judged.judges))]


def subsumption_rows(judged: Iterable[Judged]) -> Iterator[Row]:
    """Table 8: what each judge says subsumes a sentence, and the consensus."""
    for topic in judged:
        for one in consensus(topic):
            said = {judge: " ".join(by) or None for judge, by in one.subsumed_by}
            yield {"id": one.id, "sentence": one.sentence, **said, "plus": one.plus, "minus": one.minus}


def agreement_rows(judged: Iterable[Judged]) -> Iterator[Row]:
    """Table 9: for each number of agreeing judges the sentences with and without subsumption."""
    for topic in judged:
        for judges, plus, minus in agreement_counts(topic):
            yield {"id": topic.id, "judges": judges, "plus": plus, "minus": minus}


def class_rows(judged: Iterable[Judged], settings: Settings, topics: Mapping[str, Topic]) -> Iterator[Row]:
    """Equivalence classes of sentences (section 2.3)."""
    for topic in judged:
        if settings.source == "overlap":
            if topic.id not in topics:
                raise OptionError(f"{topic.id}: links by overlap need the texts", hint="give the corpus")
            links = links_by_overlap(topics[topic.id].texts(), settings.threshold)
        else:
            links = agreed_links(topic, settings.agree)
        for number, members in enumerate(equivalence_classes(topic.sentences, links), start=1):
            yield {
                "id": topic.id, "class": number, "size": len(members),
                "sentences": [topic.label(member) for member in members],
            }  # fmt: skip


def _averages(
    levels: Sequence[Agreement], reached: Sequence[Fraction]
) -> tuple[Fraction | None, Fraction, Fraction]:
    """Means of J, R and S over topics; J is undefined as soon as one topic has a single judge."""
    defined = [level.J for level in levels if level.J is not None]
    J = mean(defined) if len(defined) == len(levels) else None
    return J, mean([level.R for level in levels]), mean(reached) if reached else Fraction(0)


def _match_row(one: Match) -> Row:
    return {
        "precision": _float(one.precision), "recall": _float(one.recall), "f1": _float(one.f1),
        "agreement": float(one.agreement),
    }  # fmt: skip


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
