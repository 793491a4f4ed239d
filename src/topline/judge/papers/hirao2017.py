"""Hirao, Nishino, Suzuki & Nagata 2017, "Enumeration of Extractive Oracle Summaries": Tables 1-7."""

from __future__ import annotations

from statistics import median
from typing import Any

import numpy as np

from topline.judge.correlation import COEFFICIENTS, Floats, coefficient, percentiles
from topline.judge.grid import grid
from topline.judge.overlap import drawn, overlap
from topline.judge.papers import Given, Lacking, Maker, Row, Table, beside
from topline.judge.papers.oracles import ROUGE, mean, recalls, score, solved, summaries_of, system_means
from topline.judge.scores import human_grid, measures
from topline.rouge.metric import Metric
from topline.search.every import selection
from topline.search.exact import Limits
from topline.search.greedy import greedy
from topline.search.published import feasible, published

NAME = "hirao2017"
YEARS = ("duc2001", "duc2002", "duc2003", "duc2004", "duc2005", "duc2006", "duc2007")
CORPORA = YEARS
METRICS = ROUGE
SETTINGS = ("single", "multi")
_COLUMNS_1 = ("topics", "documents", "sentences", "words", "references", "length")
_TABLE_1 = (
    (30, 10, 365, 7706, 89, 100), (59, 10, 238, 4822, 116, 100), (30, 10, 245, 5711, 120, 100),
    (50, 10, 218, 4870, 200, 100), (50, 29.5, 885, 18273.5, 300, 250), (50, 25, 732.5, 15997.5, 200, 250),
    (45, 25, 516, 11427, 180, 250),
)  # fmt: skip
_TABLE_2 = {
    "oracle (multi)": "400 164 452 186 434 185 427 162 445 177 491 211 506 236",
    "oracle (single)": "500 226 515 225 525 258 519 228 574 279 607 303 622 330",
    "greedy": "387 161 438 184 424 182 412 157 430 173 473 206 495 234",
    "best system": "251 080 269 080 295 094 305 092 262 073 305 095 363 117",
}
_PEERS = "T T 19 19 26 13 67 65 10 15 23 24 29 15"
"""The best systems' numbers, in Table 2's order."""
_TABLE_3 = {
    "oracle (multi)": (0.427, 0.162), "oracle (single)": (0.519, 0.228), "CLASSY04": (0.305, 0.0897),
    "CLASSY11": (0.286, 0.0919), "Submodular": (0.300, 0.0933), "DPP": (0.309, 0.0960),
    "RegSum": (0.331, 0.0974), "OCCAMS_V": (0.300, 0.0974), "ICSISumm": (0.310, 0.0980),
}  # fmt: skip
_TABLE_4 = {"ROUGE1": {"single": 0.451, "multi": 0.419}, "ROUGE2": {"single": 0.536, "multi": 0.530}}
_TABLE_5 = (
    (8, 9, 4, 5, 0.854, 0.787, 0.833, 0.733), (7.5, 5.5, 4, 4, 0.897, 0.836, 0.814, 0.780),
    (8, 10.5, 3.5, 4, 0.833, 0.858, 0.800, 0.900), (8, 8, 3.5, 3, 0.865, 0.865, 0.780, 0.760),
    (35, 35.5, 2, 3, 0.916, 0.907, 0.580, 0.660), (28, 22, 2.5, 3, 0.877, 0.880, 0.700, 0.720),
    (23, 16, 4, 2, 0.910, 0.878, 0.733, 0.711),
)  # fmt: skip
_TABLE_6 = {
    "ROUGE1": (0.861, 0.760), "ROUGE2": (0.907, 0.831),
    "F (R1) (single-M)": (0.857, 0.855), "F (R1) (single-S)": ("0.815-0.830", "0.811-0.830"),
    "F (R2) (single-M)": (0.904, 0.826), "F (R2) (single-S)": ("0.855-0.865", "0.740-0.760"),
    "F (R1) (multi-M)": (0.814, 0.841), "F (R1) (multi-S)": ("0.794-0.802", "0.803-0.813"),
    "F (R2) (multi-M)": (0.824, 0.846), "F (R2) (multi-S)": ("0.806-0.816", "0.797-0.817"),
}  # fmt: skip
_TABLE_7 = (
    (3.66e13, 5.75e3, 3.32e7, 1.00e3), (1.12e12, 4.64e3, 1.34e7, 8.87e2), (1.62e11, 3.65e3, 6.37e6, 8.19e2),
    (9.65e10, 4.47e3, 6.90e6, 9.83e2), (5.48e36, 2.32e6, 3.48e21, 7.03e4), (1.94e32, 1.97e6, 2.11e20, 5.08e4),
    (4.14e28, 1.40e6, 1.81e19, 2.60e4),
)  # fmt: skip


def _year(given: Given, figures: tuple[tuple[float, ...], ...]) -> tuple[float, ...] | None:
    return figures[YEARS.index(given.known)] if given.known else None


