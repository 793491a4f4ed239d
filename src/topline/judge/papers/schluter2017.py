"""Schluter 2017, "The limits of automatic summarisation according to ROUGE": Table 1, Figure 1, people."""

from __future__ import annotations

from dataclasses import replace

from topline.corpus.records import Summary, Topic
from topline.errors import SearchLimit, Where
from topline.judge.ceiling import frequencies, leave_one_out
from topline.judge.papers import Given, Lacking, Maker, Row, Table, beside
from topline.judge.papers.oracles import mean, recalls
from topline.rouge.metric import Metric
from topline.rouge.score import Scorer
from topline.search.oracle import Oracles, extract_text

NAME = "schluter2017"
CORPORA = ("duc2004", "wiki", "echr")
METRICS = {"R1": Metric.parse("rouge-1"), "R2": Metric.parse("rouge-2")}
_COLUMNS = ("greedy R1", "greedy R2", "exact R1", "exact R2")
_TABLE_1 = {
    "duc2004": {"R1": (50.5, 13.87, 49.91, 13.98), "R2": (48.27, 19.61, 46.92, 16.79)},
    "wiki": {"R1": (64.14, 22.49, 63.41, 21.81), "R2": (59.68, 27.81, 59.43, 27.11)},
    "echr": {"R1": (83.57, 51.01, 84.17, 50.34), "R2": (81.38, 57.31, 82.04, 56.67)},
}
_PEOPLE = {"duc2004": {"R1": 39.92, "R2": 9.39}}


def greedy_and_exact(given: Given) -> Table:
    """Table 1: the greedy extract may be cut at the budget, the exact one not, as there."""
    rows = []
    for name, metric in METRICS.items():
        row: Row = {"optimised for": name}
        for solver in ("greedy", "exact"):
            budget = replace(given.budget, chop=solver == "greedy" and given.budget.unit != "s")
            search = Oracles(metric, budget, solver=solver, limits=given.limits)
            pairs = [(topic, _text(topic, search)) for topic in given.topics]
            for evaluated, by in METRICS.items():
                row[f"{solver} {evaluated}"] = 100 * mean(recalls(by, pairs))
        figures = _TABLE_1[given.known][name] if given.known else None
        rows.append(beside(row, figures and dict(zip(_COLUMNS, figures, strict=True))))
    title = "Oracles by the greedy and the exact search, ROUGE recall in percent"
    return Table(
        NAME, "1", title, tuple(rows), "greedy extracts are cut at the budget, exact ones fit it whole"
    )


def _text(topic: Topic, search: Oracles) -> Summary:
    (best,) = search.of(topic)
    if search.solver == "exact" and not best.proved:
        raise SearchLimit(
            "the best extract was not proved within the limits",
            where=Where(id=topic.id),
            hint="a larger --time-limit, or a smaller budget",
        )
    text = extract_text(topic, search.budget, best.selected, best.cut, best.kept)
    return Summary(topic.id, search.solver, tuple(text))


def people(given: Given) -> Table:
    """Each reference against the others: what people reach (39.92 and 9.39 in section 3)."""
    topics = [topic for topic in given.topics if len(topic.references) > 1]
    if not topics:
        raise Lacking("no topic has several references")
    scorer = Scorer(Metric((*METRICS["R1"].parts, *METRICS["R2"].parts)))
    scores = [score for topic in topics for score in leave_one_out(topic, scorer)]
    row: Row = {"": "one reference against the others"}
    for name, metric in METRICS.items():
        row[name] = 100 * mean(score.recall for score in scores if score.metric == str(metric))
    figures = _PEOPLE.get(given.known or "")
    title = "What people reach, ROUGE recall in percent"
    return Table(NAME, "people", title, (beside(row, figures),), f"{len(topics)} topics")


def words(given: Given) -> Table:
    """Figure 1: how many words must be matched, in one reference and in all of them."""
    rows = []
    for topic in given.topics:
        if not topic.references:
            continue
        found = frequencies(topic, METRICS["R1"])
        single: dict[str, int] = {}
        for word in found:
            if word.reference is not None:
                single[word.reference] = single.get(word.reference, 0) + 1
        together = [word for word in found if word.reference is None]
        rows.append(
            {
                "id": topic.id,
                "words of one reference": mean([*map(float, single.values())]),
                "words of all": len(together),
                "part matches": sum(word.frequency < 1 for word in together),
            }
        )
    note = "the paper's d30001t: about 60, 160 and 136" if given.known == "duc2004" else ""
    title = "Different stems to be matched; of all references together those that count less than 1"
    return Table(NAME, "figure-1", title, tuple(rows), note)


TABLES: dict[str, Maker] = {"1": greedy_and_exact, "people": people, "figure-1": words}
