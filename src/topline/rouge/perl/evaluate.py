"""Systems' scores: every step of the plan over every evaluation, with the script's own arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from topline.errors import MetricError, ToplineError, Where
from topline.rouge.bootstrap import Floats
from topline.rouge.combine import best, best_pairs, pooled, scores_of
from topline.rouge.counts import Counts, Ints, count
from topline.rouge.groups import count_grams, grouped
from topline.rouge.metric import Part
from topline.rouge.perl.be import Elements, elements
from topline.rouge.perl.config import Evaluation, Plan
from topline.rouge.perl.files import be_lines
from topline.rouge.perl.flags import Flags
from topline.rouge.perl.plan import Step, steps
from topline.rouge.perl.readings import Readings, Stemming
from topline.rouge.perl.shelf import Shelf, Table
from topline.rouge.perl.tables import Tables
from topline.rouge.perl.weights import Triple, weighted_counts
from topline.text.compiled import plainly

_POOLING = Part("n", n=1)
"""Basic elements are divided, rounded and chosen among as n-grams are."""
_MANY = 1000
"""Comparisons that are worth loading the kernels for."""
_BATCH = 8192
"""Summaries that are counted together: the references that systems share are then counted once."""


@dataclass(slots=True)
class Scored:
    """A system's scores, as far as the run came."""

    system: str
    ids: list[str]
    """`EVALUATION.SYSTEM`, in the order of the rows: sorted as strings."""
    rows: dict[Step, Floats] = field(default_factory=dict)
    """A row an evaluation: recall, precision, F; or with `-t` model, peer and hit counts."""
    outcomes: dict[Step, Outcome] = field(default_factory=dict)
    """What the rows were made of, in the plan's order."""
    triples: dict[Step, list[Triple]] = field(default_factory=dict)
    """With `-t` the rows as they are printed."""
    failure: ToplineError | None = None
    """What ended the run behind these scores."""


@dataclass(slots=True)
class Outcome:
    """A step's counts, each evaluation's references together, and the rows made of them."""

    counts: Counts
    rows: Floats
    exact: list[Triple] | None = None
    """The counts in Perl's numbers, where doubles would print other digits."""

    def part(self, first: int, last: int) -> Outcome:
        """That of some of the evaluations."""
        exact = None if self.exact is None else self.exact[first:last]
        return Outcome(self.counts.part(first, last), self.rows[first:last], exact)

    def triples(self) -> list[Triple]:
        """Model, peer and hit counts as they are printed."""
        if self.exact is not None:
            return self.exact
        counts = self.counts
        return list(zip(counts.models.tolist(), counts.peers.tolist(), counts.hits.tolist(), strict=True))


Outcomes = dict[Step, Outcome | MetricError]


