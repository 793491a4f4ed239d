"""The counting kernels against a plain twin, on texts full of repeats."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.twins import plain_rouge
from topline.rouge.counts import count, tokenized
from topline.rouge.metric import Metric, Part
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


@given(TEXTS, st.data())
def test_kernels_count_as_the_plain_twin(texts: list[list[str]], data: st.DataObject) -> None:
    number = st.integers(0, len(texts) - 1)
    pairs = data.draw(st.lists(st.tuples(number, number), min_size=1, max_size=6))
    peers, models = (np.array(side, np.int64) for side in zip(*pairs, strict=True))
    table = tokenized(texts, Vocabulary(Preprocessing(stem=False)))
    words = [[sentence.split() for sentence in text] for text in texts]
    for part in PARTS:
        counts = count(part, table, peers, models)
        found = zip(counts.hits.tolist(), counts.models.tolist(), counts.peers.tolist(), strict=True)
        assert list(found) == [expected(part, words[p], words[m]) for p, m in pairs], str(part)


def test_a_sentence_of_exactly_64_words_and_one_more() -> None:
    for size in (63, 64, 65, 128, 129):
        said = [[f"w{i % 7}" for i in range(size)]]
        wanted = [[f"w{i % 5}" for i in range(size)]]
        table = tokenized([[" ".join(said[0])], [" ".join(wanted[0])]], Vocabulary(Preprocessing(stem=False)))
        counts = count(Part("l"), table, np.array([0]), np.array([1]))
        assert counts.hits[0] == plain_rouge.lcs(wanted, said, wanted[0], said[0])


def test_no_texts_at_all() -> None:
    table = tokenized([[]], Vocabulary())
    for part in PARTS:
        counts = count(part, table, np.array([0]), np.array([0]))
        assert counts.hits.tolist() == [0.0]
