"""Labels: ties, soft labels, the recipes against plain twins, and a run that is killed and resumed."""

import json
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from tests.search_cases import random_topic
from tests.test_build import PLAIN, topic_of
from topline import Budget, Metric, Reference, Topic, read_corpus
from topline.corpus.sample import sample
from topline.errors import MetricError, OptionError, OutputError
from topline.problem.build import build
from topline.run.engine import engine
from topline.run.labels import PART, Run
from topline.search import label as module
from topline.search.f1 import f1, recall
from topline.search.label import RECIPES, Labeller, label
from topline.search.recipes import PAPERS, alignment, bertsum, matchsum, recipe, refresh

METRIC = Metric.parse("rouge-1+rouge-2", PLAIN)


def topics(count, seed, metric=METRIC):
    """Random topics whose score is defined."""
    rng = Random(seed)
    found = []
    while len(found) < count:
        topic = random_topic(rng)
        try:
            (instance,) = build(topic, metric, Budget.parse("3s"))
        except MetricError:
            continue
        found.append((Topic(f"t{len(found)}", topic.documents, topic.references), instance))
    return found


def by_definition(instance, value):
    """The first of the best sets: fewer sentences, then smaller numbers."""
    sets = [chosen for size in range(4) for chosen in combinations(range(instance.problem.sentences), size)]
    best = max(value(instance, chosen) for chosen in sets)
    return next(chosen for chosen in sets if value(instance, chosen) == best)


@pytest.mark.parametrize(("objective", "value"), [("f1", f1), ("recall", recall)])
def test_exact_labels_and_their_ties(objective, value):
    labeller = Labeller(metric=METRIC, objective=objective)
    given = topics(150, 51)
    many = labeller.of_many([topic for topic, _ in given])
    for (topic, instance), one in zip(given, many, strict=True):
        assert one == labeller.of(topic)
        assert one.selected == by_definition(instance, value)
        assert one.score == float(value(instance, one.selected))
        assert one.proved
        assert one.sentences == instance.problem.sentences


@pytest.mark.parametrize(("objective", "value"), [("f1", f1), ("recall", recall)])
@pytest.mark.parametrize("name", ["rouge-1", "rouge-1+rouge-2"])
def test_documents_that_are_too_hard_for_the_quick_search_get_the_same(monkeypatch, objective, value, name):
    """All optima, and the first of them; listed, or found sentence by sentence."""
    metric = Metric.parse(name, PLAIN)
    given = topics(40, 52, metric)
    for listed in (10_000, 0):
        monkeypatch.setattr(module, "_LISTED", listed)
        labeller = Labeller(metric=metric, objective=objective)
        for _, instance in given:
            chosen, proved = labeller._at_length(instance)
            assert proved
            assert chosen == by_definition(instance, value)


def test_soft_labels_are_shares_of_all_best_extracts():
    for objective, value in (("f1", f1), ("recall", recall)):
        labeller = Labeller(metric=METRIC, objective=objective, soft=True)
        for topic, instance in topics(60, 53):
            problem = instance.problem
            overlapping = [i for i in range(problem.sentences) if problem.starts[i + 1] > problem.starts[i]]
            sets = [chosen for size in range(4) for chosen in combinations(overlapping, size)]
            best = max(value(instance, chosen) for chosen in sets)
            if not best:
                continue
            sets = [chosen for chosen in sets if value(instance, chosen) == best]
            found = labeller.of(topic)
            assert found.selected == by_definition(instance, value)
            for i, share in enumerate(found.soft):
                assert share == sum(i in chosen for chosen in sets) / len(sets)


def greedy_of_pipelines(sentences, reference):
    """The published selection in floats, n-gram sets and all."""
    words = [[c for c in text.lower().split() if c.isalnum()] for text in sentences]
    wanted = [c for c in " ".join(reference).lower().split() if c.isalnum()]

    def grams(tokens, n):
        return {tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)}

    def score(chosen):
        total = 0.0
        for n in (1, 2):
            mine = set().union(*(grams(words[i], n) for i in chosen))
            theirs = grams(wanted, n)
            shared = len(mine & theirs)
            precision, recall = shared / max(len(mine), 1), shared / max(len(theirs), 1)
            total += 2 * precision * recall / (precision + recall + 1e-8)
        return total

    chosen, best = [], 0.0
    for _ in range(3):
        scores = [(score([*chosen, i]), -i) for i in range(len(sentences)) if i not in chosen]
        top = max(scores, default=(0.0, 0))
        if top[0] <= best + 1e-12:
            break
        best = top[0]
        chosen.append(-top[1])
    return tuple(sorted(chosen))


