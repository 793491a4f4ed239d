"""The papers' tables: each is made for the samples, with the paper's figures beside where asked."""

import json

import numpy as np
import pytest

from topline.cli.common import exit_code_of
from topline.cli.main import cli
from topline.corpus.read import read
from topline.corpus.records import Document, Reference, Sentence, Topic
from topline.errors import CorpusError, SearchLimit
from topline.judge.judged import SCALE, Judged, read_judgments
from topline.judge.papers import Given, Lacking, Table, module_of, tables
from topline.judge.samples import resolved
from topline.judge.scores import read_human
from topline.search.exact import Limits
from topline.search.published import published
from topline.systems.summarize import summarize
from topline.text.budget import Budget


@pytest.fixture(scope="module")
def news():
    topics = tuple(read("sample:news"))[:3]
    systems = {
        name: {topic.id: summarize(topic, name, "50w") for topic in topics}
        for name in ("lead", "textrank", "random")
    }
    human = [
        s
        for s in read_human(resolved("sample:human"))
        if s.system in systems and s.id in ("t01", "t02", "t03")
    ]
    return Given(
        topics=topics, budget=Budget.parse("50w"), systems=systems, human=human, known="duc2004", samples=50,
        draws=10,
    )  # fmt: skip


@pytest.fixture(scope="module")
def newswire():
    topics = tuple(read("sample:newswire"))
    judged = {one.id: one for one in read_judgments(resolved("sample:judgments"))}
    return Given(topics=topics, budget=Budget.parse("60w"), judged=judged)


def made(paper, given, *only):
    found = {one.name: one for one in tables(paper, given, only) if isinstance(one, Table)}
    assert all(one.paper == paper and one.rows and one.title for one in found.values())
    return found


def test_every_table_of_hirao(news):
    found = made("hirao2017", news)
    assert [*found] == ["1", "2", "3", "4", "5", "6", "7"]
    statistics = found["1"].rows[0]
    assert (statistics["topics"], statistics["topics (paper)"], statistics["words (paper)"]) == (3, 50, 4870)
    multi, single, greedy, best = found["2"].rows
    assert multi["ROUGE1 (paper)"] == 0.427
    assert (best["ROUGE2 (paper)"], best["ROUGE2 system (paper)"]) == (0.092, "65")
    for rouge in ("ROUGE1", "ROUGE2"):
        assert best[rouge] <= greedy[rouge] <= multi[rouge] <= single[rouge]
    assert {row["system"]: row["ROUGE1"] for row in found["3"].rows}[best["ROUGE1 system"]] == best["ROUGE1"]
    assert all(0 <= row["multi"] <= 1 for row in found["4"].rows)
    assert found["5"].rows[0]["median single ROUGE1 (paper)"] == 8
    metrics = [row["metric"] for row in found["6"].rows[:10]]
    assert metrics[2:4] == ["F (R1) (single-M)", "F (R1) (single-S)"]
    assert len(found["6"].rows) == 2 * 10


def test_table_5_and_7_against_the_published_search(news):
    from statistics import median

    from topline.judge.papers.oracles import ROUGE
    from topline.problem.build import build

    found = made("hirao2017", news, "5", "7")
    for rouge, metric in ROUGE.items():
        runs = [
            published(one.problem)
            for topic in news.topics
            for one in build(topic, metric, news.budget, "each")
        ]
        counts = [len(run.optima) for run in runs]
        assert found["5"].rows[0][f"median single {rouge}"] == median(counts)
        assert found["5"].rows[0][f"rate single {rouge}"] == pytest.approx(
            sum(count > 1 for count in counts) / len(counts)
        )
        assert found["7"].rows[0][f"{rouge} checked"] == f"{median(run.checked for run in runs):.2e}"


