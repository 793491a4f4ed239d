"""The best trimmed summary: against brute force over all rooted subtrees, HiGHS, and the best extract."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.compress_cases import parses, runs, topic_of, topics, tree, treebank
from tests.twins.compress import best, recall_hits
from topline.compress.core import reduce
from topline.compress.every import Counting, best_patterns, optima_of
from topline.compress.ilp import solve_ilp
from topline.compress.oracle import Compressions, compressive_oracle
from topline.compress.parts import Part
from topline.compress.problem import CompressiveProblem, Rows, encode
from topline.compress.search import Search, greedy, solve
from topline.errors import BudgetError, MetricError, OptionError
from topline.rouge.metric import Metric
from topline.search.exact import NO_LIMITS, Limits
from topline.text.budget import Budget
from topline.text.tokens import Preprocessing

METRICS = ("rouge-1", "rouge-2", "rouge-3", "rouge-s0", "rouge-su0")
BUDGETS = ("3w", "5w", "12b", "25b", "1s", "60%")
RULES = st.sampled_from(("paper", "strict"))


def problem_of(parsed, metric="rouge-2", budget="5w", rules="paper"):
    settings_ = Compressions(Metric.parse(metric), Budget.parse(budget), rules=rules)
    source = encode(parsed.trees(rules), settings_.vocabulary)
    return settings_.problem(parsed.topic, source, parsed.topic.references)


def lines(parsed):
    return [list(reference.sentences) for reference in parsed.topic.references]


@settings(max_examples=60)
@given(topics(2, 5, marks=False), st.sampled_from(METRICS), st.sampled_from(BUDGETS), RULES)
def test_search_and_count_agree_with_brute_force_on_the_printed_text(parsed, metric, budget, rules):
    try:
        problem, _ = problem_of(parsed, metric, budget, rules)
    except MetricError:
        return  # references too short for this n-gram
    hits, count = best(parsed, Metric.parse(metric), Budget.parse(budget), rules, lines(parsed))
    outcome = solve(problem)
    assert outcome.proved
    assert outcome.hits == hits == problem.hits(outcome.kept)
    patterns, complete = best_patterns(problem, outcome, NO_LIMITS)
    assert complete
    assert Counting(problem).total(patterns) == count
    assert len({tuple(kept) for kept in patterns}) == len(patterns)


@settings(max_examples=25)
@given(topics(4, 7), st.sampled_from(("rouge-1", "rouge-2", "rouge-su0", "rouge-1+rouge-2")),
       st.sampled_from(BUDGETS), RULES)  # fmt: skip
def test_search_agrees_with_the_papers_program_on_highs(parsed, metric, budget, rules):
    try:
        problem, _ = problem_of(parsed, metric, budget, rules)
    except MetricError:
        return
    outcome, answer = solve(problem), solve_ilp(problem)
    assert outcome.proved
    assert answer.proved
    assert outcome.hits == answer.hits
    for kept in (outcome.kept, answer.kept):
        assert problem.is_rooted(kept)
        assert problem.length(kept) <= problem.budget
    assert greedy(reduce(problem))[0] <= outcome.hits


@settings(max_examples=60)
@given(
    topics(3, 7), st.sampled_from(("rouge-1", "rouge-2", "rouge-su0")), st.sampled_from(("6w", "30b")), RULES
)
def test_printed_text_scores_what_the_record_says_and_fits(parsed, metric, budget, rules):
    try:
        (found,) = compressive_oracle(parsed, metric, budget, rules=rules)
    except MetricError:
        return
    assert [found.hits] == recall_hits(Metric.parse(metric), list(found.sentences), lines(parsed))
    measure = Budget.parse(budget)
    assert sum(measure.length(text) for text in found.sentences) <= found.length <= measure.amount
    assert found.extract_hits <= found.hits <= found.bound
    assert found.proved


@settings(max_examples=40)
@given(topics(4, 7), st.randoms(use_true_random=False))
def test_any_choice_of_nodes_has_the_gain_that_the_problem_says(parsed, random):
    """Dropping, merging and linking change no gain; whole-number bounds hold for any multipliers."""
    problem, _ = problem_of(parsed, "rouge-su0", "9w")
    for every in (False, True):
        core = reduce(problem, every=every)
        chosen = np.zeros(core.nodes, np.int8)
        for node, parent in enumerate(core.arrays.parents.tolist()):
            chosen[node] = (parent < 0 or chosen[parent]) and random.random() < 0.7
        kept = core.kept(chosen)
        assert problem.is_rooted(kept)
        assert core.hits(chosen) == problem.hits(kept)
        if core.nodes:
            search = Search(core)
            at = search.start()
            at.prices *= random.random()
            at.charge *= 2 * random.random()
            part = Part(np.zeros(core.nodes, np.int8), at, 0)
            bound = search.settle(part, search.whole(at), 0)
            assert bound >= solve(problem).hits * search.scale


def any_choice(core, random, must=()):
    """A random rooted choice of nodes, those that must stay included."""
    chosen = np.zeros(core.nodes, np.int8)
    for node, parent in enumerate(core.arrays.parents.tolist()):
        may = parent < 0 or chosen[parent]
        chosen[node] = may and (node in must or random.random() < 0.7)
    return chosen


@settings(max_examples=80)
@given(topics(3, 6), st.integers(1, 5), st.randoms(use_true_random=False))
def test_what_is_left_out_for_good_is_in_no_choice_that_gains_enough(parsed, target, random):
    """A narrowed core has every choice of the target, and its choices gain what the problem says."""
    problem, _ = problem_of(parsed, "rouge-su0", "7w")
    core = reduce(problem, every=True)
    if not core.nodes:
        return
    choices = [core.kept(any_choice(core, random)) for _ in range(20)]
    enough = [
        kept for kept in choices if problem.hits(kept) >= target and problem.length(kept) <= problem.budget
    ]
    search = Search(core)
    narrow = search.narrow(search.first(), target)
    if narrow is None:
        assert not enough
        return
    must = np.flatnonzero(narrow.status == 1).tolist()
    left = {c for n in range(search.core.nodes) for c in search.core.chunks[n]}
    needed = {c for n in must for c in search.core.chunks[n]}
    assert all(needed <= set(kept) <= left for kept in enough)
    chosen = any_choice(search.core, random, must)
    assert search.core.hits(chosen) == problem.hits(search.core.kept(chosen))


def test_bigrams_across_a_dropped_chunk_need_the_gap():
    dolphins = tree("dolphins usually live there", "3 3 0 3", "nsubj advmod root advmod")
    parsed = topic_of([dolphins], [["dolphins live"]])
    (found,) = compressive_oracle(parsed, "rouge-2", "4w")
    assert (found.hits, found.sentences) == (1, ("dolphins live",))
    assert found.kept == (((0, 8), (17, 21)),)


def chains(sentences: int, seed: int) -> CompressiveProblem:
    """A problem straight in integers: chains and stars of chunks, many n-grams that several hold."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 7, sentences)
    sentence = np.repeat(np.arange(sentences), sizes)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    parents = np.full(len(sentence), -1)
    for s in range(sentences):
        for c in range(starts[s] + 1, starts[s + 1]):
            parents[c] = c - 1 if rng.random() < 0.5 else starts[s]
    order = np.concatenate([_preorder(parents, starts[s], starts[s + 1]) for s in range(sentences)])
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    parents = np.array([-1 if parents[c] < 0 else place[parents[c]] for c in order])
    count = 4 * len(order)
    grams = rng.integers(0, 40, count)
    needs = [[int(rng.integers(len(order)))] for _ in range(count)]
    gaps: list[list[int]] = [[] for _ in range(count)]
    for v in range(0, count, 5):
        s = sentence[needs[v][0]]
        other = int(rng.integers(starts[s], starts[s + 1]))
        above = set(needs[v])
        c = needs[v][0]
        while parents[c] >= 0:
            c = int(parents[c])
            above.add(c)
        if other not in above:
            gaps[v] = [other]
    return CompressiveProblem(
        sentence, parents, rng.integers(1, 6, len(order)), np.zeros(sentences, np.int64), 40, grams,
        Rows.of(needs), Rows.of(gaps), Rows.of(-np.sort(-rng.integers(1, 5, (40, 3)), axis=1)), 200,
    )  # fmt: skip


