"""What is compiled ahead is what a search then uses, and a run does without the other process too."""

import importlib
import pkgutil
import subprocess
import sys

import pytest
from numba.core.registry import CPUDispatcher

import topline
from topline.cli import first
from topline.cli.common import exit_code_of
from topline.cli.main import cli
from topline.search import ahead, kernels
from topline.search.exact import solve


def compiled():
    found = {}
    for module in pkgutil.iter_modules(kernels.__path__, kernels.__name__ + "."):
        for name, one in vars(importlib.import_module(module.name)).items():
            if isinstance(one, CPUDispatcher):
                found[one.py_func.__module__, name] = len(one.signatures)
    return found


def test_a_search_compiles_nothing_twice():
    """One signature each: had something been compiled ahead for other types, there would be two."""
    program = (
        "from tests.test_first import compiled; import topline; from topline.search import ahead;"
        "ahead.best(); ahead.descent(); ahead.order(); ahead.every(); before = compiled();"
        "[topline.all_oracles(topic, metric) for topic in topline.read_corpus('sample:newswire')"
        " for metric in ('rouge-1', 'rouge-2')];"
        "print(before, compiled(), sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    before, after = map(eval, done.stdout.splitlines())
    ahead_of = {name: number for name, number in before.items() if number}
    assert ("topline.search.kernels.layers", "advance") in ahead_of
    assert ("topline.search.kernels.descend", "descend") in ahead_of
    assert ("topline.search.kernels.layout", "rarest_first") in ahead_of
    assert ("topline.search.kernels.count", "upward") in ahead_of
    public = {name for name in ahead_of if not name[1].startswith("_") and "arrays" not in name[0]}
    assert {name: after[name] for name in public} == {name: before[name] for name in public}
    assert all(before[name] == 1 for name in public)


def test_the_small_problem_has_to_be_searched():
    found = solve(ahead._small())
    assert (found.chosen, found.proved) == ((1, 2), True)
    assert found.nodes > 0


@pytest.mark.parametrize("every", [True, False])
def test_it_goes_without_the_other_process(monkeypatch, every):
    """Whether that cannot be started, fails, or never ends."""
    monkeypatch.setattr(first, "cores", lambda: 2)
    monkeypatch.setattr(first, "_cold", lambda: True)
    monkeypatch.setattr(first.sys, "executable", "no such program")
    first.compiled(every=every)
    monkeypatch.undo()
    monkeypatch.setattr(first, "cores", lambda: 2)
    monkeypatch.setattr(first, "_cold", lambda: True)
    monkeypatch.setattr(first, "PATIENCE", 0.2)
    for aside in ("raise SystemExit(1)", "import time; time.sleep(60)"):
        monkeypatch.setattr(first, "_ASIDE", aside)
        first.compiled(every=every)


def test_a_compiled_search_starts_no_other_process(monkeypatch):
    """The tests that ran before, or this one, have compiled it."""
    topline.oracle(next(iter(topline.read_corpus("sample:newswire"))))
    monkeypatch.setattr(first, "Popen", None)
    solve(ahead._small())
    first.compiled(every=False)


def test_what_is_compiled_ahead_does_not_hang_on_the_metric(monkeypatch, capsys):
    """The small topic has no bigram without stop words, and none of seven words."""
    monkeypatch.setattr(first, "cores", lambda: 2)
    monkeypatch.setattr(first, "_cold", lambda: True)
    monkeypatch.setattr(first, "_ASIDE", "pass")
    for choice in ("--metric", "rouge-7"), ("--metric", "rouge-2", "--stopwords", "smart"):
        assert exit_code_of(cli, ["oracle", "sample:newswire", "--json", *choice]) == 0
        assert capsys.readouterr().out.count('"proved": true') == 4
