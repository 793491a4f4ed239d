"""One best extract, proved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from topline.problem.problem import Problem


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop with the best found: seconds, nodes of the search, bytes of memo and diagram."""

    seconds: float | None = None
    nodes: int | None = None
    memory: int | None = None


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Solution:
    """One extract, and how good it is known to be."""

    chosen: tuple[int, ...]
    value: int
    length: int
    bound: int
    """No extract is worth more; equals `value` when `proved`."""
    proved: bool
    nodes: int


def solve(problem: Problem, limits: Limits = NO_LIMITS) -> Solution:
    """One best extract.

    Of several best ones it is the first that the search meets; of interchangeable sentences (equal counts of
    n-grams that matter, equal length) those that come first. The search depends on the problem alone, not on
    threads, time or the machine, so the choice is the same everywhere; only what a limit cut short is not.
    """
    from topline.search.branch import Search

    search = Search(problem, limits)
    proved = search.best()
    chosen = search.chosen()
    return Solution(
        chosen,
        search.value,
        problem.length(chosen),
        max(search.bound, search.value),
        proved,
        search.spent.nodes,
    )