def test_bertsum_is_the_pipelines_greedy():
    same = 0
    given = topics(200, 54)
    for topic, _ in given:
        sentences, reference = topic.texts(), topic.references[0].sentences
        found = bertsum.label(sentences, reference).selected
        # the floats' 1e-8 and their rounding may decide between equals; nothing else may differ
        same += found == greedy_of_pipelines(sentences, reference)
    assert same > 0.97 * len(given)


def test_bertsum_cleans_as_published():
    assert bertsum.label(["Don't stop, it's 5%.", "x"], ["dont stop its 5"]).selected == (0,)
    assert bertsum.label(["", "..."], ["a b"]).selected == ()


def test_alignment_takes_each_sentence_once():
    rng = Random(55)

    def longest(a, b):
        table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                table[i + 1][j + 1] = table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])
        return table[-1][-1]

    for _ in range(200):
        sentences, reference = (
            [" ".join(rng.choices("abcd", k=rng.randint(0, 6))) for _ in range(rng.randint(1, 5))]
            for _ in range(2)
        )
        free, taken = list(range(len(sentences))), []
        for wanted in reference[: len(sentences)]:
            scores = [longest(wanted.split(), sentences[i].split()) for i in free]
            taken.append(free.pop(scores.index(max(scores))))
        assert alignment.label(sentences, reference).selected == tuple(sorted(taken))


def mean_f1(sentences, reference, chosen):
    from topline import Scorer
    from topline.rouge.score import Comparison

    scorer = Scorer(Metric.parse("rouge-1+rouge-2+rouge-l"))
    scores = scorer.score([Comparison("", "", [sentences[i] for i in chosen], {"r": reference})])
    return round(sum(score.f1 for score in scores), 9)


def test_refresh_and_matchsum_try_the_papers_combinations():
    for topic, _ in topics(12, 56):
        sentences, reference = topic.texts(), topic.references[0].sentences
        n = len(sentences)
        scores = [mean_f1(sentences, reference, (i,)) for i in range(n)]
        order = sorted(range(n), key=lambda i: (-scores[i], i))
        for most, sizes, found in (
            (10, (1, 2, 3), refresh.label(sentences, reference)),
            (5, (2, 3) if n > 1 else (1,), matchsum.label(sentences, reference)),
        ):
            pool = sorted(order[:most])
            tried = [chosen for size in sizes for chosen in combinations(pool, size)]
            values = {chosen: mean_f1(sentences, reference, chosen) for chosen in tried}
            assert values[found.selected] == max(values.values())
            if found.candidates is not None:
                assert sorted(found.candidates) == sorted(tried)
                ranked = [values[chosen] for chosen in found.candidates]
                assert ranked == sorted(ranked, reverse=True)


def test_no_recipe_beats_the_exact_labels():
    for topic in list(read_corpus(sample("newswire")))[:3]:
        best = label(topic, budget="3s")
        for name in PAPERS:
            found = label(topic, name, budget="3s")
            assert found.signature.split("|")[-2] == f"recipe:{name}"
            if len(found.selected) <= 3:
                assert found.score <= best.score
    assert set(RECIPES) == {"exact", *PAPERS}
    assert recipe("bertsum") is bertsum.label


def test_options_that_make_no_sense():
    with pytest.raises(OptionError, match="unknown recipe"):
        Labeller("best")
    with pytest.raises(OptionError, match="soft labels come from all best extracts"):
        Labeller("bertsum", soft=True)
    with pytest.raises(OptionError, match="whole sentences"):
        Labeller(budget=Budget.parse("9w", chop=True))


def corpus(count, bad=()):
    rng = Random(57)
    made = []
    for number in range(count):
        words = "abcdefghij"
        sentences = [" ".join(rng.choices(words, k=6)) for _ in range(5)]
        references = [["..."]] if number in bad else [[" ".join(rng.choices(words, k=8))]]
        made.append(topic_of(sentences, references, f"d{number}"))
    return made


SETTINGS = {"recipe": "exact", "metric": METRIC, "budget": Budget(3, "s"), "objective": "f1", "soft": False}


def run(out, given, *, jobs=1, skip_bad=False, **more):
    hands = engine(jobs)
    try:
        return Run({**SETTINGS, **more}, out, hands, skip_bad=skip_bad).run(given)
    finally:
        hands.close()


