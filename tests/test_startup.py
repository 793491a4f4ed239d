"""Starting is cheap: the heavy libraries wait until they are used (how long it takes: bench/startup)."""

import subprocess
import sys

import pytest

HEAVY = {
    "numba",
    "highspy",
    "polars",
    "spacy",
    "scipy",
    "distributed",
    "matplotlib",
    "rich",
    "jinja2",
    "syntok",
}


def loaded_after(code: str) -> set[str]:
    script = f"{code}\nimport sys; print(' '.join({{name.split('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split("\n")[-2].split())


@pytest.mark.parametrize(
    "code",
    [
        "import topline",
        "from topline.cli.main import cli\ntry: cli(['--help'])\nexcept SystemExit: print()",
        "from topline.cli.main import cli\ntry: cli(['--version'])\nexcept SystemExit: print()",
    ],
    ids=["import topline", "--help", "--version"],
)
def test_starting_loads_no_heavy_library(code: str) -> None:
    assert not loaded_after(code) & (HEAVY | {"numpy"})


def test_the_help_of_every_verb_loads_no_heavy_library() -> None:
    from topline.cli.main import VERBS

    for verb in VERBS:
        code = f"from topline.cli.main import cli\ntry: cli(['{verb}', '--help'])\nexcept SystemExit: print()"
        assert not loaded_after(code) & HEAVY, verb
