"""Radev, Jing, Stys & Tam 2004, "Centroid-based summarization of multiple documents": Tables 1-12, Fig. 8.

Where the corpus is the paper's (`--as mead`), its clusters are recognised by their names A to F.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np

from topline.judge.baselines import Baselines
from topline.judge.extracts import Chosen
from topline.judge.judged import SCALE, Judged, align
from topline.judge.papers import Given, Lacking, Maker, Row, Table, beside
from topline.judge.papers import radev2004_figures as figures
from topline.judge.relative import RATES, Settings, Study, agreement_rows, subsumption_rows
from topline.judge.utility import mean, normalised
from topline.systems.mead.centroid import term_frequency
from topline.systems.registry import create, parse
from topline.systems.summarize import Summarizer
from topline.systems.table import score_rows

NAME = "radev2004"
CORPORA = ("mead",)
_PLAIN = "rerank=none,length=0"
SYSTEMS = {
    "L": "lead:kind=rounds",
    "C": f"mead:centroid=1,position=0,first=0,{_PLAIN}",
    "C+P": f"mead:centroid=1,position=1,first=0,{_PLAIN}",
    "C+P+O": f"mead:centroid=1,position=1,first=1,{_PLAIN}",
    "C1P2F1": f"mead:weights=c1p2f1,{_PLAIN}",
}
"""The summarisers of section 5.3 (the text's features, no redundancy penalty); multi-document lead."""
COLUMNS = ("L", "C", "C+P", "C+P+O")
HALF = Fraction(1, 2)


def _cluster(given: Given, topic: str) -> str | None:
    return topic.upper() if given.known and topic.upper() in figures.TABLE_1 else None


def _baselines(given: Given) -> Baselines:
    return given.once("baselines", lambda: Baselines(given.topics))


def _extract(given: Given, name: str, id: str, rate: Fraction) -> Chosen:
    """What one of the summarisers takes of a topic at a rate."""
    size = _study(given).size(id, rate)
    return given.once(
        ("extract", name, id, rate), lambda: _baselines(given).at_rate(SYSTEMS[name], id, rate, size)
    )


def composition(given: Given) -> Table:
    """Table 1."""
    rows = []
    for topic in given.topics:
        row: Row = {"cluster": topic.id, "#docs": len(topic.documents), "#sent": len(topic.texts())}
        row = beside(row, figures.TABLE_1.get(_cluster(given, topic.id) or ""))
        rows.append(row | {"topic": topic.title})
    return Table(NAME, "1", "Corpus composition", tuple(rows))


def centroids(given: Given) -> Table:
    """Table 2: the ten heaviest words of each centroid."""
    rows = []
    summarizer = Summarizer(create("mead"), rate=Fraction(1), background=_baselines(given).background)
    for topic in given.topics:
        (prepared,) = summarizer.run(topic).prepared
        tf, idf = term_frequency(prepared), prepared.word_idf
        printed = figures.TABLE_2 if _cluster(given, topic.id) == "A" else {}
        for word in np.argsort(-(tf * idf), kind="stable")[:10]:
            name = prepared.names[word]
            row = {"TF": float(tf[word]), "IDF": float(idf[word]), "TF * IDF": float(tf[word] * idf[word])}
            rows.append({"cluster": topic.id, "term": name} | beside(row, printed.get(name.lower())))
    return Table(
        NAME, "2", "Cluster centroids", tuple(rows), f"IDF from the {_baselines(given).background.name}"
    )


def score_table(given: Given) -> Table:
    """Table 3."""
    system = create(*parse("mead:variant=mead3,first=1"))
    summarizer = Summarizer(system, rate=Fraction(1, 10), background=_baselines(given).background)
    rows = []
    for topic in given.topics:
        printed = figures.table_3() if _cluster(given, topic.id) == "A" else {}
        scored = score_rows(topic, summarizer.run(topic), system)
        rows += [beside(row, printed.get((row["DID"], row["SNO"]))) for row in scored]
    return Table(NAME, "3", "Score table (MEAD 3's features, equal weights)", tuple(rows))


def _study(given: Given) -> Study:
    """The judged topics of the corpus, with their panels."""

    def make() -> Study:
        judged = given.need_judged()
        topics = {topic.id: topic for topic in given.topics if topic.id in judged}
        settings = Settings()
        panels = {
            id: settings.panel(align(judged[id], topic)) for id, topic in topics.items() if judged[id].judges
        }
        if not panels:
            raise Lacking("no topic of the corpus has utilities", hint="ids must be equal")
        return Study(panels, settings)

    return given.once("study", make)


def one_ideal(given: Given) -> Table:
    """Table 4: each system against the one ideal summary, at 20%."""
    study = _study(given)
    rows = []
    for name, id, extract in _ideals(given):
        (against,) = study.against_ideal([extract])
        kept = {key: against[key] for key in ("size", "precision", "recall", "agreement")}
        rows.append({"id": id, "system": name} | kept)
    note = "against the sentences that more than half of the judges choose"
    return Table(NAME, "4", "Systems without utilities: one ideal summary, at 20%", tuple(rows), note)


def utility_points(given: Given) -> Table:
    """Table 5: the points of utility that each system reaches, at 20%."""
    study = _study(given)
    rows = []
    for name, id, extract in _ideals(given):
        panel, size = study.panels[id], len(extract.sentences)
        judges = range(len(panel.judged.judges))
        points = [panel.utility(judge, extract.sentences) for judge in judges]
        ideal = [panel.utility(judge, panel.ideal(judge, size)) for judge in judges]
        reached = panel.performance(extract.sentences, study.level(id, size))
        rows.append({
            "id": id, "system": name, "size": size, "points": sum(points) / (SCALE * len(points)),
            "of": sum(ideal) / (SCALE * len(ideal)), "S": float(reached.S),
        })  # fmt: skip
    note = "points a judge gives the system's sentences, and the judge's own ones; means over judges"
    return Table(NAME, "5", "Systems with utilities, at 20%", tuple(rows), note)


def _ideals(given: Given) -> Iterator[tuple[str, str, Chosen]]:
    """The two systems that Tables 4 and 5 are made for, on every topic."""
    for name in ("L", "C+P+O"):
        for id in _study(given).panels:
            yield name, id, _extract(given, name, id, RATES[1])


def utilities(given: Given) -> Table:
    """Table 6: what each judge gives each sentence."""
    rows = []
    for panel in _study(given).panels.values():
        judged = panel.judged
        for i in range(judged.sentences):
            column = (judged.utilities[:, i] / SCALE).tolist()
            named = dict(zip(judged.judges, column, strict=True))
            rows.append({"id": judged.id, "sentence": judged.label(i), **named})
    return Table(NAME, "6", "The judges' utilities", tuple(rows))


def matrix(given: Given) -> Table:
    """Table 7."""
    study = _study(given)
    return Table(NAME, "7", "Cross-judge utility agreement at 50%", tuple(study.matrix([HALF])))


def _linked(given: Given) -> list[Judged]:
    judged = given.need_judged()
    found = [align(judged[t.id], t) for t in given.topics if t.id in judged and judged[t.id].links]
    if not found:
        raise Lacking("nobody judged subsumption", hint="'subsumed' in the judgments")
    return found


def subsumption(given: Given) -> Table:
    """Table 8: the first seven sentences of each topic."""
    rows: list[Row] = []
    for one in _linked(given):
        printed = figures.TABLE_8 if _cluster(given, one.id) == "A" else {}
        rows += [beside(row, printed.get(row["sentence"])) for row in list(subsumption_rows([one]))[:7]]
    return Table(NAME, "8", "What judges say subsumes the first seven sentences", tuple(rows))


def subsumption_agreement(given: Given) -> Table:
    """Table 9."""
    rows = []
    for one in _linked(given):
        printed = figures.TABLE_9.get(_cluster(given, one.id) or "", {})
        rows += [beside(row, printed.get(row["judges"])) for row in agreement_rows([one])]
    return Table(NAME, "9", "Judges who agree on subsumption, and how many sentences on", tuple(rows))


def _performance(given: Given, ids: Sequence[str], names: Sequence[str]) -> list[Row]:
    """J, R and every system's S and D by rate, averaged over these topics."""
    study = _study(given)
    rows = []
    for rate in RATES:
        levels = [study.level(id, study.size(id, rate)) for id in ids]
        if any(level.J is None for level in levels):
            raise Lacking("J needs two judges of each topic")
        J = mean([level.J for level in levels if level.J is not None])
        R = mean([level.R for level in levels])
        row: Row = {"compression (%)": int(100 * rate), "J": float(J), "R": float(R)}
        for name in names:
            extracts = [_extract(given, name, id, rate) for id in ids]
            S = mean([study.panels[e.id].performance(e.sentences).S for e in extracts])
            D = normalised(S, J, R).D
            row |= {f"{name} S": float(S), f"{name} D": None if D is None else float(D)}
        rows.append(row)
    return rows


def _beside(rows: Sequence[Row], printed: Mapping[int, Row] | None) -> tuple[Row, ...]:
    return tuple(beside(row, printed[row["compression (%)"]] if printed else None) for row in rows)


def large_cluster(given: Given) -> Table:
    """Table 10: the topic with the most sentences."""
    study = _study(given)
    largest = max(study.panels, key=lambda id: study.panels[id].n)
    printed = figures.performance(figures.TABLE_10) if _cluster(given, largest) == "D" else None
    title = f"Summarisers on the large cluster {largest}"
    return Table(NAME, "10", title, _beside(_performance(given, [largest], COLUMNS), printed))


def all_clusters(given: Given) -> Table:
    """Table 11."""
    study = _study(given)
    rows = _performance(given, [*study.panels], COLUMNS)
    printed = figures.performance(figures.TABLE_11) if given.known else None
    note = "D of the averages; undefined (-) where J <= R"
    return Table(NAME, "11", "Summarisers on all clusters", _beside(rows, printed), note)


def best_weights(given: Given) -> Table:
    """Table 12."""
    study = _study(given)
    found = _performance(given, [*study.panels], ("L", "C1P2F1"))
    rows = [
        {"compression (%)": row["compression (%)"], "Lead": row["L D"], "C1P2F1": row["C1P2F1 D"]}
        for row in found
    ]
    printed = figures.table_12() if given.known else None
    return Table(NAME, "12", "Normalised relative utility D", _beside(rows, printed))


def curve(given: Given) -> Table:
    """Figure 8: interjudge agreement across compression rates."""
    study = _study(given)
    rows = []
    for rate in RATES:
        cells = {id: study.level(id, study.size(id, rate)).J for id in study.panels}
        found = {id: None if J is None else float(J) for id, J in cells.items()}
        rows.append({"compression (%)": int(100 * rate), **found})
    return Table(NAME, "figure-8", "Interjudge agreement J across compression rates", tuple(rows))


TABLES: dict[str, Maker] = {
    "1": composition,
    "2": centroids,
    "3": score_table,
    "4": one_ideal,
    "5": utility_points,
    "6": utilities,
    "7": matrix,
    "8": subsumption,
    "9": subsumption_agreement,
    "10": large_cluster,
    "11": all_clusters,
    "12": best_weights,
    "figure-8": curve,
}
