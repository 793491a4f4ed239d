"""A system's scores: every step of the plan over every evaluation, with the script's own arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field

import numpy as np

from topline.errors import MetricError, ToplineError, Where
from topline.rouge.bootstrap import Floats, Interval, interval, resampled_sums
from topline.rouge.combine import best, pooled, scores_of
from topline.rouge.counts import Counts, Ints, count
from topline.rouge.metric import Part
from topline.rouge.perl.be import Elements, elements
from topline.rouge.perl.config import Evaluation, Plan
from topline.rouge.perl.files import be_lines
from topline.rouge.perl.flags import Flags
from topline.rouge.perl.plan import Step, steps
from topline.rouge.perl.shelf import Reading, Shelf, Table
from topline.rouge.perl.tables import Tables

Averages = tuple[Interval, Interval, Interval]
_POOLING = Part("n", n=1)
"""Basic elements are divided, rounded and chosen among as n-grams are."""


@dataclass(frozen=True, slots=True)
class Result:
    """A step's scores, a row an evaluation: recall, precision, F; or with `-t` model, peer and hit counts."""

    step: Step
    ids: list[str]
    """`EVALUATION.SYSTEM`, in the order of the rows: sorted as strings."""
    rows: Floats
    averages: Averages | None
    """Recall, precision and F; None with `-t 2`."""


@dataclass(slots=True)
class Stemming:
    """Whether words are stemmed at this moment: `-M` leaves `-m` switched off behind it."""

    on: bool
    models_only: bool

    def peer(self) -> bool:
        """For a summary."""
        return self.on

    def models(self, step: Step, number: int) -> list[tuple[bool, bool]]:
        """For each of the references: its sentences, and the unigrams that clip them."""
        if not self.models_only or not step.clears_stemming:
            return [(self.on, self.on)] * number
        sentences = [self.on] + [False] * number if step.kind == "w" else [True] * number
        if number:
            self.on = False
        return [(stem, True) for stem in sentences[:number]]


@dataclass(slots=True)
class Evaluator:
    """Evaluates the systems of a plan one after another."""

    flags: Flags
    plan: Plan
    tables: Tables
    warn: Callable[[str], None]
    _shelf: Shelf = field(init=False)
    _stemming: Stemming = field(init=False)

    def __post_init__(self) -> None:
        by_sentence = self._steps_of(("l", "w")) != []
        self._shelf = Shelf(self.tables, self.flags.limit, by_sentence, mixed=self.flags.has("M"))
        self._stemming = Stemming(self.flags.has("m"), self.flags.has("M"))

    def _steps_of(self, kinds: Container[str]) -> list[Step]:
        return [step for step in steps(self.flags) if step.kind in kinds]

    def results(self, system: str) -> tuple[list[Result], ToplineError | None]:
        """The system's results, and the error that ended the run behind them, if any."""
        present = self._present(system)
        ids = [f"{evaluation.id}.{system}" for evaluation in present]
        order = sorted(range(len(ids)), key=ids.__getitem__)
        scored: list[tuple[Step, Floats]] = []
        failure: ToplineError | None = None
        try:
            for step, rows in self._scored(system, present):
                scored.append((step, rows[order]))
        except ToplineError as error:
            failure = error
        ids.sort()
        try:
            averages = self._averages([rows for _, rows in scored])
        except ToplineError as error:
            return [], error
        return [
            Result(step, ids, rows, mean) for (step, rows), mean in zip(scored, averages, strict=True)
        ], failure

    def _present(self, system: str) -> list[Evaluation]:
        present = []
        for evaluation in self.plan.evaluations.values():
            if system in evaluation.peers:
                present.append(evaluation)
            elif next(steps(self.flags), None):
                self.warn(f"system {system} has no summary in evaluation {evaluation.id}: left out there")
        return present

    def _scored(self, system: str, present: list[Evaluation]) -> Iterator[tuple[Step, Floats]]:
        texts = self._steps_of(("n", "l", "w", "s", "su"))
        yield from zip(texts, self._texts(texts, system, present), strict=True)
        for step in self._steps_of(("be",)):
            yield step, self._basic_elements(step, system, present)

    def _texts(self, wanted: list[Step], system: str, present: list[Evaluation]) -> Iterator[Floats]:
        """Rows of the steps that compare texts."""
        if not wanted:
            return
        readings = _Readings(system, present)
        for step in wanted:
            readings.plan(step, self._stemming)
        self._shelf.open(readings.files())
        table = self._shelf.table(readings.all())
        self._shelf.close((evaluation.peer_path(system), evaluation.format) for evaluation in present)
        for step in wanted:
            yield self._text_rows(step.part or _POOLING, table, *readings.pairs(step, table.places), readings)

    def _text_rows(self, part: Part, table: Table, peers: Ints, models: Ints, readings: _Readings) -> Floats:
        """Rows of one step; a reference without words stops ROUGE-W."""
        try:
            with np.errstate(all="ignore"):
                if part.additive:
                    return self._rows(part, count(part, table.joined, peers, models), readings.starts)
                counts = count(part, table.apart, peers, models, table.joined)
                if part.kind == "w" and not counts.models.all():
                    pair = int(np.argmin(counts.models != 0))
                    raise _undefined(readings.owner(pair).id)
                return self._rows(part, counts, readings.starts)
        except OverflowError as error:
            raise MetricError("ROUGE-W's weight is too large for these texts", hint="e.g. -w 1.2") from error

    def _basic_elements(self, step: Step, system: str, present: list[Evaluation]) -> Floats:
        """Rows of the step that compares basic elements."""
        form = self.flags.value("3")

        def read(path: bytes, evaluation: Evaluation, stem: bool) -> Elements:
            return elements(be_lines(path, evaluation.format), form, self.tables.stem if stem else None, path)

        pairs: list[tuple[int, int, int]] = []
        starts = [0]
        for evaluation in present:
            peer = read(evaluation.peer_path(system), evaluation, self._stemming.peer())
            paths = evaluation.model_paths()
            for path, (stem, _) in zip(paths, self._stemming.models(step, len(paths)), strict=True):
                model = read(path, evaluation, stem)
                pairs.append((model.hits(peer), model.total, peer.total))
            starts.append(len(pairs))
        columns = np.array(pairs, np.float64).reshape(-1, 3).T
        return self._rows(_POOLING, Counts(*columns), np.array(starts, np.int64))

    def _rows(self, part: Part, counts: Counts, starts: Ints) -> Floats:
        """A row an evaluation: its references together."""
        together = pooled(counts, starts)
        if self.flags.best:
            some = np.diff(starts) > 0
            chosen = best(part, counts, np.append(starts[:-1][some], starts[-1]))
            together.hits[some], together.models[some], together.peers[some] = (
                chosen.hits, chosen.models, chosen.peers,
            )  # fmt: skip
        if self.flags.counting:
            return np.column_stack([together.models, together.peers, together.hits])
        scores = scores_of(part, together, self.flags.alpha)
        return np.column_stack([scores.recall, scores.precision, scores.f1])

    def _averages(self, columns: list[Floats]) -> list[Averages | None]:
        """Bootstrap averages of each step, all from the same draws."""
        if self.flags.counting == 2 or not columns:
            return [None] * len(columns)
        wanted = self.flags.resamples
        if wanted <= 0:
            raise MetricError("an average over no resamples is undefined", hint="-r takes 1 or more")
        values = np.hstack(columns)
        samples = resampled_sums(values, math.ceil(wanted))
        if self.flags.counting == 0:
            samples /= max(1, len(values))
        steps = [samples[:, first : first + 3] for first in range(0, samples.shape[1], 3)]
        if self.flags.counting == 1:
            steps = [self._from_counts(sums) for sums in steps]
        return [self._triple(sample, wanted) for sample in steps]

    def _triple(self, sample: Floats, wanted: float) -> Averages:
        recall, precision, f = (interval(sample[:, i], self.flags.confidence, wanted) for i in range(3))
        return recall, precision, f

    def _from_counts(self, sums: Floats) -> Floats:
        """Recall, precision and F of summed model, peer and hit counts."""
        models, peers, hits = sums.T
        recall, precision = _quotient(hits, models), _quotient(hits, peers)
        weighted = (1 - self.flags.alpha) * precision + self.flags.alpha * recall
        return np.column_stack([recall, precision, _quotient(recall * precision, weighted)])


