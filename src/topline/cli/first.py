"""The first run after an installation: kernels are compiled by two processes side by side, then kept."""

from __future__ import annotations

import sys
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired

import click

from topline.cores import cores
from topline.corpus.records import Document, Reference, Sentence, Topic
from topline.rouge.metric import Metric
from topline.text.budget import Budget

PATIENCE = 60
"""Seconds after which the other process is given up."""
_ASIDE = "from topline.search import ahead; ahead.best()"
_ASIDE_TOO = "; ahead.order()"


def compiled(*, every: bool) -> None:
    """Compile what a search needs, if that is still to be done and there are cores for it.

    Another process compiles the search of one best extract into numba's cache; meanwhile this one compiles
    how a problem is built and, with `every`, how all best extracts are found. Without the other process
    all would work as well, only later: it is started for the time it saves, and its end is not asked for.
    """
    if cores() < 2 or not _cold():
        return
    if sys.stderr.isatty():
        click.echo("topline: compiling, once after an installation …", err=True)
    from topline.problem.build import build
    from topline.search import ahead

    program = _ASIDE + _ASIDE_TOO if every else _ASIDE
    try:
        aside = Popen([sys.executable, "-P", "-c", program], stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL)
    except OSError:
        return
    try:
        build(_TOPIC, Metric.parse("rouge-1"), Budget(4, "w"))
        if every:
            ahead.every()
        else:
            ahead.descent()
        aside.wait(PATIENCE)
    except TimeoutExpired:
        return
    finally:
        if aside.poll() is None:
            aside.kill()
            aside.wait()


def _cold() -> bool:
    """Whether numba's cache holds no search yet."""
    from topline.search.kernels.descend import descend

    place = descend.stats.cache_path
    return place is not None and not any(Path(place).glob("descend.descend-*.nbc"))


_TOPIC = Topic(
    "first",
    (Document("d", tuple(map(Sentence, ("One word and another.", "A word more.", "Words again.")))),),
    (Reference("A", ("One word more and another again.",)),),
)
