"""The inner loop of the enumeration, eight sentences a vector, written in LLVM's own vectors.

Compilers unroll loops for long arrays; here the arrays are short (a few vectors) and the loop runs hundreds of
millions of times, so that its shape is given by hand. On machines without 512-bit vectors LLVM splits them.
There are two forms: one for any number of words and weights, and one that keeps up to four words of weight 1
(a single reference) in registers from the update of the demand to the last popcount.
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
BINS = 32
"""Bins of a row: the gains that can be counted in vectors are below it."""
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
        alive = _load(builder, data["alive"], builder.add(data["begin"], offset))
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


def _tally(bins: int) -> Any:
    """For any number of words: count the gains below `bins` of the sentences from `begin` on.

    `table` is read from the offset `at` on, a word every `stride`; `after` is the open demand.
    """
    names = "table at stride width after weights alive begin blocks rows base"
    word = types.int64

    @intrinsic
    def tally(
        typing_context: Any,  # noqa: ARG001 - numba's signature
        table: Any, at: Any, stride: Any, width: Any, after: Any, weights: Any,
        alive: Any, begin: Any, blocks: Any, rows: Any, base: Any,
    ) -> Any:  # fmt: skip
        signature = types.void(table, word, word, word, after, weights, alive, word, word, rows, word)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = _arguments(context, builder, signature.args, names, arguments)
            data["row"] = builder.mul(data["base"], _WORD(BINS))

            def gains(offset: Any) -> Any:
                gain = cgutils.alloca_once_value(builder, _same(0))
                builder.store(_same(0), gain)
                with cgutils.for_range(builder, data["width"]) as loop:
                    row = builder.add(data["at"], builder.mul(loop.index, data["stride"]))
                    takes = _load(builder, data["table"], builder.add(row, offset))
                    open_ = _splat(builder, _word(builder, data["after"], loop.index))
                    weight = builder.zext(_word(builder, data["weights"], loop.index), _WORD)
                    hits = builder.mul(
                        _popcounts(builder, builder.and_(takes, open_)), _splat(builder, weight)
                    )
                    builder.store(builder.add(builder.load(gain), hits), gain)
                return builder.load(gain)

            _count(builder, data, bins, gains)
            return impl_ret_untracked(context, builder, types.void, context.get_dummy_value())

        return signature, generate

    return tally


def _close(width: int, bins: int) -> Any:
    """For `width` words of weight 1: let sentence `t` join, count what closes the set, return its index.

    The set so far has the demand `states[depth]`; the sentences that close it stand from `begin` on, their
    bits from the offset `at` on. If `mine`, `t` itself is among them and is taken out.
    """
    names = "states depth clear keep t steps table at stride alive begin blocks top rows mine"
    word = types.int64

    @intrinsic
    def close(
        typing_context: Any,  # noqa: ARG001 - numba's signature
        states: Any, depth: Any, clear: Any, keep: Any, t: Any, steps: Any, table: Any, at: Any, stride: Any,
        alive: Any, begin: Any, blocks: Any, top: Any, rows: Any, mine: Any,
    ) -> Any:  # fmt: skip
        signature = word(
            states,
            word,
            clear,
            keep,
            word,
            word,
            table,
            word,
            word,
            alive,
            word,
            word,
            word,
            rows,
            types.boolean,
        )

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            data = _arguments(context, builder, signature.args, names, arguments)
            first = builder.mul(data["depth"], _WORD(width + 1))
            kept = [
                cgutils.alloca_once_value(
                    builder, _word(builder, data["states"], builder.add(first, _WORD(w)))
                )
                for w in range(width)
            ]
            for w in range(width):
                builder.store(_word(builder, data["states"], builder.add(first, _WORD(w))), kept[w])
            with cgutils.for_range(builder, data["steps"]) as loop:
                _step(builder, data, builder.mul(loop.index, _WORD(width)), kept)
            state = [builder.load(word) for word in kept]
            base = data["top"]
            for bits in state:
                base = builder.sub(base, builder.ctpop(bits))
            data["row"] = builder.mul(base, _WORD(BINS))
            spread = [_splat(builder, bits) for bits in state]

            def gains(offset: Any) -> Any:
                total = _same(0)
                for w, open_ in enumerate(spread):
                    row = builder.add(data["at"], builder.mul(_WORD(w), data["stride"]))
                    place = builder.add(builder.add(row, data["begin"]), offset)
                    takes = _load(builder, data["table"], place)
                    total = builder.add(total, _popcounts(builder, builder.and_(takes, open_)))
                return total

            _count(builder, data, bins, gains)
            with builder.if_then(data["mine"]):
                own = data["row"]
                for w, bits in enumerate(state):
                    row = builder.add(data["at"], builder.mul(_WORD(w), data["stride"]))
                    takes = _word(builder, data["table"], builder.add(row, data["t"]))
                    own = builder.add(own, builder.ctpop(builder.and_(takes, bits)))
                pointer = builder.gep(data["rows"], [own])
                builder.store(builder.sub(builder.load(pointer), _WORD(1)), pointer)
            return impl_ret_untracked(context, builder, word, base)

        return signature, generate

    return close


def _step(builder: Any, data: dict[str, Any], row: Any, kept: list[Any]) -> None:
    """Move the fields of sentence `t` on by one, in registers."""
    before = [builder.load(word) for word in kept]
    for w, bits in enumerate(before):
        at = builder.add(builder.mul(builder.add(row, _WORD(w)), data["stride"]), data["t"])
        down = builder.lshr(bits, _WORD(1))
        if w + 1 < len(before):
            down = builder.or_(down, builder.shl(before[w + 1], _WORD(63)))
        rest = builder.and_(bits, builder.not_(_word(builder, data["clear"], at)))
        builder.store(builder.or_(rest, builder.and_(down, _word(builder, data["keep"], at))), kept[w])


tally_8, tally_16, tally_32 = (_tally(bins) for bins in (8, 16, 32))
close_1_8, close_1_16, close_1_32 = (_close(1, bins) for bins in (8, 16, 32))
close_2_8, close_2_16, close_2_32 = (_close(2, bins) for bins in (8, 16, 32))
close_3_8, close_3_16, close_3_32 = (_close(3, bins) for bins in (8, 16, 32))
close_4_8, close_4_16, close_4_32 = (_close(4, bins) for bins in (8, 16, 32))
