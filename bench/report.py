"""The page: fifty topics with every part on; the size of one of a thousand topics, and how soon it shows.

The topics are those of the bundled sample under new ids; for the large page their results are computed once
and repeated, since what is measured there is the page, not the study.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from bench.common import record
from topline.compress.parsed import source
from topline.corpus.read import read
from topline.corpus.records import Summary, Topic
from topline.report.report import html
from topline.report.settings import Settings
from topline.report.study import Study, study
from topline.rouge.metric import Metric
from topline.run.engine import Threads
from topline.systems.summarize import summarize
from topline.text.budget import Budget

SETTINGS = Settings(Metric.parse("rouge-1"), Metric.parse("rouge-1+rouge-2+rouge-l"), Budget.parse("100w"))
SYSTEMS = ("mead", "lexrank", "sumbasic", "lead")
CORPUS = Path("sample:news")
ALL_ON, LARGE = 50, 1000
_PATIENCE = 20.0
"""Seconds to wait for the browser to say when it painted: a busy machine says so late."""
FIRST_PAINT = """
const paint = performance.getEntriesByType('paint').find((entry) => entry.name === 'first-contentful-paint');
return paint ? paint.startTime / 1000 : null;
"""


class _Parts:
    """Processor seconds of each part, of all threads."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def __call__(self, items: Iterable[Any], part: str, _: int) -> Iterator[Any]:
        begun = process_time()
        yield from items
        self.seconds[part] = round(process_time() - begun, 1)


class _Parses:
    """The sample's trees, whatever id a topic goes by."""

    key = "bench"

    def __init__(self) -> None:
        self._by_documents = {}
        trees = source(CORPUS)
        for topic in read(CORPUS):
            self._by_documents[topic.documents] = trees.parsed(topic)

    def parsed(self, topic: Topic) -> Any:
        return replace(self._by_documents[topic.documents], topic=topic)


def corpus(count: int) -> list[tuple[Topic, list[Summary]]]:
    """Topics of the sample under ids of their own, with four systems' summaries."""
    base = [(topic, [summarize(topic, name, "100w") for name in SYSTEMS]) for topic in read(CORPUS)]
    made = []
    for n in range(count):
        topic, summaries = base[n % len(base)]
        id = f"{topic.id}-{n}"
        made.append((replace(topic, id=id), [replace(one, id=id) for one in summaries]))
    return made


def repeated(found: Study, count: int) -> Study:
    """The same results on many topics."""
    topics = []
    for n in range(count):
        one = found.topics[n % len(found.topics)]
        topics.append(replace(one, topic=replace(one.topic, id=f"{one.topic.id}x{n}")))
    return Study(found.settings, topics)


def first_paint(path: Path) -> float | None:
    """Seconds until the browser shows something; None where there is no browser."""
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not binary or not driver:
        return None
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for switch in ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"):
        options.add_argument(switch)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        browser.get(path.as_uri())
        until = perf_counter() + _PATIENCE
        seconds: float | None = None
        while seconds is None and perf_counter() < until:
            seconds = browser.execute_script(FIRST_PAINT)
        return seconds
    finally:
        browser.quit()


def main() -> None:
    threads = Threads(2)
    work = corpus(ALL_ON)
    parts = _Parts()
    begun = perf_counter()
    found = study(work, SETTINGS, threads, watch=parts, parses=_Parses())
    studied = perf_counter() - begun
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for count, some in ((ALL_ON, found), (LARGE, repeated(found, LARGE))):
            path = Path(folder) / f"page{count}.html"
            begun = perf_counter()
            path.write_text("".join(html(some, "bench")), "utf-8")
            written = perf_counter() - begun
            paint = first_paint(path)
            rows.append(
                {
                    "topics": count,
                    "study, seconds": round(studied, 1) if count == ALL_ON else None,
                    "page, seconds": round(written, 1),
                    "MB": round(path.stat().st_size / 1e6, 1),
                    "first paint, seconds": None if paint is None else round(paint, 2),
                }
            )
    threads.close()
    record("report", rows, failures=len(found.failures), processor_seconds=parts.seconds)


if __name__ == "__main__":
    main()
