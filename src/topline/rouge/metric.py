"""A metric is a value: `Metric.parse("rouge-1+rouge-2")` prints as it is typed and carries its signature."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from topline.errors import MetricError
from topline.text.tokens import Preprocessing

_FORM = re.compile(
    r"rouge-?(?:(?P<n>[1-9]\d{0,3})|(?P<l>l)|w(?:-(?P<weight>\d+(?:\.\d+)?))?|(?P<s>su?)(?P<gap>\d{1,9}|\*))"
)
DEFAULT_WEIGHT = "1.2"


@dataclass(frozen=True, slots=True)
class Part:
    """One ROUGE variant: N-grams, LCS, weighted LCS, skip-bigrams (with unigrams)."""

    kind: str
    """`n`, `l`, `w`, `s` or `su`."""
    n: int = 0
    """N-gram size, for `n`."""
    gap: int | None = None
    """How many words may stand between the two of a skip-bigram, for `s` and `su`; None: any number."""
    weight: str = DEFAULT_WEIGHT
    """The weight of consecutive matches, for `w`, as typed."""

    def __str__(self) -> str:
        if self.kind == "n":
            return f"rouge-{self.n}"
        if self.kind == "w":
            return f"rouge-w-{self.weight}"
        if self.kind == "l":
            return "rouge-l"
        return f"rouge-{self.kind}{'*' if self.gap is None else self.gap}"

    @property
    def additive(self) -> bool:
        """Whether it counts n-grams (then search, spread and count can work on it)."""
        return self.kind in ("n", "s", "su")


def _part(text: str) -> Part:
    match = _FORM.fullmatch(text.strip().lower())
    if match is None:
        raise MetricError(
            f"{text!r} is no metric", hint="e.g. rouge-1, rouge-2, rouge-l, rouge-w-1.2, rouge-su4, rouge-s*"
        )
    if match["n"]:
        return Part("n", n=int(match["n"]))
    if match["l"]:
        return Part("l")
    if match["s"]:
        return Part(match["s"], gap=None if match["gap"] == "*" else int(match["gap"]))
    weight = match["weight"] or DEFAULT_WEIGHT
    if float(weight) <= 0:
        raise MetricError("ROUGE-W's weight must be above 0", hint="e.g. rouge-w-1.2")
    return Part("w", weight=weight)


@dataclass(frozen=True, slots=True)
class Metric:
    """One ROUGE variant or a sum of several, and how texts become tokens for it."""

    parts: tuple[Part, ...]
    preprocessing: Preprocessing = field(default_factory=Preprocessing)

    @classmethod
    def parse(cls, text: str, preprocessing: Preprocessing | None = None) -> Metric:
        """Read a metric as it is typed.

        >>> str(Metric.parse("ROUGE-1+rouge-su4"))
        'rouge-1+rouge-su4'
        """
        parts = tuple(_part(part) for part in text.split("+"))
        if len(set(parts)) < len(parts):
            raise MetricError(f"{text!r} adds a metric to itself", hint="name each once")
        return cls(parts, preprocessing or Preprocessing())

    def __str__(self) -> str:
        return "+".join(str(part) for part in self.parts)

    @property
    def additive(self) -> bool:
        """Whether every part counts n-grams."""
        return all(part.additive for part in self.parts)

    @property
    def signature(self) -> str:
        """Metric, tokeniser, stemmer and stop words, in sacrebleu's manner."""
        return f"{self}|{self.preprocessing.signature}"
