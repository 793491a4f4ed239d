"""From a tree of words to a tree of chunks, by the rules of a table."""

from __future__ import annotations

from collections.abc import Callable

from topline.compress.conditions import SUBJECTS, View, next_conjunct
from topline.compress.marks import place_marks
from topline.compress.parse import NO_HEAD, Parse, Word
from topline.compress.rules import chooser
from topline.compress.tree import ROOT, Chunk, ChunkTree

_DASHES = frozenset(("-", "--", "–", "—"))
_DATELINE = 14
"""Tokens of the longest dateline."""


def chunk_tree(parse: Parse, labels: str, rule_set: str = "paper") -> ChunkTree:
    """The chunk tree of a sentence under a rule set (`paper` or `strict`)."""
    view = View(_normal(parse, labels))
    forest = _Forest(view, chooser(labels, rule_set))
    cores = [core for _, core in parse.cores()]
    for core in cores:
        forest.unite([word for p in core for word in _words(parse, p)])
    return _collect(parse, view, forest, [p for core in cores for p in core])


def _words(parse: Parse, piece: int) -> range:
    return range(parse.pieces[piece].first, parse.pieces[piece].last)


def _normal(parse: Parse, labels: str) -> list[Word]:
    """The words with nothing hanging from a mark, and coordination as UD draws it."""
    marks = {w for p in range(len(parse.pieces)) if parse.is_mark(p) for w in _words(parse, p)}
    words = list(parse.words)
    for i, word in enumerate(words):
        head = word.head
        while head in marks and words[head].head != NO_HEAD:
            head = words[head].head
        words[i] = _hung(word, head)
    words = _dated(_without_mark_root(words, marks), _dash(parse))
    return _coordinated(words) if labels == "clearnlp" else words


def _hung(word: Word, head: int, label: str | None = None) -> Word:
    if head == word.head and label is None:
        return word
    return Word(word.form, head, label or word.label, word.pos, word.tag, word.feats, word.lemma)


def _without_mark_root(words: list[Word], marks: set[int]) -> list[Word]:
    """Where a mark is the root, the first word below it takes its place."""
    root = next((i for i, word in enumerate(words) if word.head == NO_HEAD), None)
    if root not in marks:
        return words
    heir = next((i for i, word in enumerate(words) if i not in marks and word.head == root), None)
    if heir is None:
        return words
    return [
        _hung(word, NO_HEAD, "root") if i == heir
        else _hung(word, heir) if word.head == root and i not in marks
        else word
        for i, word in enumerate(words)
    ]  # fmt: skip


def _dash(parse: Parse) -> int:
    """The word behind a dateline: a dash between blanks, before it names and marks only; else 0."""
    dashes = [
        p for p in range(1, len(parse.pieces))
        if parse.pieces[p].text in _DASHES and parse.pieces[p].spaced and parse.pieces[p - 1].spaced
    ]  # fmt: skip
    opening = parse.pieces[: dashes[0]] if dashes else ()
    if not 0 < len(opening) <= _DATELINE or any(piece.text[0].islower() for piece in opening):
        return 0
    # "Low - a farmer - said": two dashes may also stand for brackets
    sure = len(dashes) == 1 or opening[-1].text == ")" or opening[0].text.isupper()
    return parse.pieces[dashes[0]].first if sure else 0


def _dated(words: list[Word], dash: int) -> list[Word]:
    """A dateline hung, as what it is, from the sentence behind its dash, whatever a parser took it for."""
    tops = [i for i in range(dash) if words[i].label != "punct" and not 0 <= words[i].head < dash]
    if len(tops) != 1 or words[tops[0]].pos not in ("PROPN", "NOUN"):
        return words
    (top,) = tops
    behind = [i for i, word in enumerate(words) if i > dash and word.head == top]
    if not behind and words[top].head == NO_HEAD:
        return words
    result = list(words)
    heir = behind[0] if behind else words[top].head
    for i in behind:
        result[i] = _hung(words[i], heir)
    if behind:
        result[heir] = _hung(words[heir], words[top].head, words[top].label)
    result[top] = _hung(words[top], heir, "dateline")
    return result