def test_every_table_of_schluter(news):
    found = made("schluter2017", news)
    assert [*found] == ["1", "people", "figure-1"]
    for_r1, for_r2 = found["1"].rows
    assert for_r1["greedy R1 (paper)"] == 50.5
    assert for_r1["exact R1"] > for_r2["exact R1"]
    assert for_r2["exact R2"] > for_r1["exact R2"]
    (people,) = found["people"].rows
    assert (people["R1 (paper)"], people["R2 (paper)"]) == (39.92, 9.39)
    words = found["figure-1"].rows[0]
    assert words["part matches"] < words["words of all"]
    assert words["words of one reference"] < words["words of all"]


def test_every_table_of_radev(newswire):
    found = made("radev2004", newswire)
    assert [*found] == [str(number) for number in range(1, 13)] + ["figure-8"]
    assert len(found["2"].rows) == 4 * 10
    assert len(found["3"].rows) == 31 + 32 + 33 + 33
    assert [row["compression (%)"] for row in found["11"].rows] == list(range(10, 100, 10))
    for row in found["11"].rows:
        assert row["L D"] == pytest.approx((row["L S"] - row["R"]) / (row["J"] - row["R"]))
    lead = [row["L D"] for row in found["11"].rows]
    assert [row["Lead"] for row in found["12"].rows] == lead
    assert "cluster nw3" in found["10"].title
    curve = found["figure-8"].rows
    assert len(found["6"].rows) == len(found["3"].rows)
    mean = sum(curve[4][id] for id in newswire.judged) / 4
    assert mean == pytest.approx(found["11"].rows[4]["J"])


def test_the_papers_ideal_summary_and_points():
    """Tables 4 to 6 on ten sentences with Table 5's utilities: lead takes the ideal's two sentences."""
    row = (10, 9, 8, 7, 0, 0, 0, 0, 0, 0)
    texts = tuple(Sentence(f"The ferry number {i} is on its way home to the coast again.") for i in range(10))
    topic = Topic("t", (Document("A1", texts),))
    judged = Judged("t", 10, ("a", "b"), np.array([row, row[::-1]]) * SCALE)
    found = made("radev2004", Given((topic,), Budget.parse("9w"), judged={"t": judged}), "4", "5", "6")
    ideal, points = found["4"].rows[0], found["5"].rows[0]
    assert (ideal["system"], ideal["size"], ideal["agreement"], ideal["precision"]) == ("L", 2, 0.8, 0)
    assert (points["points"], points["of"], points["S"]) == (9.5, 19, 0.5)
    assert found["6"].rows[0] == {"id": "t", "sentence": "A1-1", "a": 10, "b": 0}


def test_the_papers_own_clusters_are_recognised(newswire):
    from dataclasses import replace

    topics = tuple(replace(topic, id=name) for topic, name in zip(newswire.topics, "ABCD", strict=True))
    judged = {name: replace(one, id=name) for one, name in zip(newswire.judged.values(), "ABCD", strict=True)}
    given = Given(topics=topics, budget=newswire.budget, judged=judged, known="mead")
    first = replace(topics[0], documents=(replace(topics[0].documents[0], id="A1"),))
    given = replace(given, topics=(first, *topics[1:]))
    found = made("radev2004", given, "1", "8", "9", "11", "12")
    assert [row["plus (paper)"] for row in found["8"].rows[:7]] == [3, 3, None, 4, None, 4, None]
    assert "plus (paper)" not in found["8"].rows[7]
    assert found["1"].rows[0]["#sent (paper)"] == 25
    assert found["11"].rows[0]["C+P+O D (paper)"] == 1.06
    assert found["12"].rows[8]["C1P2F1 (paper)"] == 1.55
    assert [row.get("plus (paper)") for row in found["9"].rows[:3]] == [3, 1, None]


