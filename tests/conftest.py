"""Fixtures that many tests share."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real texts that are not part of the project; tests that need it skip without it."""
    folder = Path(os.environ.get("TOPLINE_SHARED", ROOT.parent / "shared")) / "data"
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder}: set TOPLINE_SHARED to the folder that holds data/")
    return folder
