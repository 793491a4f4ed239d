"""A corpus as the script's files: what is scored from them is what is scored from the corpus."""

import contextlib
import io
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from topline.cli.main import cli
from topline.corpus.match import Matched
from topline.corpus.records import Reference, Summary, Topic
from topline.errors import CorpusError, OutputError
from topline.rouge.perl.config import read_xml
from topline.rouge.perl.files import sentences
from topline.rouge.perl.run import run
from topline.rouge.perl.write import write

IDS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\t\n<&\"'/"), min_size=1, max_size=6
)


def matched(id: str, system: str, summary: list[str], reference: list[str]) -> Matched:
    topic = Topic(id, (), (Reference("A", tuple(reference)),))
    return Matched(topic, (Summary(id, system, tuple(summary)),))


@given(st.lists(IDS, min_size=1, max_size=3, unique=True), IDS, st.lists(st.text(max_size=9), max_size=3))
def test_any_ids_and_texts_come_back(
    tmp_path_factory: pytest.TempPathFactory, ids: list[str], system: str, text: list[str]
) -> None:
    topics = [matched(id, system, text, ["reference"]) for id in ids]
    allowed = all(c in "\t\n\r" or (c >= " " and c not in "\ufffe\uffff") for c in "".join(ids) + system)
    folder = tmp_path_factory.mktemp("out") / "new"
    if not allowed:
        with pytest.raises(CorpusError):
            write(folder, topics)
        assert not list(folder.parent.iterdir()), "nothing half-written is left"
        return
    plan = read_xml(write(folder, topics))
    assert list(plan.evaluations) == ids
    for evaluation in plan.evaluations.values():
        lines = [line.replace("\n", " ").encode("utf-8", "surrogatepass") for line in text]
        assert sentences(evaluation.peer_path(system), evaluation.format) == [line for line in lines if line]


def test_a_folder_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(OutputError):
        write(tmp_path / "out", [matched("1", "s", ["a"], ["a"])])
    assert not list((tmp_path / "out").iterdir())


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    with pytest.raises(OutputError):
        write(tmp_path / "nowhere" / "out", [matched("1", "s", ["a"], ["a"])])


def test_scores_of_the_files_are_those_of_the_corpus(tmp_path: Path) -> None:
    write(tmp_path / "out", [matched("1", "s", ["a b"], ["a c"]), matched("2", "s", ["a"], ["a"])])
    out = io.BytesIO()
    run(["-n", "1", "-x", "-d", "-a", str(tmp_path / "out" / "config.xml")], out, lambda _: None)
    lines = out.getvalue().decode().splitlines()
    assert lines[-2:] == [
        "s ROUGE-1 Eval 1.s R:0.50000 P:0.50000 F:0.50000",
        "s ROUGE-1 Eval 2.s R:1.00000 P:1.00000 F:1.00000",
    ]


def test_the_verb_writes(tmp_path: Path) -> None:
    runner = CliRunner()
    with contextlib.chdir(tmp_path):
        assert runner.invoke(cli, ["rouge", "--write", "out", "sample:news"]).exit_code == 0
        assert runner.invoke(cli, ["rouge", "--write", "out"]).exception is not None
    assert len(read_xml(tmp_path / "out" / "config.xml").evaluations) >= 8