def _quotient(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def _undefined(id: str) -> MetricError:
    return MetricError(
        "ROUGE-W against a reference without words is undefined",
        where=Where(id=f"evaluation {id}"),
        hint="take the empty reference out, or leave -w away",
    )


class _Readings:
    """How each step reads each evaluation's files."""

    def __init__(self, system: str, present: list[Evaluation]) -> None:
        self.present = present
        self.peers = [evaluation.peer_path(system) for evaluation in present]
        self.models = [evaluation.model_paths() for evaluation in present]
        self.numbers = [len(paths) for paths in self.models]
        self.starts: Ints = np.cumsum([0, *self.numbers])
        self.steps: dict[Step, tuple[list[Reading], list[Reading]]] = {}

    def files(self) -> Iterator[tuple[bytes, str]]:
        """Every file with its format."""
        for evaluation, peer, models in zip(self.present, self.peers, self.models, strict=True):
            yield peer, evaluation.format
            for path in models:
                yield path, evaluation.format

    def owner(self, pair: int) -> Evaluation:
        """The evaluation that a pair belongs to."""
        return self.present[int(np.searchsorted(self.starts, pair, side="right")) - 1]

    def plan(self, step: Step, stemming: Stemming) -> None:
        """Settle what a step reads, in the script's order."""
        if self.steps and not stemming.models_only:
            self.steps[step] = next(iter(self.steps.values()))
            return
        peers: list[Reading] = []
        models: list[Reading] = []
        for evaluation, path, paths in zip(self.present, self.peers, self.models, strict=True):
            stem, format = stemming.peer(), evaluation.format
            peers.append(Reading(path, format, stem, stem))
            for model, stems in zip(paths, stemming.models(step, len(paths)), strict=True):
                models.append(Reading(model, format, *stems))
        self.steps[step] = (peers, models)

    def all(self) -> list[Reading]:
        """Everything that any step reads."""
        distinct = {id(pair): pair for pair in self.steps.values()}
        return [reading for peers, models in distinct.values() for reading in (*peers, *models)]

    def pairs(self, step: Step, places: dict[Reading, int]) -> tuple[Ints, Ints]:
        """The places of each pair's summary and reference."""
        peers, models = self.steps[step]
        said = np.repeat(np.array([places[reading] for reading in peers], np.int64), self.numbers)
        return said, np.array([places[reading] for reading in models], np.int64)
