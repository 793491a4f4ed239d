"""`topline.compressive_oracle`: the best summary of trimmed sentences, beside the best extract."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from time import perf_counter

from topline import __version__
from topline.compress.core import reduce
from topline.compress.grams import check_metric
from topline.compress.parsed import ParsedTopic
from topline.compress.problem import CompressiveProblem, Numbering, Source, build, encode
from topline.compress.rules import LABEL_SETS, RULE_SETS
from topline.compress.search import Outcome, greedy, solve
from topline.compress.text import kept_spans, render
from topline.compress.tree import ChunkTree
from topline.corpus.records import Reference, Topic
from topline.errors import BudgetError, MetricError, OptionError, Where
from topline.problem.build import MODES, POOLED
from topline.problem.build import build as build_extracts
from topline.rouge.metric import Metric
from topline.rouge.score import Comparison, Options, Scorer
from topline.search.exact import NO_LIMITS, Limits, Solution
from topline.search.exact import solve as best_extract
from topline.search.oracle import check
from topline.shown import Shown
from topline.text.budget import Budget
from topline.text.encode import Vocabulary

SOLVERS = ("exact", "ilp", "greedy")
Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Compressed(Shown):
    """The best trimmed summary of a topic; the fields are those of `topline compress --json`."""

    id: str
    system: str
    """`compress-` and the rule set: the records can be scored as any system's summaries."""
    references: str
    """`pooled`, or the id of the reference it is best for."""
    metric: str
    rules: str
    """`paper` or `strict`."""
    hits: int
    """The score's numerator."""
    total: int
    """The score's denominator."""
    score: float
    length: int
    """In the budget's unit; marks that trimming left without use are counted, though not printed."""
    sentences: tuple[str, ...]
    """The trimmed sentences as they are printed."""
    selected: tuple[int, ...]
    """The numbers of the sentences they were trimmed from (0-based, documents in corpus order)."""
    kept: tuple[Spans, ...]
    """For each of them what is kept: [start, end) characters of the source sentence."""
    proved: bool
    """No summary of rooted subtrees within the budget has more hits."""
    bound: int
    """No such summary has more hits than this."""
    rescored: float
    """ROUGE of the printed text, n-grams across its sentences included."""
    greedy_hits: int
    """What the greedy choice reaches."""
    extract_hits: int
    """What the best extract within the same budget reaches; with `best`, for its own best reference."""
    extract_score: float
    extract_selected: tuple[int, ...]
    extract_proved: bool
    seconds: float
    """For building and solving, parsing excluded."""
    signature: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    problem: CompressiveProblem
    numbering: Numbering
    outcome: Outcome
    extract: Solution
    extract_total: int
    """The denominator of the extract's score: that of the reference it matches best."""
    seconds: float


