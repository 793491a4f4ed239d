"""`-v`: how each score came about, in the script's own order.

Plain Python, as it shows single words. The script lists n-grams in the order of its hash, another one every
time; here they stand in the order of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from topline.rouge.combine import scores_of
from topline.rouge.limits import cut_apart, cut_joined
from topline.rouge.metric import Part
from topline.rouge.perl.be import TOTAL, Elements, elements
from topline.rouge.perl.config import Evaluation, Plan
from topline.rouge.perl.evaluate import Outcome
from topline.rouge.perl.figures import fixed, shown
from topline.rouge.perl.files import be_lines, sentences
from topline.rouge.perl.flags import Flags
from topline.rouge.perl.plan import Step
from topline.rouge.perl.printout import printed
from topline.rouge.perl.readings import Stemming
from topline.rouge.perl.tables import ScriptText, Tables
from topline.rouge.perl.trace import used_words

_OTHER = re.compile(rb"[^A-Za-z0-9-]")
EMPTY = b"---empty text---\n"


def cleaned(text: bytes) -> bytes:
    """A text before it falls into tokens: hyphens stand apart, what is no letter or digit is a space."""
    return b" ".join(_OTHER.sub(b" ", text.lower().replace(b"-", b" - ")).split())


def listed(counts: dict[str, int], between: str) -> bytes:
    """A table as the script dumps it."""
    return (between.join(f"{gram}{between}{count}" for gram, count in counts.items()) + "\n").encode(
        "latin-1"
    )


@dataclass(frozen=True, slots=True)
class Source:
    """A file as a step reads it."""

    evaluation: Evaluation
    path: bytes
    stem: bool
    clip_stem: bool

    @property
    def name(self) -> bytes:
        """The path as the script prints it."""
        return printed(self.path.decode("latin-1" if self.evaluation.listed else "utf-8"))


@dataclass(frozen=True, slots=True)
class Words:
    """From files to words, as the flags say."""

    flags: Flags
    tables: Tables

    def joined(self, source: Source) -> bytes | None:
        """The text in one piece; None where a limit leaves nothing of it."""
        text = cut_joined(sentences(source.path, source.evaluation.format), self.flags.limit)
        return cleaned(text) if text or self.flags.limit is None else None

    def apart(self, source: Source) -> list[bytes]:
        """The text's sentences."""
        return [
            cleaned(s) for s in cut_apart(sentences(source.path, source.evaluation.format), self.flags.limit)
        ]

    def tokens(self, text: bytes, stem: bool) -> list[str]:
        """The words that are compared."""
        return ScriptText(stem=stem, tables=self.tables).tokens(text.decode("latin-1"))


def grams(part: Part, tokens: Sequence[str]) -> dict[str, int]:
    """A text's n-grams or skip-bigrams with their numbers, their total behind them."""
    found: dict[str, int] = {}
    total = 0
    for gram in _grams(part, tokens):
        found[gram] = found.get(gram, 0) + 1
        total += 1
    return {**found, TOTAL: total}


def _grams(part: Part, tokens: Sequence[str]) -> Iterator[str]:
    if part.kind == "n":
        yield from (" ".join(tokens[i : i + part.n]) for i in range(len(tokens) - part.n + 1))
        return
    reach = len(tokens) if part.gap is None else part.gap + 2
    for i in range(len(tokens) - 1):
        if part.kind == "su":
            yield tokens[i]
        yield from (f"{tokens[i]} {later}" for later in tokens[i + 1 : i + reach])


def gram_lines(words: Words, part: Part, peer: Source, models: Sequence[Source]) -> Iterator[bytes]:
    """What ROUGE-N and ROUGE-S say of an evaluation."""

    def said(source: Source) -> Iterator[bytes]:
        text = words.joined(source)
        if text is None:
            yield EMPTY
            return
        yield text + b"\n"
        yield listed(grams(part, words.tokens(text, source.clip_stem)), "|")

    yield b"***P " + peer.name + b"\n"
    yield from said(peer)
    for model in models:
        yield from said(model)
        yield b"***M " + model.name + b"\n"


def lcs_lines(words: Words, part: Part, peer: Source, models: Sequence[Source]) -> Iterator[bytes]:
    """What ROUGE-L and ROUGE-W say of an evaluation."""
    weight = float(part.weight) if part.kind == "w" else None
    name = b"LCS: " if weight is None else b"ROUGE-W: "

    def unit_lines(texts: list[bytes], tokens: list[list[str]]) -> Iterator[bytes]:
        yield b"\n".join(texts) + b"\n"
        yield from (f"{i}: {'|'.join(unit)}\n".encode("latin-1") for i, unit in enumerate(tokens))

    def units(source: Source) -> tuple[list[bytes], list[list[str]]]:
        texts = words.apart(source)
        return texts, [words.tokens(text, source.stem) for text in texts]

    def unigrams(source: Source) -> list[str]:
        return words.tokens(words.joined(source) or b"", source.clip_stem)

    peer_texts, said = units(peer)
    yield b"***P " + peer.name + b"\n"
    yield from unit_lines(peer_texts, said)
    for model in models:
        texts, wanted = units(model)
        for used in used_words(wanted, said, unigrams(model), unigrams(peer), weight):
            yield name + (" ".join(used) or "-").encode("latin-1") + b"\n"
        yield b"***M " + model.name + b"\n"
        yield from unit_lines(texts, wanted)


