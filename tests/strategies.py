"""Hypothesis strategies for the records, and for what people get wrong in files."""

from __future__ import annotations

from hypothesis import strategies as st

from topline.corpus.records import Document, Reference, Section, Sentence, Summary, Topic

WORDS = (
    "the",
    "dog",
    "dogs",
    "Mr.",
    "ran",
    "3.5",
    "café",
    "中文",
    "U.S.",
    "--",
    "a",
    "said",
    "well-known",
    "I",
)


def words() -> st.SearchStrategy[str]:
    """Words of a small vocabulary, so that texts overlap."""
    return st.sampled_from(WORDS)


def phrases(most: int = 12) -> st.SearchStrategy[str]:
    """A sentence of such words; never empty."""
    return st.lists(words(), min_size=1, max_size=most).map(" ".join)


def any_text(most: int = 60) -> st.SearchStrategy[str]:
    """Any text that UTF-8 can hold, line breaks and control characters included."""
    return st.text(st.characters(exclude_categories=["Cs"]), max_size=most)


def prose() -> st.SearchStrategy[str]:
    """Text that tempts a sentence splitter."""
    bits = [
        "Mr",
        "No",
        "Jan",
        "I",
        "word",
        "U.S",
        "3.50",
        ".",
        "!",
        "?",
        "...",
        "''",
        "``",
        '"',
        "(",
        ")",
        "[",
        "]",
    ]
    bits += [
        " ",
        " ",
        "  ",
        "\n",
        "\n\n",
        "\r\n",
        "\t",
        "\u2028",
        "\u2029",
        "\u00a0",
        ",",
        "-",
        "'",
        "。",
        "é",
        "\0",
    ]
    return st.lists(st.sampled_from(bits), max_size=40).map("".join)


def ids() -> st.SearchStrategy[str]:
    """Ids as people choose them, and worse."""
    return st.one_of(st.text("abcDZ019._-/", min_size=1, max_size=6), any_text(8).filter(bool))


@st.composite
def sentences(draw: st.DrawFn) -> tuple[Sentence, ...]:
    """The sentences of a document: at least one holds text; all have offsets, or none."""
    texts = draw(st.lists(st.one_of(phrases(), any_text(20)), max_size=5))
    texts.insert(draw(st.integers(0, len(texts))), draw(phrases()))
    if draw(st.booleans()):
        return tuple(map(Sentence, texts))
    starts = [sum(map(len, texts[:at])) + at for at in range(len(texts))]
    return tuple(Sentence(text, start, start + len(text)) for text, start in zip(texts, starts, strict=True))


DATES = st.one_of(st.none(), st.dates().map(str), st.sampled_from(["1998-10-16T12:30", "in spring", "1998"]))


@st.composite
def documents(draw: st.DrawFn, id: str = "d") -> Document:
    """A document with or without a date, a title, sections."""
    content = draw(sentences())
    starts = draw(st.sets(st.integers(0, len(content) - 1), max_size=3))
    sections = tuple(Section(draw(any_text(8)), start) for start in sorted(starts))
    return Document(id, content, draw(any_text(10)), draw(DATES), sections)


@st.composite
def topics(draw: st.DrawFn, id: str | None = None, references: int = 0) -> Topic:
    """A topic that a reader accepts, with at least so many references."""
    document_ids = draw(st.lists(ids(), min_size=1, max_size=4, unique=True))
    reference_ids = draw(st.lists(ids(), min_size=references, max_size=references + 2, unique=True))
    return Topic(
        draw(ids()) if id is None else id,
        tuple(draw(documents(id=one)) for one in document_ids),
        tuple(Reference(one, tuple(draw(st.lists(phrases(), max_size=3)))) for one in reference_ids),
        draw(any_text(10)),
        draw(st.one_of(st.none(), any_text(8).filter(bool))),
        draw(st.sampled_from([None, "syntok-1.4.4", "lines"])),
    )


@st.composite
def corpora(draw: st.DrawFn, most: int = 5) -> list[Topic]:
    """Topics with different ids."""
    chosen = draw(st.lists(ids(), min_size=1, max_size=most, unique=True))
    return [draw(topics(id=id)) for id in chosen]


@st.composite
def summaries(draw: st.DrawFn) -> Summary:
    """A summary that a reader accepts: sentences, numbers, or both."""
    selected = draw(st.one_of(st.none(), st.lists(st.integers(0, 50), unique=True, max_size=5).map(tuple)))
    texts = draw(st.lists(phrases(), max_size=3)) if selected is None or draw(st.booleans()) else []
    return Summary(draw(ids()), draw(ids()), tuple(texts), selected)


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """The bytes with a few of the things that happen to files: cuts, swaps, repeats, strange bytes."""
    result = bytearray(data)
    odd = [
        b"\0",
        b"\xff",
        b"\xc3",
        b"\r\n",
        b"\n",
        b'"',
        b"\\",
        b"<",
        b">",
        b"{",
        b"[",
        b",",
        b"\t",
        b"\xef\xbb\xbf",
    ]
    odd += [b"\\ud800", b"NaN", b"1e999", b"null", b"-1", b"&#xd800;", b"<DOC>", b"</TEXT>", b"=", b"|||||"]
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(result)))
        end = min(len(result), start + draw(st.integers(0, 30)))
        change = draw(st.sampled_from(["cut", "put", "repeat", "end"]))
        if change == "cut":
            del result[start:end]
        elif change == "put":
            result[start:end] = draw(st.one_of(st.sampled_from(odd), st.binary(max_size=6)))
        elif change == "repeat":
            result[start:start] = result[start:end] * draw(st.integers(1, 3))
        else:
            del result[start:]
    return bytes(result)
