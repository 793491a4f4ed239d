"""ROUGE-1.5.5's habits one by one, on texts small enough to count by hand. No Perl needed."""

import contextlib
import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from topline.errors import CorpusError, MetricError, OptionError, ToplineError
from topline.rouge.perl.run import run


def call(folder: Path, arguments: Sequence[str], out: io.BytesIO) -> list[str]:
    """Run in a folder; what was said beside the print-out."""
    said: list[str] = []
    with contextlib.chdir(folder):
        run(arguments, out, said.append)
    return said


def printed(folder: Path, *arguments: str) -> list[str]:
    """The standard output's lines; relative paths start in the folder."""
    out = io.BytesIO()
    call(folder, arguments, out)
    return out.getvalue().decode("utf-8").splitlines()


def counts(folder: Path, peer: str, *models: str, flags: str = "-n 1 -x", format: str = "SPL") -> list[str]:
    """Model, peer and hit counts of a summary against its references."""
    (folder / "peer").write_text(peer, newline="")
    for i, model in enumerate(models):
        (folder / f"m{i}").write_text(model, newline="")
    names = " ".join(f"m{i}" for i in range(len(models)))
    (folder / "list").write_text(f"peer {names}\n")
    lines = printed(folder, *flags.split(), "-t", "2", "-z", format, "list")
    return [line.removeprefix("X ") for line in lines if "M_count" in line]


def one(
    folder: Path, peer: str, *models: str, flags: str = "-n 1 -x", format: str = "SPL"
) -> tuple[int, ...]:
    (line,) = counts(folder, peer, *models, flags=flags, format=format)
    words = line.split()
    return int(words[2]), int(words[4]), int(words[6])


def test_tokens_are_ascii_letters_and_digits(tmp_path: Path) -> None:
    assert one(tmp_path, "café 1,000 well-known", "caf 1 000 well known") == (5, 5, 5)
    assert one(tmp_path, "The CAT", "the cat") == (2, 2, 2)
    assert one(tmp_path, "a_b $5", "a b 5") == (3, 3, 3)


def test_two_references_pool_hits_and_count_the_summary_twice(tmp_path: Path) -> None:
    assert one(tmp_path, "a b c", "a x", "b c y z") == (6, 6, 3)


def test_best_is_the_first_reference_of_the_best_recall_as_rounded(tmp_path: Path) -> None:
    assert one(tmp_path, "a b", "x a", "b y", flags="-n 1 -x -f B") == (2, 2, 1)
    assert one(tmp_path, "a b c", "a x y z", "b c", flags="-n 1 -x -f B") == (2, 3, 2)
    # 70000/209999 and 1/3 are the same in five digits, so the first stays
    long, short = "a " * 70_000 + "x " * 139_999, "a x x"
    assert one(tmp_path, "a " * 70_000, long, short, flags="-n 1 -x -f B")[0] == 209_999
    assert one(tmp_path, "a " * 70_000, short, long, flags="-n 1 -x -f B")[0] == 3


def test_the_best_reference_of_rouge_w_is_chosen_before_the_second_weight(tmp_path: Path) -> None:
    # 16/100 beats 1/16, though 16/10000 does not beat 1/256
    long, short = "a b c d e f g h i j", "a x x x"
    first = one(tmp_path, "a b c d", long, short, flags="-x -w 2 -f B")
    second = one(tmp_path, "a b c d", short, long, flags="-x -w 2 -f B")
    assert first == second == (10_000, 16, 16)


def test_ngrams_cross_sentences(tmp_path: Path) -> None:
    lines = counts(tmp_path, "a b\nc", "x b\nc", flags="-n 2 -x")
    assert lines[1] == "ROUGE-2 M_count: 2 P_count: 2 H_count: 1"


def test_skip_bigrams_allow_words_in_between_and_lose_the_last_unigram(tmp_path: Path) -> None:
    assert one(tmp_path, "a x b", "a y b", flags="-x -2 1") == (3, 3, 1)
    assert one(tmp_path, "a x b", "a y b", flags="-x -2 0") == (2, 2, 0)
    assert one(tmp_path, "a x y b", "a b", flags="-x -2 -1") == (1, 6, 1)
    assert one(tmp_path, "a b", "a b", flags="-x -2 4 -u") == (2, 2, 2)
    assert one(tmp_path, "a", "a", flags="-x -2 4 -u") == (0, 0, 0)


def test_big_u_prints_both_unless_small_u_is_there(tmp_path: Path) -> None:
    both = counts(tmp_path, "a b", "a b", flags="-x -2 4 -U")
    assert [line.split()[0] for line in both] == ["ROUGE-S4", "ROUGE-SU4"]
    assert [line.split()[0] for line in counts(tmp_path, "a", "a", flags="-x -2 -1 -U -u")] == ["ROUGE-SU*"]


