"""What a verb keeps in a store: each topic's result, and the parts of hard topics, by what was asked."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

from topline.corpus.jsonl import topic_json
from topline.corpus.records import Topic
from topline.errors import OutputError, Where
from topline.run.plain import plain, whole
from topline.run.store import Store, digest


def proved(result: Any) -> bool:
    """Whether a result is final: what a limit cut short may come out better next time."""
    some = result if isinstance(result, list) else [result]
    return all(getattr(one, "proved", True) for one in some)


def always(_: Any) -> bool:
    """Every result is final: nothing here claims to be proved."""
    return True


class Kept:
    """The memory of one verb with its options.

    `asked` is everything a result depends on beside the topic; `name` gives what stands for a unit that is
    not a topic.
    """

    def __init__(
        self,
        store: Store,
        *asked: object,
        name: Callable[[Any], object] | None = None,
        final: Callable[[Any], bool] = proved,
    ) -> None:
        self._store, self._asked, self._final = store, asked, final
        self._name = name or _of_topic

    def _digest(self, unit: Any, path: tuple[int, ...]) -> str:
        return digest(*self._asked, self._name(unit), list(path))

    def get(self, unit: Any, path: tuple[int, ...]) -> Any | None:
        """The result of an earlier run."""
        value = self._store.get(self._digest(unit, path))
        try:
            return None if value is None else whole(value)
        except (TypeError, ValueError, KeyError, zlib.error) as error:
            raise OutputError(
                f"the store holds what no run of Topline keeps: {error}",
                where=Where(file=str(self._store.path)),
                hint="delete it, or name another with --store",
            ) from error

    def put(self, unit: Any, path: tuple[int, ...], result: Any) -> None:
        """Keep a result that is final."""
        if path or self._final(result):
            self._store.put(self._digest(unit, path), plain(result))


def _of_topic(topic: Topic) -> str:
    return topic_json(topic)
