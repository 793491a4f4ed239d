"""How each score of a run reads each file: the script's order decides what `-M` leaves of `-m`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from topline.rouge.counts import Ints
from topline.rouge.perl.config import Evaluation
from topline.rouge.perl.plan import Step
from topline.rouge.perl.shelf import File, Reading


@dataclass(slots=True)
class Stemming:
    """Whether words are stemmed at this moment: `-M` leaves `-m` switched off behind it."""

    on: bool
    models_only: bool

    def models(self, step: Step, number: int) -> list[tuple[bool, bool]]:
        """For each of the references: its sentences, and the unigrams that clip them."""
        if not self.models_only or not step.clears_stemming:
            return [(self.on, self.on)] * number
        sentences = [self.on] + [False] * number if step.kind == "w" else [True] * number
        if number:
            self.on = False
        return [(stem, True) for stem in sentences[:number]]


@dataclass(slots=True)
class Readings:
    """What a system's scores read; a row an evaluation that the system has a summary in."""

    system: str
    present: Sequence[Evaluation]
    peers: list[File] = field(init=False)
    models: list[list[File]] = field(init=False)
    starts: Ints = field(init=False)
    """Where each evaluation's comparisons begin."""
    _steps: dict[Step, tuple[list[Reading], list[Reading]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.peers = [(evaluation.peer_path(self.system), evaluation.format) for evaluation in self.present]
        self.models = [
            [(path, evaluation.format) for path in evaluation.model_paths()] for evaluation in self.present
        ]
        self.starts = np.cumsum([0, *map(len, self.models)])

    def files(self) -> Iterator[File]:
        """Every file."""
        yield from self.peers
        for models in self.models:
            yield from models

    def plan(self, step: Step, stemming: Stemming) -> None:
        """Settle what a step reads; steps must come in the script's order."""
        if self._steps and not stemming.models_only:
            self._steps[step] = next(iter(self._steps.values()))
            return
        peers: list[Reading] = []
        models: list[Reading] = []
        for peer, files in zip(self.peers, self.models, strict=True):
            peers.append(Reading(peer, stemming.on, stemming.on))
            stems = stemming.models(step, len(files))
            models += [Reading(file, *stem) for file, stem in zip(files, stems, strict=True)]
        self._steps[step] = (peers, models)

    def all(self) -> Iterator[Reading]:
        """Everything that any step reads."""
        for peers, models in {id(pair): pair for pair in self._steps.values()}.values():
            yield from peers
            yield from models

    def places(self, step: Step, table: Mapping[Reading, int]) -> tuple[Ints, Ints]:
        """Where a step's summaries and references stand in a table of texts."""
        peers, models = self._steps[step]
        return (
            np.array([table[reading] for reading in peers], np.int64),
            np.array([table[reading] for reading in models], np.int64),
        )

    def owner(self, pair: int) -> Evaluation:
        """The evaluation that a comparison belongs to."""
        return self.present[int(np.searchsorted(self.starts, pair, side="right")) - 1]