def test_stems(tmp_path: Path) -> None:
    assert one(tmp_path, "mice", "mouse", flags="-n 1 -x -m")[2] == 0, "the exception's lemma is not stemmed"
    assert one(tmp_path, "departmental", "depart", flags="-n 1 -x -m")[2] == 1
    assert one(tmp_path, "was", "be", flags="-n 1 -x -m")[2] == 0, "three characters are never looked up"


def test_big_m_stems_references_only_and_not_for_ngrams(tmp_path: Path) -> None:
    lines = counts(tmp_path, "cats happili", "cats happily", flags="-n 1 -M -2 0")
    assert [line.split()[-1] for line in lines] == ["1", "1", "0"]
    (tmp_path / "second").write_text("peer m0\n" * 2)
    (tmp_path / "peer").write_text("cats")
    (tmp_path / "m0").write_text("cats")
    lines = printed(tmp_path, "-m", "-M", "-d", "-t", "1", "-x", "-2", "0", "-u", "-z", "SPL", "second")
    assert lines[-2:] == ["X ROUGE-SU0 Eval 1.X R:0 P:0 F:0", "X ROUGE-SU0 Eval 2.X R:0 P:0 F:0"]


def test_big_m_switches_stemming_off_behind_itself(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("peer model\n" * 2)
    (tmp_path / "peer").write_text("cats")
    (tmp_path / "model").write_text("cats")
    lines = printed(tmp_path, "-m", "-M", "-d", "-t", "1", "-z", "SPL", "list")
    assert lines[-2:] == ["X ROUGE-L Eval 1.X R:1 P:1 F:1", "X ROUGE-L Eval 2.X R:1 P:1 F:0"]


def test_stop_words_go_after_tokenising(tmp_path: Path) -> None:
    assert one(tmp_path, "the cat don't", "the cat don t", flags="-n 1 -x -s") == (2, 2, 2)
    assert one(tmp_path, "Reuters cat", "cat", flags="-n 1 -x -s") == (1, 1, 1)


def test_word_limit_cuts_references_and_counts_a_leading_space(tmp_path: Path) -> None:
    assert one(tmp_path, "a b c d", "a b c d e", flags="-n 1 -x -l 3") == (3, 3, 3)
    assert one(tmp_path, " a b c", "a b c", flags="-n 1 -x -l 2") == (2, 1, 1)


def test_byte_limit_ignores_joining_spaces(tmp_path: Path) -> None:
    assert one(tmp_path, "ab\ncd\nef", "ab cd ef", flags="-n 1 -x -b 5") == (2, 3, 2)


def test_byte_limit_does_not_add_up_for_rouge_l(tmp_path: Path) -> None:
    # the reference's three lines stay, its unigrams do not
    assert one(tmp_path, "ab\ncd\nef", "ab\ncd\nef", flags="-b 4") == (3, 2, 2)


def test_lcs_is_a_union_clipped_by_unigrams(tmp_path: Path) -> None:
    assert one(tmp_path, "a b\nc d", "a b c d", flags="-r 1") == (4, 4, 4)
    assert one(tmp_path, "a", "a\na", flags="-r 1") == (2, 1, 1)


def test_rouge_w_weighs_the_reference_twice(tmp_path: Path) -> None:
    assert one(tmp_path, "a b x c", "a b y c", flags="-x -w 2") == (256, 16, 5)


def test_rouge_w_dies_of_an_empty_reference_after_what_came_before(tmp_path: Path) -> None:
    with pytest.raises(MetricError, match="evaluation 1"):
        counts(tmp_path, "a", "", flags="-w 1.2")
    out = io.BytesIO()
    with pytest.raises(MetricError):
        call(tmp_path, ["-w", "1.2", "-z", "SPL", "list"], out)
    assert out.getvalue().count(b"ROUGE-L") == 3


def test_spl_keeps_white_lines_and_carriage_returns(tmp_path: Path) -> None:
    assert one(tmp_path, " \r\na b\r\n\r\n", "a b", flags="-n 1 -x -l 1") == (1, 1, 1)


def see(*lines: str) -> str:
    return "<html>\n" + "\n".join(lines) + "\n</html>\n"


def test_see_anchors_are_read_to_the_letter(tmp_path: Path) -> None:
    good = '<a name="1">[1]</a> <a href="#1" id=1>a b</a>'
    sized = '<a size="5" name="1">[1]</a>\t <a href="#1" id=1>a b</a>'
    lost = '<a name="1">[1]</a> <a href="#1" id=1 >a b</a>'
    upper = '<A name="1">[1]</A> <a href="#1" id=1>a b</a>'
    cut = '<a name="1">[1]</a> <a href="#1" id=1>a <b>b</b></a>'
    entity = '<a name="1">[1]</a> <a href="#1" id=1>a &lt; b</a>'
    found = [
        one(tmp_path, see(line), see(good), format="SEE")[1]
        for line in (good, sized, lost, upper, cut, entity)
    ]
    assert found == [2, 2, 0, 0, 1, 3]


def test_isi_sentences(tmp_path: Path) -> None:
    text = '<S SNTNO="1a">a b</S>\n<S SNTNO="A">c</S>\n<S SNTNO="2">d <i>e</i></S>\n'
    assert one(tmp_path, text, text, format="isi") == (2, 2, 2)


def test_basic_elements(tmp_path: Path) -> None:
    text = "cats|nil|nil\nran|cats|subj\nran|nil|obj\n"
    found = {
        form: one(tmp_path, text, text, flags=f"-3 {form}", format="SIMPLE")[0]
        for form in ("H", "HM", "HMR", "HM1", "HMR1", "HMR2", "other")
    }
    assert found == {"H": 2, "HM": 1, "HMR": 2, "HM1": 3, "HMR1": 1, "HMR2": 3, "other": 0}


def test_a_head_named_as_the_scripts_counter_counts_twice(tmp_path: Path) -> None:
    assert one(tmp_path, "_cn_|nil|nil\n", "_cn_|nil|nil\n", flags="-3 H", format="SIMPLE") == (2, 2, 0)


def test_short_words_of_long_heads_are_looked_up(tmp_path: Path) -> None:
    assert one(tmp_path, "oxen men|nil|nil\n", "ox man|nil|nil\n", flags="-3 H -m", format="SIMPLE")[2] == 1


def test_be_lines_must_have_three_fields_but_empty_ends_do_not_count(tmp_path: Path) -> None:
    assert one(tmp_path, "a|b|c||\n", "a|b|c\n", flags="-3 HMR", format="SIMPLE") == (1, 1, 1)
    for bad in ("", "a|b", "a|b|", "a|b|c|d"):
        with pytest.raises(CorpusError):
            one(tmp_path, f"{bad}\n", "a|b|c\n", flags="-3 HMR", format="SIMPLE")


def test_figures_are_rounded_before_they_are_used(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("peer model\n")
    (tmp_path / "peer").write_text("a b c")
    (tmp_path / "model").write_text("a x x x x x x")
    lines = printed(tmp_path, "-n", "1", "-x", "-d", "-z", "SPL", "list")
    assert lines[-1] == "X ROUGE-1 Eval 1.X R:0.14286 P:0.33333 F:0.20000"
    assert lines[1] == "X ROUGE-1 Average_R: 0.14286 (95%-conf.int. 0.14286 - 0.14286)"


CONFIG = """<ROUGE-EVAL><EVAL ID="{id}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>
<INPUT-FORMAT TYPE="SPL"/><PEERS>{peers}</PEERS><MODELS>{models}</MODELS></EVAL>{more}</ROUGE-EVAL>"""


def config(folder: Path, id: str = "1", peers: str = "", models: str = "", more: str = "") -> None:
    (folder / "text").write_text("a b")
    (folder / "other").write_text("a")
    text = CONFIG.format(
        id=id,
        peers=peers or '<P ID="s">text</P>',
        models=models or '<M ID="A">text</M>',
        more=more,
    )
    (folder / "c.xml").write_text(text, "utf-8")


def total(folder: Path, *flags: str) -> str:
    return printed(folder, "-n", "1", "-x", "-t", "2", *flags, "c.xml", "s")[1]


def test_only_the_last_run_of_text_names_a_file(tmp_path: Path) -> None:
    config(tmp_path, peers='<P ID="s">other<!-- not this -->text</P>')
    assert total(tmp_path) == "s ROUGE-1 M_count: 2 P_count: 2 H_count: 2"
    config(tmp_path, peers='<P ID="s"><![CDATA[te]]>xt</P>')
    assert total(tmp_path) == "s ROUGE-1 M_count: 2 P_count: 2 H_count: 2"


def test_a_doubled_reference_counts_its_last_file_twice(tmp_path: Path) -> None:
    config(tmp_path, models='<M ID="A">text</M><M ID="A">other</M>')
    assert total(tmp_path) == "s ROUGE-1 M_count: 2 P_count: 4 H_count: 2"


def test_evaluations_of_one_id_flow_together(tmp_path: Path) -> None:
    config(tmp_path, more='<eval ID="1"><models><m ID="B">other</m></models></eval>')
    assert total(tmp_path) == "s ROUGE-1 M_count: 3 P_count: 4 H_count: 3"


def test_a_missing_summary_is_left_out_and_said(tmp_path: Path) -> None:
    config(tmp_path, more='<EVAL ID="2"><PEERS><P ID="other">text</P></PEERS></EVAL>')
    out = io.BytesIO()
    said = call(tmp_path, ["-n", "1", "-x", "-d", "c.xml", "s"], out)
    assert out.getvalue().count(b" Eval ") == 1
    assert said == ["system s has no summary in evaluation 2: left out there"]


def test_latin_1_ids_print_as_latin_1_and_others_as_utf_8(tmp_path: Path) -> None:
    for id, expected in (("é", b"Eval \xe9.s "), ("中", "Eval 中.s ".encode())):
        config(tmp_path, id=id)
        out = io.BytesIO()
        call(tmp_path, ["-n", "1", "-x", "-d", "c.xml", "s"], out)
        assert expected in out.getvalue()


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE r [<!ENTITY a "text">]>',
        '<!DOCTYPE r [<!ENTITY a SYSTEM "text">]>',
        '<!DOCTYPE r [<!ENTITY % a "text">]>',
    ],
)
def test_entities_are_refused_before_they_can_do_anything(doctype: str, tmp_path: Path) -> None:
    config(tmp_path, peers='<P ID="s">&a;</P>')
    path = tmp_path / "c.xml"
    path.write_text(doctype + path.read_text())
    with pytest.raises(CorpusError, match="entities"):
        printed(tmp_path, "-n", "1", "c.xml", "s")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<EVAL ID="1">', '<EVAL id="1">'),
        ('TYPE="SPL"', 'TYPE="TXT"'),
        ('<M ID="A">', "<M>"),
        ("</ROUGE-EVAL>", ""),
        ("<INPUT-FORMAT", "<OTHER"),
        (">text</M>", ">nowhere</M>"),
        (">text</P>", ">nowhere</P>"),
        ('<EVAL ID="1">', "<PART>"),
        ("<ROUGE-EVAL", '<?xml version="1.0" encoding="none-such"?><ROUGE-EVAL'),
        ("<ROUGE-EVAL", '<?xml version="1.0" encoding="shift_jis"?><ROUGE-EVAL'),
    ],
)
def test_what_the_script_dies_of_is_a_typed_error(old: str, new: str, tmp_path: Path) -> None:
    config(tmp_path)
    path = tmp_path / "c.xml"
    text = path.read_text()
    assert old in text
    text = text.replace(old, new)
    path.write_text(text.replace("</EVAL>", "</PART>") if new == "<PART>" else text)
    with pytest.raises(CorpusError):
        printed(tmp_path, "-n", "1", "c.xml", "s")


