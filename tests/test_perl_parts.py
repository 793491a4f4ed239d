"""The parts of the drop-in by themselves: flags, numbers, files, tables, bootstrap, counting by groups."""

import contextlib
import io
import json
import re
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tests.perl_cases import ours
from tests.perl_script import GOLDEN
from topline.cli.main import cli
from topline.errors import CorpusError, MetricError, OptionError, ToplineError
from topline.rouge.bootstrap import intervals, intervals_of, resampled_sums
from topline.rouge.counts import Texts, count, tokenized
from topline.rouge.groups import count_grams, grouped
from topline.rouge.limits import Limit, as_one_text, as_sentences, cut_apart, cut_joined
from topline.rouge.metric import Metric
from topline.rouge.perl.berkeley import read_hash
from topline.rouge.perl.config import read_xml
from topline.rouge.perl.figures import fixed, number, shown, whole
from topline.rouge.perl.files import be_lines, sentences
from topline.rouge.perl.flags import getopts
from topline.rouge.perl.integers import power, total
from topline.rouge.perl.printout import in_order
from topline.rouge.perl.run import run
from topline.text.encode import TokenTable, Vocabulary
from topline.text.tokens import Preprocessing


def test_flags_cluster_and_values_stick() -> None:
    said: list[str] = []
    assert getopts(["-an2", "-2", "-1", "-mu", "c.xml", "-x"], said.append) == (
        {"a": "1", "n": "2", "2": "-1", "m": "1", "u": "1"},
        ["c.xml", "-x"],
    )
    assert getopts(["-a", "--", "-c"], said.append) == ({"a": "1"}, ["-c"])
    assert getopts(["-n", "1", "-n"], said.append) == ({}, [])
    assert getopts(["-2", "", "x"], said.append) == ({"2": ""}, ["x"])
    assert getopts(["-", "x"], said.append) == ({}, ["-", "x"])
    assert not said
    assert getopts(["-qa", "--help", "--m", "x"], said.append) == ({"a": "1", "m": "1"}, ["x"])
    assert said == ["unknown flag -q: ignored", "unknown flag --: ignored"]


@pytest.mark.parametrize(
    ("text", "value"),
    [("4", 4), ("+4x", 4), ("4.", 4.0), (".5", 0.5), ("1e2", 100.0), ("1e", 1), ("e5", 0), ("", 0), (" 7", 7),
     ("0x10", 0), ("9" * 30, 1e30), ("-0.5", -0.5), ("--1", 0), ("٣", 0)],
)  # fmt: skip
def test_strings_are_worth_their_numeric_beginning(text: str, value: float) -> None:
    assert number(text) == value


def test_numbers_print_as_perl_prints_them() -> None:
    assert [shown(x) for x in (3.0, 1 / 3, 1e15, 123456789.5)] == [
        "3",
        "0.333333333333333",
        "1e+15",
        "123456789.5",
    ]
    assert [whole(x) for x in (3.9, 1e15, 1e19, 1e20, -2.5)] == [
        "3",
        "1000000000000000",
        "1" + "0" * 19,
        "1e+20",
        "-2",
    ]
    assert [fixed(x) for x in (1, float("inf"), float("-inf"))] == ["1.00000", "    Inf", "   -Inf"]
    assert shown(float("nan")) == whole(float("nan")) == "NaN"


def test_the_order_of_odd_ids() -> None:
    assert in_order(["b.1", "10.1", "9.1", "B.1", "03.1", "_.1", "é.1"]) == [
        "03.1", "9.1", "10.1", "B.1", "_.1", "b.1", "é.1",
    ]  # fmt: skip


def plain_draws(seed: int, number: int) -> list[int]:
    state = (seed << 16) + 0x330E
    drawn = []
    for _ in range(number):
        state = (state * 25214903917 + 11) % 2**48
        drawn.append(int(state / 2**48 * number))
    return drawn


@given(st.lists(st.tuples(*[st.floats(0, 1)] * 2), min_size=1, max_size=30), st.integers(1, 40))
def test_resampled_sums_are_those_of_a_plain_loop(rows: list[tuple[float, float]], resamples: int) -> None:
    expected = []
    for seed in range(resamples):
        first, *others = plain_draws(seed, len(rows))
        sums = list(rows[first])
        for other in others:
            for column in range(2):
                sums[column] += rows[other][column]
        expected.append(sums)
    assert resampled_sums(np.array(rows), resamples).tolist() == expected


