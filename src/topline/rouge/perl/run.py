"""The whole run: a command line in, the script's standard output out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO

from topline.rouge.perl.config import Plan, read_list, read_xml
from topline.rouge.perl.evaluate import Evaluator
from topline.rouge.perl.flags import Flags, parse
from topline.rouge.perl.printout import lines
from topline.rouge.perl.tables import load


def run(arguments: Sequence[str], out: IO[bytes], warn: Callable[[str], None]) -> None:
    """Do what the script does with these arguments.

    Where the script dies a `ToplineError` is raised; what it would have printed by then is in `out`.
    """
    flags = parse(arguments, warn)
    tables = load(flags, warn)
    plan = _plan(flags)
    evaluator = Evaluator(flags, plan, tables, warn)
    for system in _systems(flags, plan):
        results, failure = evaluator.results(system)
        for result in results:
            out.writelines(lines(system, result, flags))
        out.flush()
        if failure is not None:
            raise failure


def _plan(flags: Flags) -> Plan:
    path = Path(os.fsdecode(flags.config.encode("latin-1")))
    if not flags.has("z"):
        return read_xml(path)
    return read_list(path, flags.value("z"), "" if flags.extra else _listed(flags))


def _listed(flags: Flags) -> str:
    return "X" if flags.system is None else flags.system


def _systems(flags: Flags, plan: Plan) -> Iterable[str]:
    if flags.all_systems:
        return sorted(plan.systems)
    return [_listed(flags)]
