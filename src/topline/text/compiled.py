"""When compiled kernels are worth loading: half a second, more than plain Python takes for small work.

Whatever counts in plain Python first asks here; both ways give the same numbers.
"""

from __future__ import annotations

import sys

ENOUGH = 3_000_000
"""Steps in plain Python, of about 0.1 microseconds each, after which the kernels are loaded all the same."""


class Plainly:
    """Keeps account of the steps taken in plain Python, over a process's life."""

    def __init__(self) -> None:
        self.steps = 0

    def may(self, steps: float) -> bool:
        """Whether so many steps more should be taken plainly; never again once kernels are there."""
        if "numba" in sys.modules or self.steps + steps > ENOUGH:
            self.end()
            return False
        self.steps += int(steps)
        return True

    def end(self) -> None:
        """Load the kernels at once when they are next asked for: whoever calls knows of more work to come."""
        self.steps = ENOUGH


plainly = Plainly()