def test_draws_known_from_perl() -> None:
    """`perl -e 'srand(7); print join ", ", map { int(rand(10)) } 1..10'`."""
    assert plain_draws(7, 10) == [2, 6, 2, 1, 4, 2, 1, 7, 0, 0]
    assert resampled_sums(np.eye(10), 8)[7].tolist() == np.bincount(plain_draws(7, 10), minlength=10).tolist()


def test_an_interval_reads_beyond_the_ends_as_the_script_does() -> None:
    assert intervals_of(np.array([[0.5]]))[0].low == 0.5 + (0 - 0.5) * (1 - 0.025 - 1)
    (full,) = intervals_of(np.array([[0.25], [0.5]]), 100.0)
    assert (full.low, full.high) == (0.25, 0.5)
    with pytest.raises(OptionError):
        intervals(np.array([[0.5]]), 0)
    with pytest.raises(OptionError):
        intervals(np.array([[0.5]]), 10, 101)


def test_no_evaluations_average_to_zero() -> None:
    assert intervals(np.empty((0, 1)), 10)[0].mean == 0


PARTS = Metric.parse("rouge-1+rouge-2+rouge-4+rouge-s0+rouge-s3+rouge-su4+rouge-s*+rouge-su*").parts
TEXT = st.lists(st.sampled_from("abcde"), max_size=9).map(" ".join)


@given(st.lists(TEXT, min_size=4, max_size=9), st.data())
def test_counting_by_groups_is_counting_by_pairs(texts: list[str], data: st.DataObject) -> None:
    table = tokenized([[text] for text in texts], Vocabulary(Preprocessing(stem=False)))
    place = st.integers(0, len(texts) - 1)
    sets = data.draw(st.lists(st.lists(place, max_size=3), min_size=1, max_size=3))
    peers = np.array(data.draw(st.lists(place, min_size=1, max_size=6, unique=True)), np.int64)
    chosen = [data.draw(st.sampled_from(sets)) for _ in peers]
    starts = np.cumsum([0, *map(len, chosen)])
    models = np.array([model for models in chosen for model in models], np.int64)
    groups = grouped(peers, models, starts)
    for part in PARTS:
        apart = count(part, table, np.repeat(peers, np.diff(starts)), models)
        together = count_grams(part, table, groups)
        for field in ("hits", "models", "peers"):
            assert getattr(apart, field).tolist() == getattr(together, field).tolist()


@given(st.lists(st.text("ab é\t", max_size=8), max_size=5), st.integers(1, 30))
def test_limits_keep_what_they_promise(lines: list[str], amount: int) -> None:
    raw = [line.encode() for line in lines]
    by_words, by_bytes = Limit.words(amount), Limit.bytes(amount)
    assert len(cut_joined(raw, by_words).split()) <= amount
    assert b" ".join(cut_apart(raw, by_words)).split() == cut_joined(raw, by_words).split()
    assert cut_joined(raw, by_bytes).replace(b" ", b"") in b"".join(raw).replace(b" ", b"")
    assert b"".join(raw).replace(b" ", b"").startswith(cut_joined(raw, by_bytes).replace(b" ", b""))
    assert all(len(part) <= amount for part in cut_apart(raw, by_bytes))
    if amount > sum(map(len, raw)):
        assert cut_joined(raw, by_bytes).split() == cut_joined(raw, None).split()
        assert cut_apart(raw, by_bytes) == raw


def test_a_character_that_a_byte_limit_cuts_in_two_is_lost() -> None:
    assert as_one_text(["caf\u00e9s"], Limit.bytes(4)) == ["caf"]
    assert as_sentences(["caf\u00e9s", "x"], Limit.bytes(5)) == ["caf\u00e9"]


def test_limits_of_nothing_are_refused() -> None:
    for amount, unit in ((0, "w"), (5, "s")):
        with pytest.raises(OptionError):
            Limit(amount, unit)


@given(st.binary(max_size=300), st.sampled_from(["SEE", "SPL", "ISI", "see\n"]))
def test_any_bytes_are_sentences_of_some_kind(data: bytes, format: str) -> None:
    path = Path(SCRATCH.name) / "any"
    path.write_bytes(data)
    for line in sentences(str(path).encode(), format):
        assert line
        assert line.removesuffix(b"\n") in data
    assert b"\n".join(be_lines(str(path).encode(), "SIMPLE")) in data


