"""Results as what JSON knows, and back: arrays, tuples, fractions and Topline's own records.

Nothing else comes back: a store is data, and reading it never runs what somebody put there.
"""

from __future__ import annotations

import base64
import io
import sys
import zlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any

import numpy as np

from topline.errors import OutputError

_TUPLE, _ARRAY, _FRACTION, _MAP, _RECORD = "()", "[]", "/", "{}", "record"
_LARGEST = 1 << 32
"""Bytes of an array that are believed."""


def plain(value: Any) -> Any:  # noqa: PLR0911 - a return for each kind
    """The value as JSON knows it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return {_ARRAY: _packed(value)}
    if isinstance(value, Fraction):
        return {_FRACTION: [value.numerator, value.denominator]}
    if isinstance(value, Mapping):
        return {_MAP: [[plain(key), plain(one)] for key, one in value.items()]}
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return {_TUPLE: [plain(one) for one in value]}
    return _record(value)


def _record(value: Any) -> Any:
    kind = type(value)
    names = getattr(kind, "_fields", None)
    if names is None and is_dataclass(kind):
        names = tuple(field.name for field in fields(kind))
    if names is None or not _ours(kind.__module__):
        raise TypeError(f"{kind.__module__}.{kind.__qualname__} is no record of Topline's")
    return {
        _RECORD: [kind.__module__, kind.__qualname__, {name: plain(getattr(value, name)) for name in names}]
    }


def whole(value: Any) -> Any:  # noqa: PLR0911 - a return for each kind
    """The value that `plain` was given."""
    if isinstance(value, list):
        return [whole(one) for one in value]
    if not isinstance(value, dict):
        return value
    ((mark, inside),) = value.items()
    if mark == _TUPLE:
        return tuple(whole(one) for one in inside)
    if mark == _ARRAY:
        return _unpacked(inside)
    if mark == _FRACTION:
        return Fraction(*inside)
    if mark == _MAP:
        return {whole(key): whole(one) for key, one in inside}
    if mark == _RECORD:
        module, name, given = inside
        return _kind(module, name)(**{key: whole(one) for key, one in given.items()})
    raise OutputError(f"the store holds something unknown: {mark!r}")


def _ours(module: str) -> bool:
    return module.startswith("topline.")


def _kind(module: str, name: str) -> Any:
    """A record's class: a dataclass or named tuple of this package, nothing else."""
    kind = None
    if _ours(module):
        kind = getattr(sys.modules.get(module) or import_module(module), name, None)
    if not isinstance(kind, type) or kind.__module__ != module:
        kind = None
    if kind is None or not (is_dataclass(kind) or hasattr(kind, "_fields")):
        raise OutputError(f"the store names a record that Topline does not have: {module}.{name}")
    return kind


def _packed(array: np.ndarray[Any, Any]) -> str:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=False)
    return base64.b64encode(zlib.compress(stream.getvalue(), 1)).decode("ascii")


def _unpacked(text: str) -> np.ndarray[Any, Any]:
    unzip = zlib.decompressobj()
    data = unzip.decompress(base64.b64decode(text), _LARGEST)
    array: np.ndarray[Any, Any] = np.load(io.BytesIO(data), allow_pickle=False)
    return array