def _preorder(parents, first, end):
    order, stack = [], [int(first)]
    while stack:
        c = stack.pop()
        order.append(c)
        stack.extend(d for d in range(end - 1, first - 1, -1) if parents[d] == c)
    return np.array(order)


@pytest.mark.parametrize("seed", range(4))
def test_larger_problems_agree_with_highs(seed):
    problem = chains(25, seed)
    outcome, answer = solve(problem), solve_ilp(problem)
    assert outcome.proved
    assert answer.proved
    assert outcome.hits == answer.hits == problem.hits(outcome.kept)
    assert problem.is_rooted(outcome.kept)
    assert problem.length(outcome.kept) <= problem.budget


def test_a_sentence_with_several_tops_pays_its_opening_once():
    problem = CompressiveProblem(
        sentence=np.array([0, 0, 1]),
        parents=np.array([-1, -1, -1]),
        lengths=np.array([2, 2, 3]),
        openings=np.array([2, 1]),
        budget=6,
        grams=np.array([0, 1, 2]),
        needs=Rows.of([[0], [1], [2]]),
        gaps=Rows.of([[], [], []]),
        gains=Rows.of([[3], [3], [4]]),
        total=10,
    )
    outcome = solve(problem)
    assert (outcome.hits, outcome.kept, solve_ilp(problem).hits) == (6, [0, 1], 6)
    patterns, _ = best_patterns(problem, outcome, NO_LIMITS)
    assert Counting(problem).total(patterns) == 1


