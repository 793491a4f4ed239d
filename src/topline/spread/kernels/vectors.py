"""Words of LLVM's vectors: what the inner loops of the enumeration are written in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba.core import cgutils

LANES = 8
WORD = ir.IntType(64)
BYTE = ir.IntType(8)
VECTOR = ir.VectorType(WORD, LANES)
MASK = ir.VectorType(ir.IntType(1), LANES)

Data = dict[str, Any]
"""The arguments of an inner loop by name, arrays as pointers, and what is derived from them."""


def splat(builder: Any, value: Any) -> Any:
    """A word in all lanes."""
    lane = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), value, ir.IntType(32)(0))
    return builder.shuffle_vector(lane, lane, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


def same(value: int) -> Any:
    """A constant in all lanes."""
    return ir.Constant(VECTOR, [value] * LANES)


def vector_at(builder: Any, array: Any, at: Any) -> Any:
    """A pointer to the vector that begins at an offset."""
    return builder.bitcast(builder.gep(array, [at]), VECTOR.as_pointer())


def load(builder: Any, array: Any, at: Any) -> Any:
    """The vector that begins at an offset."""
    loaded = builder.load(vector_at(builder, array, at))
    loaded.align = LANES
    return loaded


def store(builder: Any, vector: Any, array: Any, at: Any) -> None:
    """Keep a vector from an offset on."""
    builder.store(vector, vector_at(builder, array, at)).align = LANES


def word(builder: Any, array: Any, at: Any) -> Any:
    """The element at an offset."""
    return builder.load(builder.gep(array, [at]))


def popcounts(builder: Any, bits: Any) -> Any:
    """The number of ones in each lane."""
    kind = ir.FunctionType(VECTOR, [VECTOR])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.ctpop.v8i64")
    return builder.call(function, [bits])


def in_row(builder: Any, data: Data, row: Any, column: Any) -> Any:
    """The offset of a column, a sentence's, in a row of the states and what moves them."""
    return builder.add(builder.mul(row, data["stride"]), column)


@contextmanager
def cases(builder: Any, number: Any, known: range) -> Iterator[Iterator[int]]:
    """Branch to one of several pieces of code, which are written one after the other."""
    done = builder.append_basic_block("done")
    unknown = builder.append_basic_block("unknown")
    switch = builder.switch(number, unknown)
    builder.position_at_end(unknown)
    builder.unreachable()

    def each() -> Iterator[int]:
        for case in known:
            block = builder.append_basic_block(f"case{case}")
            switch.add_case(WORD(case), block)
            builder.position_at_end(block)
            yield case
            builder.branch(done)

    yield each()
    builder.position_at_end(done)
