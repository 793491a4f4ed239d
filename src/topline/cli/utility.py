"""`topline utility`: relative utility of judges and systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from topline.cli import common
from topline.cli.searching import signed
from topline.errors import CorpusError, OptionError

if TYPE_CHECKING:
    from topline.corpus.records import Topic
    from topline.judge.extracts import Chosen
    from topline.judge.judged import Judged
    from topline.judge.relative import Settings, Study

SHOWS = ("levels", "matrix", "systems", "agreement", "subsumption", "consensus", "classes")
EXAMPLES = """
\b
Examples:
  topline utility --judgments judged.jsonl --rates 50%
  topline utility corpus.jsonl --judgments judged.jsonl --systems mine.jsonl --run lead
  topline utility GA3.cluster --judgments GA3.sentjudge --systems GA3.20.extract --credit 0.5
"""


@click.command(epilog=EXAMPLES)
@click.argument("corpus", type=click.Path(path_type=Path), required=False)
@click.option("--judgments", type=click.Path(path_type=Path), multiple=True, required=True, help="Repeat it.")
@click.option("--systems", type=click.Path(path_type=Path), multiple=True, help="Extracts; repeat it.")
@click.option("--run", multiple=True, help="Run a summariser at every rate: lead, mead:weights=equal…")
@click.option("--rates", default="10%,20%,30%,40%,50%,60%,70%,80%,90%", help="Default: 10% to 90%.")
@click.option("--show", type=click.Choice(SHOWS), help="Default: systems where there are any, else levels.")
@click.option("--credit", default="1", show_default=True, help="E: what a subsumed sentence keeps, 0 to 1.")
@click.option(
    "--links", type=click.Choice(["judged", "overlap", "none"]), default="judged", show_default=True
)
@click.option("--threshold", default="0.7", show_default=True, help="Of overlap links: share of words held.")
@click.option("--agree", type=click.IntRange(1), help="Judges who must give a link; default: the majority.")
@click.option("--variant", type=click.Choice(["paper", "mead3"]), default="paper", help="Rates to sizes.")
@click.option("--digits", type=click.IntRange(1, 12), help="Round every step, as the worked example (3).")
@common.columns_option
@common.skip_option
@common.output_options
def command(corpus: Path | None, judgments: tuple[Path, ...], skip_bad: bool, **given: Any) -> int:
    """Relative utility: interjudge agreement J, random R, systems' S and the normalised D.

    The corpus is needed only to run summarisers, to compute links by overlap, and for extracts given as
    text. D is undefined where J <= R: the column `why` says so.
    """
    from topline.judge.extracts import read_extracts
    from topline.judge.judged import align, judged_by_topic

    bad: list[CorpusError] | None = [] if skip_bad else None
    judged = judged_by_topic(judgments, bad=bad)
    topics = _topics(corpus, given["columns"], skip_bad, judged)
    judged = {id: align(one, topics[id]) if id in topics else one for id, one in judged.items()}
    chosen = read_extracts(given["systems"], judged, topics, bad=bad)
    rows = _rows(judged, topics, chosen, given)
    common.emit(rows, as_json=given["as_json"], table=given["table"], out=given["out"])
    if bad:
        click.echo(f"topline: skipped {len(bad)} bad records, the first: {bad[0]}", err=True)
    return 0


def _topics(
    corpus: Path | None, columns: str | None, skip_bad: bool, judged: Mapping[str, Judged]
) -> dict[str, Topic]:
    if corpus is None:
        return {}
    reading = common.read_topics(corpus, columns=columns, skip_bad=skip_bad)
    topics = {topic.id: topic for topic in reading if topic.id in judged}
    common.say_skipped(reading)
    missing = [id for id in judged if id not in topics]
    if missing:
        raise CorpusError(f"topic {missing[0]!r} is judged, but not in the corpus", hint="ids must be equal")
    return topics


def _rows(
    judged: Mapping[str, Judged], topics: Mapping[str, Topic], chosen: list[Chosen], given: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    from topline.judge import relative
    from topline.judge.extracts import parse_rates

    settings = _settings(given)
    show = given["show"] or ("systems" if chosen or given["run"] else "levels")
    if show == "subsumption":
        return relative.subsumption_rows(judged.values())
    if show == "consensus":
        return relative.agreement_rows(judged.values())
    if show == "classes":
        return relative.class_rows(judged.values(), settings, topics)
    rates = parse_rates(given["rates"])
    panels = {id: settings.panel(one, topics.get(id)) for id, one in judged.items() if one.judges}
    if not panels:
        raise OptionError("the judgments hold links but no utilities", hint="--show subsumption")
    study = relative.Study(panels, settings)
    chosen = [*chosen, *_run(given["run"], rates, topics, study)]
    if show == "levels":
        rows = study.levels(rates)
    elif show == "matrix":
        rows = study.matrix(rates)
    elif show == "systems":
        rows = study.systems(chosen)
    else:
        rows = study.against_ideal(chosen) if chosen else study.judges_against_ideal(rates)
    return signed(({**row, "signature": settings.signature} for row in rows), as_json=given["as_json"])


def _settings(given: Mapping[str, Any]) -> Settings:
    from topline.judge.relative import Settings

    try:
        credit, threshold = Fraction(given["credit"]), Fraction(given["threshold"])
    except (ValueError, ZeroDivisionError) as error:
        raise OptionError("--credit and --threshold are numbers", hint="e.g. 0.5 or 1/3") from error
    return Settings(credit, given["links"], threshold, given["agree"], given["variant"], given["digits"])


def _run(
    systems: Sequence[str], rates: Sequence[Fraction], topics: Mapping[str, Topic], study: Study
) -> Iterator[Chosen]:
    """The extracts of summarisers, at every rate."""
    if not systems:
        return
    if not topics:
        raise OptionError("--run needs the texts", hint="give the corpus")
    from topline.judge.baselines import Baselines

    baselines = Baselines(topics.values())
    for name in systems:
        for rate in rates:
            for id in study.panels:
                yield baselines.at_rate(name, id, rate, study.size(id, rate))