def test_tables_of_ceylan_by_domain_and_section():
    topics = tuple(read("sample:science"))[:2]
    found = made("ceylan2010", Given(topics=topics, budget=Budget.parse("60w"), known="scientific"))
    assert [*found] == ["1", "2", "3", "4"]
    (statistics,) = found["1"].rows
    assert statistics["sections"] > 1
    assert statistics["words (paper)"] == 1989
    for pdf, scores, ranks in zip(found["2"].rows, found["3"].rows, found["4"].rows, strict=True):
        assert pdf["metric"] == scores["metric"] == ranks["metric"]
        assert pdf["min"] < pdf["mean"] < pdf["max"]
        assert pdf["sd"] == pytest.approx(pdf["sd exact"], rel=0.1)
        for system in ("random", "lead", "textrank"):
            assert pdf["min"] <= scores[system] <= pdf["max"]
            assert (scores[system] > pdf["mean"]) == (ranks[f"{system} exact"] > 50) or (
                abs(scores[system] - pdf["mean"]) < pdf["sd"]
            )
            assert ranks[system] == pytest.approx(ranks[f"{system} exact"], abs=8)
    assert found["3"].rows[1]["lead (paper)"] == 12.07
    assert found["4"].rows[2]["textrank (paper)"] == 99.94
    assert found["2"].rows[0]["sd (paper)"] == 0.68


def test_domains_of_one_file_get_their_own_figures(news):
    from dataclasses import replace

    domains = ("newswire", "legal", "diaries")
    topics = tuple(replace(topic, domain=name) for topic, name in zip(news.topics, domains, strict=True))
    found = made("ceylan2010", Given(topics, Budget.parse("30w"), known="newswire"), "1", "3")
    assert [row["words (paper)"] for row in found["1"].rows] == [641, 3469, 641]
    assert [row["lead (paper)"] for row in found["3"].rows[:3]] == [45.63, 72.42, 45.63]
    (bare,) = made("ceylan2010", Given(topics, Budget.parse("30w")), "1").values()
    assert "words (paper)" not in bare.rows[0]


def test_without_sections_systems_and_extracts_are_of_the_whole_topic():
    texts = [["The ferry sank near the coast.", "Boats came."], ["People were rescued from the ferry."]]
    documents = tuple(Document(f"d{i}", tuple(map(Sentence, some))) for i, some in enumerate(texts))
    topic = Topic("t", documents, (Reference("A", ("The ferry sank near the coast.",)),))
    found = made("ceylan2010", Given((topic,), Budget.parse("6w")), "1", "3", "4")
    assert found["1"].rows[0]["sections"] == 1
    # lead takes "People were rescued from the ferry.", which shares two of the reference's six words
    assert found["3"].rows[0]["lead"] == 33.333
    # extracts: S1 has 6 hits, S3 has 2, S2 with four words of S1 has 4, S2 with four words of S3 none
    assert found["4"].rows[0]["lead exact"] == 25


CONLLU = """# newdoc id = t/d
# text = Some old dolphins live in rivers.
1	Some	some	DET	_	_	3	det	_	_
2	old	old	ADJ	_	_	3	amod	_	_
3	dolphins	dolphin	NOUN	_	_	4	nsubj	_	_
4	live	live	VERB	_	_	0	root	_	_
5	in	in	ADP	_	_	6	case	_	_
6	rivers	river	NOUN	_	_	4	obl	_	SpaceAfter=No
7	.	.	PUNCT	_	_	4	punct	_	_

# text = Nobody swims.
1	Nobody	nobody	PRON	_	_	2	nsubj	_	_
2	swims	swim	VERB	_	_	0	root	_	SpaceAfter=No
3	.	.	PUNCT	_	_	2	punct	_	_

"""


