"""Ceylan et al. 2010, "Quantifying the Limits and Success of Extractive Summarization": a row a domain.

A document with sections is summarised section by section, the budget shared in proportion to their lengths,
and the sections' recalls are added up, as in section 4 of the paper. The last sentence is cut at the budget,
in every extract and in the systems' summaries.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from topline.corpus.records import Summary, Topic
from topline.judge.papers import Given, Maker, Row, Table, beside
from topline.judge.papers.oracles import mean, recalls
from topline.rouge.metric import Metric
from topline.spread.combine import Domain, Ranks, moments
from topline.spread.document import Measuring
from topline.spread.scale import Scale
from topline.spread.settings import Settings
from topline.systems.fill import share
from topline.systems.registry import create
from topline.systems.summarize import Summarizer, section_topics
from topline.text.budget import Budget

NAME = "ceylan2010"
CORPORA = ("newswire", "literary", "scientific", "legal")
METRICS = {
    "ROUGE-1": Metric.parse("rouge-1"),
    "ROUGE-2": Metric.parse("rouge-2"),
    "ROUGE-SU4": Metric.parse("rouge-su4"),
}
SYSTEMS = ("random", "lead", "textrank")
_COLUMNS_1 = ("words", "summary words", "compression", "sections", "section words")
_TABLE_1 = {
    "newswire": (641, 101, 0.84, 1, 641), "literary": (4973, 1148, 0.77, 6, 196),
    "scientific": (1989, 160, 0.92, 9, 221), "legal": (3469, 865, 0.75, 18, 192),
}  # fmt: skip
_COLUMNS_2 = ("sd", "max", "min")
_TABLE_2 = {
    "newswire": ((0.87, 65.70, 20.20), (0.79, 37.40, 1.60), (0.69, 38.10, 6.40)),
    "literary": ((0.47, 63.90, 28.40), (0.34, 16.90, 1.80), (0.30, 24.30, 6.90)),
    "scientific": ((0.68, 71.90, 24.20), (0.60, 33.30, 1.30), (0.50, 35.80, 6.20)),
    "legal": ((0.28, 82.40, 62.80), (0.29, 40.90, 19.60), (0.25, 45.70, 28.70)),
}
"""Standard deviation, maximum and minimum; the means did not survive in the paper's text."""
_TABLE_3 = {
    "newswire": ((39.13, 45.63, 44.43), (11.39, 19.60, 17.99), (15.07, 21.58, 20.46)),
    "literary": ((45.39, 45.36, 46.12), (5.33, 5.41, 5.92), (13.21, 13.28, 13.81)),
    "scientific": ((45.75, 47.18, 49.26), (10.73, 12.07, 12.76), (15.92, 17.12, 17.85)),
    "legal": ((73.04, 72.42, 74.82), (28.56, 28.92, 31.06), (35.41, 35.55, 37.64)),
}
_TABLE_4 = {
    "newswire": ((39.18, 99.99, 99.99), (39.57, 99.99, 99.99), (40.68, 99.99, 99.99)),
    "literary": ((62.89, 62.89, 97.90), (42.20, 54.32, 94.34), (46.39, 46.39, 96.84)),
    "scientific": ((42.30, 95.56, 99.87), (35.6, 96.03, 99.79), (36.37, 97.69, 99.94)),
    "legal": ((79.47, 16.19, 99.99), (36.68, 75.38, 99.99), (23.53, 42.00, 99.99)),
}
_SECONDS = 20.0
_WHOLE = Budget(10**9, "w")
"""Cuts nothing: the systems' summaries are cut already."""


def domains(given: Given) -> dict[str, list[Topic]]:
    """The topics of each domain; those without one are `all`."""
    found: dict[str, list[Topic]] = {}
    for topic in given.topics:
        found.setdefault(topic.domain or "all", []).append(topic)
    return found


def _known(given: Given, domain: str) -> str | None:
    """The paper's domain that a row is of: by its own name, where it has one of the four."""
    if given.known is None:
        return None
    return domain if domain in CORPORA else given.known


def statistics(given: Given) -> Table:
    """Table 1."""
    rows = []
    for domain, topics in domains(given).items():
        words = [float(_words(topic.texts())) for topic in topics]
        summaries = [
            mean(float(_words(reference.sentences)) for reference in topic.references) for topic in topics
        ]
        parts = [[float(_words(part.texts())) for part in sections(given, topic)] for topic in topics]
        row = {
            "words": mean(words),
            "summary words": mean(summaries),
            "compression": mean(1 - short / long for long, short in zip(words, summaries, strict=True)),
            "sections": mean(float(len(lengths)) for lengths in parts),
            "section words": mean(length for lengths in parts for length in lengths),
        }
        known = _known(given, domain)
        printed = dict(zip(_COLUMNS_1, _TABLE_1[known], strict=True)) if known else None
        rows.append({"domain": domain, "documents": len(topics)} | beside(row, printed))
    return Table(NAME, "1", "Statistical properties of the data (means)", tuple(rows))


def sections(given: Given, topic: Topic) -> list[Topic]:
    """The topic's sections; the whole topic in a corpus that has none."""
    return [part for part, _ in section_topics(topic)] if _sectioned(given) else [topic]


def _sectioned(given: Given) -> bool:
    return any(document.sections for topic in given.topics for document in topic.documents)


