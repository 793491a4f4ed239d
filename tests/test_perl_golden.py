"""The real script's print-outs of a few command lines, for machines without Perl."""

import pytest

from tests.perl_cases import ours
from tests.perl_script import GOLDEN, golden_cases


@pytest.mark.parametrize("name", golden_cases())
def test_prints_what_the_script_printed(name: str) -> None:
    done, printed = ours(golden_cases()[name], GOLDEN)
    assert printed == (GOLDEN / f"{name}.out").read_bytes()
    assert done


def test_every_print_out_has_its_command_line() -> None:
    assert {path.stem for path in GOLDEN.glob("*.out")} == set(golden_cases())
