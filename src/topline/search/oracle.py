"""`topline.oracle` and `topline.all_oracles`: the best extract of a topic, and every best extract."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from time import perf_counter

from topline import __version__
from topline.corpus.records import Topic
from topline.errors import OptionError
from topline.problem.build import MODES, Instance, build
from topline.problem.cuts import Choppable, choppable
from topline.problem.problem import Problem
from topline.rouge.metric import Metric
from topline.search.chop import best_chop, greedy_chop, most_chopped
from topline.search.exact import NO_LIMITS, Limits, Solution, solve
from topline.search.f1 import best_f1, f1, greedy_f1, most_f1, shown
from topline.search.greedy import greedy
from topline.search.rescore import rescored
from topline.shown import Shown
from topline.text.budget import Budget
from topline.text.encode import Vocabulary

OBJECTIVES = ("recall", "f1")
SOLVERS = ("exact", "ilp", "published", "greedy")
Chosen = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Oracle(Shown):
    """The best extract of a topic; the fields are those of `topline oracle --json`."""

    id: str
    references: str
    """`pooled`, or the id of the reference it is best for."""
    metric: str
    hits: int
    """The score's numerator: matched n-grams; for F1 twice these; for a sum over the common denominator."""
    total: int
    """The score's denominator."""
    score: float
    """`hits / total`; of a sum of metrics the sum of their scores."""
    length: int
    """In the budget's unit."""
    selected: Chosen
    """Sentences, numbered through the topic's documents from 0."""
    proved: bool
    """No extract within the budget has a better score."""
    bound: int | float
    """No extract has more hits; where F1 is maximised, no better score."""
    rescored: float
    """The score as ROUGE counts it, n-grams across the extract's sentences included."""
    seconds: float
    cut: int | None = None
    """The selected sentence that comes last and is cut, with `--chop`."""
    kept: int | None = None
    """How many words or bytes of it are kept."""
    signature: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    """What a solver came to, before it is a record."""

    selected: Chosen
    value: Fraction
    bound: Fraction
    proved: bool
    length: int
    hits: int
    total: int
    cut: int | None = None
    kept: int | None = None


@dataclass(slots=True)
class Oracles:
    """Best extracts by one metric, budget, mode of references, objective and solver, topic after topic.

    Keeps its vocabulary, so use one for a whole corpus, and one in each thread.
    """

    metric: Metric
    budget: Budget
    references: str = "pooled"
    objective: str = "recall"
    solver: str = "exact"
    limits: Limits = NO_LIMITS
    _vocabulary: Vocabulary = field(init=False)

    def __post_init__(self) -> None:
        check(self.references, MODES, "mode of references")
        check(self.objective, OBJECTIVES, "objective")
        check(self.solver, SOLVERS, "solver")
        if self.budget.chop and (self.objective == "f1" or self.solver not in ("exact", "greedy")):
            raise OptionError("only recall can be chopped, by the exact solver or the greedy one")
        if self.objective == "f1" and self.solver not in ("exact", "greedy"):
            raise OptionError(f"the {self.solver} solver maximises recall", hint="--solver exact")
        self._vocabulary = Vocabulary(self.metric.preprocessing)

    @property
    def signature(self) -> str:
        """Everything a result depends on beside the texts."""
        return (
            f"{self.metric.signature}|{self.budget.signature}|refs:{self.references}"
            f"|objective:{self.objective}|solver:{self.solver}|topline-{__version__}"
        )

    def of(self, topic: Topic) -> list[Oracle]:
        """The topic's best extract, or one for each of its references."""
        found: list[tuple[str, _Found, float]] = []
        begin = perf_counter()
        for name, solved in self._solved(topic):
            end = perf_counter()
            found.append((name, solved, end - begin))
            begin = end
        if self.references == "best":
            found = [_best(found)]
        return [self._record(topic, *one) for one in found]

    def _solved(self, topic: Topic) -> list[tuple[str, _Found]]:
        if self.budget.chop:
            return [
                (given.instance.references, self._chopped(given))
                for given in choppable(topic, self.metric, self.budget, self.references)
            ]
        instances = build(topic, self.metric, self.budget, self.references, self._vocabulary)
        best = self._by_f1 if self.objective == "f1" else self._by_recall
        return [(instance.references, best(instance)) for instance in instances]

    def _by_recall(self, instance: Instance) -> _Found:
        solution = _SOLVERS[self.solver](instance.problem, self.limits)
        total = instance.denominator
        return _Found(
            tuple(sorted(solution.chosen)),
            Fraction(solution.value, total),
            Fraction(solution.bound, total),
            solution.proved,
            solution.length,
            solution.value,
            total,
        )

    def _by_f1(self, instance: Instance) -> _Found:
        if self.solver == "greedy":
            chosen = tuple(sorted(greedy_f1(instance)))
            value, bound = f1(instance, chosen), most_f1(instance)
            proved = value == bound
        else:
            best = best_f1(instance, self.limits)
            chosen, value, bound, proved = best.chosen, best.value, best.bound, best.proved
        hits, total = shown(instance, chosen)
        return _Found(chosen, value, bound, proved, instance.problem.length(chosen), hits, total)

    def _chopped(self, given: Choppable) -> _Found:
        total = given.instance.denominator
        if self.solver == "greedy":
            best = greedy_chop(given)
            bound = most_chopped(given)
            best_bound, proved = max(bound, best.value), bound <= best.value
        else:
            best = best_chop(given, self.limits)
            best_bound, proved = best.bound, best.proved
        selected = best.chosen if best.cut is None else tuple(sorted((*best.chosen, best.cut)))
        return _Found(
            selected,
            Fraction(best.value, total),
            Fraction(best_bound, total),
            proved,
            best.length,
            best.value,
            total,
            best.cut,
            best.kept if best.cut is not None else None,
        )

    def _record(self, topic: Topic, name: str, found: _Found, seconds: float) -> Oracle:
        return Oracle(
            id=topic.id,
            references=name,
            metric=str(self.metric),
            hits=found.hits,
            total=found.total,
            score=float(found.value),
            length=found.length,
            selected=found.selected,
            proved=found.proved,
            bound=float(found.bound) if self.objective == "f1" else int(found.bound * found.total),
            rescored=self._rescored(topic, name, found),
            seconds=round(seconds, 6),
            cut=found.cut,
            kept=found.kept,
            signature=self.signature,
        )

    def _rescored(self, topic: Topic, name: str, found: _Found) -> float:
        """ROUGE of the extract as a text, in document order; a cut sentence comes last."""
        references = [r.sentences for r in topic.references if name in ("pooled", r.id)]
        text = extract_text(topic, self.budget, found.selected, found.cut, found.kept)
        return round(rescored(self.metric, self._vocabulary, text, references, self.objective), 5)


