"""The whole run: a command line in, the script's standard output out."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO

from topline.rouge.perl.averages import Averager
from topline.rouge.perl.config import Plan, read_list, read_xml
from topline.rouge.perl.evaluate import Evaluator
from topline.rouge.perl.flags import Flags, parse
from topline.rouge.perl.printout import Result, lines
from topline.rouge.perl.records import records
from topline.rouge.perl.tables import load
from topline.rouge.perl.verbose import Verbose

_SYSTEMS = 32
"""Systems that are averaged and printed together."""


def run(
    arguments: Sequence[str], out: IO[bytes], warn: Callable[[str], None], *, as_json: bool = False
) -> None:
    """Do what the script does with these arguments; its figures may be written as JSON Lines instead.

    Where the script dies a `ToplineError` is raised; what it would have printed by then is in `out`.
    """
    flags = parse(arguments, warn)
    tables = load(flags, warn)
    plan = _plan(flags)
    averager, verbose = Averager(flags), Verbose(flags, plan, tables)
    scored = Evaluator(flags, plan, tables, warn).scored(_systems(flags, plan))
    while batch := list(islice(scored, _SYSTEMS)):
        averages = iter(averager.of([rows for system in batch for rows in system.rows.values()]))
        for system in batch:
            for step, rows in system.rows.items():
                if flags.has("v") and not as_json:
                    out.writelines(verbose.lines(system.system, step, system.outcomes[step]))
                triples = system.triples.get(step, [])
                result = Result(system.system, step, system.ids, rows, triples, next(averages))
                out.writelines(_json_lines(result, flags) if as_json else lines(result, flags))
        out.flush()
        if batch[-1].failure is not None:
            raise batch[-1].failure


def _json_lines(result: Result, flags: Flags) -> Iterator[bytes]:
    for record in records(result, flags):
        yield json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def _plan(flags: Flags) -> Plan:
    path = Path(os.fsdecode(flags.config.encode("latin-1")))
    if not flags.has("z"):
        return read_xml(path)
    return read_list(path, flags.value("z"), "" if flags.extra else _listed(flags))


def _listed(flags: Flags) -> str:
    return "X" if flags.system is None else flags.system


def _systems(flags: Flags, plan: Plan) -> list[str]:
    if flags.all_systems:
        return sorted(plan.systems)
    return [_listed(flags)]
