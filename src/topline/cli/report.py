"""`topline report`: the whole study of a corpus on one self-contained page."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from topline.cli import common
from topline.cli.searching import jobs_options
from topline.corpus.records import Summary, Topic
from topline.corpus.shelf import Shelf
from topline.errors import CorpusError, Where
from topline.report.settings import PARTS, Settings
from topline.rouge.metric import Metric
from topline.run.progress import tracked
from topline.text.budget import Budget

if TYPE_CHECKING:
    from topline.compress.parsed import ParsedTopic, Source
    from topline.report.human import Human
    from topline.report.study import Study
    from topline.run.store import Store
    from topline.systems.background import Background

EXAMPLES = """
\b
Examples:
  topline report sample:news --run mead --run lexrank --out report.html
  topline report corpus.jsonl --systems mine.jsonl --human scores.csv --out report.html
  topline report corpus.jsonl --systems *.jsonl --no-compress --no-spread --out quick.html
  topline report corpus.jsonl --systems mine.jsonl --sections scale,rouge --out short.html
"""
NOT_ON_REQUEST = ("rouge", "people", "baselines", "rank")
"""Parts that are cheap and that the scale is made of: always there."""


def _part_options() -> list[Any]:
    names = [part for part in PARTS if part not in NOT_ON_REQUEST]
    return [click.option(f"--{part}/--no-{part}", default=True, help=f"The part {part!r}.") for part in names]


FILE = click.Path(path_type=Path)
study_options = common.options(
    click.option("--systems", type=FILE, multiple=True, help="Summaries; repeat it."),
    click.option("--run", "run_systems", multiple=True, help="A summariser of ours to run; repeat it."),
    click.option("--human", type=FILE, multiple=True, help="Human scores of systems; repeat it."),
    click.option("--judgments", type=FILE, multiple=True, help="Judges' utilities; repeat it."),
    click.option("--parses", type=FILE, help="CoNLL-U for trimmed summaries [beside the corpus]."),
    click.option("--metric", default="rouge-1", show_default=True, help="Of scale, oracles, distributions."),
    click.option("--rouge-table", default="rouge-1+rouge-2+rouge-l", show_default=True, help="Of the table."),
    common.text_options,
    click.option("--budget", default="100w", show_default=True, help="100w, 665b, 3s or 20%."),
    click.option("--sections", help="Of the page, as scale,rouge,oracles,topics [all]."),
    *_part_options(),
    click.option("--parquet/--no-parquet", default=None, help="Results as Parquet too [with polars]."),
    click.option(
        "--time-limit",
        "--part-limit",
        type=click.FloatRange(0, min_open=True),
        default=20.0,
        show_default=True,
        help="Seconds for a part of a topic.",
    ),
    click.option("--seed", type=click.IntRange(0), default=0, show_default=True),
    click.option("--store", type=FILE, help="Finished work [beside the page]."),
    click.option("--json", "as_json", is_flag=True, help="The records on stdout too, a topic a line."),
    jobs_options,
)


@click.command(epilog=EXAMPLES)
@common.corpus_argument
@click.argument("more", type=FILE, nargs=-1, metavar="[SYSTEMS]...")
@study_options
@click.option("--out", type=click.Path(path_type=Path), default=Path("report.html"), show_default=True)
@click.option("--title", help="Of the page [the corpus's name].")
@common.columns_option
@common.skip_option
def command(
    corpus: Path,
    more: tuple[Path, ...],
    out: Path,
    title: str | None,
    skip_bad: bool,
    columns: str | None,
    **given: Any,
) -> int:
    """How far a summariser can go on CORPUS and where each system stands, on one page.

    SYSTEMS are further files of summaries, as a shell makes of --systems *.jsonl.

    The page needs no network. Beside it lie the same results as records (.results.jsonl, .results.parquet)
    and as tables (.tables.tex), and what was computed (.store): the next run computes only what has changed.
    """
    given["systems"] = (*given["systems"], *more)
    reading = common.read_topics(corpus, columns=columns, skip_bad=skip_bad, references=True)
    failed = make(
        list(tracked(reading, "read")), out, title or str(corpus), corpus, skip_bad=skip_bad, **given
    )
    common.say_skipped(reading)
    return common.LIMIT if failed else 0


def make(
    topics: Sequence[Topic], out: Path, title: str, corpus: Path, *, skip_bad: bool = False, **given: Any
) -> int:
    """Study the topics, write the page and its companions; the number of parts that failed."""
    from topline.judge.baselines import background_of
    from topline.report.study import records, study
    from topline.run.engine import engine
    from topline.run.store import Store

    if not topics:
        raise CorpusError(
            "there is no topic to study",
            where=Where(file=str(corpus)),
            hint="topline validate says what is there",
        )
    shown = _sections(given["sections"])
    settings, human = _settings(given, shown), _human(given)
    _say_strangers(topics, human)
    parquet = _parquet(given["parquet"])
    parses, remarks = _parses(corpus, given, settings)
    if parses is None:
        settings = replace(settings, parts=tuple(part for part in settings.parts if part != "compress"))
    with (
        engine(given["jobs"], given["scheduler"]) as runner,
        Store(given["store"] or out.with_suffix(".store")) as store,
    ):
        background = background_of(topics)
        work = list(_matched(topics, given, store, background, skip_bad=skip_bad))
        try:
            found = study(work, settings, runner, store, tracked, parses, background)
        except KeyboardInterrupt:
            click.echo(f"topline: the same command goes on from what lies in {store.path}", err=True)
            raise
    found.remarks += remarks
    _write_all(found, out, title, human, shown, parquet=parquet)
    for failure in found.failures:
        click.echo(f"topline: {failure.id}: {failure.part} failed: {failure.error}", err=True)
    if given["as_json"]:
        common.emit(records(found), as_json=True, table="plain", out=None)
    click.echo(f"{out.resolve().as_uri()}", err=given["as_json"])
    return len(found.failures)


def _sections(text: str | None) -> tuple[str, ...]:
    """The sections to show, by name."""
    from topline.errors import OptionError
    from topline.report.report import SECTIONS

    if text is None:
        return tuple(SECTIONS)
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in SECTIONS:
            raise OptionError(f"there is no section {name!r}", hint=f"one of {', '.join(SECTIONS)}")
    return tuple(names)


def _parquet(asked: bool | None) -> bool:
    """Whether to write Parquet: as asked, else where polars is there."""
    from importlib.util import find_spec

    from topline.errors import MissingExtra

    there = find_spec("polars") is not None
    if asked and not there:
        raise MissingExtra("polars", "data")
    return there if asked is None else asked


def _settings(given: dict[str, Any], shown: Sequence[str]) -> Settings:
    from topline.errors import OptionError
    from topline.report.report import parts_of

    text = {name: given[name] for name in ("stem", "stopwords", "tokenizer")}
    metric: Metric = common.metric_of(given["metric"], **text)
    table = common.metric_of(given["rouge_table"], **text)
    asked = {part: part in NOT_ON_REQUEST or given[part] for part in PARTS}
    asked["agreement"] &= asked["oracle"]
    asked["rank"] &= asked["spread"]
    parts = tuple(part for part in parts_of(shown) if asked[part])
    budget = Budget.parse(given["budget"])
    if not metric.additive and set(parts) - {"rouge", "people", "mead"}:
        raise OptionError(
            f"{metric} does not count n-grams: it has no best extract",
            hint="--metric rouge-1 for the scale; --rouge-table takes any metric",
        )
    return Settings(metric, table, budget, parts, seconds=given["time_limit"], seed=given["seed"])


def _matched(
    topics: Sequence[Topic], given: dict[str, Any], store: Store, background: Background, *, skip_bad: bool
) -> Iterable[tuple[Topic, list[Summary]]]:
    """Every topic with the summaries of the files and of our own systems."""
    from topline.report.own import Own

    own = Own.of(given["run_systems"], given["budget"], background, store)
    files = common.read_summaries(*given["systems"], skip_bad=skip_bad)
    shelf = Shelf(files)
    for topic in tracked(topics, "summarise", len(topics)):
        yield topic, own.beside(topic, shelf.of(topic))
    shelf.refuse_strangers()
    common.say_skipped(files)


def _human(given: dict[str, Any]) -> Human:
    """What people gave, read before any work is begun."""
    from topline.judge.judged import read_judgments
    from topline.judge.samples import resolved
    from topline.judge.scores import read_human
    from topline.report.human import Human

    return Human(
        [score for path in given["human"] for score in read_human(resolved(path))],
        [one for path in given["judgments"] for one in read_judgments(resolved(path))],
    )


def _say_strangers(topics: Sequence[Topic], human: Human) -> None:
    """On stderr: judgments that no topic of the corpus can use."""
    known = {topic.id for topic in topics}
    strangers = list(dict.fromkeys(one.id for one in human.judged if one.id not in known))
    if strangers:
        click.echo(
            f"topline: judgments of {len(strangers)} topics that the corpus does not have, first"
            f" {strangers[0]!r}: ids must be equal to the letter",
            err=True,
        )


class _Parses:
    """Trees for trimming: the CoNLL-U file given or beside the corpus, else spaCy where it is installed."""

    def __init__(self, source: Source, key: str) -> None:
        self._source = source
        self.key = key

    def parsed(self, topic: Topic) -> ParsedTopic:
        return self._source.parsed(topic)


def _parses(corpus: Path, given: dict[str, Any], settings: Settings) -> tuple[_Parses | None, list[str]]:
    """Where trees come from; where there is nothing to trim with, why not: on stderr and for the page."""
    from topline.compress.grams import check_metric
    from topline.compress.parsed import FromFile, FromParser, beside, source
    from topline.errors import MetricError, MissingExtra, OptionError

    if "compress" not in settings.parts:
        return None, []
    try:
        check_metric(settings.metric)
        found = source(corpus, given["parses"] or beside(corpus))
    except (MetricError, MissingExtra, OptionError) as error:
        if given["parses"]:
            raise
        click.echo(f"topline: no trimmed summaries: {error}", err=True)
        return None, [f"No trimmed summaries: {error}."]
    if isinstance(found, FromFile):
        key = hashlib.blake2b(found.file.path.read_bytes(), digest_size=16).hexdigest()
        return _Parses(found, key), []
    return _Parses(found, found.parser.signature if isinstance(found, FromParser) else ""), []


def _write_all(
    found: Study, out: Path, title: str, human: Human, shown: Sequence[str], *, parquet: bool
) -> None:
    """The page, and beside it the same results as records and as tables."""
    from topline.report.report import html, latex_tables
    from topline.report.study import records

    _write(out, html(found, title, human, shown))
    _write(out.with_suffix(".results.jsonl"), (common.json_line(row) for row in records(found)))
    _write(out.with_suffix(".tables.tex"), latex_tables(found, human, shown))
    if parquet:
        from topline.report.flat import write_parquet

        with common.whole_file(out.with_suffix(".results.parquet"), "wb") as stream:
            write_parquet(found, stream)


def _write(path: Path, pieces: Iterable[str]) -> None:
    with common.whole_file(path) as stream:
        for piece in pieces:
            stream.write(piece)
