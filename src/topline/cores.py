"""How many threads make sense here."""

from __future__ import annotations

import os


def cores() -> int:
    """Cores that this process may use; all of the machine's where the system does not tell."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