def test_a_negative_opening_is_not_taken_for_nothing():
    problem = CompressiveProblem(
        sentence=np.array([0, 0, 1]),
        parents=np.array([-1, -1, -1]),
        lengths=np.array([9, 9, 5]),
        openings=np.array([-1, -1]),
        budget=3,
        grams=np.array([0, 1, 2]),
        needs=Rows.of([[0], [1], [2]]),
        gaps=Rows.of([[], [], []]),
        gains=Rows.of([[3], [3], [4]]),
        total=10,
    )
    assert solve(problem).hits == solve_ilp(problem).hits == 0


@example(0.0)
@given(st.floats(0, 0.01))
@settings(max_examples=3)
def test_a_limit_leaves_a_bound_and_something_as_good_as_the_extract(seconds):
    problem = chains(60, 5)
    outcome = solve(problem, Limits(seconds=seconds, nodes=1))
    assert problem.hits(outcome.kept) == outcome.hits <= outcome.bound
    assert outcome.bound >= solve(problem).hits


def test_references_each_and_best_and_several_metrics_at_once():
    parse = tree("cats sleep while dogs bark loudly", "2 0 5 5 2 5", "nsubj root mark nsubj advcl advmod")
    parsed = topic_of([parse], [["dogs bark loudly often"], ["cats sleep"]])
    each = compressive_oracle(parsed, "rouge-1", "3w", references="each")
    assert [one.references for one in each] == ["R0", "R1"]
    assert [(one.hits, one.total) for one in each] == [(1, 4), (2, 2)], "sleep while bark"
    (one,) = compressive_oracle(parsed, "rouge-1", "3w", references="best")
    assert (one.references, one.hits, one.proved) == ("R1", 2, True)
    assert (one.extract_hits, one.extract_score) == (0, 0.0), "no sentence of three words"
    (every,) = optima_of(Compressions(Metric.parse("rouge-1"), Budget.parse("3w"), "best"), parsed)
    assert (every.references, every.hits, every.proved) == ("R1", 2, True)
    (both,) = compressive_oracle(parsed, "rouge-1+rouge-2", "6w")
    assert both.score == pytest.approx(both.hits / both.total)
    assert both.hits > 0


