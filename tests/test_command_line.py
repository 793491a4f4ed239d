"""The command line as a person meets it: help with examples, completion, the next step after a slip."""

import os
import subprocess
import sys

import pytest

from topline import __version__
from topline.cli.main import VERBS, main

TOPLINE = [sys.executable, "-m", "topline"]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TOPLINE, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"COLUMNS": "100", **environment},
    )


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_shows_examples(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([verb, "--help"])
    assert not stop.value.code
    examples = capsys.readouterr().out.split("Examples:\n")[1].splitlines()
    assert examples[0].strip().startswith(f"topline {verb}")


@pytest.mark.parametrize(
    ("words", "at", "offered"),
    [
        ("topline or", 1, ["oracle"]),
        ("topline oracle --so", 2, ["--solver"]),
        ("topline oracle --solver ", 3, ["exact", "ilp", "published", "greedy"]),
    ],
)
def test_the_shell_completes_verbs_options_and_values(words: str, at: int, offered: list[str]) -> None:
    done = run(COMP_WORDS=words, COMP_CWORD=str(at), _TOPLINE_COMPLETE="bash_complete")
    assert [line.split(",")[1] for line in done.stdout.splitlines()] == offered


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_shell_gets_its_script(shell: str) -> None:
    assert f"_TOPLINE_COMPLETE={shell}_complete" in run(_TOPLINE_COMPLETE=f"{shell}_source").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["orcale"], "did you mean oracle?"),
        (["xyzzy"], "topline --help lists the verbs"),
        (["oracle", "no.jsonl"], "no.jsonl: no such file or folder (sample:news is the bundled sample)"),
        (["score", "sample:news", "--systems", "no.jsonl"], "(topline summarize makes summaries)"),
    ],
)
def test_a_slip_is_told_the_next_step(arguments: list[str], said: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_pipe_gets_no_colours() -> None:
    done = run("validate", "sample:newswire", TERM="xterm-256color")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout + done.stderr


def test_the_version() -> None:
    assert run("--version").stdout == f"topline, version {__version__}\n"
