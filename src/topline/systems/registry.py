"""Summarisers by name, and their options from text: `mead:variant=mead3,first=2` or `mead:FILE`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

from topline.errors import OptionError, Where
from topline.systems.system import System

SYSTEMS: dict[str, str] = {
    "lead": "topline.systems.lead:Lead",
    "random": "topline.systems.random:Random",
    "centroid": "topline.systems.centroid:Centroid",
    "mead": "topline.systems.mead.system:Mead",
    "textrank": "topline.systems.textrank:TextRank",
    "lexrank": "topline.systems.lexrank:LexRank",
    "freqsum": "topline.systems.freqsum:FreqSum",
    "sumbasic": "topline.systems.sumbasic:SumBasic",
    "tssum": "topline.systems.tssum:TsSum",
    "greedykl": "topline.systems.greedykl:GreedyKL",
    "mmr": "topline.systems.mmr:Mmr",
    "submodular": "topline.systems.submodular:Submodular",
    "icsisumm": "topline.systems.icsisumm:IcsiSumm",
    "occams": "topline.systems.occams:Occams",
    "dpp": "topline.systems.dpp:Dpp",
}
"""Where each summariser lives; it is imported when it is asked for."""


def system_class(name: str) -> type[System]:
    """The class of a name."""
    home = SYSTEMS.get(name)
    if home is None:
        near = get_close_matches(name, SYSTEMS, 1)
        hint = f"did you mean {near[0]}?" if near else f"one of {', '.join(SYSTEMS)}"
        raise OptionError(f"there is no system {name!r}", hint=hint)
    module, member = home.split(":")
    found: type[System] = getattr(import_module(module), member)
    return found


def create(name: str, options: Mapping[str, Any] | None = None) -> System:
    """A system with these options; values may be text as typed."""
    kind = system_class(name)
    known = get_type_hints(kind)
    allowed = [field.name for field in fields(kind)]
    values: dict[str, Any] = {}
    for key, value in (options or {}).items():
        option = key.replace("-", "_")
        if option not in allowed:
            hint = f"its options: {', '.join(allowed)}" if allowed else "it has none"
            raise OptionError(f"{name} has no option {key!r}", hint=hint)
        values[option] = _value(name, option, value, known[option])
    return kind(**values)


def parse(text: str) -> tuple[str, dict[str, Any]]:
    """Split `NAME:key=value,FILE,…` into the name and its options; later parts override earlier ones.

    >>> parse("mead:variant=mead3,first=2")
    ('mead', {'variant': 'mead3', 'first': '2'})
    """
    name, _, rest = text.strip().partition(":")
    options: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = part.partition("=")
        options.update({key.strip(): value.strip()} if equals else read_options(name, part))
    return name, options


def read_options(name: str, path: str) -> dict[str, Any]:
    """The options in a file as `topline tune` writes it: `{"system": NAME, "options": {...}}`."""
    try:
        content = json.loads(Path(path).read_text("utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise OptionError(
            f"cannot read the options: {error}",
            where=Where(file=path),
            hint="NAME:key=value, or a file of topline tune",
        ) from error
    if not isinstance(content, dict) or not isinstance(content.get("options"), dict):
        raise OptionError("no options in this file", where=Where(file=path), hint='{"options": {"key": 1}}')
    if content.get("system", name) != name:
        raise OptionError(f"these are options of {content['system']}, not of {name}", where=Where(file=path))
    return dict(content["options"])


def options_of(system: System) -> dict[str, Any]:
    """The options that differ from their defaults."""
    return {
        field.name: getattr(system, field.name)
        for field in fields(system)
        if field.default is MISSING or getattr(system, field.name) != field.default
    }


def option_rows() -> Iterator[dict[str, Any]]:
    """A row a system: its name, paper, and options with their defaults."""
    for name in SYSTEMS:
        kind = system_class(name)
        defaults = ((field.name, field.default) for field in fields(kind))
        options = ", ".join(f"{key}={'' if value is None else value}" for key, value in defaults)
        yield {"system": name, "paper": kind.paper, "options": options}


def _value(system: str, option: str, value: Any, kind: Any) -> Any:
    """A value as the option's type; what cannot be read as it is an error that says what can."""
    kind = next((part for part in get_args(kind) if part is not type(None)), kind)
    if kind is bool:
        words = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
        if isinstance(value, bool) or str(value).lower() in words:
            return value if isinstance(value, bool) else words[str(value).lower()]
        raise OptionError(f"{system}: {option}={value!r} is not yes or no")
    if kind in (int, float):
        try:
            if isinstance(value, bool):
                raise TypeError("a truth value is no number")
            return kind(value)
        except (TypeError, ValueError) as error:
            what = "a whole number" if kind is int else "a number"
            raise OptionError(f"{system}: {option}={value!r} is not {what}") from error
    if not isinstance(value, str):
        raise OptionError(f"{system}: {option}={value!r} is not a word")
    return value
