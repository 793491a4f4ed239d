"""Topics with their parses, wherever these come from: a file beside the corpus, or a parser."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from topline.compress.chunks import chunk_tree
from topline.compress.conllu import ParseFile
from topline.compress.parse import Parse, label_set, spaced_as
from topline.compress.parser import Parser
from topline.compress.tree import ChunkTree
from topline.corpus.records import Topic
from topline.corpus.sample import resolved
from topline.errors import CorpusError, Where


@dataclass(frozen=True, slots=True)
class ParsedTopic:
    """A topic and the parse of each of its sentences."""

    topic: Topic
    parses: tuple[Parse | None, ...]
    """In the order of the topic's sentences; None for a blank one."""
    labels: str = "ud"
    """The parses' label set, `ud` or `clearnlp`."""

    def trees(self, rules: str) -> list[ChunkTree]:
        """The chunk tree of every sentence; a blank one's is empty."""
        blank = ChunkTree(Parse((), ()), (), ())
        return [blank if parse is None else chunk_tree(parse, self.labels, rules) for parse in self.parses]


class Source(Protocol):
    """Anything that has the parses of topics."""

    def parsed(self, topic: Topic) -> ParsedTopic:
        """The topic with its parses."""


@dataclass(frozen=True, slots=True)
class FromFile:
    """Parses from a CoNLL-U file."""

    file: ParseFile

    def parsed(self, topic: Topic) -> ParsedTopic:
        """The topic with its parses, matched by document and sentence."""
        return ParsedTopic(topic, tuple(self.file.parses(topic)), self.file.labels)


@dataclass(frozen=True, slots=True)
class FromParser:
    """Parses made now."""

    parser: Parser
    labels: str = "auto"

    def parsed(self, topic: Topic) -> ParsedTopic:
        """The topic, parsed."""
        texts = topic.texts()
        trees = self.parser.parses(text for text in texts if text.strip())
        parses = tuple(spaced_as(next(trees), text) if text.strip() else None for text in texts)
        labels = label_set([p for p in parses if p]) if self.labels == "auto" else self.labels
        return ParsedTopic(topic, parses, labels)


def source(corpus: Path, given: Path | None = None, labels: str = "auto", model: str = "auto") -> Source:
    """Where a corpus's parses come from: the file given, the file beside it, or else spaCy."""
    path = given or beside(corpus)
    if path is None:
        return FromParser(Parser(model), labels)
    if not path.exists():
        raise CorpusError("no such file", where=Where(file=str(path)), hint="topline parse CORPUS --out FILE")
    return FromFile(ParseFile(path, labels))


def beside(corpus: Path) -> Path | None:
    """The CoNLL-U file that lies beside a corpus under its name, or is the corpus."""
    path = resolved(corpus)
    if ".conllu" in path.suffixes:
        return path
    name = path.name.removesuffix(".gz")
    stem = name.rsplit(".", 1)[0] if "." in name else name
    beside = (path.with_name(stem + ending) for ending in (".conllu", ".conllu.gz"))
    return next((file for file in beside if file.exists()), None)