@pytest.mark.parametrize(
    "flags",
    [
        "", "-h", "-H", "c.xml", "-l 1 -b 1 c.xml s", "-c 101 c.xml s", "-c -1 c.xml s", "-w 0 c.xml s",
        "-p 2 c.xml s", "-r 0 c.xml s", "-n nan c.xml s", "-r inf c.xml s",
        "-n 1e9 c.xml s", "-r 1e9 c.xml s", "-e nowhere c.xml s",
    ],
)  # fmt: skip
def test_flags_that_end_the_run_print_nothing(flags: str, tmp_path: Path) -> None:
    config(tmp_path)
    out = io.BytesIO()
    with pytest.raises(ToplineError):
        call(tmp_path, flags.split(), out)
    assert out.getvalue() == b""


def test_too_large_a_weight_is_said(tmp_path: Path) -> None:
    with pytest.raises(MetricError, match="too large"):
        counts(tmp_path, "a b c", "a b c", flags="-w 1e4")


def test_a_list_line_without_reference_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("# fine\n\nalone\n")
    with pytest.raises(CorpusError, match="list:3"):
        printed(tmp_path, "-n", "1", "-z", "SPL", "list")


def test_three_arguments_leave_a_lists_system_without_name(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("t t\n")
    (tmp_path / "t").write_text("a")
    assert "Eval" not in "".join(printed(tmp_path, "-n", "1", "-x", "-d", "-z", "SPL", "list", "sys", "more"))


def test_broken_limits_read_as_the_script_reads_them(tmp_path: Path) -> None:
    assert one(tmp_path, "a b c d", "a b c d", flags="-n 1 -x -l 2.5") == (2, 2, 2)
    assert one(tmp_path, "a b c d", "a b c d", flags="-n 1 -x -l -1") == (0, 0, 0)
    assert one(tmp_path, "a b c d", "a b c d", flags="-n 1 -x -b -2") == (3, 3, 3)


def test_unlike_limits_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(OptionError):
        counts(tmp_path, "a", "a", flags="-l 1 -b 1")
