"""How each score of a run reads each file: the script's order decides what `-M` leaves of `-m`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from topline.rouge.counts import Ints
from topline.rouge.perl.config import Evaluation
from topline.rouge.perl.plan import Step


@dataclass(slots=True)
class Stemming:
    """Whether words are stemmed at this moment: `-M` leaves `-m` switched off behind it."""

    on: bool
    models_only: bool

    def models(self, step: Step, number: int) -> list[tuple[bool, bool]]:
        """For each of an evaluation's references: its sentences, and the unigrams that clip them."""
        if not self.models_only or not step.clears_stemming:
            return [(self.on, self.on)] * number
        sentences = [self.on] + [False] * number if step.kind == "w" else [True] * number
        if number:
            self.on = False
        return [(stem, True) for stem in sentences[:number]]


def reading(files: Ints, stem: Ints | bool, clip_stem: Ints | bool) -> Ints:
    """Numbers for files read in a certain way: whether their sentences, and their unigrams, are stemmed."""
    return files * 4 + np.multiply(stem, 2) + np.multiply(clip_stem, 1)


@dataclass(slots=True)
class Readings:
    """What a system's scores read: files by number, an evaluation after another."""

    system: str
    present: Sequence[Evaluation]
    """The evaluations that the system has a summary in."""
    peers: Ints
    models: Ints
    starts: Ints
    """Evaluation `e` has the references `starts[e]:starts[e + 1]` of `models`."""
    _steps: dict[Step, tuple[Ints, Ints]] = field(default_factory=dict)

    def plan(self, step: Step, stemming: Stemming) -> None:
        """Settle how a step reads its files; steps must come in the script's order."""
        if not stemming.models_only:
            on = stemming.on
            first = next(iter(self._steps.values()), None)
            self._steps[step] = first or (reading(self.peers, on, on), reading(self.models, on, on))
            return
        peers: list[bool] = []
        models: list[tuple[bool, bool]] = []
        for number in np.diff(self.starts).tolist():
            peers.append(stemming.on)
            models += stemming.models(step, number)
        said = np.array(peers, bool)
        stem, clip_stem = np.array(models, bool).reshape(-1, 2).T
        self._steps[step] = (reading(self.peers, said, said), reading(self.models, stem, clip_stem))

    def of(self, step: Step) -> tuple[Ints, Ints]:
        """A step's readings of the summaries and of the references."""
        return self._steps[step]

    def all(self) -> list[Ints]:
        """Everything that any step reads."""
        distinct = {id(pair): pair for pair in self._steps.values()}
        return [part for pair in distinct.values() for part in pair]

    def owner(self, pair: int) -> Evaluation:
        """The evaluation that a comparison belongs to."""
        return self.present[int(np.searchsorted(self.starts, pair, side="right")) - 1]
