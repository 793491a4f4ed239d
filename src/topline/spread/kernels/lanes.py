# ruff: noqa: ARG001 - intrinsics take their arguments by position, under names that say what they are
"""The inner loops of the enumeration, eight sentences a vector, written in LLVM's own vectors.

Compilers unroll loops for long arrays; here the arrays are short (a few vectors) and the loops run hundreds
of millions of times, so that their shape is given by hand. Where vectors are shorter LLVM splits them.
There are several forms: for each number of words of weight 1 up to eight, which stay in registers, and for
any number of words and weights; for small gains and for larger ones. A number chooses the form at run time,
so that nothing is compiled for a document's sake.

Eight sentences add to eight lanes. Within a lane a word holds a bin for each gain: eight of a byte, or
sixteen of four bits. They are emptied into fields of sixteen bits, those of a set's index, which need not be
read before 65,535 extracts may have met in one of them. Gains beyond the bins are counted one by one.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_untracked
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from topline.spread.kernels.joining import children, children_of_any_width, weight
from topline.spread.kernels.vectors import (
    BYTE,
    LANES,
    MASK,
    VECTOR,
    WORD,
    Data,
    cases,
    in_row,
    load,
    popcounts,
    same,
    splat,
    store,
    word,
)

SIZES = (8, 16, 32)
"""Bins that the forms are made for."""
FEW, MANY = 2, 8
"""Vectors of fields that an index has, of four bins each: for the forms of eight bins, and for the others."""
FIELD = (1 << 16) - 1
"""The most that a field can count."""
GROUP = 4
"""Blocks of eight that are counted together."""
_PIECE = 15 // GROUP
"""Groups whose extracts a bin of four bits can take."""
_BITS = ir.IntType(LANES * GROUP)
_IN_REGISTERS, _NARROW = 8, 4
"""The most words of the forms that keep them in registers, and of those that are made for all sizes."""
_SHIFT = WORD((LANES * GROUP).bit_length() - 1)


def _gains(builder: Any, data: Data, words: int, first: Any) -> list[Any]:
    """The gains of the sentences of a group of blocks, if they close `t`'s set."""

    def more(w: Any) -> list[Any]:
        place = builder.add(data["next"], in_row(builder, data, w, data["t"]))
        open_ = splat(builder, word(builder, data["states"], place))
        row = builder.add(builder.add(data["row"], builder.mul(w, data["span"])), first)
        return [
            popcounts(
                builder,
                builder.and_(load(builder, data["table"], builder.add(row, WORD(LANES * k))), open_),
            )
            for k in range(GROUP)
        ]

    line = builder.add(builder.mul(data["left"], data["line"]), first)
    extra = [load(builder, data["extra"], builder.add(line, WORD(LANES * k))) for k in range(GROUP)]
    if words:
        gains = extra
        for w in range(words):
            gains = [builder.add(*both) for both in zip(gains, more(WORD(w)), strict=True)]
        return gains
    totals = [cgutils.alloca_once(builder, VECTOR) for _ in range(GROUP)]
    for total, gain in zip(totals, extra, strict=True):
        builder.store(gain, total)
    with cgutils.for_range(builder, data["width"]) as loop:
        worth = weight(builder, data, loop.index)
        for total, hits in zip(totals, more(loop.index), strict=True):
            builder.store(builder.add(builder.load(total), builder.mul(hits, worth)), total)
    return [builder.load(total) for total in totals]


def _closing(builder: Any, data: Data, group: Any) -> list[Any]:
    """Which sentences of a group of blocks close `t`'s set: outside it, and of a length that counts."""

    def bits(array: str, row: Any) -> Any:
        return word(builder, data[array], builder.add(builder.mul(row, data["groups"]), group))

    some = builder.and_(bits("alive", data["depth"]), bits("others", data["t"]))
    some = builder.and_(some, bits("eligible", data["left"]))
    return [
        builder.bitcast(builder.trunc(builder.lshr(some, _BITS(LANES * k)), BYTE), MASK) for k in range(GROUP)
    ]


def _one_by_one(builder: Any, data: Data, gains: Any, lanes: Any) -> None:
    """Count lanes whose gain is beyond the bins."""
    bits = builder.bitcast(lanes, BYTE)
    buffer = cgutils.alloca_once(builder, VECTOR)
    left = cgutils.alloca_once(builder, BYTE)
    builder.store(gains, buffer)
    builder.store(bits, left)
    first = builder.bitcast(buffer, WORD.as_pointer())
    with cgutils.for_range(builder, builder.zext(builder.ctpop(bits), WORD)):
        now = builder.load(left)
        lane = builder.zext(builder.cttz(now, ir.IntType(1)(1)), WORD)
        builder.store(builder.and_(now, builder.sub(now, BYTE(1))), left)
        place = builder.gep(data["totals"], [builder.add(data["index"], word(builder, first, lane))])
        builder.store(builder.add(builder.load(place), WORD(1)), place)


