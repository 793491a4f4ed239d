"""Our print-out beside the real script's, byte for byte, on random files and command lines."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.perl_cases import agree, make, ours
from tests.perl_script import GOLDEN, CannotRun, Script, golden_cases, install, released
from topline.rouge.perl.berkeley import read_hash
from topline.text.compiled import plainly
from topline.text.stem import exceptions, porter, stem

GROUPS, CASES = 16, 12


@pytest.fixture(scope="session")
def script(tmp_path_factory: pytest.TempPathFactory) -> Script:
    try:
        return install(tmp_path_factory.mktemp("script"))
    except CannotRun as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("group", range(GROUPS))
def test_random_command_lines_print_the_same(
    group: int, script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(group * CASES, (group + 1) * CASES):
        folder = tmp_path / str(seed)
        folder.mkdir()
        case = make(seed, folder)
        data = ["-e", str(script.data)]
        code, printed, _ = script.run([*data, *case.arguments], folder)
        # small work is counted in plain Python, and by the kernels once these are loaded
        monkeypatch.setattr(plainly, "may", lambda _, way=seed % 3: way == 0)
        # the bundled tables must do what the script's data folder does
        done, mine = ours([*data, *case.arguments] if seed % 2 else case.arguments, folder)
        assert agree(case, code, printed, done, mine), case.arguments


@pytest.mark.parametrize("name", golden_cases())
def test_golden_print_outs_are_the_scripts(name: str, script: Script) -> None:
    code, printed, _ = script.run(["-e", str(script.data), *golden_cases()[name]], GOLDEN)
    assert (code, printed) == (0, (GOLDEN / f"{name}.out").read_bytes())


def words() -> Iterator[str]:
    """Every irregular form, and stems with all the suffixes that the rules know, up to three of them."""
    yield from (word for word in exceptions() if word.isalnum())
    rng = Random(1)
    suffixes = re.findall(
        "[a-z]+",
        "s es ies sses ed ing eed y at bl iz ational tional enci anci izer bli alli entli eli ousli ization "
        "ation ator alism iveness fulness ousness aliti iviti biliti logi icate ative alize iciti ical ful "
        "ness al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize sion tion ion e ll",
    )
    for _ in range(20_000):
        root = "".join(rng.choices("abcdeilmnorstuyz0", k=rng.randint(1, 6)))
        yield root + "".join(rng.choices(suffixes, k=rng.randint(0, 3)))


def test_every_word_is_stemmed_as_the_script_does(script: Script, tmp_path: Path) -> None:
    source = (released() / "ROUGE-1.5.5.pl").read_text("latin-1")
    stemmer = source[source.index("local %step2list") :]
    program = tmp_path / "stem.pl"
    program.write_text(
        'use DB_File; tie %exceptiondb, "DB_File", $ARGV[0], O_RDONLY, 0440, $DB_HASH or die;\n'
        + stemmer
        + "\ninitialise(); while (<STDIN>) { chomp; my $known = $exceptiondb{$_};"
        + ' print length($_) <= 3 ? $_ : defined($known) ? $known : stem($_), " ", stem($_), "\\n"; }\n'
    )
    vocabulary = sorted(set(words()))
    database = str(script.data / "WordNet-2.0.exc.db")
    done = subprocess.run(
        ["perl", str(program), database],
        input="\n".join(vocabulary),
        capture_output=True,
        text=True,
        check=True,
    )
    theirs = done.stdout.splitlines()
    assert len(theirs) == len(vocabulary)
    assert [f"{stem(word)} {porter(word)}" for word in vocabulary] == theirs


def test_the_databases_hash_file_is_the_bundled_table(script: Script) -> None:
    found = read_hash(script.data / "WordNet-2.0.exc.db")
    assert {key.decode("latin-1"): form.decode("latin-1") for key, form in found.items()} == exceptions()