@dataclass(slots=True)
class Compressions:
    """Best trimmed summaries by one metric, budget, mode of references and rule set, topic after topic.

    Keeps its vocabulary, so use one for a whole corpus, and one in each thread.
    """

    metric: Metric
    budget: Budget
    references: str = POOLED
    rules: str = "paper"
    solver: str = "exact"
    limits: Limits = NO_LIMITS
    vocabulary: Vocabulary = field(init=False)
    _scorer: Scorer = field(init=False)

    def __post_init__(self) -> None:
        check(self.references, MODES, "mode of references")
        check(self.rules, RULE_SETS, "rule set")
        check(self.solver, SOLVERS, "solver")
        check_metric(self.metric)
        if self.budget.chop:
            raise BudgetError("trimmed sentences are not chopped", hint="leave out --chop")
        self.vocabulary = Vocabulary(self.metric.preprocessing)
        mode = "best" if self.references == "best" else "pooled"
        self._scorer = Scorer(self.metric, Options(references=mode))

    @property
    def signature(self) -> str:
        """Everything a result depends on beside the texts and their parses."""
        return (
            f"{self.metric.signature}|{self.budget.signature}|refs:{self.references}|rules:{self.rules}"
            f"|solver:{self.solver}|topline-{__version__}"
        )

    def of(self, parsed: ParsedTopic) -> list[Compressed]:
        """The topic's best trimmed summary, or one for each of its references."""
        begin = perf_counter()
        source = encode(self._trees(parsed), self.vocabulary)
        prepared = perf_counter() - begin
        found = [
            (name, self._solved(parsed.topic, source, name, references, prepared))
            for name, references in self.groups(parsed.topic)
        ]
        if self.references == "best":
            found = [_best(found)]
        return [self._record(parsed.topic, source, name, one) for name, one in found]

    def _trees(self, parsed: ParsedTopic) -> list[ChunkTree]:
        check(parsed.labels, LABEL_SETS, "label set")
        if len(parsed.parses) != len(parsed.topic.texts()):
            raise OptionError(
                f"{len(parsed.parses)} parses of {len(parsed.topic.texts())} sentences",
                hint="give a parse for every sentence, None for a blank one",
            )
        return parsed.trees(self.rules)

    def groups(self, topic: Topic) -> list[tuple[str, Sequence[Reference]]]:
        """The references of each problem, by name: all together, or one by one."""
        if not topic.references:
            raise MetricError(
                "the topic has no reference", where=Where(id=topic.id), hint="a score needs a reference"
            )
        if self.references == POOLED:
            return [(POOLED, topic.references)]
        return [(reference.id, [reference]) for reference in topic.references]

    def problem(
        self, topic: Topic, source: Source, references: Sequence[Reference]
    ) -> tuple[CompressiveProblem, Numbering]:
        """The integer problem of a topic's trees against these references."""
        limit = self.budget.limit(topic.texts())
        return build(source, references, self.metric, self.budget, limit, self.vocabulary, topic.id)

    def _solved(
        self, topic: Topic, source: Source, name: str, references: Sequence[Reference], prepared: float
    ) -> _Found:
        begin = perf_counter()
        problem, numbering = self.problem(topic, source, references)
        seconds = prepared + perf_counter() - begin
        extract = self._extract(topic, name)
        whole = numbering.chunks({s: range(len(source.trees[s].chunks)) for s in extract.chosen})
        begin = perf_counter()
        outcome = self._outcome(problem, whole)
        seconds += perf_counter() - begin
        return _Found(problem, numbering, outcome, extract, problem.total, seconds)

    def _extract(self, topic: Topic, name: str) -> Solution:
        """The best extract of the same budget, by the same metric, for the same references."""
        mode = POOLED if name == POOLED and self.references == POOLED else "each"
        instances = build_extracts(topic, self.metric, self.budget, mode, self.vocabulary)
        instance = next(one for one in instances if one.references == name)
        return best_extract(instance.problem, self.limits)

    def _outcome(self, problem: CompressiveProblem, whole: Sequence[int]) -> Outcome:
        """The solver's answer, at least as good as the extract (the chunks `whole`)."""
        if self.solver == "exact":
            return solve(problem, self.limits, whole)
        core = reduce(problem)
        least, chosen = greedy(core)
        if self.solver == "greedy":
            return Outcome(core.kept(chosen), least, int(problem.gains.values.sum()), 0, least)
        from topline.compress.ilp import solve_ilp

        answer = solve_ilp(problem, time_limit=self.limits.seconds, start=whole)
        kept = max(answer.kept, list(whole), key=problem.hits)
        return Outcome(kept, problem.hits(kept), max(answer.bound, problem.hits(kept)), 0, least)

    def _record(self, topic: Topic, source: Source, name: str, found: _Found) -> Compressed:
        kept = found.numbering.by_sentence(found.outcome.kept)
        texts = topic.texts()
        sentences = tuple(render(source.trees[s], chunks) for s, chunks in kept.items())
        references = {r.id: r.sentences for r in topic.references if name in (POOLED, r.id)}
        scores = self._scorer.score([Comparison(topic.id, "compress", sentences, references)])
        total, hits = found.problem.total, found.outcome.hits
        return Compressed(
            id=topic.id,
            system=f"compress-{self.rules}",
            references=name,
            metric=str(self.metric),
            rules=self.rules,
            hits=hits,
            total=total,
            score=hits / total,
            length=found.problem.length(found.outcome.kept),
            sentences=sentences,
            selected=tuple(kept),
            kept=tuple(kept_spans(source.trees[s], chunks, texts[s]) for s, chunks in kept.items()),
            proved=found.outcome.proved,
            bound=found.outcome.bound,
            rescored=round(sum(one.recall for one in scores), 5),
            greedy_hits=found.outcome.greedy,
            extract_hits=found.extract.value,
            extract_score=found.extract.value / found.extract_total,
            extract_selected=tuple(sorted(found.extract.chosen)),
            extract_proved=found.extract.proved,
            seconds=round(found.seconds, 6),
            signature=self.signature,
        )


def _best(found: list[tuple[str, _Found]]) -> tuple[str, _Found]:
    """The summary with the best score for any reference, the first on a tie; the bound is over all.

    So is the extract beside it, whose best reference may be another.
    """
    name, best = max(found, key=lambda one: Fraction(one[1].outcome.hits, one[1].problem.total))
    _, match = max(found, key=lambda one: Fraction(one[1].extract.value, one[1].problem.total))
    matched = Fraction(match.extract.value, match.problem.total)
    most = max(Fraction(one.outcome.bound, one.problem.total) for _, one in found)
    bound = max(best.outcome.hits, int(most * best.problem.total))
    proved = all(Fraction(one.extract.bound, one.problem.total) <= matched for _, one in found)
    return name, replace(
        best,
        outcome=replace(best.outcome, bound=bound),
        extract=replace(match.extract, proved=proved),
        extract_total=match.problem.total,
        seconds=sum(one.seconds for _, one in found),
    )


def compressive_oracle(
    parsed: ParsedTopic,
    metric: str | Metric = "rouge-1",
    budget: str | Budget = "100w",
    *,
    references: str = POOLED,
    rules: str = "paper",
    solver: str = "exact",
    seconds: float | None = None,
) -> list[Compressed]:
    """The best summary of a topic's trimmed sentences (one record; one a reference with `each`).

    Strings are read as on the command line. After `seconds` the best found so far is returned with a
    bound, and `proved` is false.
    """
    return Compressions(
        Metric.parse(metric) if isinstance(metric, str) else metric,
        Budget.parse(budget) if isinstance(budget, str) else budget,
        references,
        rules,
        solver,
        Limits(seconds=seconds),
    ).of(parsed)