def extract_text(
    topic: Topic, budget: Budget, selected: Chosen, cut: int | None = None, kept: int | None = None
) -> list[str]:
    """The sentences of an extract in document order; a cut one comes last, cut."""
    texts = topic.texts()
    whole = [texts[i] for i in selected if i != cut]
    if cut is None or not kept:
        return whole
    if budget.unit == "b":
        return [*whole, texts[cut].encode("utf-8", "surrogatepass")[:kept].decode("utf-8", "ignore")]
    return [*whole, " ".join(texts[cut].split()[:kept])]


def check(given: str, known: tuple[str, ...], what: str) -> None:
    """Raise if an option's value is none of those known."""
    if given not in known:
        raise OptionError(f"unknown {what} {given!r}", hint=f"one of {', '.join(known)}")


def _best(found: list[tuple[str, _Found, float]]) -> tuple[str, _Found, float]:
    """The extract with the best score for any reference, the first on a tie; the bound is over all."""
    name, best, _ = max(found, key=lambda one: one[1].value)
    bound = max(one.bound for _, one, _ in found)
    proved = bound <= best.value
    seconds = sum(seconds for *_, seconds in found)
    return name, replace(best, bound=bound, proved=proved), seconds


def _ilp(problem: Problem, limits: Limits) -> Solution:
    from topline.search.ilp import solve_ilp

    return solve_ilp(problem, limits)


def _published(problem: Problem, limits: Limits) -> Solution:
    from topline.search.published import solve_published

    return solve_published(problem, limits)


_SOLVERS: dict[str, Callable[[Problem, Limits], Solution]] = {
    "exact": solve,
    "ilp": _ilp,
    "published": _published,
    "greedy": lambda problem, _: greedy(problem),
}


def oracle(
    topic: Topic,
    metric: str | Metric = "rouge-1",
    budget: str | Budget = "100w",
    *,
    references: str = "pooled",
    objective: str = "recall",
    solver: str = "exact",
    seconds: float | None = None,
) -> list[Oracle]:
    """The best extract of a topic (one record; one a reference with `references="each"`).

    Strings are read as on the command line. After `seconds` the best found so far is returned with a
    bound, and `proved` is false.

    >>> from topline import Document, Reference, Sentence, Topic
    >>> sentences = (Sentence("The cat sat on a mat."), Sentence("Dogs bark."))
    >>> topic = Topic("t", (Document("d", sentences),), (Reference("A", ("A cat sat there.",)),))
    >>> [(best.hits, best.total, best.selected) for best in oracle(topic, "rouge-1", "6w")]
    [(3, 4, (0,))]
    """
    return Oracles(
        Metric.parse(metric) if isinstance(metric, str) else metric,
        Budget.parse(budget) if isinstance(budget, str) else budget,
        references,
        objective,
        solver,
        Limits(seconds=seconds),
    ).of(topic)
