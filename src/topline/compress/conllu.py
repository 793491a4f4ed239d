"""Parses in CoNLL-U: read beside a corpus, matched by document and sentence; and written."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from topline.compress.parse import NO_HEAD, Parse, Piece, Word, label_set, spaced_as
from topline.corpus.conllu import ParsedSentence, Token, read_sentences
from topline.corpus.records import Document, Topic
from topline.errors import CorpusError, ParseMismatch, Where

_LOOK = 500
"""Sentences that are looked at to tell the label set."""
_SHOWN = 40
"""Characters of a sentence that an error shows."""


def parse_of(sentence: ParsedSentence, where: Where) -> Parse:
    """A sentence's tree; multiword tokens keep their surface, empty nodes are left out."""
    if not sentence.has_tree:
        raise CorpusError(
            "the sentence is tagged but not parsed", where=where, hint="every word needs a head and a label"
        )
    pieces = []
    covered = 0
    for token in sentence.tokens:
        number, last = token.id.number, token.id.last or token.id.number
        if token.id.empty is None and number > covered:
            covered = last
            pieces.append(Piece(token.form, number - 1, last, token.space_after))
    return Parse(tuple(_word(token) for token in sentence.words), tuple(pieces))


def _word(token: Token) -> Word:
    head = NO_HEAD if not token.head else token.head - 1
    pos, tag, feats, lemma = (
        "" if value == "_" else value for value in (token.upos, token.xpos, token.feats, token.lemma)
    )
    return Word(token.form, head, token.deprel, pos, tag, feats, lemma)


def document_name(topic: Topic, document: Document) -> str:
    """A document's name in a file of parses: TOPIC/DOCUMENT, on one line whatever the ids hold."""
    return " ".join(f"{topic.id}/{document.id}".split())


class ParseFile:
    """A CoNLL-U file beside a corpus; documents come out in whatever order they are asked for.

    The file is read once. What was read on the way to a document waits in memory, so that a file in the
    corpus's own order costs no memory.
    """

    def __init__(self, path: Path, labels: str = "auto") -> None:
        self.path = path
        stream = read_sentences(path)
        first = list(islice(stream, _LOOK))
        self._stream = chain(first, stream)
        self._waiting: dict[str, list[ParsedSentence]] = {}
        self._last: str | None = None
        """The document that the sentence read last belongs to."""
        self.labels = labels
        """`ud` or `clearnlp`; `auto` becomes what the first sentences show."""
        if labels == "auto":
            self.labels = label_set([parse_of(s, self._where(s)) for s in first])

    def _where(self, sentence: ParsedSentence) -> Where:
        return Where(file=str(self.path), line=sentence.line, id=sentence.id)

    def parses(self, topic: Topic) -> list[Parse | None]:
        """A parse for every sentence of the topic, documents in corpus order; None for a blank sentence."""
        return [parse for document in topic.documents for parse in self._document(topic, document)]

    def _document(self, topic: Topic, document: Document) -> Iterator[Parse | None]:
        texts = [sentence.text for sentence in document.sentences]
        wanted = [number for number, text in enumerate(texts) if text.strip()]
        sentences = self._take(topic, document) if wanted else []
        for place, number in enumerate(wanted):
            if place >= len(sentences):
                self._fail(topic, document, f"sentence {number} has no parse", texts[number], None)
            if _letters(texts[number]) != _letters(sentences[place].text):
                what = f"the parse of sentence {number} is of another text"
                self._fail(topic, document, what, texts[number], sentences[place])
        if len(sentences) > len(wanted):
            left = sentences[len(wanted)]
            self._fail(topic, document, "there are more parses than sentences", "", left)
        found = {
            number: parse_of(sentence, self._where(sentence))
            for number, sentence in zip(wanted, sentences, strict=True)
        }
        for number, parse in found.items():
            if _letters(parse.text) != _letters(texts[number]):
                what = f"the words of sentence {number}'s parse are not those of its text"
                self._fail(topic, document, what, texts[number], sentences[wanted.index(number)])
            found[number] = spaced_as(parse, texts[number])
        return (found.get(number) for number in range(len(texts)))

    def _take(self, topic: Topic, document: Document) -> list[ParsedSentence]:
        """The sentences of a document: `newdoc id` is TOPIC/DOCUMENT or DOCUMENT."""
        names = (document_name(topic, document), " ".join(document.id.split()))
        while True:
            known = next((name for name in names if name in self._waiting), None)
            if known is not None and known != self._last:
                return self._waiting.pop(known)
            if not self._read_on():
                break
        if known is not None:
            return self._waiting.pop(known)
        raise ParseMismatch(
            f"no parse of document {document.id!r} of topic {topic.id!r}",
            where=Where(file=str(self.path)),
            hint=f"the file needs a line '# newdoc id = {names[0]}' before its sentences",
        )

    def _read_on(self) -> bool:
        """Read one more sentence; False at the end of the file."""
        sentence = next(self._stream, None)
        if sentence is None:
            return False
        name = sentence.document or ""
        if sentence.new_document is not None and name in self._waiting:
            raise CorpusError(
                "doubled id of a document", where=self._where(sentence), hint="one newdoc a document"
            )
        self._last = name
        self._waiting.setdefault(name, []).append(sentence)
        return True

    def _fail(
        self, topic: Topic, document: Document, what: str, text: str, parsed: ParsedSentence | None
    ) -> None:
        shown = f": corpus {text[:_SHOWN]!r}" if text else ""
        shown += f", parse {parsed.text[:_SHOWN]!r}" if parsed else ""
        where = self._where(parsed) if parsed else Where(file=str(self.path))
        raise ParseMismatch(
            f"topic {topic.id!r}, document {document.id!r}: {what}{shown}",
            where=where,
            hint="parse the corpus again: topline parse CORPUS --out FILE",
        )


def _letters(text: str) -> bytes:
    """A text without white space, in which parsers differ."""
    return "".join(text.split()).encode("utf-8", "replace")


def block(parse: Parse, id: str) -> str:
    """A sentence in CoNLL-U."""
    lines = [f"# sent_id = {id}", f"# text = {parse.text}"]
    for piece in parse.pieces:
        misc = "_" if piece.spaced or piece is parse.pieces[-1] else "SpaceAfter=No"
        several = piece.last - piece.first > 1
        if several:
            lines.append(_line(f"{piece.first + 1}-{piece.last}", [piece.text, *"______", "_", misc]))
        for number in range(piece.first, piece.last):
            word = parse.words[number]
            cells = [word.form, word.lemma, word.pos, word.tag, word.feats]
            cells += [str(word.head + 1), word.label, "_", "_" if several else misc]
            lines.append(_line(str(number + 1), cells))
    return "\n".join(lines) + "\n\n"


def _line(id: str, cells: list[str]) -> str:
    return "\t".join([id, *("_" if cell == "" else "".join(cell.split()) for cell in cells)])