def _named(names: tuple[str, ...] | list[str], figures: tuple[Any, ...] | None) -> Row | None:
    return None if figures is None else dict(zip(names, figures, strict=True))


def statistics(given: Given) -> Table:
    """Table 1."""
    row = {
        "topics": len(given.topics),
        "documents": median(len(topic.documents) for topic in given.topics),
        "sentences": median(len(topic.texts()) for topic in given.topics),
        "words": median(sum(len(text.split()) for text in topic.texts()) for topic in given.topics),
        "references": sum(len(topic.references) for topic in given.topics),
        "length": str(given.budget),
    }
    figures = _named(_COLUMNS_1, _year(given, _TABLE_1))
    return Table(NAME, "1", "Statistics of the data (medians a topic)", (beside(row, figures),))


def scores(given: Given) -> Table:
    """Table 2."""
    rows: dict[str, Row] = {}
    for mode in SETTINGS[::-1]:
        name = f"oracle ({mode})"
        rows[name] = {"": name}
        for rouge, metric in ROUGE.items():
            rows[name][rouge] = mean(score(one) for topic in solved(given, metric, mode) for one in topic)
    rows["greedy"] = {"": "greedy"} | {
        rouge: mean(
            greedy(one.problem).value / one.problem.total
            for topic in solved(given, metric, "multi")
            for one in topic
        )
        for rouge, metric in ROUGE.items()
    }
    if given.systems:
        rows["best system"] = {"": "best system"}
        means = system_means(given, ROUGE)
        for rouge in ROUGE:
            best = max(means, key=lambda system: means[system][rouge])
            rows["best system"] |= {rouge: means[best][rouge], f"{rouge} system": best}
    return Table(NAME, "2", "ROUGE recall of oracles, greedy and the best system", _beside_year(given, rows))


def _beside_year(given: Given, rows: dict[str, Row]) -> tuple[Row, ...]:
    if given.known is None:
        return tuple(rows.values())
    first = 2 * YEARS.index(given.known)
    found = []
    for name, row in rows.items():
        digits = _TABLE_2[name].split()[first : first + 2]
        figures = dict(zip(ROUGE, (int(d) / 1000 for d in digits), strict=True))
        peers = dict(zip((f"{rouge} system" for rouge in ROUGE), _PEERS.split()[first:], strict=False))
        found.append(beside(row, figures | peers))
    return tuple(found)


def systems(given: Given) -> Table:
    """Table 3."""
    means = system_means(given, ROUGE)
    rows: list[Row] = []
    for mode in SETTINGS[::-1]:
        values = {
            rouge: mean(score(one) for topic in solved(given, metric, mode) for one in topic)
            for rouge, metric in ROUGE.items()
        }
        rows.append({"system": f"oracle ({mode})", **values})
    rows += [{"system": system, **values} for system, values in means.items()]
    if given.known == "duc2004":
        rows = [beside(row, _named([*ROUGE], _TABLE_3.get(row["system"]))) for row in rows]
    return Table(NAME, "3", "ROUGE recall of systems beside the oracles", tuple(rows))


def jaccard(given: Given) -> Table:
    """Table 4."""
    rows = []
    for rouge, metric in ROUGE.items():
        row: Row = {"": rouge}
        for mode in SETTINGS:
            row[mode] = mean(
                one.agreement(greedy(one.problem).chosen).jaccard
                for topic in solved(given, metric, mode)
                for one in topic
            )
        rows.append(beside(row, _TABLE_4[rouge] if given.known == "duc2004" else None))
    return Table(NAME, "4", "Jaccard index of oracles and greedy summaries", tuple(rows))


def counts(given: Given) -> Table:
    """Table 5."""
    row: Row = {}
    found = {
        (mode, rouge): [one.count for topic in solved(given, metric, mode) for one in topic]
        for mode in SETTINGS
        for rouge, metric in ROUGE.items()
    }
    row |= {f"median {mode} {rouge}": float(median(counts)) for (mode, rouge), counts in found.items()}
    row |= {
        f"rate {mode} {rouge}": mean(float(count > 1) for count in counts)
        for (mode, rouge), counts in found.items()
    }
    figures = _named([*row], _year(given, _TABLE_5))
    title = "Median number of oracles, and rate of references and topics with several"
    return Table(NAME, "5", title, (beside(row, figures),))


