"""The counting kernels, and what stands in for them in small work, against a plain twin."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.twins import plain_rouge
from topline.rouge import kernels_bootstrap
from topline.rouge.bootstrap import resampled_sums
from topline.rouge.counts import count, tokenized
from topline.rouge.groups import count_grams, grouped
from topline.rouge.metric import Metric, Part
from topline.text.compiled import ENOUGH, Plainly, plainly
from topline.text.encode import Vocabulary
from topline.text.tokens import Preprocessing

PARTS = Metric.parse(
    "rouge-1+rouge-2+rouge-3+rouge-7+rouge-l+rouge-w-1.2+rouge-w-2+rouge-s0+rouge-s4+rouge-su4+rouge-s*+rouge-su*"
).parts
SENTENCES = st.lists(st.sampled_from("abcdefgh"), max_size=14).map(" ".join)
LONG = st.lists(st.sampled_from("abc"), min_size=60, max_size=140).map(" ".join)
TEXTS = st.lists(st.lists(SENTENCES | LONG, max_size=3), min_size=1, max_size=5)


def expected(part: Part, peer: list[list[str]], model: list[list[str]]) -> tuple[float, float, float]:
    said, wanted = [w for s in peer for w in s], [w for s in model for w in s]
    if part.kind == "n":
        grams = [plain_rouge.ngrams(tokens, part.n) for tokens in (said, wanted)]
    elif part.additive:
        grams = [plain_rouge.skip_bigrams(tokens, part.gap, part.kind == "su") for tokens in (said, wanted)]
    else:
        weight = float(part.weight) if part.kind == "w" else None
        hits = plain_rouge.lcs(model, peer, wanted, said, weight)
        return hits, plain_rouge.model_total(model, weight), float(len(said)) ** (weight or 1.0)
    return plain_rouge.clipped(grams[1], grams[0]), grams[1].total(), grams[0].total()


WAYS = ("plain Python", "kernels")


@contextmanager
def by(way: str) -> Iterator[None]:
    """Count this way, whatever has been loaded by now."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plainly, "may", lambda _: way == "plain Python")
        yield


@given(TEXTS, st.data())
def test_both_ways_count_as_the_plain_twin(texts: list[list[str]], data: st.DataObject) -> None:
    number = st.integers(0, len(texts) - 1)
    pairs = data.draw(st.lists(st.tuples(number, number), min_size=1, max_size=6))
    peers, models = (np.array(side, np.int64) for side in zip(*pairs, strict=True))
    words = [[sentence.split() for sentence in text] for text in texts]
    wanted = {part: [expected(part, words[p], words[m]) for p, m in pairs] for part in PARTS}
    for way in WAYS:
        with by(way):
            table = tokenized(texts, Vocabulary(Preprocessing(stem=False)))
            for part in PARTS:
                counts = count(part, table, peers, models)
                found = zip(counts.hits.tolist(), counts.models.tolist(), counts.peers.tolist(), strict=True)
                assert list(found) == wanted[part], (way, str(part))


def test_a_sentence_of_exactly_64_words_and_one_more() -> None:
    for size, way in product((63, 64, 65, 128, 129), WAYS):
        said = [[f"w{i % 7}" for i in range(size)]]
        wanted = [[f"w{i % 5}" for i in range(size)]]
        table = tokenized([[" ".join(said[0])], [" ".join(wanted[0])]], Vocabulary(Preprocessing(stem=False)))
        with by(way):
            counts = count(Part("l"), table, np.array([0]), np.array([1]))
        assert counts.hits[0] == plain_rouge.lcs(wanted, said, wanted[0], said[0])


def test_no_texts_at_all() -> None:
    table = tokenized([[]], Vocabulary())
    for part, way in product(PARTS, WAYS):
        with by(way):
            assert count(part, table, np.array([0]), np.array([0])).hits.tolist() == [0.0]


def test_groups_of_summaries_count_as_pairs() -> None:
    texts = ["a b a c", "b a b", "", "c a a b d", "a"]
    table = tokenized(texts, Vocabulary(Preprocessing(stem=False)))
    peers, models, starts = np.array([0, 1, 2, 4]), np.array([3, 1, 3, 1, 0, 0, 3]), np.array([0, 2, 4, 5, 7])
    for part, way in product((part for part in PARTS if part.additive), WAYS):
        with by("kernels"):
            apart = count(part, table, np.repeat(peers, np.diff(starts)), models)
        with by(way):
            together = count_grams(part, table, grouped(peers, models, starts))
        assert together.hits.tolist() == apart.hits.tolist(), str(part)


def test_resamples_are_the_kernels() -> None:
    values = np.random.default_rng(3).random((7, 4))
    sums = np.zeros((20, 4))
    kernels_bootstrap.resampled_sums(values, 0, sums, np.zeros(7, np.int64))
    for way in WAYS:
        with by(way):
            assert resampled_sums(values, 20).tolist() == sums.tolist()
            assert resampled_sums(np.empty((0, 3)), 5).tolist() == np.zeros((5, 3)).tolist()


def test_plain_steps_are_few_and_end_where_numba_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not Plainly().may(1)
    monkeypatch.delitem(sys.modules, "numba")
    account = Plainly()
    assert account.may(ENOUGH)
    assert not account.may(1)


def test_small_work_needs_no_numba() -> None:
    code = """
import sys, topline
found = topline.score(["the cat sat"], [["a cat sat", "the cat"]], "rouge-1+rouge-l+rouge-w-1.2+rouge-su4")
found.average()
print("numba" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