def be_said(elements: Elements) -> bytes:
    """A text's basic elements; a file without lines is said to be empty."""
    return listed(elements.counts, "#") if elements.lines else EMPTY


def element_lines(
    peer: tuple[Source, Elements], models: Sequence[tuple[Source, Elements]]
) -> Iterator[bytes]:
    """What the script says of an evaluation's basic elements."""
    source, said = peer
    yield b"***P " + source.name + b"\n"
    yield be_said(said)
    for source, wanted in models:
        yield be_said(wanted)
        shared = (element for element in wanted.counts if element in said.counts and element != TOTAL)
        yield from (f"* Match: {element}\n".encode("latin-1") for element in shared)
        yield b"***M " + source.name + b"\n"


def total_lines(step: Step, flags: Flags, outcome: Outcome) -> Iterator[bytes]:
    """An evaluation's counts and scores: the outcome holds one."""
    counts = outcome.counts
    scores = scores_of(step.part or Part("n", n=1), counts, flags.alpha)
    recall, precision, f = (fixed(float(x[0])) for x in (scores.recall, scores.precision, scores.f1))
    count, score, *ends = _names(step, flags)
    if step.kind in ("s", "su"):
        # the script prints the recall three times
        precision = f = recall
    ((models, peers, hits),) = outcome.triples()
    for what, value in (("model count", models), ("peer count", peers), ("hit", hits)):
        yield f"total {count} {what}: {shown(value)}\n".encode("latin-1")
    for end, figure in zip(ends, (recall, precision, f), strict=True):
        yield f"total {score}{end}: {figure}\n".encode("latin-1")


def _names(step: Step, flags: Flags) -> tuple[str, ...]:
    """How the script calls a step's counts and its three scores."""
    if step.part is None:
        form = flags.value("3")
        return f"BE-{form}", f"ROUGE-BE-{form}", "-R", "-P", "-F"
    if step.kind == "n":
        return f"{step.part.n}-gram", f"ROUGE-{step.part.n}", "-R", "-P", "-F"
    if step.kind == "l":
        return "ROUGE-L", "ROUGE-L", "-R score", "-P", "-F"
    if step.kind == "w":
        return step.tag, step.tag, "-R score", "-P score", "-F score"
    name = f"ROUGE-S{flags.value('2')}"
    return name, name, "-R", "-P", "-F"


@dataclass(slots=True)
class Verbose:
    """Tells how a run's scores come about; systems and steps must be asked for in the script's order."""

    flags: Flags
    plan: Plan
    tables: Tables
    _words: Words = field(init=False)
    _stemming: Stemming = field(init=False)

    def __post_init__(self) -> None:
        self._words = Words(self.flags, self.tables)
        self._stemming = Stemming(self.flags.has("m"), self.flags.has("M"))

    def lines(self, system: str, step: Step, outcome: Outcome) -> Iterator[bytes]:
        """What is said of a step; `outcome` has a place an evaluation that the system has a summary in."""
        place = 0
        for evaluation in self.plan.evaluations.values():
            if step.kind == "n":
                yield printed(f"@Eval ({evaluation.id})\n")
            if system not in evaluation.peers:
                continue
            yield from self._evaluation(step, evaluation, evaluation.peer_path(system))
            yield from total_lines(step, self.flags, outcome.part(place, place + 1))
            yield printed(f"{evaluation.id}.{system}\n")
            place += 1

    def _evaluation(self, step: Step, evaluation: Evaluation, path: bytes) -> Iterator[bytes]:
        on = self._stemming.on
        peer = Source(evaluation, path, on, on)
        paths = evaluation.model_paths()
        stems = self._stemming.models(step, len(paths))
        models = [Source(evaluation, file, *stem) for file, stem in zip(paths, stems, strict=True)]
        if step.part is None:
            return element_lines((peer, self._elements(peer)), [(m, self._elements(m)) for m in models])
        lines = gram_lines if step.part.additive else lcs_lines
        return lines(self._words, step.part, peer, models)

    def _elements(self, source: Source) -> Elements:
        stem = self.tables.stem if source.stem else None
        lines = be_lines(source.path, source.evaluation.format)
        return elements(lines, self.flags.value("3"), stem, source.path)