def correlations(given: Given) -> Table:
    """Table 6."""
    given.need_systems()
    human = given.need_human()
    topics = [topic.id for topic in given.topics]
    rows = []
    for measure in measures(human):
        people = human_grid(human, measure, given.systems, topics, skip_unknown=True)
        names = [name for name in people.systems if name in given.systems]
        if len(names) < 2:
            raise Lacking(f"fewer than two systems have human scores of {measure!r}", hint="--human FILE")
        truth = np.nanmean(people.rows(names), axis=1)
        for rouge, metric in ROUGE.items():
            values = np.array([mean(recalls(metric, summaries_of(given, name))) for name in names])
            rows.append(_correlated(given, measure, rouge, values, truth))
        for mode in SETTINGS:
            for rouge, metric in ROUGE.items():
                label = f"F ({rouge.replace('OUGE', '')})"
                values = _over_all(given, metric, mode, names)
                rows.append(_correlated(given, measure, f"{label} ({mode}-M)", values, truth))
                sampled = _over_draws(given, metric, mode, names)
                rows.append(_sampled(given, measure, f"{label} ({mode}-S)", sampled, truth))
    title = "Correlation of automatic scores with people's, by system"
    note = "-S: one random oracle each, drawn again and again: 95% bootstrap interval of the mean coefficient"
    return Table(NAME, "6", title, tuple(rows), note)


def _correlated(given: Given, measure: str, name: str, values: Floats, truth: Floats) -> Row:
    found = {kind: coefficient(kind, values, truth) for kind in COEFFICIENTS}
    figures = _TABLE_6[name] if given.known == "duc2004" else None
    return {"human": measure} | beside({"metric": name, **found}, _named(["pearson", "spearman"], figures))


def _sampled(given: Given, measure: str, name: str, values: Floats, truth: Floats) -> Row:
    """Intervals of the mean coefficient over draws; `values` holds a row a draw."""
    row: Row = {"metric": name}
    draw = np.random.default_rng(given.seed)
    for kind in COEFFICIENTS:
        each = [coefficient(kind, np.ascontiguousarray(one), truth) for one in values]
        defined = np.array([r for r in each if r is not None])
        if not len(defined):
            row[kind] = None
            continue
        means = defined[draw.integers(0, len(defined), (given.samples, len(defined)))].mean(axis=1)
        low, high = percentiles(means, 0.95)
        row[kind] = f"{low:.3f}-{high:.3f}"
    figures = _TABLE_6[name] if given.known == "duc2004" else None
    return {"human": measure} | beside(row, _named(["pearson", "spearman"], figures))


def _located(given: Given, metric: Metric, names: list[str]) -> list[dict[str, tuple[int, ...]]]:
    """For every topic each system's sentences."""
    return given.once(
        ("located", metric.signature, tuple(names)),
        lambda: [
            {name: selection(given.systems[name][topic.id], topic, metric).chosen for name in names}
            for topic in given.topics
        ],
    )


def _over_all(given: Given, metric: Metric, mode: str, names: list[str]) -> Floats:
    """Each system's mean F over all oracles."""
    for name in names:
        summaries_of(given, name)
    cells = {}
    for topic, sets in zip(given.topics, solved(given, metric, mode), strict=True):
        for name in names:
            found = overlap(topic, given.systems[name][topic.id], sets, metric, mode)
            cells[name, topic.id] = found.f1
    values: Floats = grid(cells).values.mean(axis=1)
    return values


def _over_draws(given: Given, metric: Metric, mode: str, names: list[str]) -> Floats:
    """Each system's mean F against random oracles: draw by system."""
    total = np.zeros((given.draws, len(names)))
    located = _located(given, metric, names)
    for t, sets in enumerate(solved(given, metric, mode)):
        found = drawn(located[t], sets, given.draws, given.seed + 1000 * t)
        total += np.stack([found[name] for name in names], axis=1)
    return total / len(given.topics)


def efficiency(given: Given) -> Table:
    """Table 7."""
    row: Row = {}
    unfinished = 0
    limits = given.limits if given.limits.seconds else Limits(seconds=10.0)
    for rouge, metric in ROUGE.items():
        naive, checked = [], []
        for topic in solved(given, metric, "single"):
            for one in topic:
                naive.append(feasible(one.problem))
                found = published(one.problem, limits)
                checked.append(found.checked)
                unfinished += not found.proved
        row[f"{rouge} naive"] = f"{_middle(naive):.2e}"
        row[f"{rouge} checked"] = f"{median(checked):.2e}"
    printed = _year(given, _TABLE_7)
    figures = _named([*row], tuple(f"{number:.2e}" for number in printed)) if printed else None
    note = f"{unfinished} searches did not finish in {limits.seconds:g} s: their counts are lower bounds"
    title = "Median number of feasible extracts, and of those the published search checks (single)"
    return Table(NAME, "7", title, (beside(row, figures),), note if unfinished else "")


def _middle(values: list[int]) -> float:
    """The median of integers that may be larger than floats hold exactly."""
    ordered = sorted(values)
    half = len(ordered) // 2
    both = ordered[half - 1 : half + 1] if len(ordered) % 2 == 0 else ordered[half : half + 1]
    return sum(both) / len(both)


TABLES: dict[str, Maker] = {
    "1": statistics,
    "2": scores,
    "3": systems,
    "4": jaccard,
    "5": counts,
    "6": correlations,
    "7": efficiency,
}
