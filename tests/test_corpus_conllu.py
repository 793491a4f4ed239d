"""CoNLL-U: tokens, trees and what breaks them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topline.corpus.conllu import TokenId, read_sentences, sentences_or_errors
from topline.corpus.read import read
from topline.errors import CorpusError


def token(id, form="w", head="_", deprel="_", misc="_"):
    return f"{id}\t{form}\t{form}\tX\t_\t_\t{head}\t{deprel}\t_\t{misc}\n"


CONTRACTED = (
    "# newdoc id = d1\n# sent_id = s1\n"
    + token("1-2", "Don't", misc="SpaceAfter=No")
    + token(1, "Do", 0)
    + token(2, "n't", 1)
    + token("2.1", "you")
    + token(3, "!", 1)
    + "\n# text = Second one\n"
    + token(1, "Second", 2)
    + token(2, "one", 0)
    + "\n# newdoc\n# sent_id = s3\n"
    + token(1, "Third", 0)
)


@pytest.fixture
def conllu(tmp_path):
    def write(text: str | bytes):
        path = tmp_path / "c.conllu"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_tokens(conllu, end):
    first, second, third = read_sentences(conllu(CONTRACTED.replace("\n", end)))
    assert (first.id, first.text, first.document, first.new_document, first.line) == (
        "s1",
        "Don't!",
        "d1",
        "d1",
        1,
    )
    assert [t.id for t in first.tokens] == [
        TokenId(1, last=2), TokenId(1), TokenId(2), TokenId(2, empty=1), TokenId(3),
    ]  # fmt: skip
    assert [word.form for word in first.words] == ["Do", "n't", "!"]
    assert [word.head for word in first.words] == [0, 1, 1]
    assert not first.tokens[0].space_after
    assert first.has_tree
    assert (second.id, second.text, second.document, second.new_document) == ("9", "Second one", "d1", None)
    assert (third.document, third.new_document) == ("", "")


def test_a_file_is_a_topic(conllu):
    (topic,) = read(conllu(CONTRACTED))
    assert topic.id == "c"
    assert {d.id: [s.text for s in d.sentences] for d in topic.documents} == {
        "d1": ["Don't!", "Second one"], "2": ["Third"],
    }  # fmt: skip


def test_tags_without_trees(conllu):
    (sentence,) = read_sentences(conllu(token(1) + token(2)))
    assert not sentence.has_tree


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("1 a b\n", "10 fields between tabs, this line 1"),
        ("1\ta\n", "this line 2"),
        (token(2, head=0), "token ids out of order at 2"),
        (token(1, head=0) + token(1, head=1), "token ids out of order at 1"),
        (token(0, head=0), "token ids out of order at 0"),
        (token("x"), "bad token id 'x'"),
        (token("1-"), "bad token id '1-'"),
        (token("²"), "bad token id"),
        (token("9" * 5000), "bad token id"),
        (token("2-1"), "token ids out of order"),
        (token("1-3") + token(1, head=0), "a multiword token reaches to 3, the words to 1"),
        (token("1-2") + token("2-3"), "token ids out of order at 2"),
        (token(1, head=0) + token("1.2"), "token ids out of order at 1"),
        (token(1, form=""), "a token without form"),
        (token(1, head="x"), "bad head 'x'"),
        (token(1, head=0) + token(2), "no tree: word 2 has no head"),
        (token(1, head=0) + token(2, head=3), "no tree: word 2 hangs from 3, which is not there"),
        (token(1, head=0) + token(2, head=0), "no tree: 2 roots"),
        (token(1, head=1), "no tree: 0 roots"),
        (token(1, head=0) + token(2, head=3) + token(3, head=2), "through a cycle"),
        ("# only = comments\n", "a sentence without tokens"),
        (b"1\t\xff\n", "bad UTF-8: byte 3"),
        (token(1) * 10_001, "a sentence of over 10,000 lines"),
    ],
)
def test_errors(conllu, text, what):
    good = token(1, head=0) + "\n"
    bad = text if isinstance(text, bytes) else text.encode()
    found = list(sentences_or_errors(conllu(good.encode() + bad + b"\n" + good.encode())))
    assert len(found) == 3
    assert isinstance(found[1], CorpusError)
    assert what in found[1].what
    assert found[1].where.line >= 3
    assert found[1].where.id is None
    with pytest.raises(CorpusError):
        list(read(conllu(bad)))


@given(st.lists(st.integers(0, 8), min_size=1, max_size=8))
def test_trees_against_following_every_head(tmp_path_factory, heads):
    path = tmp_path_factory.mktemp("c") / "c.conllu"
    path.write_text("".join(token(number, head=head) for number, head in enumerate(heads, 1)))

    def reaches_root(word: int) -> bool:
        for _ in heads:
            if word == 0 or word > len(heads):
                break
            word = heads[word - 1]
        return word == 0

    is_tree = heads.count(0) == 1 and all(map(reaches_root, range(1, len(heads) + 1)))
    (found,) = sentences_or_errors(path)
    assert is_tree == (not isinstance(found, CorpusError))


def test_deep_trees_are_checked_without_recursion(conllu):
    chain = "".join(token(number, head=number - 1) for number in range(1, 9_000))
    (sentence,) = read_sentences(conllu(chain))
    assert len(sentence.words) == 8_999


def test_the_treebank(shared_data):
    sentences = list(read_sentences(shared_data / "ewt-test.conllu"))
    assert len(sentences) == 2077
    assert all(sentence.has_tree for sentence in sentences)
    text = (shared_data / "ewt-test.conllu").read_text()
    assert [s.text for s in sentences] == [
        line[9:] for line in text.splitlines() if line.startswith("# text = ")
    ]
    assert sum(len(s.tokens) for s in sentences) == sum(line[:1].isdigit() for line in text.splitlines())
    (topic,) = read(shared_data / "ewt-test.conllu")
    assert len(topic.documents) == text.count("# newdoc id")


def test_forms_and_spaces_make_the_text(shared_data):
    from topline.corpus.conllu import text_of

    for sentence in read_sentences(shared_data / "ewt-test.conllu"):
        assert text_of(list(sentence.tokens)).split() == sentence.text.split()