@given(st.binary(max_size=200) | st.text("<>/=\"'&; EVALPMIDpeersmodels![]-", max_size=80).map(str.encode))
def test_any_bytes_are_a_configuration_or_a_typed_error(data: bytes) -> None:
    path = Path(SCRATCH.name) / "c.xml"
    path.write_bytes(data)
    assert_typed(lambda: read_xml(path), path)


@given(st.binary(max_size=700))
def test_any_bytes_are_a_database_or_a_typed_error(data: bytes) -> None:
    path = Path(SCRATCH.name) / "db"
    head = bytes(12) + struct.pack("<III", 0x061561, 9, 512)
    for content in (data, head + data, (head + data).ljust(2048, b"\x0d")):
        path.write_bytes(content)
        assert_typed(lambda: read_hash(path), path)


def assert_typed(read: Callable[[], object], path: Path) -> None:
    """A result, or an error that names the file; nothing else."""
    with contextlib.suppress(CorpusError):
        assert read() is not None
        return
    with pytest.raises(CorpusError, match=re.escape(str(path))):
        read()


class Scratch:
    """A folder for examples that write: hypothesis does not renew `tmp_path` between them."""

    name = ""


SCRATCH = Scratch()


@pytest.fixture(autouse=True, scope="module")
def _scratch(tmp_path_factory: pytest.TempPathFactory) -> None:
    SCRATCH.name = str(tmp_path_factory.mktemp("scratch"))


def data_folder(folder: Path) -> Path:
    home = folder / "data"
    home.mkdir()
    (home / "smart_common_words.txt").write_bytes(b"the\nCat\ndog\r\n")
    return home


def run_with(home: Path, folder: Path, *flags: str) -> tuple[str, list[str]]:
    (folder / "p").write_text("the cat dog gezzles")
    (folder / "m").write_text("the cat dog fop")
    (folder / "l").write_text("p m\n")
    out, said = io.BytesIO(), []
    with contextlib.chdir(folder):
        run(["-e", str(home), "-n", "1", "-x", "-t", "2", *flags, "-z", "SPL", "l"], out, said.append)
    return out.getvalue().decode().splitlines()[1], said


def test_stop_words_of_a_data_folder_are_taken_to_the_letter(tmp_path: Path) -> None:
    line, said = run_with(data_folder(tmp_path), tmp_path, "-s")
    assert line == "X ROUGE-1 M_count: 3 P_count: 3 H_count: 2"
    assert not said


def test_without_a_database_the_sources_serve_and_without_these_the_bundled_table(tmp_path: Path) -> None:
    home = data_folder(tmp_path)
    _, said = run_with(home, tmp_path, "-m")
    assert "bundled table" in said[0]
    sources = home / "WordNet-2.0-Exceptions"
    sources.mkdir()
    (sources / "noun.exc").write_text("gezzles fop other\n\nlonely\n")
    line, said = run_with(home, tmp_path, "-m")
    assert line.endswith("H_count: 4")
    assert ".exc files" in said[0]


def test_a_data_folder_without_stop_words_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="smart_common_words"):
        run_with(tmp_path / "nowhere", tmp_path, "-n", "1")


def test_the_environment_names_a_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUGE_EVAL_HOME", str(tmp_path / "nowhere"))
    done, printed = ours(["-n", "1", "-z", "SPL", "spl.lst"], GOLDEN)
    assert (done, printed) == (False, b"")


def test_the_verb_prints_bytes_and_says_errors() -> None:
    runner = CliRunner()
    with contextlib.chdir(GOLDEN):
        done = runner.invoke(cli, ["rouge", *["-n", "1", "-x", "-c", "50", "-r", "10", "config.xml", "1"]])
        assert done.stdout_bytes == (GOLDEN / "confidence.out").read_bytes()
        assert runner.invoke(cli, ["rouge"]).stdout == ""
        helped = runner.invoke(cli, ["rouge", "--help"])
        assert helped.exit_code == 0
        assert "-2 GAP" in helped.stdout
        failed = runner.invoke(cli, ["rouge", "-n", "1", "absent.xml", "s"])
        assert isinstance(failed.exception, ToplineError)


