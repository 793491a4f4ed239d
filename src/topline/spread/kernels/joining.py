"""Children of a set, eight at a time: the demand that each leaves open, and its index.

There is a form for a few words of weight 1, which stay in registers, and one for any number of words and
weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import cgutils

from topline.spread.kernels.vectors import (
    VECTOR,
    WORD,
    Data,
    in_row,
    load,
    popcounts,
    same,
    splat,
    store,
    word,
)


def weight(builder: Any, data: Data, w: Any) -> Any:
    """The weight of a word, in all lanes."""
    # 32 bits wide in memory: so LLVM knows that a product needs no 64-bit multiplication
    return splat(builder, builder.zext(word(builder, data["weights"], w), WORD))


def _moved(builder: Any, data: Data, at: Any, bits: Any, above: Any) -> Any:
    """Open demand after a step of the sentences at `at`; `above` is the next word of the state."""
    amount = data["amount"]
    down = builder.lshr(bits, amount)
    if above is not None:
        down = builder.or_(down, builder.shl(above, builder.sub(same(64), amount)))
    rest = builder.and_(bits, builder.not_(load(builder, data["clear"], at)))
    return builder.or_(rest, builder.and_(down, load(builder, data["keep"], at)))


@contextmanager
def _steps(builder: Any, data: Data) -> Iterator[Any]:
    """A loop over the steps of moving on; a row of `clear` and `keep` each, and an amount."""
    with cgutils.for_range(builder, data["steps"]) as step:
        data["amount"] = splat(builder, word(builder, data["amounts"], step.index))
        yield builder.mul(step.index, data["width"])


def children(builder: Any, data: Data, words: int) -> None:
    """What eight children leave open, and their indices: the form for a few words of weight 1."""
    at = data["at"]
    indices = builder.add(splat(builder, data["top"]), load(builder, data["taken"], at))
    kept = []
    for w in range(words):
        kept.append(cgutils.alloca_once(builder, VECTOR))
        parent = word(
            builder, data["states"], builder.add(data["now"], in_row(builder, data, WORD(w), data["p"]))
        )
        builder.store(splat(builder, parent), kept[w])
    with _steps(builder, data) as row:
        before = [*map(builder.load, kept), None]
        for w in range(words):
            place = in_row(builder, data, builder.add(row, WORD(w)), at)
            builder.store(_moved(builder, data, place, before[w], before[w + 1]), kept[w])
    for w in range(words):
        bits = builder.load(kept[w])
        store(builder, bits, data["states"], builder.add(data["next"], in_row(builder, data, WORD(w), at)))
        indices = builder.sub(indices, popcounts(builder, bits))
    store(builder, indices, data["indices"], at)


def children_of_any_width(builder: Any, data: Data) -> None:
    """The same for any number of words and weights: the states stay in memory."""
    at, states = data["at"], data["states"]

    def here(w: Any) -> Any:
        return builder.add(data["next"], in_row(builder, data, w, at))

    with cgutils.for_range(builder, data["width"]) as loop:
        parent = builder.add(data["now"], in_row(builder, data, loop.index, data["p"]))
        store(builder, splat(builder, word(builder, states, parent)), states, here(loop.index))
    with _steps(builder, data) as row, cgutils.for_range(builder, data["width"]) as loop:
        w = loop.index
        # behind the last word there is one that stays empty
        bits, above = (
            load(builder, states, here(w)),
            load(builder, states, here(builder.add(w, WORD(1)))),
        )
        moved = _moved(builder, data, in_row(builder, data, builder.add(row, w), at), bits, above)
        store(builder, moved, states, here(w))
    indices = cgutils.alloca_once(builder, VECTOR)
    top = builder.add(splat(builder, data["top"]), load(builder, data["taken"], at))
    builder.store(top, indices)
    with cgutils.for_range(builder, data["width"]) as loop:
        open_ = popcounts(builder, load(builder, states, here(loop.index)))
        lost = builder.mul(open_, weight(builder, data, loop.index))
        builder.store(builder.sub(builder.load(indices), lost), indices)
    store(builder, builder.load(indices), data["indices"], at)
