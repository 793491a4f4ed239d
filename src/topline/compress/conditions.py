"""The conditions that the rule tables name: small questions about a word and its head."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.resources import files

from topline.compress.parse import NO_HEAD, Word

SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass", "expl"))
_FINITE_TAGS = frozenset(("VBD", "VBP", "VBZ", "MD"))
_WH_TAGS = frozenset(("WDT", "WP", "WP$", "WRB"))
_VOWELS = frozenset("aeiou")


def _lists() -> dict[str, frozenset[str]]:
    """The word lists of `tables/words.txt` by name."""
    lines = files("topline.compress").joinpath("tables/words.txt").read_text("utf-8").splitlines()
    named = (line.split(":", 1) for line in lines)
    return {name: frozenset(words.split()) for name, words in named}


_LISTS = _lists()
_NEGATIONS, _WH, _DEGREES, _SAYING = (_LISTS[name] for name in ("negations", "wh", "degrees", "saying"))
_QUANTITIES = _LISTS["quantities"]
_PARTITIVES, _BE, _PAIRING = (_LISTS[name] for name in ("partitives", "be", "pairing"))
_PARTICLES = _LISTS["particles"]
_BOUND = {word: frozenset(more) for word, *more in (one.split("+") for one in _LISTS["bound"])}
"""For each word the prepositions that it is bound to."""


class View:
    """A sentence's words with their children at hand."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.labels = [word.label.split(":")[0].lower() for word in words]
        self.forms = [word.form.lower() for word in words]
        self.children: list[list[int]] = [[] for _ in words]
        for i, word in enumerate(words):
            if word.head != NO_HEAD:
                self.children[word.head].append(i)

    def child(self, i: int, labels: frozenset[str] | set[str]) -> int | None:
        """The first child with one of these labels."""
        return next((c for c in self.children[i] if self.labels[c] in labels), None)

    def lemma(self, i: int) -> str:
        """The lemma where the parse has one, else the form."""
        lemma = self.words[i].lemma.lower()
        return lemma if lemma not in ("", "_") else self.forms[i]

    def finite(self, i: int) -> bool:
        """Whether the word, or an auxiliary or copula of it, is an inflected verb."""
        helpers = [c for c in self.children[i] if self.labels[c] in ("aux", "auxpass", "cop")]
        return any(
            self.words[v].tag in _FINITE_TAGS or "VerbForm=Fin" in self.words[v].feats for v in [i, *helpers]
        )


def _negation(view: View, i: int) -> bool:
    return view.forms[i] in _NEGATIONS or "Polarity=Neg" in view.words[i].feats


def _wh(view: View, i: int) -> bool:
    """The word or what it governs closely is a relative or question word."""
    near = [
        i,
        *(c for c in view.children[i] if view.labels[c] in ("pobj", "det", "poss", "nmod", "amod", "advmod")),
    ]
    return any(
        view.words[w].tag in _WH_TAGS or "PronType=Rel" in view.words[w].feats or view.forms[w] in _WH
        for w in near
    )


def _possessive(view: View, i: int) -> bool:
    return view.words[i].tag == "POS"


def _of_function(view: View, i: int) -> bool:
    """The head is a number, determiner, preposition or conjunction."""
    head = view.words[i].head
    return view.words[head].pos in ("NUM", "DET", "ADP", "SCONJ", "PART") or view.labels[head] in (
        "prep",
        "mark",
        "nummod",
        "case",
        "quantmod",
        "agent",
    )


def _degree(view: View, i: int) -> bool:
    return view.forms[i] in _DEGREES


def _copula_only(view: View, head: int) -> bool:
    """The head is a bare "be" without predicate."""
    predicates = {"attr", "acomp", "oprd", "xcomp", "expl", "dobj"}
    return view.forms[head] in _BE and view.child(head, predicates) is None


def _predicate(view: View, i: int) -> bool:
    """The first phrase behind a bare copula."""
    head = view.words[i].head
    if head > i or not _copula_only(view, head):
        return False
    return all(c >= i or c < head or view.labels[c] in ("punct", "neg", "nsubj") for c in view.children[head])


def _that(view: View, i: int) -> bool:
    return view.forms[i] == "that"


def _opener(view: View, i: int) -> bool:
    """No conjunct precedes it: the sentence opens with it."""
    head = view.words[i].head
    return view.labels[head] != "conj"


def _subordinated(view: View, i: int) -> bool:
    """A conjunction other than "that", or a question word, opens the clause."""
    return any(
        (view.labels[c] == "mark" and view.forms[c] != "that") or (_wh(view, c) and c < i)
        for c in view.children[i]
    )


def _clause(view: View, i: int) -> bool:
    """A finite clause with its own subject that nothing subordinates."""
    return view.child(i, SUBJECTS) is not None and view.finite(i) and not _subordinated(view, i)


def _reported(view: View, i: int) -> bool:
    """What somebody says, in a main clause that does not deny it."""
    head = view.words[i].head
    if view.words[head].head != NO_HEAD or view.lemma(head) not in _SAYING or not _clause(view, i):
        return False
    return view.child(head, {"neg", "aux", "auxpass", "cop", "conj"}) is None and not any(
        _negation(view, c) for c in view.children[head]
    )


