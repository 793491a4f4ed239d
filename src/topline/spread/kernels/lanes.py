# ruff: noqa: ARG001 - intrinsics take their arguments by position, under names that say what they are
"""The inner loop of the enumeration, eight sentences a vector, written in LLVM's own vectors.

Compilers unroll loops for long arrays; here the arrays are short (a few vectors) and the loop runs hundreds
of millions of times, so that its shape is given by hand. Where vectors are shorter LLVM splits them.
There are several forms: for any number of words and weights, and for up to four words of weight 1 (a single
reference), which stay in registers from the update of the demand to the last popcount; each for small and
large gains. A number chooses the form at run time, so that nothing is compiled for a document's sake.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_untracked
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

LANES = 8
BINS = 64
"""The most bins of a row: the gains that can be counted in vectors are below it."""
_WORD = ir.IntType(64)
_VECTOR = ir.VectorType(_WORD, LANES)


def _splat(builder: Any, value: Any) -> Any:
    """A word in all lanes."""
    lane = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), value, ir.IntType(32)(0))
    return builder.shuffle_vector(lane, lane, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


def _same(value: int) -> Any:
    return ir.Constant(_VECTOR, [value] * LANES)


def _load(builder: Any, array: Any, at: Any) -> Any:
    loaded = builder.load(builder.bitcast(builder.gep(array, [at]), _VECTOR.as_pointer()))
    loaded.align = LANES
    return loaded


def _word(builder: Any, array: Any, at: Any) -> Any:
    return builder.load(builder.gep(array, [at]))


def _call(builder: Any, name: str, result: Any, value: Any) -> Any:
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(result, [_VECTOR]), name)
    return builder.call(function, [value])


def _popcounts(builder: Any, bits: Any) -> Any:
    return _call(builder, "llvm.ctpop.v8i64", _VECTOR, bits)


def _count(builder: Any, data: dict[str, Any], bins: int, gains: Callable[[Any], Any]) -> None:
    """Count the gains of all blocks of eight in bins of a byte, then add these to the row."""
    sums = [cgutils.alloca_once_value(builder, _same(0)) for _ in range(bins // 8)]
    with cgutils.for_range(builder, data["blocks"]) as loop:
        offset = builder.mul(loop.index, _WORD(LANES))
        gain = gains(offset)
        alive = _load(builder, data["alive"], builder.add(data["alive_at"], offset))
        one = builder.shl(alive, builder.shl(builder.and_(gain, _same(7)), _same(3)))
        high = builder.lshr(gain, _same(3))
        for number, total in enumerate(sums):
            here = one
            if len(sums) > 1:
                here = builder.select(builder.icmp_unsigned("==", high, _same(number)), one, _same(0))
            builder.store(builder.add(builder.load(total), here), total)
    places = ir.Constant(_VECTOR, [8 * bin_ for bin_ in range(8)])
    for number, total in enumerate(sums):
        packed = _call(builder, "llvm.vector.reduce.add.v8i64", _WORD, builder.load(total))
        counts = builder.and_(builder.lshr(_splat(builder, packed), places), _same(255))
        at = builder.add(data["row"], _WORD(8 * number))
        pointer = builder.bitcast(builder.gep(data["rows"], [at]), _VECTOR.as_pointer())
        store = builder.store(builder.add(_load(builder, data["rows"], at), counts), pointer)
        store.align = LANES


def _arguments(context: Any, builder: Any, kinds: Any, names: str, values: Any) -> dict[str, Any]:
    """The arguments by name, arrays as pointers to their first element."""
    return {
        name: make_array(kind)(context, builder, value).data if isinstance(kind, types.Array) else value
        for name, kind, value in zip(names.split(), kinds, values, strict=True)
    }


def _states(builder: Any, data: dict[str, Any], width: int) -> list[Any]:
    """Let sentence `t` join, in registers; the words are also kept as the state of the next depth."""
    kept = []
    for w in range(width):
        kept.append(cgutils.alloca_once(builder, _WORD))
        builder.store(_word(builder, data["states"], builder.add(data["now"], _WORD(w))), kept[w])
    with cgutils.for_range(builder, data["always"]) as loop:
        _step(builder, data, builder.mul(loop.index, _WORD(width)), kept)
    with cgutils.for_range_slice(builder, data["always"], data["steps"], _WORD(1), _WORD) as (step, _):
        _step(builder, data, builder.mul(step, _WORD(width)), kept)
    state = [builder.load(word) for word in kept]
    for w, bits in enumerate(state):
        builder.store(bits, builder.gep(data["states"], [builder.add(data["next"], _WORD(w))]))
    return state


def _step(builder: Any, data: dict[str, Any], row: Any, kept: list[Any]) -> None:
    """Move the fields of sentence `t` on by one."""
    before = [builder.load(word) for word in kept]
    for w, bits in enumerate(before):
        at = builder.add(builder.mul(builder.add(row, _WORD(w)), data["stride"]), data["t"])
        down = builder.lshr(bits, _WORD(1))
        if w + 1 < len(before):
            down = builder.or_(down, builder.shl(before[w + 1], _WORD(63)))
        rest = builder.and_(bits, builder.not_(_word(builder, data["clear"], at)))
        builder.store(builder.or_(rest, builder.and_(down, _word(builder, data["keep"], at))), kept[w])


def _one_reference(builder: Any, data: dict[str, Any], width: int, bins: int) -> Any:
    """The form for a few words of weight 1."""
    state = _states(builder, data, width)
    base = data["top"]
    for bits in state:
        base = builder.sub(base, builder.ctpop(bits))
    data["row"] = builder.mul(base, data["columns"])
    spread = [_splat(builder, bits) for bits in state]
    rows = [builder.add(data["at"], builder.mul(_WORD(w), data["stride"])) for w in range(width)]

    def gains(offset: Any) -> Any:
        total = _same(0)
        for row, open_ in zip(rows, spread, strict=True):
            takes = _load(builder, data["table"], builder.add(builder.add(row, data["begin"]), offset))
            total = builder.add(total, _popcounts(builder, builder.and_(takes, open_)))
        return total

    _count(builder, data, bins, gains)
    with builder.if_then(data["mine"]):
        own = data["row"]
        for row, bits in zip(rows, state, strict=True):
            takes = _word(builder, data["table"], builder.add(row, data["t"]))
            own = builder.add(own, builder.ctpop(builder.and_(takes, bits)))
        _take_out(builder, data, own)
    return base


def _take_out(builder: Any, data: dict[str, Any], own: Any) -> None:
    pointer = builder.gep(data["rows"], [own])
    builder.store(builder.sub(builder.load(pointer), _WORD(1)), pointer)


def _any_width(builder: Any, data: dict[str, Any], bins: int) -> Any:
    """The form for any number of words and weights: the state stays in memory."""
    next_ = data["next"]
    with cgutils.for_range(builder, data["width"]) as loop:
        word = _word(builder, data["states"], builder.add(data["now"], loop.index))
        builder.store(word, builder.gep(data["states"], [builder.add(next_, loop.index)]))
    with cgutils.for_range(builder, data["steps"]) as step:
        row = builder.mul(step.index, data["width"])
        with cgutils.for_range(builder, data["width"]) as loop:
            place = builder.gep(data["states"], [builder.add(next_, loop.index)])
            bits = builder.load(place)
            above = builder.load(builder.gep(place, [_WORD(1)]))
            at = builder.add(builder.mul(builder.add(row, loop.index), data["stride"]), data["t"])
            down = builder.or_(builder.lshr(bits, _WORD(1)), builder.shl(above, _WORD(63)))
            rest = builder.and_(bits, builder.not_(_word(builder, data["clear"], at)))
            builder.store(builder.or_(rest, builder.and_(down, _word(builder, data["keep"], at))), place)
    base, own = cgutils.alloca_once(builder, _WORD), cgutils.alloca_once(builder, _WORD)
    builder.store(data["top"], base)
    builder.store(_WORD(0), own)
    with cgutils.for_range(builder, data["width"]) as loop:
        bits = _word(builder, data["states"], builder.add(next_, loop.index))
        weight = builder.zext(_word(builder, data["weights"], loop.index), _WORD)
        lost = builder.mul(weight, builder.ctpop(bits))
        builder.store(builder.sub(builder.load(base), lost), base)
        row = builder.add(data["at"], builder.mul(loop.index, data["stride"]))
        takes = _word(builder, data["table"], builder.add(row, data["t"]))
        found = builder.mul(weight, builder.ctpop(builder.and_(takes, bits)))
        builder.store(builder.add(builder.load(own), found), own)
    data["row"] = builder.mul(builder.load(base), data["columns"])

    def gains(offset: Any) -> Any:
        gain = cgutils.alloca_once(builder, _VECTOR)
        builder.store(_same(0), gain)
        with cgutils.for_range(builder, data["width"]) as loop:
            row = builder.add(data["at"], builder.mul(loop.index, data["stride"]))
            takes = _load(builder, data["table"], builder.add(builder.add(row, data["begin"]), offset))
            open_ = _splat(builder, _word(builder, data["states"], builder.add(next_, loop.index)))
            weight = _splat(builder, builder.zext(_word(builder, data["weights"], loop.index), _WORD))
            hits = builder.mul(_popcounts(builder, builder.and_(takes, open_)), weight)
            builder.store(builder.add(builder.load(gain), hits), gain)
        return builder.load(gain)

    _count(builder, data, bins, gains)
    with builder.if_then(data["mine"]):
        _take_out(builder, data, builder.add(data["row"], builder.load(own)))
    return builder.load(base)


SIZES = (8, 16, 32, BINS)
"""Bins that the forms are made for."""
_IN_REGISTERS = 4


def form(words: int, unit: bool, most: int) -> int:
    """The number of the form for so many words (`unit`: all of weight 1) and gains up to `most`."""
    width = words if unit and words <= _IN_REGISTERS else 0
    return 4 * width + sum(most >= size for size in SIZES[:-1])


@intrinsic
def _close(
    typing_context: Any,
    form: Any, states: Any, depth: Any, clear: Any, keep: Any, t: Any, always: Any, steps: Any, table: Any,
    at: Any, stride: Any, width: Any, weights: Any, alive: Any, alive_at: Any, begin: Any, blocks: Any,
    top: Any, rows: Any, columns: Any, mine: Any,
) -> Any:  # fmt: skip
    """Let sentence `t` join the set, count the extracts that others close, and return the set's index.

    The set so far has the demand `states[depth]`, with `t` it gets `states[depth + 1]`. The first `always`
    steps are made for every sentence, so that a branch less is guessed wrongly. Those that close it stand in
    `blocks` of eight from `begin` on, their bits in `table` from the offset `at` on, a word every `stride`;
    `alive` is 1, from the offset `alive_at` on, for those that count; `mine`: `t` itself is among them and is
    taken out.
    """
    names = (
        "form states depth clear keep t always steps table at stride width weights alive alive_at begin"
        " blocks top rows columns mine"
    )
    word = types.int64
    signature = word(
        word, states, word, clear, keep, word, word, word, table, word, word, word, weights, alive, word,
        word, word, word, rows, word, types.boolean,
    )  # fmt: skip

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = _arguments(context, builder, signature.args, names, arguments)
        row = builder.add(data["width"], _WORD(1))
        data["now"] = builder.mul(data["depth"], row)
        data["next"] = builder.add(data["now"], row)
        result = cgutils.alloca_once(builder, _WORD)
        done = builder.append_basic_block("closed")
        unknown = builder.append_basic_block("unknown")
        switch = builder.switch(data["form"], unknown)
        builder.position_at_end(unknown)
        builder.unreachable()
        for number in range(4 * (_IN_REGISTERS + 1)):
            block = builder.append_basic_block(f"form{number}")
            switch.add_case(_WORD(number), block)
            builder.position_at_end(block)
            words, bins = number // 4, SIZES[number % 4]
            mine = dict(data)
            base = _one_reference(builder, mine, words, bins) if words else _any_width(builder, mine, bins)
            builder.store(base, result)
            builder.branch(done)
        builder.position_at_end(done)
        return impl_ret_untracked(context, builder, word, builder.load(result))

    return signature, generate


close: Any = _close
