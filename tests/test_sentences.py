"""Sentences and their offsets."""

import json
from time import perf_counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.strategies import any_text, prose
from topline.corpus.splitting import sentences_of
from topline.errors import OptionError
from topline.text.sentences import LONGEST_PIECE, SPLITTERS, Splitter, lines, paragraphs


def split(text: str, name: str = "syntok", *, lines_end: bool = False) -> list[str]:
    return [text[start:end] for start, end in Splitter(name).spans(text, lines_end=lines_end)]


@given(st.one_of(prose(), any_text()), st.sampled_from(sorted(SPLITTERS)), st.booleans())
@example("\x85a", "syntok", True)
def test_spans_rise_and_hold_every_character_that_is_not_white_space(text, name, lines_end):
    end = 0
    for span in Splitter(name).spans(text, lines_end=lines_end):
        assert end <= span.start < span.end
        assert not text[end : span.start].strip()
        assert text[span.start : span.end] == text[span.start : span.end].strip()
        end = span.end
    assert not text[end:].strip()


@given(prose())
def test_a_blank_line_ends_a_sentence_and_splitting_is_local_to_paragraphs(text):
    whole = split(text)
    parts = [sentence for span in paragraphs(text) for sentence in split(text[span.start : span.end])]
    assert whole == parts


@given(prose())
def test_records_keep_offsets_and_length_and_have_no_line_breaks(text):
    for sentence in sentences_of(text, Splitter()):
        assert len(sentence.text) == sentence.end - sentence.start
        assert len(sentence.text.splitlines()) == 1
        assert sentence.text.split() == text[sentence.start : sentence.end].split()


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", []),
        (" \n\t ", []),
        ("One", ["One"]),
        ("Mr. Low left. Nobody knew.", ["Mr. Low left.", "Nobody knew."]),
        ("It cost $9.25. Trading stopped.", ["It cost $9.25.", "Trading stopped."]),
        ("``He won.'' The crowd left.", ["``He won.''", "The crowd left."]),
        ("Gov. Ann Harte met Rep. Pell. They spoke.", ["Gov. Ann Harte met Rep. Pell.", "They spoke."]),
        ("The U.S. team won. It rained.", ["The U.S. team won.", "It rained."]),
        ("A title\n\nThe text begins here", ["A title", "The text begins here"]),
        ("A title\r\n \r\nThe text", ["A title", "The text"]),
        ("a wrapped\nline. Next", ["a wrapped\nline.", "Next"]),
        ("one\u2029two", ["one", "two"]),
        ("BERLIN (AP) _ Prices rose. Few cared.", ["BERLIN (AP) _ Prices rose.", "Few cared."]),
        ("He came (late). -- She left.", ["He came (late).", "-- She left."]),
    ],
)
def test_cases(text, sentences):
    assert split(text) == sentences


def test_lines():
    assert split("One. Two.\n\n Three \nfour", "lines") == ["One. Two.", "Three", "four"]
    assert split("One. Two.\nthree", lines_end=True) == ["One.", "Two.", "three"]
    assert [tuple(span) for span in lines(" a\n\nb ")] == [(1, 2), (4, 5)]


@pytest.mark.parametrize("unit", ["word ", "( a ", "1. ", "[a. ", "\n ", "'", "A. ", "x", "``"])
def test_time_grows_with_length_only(unit):
    def seconds(length: int) -> float:
        text = (unit * length)[:length]
        start = perf_counter()
        Splitter().spans(text)
        return perf_counter() - start

    seconds(100)
    # quadratic time would be 64 times as long
    assert seconds(160_000) < 30 * seconds(20_000) + 0.5


def test_a_megabyte_without_a_full_stop_is_cut_at_white_space():
    text = "word " * 200_000
    spans = Splitter().spans(text)
    assert len(spans) > 5
    assert max(end - start for start, end in spans) <= LONGEST_PIECE
    assert {word for start, end in spans for word in text[start:end].split()} == {"word"}
    assert len(Splitter().spans("x" * 250_000)) == 3


def test_signature_names_the_version():
    assert Splitter().signature.startswith("syntok-1.")
    assert Splitter("lines").signature == "lines"
    with pytest.raises(OptionError, match="unknown splitter"):
        Splitter("nltk")


@settings(max_examples=5)
@given(st.integers(0, 24))
def test_stories_are_covered(shared_data, number):
    row = json.loads((shared_data / "squality.jsonl").read_text().splitlines()[number])
    text = row["documents"][0]["text"]
    assert "".join("".join(split(text)).split()) == "".join(text.split())
