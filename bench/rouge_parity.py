"""Our print-out beside the real script's on random files and command lines: every byte has to be equal.

`python -m bench.rouge_parity [CASES [FIRST_SEED]]`. A case is a command line with files that go for the
script's quirks; the exit must agree too. Cases that differ are listed with their seeds.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.perl_cases import agree, make, ours
from tests.perl_script import Script, install

from bench.common import record

CASES = 2400


def compared(seed: int, script: Script, folder: Path) -> tuple[str, list[str]]:
    """How a case ended, and the flags it had."""
    folder.mkdir()
    case = make(seed, folder)
    data = ["-e", str(script.data)]
    code, printed, _ = script.run([*data, *case.arguments], folder)
    done, mine = ours([*data, *case.arguments] if seed % 2 else case.arguments, folder)
    shutil.rmtree(folder)
    if not agree(case, code, printed, done, mine):
        return "different", case.arguments
    return "equal" if code == 0 else "equal, the script died", case.arguments


def main() -> None:
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else CASES
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    ends: Counter[str] = Counter()
    flags: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        script = install(Path(name))
        for seed in range(first, first + cases):
            end, arguments = compared(seed, script, Path(name) / str(seed))
            ends[end] += 1
            flags.update({argument[:2] for argument in arguments if argument.startswith("-")})
            if end == "different":
                print(f"seed {seed}: {arguments}")
    rows = [
        {"print-out": end, "cases": ends[end]} for end in ("equal", "equal, the script died", "different")
    ]
    known = "abcdeflmMnprstuUvwxz23"
    record("rouge_parity", rows, flags={flag: flags[flag] for flag in sorted(flags) if flag[1] in known})
    if ends["different"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
