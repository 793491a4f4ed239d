"""CoNLL-U: sentences with dependency trees, one at a time; also a view of a file as a topic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from topline.corpus.files import LINE_LIMIT, decoded, lines_and_blanks, place, too_long
from topline.corpus.reading import Finds, Found, How
from topline.corpus.records import Document, Sentence, Topic
from topline.errors import CorpusError, Where

_FIELDS = 10
_LONGEST = 10_000
"""Lines of the longest sentence: more is no sentence."""


class TokenId(NamedTuple):
    """A token's id: `7`; `7-8` for a multiword token (`last` 8); `7.1` for an empty node (`empty` 1)."""

    number: int
    last: int | None = None
    empty: int | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a multiword token or an empty node, as its line has it."""

    id: TokenId
    form: str
    lemma: str = "_"
    upos: str = "_"
    xpos: str = "_"
    feats: str = "_"
    head: int | None = None
    """The number of the word it hangs from, 0 for the root; None for what has no place in the tree."""
    deprel: str = "_"
    deps: str = "_"
    misc: str = "_"

    @property
    def is_word(self) -> bool:
        """Whether it is a node of the tree: no multiword token, no empty node."""
        return self.id.last is None and self.id.empty is None

    @property
    def space_after(self) -> bool:
        """Whether white space follows it in the text."""
        return "SpaceAfter=No" not in self.misc.split("|")


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """A sentence with its tokens, and what the comments say of it."""

    id: str
    """`sent_id`, or the number of its first line where there is none."""
    text: str
    """`# text`, or the forms put together as `SpaceAfter` says."""
    tokens: tuple[Token, ...]
    document: str | None = None
    """The document it belongs to: the last `newdoc`'s id."""
    new_document: str | None = None
    """The id of the document that starts here; an empty string for a `newdoc` without id."""
    line: int = 0
    """The number of its first line in the file."""

    @property
    def words(self) -> tuple[Token, ...]:
        """The nodes of the tree, number 1 first."""
        return tuple(token for token in self.tokens if token.is_word)

    @property
    def has_tree(self) -> bool:
        """Whether the heads are there; tagged text without trees has `_` in their place."""
        return all(word.head is not None for word in self.words)


def read_sentences(path: Path, limit: int = LINE_LIMIT) -> Iterator[ParsedSentence]:
    """The sentences of a file one by one; the first bad one raises."""
    for sentence in sentences_or_errors(path, limit):
        if isinstance(sentence, CorpusError):
            raise sentence
        yield sentence


def sentences_or_errors(path: Path, limit: int = LINE_LIMIT) -> Iterator[ParsedSentence | CorpusError]:
    """The sentences of a file, an error in the place of each bad one."""
    document: str | None = None
    for block in _blocks(path, limit):
        if isinstance(block, CorpusError):
            yield block
            continue
        comments = dict(_comments(block))
        new = comments.get("newdoc id", comments.get("newdoc"))
        document = document if new is None else new
        try:
            yield _sentence(block, comments, document, new, path)
        except CorpusError as error:
            yield error


Block = list[tuple[int, str]]
"""The lines of a sentence with their numbers."""


def _blocks(path: Path, limit: int) -> Iterator[Block | CorpusError]:
    """The runs of lines between blank ones; a run with an unreadable line is an error."""
    block: Block = []
    error: CorpusError | None = None
    for number, data in lines_and_blanks(path, limit):
        if data is not None and data.isspace():
            if block or error:
                yield error or block
            block, error = [], None
        elif error is None:
            block, error = _with_line(block, path, number, data, limit)
    if block or error:
        yield error or block


def _with_line(
    block: Block, path: Path, number: int, data: bytes | None, limit: int
) -> tuple[Block, CorpusError | None]:
    """The block with one more line, or the error that makes it unusable."""
    if data is None:
        return [], too_long(path, number, limit)
    if len(block) == _LONGEST:
        hint = "a blank line ends a sentence"
        return [], CorpusError(f"a sentence of over {_LONGEST:,} lines", where=place(path, number), hint=hint)
    try:
        block.append((number, decoded(data, place(path, number)).rstrip("\r\n")))
    except CorpusError as error:
        return [], error
    return block, None


def _comments(block: Block) -> Iterator[tuple[str, str]]:
    for _, line in block:
        if line.startswith("#"):
            name, _, value = line[1:].partition("=")
            yield name.strip(), value.strip()


def _sentence(
    block: Block, comments: dict[str, str], document: str | None, new: str | None, path: Path
) -> ParsedSentence:
    id = comments.get("sent_id") or None
    tokens = [_token(line, place(path, number, id)) for number, line in block if not line.startswith("#")]
    first = block[0][0]
    where = place(path, first, id)
    if not tokens:
        raise CorpusError("a sentence without tokens", where=where, hint="comments alone make no sentence")
    _check_numbers(tokens, where)
    _check_tree([token for token in tokens if token.is_word], where)
    text = comments.get("text") or text_of(tokens)
    return ParsedSentence(id or str(first), text, tuple(tokens), document, new, first)


