"""Reading a Berkeley DB hash file: just enough for the script's `WordNet-2.0.exc.db`.

A file is pages of one size; every hash page holds an index of offsets that grows from its head and items
that grow from its end, keys and values in turn. All pages are walked: no bucket is ever looked up.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from topline.errors import CorpusError, Where

_MAGIC = 0x061561
_HASH_PAGES = (2, 13)
"""Page types: a hash page with its items unsorted, or sorted."""
_HEAD = 26
_PLAIN = 1
"""The item type of a key or value that lies on the page itself."""


def read_hash(path: Path) -> dict[bytes, bytes]:
    """All keys and values of a hash file of Berkeley DB 3 or later."""
    data = path.read_bytes()
    order = next((order for order in "<>" if data[12:16] == struct.pack(order + "I", _MAGIC)), None)
    size = struct.unpack(order + "I", data[20:24])[0] if order and len(data) >= 24 else 0
    if order is None or size < 512:
        raise _unreadable(path, "no hash file of Berkeley DB 3 or later")
    found: dict[bytes, bytes] = {}
    try:
        for start in range(0, len(data) - size + 1, size):
            items = _items(data[start : start + size], order)
            found.update(zip(items, items, strict=True))
    except (struct.error, ValueError, IndexError) as error:
        raise _unreadable(path, "a page does not hold together") from error
    return found


def _items(page: bytes, order: str) -> Iterator[bytes]:
    if page[25] not in _HASH_PAGES:
        return
    (entries,) = struct.unpack_from(order + "H", page, 20)
    offsets = struct.unpack_from(f"{order}{entries}H", page, _HEAD)
    for end, start in pairwise((len(page), *offsets)):
        if page[start] != _PLAIN or start >= end:
            raise ValueError("an item that is not plain")
        yield page[start + 1 : end]


def _unreadable(path: Path, what: str) -> CorpusError:
    return CorpusError(what, where=Where(str(path)), hint="build it anew from the .exc files")