def test_threads_and_one_core_write_the_same_bytes(tmp_path):
    given = corpus(3 * PART // 2)
    for jobs in (1, 2, 3):
        run(tmp_path / f"{jobs}.jsonl", given, jobs=jobs)
        run(tmp_path / f"{jobs}.parquet", given, jobs=jobs)
    for form in ("jsonl", "parquet"):
        one = (tmp_path / f"1.{form}").read_bytes()
        assert one == (tmp_path / f"2.{form}").read_bytes() == (tmp_path / f"3.{form}").read_bytes()
    rows = [json.loads(line) for line in (tmp_path / "1.jsonl").read_text().splitlines()]
    labeller = Labeller(metric=METRIC)
    assert [row["id"] for row in rows] == [topic.id for topic in given]
    for row, topic in list(zip(rows, given, strict=True))[::97]:
        assert tuple(row["selected"]) == labeller.of(topic).selected


def test_a_killed_run_goes_on_and_writes_the_same(tmp_path):
    given = corpus(3 * PART + 100, bad={7})

    def killed():
        yield from given[: 2 * PART + 500]
        raise KeyboardInterrupt

    whole, resumed = tmp_path / "whole.jsonl", tmp_path / "resumed.jsonl"
    done = run(whole, given, skip_bad=True)
    assert (done.documents, done.kept, done.skipped) == (len(given) - 1, 0, 1)
    with pytest.raises(KeyboardInterrupt):
        run(resumed, killed(), skip_bad=True)
    assert not resumed.exists()
    parts = sorted((tmp_path / ".resumed.jsonl.parts").glob("part-*"))
    assert len(parts) == 2
    parts[1].write_bytes(parts[1].read_bytes()[:-9])  # the disk was full: not sound, done again
    again = run(resumed, given, skip_bad=True)
    assert (again.documents, again.kept, again.skipped) == (len(given) - 1, PART - 1, 1)
    assert (again.mean_score, again.unproved) == (pytest.approx(done.mean_score), 0)
    assert whole.read_bytes() == resumed.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["resumed.jsonl", "whole.jsonl"]


def test_a_run_does_not_go_on_with_other_options_or_another_corpus(tmp_path):
    given, out = corpus(PART + 10), tmp_path / "labels.jsonl"

    def killed():
        yield from given[: PART + 5]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(out, killed())
    with pytest.raises(OutputError, match="other options"):
        run(out, given, objective="recall")
    with pytest.raises(OutputError, match="the corpus has changed"):
        run(out, given[5:])
    other = Topic("d9", corpus(10)[8].documents, given[9].references)
    with pytest.raises(OutputError, match=r"the corpus has changed.*up to number 1024 of part 0"):
        run(out, [*given[:9], other, *given[10:]])
    stranger = out.with_name(".labels.jsonl.parts") / "part-of-something-else.jsonl"
    stranger.write_text("not ours")
    assert run(out, given).kept == PART


def test_one_run_at_a_time_writes_a_file(tmp_path):
    given, out = corpus(70), tmp_path / "labels.jsonl"

    def meanwhile():
        yield from given[:40]
        with pytest.raises(OutputError, match="another run is writing this file"):
            run(out, given)
        yield from given[40:]

    assert run(out, meanwhile()).documents == 70
    assert [path.name for path in tmp_path.iterdir()] == ["labels.jsonl"]


def test_bad_topics_end_the_run_or_are_counted(tmp_path):
    given = corpus(40, bad={3, 20})
    with pytest.raises(MetricError, match="d3: the references hold no n-gram"):
        run(tmp_path / "labels.jsonl", given)
    assert not any(tmp_path.iterdir())
    done = run(tmp_path / "labels.jsonl", given, skip_bad=True)
    assert (done.documents, done.skipped) == (38, 2)


def test_parquet_has_every_column(tmp_path):
    import polars

    given = corpus(30)
    run(tmp_path / "soft.parquet", given, soft=True)
    run(tmp_path / "match.parquet", given, recipe="matchsum")
    run(tmp_path / "empty.parquet", [])
    soft, match, empty = (
        polars.read_parquet(tmp_path / f"{name}.parquet") for name in ("soft", "match", "empty")
    )
    assert soft.schema == match.schema == empty.schema
    assert (len(soft), len(match), len(empty)) == (30, 30, 0)
    assert soft["soft"].list.len().to_list() == [5] * 30
    assert match["candidates"].list.len().to_list() == [20] * 30
    with pytest.raises(OptionError, match=r"into \.jsonl or \.parquet"):
        run(tmp_path / "labels.csv", given)


def test_a_published_recipe_takes_the_first_reference_and_scores_by_all():
    topic = topic_of(["a b c", "d e f"], [["a b c"], ["d e f"]])
    found = label(topic, "bertsum", metric=METRIC)
    assert found.selected == (0,)
    assert found.score == float(Fraction(2 * 3, 12) + Fraction(2 * 2, 8))
    assert label(Topic("t", topic.documents, (Reference("A", ("d e f",)),)), "bertsum").selected == (1,)