@dataclass(slots=True)
class Evaluator:
    """Evaluates the systems of a plan one after another."""

    flags: Flags
    plan: Plan
    tables: Tables
    warn: Callable[[str], None]
    _texts: list[Step] = field(init=False)
    _shelf: Shelf = field(init=False)
    _stemming: Stemming = field(init=False)
    _models: dict[str, list[int]] = field(default_factory=dict)
    """The files of each evaluation's references."""

    def __post_init__(self) -> None:
        self._texts = [step for step in steps(self.flags) if step.part is not None]
        by_sentence = any(step.kind in ("l", "w") for step in self._texts)
        self._shelf = Shelf(self.tables, self.flags.limit, by_sentence, mixed=self.flags.has("M"))
        self._stemming = Stemming(self.flags.has("m"), self.flags.has("M"))

    def scored(self, systems: Sequence[str]) -> Iterator[Scored]:
        """Scores of each system, up to the first failure."""
        if (
            len(systems) * sum(len(evaluation.models) for evaluation in self.plan.evaluations.values())
            > _MANY
        ):
            plainly.end()
        # under -M what a system reads depends on the scores of the one before
        size = 1 if self._stemming.models_only else max(1, _BATCH // max(1, len(self.plan.evaluations)))
        queue = iter(systems)
        while batch := list(islice(queue, size)):
            for scored in self._batch(batch):
                yield scored
                if scored.failure is not None:
                    return

    def _batch(self, systems: list[str]) -> Iterator[Scored]:
        loaded: list[Readings] = []
        failed: Scored | None = None
        for system in systems:
            readings = self._readings(system)
            try:
                if self._texts:
                    self._shelf.open(readings.peers)
                    self._shelf.open(readings.models)
            except ToplineError as error:
                failed = Scored(system, [], failure=error)
                break
            for step in self._texts:
                readings.plan(step, self._stemming)
            loaded.append(readings)
        for readings, outcomes in zip(loaded, self._compared(loaded), strict=True):
            yield self._system(readings, outcomes)
        if failed is not None:
            yield failed

    def _readings(self, system: str) -> Readings:
        present = self._present(system)
        number = self._shelf.number
        for evaluation in present:
            if evaluation.id not in self._models:
                files = [number((path, evaluation.format)) for path in evaluation.model_paths()]
                self._models[evaluation.id] = files
        models = [self._models[evaluation.id] for evaluation in present]
        return Readings(
            system,
            present,
            np.array(
                [number((evaluation.peer_path(system), evaluation.format)) for evaluation in present],
                np.int64,
            ),
            np.array([file for files in models for file in files], np.int64),
            np.cumsum([0, *map(len, models)]),
        )

    def _present(self, system: str) -> list[Evaluation]:
        present = []
        for evaluation in self.plan.evaluations.values():
            if system in evaluation.peers:
                present.append(evaluation)
            elif self._texts or self.flags.has("3"):
                self.warn(f"system {system} has no summary in evaluation {evaluation.id}: left out there")
        return present

    def _compared(self, loaded: list[Readings]) -> list[Outcomes]:
        """What each step gives for each system, all systems counted together."""
        outcomes: list[Outcomes] = [{} for _ in loaded]
        if not loaded or not self._texts:
            return outcomes
        table = self._shelf.table([part for readings in loaded for part in readings.all()])
        for readings in loaded:
            self._shelf.close(readings.peers)
        pairs = np.cumsum([0, *(len(readings.models) for readings in loaded)])
        rows = np.cumsum([0, *(len(readings.present) for readings in loaded)])
        starts = np.concatenate([[0], *(pairs[i] + each.starts[1:] for i, each in enumerate(loaded))])
        for step in self._texts:
            parts = zip(*(readings.of(step) for readings in loaded), strict=True)
            peers, models = (table.places(np.concatenate(part)) for part in parts)
            part = step.part or _POOLING
            try:
                counts = _count(part, table, peers, models, starts)
            except MetricError as error:
                for of_system in outcomes:
                    of_system[step] = error
                continue
            outcome = self._outcome(part, counts, starts)
            if part.kind == "w" and (self.flags.counting or self.flags.has("v")):
                outcome.exact = self._exact(part, table, peers, models, counts, starts)
            for i, (readings, of_system) in enumerate(zip(loaded, outcomes, strict=True)):
                failure = _undefined(part, counts.part(int(pairs[i]), int(pairs[i + 1])), readings)
                of_system[step] = failure or outcome.part(int(rows[i]), int(rows[i + 1]))
        return outcomes

    def _system(self, readings: Readings, outcomes: Outcomes) -> Scored:
        ids = [f"{evaluation.id}.{readings.system}" for evaluation in readings.present]
        order = sorted(range(len(ids)), key=ids.__getitem__)
        scored = Scored(readings.system, [ids[i] for i in order])
        try:
            for step in steps(self.flags):
                outcome = outcomes[step] if step.part else self._basic_elements(step, readings)
                if isinstance(outcome, ToplineError):
                    raise outcome
                scored.outcomes[step] = outcome
                scored.rows[step] = outcome.rows[order]
                if self.flags.counting:
                    triples = outcome.triples()
                    scored.triples[step] = [triples[i] for i in order]
        except ToplineError as error:
            scored.failure = error
        return scored

    def _basic_elements(self, step: Step, readings: Readings) -> Outcome:
        """The step that compares basic elements."""
        pairs: list[tuple[int, int, int]] = []
        for file, evaluation in zip(readings.peers.tolist(), readings.present, strict=True):
            peer = self._elements(file, self._stemming.on)
            files = self._models[evaluation.id]
            for model_file, (stem, _) in zip(files, self._stemming.models(step, len(files)), strict=True):
                model = self._elements(model_file, stem)
                pairs.append((model.hits(peer), model.total, peer.total))
        columns = np.array(pairs, np.float64).reshape(-1, 3).T
        return self._outcome(_POOLING, Counts(*columns), readings.starts)

    def _elements(self, number: int, stem: bool) -> Elements:
        path, format = self._shelf.name(number)
        form = self.flags.value("3")
        return elements(be_lines(path, format), form, self.tables.stem if stem else None, path)

    def _exact(
        self, part: Part, table: Table, peers: Ints, models: Ints, counts: Counts, starts: Ints
    ) -> list[Triple] | None:
        """ROUGE-W's counts with a whole weight."""
        weight = float(part.weight)
        if not weight.is_integer():
            return None
        chosen = best_pairs(part, counts, _of_some(starts)) if self.flags.best else None
        return weighted_counts(int(weight), table, peers, models, counts, starts, chosen)

    def _outcome(self, part: Part, counts: Counts, starts: Ints) -> Outcome:
        """Each evaluation's references pooled, or the best of them."""
        together = pooled(counts, starts)
        if self.flags.best:
            some = np.diff(starts) > 0
            chosen = best(part, counts, _of_some(starts))
            together.hits[some] = chosen.hits
            together.models[some] = chosen.models
            together.peers[some] = chosen.peers
        if self.flags.counting:
            return Outcome(together, np.column_stack([together.models, together.peers, together.hits]))
        with np.errstate(all="ignore"):
            scores = scores_of(part, together, self.flags.alpha)
        return Outcome(together, np.column_stack([scores.recall, scores.precision, scores.f1]))


def _of_some(starts: Ints) -> Ints:
    """The starts of the evaluations that have references at all."""
    return np.append(starts[:-1][np.diff(starts) > 0], starts[-1])


def _undefined(part: Part, counts: Counts, readings: Readings) -> MetricError | None:
    """What the script dies of: ROUGE-W divides by a reference's words before it pools."""
    if part.kind != "w" or counts.models.all():
        return None
    evaluation = readings.owner(int(np.argmin(counts.models != 0)))
    return MetricError(
        "ROUGE-W against a reference without words is undefined",
        where=Where(id=f"evaluation {evaluation.id}"),
        hint="take the empty reference out, or leave -w away",
    )


def _count(part: Part, table: Table, peers: Ints, models: Ints, starts: Ints) -> Counts:
    """Counts of all comparisons: summary `i` has the references `starts[i]:starts[i + 1]`."""
    if part.additive:
        return count_grams(part, table.joined, grouped(peers, models, starts))
    with np.errstate(all="ignore"):
        return count(part, table.apart, np.repeat(peers, np.diff(starts)), models, table.joined)
