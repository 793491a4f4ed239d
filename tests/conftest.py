"""Fixtures that many tests share."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from topline.text.compiled import plainly

# kernels compile inside the first example, so a deadline would measure the compiler
settings.register_profile("topline", deadline=None, print_blob=True)
settings.load_profile("topline")
# what a test counts is counted by the kernels, in whatever order tests run, unless it asks for plain Python
plainly.end()

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real texts that are not part of the project; tests that need it skip without it."""
    folder = Path(os.environ.get("TOPLINE_SHARED", ROOT.parent / "shared")) / "data"
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder}: set TOPLINE_SHARED to the folder that holds data/")
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):  # noqa: ARG001
    """On CI everything a test needs is installed by the project's own files: a skip there is a failure."""
    report = yield
    if report.skipped and os.environ.get("CI") and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome, report.longrepr = "failed", f"skipped on CI, where nothing may be: {reason}"
    return report
