"""`-v` on texts small enough to follow; the random comparison with the script has it too."""

import contextlib
import io
from pathlib import Path

from topline.rouge.perl.run import run


def said(folder: Path, files: dict[str, str], *flags: str) -> list[str]:
    for name, text in files.items():
        (folder / name).write_text(text)
    (folder / "list").write_text("p m\n")
    out = io.BytesIO()
    with contextlib.chdir(folder):
        run(["-v", "-r", "1", *flags, "list"], out, lambda _: None)
    lines = out.getvalue().decode().splitlines()
    return lines[: lines.index("-" * 45)]


def test_ngrams(tmp_path: Path) -> None:
    found = said(tmp_path, {"p": "The cat-flap\n", "m": "cat\nflap"}, "-n", "1", "-x", "-z", "SPL")
    assert found == [
        "@Eval (1)", "***P p", "the cat - flap", "the|1|cat|1|flap|1|_cn_|3", "cat flap",
        "cat|1|flap|1|_cn_|2",
        "***M m", "total 1-gram model count: 2", "total 1-gram peer count: 3", "total 1-gram hit: 2",
        "total ROUGE-1-R: 1.00000", "total ROUGE-1-P: 0.66667", "total ROUGE-1-F: 0.80000", "1.X",
    ]  # fmt: skip


def test_skip_bigrams_print_the_recall_three_times(tmp_path: Path) -> None:
    found = said(tmp_path, {"p": "a b c", "m": "a b"}, "-2", "0", "-u", "-x", "-z", "SPL")
    assert found[-4:] == [
        "total ROUGE-S0-R: 1.00000", "total ROUGE-S0-P: 1.00000", "total ROUGE-S0-F: 1.00000", "1.X",
    ]  # fmt: skip


def test_an_emptied_text_is_said(tmp_path: Path) -> None:
    found = said(tmp_path, {"p": "", "m": "a"}, "-n", "1", "-x", "-l", "5", "-z", "SPL")
    assert found[:3] == ["@Eval (1)", "***P p", "---empty text---"]


def test_lcs_names_the_words_of_each_sentence(tmp_path: Path) -> None:
    found = said(tmp_path, {"p": "a x b\nc", "m": "a b c\nd"}, "-z", "SPL")
    assert found[:11] == [
        "***P p", "a x b", "c", "0: a|x|b", "1: c", "LCS: a b c", "LCS: -", "***M m", "a b c", "d",
        "0: a|b|c",
    ]  # fmt: skip


def test_basic_elements_name_their_matches(tmp_path: Path) -> None:
    found = said(tmp_path, {"p": "a|b|c\n", "m": "a|b|d\n"}, "-3", "HM", "-z", "SIMPLE")
    assert found[:5] == ["***P p", "_cn_#1#a|b#1", "_cn_#1#a|b#1", "* Match: a|b", "***M m"]