def test_tables_of_compressive_oracles(tmp_path):
    topic = {
        "id": "t",
        "documents": [{"id": "d", "sentences": ["Some old dolphins live in rivers.", "Nobody swims."]}],
        "references": [{"id": "A", "sentences": ["Dolphins live. Nobody swims."]}],
    }
    path = tmp_path / "corpus.jsonl"
    path.write_text(json.dumps(topic) + "\n")
    (tmp_path / "corpus.conllu").write_text(CONLLU)
    ratings = tmp_path / "ratings.csv"
    ratings.write_text("system,id,readability\ntrimmed,t,4\nwhole,t,5\nwhole,t,4\n")
    given = Given(
        topics=tuple(read(path)), budget=Budget.parse("4w"), corpus=path, known="duc2004",
        human=read_human(ratings),
    )  # fmt: skip
    found = made("compressive", given)
    rows = {(row["summary"], row["best_for"]): row for row in found["1"].rows}
    assert rows["compressive", "rouge-1"]["rouge-1"] == 1
    assert rows["extractive", "rouge-1"]["rouge-1"] == pytest.approx(1 / 3, abs=0.2)
    gain = rows["gain", "rouge-1"]
    assert gain["rouge-1"] > 0
    assert gain["rouge-1 (paper)"] == 0.083
    assert [row["mean"] for row in found["2"].rows] == [4, 4.5]


def test_what_a_table_lacks_is_said_or_raised(newswire):
    from dataclasses import replace

    bare = replace(newswire, judged={}, kept={})
    found = list(tables("radev2004", bare))
    lacking = [one for one in found if isinstance(one, Lacking)]
    assert len(lacking) == 10
    assert all("judgments" in str(one) for one in lacking)
    with pytest.raises(Lacking):
        list(tables("radev2004", bare, ["11"]))


def test_what_is_not_proved_is_not_printed_as_exact(news):
    from dataclasses import replace

    hurried = replace(news, budget=Budget.parse("100w"), known=None, limits=Limits(nodes=1, seconds=1e-9))
    with pytest.raises(SearchLimit, match=r"t01.*not proved"):
        list(tables("schluter2017", hurried, ["1"]))


def test_a_system_must_have_every_topic(news):
    from dataclasses import replace

    systems = {"half": {"t01": news.systems["lead"]["t01"]}}
    with pytest.raises(CorpusError, match="'half' has no summary of this topic"):
        list(tables("hirao2017", replace(news, systems=systems, kept={}), ["3"]))


@pytest.mark.parametrize("paper", ["hirao2017", "ceylan2010", "schluter2017", "radev2004", "compressive"])
def test_every_paper_has_tables_with_unique_names(paper):
    module = module_of(paper)
    assert paper == module.NAME
    assert module.TABLES
    assert module.CORPORA


def test_the_verb_knows_the_papers():
    from topline.cli.tables import PAPERS
    from topline.judge import papers

    assert papers.PAPERS == PAPERS


@pytest.mark.parametrize("style", ["plain", "md", "latex", "tsv"])
def test_tables_print_in_every_style(capsys, tmp_path, style):
    out = tmp_path / "tables.txt"
    arguments = ["tables", "sample:newswire", "--paper", "radev2004", "--only", "1", "--table", style]
    assert exit_code_of(cli, arguments) == 0
    printed = capsys.readouterr().out
    assert "radev2004, Table 1: Corpus composition" in printed
    assert exit_code_of(cli, [*arguments, "--out", str(out)]) == 0
    assert out.read_text() == printed
    assert exit_code_of(cli, [*arguments, "--json"]) == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (first["paper"], first["table"], first["cluster"]) == ("radev2004", "1", "nw1")


def test_figures_of_the_papers_hold_together():
    """What can be recomputed from the figures themselves: Table 3's scores, Table 9's sums, Table 10's D."""
    from topline.judge.papers import radev2004_figures as figures

    table = figures.table_3()
    assert len(table) == 25
    assert table["A1", 2]["Score"] == 1.628571
    assert table["A2", 1]["Score"] == 2.962489
    sizes = {name: row["#sent"] for name, row in figures.TABLE_1.items()}
    assert sum(sizes.values()) == 558
    counted = {
        name: sum(row["plus"] + row["minus"] for row in rows.values())
        for name, rows in figures.TABLE_9.items()
    }
    assert counted == sizes | {"E": 152}  # the paper counts one sentence of cluster E too many
    for row in figures.performance(figures.TABLE_10).values():
        if row["L D"] is not None:
            assert (row["L S"] - row["R"]) / (row["J"] - row["R"]) == pytest.approx(row["L D"], abs=0.25)