def _beyond(builder: Any, data: Data, bins: int, gains: list[Any], closing: list[Any]) -> list[Any]:
    """Count what the bins cannot; what is left closes the set with a gain within them."""
    kept = [cgutils.alloca_once(builder, MASK) for _ in closing]
    for slot, lanes in zip(kept, closing, strict=True):
        builder.store(lanes, slot)
    large = builder.icmp_unsigned(">", reduce(builder.or_, gains), same(bins - 1))
    large = builder.icmp_unsigned("!=", builder.bitcast(large, BYTE), BYTE(0))
    with builder.if_then(builder.or_(large, builder.not_(data["held"])), likely=False):
        limit = splat(builder, builder.select(data["held"], WORD(bins), WORD(0)))
        for gain, lanes, slot in zip(gains, closing, kept, strict=True):
            beyond = builder.and_(lanes, builder.icmp_unsigned(">=", gain, limit))
            _one_by_one(builder, data, gain, beyond)
            builder.store(builder.and_(lanes, builder.not_(beyond)), slot)
    return [builder.load(slot) for slot in kept]


def _count(builder: Any, data: Data, words: int, bins: int, group: Any, totals: list[Any]) -> list[Any]:
    """The bins with the gains of one more group in them."""
    closing = _closing(builder, data, group)
    gains = _gains(builder, data, words, builder.mul(group, WORD(LANES * GROUP)))
    held = bins // len(totals)
    if bins > SIZES[0]:
        closing = _beyond(builder, data, bins, gains, closing)
    for lanes, gain in zip(closing, gains, strict=True):
        low = builder.mul(builder.and_(gain, same(held - 1)), same(64 // held))
        ones = builder.shl(same(1), low)
        for number, total in enumerate(totals):
            here = lanes
            if len(totals) > 1:
                high = builder.icmp_unsigned(">=", gain, same(held))
                here = builder.and_(lanes, high if number else builder.not_(high))
            totals[number] = builder.add(total, builder.select(here, ones, same(0)))
    return totals


def _empty(builder: Any, data: Data, bins: int, totals: list[Any]) -> None:
    """Empty the bins into the fields of the set's index."""
    held = bins // len(totals)
    bits, vectors = 64 // held, held // 4
    mask = same(sum(((1 << bits) - 1) << 16 * field for field in range(4)))
    fields = data["few" if bins == SIZES[0] else "many"]
    first = builder.mul(data["field"], WORD(LANES * (FEW if bins == SIZES[0] else MANY)))
    for number in range(bins // 4):
        at = builder.add(first, WORD(number * LANES))
        total = totals[number // vectors]
        some = builder.and_(builder.lshr(total, same(bits * (number % vectors))), mask)
        store(builder, builder.add(load(builder, fields, at), some), fields, at)


def _close_one(builder: Any, data: Data, words: int, bins: int) -> None:
    """Count the extracts that others make of the set that `t` has joined."""
    t = data["t"]
    left = data["left"] = builder.sub(data["room"], word(builder, data["lengths"], t))
    closes = word(builder, data["closes"], left)
    data["row"] = builder.mul(left, data["row_size"])
    index = data["index"] = data["field"] = word(builder, data["indices"], t)
    if bins > SIZES[0]:
        data["held"] = builder.icmp_unsigned("<", index, data["rows"])
        data["field"] = builder.select(data["held"], index, WORD(0))
    entry, body = builder.basic_block, builder.append_basic_block("groups")
    full, done = builder.append_basic_block("full"), builder.append_basic_block("closed")
    groups = builder.lshr(builder.add(closes, WORD(LANES * GROUP - 1)), _SHIFT)
    builder.cbranch(builder.icmp_unsigned("!=", groups, WORD(0)), body, done)
    builder.position_at_end(body)
    group, totals = builder.phi(WORD), [builder.phi(VECTOR) for _ in range(max(1, bins // 16))]
    after, count = _count(builder, data, words, bins, group, [*totals]), builder.add(group, WORD(1))
    ends = builder.append_basic_block("ends")
    more = builder.icmp_unsigned("<", count, groups)
    rest = builder.urem(count, WORD(_PIECE))
    builder.cbranch(more, full, ends)
    builder.position_at_end(full)
    emptied = builder.append_basic_block("emptied")
    builder.cbranch(builder.icmp_unsigned("==", rest, WORD(0)), emptied, body)
    builder.position_at_end(emptied)
    _empty(builder, data, bins, after)
    builder.branch(body)
    none = [same(0)] * len(totals)
    for at, value, sums in ((entry, WORD(0), none), (full, count, after), (emptied, count, none)):
        group.add_incoming(value, at)
        for total, sum_ in zip(totals, sums, strict=True):
            total.add_incoming(sum_, at)
    builder.position_at_end(ends)
    _empty(builder, data, bins, after)
    builder.branch(done)
    builder.position_at_end(done)


def form(words: int, unit: bool, most: int) -> int:
    """The number of the form for so many words (`unit`: all of weight 1) and gains of mostly up to `most`."""
    width = words if unit and words <= _IN_REGISTERS else 0
    size = sum(most >= size for size in SIZES[:-1])
    return len(SIZES) * width + max(size, len(SIZES) - _sizes(width))


def _sizes(words: int) -> int:
    """How many of the sizes, the largest of them, there are for so many words: where gains are large, one."""
    return len(SIZES) if 0 < words <= _NARROW else 1


_NAMES = (
    "form states depth p first last room lengths closes row_size line clear keep amounts table extra"
    " weights taken top"
    " alive others eligible indices few many totals"
)


@intrinsic
def _close(
    typing_context: Any,
    form: Any, states: Any, depth: Any, p: Any, first: Any, last: Any, room: Any, lengths: Any, closes: Any,
    row_size: Any, line: Any, clear: Any, keep: Any, amounts: Any, table: Any, extra: Any, weights: Any,
    taken: Any, top: Any,
    alive: Any, others: Any, eligible: Any, indices: Any, few: Any, many: Any, totals: Any,
) -> Any:  # fmt: skip
    """Let each sentence from `first` to `last` join the set, and count the extracts that others make of it.

    The set so far has `depth` members, the last of them `p`, room `room` and the demand
    `states[depth, :, p]`; with `t` it gets `states[depth + 1, :, t]`: the fields `clear[k, :, t]` are moved
    by `amounts[k]`, of which `keep` is what stays in them. `top` is its index if it left no demand open;
    `taken[t]` adds to it. Bits say which close a set: `alive[depth]` those outside the set so far,
    `others[t]` those that may stand beside `t`, `eligible[r]` those that fill room `r`, all of them before
    `closes[r]`.
    What they can take begins at `r * row_size` in `table`, what they gain besides at `r * line` in `extra`.
    The index and the gain say what is counted: in `few[index]` by the forms of eight bins, by others in
    `many[index]`; in `totals[index + gain]` where the bins or `many` end.
    """
    signature = types.void(
        types.int64, states, types.int64, types.int64, types.int64, types.int64, types.int64, lengths, closes,
        types.int64, types.int64, clear, keep, amounts, table, extra, weights, taken, types.int64, alive,
        others, eligible, indices, few, many, totals,
    )  # fmt: skip

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data: Data = {}
        shapes: Data = {}
        for name, kind, value in zip(_NAMES.split(), signature.args, arguments, strict=True):
            data[name] = value
            if isinstance(kind, types.Array):
                array = make_array(kind)(context, builder, value)
                data[name] = array.data
                shapes[name] = cgutils.unpack_tuple(builder, array.shape, kind.ndim)
        _, rows, data["stride"] = shapes["states"]
        data["width"] = builder.sub(rows, WORD(1))
        size = builder.mul(rows, data["stride"])
        data["now"] = builder.mul(data["depth"], size)
        data["next"] = builder.add(data["now"], size)
        data["span"], data["steps"] = shapes["table"][2], shapes["amounts"][0]
        data["rows"], data["groups"] = shapes["many"][0], shapes["alive"][1]
        count = len(SIZES)
        width = builder.udiv(data["form"], WORD(count))
        with cases(builder, width, range(_IN_REGISTERS + 1)) as widths:
            for words in widths:
                mine = dict(data)
                if words:
                    mine["width"] = WORD(words)
                with cgutils.for_range_slice(builder, data["first"], data["last"], WORD(LANES)) as (at, _):
                    mine["at"] = at
                    children(builder, mine, words) if words else children_of_any_width(builder, mine)
                size = builder.urem(data["form"], WORD(count))
                with cases(builder, size, range(count - _sizes(words), count)) as sizes:
                    for size in sizes:
                        with cgutils.for_range_slice(builder, data["first"], data["last"], WORD(1)) as (
                            t,
                            _,
                        ):
                            _close_one(builder, {**mine, "t": t}, words, SIZES[size])
        return impl_ret_untracked(context, builder, types.void, context.get_dummy_value())

    return signature, generate


close: Any = _close