def _words(texts: tuple[str, ...] | list[str]) -> int:
    return sum(len(text.split()) for text in texts)


def systems(given: Given) -> Table:
    """Table 3."""
    rows = []
    for number, (name, metric) in enumerate(METRICS.items()):
        for domain, topics in domains(given).items():
            row: Row = {
                system: 100 * mean(section_recalls(given, topic, system, metric) for topic in topics)
                for system in SYSTEMS
            }
            known = _known(given, domain)
            figures = _TABLE_3[known][number] if known else None
            printed = dict(zip(SYSTEMS, figures, strict=True)) if figures else None
            rows.append({"metric": name, "domain": domain} | beside(row, printed))
    return Table(NAME, "3", "ROUGE recall of systems in percent", tuple(rows))


def section_recalls(given: Given, topic: Topic, system: str, metric: Metric) -> float:
    """A system's recall on a topic: the sum over its sections."""
    return sum(recalls(metric, [(topic, summary) for _, summary in _summaries(given, topic, system)]))


def section_hits(given: Given, topic: Topic, system: str, metric: Metric) -> Fraction:
    """The same counted as for its rivals, every extract: n-grams within sentences, and nothing rounded."""
    found = Fraction(0)
    for part, summary in _summaries(given, topic, system):
        scale = Scale.of(part, metric, _WHOLE, "pooled")
        found += Fraction(scale.hits(summary.sentences), scale.total)
    return found


def _summaries(given: Given, topic: Topic, system: str) -> list[tuple[Topic, Summary]]:
    """Each section with its summary."""
    return given.once(("summaries", system, topic.id), lambda: list(_summarized(given, topic, system)))


def _summarized(given: Given, topic: Topic, system: str) -> Iterator[tuple[Topic, Summary]]:
    parts = sections(given, topic)
    limit = given.budget.limit(topic.texts())
    lengths = [sum(given.budget.length(text) for text in part.texts()) for part in parts]
    unit = "w" if given.budget.unit == "%" else given.budget.unit
    options = {"seed": given.seed} if system == "random" else {}
    for part, room in zip(parts, share(lengths, limit), strict=True):
        if room:
            budget = Budget(room, unit, chop=unit != "s")
            summary = Summarizer(create(system, options), budget).run(part).summary
            yield part, Summary(topic.id, system, summary.sentences)


def _ranks(given: Given, name: str, metric: Metric, topics: list[Topic]) -> Ranks:
    """The distribution of every extract of a domain."""

    def make() -> Ranks:
        settings = Settings(
            sections="given" if _sectioned(given) else "none",
            seconds=given.limits.seconds or _SECONDS,
            seed=given.seed,
            jobs=given.jobs,
        )
        measuring = Measuring(metric, given.budget, settings)
        spreads = [spread for topic in topics for spread in measuring.of(topic)]
        return Ranks.of(Domain(name, tuple(spread.distribution for spread in spreads)))

    return given.once(("ranks", name, metric.signature), make)


def distributions(given: Given) -> Table:
    """Table 2: `sd` is that of Algorithm 1's pdf, as there; `sd exact` of the exact one."""
    rows = []
    sampled = 0
    for number, (name, metric) in enumerate(METRICS.items()):
        for domain, topics in domains(given).items():
            ranks = _ranks(given, domain, metric, topics)
            mean_, sd = moments(ranks.printed)
            values = {"mean": mean_, "sd": sd, "max": ranks.domain.most, "min": ranks.domain.least}
            row: Row = {column: 100 * value for column, value in values.items()}
            known = _known(given, domain)
            figures = _TABLE_2[known][number] if known else None
            printed = dict(zip(_COLUMNS_2, figures, strict=True)) if figures else None
            sampled += sum(not one.exact for one in ranks.domain.distributions)
            exact = {"sd exact": 100 * ranks.domain.sd}
            rows.append({"metric": name, "domain": domain} | beside(row, printed) | exact)
    note = f"{sampled} distributions are sampled, not counted" if sampled else ""
    return Table(NAME, "2", "ROUGE recall of every extract, in percent", tuple(rows), note)


def percentiles(given: Given) -> Table:
    """Table 4: by equation (2) on Algorithm 1's pdf, as there, and exactly."""
    rows = []
    for number, (name, metric) in enumerate(METRICS.items()):
        for domain, topics in domains(given).items():
            ranks = _ranks(given, domain, metric, topics)
            row: Row = {}
            exact: Row = {}
            for system in SYSTEMS:
                reached = [section_hits(given, topic, system, metric) for topic in topics]
                score = sum(reached, Fraction(0)) / len(reached)
                row[system] = ranks.by_bins(score)
                exact[f"{system} exact"] = ranks.percentile(score)[0]
            known = _known(given, domain)
            figures = _TABLE_4[known][number] if known else None
            printed = dict(zip(SYSTEMS, figures, strict=True)) if figures else None
            rows.append({"metric": name, "domain": domain} | beside(row, printed) | exact)
    note = "exact: the least percentage of combinations of extracts, one a document, that score lower"
    return Table(NAME, "4", "Percentile ranks of systems", tuple(rows), note)


TABLES: dict[str, Maker] = {"1": statistics, "2": distributions, "3": systems, "4": percentiles}
