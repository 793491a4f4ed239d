"""The script's flags, taken apart as Perl's Getopt::Std does it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from topline.errors import OptionError
from topline.rouge.bootstrap import MOST_RESAMPLES
from topline.rouge.limits import Limit
from topline.rouge.perl.figures import number

PLAIN, VALUED = "ahHdmMsuUvx", "bceflnprtwz23"
_MOST = {"n": 10_000, "r": MOST_RESAMPLES}
"""The script would take more, and years."""
USAGE = """\
topline rouge [FLAGS] CONFIGURATION [SYSTEM]   ROUGE as ROUGE-1.5.5.pl computes and prints it

CONFIGURATION is the script's XML file or, with -z, a list of files: a summary and its references a line.
SYSTEM is the id of the system to evaluate; -a evaluates all (only with an XML configuration).

what to compute
  -n N          ROUGE-1 to ROUGE-N
  -x            no ROUGE-L (which is computed by default)
  -w WEIGHT     ROUGE-W, e.g. 1.2
  -2 GAP        ROUGE-S: skip-bigrams with up to GAP words in between; below 0: any number
  -u            count unigrams too: ROUGE-SU instead of ROUGE-S (the last unigram of a text is left out)
  -U            ROUGE-S and ROUGE-SU
  -3 FORM       basic elements: H, HM, HMR, HM1, HMR1 or HMR2 (then no ROUGE-L)
texts
  -z FORMAT     CONFIGURATION is a list; its files are SPL, SEE, ISI or SIMPLE
  -m            stem summaries and references;  -M stem the references only (not for ROUGE-N)
  -s            drop stop words
  -l N, -b N    read only the first N words, or bytes, of every summary and reference
  -e FOLDER     the script's data folder (else ROUGE_EVAL_HOME, else the bundled tables)
scores
  -f A|B        several references: pooled (A, the default) or the best one (B)
  -p ALPHA      F's weight of precision, 0 to 1 (default 0.5)
  -t 0|1|2      average scores (0), or sum counts over all evaluations (1), or print these sums (2)
  -r N          resamples of the bootstrap (default 1000)
  -c PERCENT    confidence of the intervals (default 95)
  -d            print every evaluation's scores;  -v print how they come about
  -h, -H        this text

topline rouge --json FLAGS… CONFIGURATION [SYSTEM]
                the figures as JSON Lines, with the fields of topline score --json

topline rouge --write FOLDER CORPUS [SUMMARIES…]
                write a corpus and systems' summaries as SPL files with FOLDER/config.xml, for -a

Examples:
  topline rouge -n 2 -m -a config.xml
  topline rouge -n 4 -w 1.2 -m -2 4 -u -c 95 -r 1000 -f A -p 0.5 -t 0 -a config.xml
  topline rouge -n 2 -m -z SPL list.txt
  topline rouge --write duc sample:news lead.jsonl
"""


class Usage(OptionError):
    """The flags were asked for, or nothing was given."""

    def __init__(self) -> None:
        super().__init__("a configuration is needed", hint="topline rouge --help shows the flags")


def getopts(arguments: Sequence[str], warn: Callable[[str], None]) -> tuple[dict[str, str], list[str]]:
    """Flags and what follows them. Flags cluster, values may stick to them, `--` ends them, the last wins."""
    rest = list(arguments)
    found: dict[str, str] = {}
    while rest and len(rest[0]) > 1 and rest[0][0] == "-":
        if rest[0] == "--":
            del rest[0]
            break
        flag, tail = rest[0][1], rest[0][2:]
        if flag in VALUED:
            del rest[0]
            found.pop(flag, None)
            if tail or rest:
                found[flag] = tail or rest.pop(0)
            continue
        if flag in PLAIN:
            found[flag] = "1"
        elif rest[0] in ("--help", "--version"):
            tail = ""
        else:
            warn(f"unknown flag -{flag}: ignored")
        rest[:1] = [f"-{tail}"] if tail else []
    return found, rest


@dataclass(frozen=True, slots=True)
class Flags:
    """A command line that makes sense."""

    given: dict[str, str] = field(repr=False)
    """The flags as typed: some are printed so."""
    config: str
    system: str | None
    """The second argument."""
    extra: bool
    """More than two arguments: a list's system then has no name."""
    limit: Limit | None
    confidence: float
    alpha: float
    resamples: float
    counting: int
    """0: scores are averaged; 1: counts are summed; 2: and printed as they are."""

    def has(self, flag: str) -> bool:
        """Whether a flag was given."""
        return flag in self.given

    def value(self, flag: str, default: str = "") -> str:
        """A flag's value as typed."""
        return self.given.get(flag, default)

    @property
    def all_systems(self) -> bool:
        """`-a`, which `-z` turns off."""
        return self.has("a") and not self.has("z")

    @property
    def best(self) -> bool:
        """`-f B`; every other letter means pooling."""
        return self.value("f") == "B"


def parse(arguments: Sequence[str], warn: Callable[[str], None]) -> Flags:
    """Read a command line; what the script dies of raises `OptionError`."""
    given, rest = getopts([os.fsencode(argument).decode("latin-1") for argument in arguments], warn)
    if "h" in given or "H" in given or not rest:
        raise Usage
    if len(rest) == 1 and not ("a" in given or "z" in given):
        raise OptionError(
            "no system to evaluate", hint="name one behind the configuration, or give -a for all"
        )
    if "l" in given and "b" in given:
        raise OptionError("-l and -b exclude each other", hint="limit words or bytes")
    _finite(given)
    confidence, alpha = number(given.get("c", "95")), number(given.get("p", "0.5"))
    if not 0 <= confidence <= 100:
        raise OptionError(f"a confidence of {given['c']}% makes no sense", hint="-c takes 0 to 100")
    if "w" in given and not number(given["w"]) > 0:
        raise OptionError(f"ROUGE-W's weight cannot be {given['w']}", hint="-w takes a number above 0")
    if not 0 <= alpha <= 1:
        raise OptionError(f"alpha cannot be {given['p']}", hint="-p takes 0 to 1")
    counting = number(given.get("t", "0"))
    return Flags(
        given,
        config=rest[0],
        system=rest[1] if len(rest) > 1 else None,
        extra=len(rest) > 2,
        limit=_limit(given),
        confidence=confidence,
        alpha=alpha,
        resamples=number(given.get("r", "1000")),
        counting=int(counting) if counting in (1, 2) else 0,
    )


def _finite(given: dict[str, str]) -> None:
    for flag in "bclnprw2":
        value = number(given.get(flag, "0"))
        if math.isnan(value) or (math.isinf(value) and flag != "2"):
            raise OptionError(f"-{flag} {given[flag]} makes no sense", hint="give a finite number")
        if flag in _MOST and value > _MOST[flag]:
            raise OptionError(f"-{flag} {given[flag]} would never end", hint=f"at most {_MOST[flag]}")


def _limit(given: dict[str, str]) -> Limit | None:
    for flag, unit in (("l", Limit.words), ("b", Limit.bytes)):
        amount = number(given.get(flag, "0"))
        if amount != 0:
            return unit(amount)
    return None
