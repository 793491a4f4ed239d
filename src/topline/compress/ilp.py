"""The paper's integer program, equations (3)-(12), on HiGHS.

`b` says which chunks are kept, `m` which n-gram occurrences the summary holds, `z` how much of an n-gram
counts. Pooled references share one row of `z` per n-gram, with falling gains, in place of one row for each
reference: the same sum (3). `o` opens a sentence where that costs something of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topline.compress.problem import CompressiveProblem, Ints
from topline.compress.tree import ROOT

Floats = NDArray[np.float64]
SLACK = 1e-6
"""How far HiGHS's numbers may be off a whole one; its answers are counted again in integers."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What HiGHS says, and what it comes to in integers."""

    kept: list[int]
    """The chunks of the best solution, empty if none was found in time."""
    hits: int
    bound: int
    """No summary gains more, as far as HiGHS's arithmetic can be trusted."""

    @property
    def proved(self) -> bool:
        """Whether HiGHS closed the gap."""
        return self.hits == self.bound


class _Rows:
    """Constraints in the making, a block of equal shape at a time."""

    def __init__(self) -> None:
        self.rows: list[Ints] = []
        self.columns: list[Ints] = []
        self.values: list[Floats] = []
        self.lower: list[Floats] = []
        self.upper: list[Floats] = []
        self.count = 0

    def add(
        self, row: Ints, column: Ints, value: Floats | float, count: int, lower: float, upper: Floats | float
    ) -> None:
        """Add `count` rows; `row` numbers them from 0."""
        self.rows.append(row + self.count)
        self.columns.append(column)
        self.values.append(np.broadcast_to(np.asarray(value, float), column.shape))
        self.lower.append(np.full(count, lower))
        self.upper.append(np.broadcast_to(np.asarray(upper, float), (count,)))
        self.count += count

    def pairs(self, left: Ints, right: Ints, value: float, lower: float, upper: float) -> None:
        """Rows `left + value * right`, one a pair."""
        rows = np.tile(np.arange(len(left)), 2)
        values = np.repeat([1.0, value], len(left))
        self.add(rows, np.concatenate([left, right]), values, len(left), lower, upper)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where each kind of variable starts."""

    b: int
    m: int
    z: int
    o: int
    end: int


def _columns(problem: CompressiveProblem) -> _Columns:
    m = problem.chunks
    z = m + len(problem.grams)
    o = z + len(problem.gains.values)
    return _Columns(0, m, z, o, o + len(problem.openings))


def _constraints(problem: CompressiveProblem, at: _Columns) -> _Rows:
    inf = float("inf")
    rows = _Rows()
    chunks, zero = np.arange(problem.chunks), np.zeros(0, np.int64)
    sentences = np.arange(len(problem.openings))
    cost = np.concatenate([problem.lengths, problem.openings]).astype(float)
    row = np.zeros(len(cost), np.int64)
    rows.add(row, np.concatenate([chunks, at.o + sentences]), cost, 1, -inf, float(problem.budget))  # (4)
    count, owners = len(problem.gains), problem.gains.owners
    occurrences = np.arange(len(problem.grams))
    rows.add(  # (5), with (6) as the number of z's
        np.concatenate([problem.grams, owners]),
        np.concatenate([at.m + occurrences, at.z + np.arange(len(owners))]),
        np.concatenate([np.ones(len(problem.grams)), -np.ones(len(owners))]),
        count,
        0.0,
        inf,
    )
    below = np.flatnonzero(problem.parents != ROOT)
    rows.pairs(problem.parents[below], below, -1.0, 0.0, inf)  # (7)
    rows.pairs(problem.needs.values, at.m + problem.needs.owners, -1.0, 0.0, inf)  # (8)
    rows.pairs(problem.gaps.values, at.m + problem.gaps.owners, 1.0, -inf, 1.0)  # (9)
    tops = np.flatnonzero(problem.parents == ROOT)
    rows.pairs(at.o + problem.sentence[tops], tops, -1.0, 0.0, inf)
    rows.add(  # no sentence is opened for nothing
        np.concatenate([problem.sentence[tops], sentences]),
        np.concatenate([tops, at.o + sentences]) if len(tops) else zero,
        np.concatenate([np.ones(len(tops)), -np.ones(len(sentences))]),
        len(sentences),
        0.0,
        inf,
    )
    return rows


def _model(problem: CompressiveProblem, forbidden: Sequence[Sequence[int]]) -> Any:
    """The whole program as HiGHS takes it; `forbidden` are choices of chunks that must not come again."""
    import highspy

    at = _columns(problem)
    rows = _constraints(problem, at)
    for kept in forbidden:
        sign = np.ones(problem.chunks)
        sign[list(kept)] = -1.0
        chunks = np.arange(problem.chunks)
        rows.add(np.zeros(problem.chunks, np.int64), chunks, sign, 1, 1.0 - len(kept), float("inf"))
    row, column = np.concatenate(rows.rows), np.concatenate(rows.columns)
    order = np.argsort(row, kind="stable")
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = at.end, rows.count
    cost = np.zeros(at.end)
    cost[at.z : at.o] = problem.gains.values
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = cost
    lp.col_lower_, lp.col_upper_ = np.zeros(at.end), np.ones(at.end)
    lp.row_lower_, lp.row_upper_ = np.concatenate(rows.lower), np.concatenate(rows.upper)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.searchsorted(row[order], np.arange(rows.count + 1)).astype(np.int32)
    lp.a_matrix_.index_ = column[order].astype(np.int32)
    lp.a_matrix_.value_ = np.concatenate(rows.values)[order]
    lp.integrality_ = [highspy.HighsVarType.kInteger] * at.end
    return lp


def solve_ilp(
    problem: CompressiveProblem,
    *,
    time_limit: float | None = None,
    start: Sequence[int] | None = None,
    forbidden: Sequence[Sequence[int]] = (),
) -> Answer:
    """Solve the paper's program; the answer is read off `b` and counted in integers.

    `start` gives HiGHS a first solution, `forbidden` excludes choices found before.
    """
    import highspy

    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.setOptionValue("mip_abs_gap", 1.0 - 1e-3)
    if time_limit is not None:
        solver.setOptionValue("time_limit", time_limit)
    solver.passModel(_model(problem, forbidden))
    if start is not None:
        kept = np.array(sorted(start), np.int32)
        solver.setSolution(len(kept), kept, np.ones(len(kept)))
    solver.run()
    return _answer(problem, solver)


def _answer(problem: CompressiveProblem, solver: Any) -> Answer:
    import highspy

    info = solver.getInfo()
    if solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
        return Answer([], -1, -1)
    most = int(problem.gains.values.sum())
    limit = info.mip_dual_bound
    bound = min(most, int(np.floor(limit + SLACK * max(1.0, abs(limit))))) if np.isfinite(limit) else most
    if info.primal_solution_status != 2:
        return Answer([], 0, bound)
    values = np.array(solver.getSolution().col_value)[: problem.chunks]
    kept = np.flatnonzero(values > 0.5).tolist()
    if not problem.is_rooted(kept) or problem.length(kept) > problem.budget:
        return Answer([], 0, bound)
    return Answer(kept, problem.hits(kept), bound)