def _bound(view: View, i: int) -> bool:
    """The coordination stands under "between", "both", "either", "neither"."""
    head = view.words[i].head
    around = [*view.children[head], view.words[head].head]
    return any(w != NO_HEAD and view.forms[w] in _PAIRING for w in around)


def _behind(view: View, i: int) -> list[int]:
    """The conjuncts behind this one in the same coordination."""
    head = view.words[i].head
    return [c for c in view.children[head] if c > i and view.labels[c] == "conj"]


def _listed(view: View, i: int) -> bool:
    """A conjunct between commas: the "and" of the list stands with a later one."""
    return view.child(i, {"cc"}) is None and any(view.child(c, {"cc"}) is not None for c in _behind(view, i))


def next_conjunct(view: View, i: int) -> int:
    """The conjunct behind this one."""
    return _behind(view, i)[0]


def _shared_list(view: View, i: int) -> bool:
    return _listed(view, i) and _shared(view, i)


def _of_subject(view: View, i: int) -> bool:
    return view.labels[view.words[i].head] in SUBJECTS


def _shared(view: View, i: int) -> bool:
    """The first conjunct holds what both need: a preposition, a "to", a subject, the sentence itself."""
    head = view.words[i].head
    if view.labels[head] in ("root", "pobj", "pcomp"):
        return True
    needed = {"case", "mark", "aux", *SUBJECTS}
    return any(
        view.labels[c] in needed and c < i and view.child(i, {view.labels[c]}) is None
        for c in view.children[head]
    )


def _measure(view: View, i: int) -> bool:
    head = view.words[i].head
    return view.words[head].pos in ("ADJ", "ADV", "ADP", "SCONJ") and i < head


def _prepositions(view: View, i: int) -> set[str]:
    """What opens the phrase: the preposition itself, or its noun's."""
    return {view.forms[i], *(view.forms[c] for c in view.children[i] if view.labels[c] == "case")}


def _needed(view: View, i: int) -> bool:
    """The head is a verb or adjective bound to this preposition."""
    head = view.words[i].head
    return head < i and not _BOUND.get(view.lemma(head), frozenset()).isdisjoint(_prepositions(view, i))


def _than(view: View, i: int) -> bool:
    return "than" in _prepositions(view, i)


def _partitive(view: View, i: int) -> bool:
    head = view.words[i].head
    opened = [i, *(c for c in view.children[i] if view.labels[c] == "case")]
    return view.forms[head] in _PARTITIVES and any(view.forms[w] == "of" for w in opened)


def _fused(view: View, i: int) -> bool:
    """The adjective is the noun phrase's own head in sense, or keeps its article from clashing."""
    head = view.words[i].head
    if view.words[head].pos not in ("NOUN", "PROPN", "PRON", ""):
        return True
    before = i - 1
    if before < 0 or view.forms[before] not in ("a", "an") or i + 1 >= len(view.forms):
        return False
    return (view.forms[i][:1] in _VOWELS) != (view.forms[i + 1][:1] in _VOWELS)


def _quantity(view: View, i: int) -> bool:
    """It says how many, or which, as a determiner does; or it stands before one that does."""
    neighbours = [c for c in view.children[view.words[i].head] if c >= i and view.labels[c] == "amod"]
    return any(
        view.forms[c] in _QUANTITIES or view.words[c].tag == "JJS"
        for c in neighbours
        if view.words[i].head > i
    )


def _particle(view: View, i: int) -> bool:
    """Called one, or the word right behind its verb that could be one."""
    beside = view.words[i].head == i - 1 and view.words[i - 1].pos == "VERB"
    return view.words[i].tag == "RP" or (beside and view.forms[i] in _PARTICLES)


def _of_pronoun(view: View, i: int) -> bool:
    head = view.words[i].head
    asking = any(view.labels[c] == "det" and view.forms[c] in _WH for c in view.children[head])
    return asking or view.words[head].pos in ("PRON", "DET") or view.forms[head] in ("those", "one", "ones")


def _comparison(view: View, i: int) -> bool:
    """Opened by "than" or "as", or asked for by a degree word beside the head."""
    opened = any(
        view.forms[c] in ("than", "as") for c in view.children[i] if view.labels[c] in ("mark", "advmod")
    )
    head = view.words[i].head
    return opened or any(
        _degree(view, c) and view.forms[c] in ("so", "too", "such") for c in view.children[head]
    )


CONDITIONS: dict[str, Callable[[View, int], bool]] = {
    "": lambda view, i: True,  # noqa: ARG005 - every condition takes both
    "negation": _negation,
    "wh": _wh,
    "possessive": _possessive,
    "of function": _of_function,
    "degree": _degree,
    "predicate": _predicate,
    "that": _that,
    "opener": _opener,
    "clause": _clause,
    "reported": _reported,
    "bound": _bound,
    "shared list": _shared_list,
    "listed": _listed,
    "than": _than,
    "of subject": _of_subject,
    "shared": _shared,
    "measure": _measure,
    "needed": _needed,
    "partitive": _partitive,
    "fused": _fused,
    "quantity": _quantity,
    "particle": _particle,
    "of pronoun": _of_pronoun,
    "comparison": _comparison,
}
"""The conditions by the name the tables use; the empty one always holds."""
