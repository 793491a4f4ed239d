"""Every console example of the documentation is run, and prints what the page says it prints.

In a ```console block a line that starts with `$ ` is a command (only `topline` and `cat` are run); the
lines up to the next command are its standard output. A line of `...` stands for any lines, `...` within
a line for anything on it. Blocks of a page
run in order in one empty folder. Blocks marked ```console no-run show what needs data that is not here.
"""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)


def commands(page: Path) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for block in BLOCK.findall(page.read_text("utf-8")):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], ""))
            elif found:
                found[-1] = (found[-1][0], found[-1][1] + line + "\n")
    return found


def run(command: str, folder: Path) -> str:
    words = shlex.split(command)
    name, *arguments = words
    assert name in ("topline", "cat"), f"examples call topline, not {name}"
    start = (
        [sys.executable, "-c", "from topline.cli.main import main; main()"] if name == "topline" else ["cat"]
    )
    done = subprocess.run(
        [*start, *arguments], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode in (0, 3), f"{command}\n{done.stderr}"
    return done.stdout


def pattern_of(line: str) -> str:
    """A line of the page: `...` alone stands for any lines, within a line for anything on it."""
    if line.strip() == "...":
        return ".*"
    return "[^\n]*".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ ]*\n"


def matches(said: str, printed: str) -> bool:
    return re.fullmatch("".join(map(pattern_of, said.splitlines())), printed, re.S) is not None


@pytest.mark.parametrize("page", [p for p in PAGES if commands(p)], ids=lambda p: p.name)
def test_console_examples_print_what_the_page_says(page: Path, tmp_path: Path) -> None:
    for command, said in commands(page):
        printed = run(command, tmp_path)
        if said.strip():
            assert matches(said, printed), f"{command}\n--- the page\n{said}--- printed\n{printed}"


@pytest.mark.parametrize("page", [p for p in PAGES if ">>> " in p.read_text("utf-8")], ids=lambda p: p.name)
def test_python_examples_of_the_pages_hold(page: Path) -> None:
    failed, _ = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert failed == 0


def test_every_verb_has_a_page_with_an_example_that_runs() -> None:
    from topline.cli.main import VERBS

    lacking = [
        verb
        for verb in VERBS
        if not (ROOT / "docs" / f"{verb}.md").exists() or not commands(ROOT / "docs" / f"{verb}.md")
    ]
    assert not lacking


def test_the_example_notebook_runs() -> None:
    script = ROOT / "tools" / "notebook.py"
    subprocess.run([sys.executable, str(script), "--check"], check=True, timeout=300, capture_output=True)
