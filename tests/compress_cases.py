"""Small parsed topics to trim: by hand, drawn by Hypothesis, or runs of a treebank's sentences."""

from pathlib import Path

from hypothesis import strategies as st

from topline.compress.conllu import parse_of
from topline.compress.parse import Parse, Piece, Word
from topline.compress.parsed import ParsedTopic
from topline.corpus.conllu import read_sentences
from topline.corpus.records import Document, Reference, Sentence, Topic
from topline.errors import Where

WORDS = ("cat", "dogs", "sat", "the", "ran", "U.S.")
LABELS = ("nsubj", "obj", "obl", "det", "amod", "conj", "advmod", "acl", "ccomp", "punct", "dep")


def tree(text: str, heads: str, labels: str, glued: str = "") -> Parse:
    """A parse from words, heads (from 1, the root's 0), labels; `glued`: words with no blank behind."""
    tight = {int(n) for n in glued.split()}
    forms = text.split()
    words = tuple(
        Word(form, int(head) - 1, label)
        for form, head, label in zip(forms, heads.split(), labels.split(), strict=True)
    )
    return Parse(words, tuple(Piece(form, i, i + 1, i + 1 not in tight) for i, form in enumerate(forms)))


def tagged(rows: str) -> Parse:
    """A parse from lines `form head label [pos [tag [lemma]]]`; a `_` at a form's end: no blank behind."""
    words, pieces = [], []
    for i, row in enumerate(rows.strip().splitlines()):
        form, head, label, *more = row.split()
        pos, tag, lemma = [*more, "", "", ""][:3]
        glued = form.endswith("_") and len(form) > 1
        form = form[:-1] if glued else form
        words.append(Word(form, int(head) - 1, label, pos, tag, lemma=lemma))
        pieces.append(Piece(form, i, i + 1, not glued))
    return Parse(tuple(words), tuple(pieces))


def topic_of(parses: list[Parse], references: list[list[str]], labels: str = "ud") -> ParsedTopic:
    sentences = tuple(Sentence(parse.text) for parse in parses)
    made = tuple(Reference(f"R{n}", tuple(lines)) for n, lines in enumerate(references))
    return ParsedTopic(Topic("t", (Document("d", sentences),), made), tuple(parses), labels)


@st.composite
def parses(draw: st.DrawFn, longest: int = 6, marks: bool = True) -> Parse:
    """A random tree over a handful of words, now and then without a blank, or with a mark."""
    size = draw(st.integers(1, longest))
    order = draw(st.permutations(range(size)))
    heads = [-1] * size
    for place, word in enumerate(order[1:], 1):
        heads[word] = order[draw(st.integers(0, place - 1))]
    words = []
    for i in range(size):
        label = "root" if heads[i] < 0 else draw(st.sampled_from(LABELS))
        mark = marks and label == "punct"
        form = draw(st.sampled_from((",", ".", "(", '"') if mark else WORDS))
        words.append(Word(form, heads[i], label if mark or label != "punct" else "dep"))
    glued = draw(st.lists(st.integers(0, size - 1), max_size=1)) if marks else []
    pieces = tuple(Piece(word.form, i, i + 1, i not in glued) for i, word in enumerate(words))
    return Parse(tuple(words), pieces)


@st.composite
def topics(draw: st.DrawFn, sentences: int = 3, longest: int = 6, marks: bool = True) -> ParsedTopic:
    """A small parsed topic with one to three references in the same few words."""
    trees = draw(st.lists(parses(longest, marks), min_size=1, max_size=sentences))
    line = st.lists(st.sampled_from(WORDS), min_size=2, max_size=8).map(" ".join)
    references = draw(st.lists(st.lists(line, min_size=1, max_size=2), min_size=1, max_size=3))
    return topic_of(trees, references)


def treebank(path: Path, most: int | None = None) -> list[Parse]:
    """A CoNLL-U file's parses."""
    found = []
    for sentence in read_sentences(path):
        found.append(parse_of(sentence, Where(file=path.name, line=sentence.line)))
        if len(found) == most:
            break
    return found


def runs(found: list[Parse], size: int, sources: int) -> list[ParsedTopic]:
    """Runs of sentences as documents, the sentences behind each run as its reference."""
    step = size + sources
    return [
        topic_of(found[at : at + size], [[p.text for p in found[at + size : at + step]]])
        for at in range(0, len(found) - step + 1, step)
    ]
