"""What holds for every summariser: budgets, order, repeatability, and input that is hard to summarise."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import topline
from tests import strategies
from topline.cli.main import main
from topline.corpus.read import read
from topline.corpus.records import Document, Section, Sentence, Summary, Topic
from topline.errors import BudgetError, CorpusError, OptionError, ToplineError
from topline.systems.background import Background, Census, read_background
from topline.systems.fill import Room, as_rate, cut, fill, fill_nearest, ranked, share
from topline.systems.registry import SYSTEMS, create, option_rows, options_of, parse, system_class
from topline.systems.summarize import Summarizer, section_topics, signature, summarize
from topline.systems.words import Words
from topline.text.budget import Budget
from topline.text.tokens import TOKENIZERS, Preprocessing

NAMES = list(SYSTEMS)
VARIANTS = [
    *NAMES, "lead:kind=rounds", "lexrank:kind=threshold", "lexrank:kind=degree", "centroid:kind=cosine",
    "mead:variant=mead3,fill=fit", "mead:rerank=cosine", "mead:rerank=mmr",
    "mead:lexrank=1,title=1,longest=1",
    "occams:weights=lsa", "icsisumm:solver=exact", "submodular:lazy=no", "textrank:redundancy=0.5",
]  # fmt: skip
BUDGETS = st.builds(
    lambda unit, amount: Budget(min(amount, 100) if unit == "%" else amount, unit),
    st.sampled_from("wbs%"),
    st.integers(1, 300),
)


def of(*documents: list[str], **more) -> Topic:
    parts = (Document(f"d{i}", tuple(map(Sentence, texts))) for i, texts in enumerate(documents))
    return Topic("t", tuple(parts), **more)


def words(summary: Summary) -> int:
    return sum(len(sentence.split()) for sentence in summary.sentences)


@pytest.mark.parametrize("system", VARIANTS)
@settings(max_examples=15)
@given(topic=strategies.topics(), budget=BUDGETS)
def test_summaries_are_extracts_within_the_budget(system: str, topic: Topic, budget: Budget) -> None:
    summary = summarize(topic, system, budget)
    texts = topic.texts()
    assert summary.selected is not None
    assert len(set(summary.selected)) == len(summary.selected)
    assert summary.sentences == tuple(texts[row] for row in summary.selected)
    assert sum(map(budget.length, summary.sentences)) <= budget.limit(texts)
    fitting = [text for text in texts if budget.length(text) <= budget.limit(texts)]
    # a lead stops at what does not fit
    assert summary.selected or not fitting or system.startswith("lead") or budget.limit(texts) == 0
    assert summarize(topic, system, budget) == summary


@pytest.mark.parametrize("system", NAMES)
@settings(max_examples=10)
@given(topic=strategies.topics(), amount=st.integers(1, 60), unit=st.sampled_from("wb"))
def test_a_chopped_summary_ends_at_the_budget(system: str, topic: Topic, amount: int, unit: str) -> None:
    budget = Budget(amount, unit, chop=True)
    summary = summarize(topic, system, budget)
    texts = topic.texts()
    length = sum(map(budget.length, summary.sentences))
    assert length <= amount
    cut_ones = [
        (text, texts[row])
        for text, row in zip(summary.sentences, summary.selected or (), strict=True)
        if text != texts[row]
    ]
    assert len(cut_ones) <= 1
    if cut_ones and unit == "w":
        assert length == amount
        assert cut_ones[0][1].split()[: len(cut_ones[0][0].split())] == cut_ones[0][0].split()


@pytest.mark.parametrize("system", VARIANTS)
def test_sentences_stand_by_date_then_place(system: str) -> None:
    topic = next(iter(read("sample:news")))
    selected = list(summarize(topic, system, "150w").selected or ())
    dates = [document.date or "" for document in topic.documents for _ in document.sentences]
    assert selected == sorted(selected, key=lambda row: (dates[row], row))


@pytest.mark.parametrize("system", NAMES)
def test_input_that_is_hard_to_summarise(system: str) -> None:
    alone = "A toxic spill in Spain kills the fish of the river Guadiamar."
    assert summarize(of([alone]), system, "100w").sentences == (alone,)
    assert summarize(of([alone]), system, "3w").sentences == ()
    assert summarize(of(["It is what it is."]), system, "100w").selected == (0,)
    assert summarize(of(["It is what it was.", "To be or not to be."]), system, "5w").sentences
    assert len(summarize(of([alone], [alone], [alone]), system, "12w").sentences) == 1
    odd = of(["", " ", "--", "!?"], [alone])
    assert alone in summarize(odd, system, "100w").sentences or system in ("lead", "dpp")
    assert summarize(odd, system, "100%").selected is not None
    chinese = of(["西班牙发生有毒物质泄漏。", "泄漏污染了河流。", "工人们在丹麦罢工。"])
    # what covers every concept leaves nothing to add
    least = 1 if system == "icsisumm" else 2
    assert len(summarize(chinese, system, "2s").sentences) >= least
    hindi = of(["स्पेन में ज़हरीला रिसाव हुआ", "नदी में मछलियाँ मर गईं", "डेनमार्क में हड़ताल"])
    assert len(summarize(hindi, system, "2s").sentences) >= least


@pytest.mark.parametrize("system", NAMES)
def test_a_topic_is_summarised_alike_alone_and_behind_others(system: str) -> None:
    topics = list(read("sample:news"))[:3]
    ready = Summarizer(create(system), Budget.parse("80w"))
    behind = [ready.run(topic).summary for topic in topics]
    assert behind == [summarize(topic, system, "80w") for topic in topics]
    again = Summarizer(create(system), Budget.parse("80w"))
    assert [again.run(topic).summary for topic in reversed(topics)] == behind[::-1]


@pytest.mark.parametrize("system", ["mead", "textrank", "lead", "icsisumm", "random"])
def test_sections_share_the_budget(system: str) -> None:
    topic = next(iter(read("sample:science")))
    parts = section_topics(topic)
    titles = [section.title for section in topic.documents[0].sections]
    assert [part.documents[0].title for part, _ in parts] == titles
    assert [row for _, rows in parts for row in rows] == list(range(len(topic.texts())))
    lengths = [sum(len(text.split()) for text in part.texts()) for part, _ in parts]
    limits = share(lengths, 200)
    assert sum(limits) == 200
    selected = set(summarize(topic, system, "200w", sections=True).selected or ())
    for (part, rows), limit in zip(parts, limits, strict=True):
        inside = [row for row in rows if row in selected]
        assert sum(len(topic.texts()[row].split()) for row in inside) <= limit
        alone = summarize(part, system, Budget(limit, "w"))
        assert [rows[row] for row in alone.selected or ()] == inside


def test_a_text_before_the_first_section_is_a_section() -> None:
    texts = tuple(map(Sentence, "abcd"))
    topic = Topic("t", (Document("d", texts, sections=(Section("S", 2),)), Document("e", texts)))
    assert [rows for _, rows in section_topics(topic)] == [(0, 1), (2, 3), (4, 5, 6, 7)]


@given(st.lists(st.integers(0, 50), min_size=1, max_size=8), st.integers(0, 500))
def test_shares_add_up(weights: list[int], total: int) -> None:
    parts = share(weights, total)
    assert sum(parts) == (total if sum(weights) else 0)
    for part, weight in zip(parts, weights, strict=True):
        assert abs(part - Fraction(weight * total, max(sum(weights), 1))) < 1


@given(st.lists(st.integers(0, 20), max_size=12), st.integers(0, 60))
def test_filling(lengths: list[int], limit: int) -> None:
    import numpy as np

    room = Room(np.array(lengths, np.int64), limit, "w")
    chosen = fill(range(len(lengths)), room)
    assert room.used(chosen) <= limit
    for row in range(len(lengths)):
        before = room.used([other for other in chosen if other < row])
        assert (row in chosen) == (before < limit and before + lengths[row] <= limit)
    nearest = fill_nearest(range(len(lengths)), room)
    assert not lengths or 0 in nearest
    used = 0
    for row, length in enumerate(lengths):
        taken = row == 0 or used + length <= limit or abs(used + length - limit) < abs(used - limit)
        assert (row in nearest) == taken
        used += length * taken


def test_copies_tie_and_the_first_wins() -> None:
    import numpy as np

    assert ranked(np.array([1.0, 3.0, 3.0 + 1e-13, 2.0])) == [1, 2, 3, 0]
    assert ranked(np.array([0.0, 0.0])) == [0, 1]
    assert ranked(np.array([])) == []


def test_cutting_never_splits_a_character() -> None:
    assert cut("one two  three", 2, "w") == "one two"
    assert cut("größe", 3, "b") == "gr"
    assert cut("größe", 4, "b") == "grö"


def test_a_compression_rate_takes_the_nearest_number_of_sentences() -> None:
    for n, rate, size in ((12, "0.2", 2), (25, "10%", 3), (50, 0.2, 10), (3, 0.01, 1), (30, 0.1, 3)):
        topic = of([f"word{i} is here" for i in range(n)])
        assert len(summarize(topic, "lead", rate=rate).sentences) == size
    topic = of([f"word{i} is here" for i in range(12)])
    assert len(summarize(topic, "mead", rate=0.2, variant="mead3", rerank="none").sentences) == 3
    for wrong in ("0", "1.5", "-0.1", "a", "120%"):
        with pytest.raises(BudgetError):
            as_rate(wrong)
    with pytest.raises(OptionError, match="not both"):
        summarize(topic, "lead", "3s", rate=0.2)


@pytest.mark.parametrize(
    ("system", "what"),
    [
        ("meda", "did you mean mead"),
        ("mead:centroids=1", "no option 'centroids'"),
        ("mead:centroid=much", "is not a number"),
        ("mead:length=2.5", "is not a whole number"),
        ("mead:variant=mead4", "one of paper, mead3"),
        ("lexrank:damping=1.5", "between 0 and 1"),
        ("lead:stop=perhaps", "is not yes or no"),
        ("mead:nowhere.json", "cannot read the options"),
        ("mmr:balance=nan", "out of range"),
        ("random:seed=-1", "out of range"),
    ],
)
def test_wrong_systems_and_options_say_what_is_right(system: str, what: str) -> None:
    with pytest.raises(ToplineError, match=what):
        summarize(of(["a"]), system)


def test_every_system_states_its_paper_and_what_it_leaves_out() -> None:
    import sys

    for name in NAMES:
        kind = system_class(name)
        doc = sys.modules[kind.__module__].__doc__ or ""
        assert kind.name == name
        assert kind.paper
        assert "Left out" in doc, name
    assert [row["system"] for row in option_rows()] == NAMES


def test_options_from_text_and_from_files(tmp_path: Path) -> None:
    file = tmp_path / "tuned.json"
    file.write_text('{"system": "mead", "options": {"centroid": 2.5, "length": 4}}')
    name, options = parse(f"mead:{file},length=5")
    assert options_of(create(name, options)) == {"centroid": 2.5, "length": 5}
    file.write_text('{"system": "lexrank", "options": {}}')
    with pytest.raises(OptionError, match="options of lexrank, not of mead"):
        parse(f"mead:{file}")
    file.write_text('{"options": 3}')
    with pytest.raises(OptionError, match="no options in this file"):
        parse(f"mead:{file}")
    assert create("mead", {"position-form": "sqrt"}) == create("mead", {"position_form": "sqrt"})


def test_idf_tables_are_written_and_read_again(tmp_path: Path) -> None:
    census = Census()
    assert census.add_topics(read("sample:news")) == 8
    table = census.background()
    file = tmp_path / "idf.tsv"
    file.write_text("".join(census.lines()), "utf-8")
    again = read_background(file)
    assert (
        (again.documents, again.tokens) == (table.documents, table.tokens) == (53, sum(table.counts.values()))
    )
    assert again.values == table.values
    assert again.counts == table.counts
    rare = tmp_path / "common.tsv"
    rare.write_text("".join(census.lines(least=10)), "utf-8")
    assert 0 < len(read_background(rare).values) < len(table.values)
    topic = next(iter(read("sample:news")))
    assert summarize(topic, "mead", background=str(file)) == summarize(topic, "mead", background=table)


@given(st.lists(st.lists(strategies.any_text(), max_size=3), max_size=6), st.integers(1, 6))
def test_documents_counted_together_and_one_by_one(documents: list[list[str]], cut: int) -> None:
    from collections import Counter

    together, alone = Census(), Census()
    together.add_all(documents[:cut])
    together.add_all(documents[cut:])
    for texts in documents:
        alone.add(texts)
    words = [[word for text in texts for word in TOKENIZERS["unicode"](text)] for texts in documents]
    counts = Counter(word for some in words for word in some)
    held = Counter(word for some in words for word in set(some))
    expected = {word: (held[word], count) for word, count in counts.items()}
    for census in (together, alone):
        assert census.documents == len(documents)
        assert {word: (h, n) for word, h, n in census.words() if n} == expected


def test_idf_by_hand(tmp_path: Path) -> None:
    import math

    census = Census()
    for texts in (["Gold rush, gold!"], ["gold mine"], ["Größe"]):
        census.add(texts)
    table = census.background()
    assert table.values == pytest.approx(
        {"gold": math.log(3 / 2), "rush": math.log(3), "mine": math.log(3), "grösse": math.log(3)}
    )
    assert table.counts == {"gold": 3, "rush": 1, "mine": 1, "grösse": 1}
    plain = tmp_path / "plain.txt"
    plain.write_text("Gold 3.5\nrush 0.25\n")
    assert read_background(plain, unknown=0.5).idf(["gold", "rush", "x"]).tolist() == [3.5, 0.25, 0.5]


def test_a_census_of_many_words_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    import topline.systems.background as module

    whole = Census()
    monkeypatch.setattr(module, "MOST_WORDS", 40)
    small = Census()
    for i in range(300):
        for census in (whole, small):
            census.add([f"common words here and{i} there{i % 7}"])
    monkeypatch.undo()
    assert small.documents == 300
    held = {word: held for word, held, _ in small.words()}
    assert len(held) < 200
    assert held["common"] == held["words"] == 300
    assert ("common", 300, 300) in set(whole.words())


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "empty"), ("word\n", "a word and its IDF"), ("word nan\n", "not finite"),
        ("# topline idf\tdocuments=x\n", "header"),
        ("# topline idf\tdocuments=0\ttokens=0\ttokenizer=unicode\n", "empty"),
        ("# topline idf\tdocuments=9\ttokens=0\ttokenizer=unicode\n", "empty"),
        ("# topline idf\tdocuments=2\ttokens=3\na\t3\t3\n", "cannot be in 3"),
        ("# topline idf\tdocuments=2\ttokens=3\na\t0\t3\n", "word, documents, occurrences"),
    ],
)  # fmt: skip
def test_broken_idf_tables_say_where(tmp_path: Path, text: str, what: str) -> None:
    file = tmp_path / "idf.tsv"
    file.write_text(text)
    with pytest.raises(CorpusError, match=what) as error:
        read_background(file)
    assert "idf.tsv:" in str(error.value)


@pytest.mark.parametrize("unknown", [float("nan"), float("inf"), -1.0])
def test_unknown_words_need_an_idf_that_makes_sense(tmp_path: Path, unknown: float) -> None:
    file = tmp_path / "idf.tsv"
    file.write_text("gold 2\n")
    with pytest.raises(OptionError, match="unknown words makes no sense"):
        read_background(file, unknown)


def test_topic_signatures_need_counts() -> None:
    with pytest.raises(OptionError, match="no counts"):
        summarize(of(["gold"]), "tssum", background=Background(documents=1, values={"gold": 2.0}))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, str, int]:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    printed = capsys.readouterr()
    return printed.out, printed.err, int(stop.value.code or 0)


def test_the_command_line_writes_what_python_gives(capsys: pytest.CaptureFixture[str]) -> None:
    out, _, code = run(
        capsys, "summarize", "sample:news", "--system", "mead", "--system", "lead:kind=rounds",
        "--budget", "60w", "--idf", "topic", "--json",
    )  # fmt: skip
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [(row["id"], row["system"]) for row in rows[:3]] == [
        ("t01", "mead"), ("t01", "lead:kind=rounds"), ("t02", "mead"),
    ]  # fmt: skip
    for topic, mead in zip(read("sample:news"), rows[::2], strict=True):
        summary = topline.summarize(topic, "mead", "60w")
        assert (tuple(mead["sentences"]), tuple(mead["selected"])) == (summary.sentences, summary.selected)
        assert mead["length"] == words(summary) <= 60
        assert mead["signature"] == signature(Summarizer(create("mead"), Budget.parse("60w")))


def test_systems_share_a_prepared_topic(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from topline.systems import summarize as module

    calls: list[str] = []

    def counted(topic: Topic, *rest: object) -> object:
        calls.append(topic.id)
        return prepare(topic, *rest)

    prepare = module.prepare
    monkeypatch.setattr(module, "prepare", counted)
    systems = [f"--system={name}" for name in VARIANTS]
    shared, alone = tmp_path / "shared.jsonl", tmp_path / "alone.jsonl"
    with pytest.raises(SystemExit):
        main(["summarize", "sample:newswire", *systems, "--budget", "60w", "--out", str(shared)])
    assert calls == ["nw1", "nw2", "nw3", "nw4"]
    rows = [json.loads(line) for line in shared.read_text("utf-8").splitlines()]
    for system in ("random", "lexrank", "mead", "tssum"):
        with pytest.raises(SystemExit):
            main(
                ["summarize", "sample:newswire", f"--system={system}", "--budget", "60w", "--out", str(alone)]
            )
        mine = [row for row in rows if row["system"] == system]
        assert mine == [json.loads(line) for line in alone.read_text("utf-8").splitlines()]


def test_summaries_are_scored_as_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lead.jsonl"
    assert run(capsys, "summarize", "sample:news", "--system", "lead", "--out", str(file))[2] == 0
    out, _, code = run(capsys, "score", "sample:news", "--systems", str(file), "--json")
    assert code == 0
    assert '"system": "lead"' in out


def test_the_score_table_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    out, _, _ = run(
        capsys, "summarize", "sample:news", "--system", "mead:variant=mead3,first=1,length=0", "--rate", "5%",
        "--explain", "--json",
    )  # fmt: skip
    rows = [json.loads(line) for line in out.splitlines()]
    for row in rows:
        assert row["Score"] == pytest.approx(row["Position"] + row["SimWithFirst"] + row["Centroid"])
        assert row["Position"] == pytest.approx(row["SNO"] ** -0.5)
    first = [row for row in rows if row["id"] == "t01"]
    assert max(row["Centroid"] for row in first) == 1.0
    assert all(row["SimWithFirst"] == pytest.approx(1.0) for row in first if row["SNO"] == 1)
    assert sorted(row["Chosen"] for row in first if row["Chosen"]) == list(range(1, 6))
    best = max(first, key=lambda row: row["Score"])
    assert best["Chosen"] == 1


def test_undated_documents_and_empty_summaries_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "corpus.jsonl"
    documents = [
        {"id": "a", "sentences": ["One two three four."]},
        {"id": "b", "text": "Five six seven eight."},
    ]
    file.write_text(json.dumps({"id": "t", "documents": documents}) + "\n")
    out, said, code = run(capsys, "summarize", str(file), "--system", "textrank", "--budget", "2w", "--json")
    assert code == 0
    assert json.loads(out)["order"] == "arrival"
    assert json.loads(out)["sentences"] == []
    assert "1 topic has documents without a date: they are taken in order of arrival" in said
    assert "textrank: in 1 topics no sentence fits the budget" in said


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["sample:news", "--budget", "9w", "--rate", "5%"], "not both"),
        (["sample:news", "--rate", "5%", "--chop"], "not chopped"),
        (["-", "--idf", "corpus"], "read only once"),
        ([], "no corpus"),
        (["nowhere.jsonl"], "no such file"),
        (["sample:news", "--idf", "nowhere.tsv"], "cannot read the IDF table"),
        (["sample:news", "--system", "lead", "--system", "lead"], "given twice"),
    ],
)
def test_wrong_calls(arguments: list[str], what: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, said, code = run(capsys, "summarize", *arguments)
    assert code == 2
    assert what in said


def test_tuning_finds_the_weight_that_pays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """References are the last sentences of each document, so position has to be turned against itself."""
    file, options = tmp_path / "corpus.jsonl", tmp_path / "tuned.json"
    rows = []
    for number in range(8):
        texts = [f"alpha beta gamma w{number}x{i} v{number}x{i} u{number}x{i}" for i in range(5)]
        texts[3] += f" title{number} title{number}"
        document = {"id": "d", "title": f"title{number}", "sentences": texts}
        rows.append(
            {
                "id": f"t{number}",
                "documents": [document],
                "references": [{"id": "A", "sentences": [texts[3]]}],
            }
        )
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out, said, code = run(
        capsys, "tune", str(file), "--system", "mead:length=0,rerank=none", "--features", "position,title",
        "--budget", "1s", "--json", "--out", str(options), "--resamples", "500",
    )  # fmt: skip
    assert code == 0
    *folds, last = [json.loads(line) for line in out.splitlines()]
    assert len(folds) == 8
    assert last["held_out"] == last["trained"] > last["default"]
    assert last["gain_low"] > 0
    assert "do not show" not in said
    assert last["title"] > 0
    written = json.loads(options.read_text())
    assert written["options"]["title"] == last["title"]
    out, _, _ = run(capsys, "summarize", str(file), "--system", f"mead:{options}", "--budget", "1s", "--json")
    assert {tuple(json.loads(line)["selected"]) for line in out.splitlines()} == {(3,)}


def test_tuning_counts_words_of_any_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "corpus.jsonl"
    texts = ["डेनमार्क में हड़ताल जारी है", "नदी में रिसाव हुआ"]
    rows = [
        {
            "id": str(number), "documents": [{"id": "d", "sentences": texts}],
            "references": [{"id": "A", "sentences": ["डेनमार्क में हड़ताल"]}],
        }
        for number in range(3)
    ]  # fmt: skip
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    system = ("--system", "mead:length=0,rerank=none")
    few = ("--budget", "1s", "--steps", "1", "--resamples", "9", "--json")
    out, _, _ = run(capsys, "tune", str(file), *system, *few)
    assert json.loads(out.splitlines()[-1])["trained"] == 1.0


def test_tuning_on_judges(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judged = tmp_path / "judged.jsonl"
    lines = []
    for topic in read("sample:news"):
        sizes = [len(document.sentences) for document in topic.documents]
        utilities = [10 - min(place, 10) for size in sizes for place in range(size)]
        lines += [json.dumps({"id": topic.id, "judge": judge, "utilities": utilities}) for judge in "AB"]
    judged.write_text("\n".join(lines) + "\n")
    out, said, code = run(
        capsys, "tune", "sample:news", "--judgments", str(judged), "--rate", "10%", "--json",
        "--resamples", "200", "--system", "mead:rerank=none,length=0",
    )  # fmt: skip
    last = json.loads(out.splitlines()[-1])
    assert code == 0
    assert "relative utility" in said
    assert last["trained"] >= max(last["default"], last["equal"], last["c1p2f1"])
    assert last["position"] > last["centroid"]


def test_tuning_on_the_bundled_judgments(capsys: pytest.CaptureFixture[str]) -> None:
    """The worth of the weights one has is their mean S, as `utility --run` gives it."""
    rates = ["--judgments", "sample:judgments", "--json"]
    out, _, _ = run(
        capsys, "tune", "sample:newswire", *rates, "--rate", "20%", "--steps", "1", "--resamples", "9"
    )
    last = json.loads(out.splitlines()[-1])
    out, _, _ = run(capsys, "utility", "sample:newswire", *rates, "--rates", "20%", "--run", "mead")
    assert last["default"] == pytest.approx(json.loads(out.splitlines()[-1])["S"])


def test_tuning_needs_topics_references_and_mead(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = tmp_path / "one.jsonl"
    document = {"id": "d", "sentences": ["a b c"]}
    one.write_text(
        json.dumps({"id": "t", "documents": [document], "references": [{"id": "A", "sentences": ["a"]}]})
        + "\n"
    )
    for arguments, what in (
        ([str(one)], "too few"),
        (["sample:news", "--system", "lead"], "only mead has weights"),
        (["sample:news", "--features", "centroid,beauty"], "make no sense"),
        (["sample:news", "--folds", "1"], "folds 2 or more"),
    ):
        _, said, code = run(capsys, "tune", *arguments)
        assert (code, what in said) == (2, True), said


@given(st.lists(strategies.any_text(), max_size=6), st.sampled_from(["unicode", "rouge155"]))
def test_words_are_the_tokenisers_words(texts: list[str], tokenizer: str) -> None:
    preprocessing = Preprocessing(tokenizer, True, "smart")
    words = Words(preprocessing)
    for batch in (texts, texts[::-1]):
        table = words.encode(batch)
        term_of = words.term_of()
        for row, text in enumerate(batch):
            raw = TOKENIZERS[tokenizer](text)
            assert [words.words.words[word] for word in table[row]] == raw
            kept = [int(term_of[word]) for word in table[row] if term_of[word] >= 0]
            assert [words.terms.words[term] for term in kept] == preprocessing.tokens(text)


def test_typography_separates_words_as_any_tokeniser_has_it() -> None:
    text = "“Well”—said\u00a0the captain’s mate – ‘yes’… • no"
    assert not text.isascii()
    words = Words()
    assert [words.words.words[word] for word in words.encode([text])[0]] == TOKENIZERS["unicode"](text)