def test_the_best_extract_has_its_own_best_reference():
    short = tree("cats sleep", "2 0", "nsubj root")
    long = tree("dogs bark loudly there", "2 0 2 2", "nsubj root advmod advmod")
    parsed = topic_of([short, long], [["cats sleep well here now"], ["dogs bark"]])
    (one,) = compressive_oracle(parsed, "rouge-1", "3w", references="best")
    assert (one.references, one.hits, one.total) == ("R1", 2, 2), "dogs bark"
    assert (one.extract_hits, one.extract_score, one.extract_selected) == (2, 0.4, (0,)), "for R0"
    assert one.extract_proved


def test_options_that_make_no_sense_say_so():
    parsed = topic_of([tree("cats sleep", "2 0", "nsubj root")], [["cats sleep"]])
    with pytest.raises(MetricError, match="does not count rouge-su4"):
        compressive_oracle(parsed, "rouge-su4")
    with pytest.raises(MetricError, match="rouge-l"):
        compressive_oracle(parsed, "rouge-l")
    with pytest.raises(BudgetError, match="not chopped"):
        compressive_oracle(parsed, "rouge-1", Budget.parse("5w", chop=True))
    with pytest.raises(OptionError, match="rule set"):
        compressive_oracle(parsed, rules="loose")
    with pytest.raises(MetricError, match="no n-gram of rouge-3"):
        compressive_oracle(parsed, "rouge-3")
    none = topic_of([tree("cats sleep", "2 0", "nsubj root")], [])
    with pytest.raises(MetricError, match="no reference"):
        compressive_oracle(none)


def test_nothing_in_common_gives_an_empty_summary_that_is_proved():
    parsed = topic_of([tree("cats sleep", "2 0", "nsubj root")], [["unrelated words"]])
    (found,) = compressive_oracle(parsed, "rouge-1", "5w")
    assert (found.hits, found.sentences, found.proved, found.bound) == (0, (), True, 0)
    (all_,) = optima_of(Compressions(Metric.parse("rouge-1"), Budget.parse("5w")), parsed)
    assert (all_.count, all_.patterns) == (3, 1), "nothing, [sleep], [cats sleep]"


def test_all_optima_are_listed_by_text():
    parsed = topic_of([tree("red cats sleep", "2 3 0", "amod nsubj root")], [["cats"]])
    settings_ = Compressions(Metric.parse("rouge-1"), Budget.parse("3w"))
    (found,) = optima_of(settings_, parsed, listed=5)
    assert (found.hits, found.count, found.patterns) == (1, 2, 1)
    assert found.list == (("cats sleep",),)


def test_a_treebanks_runs_as_documents(shared_data):
    """Every output sentence is a rooted subtree, printed as its chunks, and no extract is better."""
    found = treebank(shared_data / "ewt-test.conllu")
    variants = (
        Metric.parse("rouge-1", Preprocessing(stopwords="smart")),
        Metric.parse("rouge-2"),
        Metric.parse("rouge-su0"),
    )
    checked = 0
    for number, parsed in enumerate(runs(found, 40, 5)):
        metric, rules = variants[number % 3], ("paper", "strict")[number // 3 % 2]
        settings_ = Compressions(metric, Budget.parse("50w"), rules=rules)
        try:
            (best_,) = settings_.of(parsed)
        except MetricError:
            continue
        assert best_.proved
        assert best_.hits >= best_.extract_hits
        trees = parsed.trees(rules)
        problem, numbering = settings_.problem(
            parsed.topic, encode(trees, settings_.vocabulary), parsed.topic.references
        )
        kept = solve(problem).kept
        assert all(trees[s].is_rooted(chunks) for s, chunks in numbering.by_sentence(kept).items())
        assert [best_.hits] == recall_hits(metric, list(best_.sentences), lines(parsed))
        checked += 1
    assert checked > 40


@given(parses(8))
@settings(max_examples=30)
def test_the_same_problem_gives_the_same_answer(parse):
    parsed = topic_of([parse], [["the cat sat", "dogs ran"]])
    first, second = (compressive_oracle(parsed, "rouge-su0", "4w")[0] for _ in range(2))
    assert (first.sentences, first.kept, first.hits) == (second.sentences, second.kept, second.hits)