def _token(line: str, where: Where) -> Token:
    cells = line.split("\t")
    if len(cells) != _FIELDS:
        what = f"a token has {_FIELDS} fields between tabs, this line {len(cells)}"
        raise CorpusError(what, where=where, hint="CoNLL-U separates by tabs, not spaces")
    if not cells[1]:
        raise CorpusError("a token without form", where=where, hint="an unknown form is _")
    id, head = _id(cells[0], where), cells[6]
    if head != "_" and not _is_number(head):
        raise CorpusError(f"bad head {head[:20]!r}", where=where, hint="a word's number, 0 for the root")
    number = None if head == "_" else int(head)
    _, form, lemma, upos, xpos, feats, _, deprel, deps, misc = cells
    return Token(id, form, lemma, upos, xpos, feats, number, deprel, deps, misc)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 9


def _id(text: str, where: Where) -> TokenId:
    """`7`, `7-8` or `7.1`."""
    for sign in ("", "-", "."):
        first, found, second = text.partition(sign) if sign else (text, "", "0")
        if found == sign and _is_number(first) and _is_number(second):
            if not sign:
                return TokenId(int(first))
            return TokenId(int(first), int(second)) if sign == "-" else TokenId(int(first), None, int(second))
    raise CorpusError(f"bad token id {text[:20]!r}", where=where, hint="1, 1-2 or 1.1")


def _check_numbers(tokens: list[Token], where: Where) -> None:
    """Words count from 1; a multiword token stands before its words, empty nodes follow theirs in order."""
    number = empty = covered = 0
    for id in (token.id for token in tokens):
        if id.last is not None:
            good = id.number == number + 1 and id.last >= id.number and id.number > covered
            covered = id.last
        elif id.empty is not None:
            good = id.number == number and id.empty == empty + 1
            empty = id.empty
        else:
            good = id.number == number + 1
            number, empty = id.number, 0
        if not good:
            what = f"token ids out of order at {id.number}"
            raise CorpusError(what, where=where, hint="words are numbered 1, 2, 3 …")
    if covered > number:
        what = f"a multiword token reaches to {covered}, the words to {number}"
        raise CorpusError(what, where=where, hint="a range covers words that are there")


def _check_tree(words: list[Token], where: Where) -> None:
    """All heads or none; one root, and every word hangs from it."""
    heads = [word.head for word in words]
    if not words or all(head is None for head in heads):
        return
    roots = heads.count(0)
    up = [0, *(-1 if head is None else head for head in heads)]
    if None in heads:
        what = f"word {heads.index(None) + 1} has no head, others have"
    elif max(up) > len(words):
        what = f"word {up.index(max(up))} hangs from {max(up)}, which is not there"
    elif roots != 1:
        what = f"{roots} roots"
    elif (word := _on_cycle(up)) is not None:
        what = f"word {word} hangs from itself through a cycle"
    else:
        return
    raise CorpusError(f"no tree: {what}", where=where, hint="one root, and every word's head leads to it")


def _on_cycle(up: list[int]) -> int | None:
    """A word from which no way leads to 0, by following heads; every word is passed once."""
    done = bytearray(len(up))
    done[0] = 1
    for word in range(1, len(up)):
        path = set()
        while not done[word]:
            if word in path:
                return word
            path.add(word)
            word = up[word]  # noqa: PLW2901 - climbs
        for passed in path:
            done[passed] = 1
    return None


def text_of(tokens: list[Token]) -> str:
    """The forms put together: a multiword token stands for its words, an empty node is no text."""
    text, covered = "", 0
    for token in tokens:
        if token.id.empty is None and token.id.number > covered:
            covered = token.id.last or token.id.number
            text += token.form + (" " if token.space_after else "")
    return text.rstrip()


def read_topics(path: Path, how: How) -> Finds[Topic]:
    """The whole file as one topic named by it, a document a `newdoc`; a bad sentence makes it unreadable."""
    documents: dict[str, list[Sentence]] = {}
    current = ""
    for sentence in sentences_or_errors(path, how.limit):
        if isinstance(sentence, CorpusError):
            yield sentence
            return
        if sentence.new_document is not None or not documents:
            current = sentence.document or str(len(documents) + 1)
            if current in documents:
                where = place(path, sentence.line, current)
                yield CorpusError("doubled id of a document", where=where, hint="one newdoc a document")
                return
            documents[current] = []
        documents[current].append(Sentence(sentence.text))
    made = tuple(Document(id, tuple(sentences)) for id, sentences in documents.items())
    yield Found(Topic(path.name.split(".")[0], made), place(path))
