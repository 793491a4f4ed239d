"""MEAD (Radev, Jing, Stys & Tam 2004): sentences by centroid, position and overlap with the first one.

`variant=paper` follows the text: sums of centroid values, position `(n - i + 1) / n x C_max`, inner
product with the first sentence, equal weights, the redundancy penalty of section 3.6.
`variant=mead3` follows Table 3 and the distributed programs: the centroid value over its largest,
position `1 / sqrt(i)`, IDF cosine with the first sentence (weight 0 unless given), the cosine re-ranker
at 0.7, and a budget that may be passed if that comes nearer to it.
Every form can be chosen by its own name, and weights one by one or by the names `equal` and `c1p2f1`
(the paper's best). Sentences shorter than `length` words score 0.
Left out: MEAD's novelty re-ranker and its decision-tree classifier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from topline.systems.fill import Room, fill, fill_nearest
from topline.systems.matrix import Floats
from topline.systems.mead import features
from topline.systems.mead.centroid import CentroidRule, centroid_values
from topline.systems.mead.rerank import Extract, Scored, by_cosine, by_mmr, identity, penalise
from topline.systems.prepared import Prepared
from topline.systems.system import System, check, check_choice

WEIGHTS = {"": None, "equal": (1.0, 1.0, 1.0), "c1p2f1": (1.0, 2.0, 1.0), "mead3": (1.0, 1.0, 0.0)}
"""Weights of centroid, position and first-sentence overlap by name."""
VARIANTS = {
    "paper": ("sum", "linear", "product", "csis", "fit", "equal"),
    "mead3": ("scaled", "sqrt", "cosine", "cosine", "nearest", "mead3"),
}
"""What a variant stands for where an option is not given: the three forms, re-ranker, fill, weights."""
FORMS = {
    "centroid_form": ("sum", "scaled"),
    "position_form": ("linear", "sqrt"),
    "first_form": ("product", "cosine"),
    "rerank": ("csis", "cosine", "mmr", "none"),
    "fill": ("fit", "nearest"),
}
MORE: dict[str, Callable[[Prepared], Floats]] = {
    "query_cosine": features.query_cosine,
    "query_overlap": features.query_overlap,
    "title": features.title_cosine,
    "longest": features.longest,
    "lexrank": features.lexrank,
}
"""Features that count only when they are given a weight."""
HEADINGS = {
    "position": "Position",
    "first": "SimWithFirst",
    "centroid": "Centroid",
    "query_cosine": "QueryCosine",
    "query_overlap": "QueryWordOverlap",
    "title": "SimWithTitle",
    "longest": "LongestSentence",
    "lexrank": "LexRank",
}


@dataclass(frozen=True)
class Mead(System):
    """Centroid-based summaries."""

    name: ClassVar[str] = "mead"
    paper: ClassVar[str] = "Radev, Jing, Stys & Tam 2004"

    variant: str = "paper"
    """`paper` or `mead3`: what the options below mean where they are not given."""
    weights: str = ""
    """`equal` or `c1p2f1`."""
    centroid: float | None = None
    """w_c."""
    position: float | None = None
    """w_p."""
    first: float | None = None
    """w_f."""
    query_cosine: float = 0.0
    query_overlap: float = 0.0
    title: float = 0.0
    longest: float = 0.0
    lexrank: float = 0.0
    length: int = 9
    """Sentences with fewer words score 0."""
    threshold: float = 3.0
    """Words with more TF x IDF belong to the centroid..."""
    keep: int = 8
    """... and at least so many words a document..."""
    most: int = 0
    """... but no more than so many in all (0: no limit)."""
    centroid_form: str = ""
    """`sum`, or `scaled` to the largest."""
    position_form: str = ""
    """`linear`: (n - i + 1) / n x C_max, or `sqrt`: 1 / sqrt(i)."""
    first_form: str = ""
    """`product` of counts, or `cosine` with IDF."""
    rerank: str = ""
    """`csis` (section 3.6), `cosine`, `mmr` or `none`."""
    similarity: float = 0.7
    """The cosine at which the cosine re-ranker passes a sentence over."""
    balance: float = 0.7
    """The weight of the score, against novelty, for `rerank=mmr`."""
    fill: str = ""
    """`fit`: never past the budget; `nearest`: as near to it as may be."""

    def __post_init__(self) -> None:
        check_choice(self.name, "variant", self.variant, tuple(VARIANTS))
        check_choice(self.name, "weights", self.weights, tuple(WEIGHTS))
        for option, words in FORMS.items():
            check_choice(self.name, option, getattr(self, option), ("", *words))
        for option in ("centroid", "position", "first", *MORE):
            check(self.name, option, getattr(self, option) or 0.0, -1e9, 1e9)
        check(self.name, "threshold", self.threshold, -1e9, 1e9)
        for option in ("length", "keep", "most"):
            check(self.name, option, getattr(self, option), 0, 1e9)
        check(self.name, "similarity", self.similarity, 0.0, 1.0)
        check(self.name, "balance", self.balance, 0.0, 1.0)

    @property
    def rounds_up(self) -> bool:
        """MEAD 3 takes `ceil(rate x n)` sentences."""
        return self.variant == "mead3"

    def form(self, option: str) -> str:
        """What an option stands for: as given, or by the variant."""
        given: str = getattr(self, option)
        return given or VARIANTS[self.variant][list(FORMS).index(option)]

    @property
    def three_weights(self) -> tuple[float, float, float]:
        """w_c, w_p and w_f."""
        named = WEIGHTS[self.weights] or WEIGHTS[VARIANTS[self.variant][-1]] or (1.0, 1.0, 1.0)
        given = (self.centroid, self.position, self.first)
        c, p, f = (own if own is not None else by_name for own, by_name in zip(given, named, strict=True))
        return c, p, f

    def three_features(self, topic: Prepared) -> tuple[Floats, Floats, Floats]:
        """C, P and F of each sentence, in the forms asked for."""
        values = centroid_values(topic, CentroidRule(self.threshold, self.keep, self.most))
        linear, product = self.form("position_form") == "linear", self.form("first_form") == "product"
        position = features.position_linear(topic, values) if linear else features.position_sqrt(topic)
        first = features.first_product(topic) if product else features.first_cosine(topic)
        centroid = values if self.form("centroid_form") == "sum" else features.scaled(values)
        return centroid, position, first

    def features(self, topic: Prepared, names: Iterable[str] = ()) -> dict[str, Floats]:
        """Features by the name of their weight: the three, those with a weight, and those asked for."""
        centroid, position, first = self.three_features(topic)
        wanted = {name for name in MORE if getattr(self, name)} | set(names)
        more = {name: feature(topic) for name, feature in MORE.items() if name in wanted}
        return {"position": position, "first": first, "centroid": centroid, **more}

    def score(self, values: Mapping[str, Floats], short: NDArray[np.bool_]) -> Floats:
        """SCORE: the weighted sum of the features; 0 for short sentences."""
        weights = dict(zip(("centroid", "position", "first"), self.three_weights, strict=True))
        total = np.zeros(len(short))
        for name in (*weights, *MORE):
            if name in values:
                total += weights.get(name, getattr(self, name)) * values[name]
        return np.where(short, 0.0, total)

    def columns(self, topic: Prepared) -> dict[str, Floats]:
        """Table 3: Position, SimWithFirst, Centroid and Score, and between them what else has a weight."""
        values = self.features(topic)
        table = {HEADINGS[name]: value for name, value in values.items()}
        return table | {"Score": self.score(values, self.short(topic))}

    def short(self, topic: Prepared) -> NDArray[np.bool_]:
        """The sentences below the length cut-off: they score 0 and come behind all others."""
        return features.length(topic) < self.length

    def extract(self, topic: Prepared, room: Room) -> Extract:
        """The extract, and how its re-ranking went."""
        short = self.short(topic)
        return self.extract_scored(Scored(topic, self.score(self.features(topic), short), short), room)

    def extract_scored(self, scored: Scored, room: Room) -> Extract:
        """The extract of sentences that have their scores."""
        filling = fill if self.form("fill") == "fit" else fill_nearest
        kind = self.form("rerank")
        if kind == "csis":
            return penalise(scored, room, filling)
        if kind == "cosine":
            return by_cosine(scored, room, filling, self.similarity)
        if kind == "mmr":
            return by_mmr(scored, room, self.balance)
        return identity(scored, room, filling)

    def choose(self, topic: Prepared, room: Room) -> list[int]:
        """Sentences in the order they are chosen."""
        return self.extract(topic, room).chosen
