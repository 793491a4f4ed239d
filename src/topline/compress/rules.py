"""The transformation rules: one table for each label set, a rule a line with its reason.

The tables are the files `tables/ud.txt` and `tables/clearnlp.txt`: label, condition, what to do in the
rule sets `paper` and `strict`, and why. The first line that fits a word decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from topline.compress.conditions import CONDITIONS, View
from topline.errors import OptionError

LABEL_SETS = ("ud", "clearnlp")
RULE_SETS = ("paper", "strict")
ACTIONS = {
    "join": "the word goes into its head's chunk",
    "own": "the word starts a chunk that hangs from its head's",
    "lift": "the word starts a chunk that hangs from its head's head's: conjuncts stand side by side",
    "next": "the word starts a chunk that hangs from the next conjunct's",
    "top": "the word starts a chunk that hangs from the sentence's root",
    "invert": "the word's chunk takes its head's place, the head's chunk hangs from it",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a table."""

    label: str
    when: str
    paper: str
    strict: str
    reason: str

    def covers(self, label: str) -> bool:
        """Whether the rule speaks of words with this label; one without subtype covers all subtypes."""
        return self.label in ("*", label, label.partition(":")[0])

    def action(self, rule_set: str) -> str:
        """What to do with the word."""
        return self.paper if rule_set == "paper" else self.strict


@lru_cache(maxsize=1024)
def table(labels: str) -> tuple[Rule, ...]:
    """The rules for a label set, in order."""
    if labels not in LABEL_SETS:
        raise OptionError(f"unknown label set {labels!r}", hint=f"one of: {', '.join(LABEL_SETS)}")
    lines = files("topline.compress").joinpath(f"tables/{labels}.txt").read_text("utf-8").splitlines()
    return tuple(Rule(*(cell.strip() for cell in line.split("|"))) for line in lines[1:])


@lru_cache(maxsize=1024)
def _choices(
    labels: str, label: str, rule_set: str
) -> tuple[tuple[Callable[[View, int], bool] | None, str], ...]:
    """For the rules that speak of a label, in order: when (None: always), and what to do."""
    return tuple(
        (CONDITIONS[rule.when] if rule.when else None, rule.action(rule_set))
        for rule in table(labels)
        if rule.covers(label.lower())
    )


def chooser(labels: str, rule_set: str) -> Callable[[View, int], str]:
    """The function that names the action for a word."""
    if rule_set not in RULE_SETS:
        raise OptionError(f"unknown rule set {rule_set!r}", hint=f"one of: {', '.join(RULE_SETS)}")

    def choose(view: View, word: int) -> str:
        for holds, action in _choices(labels, view.words[word].label, rule_set):
            if holds is None or holds(view, word):
                return action
        raise AssertionError("the last rule covers every word")

    return choose
