"""Where sentences may be cut: the beginnings that the last sentence of a chopped extract may keep."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from topline.corpus.records import Topic
from topline.errors import OptionError
from topline.problem.build import Instance, build, encode, instance, runs_of
from topline.problem.problem import Ints, Problem
from topline.rouge.metric import Metric
from topline.text.budget import Budget


@dataclass(frozen=True, slots=True)
class Cuts:
    """Where sentences may be cut; cut `c` keeps `low[c]` to `high[c]` units of sentence `sentence[c]`.

    These beginnings hold entries `starts[c]:starts[c + 1]` of `grams` and `counts`. After a whole word that
    is the least that keeping more will hold, so the run reaches to the sentence's end. Within a word (a
    byte budget can make `there` a `the`) it is what just this run holds.
    """

    sentence: Ints
    low: Ints
    high: Ints
    whole: NDArray[np.bool_]
    """Whether the cut is after a whole word."""
    starts: Ints
    grams: Ints
    counts: Ints

    def entries(self, cut: int) -> tuple[Ints, Ints]:
        """N-grams and counts of a cut's beginning."""
        of = slice(self.starts[cut], self.starts[cut + 1])
        return self.grams[of], self.counts[of]

    def at(self, sentence: int, kept: int) -> int | None:
        """The cut that says what so many units of a sentence hold; None if nothing."""
        mine = (self.sentence == sentence) & (self.low <= kept) & (kept <= self.high)
        inside = np.flatnonzero(mine & ~self.whole)
        after = np.flatnonzero(mine & self.whole)
        found = inside if len(inside) else after[-1:]
        return int(found[0]) if len(found) else None


@dataclass(frozen=True, slots=True)
class Choppable:
    """An instance and the cuts of its sentences."""

    instance: Instance
    cuts: Cuts


def choppable(topic: Topic, metric: Metric, budget: Budget, references: str = "pooled") -> list[Choppable]:
    """The topic's problems with the cuts of every sentence."""
    if budget.unit == "s":
        raise OptionError("a budget in sentences cannot be chopped", hint="give words or bytes")
    build(topic, metric, budget, references)  # for its errors, before any work on the cuts
    sentences = topic.texts()
    n = len(sentences)
    limit = budget.limit(sentences)
    beginnings = [
        (i, *beginning)
        for i, sentence in enumerate(sentences)
        for beginning in _beginnings(sentence, budget, limit)
    ]
    owners = np.array([owner for owner, _, _, _ in beginnings], np.int64)
    words = np.array([whole for _, _, whole, _ in beginnings], bool)
    tokens = encode([*sentences, *(text for *_, text in beginnings)], topic.references, metric)
    sizes = [budget.length(sentence) for sentence in sentences]
    lengths = np.array(sizes + [size for _, size, _, _ in beginnings], np.int64)
    found = []
    for name, *run in runs_of(topic.references, references):
        everything = instance(topic.id, name, tokens, run, metric, lengths, limit)
        cuts = _cuts(everything.problem, n, owners, words)
        found.append(Choppable(_first(everything, n), cuts))
    return found


def _beginnings(sentence: str, budget: Budget, limit: int) -> list[tuple[int, bool, str]]:
    """What a cut can leave of a sentence within the limit: its size, whether whole words, and the text."""
    if budget.unit != "b":
        words = sentence.split()
        return [(k, True, " ".join(words[:k])) for k in range(1, min(len(words), limit + 1))]
    data = sentence.encode("utf-8", "surrogatepass")
    # half a character at the cut is no token, whatever the tokeniser
    return [
        (k, data[k : k + 1].isspace() and not data[k - 1 : k].isspace(), data[:k].decode("utf-8", "ignore"))
        for k in range(1, min(len(data), limit + 1))
    ]


def _first(whole: Instance, n: int) -> Instance:
    """The instance of the first `n` texts: the uncut sentences."""
    problem = whole.problem
    end = problem.starts[n]
    return replace(
        whole,
        own=whole.own[:, :n],
        problem=replace(
            problem,
            lengths=problem.lengths[:n],
            starts=problem.starts[: n + 1],
            grams=problem.grams[:end],
            counts=problem.counts[:end],
            charges=problem.charges[:n],
        ),
    )


def _cuts(problem: Problem, n: int, owners: Ints, words: NDArray[np.bool_]) -> Cuts:
    """The beginnings (texts from `n` on) that hold something new, runs with the same n-grams as one."""
    kept: list[int] = []
    high: list[int] = []
    after: int | None = None  # the beginning of this sentence after the last whole word
    inside: int | None = None  # the run within the current word
    for at, owner in enumerate(owners.tolist()):
        row = n + at
        size = int(problem.lengths[row])
        if at and owners[at - 1] != owner:
            after = inside = None
        if words[at]:
            if _new(problem, after, row):
                kept.append(row)
                high.append(int(problem.lengths[owner]))
            after, inside = row, None
        elif not _new(problem, after, row):
            inside = None
        elif inside is not None and not _new(problem, inside, row):
            high[-1] = size
        else:
            kept.append(row)
            high.append(size)
            inside = row
    rows = np.array(kept, np.int64)
    sizes = problem.starts[rows + 1] - problem.starts[rows]
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    places = np.arange(starts[-1]) + np.repeat(problem.starts[rows] - starts[:-1], sizes)
    return Cuts(
        sentence=owners[rows - n],
        low=problem.lengths[rows],
        high=np.array(high, np.int64),
        whole=words[rows - n],
        starts=starts,
        grams=problem.grams[places],
        counts=problem.counts[places],
    )


def _new(problem: Problem, old: int | None, row: int) -> bool:
    """Whether a text holds other n-grams than an earlier one (None: than nothing)."""
    ours = slice(problem.starts[row], problem.starts[row + 1])
    theirs = slice(0, 0) if old is None else slice(problem.starts[old], problem.starts[old + 1])
    return not (
        np.array_equal(problem.grams[ours], problem.grams[theirs])
        and np.array_equal(problem.counts[ours], problem.counts[theirs])
    )


def value_of(problem: Problem, cuts: Cuts, chosen: tuple[int, ...], cut: int) -> int:
    """The hits of whole sentences and the beginning that a cut keeps: slow, simple, the judge."""
    grams, counts = cuts.entries(cut)
    inside = leftover(problem, grams, counts)
    return problem.total - inside.total + inside.hits(chosen)


def leftover(
    problem: Problem, grams: Ints, counts: Ints, without: int | None = None, room: int = 0
) -> Problem:
    """What is left to gain once these n-grams are covered, with so much room, without one sentence."""
    sizes = np.diff(problem.gain_starts)
    used = np.zeros(len(sizes), np.int64)
    used[grams] = np.minimum(counts, sizes[grams])
    place = np.arange(len(problem.gains)) - np.repeat(problem.gain_starts[:-1], sizes)
    gains = problem.gains[place >= np.repeat(used, sizes)]
    left = sizes - used
    alive = left > 0
    kept = alive[problem.grams]
    if without is not None:
        kept[problem.starts[without] : problem.starts[without + 1]] = False
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])[problem.starts]
    return replace(
        problem,
        budget=room,
        starts=starts,
        grams=(np.cumsum(alive) - 1)[problem.grams[kept]],
        counts=problem.counts[kept],
        gain_starts=np.concatenate([np.zeros(1, np.int64), np.cumsum(left[alive])]),
        gains=gains,
        total=problem.total - int(problem.gains.sum() - gains.sum()),
    )