def _coordinated(words: list[Word]) -> list[Word]:
    """Chains of conjuncts (A ← B ← C) hung from the first one, each "and" from the conjunct behind it."""
    result = list(words)
    for i, word in enumerate(words):
        if word.label == "conj":
            first = word.head
            while first != NO_HEAD and words[first].label == "conj":
                first = words[first].head
            result[i] = _hung(word, first)
    for i, word in enumerate(words):
        if word.label == "cc":
            behind = [
                j for j in range(i + 1, len(words)) if words[j].label == "conj" and words[j].head == word.head
            ]
            joined = behind[0] if behind else _phrase_behind(words, i)
            if joined is not None:
                result[i] = _hung(word, joined)
                result[joined] = _hung(result[joined], result[joined].head, "conj")
    return result


def _phrase_behind(words: list[Word], conjunction: int) -> int | None:
    """What an "and" joins where the parser names no conjunct: the phrase behind it on the same head."""
    head = words[conjunction].head
    if conjunction < head:
        return None
    marks_and_subjects = ("punct", "cc", *SUBJECTS)
    return next(
        (j for j in range(conjunction + 1, len(words))
         if words[j].head == head and words[j].label not in marks_and_subjects),
        None,
    )  # fmt: skip


class _Forest:
    """Words in the making of chunks: each group of words has a top word and a head group."""

    def __init__(self, view: View, choose: Callable[[View, int], str]) -> None:
        count = len(view.words)
        self.group = list(range(count))
        self.parent = [word.head for word in view.words]
        actions = [choose(view, i) if view.words[i].head != NO_HEAD else "top" for i in range(count)]
        for i, action in enumerate(actions):
            self._hang(view, i, action)
        for i, action in enumerate(actions):
            if action == "join":
                self.group[self.root(i)] = self.root(self._joined(view, actions, i))
        for i, action in enumerate(actions):
            if action == "invert":
                self._invert(i)

    def _hang(self, view: View, i: int, action: str) -> None:
        if action == "top":
            self.parent[i] = NO_HEAD
        elif action == "lift":
            self.parent[i] = view.words[view.words[i].head].head
        elif action == "next":
            self.parent[i] = next_conjunct(view, i)

    def _joined(self, view: View, actions: list[str], i: int) -> int:
        """Whom a word joins: its head; the saying verb, if it is the "that" of an inverted report."""
        head = view.words[i].head
        if actions[head] == "invert" and view.forms[i] == "that" and view.labels[i] == "mark":
            return view.words[head].head
        return head

    def root(self, i: int) -> int:
        """The top word of a word's group."""
        while self.group[i] != i:
            i = self.group[i]
        return i

    def head(self, i: int) -> int:
        """The group that a group hangs from, or NO_HEAD."""
        parent = self.parent[i]
        return NO_HEAD if parent == NO_HEAD else self.root(parent)

    def _invert(self, i: int) -> None:
        """Let a report take the place of the clause that reports it."""
        report, saying = self.root(i), self.head(self.root(i))
        if saying not in (NO_HEAD, report) and self.parent[saying] == NO_HEAD:
            self.parent[report], self.parent[saying] = NO_HEAD, report

    def _path(self, i: int) -> list[int]:
        """A group and those above it."""
        path = [self.root(i)]
        while (above := self.head(path[-1])) != NO_HEAD:
            path.append(above)
        return path

    def unite(self, words: list[int]) -> None:
        """Put words into one chunk, with every chunk on the way between them."""
        for word in words[1:]:
            one, other = self._path(words[0]), self._path(word)
            common = set(one) & set(other)
            top = next((g for g in one if g in common), one[-1])
            for g in one + other:
                if g not in common and g != top:
                    self.group[g] = top


def _collect(parse: Parse, view: View, forest: _Forest, cores: list[int]) -> ChunkTree:
    """Number the chunks by their first words and give every mark its place; `cores` are all but marks."""
    pieces: dict[int, list[int]] = {}
    for p in cores:
        pieces.setdefault(forest.root(parse.pieces[p].first), []).append(p)
    numbers = {group: n for n, group in enumerate(pieces)}

    def number(group: int) -> int:
        """The nearest group at or above it that holds words."""
        while group != NO_HEAD and group not in numbers:
            group = forest.head(group)
        return ROOT if group == NO_HEAD else numbers[group]

    chunks = tuple(
        Chunk(tuple(mine), number(forest.head(group)), view.words[group].label)
        for group, mine in pieces.items()
    )
    return ChunkTree(parse, chunks, place_marks(parse, chunks))
