"""Tokens, stems, stop words, and the compiled tokeniser against the plain one."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topline.errors import MetricError
from topline.text.encode import Vocabulary
from topline.text.stem import exceptions, porter, stem
from topline.text.stopwords import load_stopwords
from topline.text.tokens import TOKENIZERS, Preprocessing, rouge155, unicode_words

WORDS = st.text(st.sampled_from("abcdeéß中 .-'\n\t\x00ABZ019\ud800"), max_size=40)


def test_the_script_knows_ascii_letters_and_digits_only() -> None:
    assert rouge155("Naïve café, don't: 3.5% of U.S.-born\u00a0x_y") == [
        "na",
        "ve",
        "caf",
        "don",
        "t",
        "3",
        "5",
        "of",
        "u",
        "s",
        "born",
        "x",
        "y",
    ]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("Straße, größer", ["strasse", "grösser"]),
        ("我们的2024年", ["我", "们", "的", "2024", "年"]),
        ("Ａｂｃ don't x_y", ["abc", "don", "t", "x", "y"]),
        ("ภาษา", ["ภ", "า", "ษ", "า"]),
        ("Donau\u00addampf\u00adschiff", ["donaudampfschiff"]),
        ("क्\u200dषेत्र", ["क्षेत्र"]),
        ("می\u200cخواهم \u200fكتاب", ["میخواهم", "كتاب"]),
        ("one\u200btwo", ["one", "two"]),
        ("", []),
    ],
)
def test_the_unicode_tokeniser_keeps_every_language(text: str, tokens: list[str]) -> None:
    assert unicode_words(text) == tokens


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        ("mice", "mouse"), ("mouse", "mous"), ("was", "was"), ("better", "good"), ("the", "the"),
        ("departmental", "depart"), ("agreement", "agreem"), ("yearly", "yearli"), ("flies", "fli"),
        ("hopping", "hop"), ("relational", "relat"), ("controlling", "control"), ("1998", "1998"),
    ],
)  # fmt: skip
def test_stems_are_the_scripts(word: str, stemmed: str) -> None:
    assert stem(word) == stemmed


def test_exceptions_are_not_stemmed_again_and_only_first_forms_are_kept() -> None:
    table = exceptions()
    assert len(table) == 5930
    assert {word: table[word] for word in ("is", "testes", "best", "better")} == {
        "is": "be", "testes": "testes", "best": "good", "better": "good",
    }  # fmt: skip
    assert all(" " not in base for base in table.values())


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12))
def test_porter_never_lengthens_a_word_by_more_than_its_rules_do(word: str) -> None:
    assert 0 < len(porter(word)) <= len(word) + 1


def test_the_scripts_stop_words_hold_its_news_agencies() -> None:
    smart = load_stopwords("smart")
    assert len(smart) == 596  # of the 598 lines two stand twice
    assert {"reuters", "ap", "jan", "the", "don't"} <= smart


def test_stop_words_from_a_file_and_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    path.write_text("The\n  of \n\n", "utf-8")
    assert Preprocessing(stopwords=str(path), stem=False).tokens("The end of it") == ["end", "it"]
    with pytest.raises(MetricError, match=r"none\.txt: cannot read the stop words: No such file"):
        Preprocessing(stopwords=str(tmp_path / "none.txt")).tokens("x")


def test_an_unknown_tokeniser_is_an_error() -> None:
    with pytest.raises(MetricError, match=r"unknown tokenizer 'x' \(one of: rouge155, unicode\)"):
        Preprocessing("x")


@given(
    st.lists(WORDS, max_size=6),
    st.sampled_from(list(TOKENIZERS)),
    st.booleans(),
    st.sampled_from(["none", "smart"]),
)
def test_the_compiled_vocabulary_equals_the_plain_one(
    texts: list[str], tokenizer: str, stems: bool, stop: str
) -> None:
    preprocessing = Preprocessing(tokenizer, stems, stop)
    fast, plain = Vocabulary(preprocessing), Vocabulary(preprocessing)
    for batch in (texts, texts[::-1]):
        ours, twin = fast.encode(batch), plain.encode_plainly(batch)
        assert ours.ids.tolist() == twin.ids.tolist()
        assert ours.starts.tolist() == twin.starts.tolist()
        assert [fast.words[i] for i in ours.ids] == [t for text in batch for t in preprocessing.tokens(text)]
    assert fast.words == plain.words


def test_a_vocabulary_grows_past_its_first_tables() -> None:
    texts = [
        " ".join(f"w{i:x}long{i}" for i in range(start, start + 4000)) for start in range(0, 40_000, 4000)
    ]
    fast, plain = Vocabulary(Preprocessing(stem=False)), Vocabulary(Preprocessing(stem=False))
    assert np.array_equal(fast.encode(texts).ids, plain.encode_plainly(texts).ids)
    assert len(fast) == 40_000
    assert np.array_equal(fast.encode(texts).ids, np.arange(40_000))


def test_tokens_that_share_their_first_eight_bytes_differ() -> None:
    words = ["internat", "internati", "internatio", "international", "internationale", "internationalx"]
    vocabulary = Vocabulary(Preprocessing(stem=False))
    assert vocabulary.encode([" ".join(words)]).ids.tolist() == list(range(6))
    assert vocabulary.encode(words).ids.tolist() == list(range(6))


def test_many_texts_of_one_token_each_and_texts_that_hold_line_breaks() -> None:
    letters = [chr(97 + i % 26) + chr(97 + i // 26 % 26) * (i % 2) for i in range(4000)]
    for texts in (letters, ["a\nb", "c", "", "\n"], [], [""], ["é\na"]):
        fast, plain = Vocabulary(), Vocabulary()
        ours, twin = fast.encode(texts), plain.encode_plainly(texts)
        assert (ours.ids.tolist(), ours.starts.tolist()) == (twin.ids.tolist(), twin.starts.tolist())
        lines = [line for text in texts for line in text.split("\n")]
        by_lines = fast.encode_lines(texts) if texts else ours
        assert by_lines.starts.tolist() == plain.encode_plainly(lines).starts.tolist()
        assert by_lines.ids.tolist() == twin.ids.tolist()
