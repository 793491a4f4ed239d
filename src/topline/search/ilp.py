"""Equations (3)-(8) of Hirao et al. (2017) on HiGHS.

The variables are `x_i` (sentence `i` is chosen) and `z_kj` (how much of n-gram `j` reference `k` counts).
References that hold an n-gram equally often share a variable, weighted by their number: the problem
gives `w_jt`, so `w_jt - w_j,t+1` of them hold it exactly `t` times.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np

from topline.problem.problem import Ints, Problem
from topline.search.exact import NO_LIMITS, Limits, Solution

_ROUND = 1e-6
"""HiGHS's own feasibility tolerance: how far its dual bound may be from the true one."""

_MOST_NODES = 2**31 - 1
"""What HiGHS takes as a limit."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The model as arrays: maximise `cost x` with `low <= A x <= high`, `A` row by row."""

    cost: Ints
    most: Ints
    starts: Ints
    columns: Ints
    values: Ints
    low: Ints
    high: Ints


def rows_of(problem: Problem) -> Rows:
    """The model's arrays, without a loop over n-grams."""
    n, grams = problem.sentences, len(problem.gain_starts) - 1
    sizes = np.diff(problem.gain_starts)
    following = np.append(problem.gains[1:], 0)
    if len(problem.gains):
        following[problem.gain_starts[1:] - 1] = 0
    weights = problem.gains - following
    kept = np.flatnonzero(weights)
    gram_of = np.repeat(np.arange(grams), sizes)[kept]
    times = (np.arange(len(problem.gains)) - np.repeat(problem.gain_starts[:-1], sizes) + 1)[kept]

    by_gram = np.argsort(problem.grams, kind="stable")
    sentence_of = np.repeat(np.arange(n), np.diff(problem.starts))[by_gram]
    held = problem.counts[by_gram]
    holders = np.bincount(problem.grams, minlength=grams)
    first = np.cumsum(holders) - holders
    widths = holders[gram_of]
    starts = np.cumsum(widths) - widths
    places = np.arange(int(widths.sum())) - np.repeat(starts - first[gram_of], widths)
    row_sizes = np.concatenate([[n], widths + 1])
    row_starts = np.concatenate([[0], np.cumsum(row_sizes)])
    columns = np.empty(int(row_starts[-1]), np.int64)
    values = np.empty_like(columns)
    columns[:n], values[:n] = np.arange(n), problem.lengths
    last = row_starts[2:] - 1
    inner = np.ones(len(columns), bool)
    inner[:n] = inner[last] = False
    columns[inner], values[inner] = sentence_of[places], held[places]
    columns[last], values[last] = n + np.arange(len(kept)), -1
    rows = len(kept)
    return Rows(
        cost=np.concatenate([-problem.charges, weights[kept]]),
        most=np.concatenate([np.ones(n, np.int64), times]),
        starts=row_starts,
        columns=columns,
        values=values,
        low=np.zeros(rows + 1, np.int64),
        high=np.concatenate([[problem.budget], np.full(rows, np.iinfo(np.int64).max)]),
    )


def model(problem: Problem) -> Any:
    """A HiGHS instance with the model, silent and on one thread; its answers carry no gap."""
    import highspy

    rows = rows_of(problem)
    columns, infinity = len(rows.cost), highspy.kHighsInf
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = columns, len(rows.low)
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = rows.cost.astype(np.float64)
    lp.col_lower_ = np.zeros(columns)
    lp.col_upper_ = rows.most.astype(np.float64)
    lp.row_lower_ = np.concatenate([[-infinity], rows.low[1:].astype(np.float64)])
    lp.row_upper_ = np.concatenate([[float(problem.budget)], np.full(len(rows.low) - 1, infinity)])
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = rows.starts.astype(np.int32)
    lp.a_matrix_.index_ = rows.columns.astype(np.int32)
    lp.a_matrix_.value_ = rows.values.astype(np.float64)
    # with whole x the best z is whole by itself; saying so spares HiGHS a third of its time
    kinds = highspy.HighsVarType
    whole, implied = kinds.kInteger, kinds.kImplicitInteger  # type: ignore[attr-defined]
    lp.integrality_ = [whole] * problem.sentences + [implied] * (len(rows.low) - 1)
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("mip_rel_gap", 0.0)
    highs.setOptionValue("mip_abs_gap", 0.0)
    highs.passModel(lp)
    return highs


def solve_ilp(problem: Problem, limits: Limits = NO_LIMITS) -> Solution:
    """The best extract by HiGHS; its hits are counted again in integers, its bound is floored."""
    import highspy

    if problem.sentences == 0 or len(problem.grams) == 0:
        return Solution((), 0, 0, 0, True, 0)
    highs = model(problem)
    if limits.seconds is not None:
        highs.setOptionValue("time_limit", float(limits.seconds))
    if limits.nodes is not None:
        highs.setOptionValue("mip_max_nodes", min(limits.nodes, _MOST_NODES))
    highs.run()
    info = highs.getInfo()
    x = highs.getSolution().col_value[: problem.sentences]
    chosen = tuple(i for i, value in enumerate(x) if value > 0.5)
    if not chosen or problem.length(chosen) > problem.budget:
        chosen = ()
    value = problem.hits(chosen)
    dual = info.mip_dual_bound
    most = int(problem.gains.sum())
    bound = floor(dual + _ROUND * max(1.0, abs(dual))) if abs(dual) < most + 1 else most
    finished = highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return Solution(
        chosen,
        value,
        problem.length(chosen),
        max(bound, value),
        finished and bound <= value,
        int(info.mip_node_count),
    )