def test_more_skip_bigrams_than_32_bits_are_refused_before_any_memory_is_taken() -> None:
    size = 70_000
    texts = Texts(TokenTable(np.zeros(size, np.int32), np.array([0, size])), np.array([0, 1]), 1)
    one = np.zeros(1, np.int64)
    with pytest.raises(MetricError, match="too many"):
        count_grams(Metric.parse("rouge-s*").parts[0], texts, grouped(one, one, np.array([0, 1])))
    with pytest.raises(MetricError, match="too many"):
        count(Metric.parse("rouge-s*").parts[0], texts, one, one)


def test_an_empty_folder_name_is_the_root_as_in_the_script(tmp_path: Path) -> None:
    (tmp_path / "l").write_text("p m\n")
    assert ours(["-e", "", "-n", "1", "-z", "SPL", "l"], tmp_path) == (False, b"")


def test_text_that_comes_in_many_pieces_is_one_run(tmp_path: Path) -> None:
    path = tmp_path / "c.xml"
    path.write_text('<EVAL ID="1"><PEERS><P ID="s">' + "a&#98;" * 50_000 + "</P></PEERS></EVAL>")
    assert read_xml(path).evaluations["1"].peers["s"] == "ab" * 50_000


@pytest.mark.parametrize(
    ("values", "printed"),
    [([3**39, 1], "4052555153018976268"), ([2.0**60], "1.15292150460685e+18"),
     ([2.0**60] * 2, "2305843009213693952"),
     ([2.0**63] * 2, "1.84467440737096e+19"), ([2.0**50, 1], "1125899906842625"), ([0.5, 1.5], "2"),
     ([2**63, 2**63], "1.84467440737096e+19"), ([], "0")],
)  # fmt: skip
def test_sums_stay_whole_as_perls_do(values: list[float], printed: str) -> None:
    """`perl -e 'my $t = 0; $t += $_ for …; print $t'`."""
    assert shown(total(values)) == printed


@pytest.mark.parametrize(
    ("base", "exponent", "printed"),
    [(3, 32, "1853020188851841"), (3, 39, "4.05255515301898e+18"),
     (2, 60, "1.15292150460685e+18"), (5, 22, "2.38418579101562e+15"),
     (10, 15, "1000000000000000"), (0, 5, "0"), (1, 99, "1"), (4, 0.5, "2"), (100, 1.5, "1000")],
)  # fmt: skip
def test_powers_stay_whole_as_perls_do(base: int, exponent: float, printed: str) -> None:
    assert shown(power(base, exponent)) == printed


@pytest.mark.parametrize(
    "flags",
    ["-n 2 -m -d -a config.xml", "-n 1 -w 1.2 -2 4 -U -f B -t 1 -a config.xml", "-t 2 -d -a config.xml",
     "-3 HM -d -z SIMPLE be.lst"],
)  # fmt: skip
def test_json_has_the_figures_that_are_printed(flags: str) -> None:
    printed, written = io.BytesIO(), io.BytesIO()
    with contextlib.chdir(GOLDEN):
        run(["-r", "20", *flags.split()], printed, lambda _: None)
        run(["-r", "20", *flags.split()], written, lambda _: None, as_json=True)
    rows = [json.loads(line) for line in written.getvalue().splitlines()]
    text = printed.getvalue().decode("latin-1")
    averages = [row for row in rows if "signature" in row]
    for row, block in zip(averages, text.split("-" * 45 + "\n")[1:], strict=True):
        if "hits" in row:
            models, peers, hits = (int(row[name]) for name in ("model_count", "peer_count", "hits"))
            assert f"M_count: {models} P_count: {peers} H_count: {hits}\n" in block
            continue
        for letter, name in zip("RPF", ("recall", "precision", "f1"), strict=True):
            low, high = row[f"{name}_low"], row[f"{name}_high"]
            assert f"Average_{letter}: {row[name]:.5f} (95%-conf.int. {low:.5f} - {high:.5f})" in block
    told = [line for line in text.splitlines() if " Eval " in line]
    for row, line in zip([row for row in rows if "id" in row], told, strict=True):
        assert f" Eval {row['id']}.{row['system']} R:" in line
        if "f1" in row:
            assert line.endswith(f"R:{row['recall']:.5f} P:{row['precision']:.5f} F:{row['f1']:.5f}")
