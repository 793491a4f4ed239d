"""The slow twin of the spread: every extract as a list of words, counted by the definition; and documents."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

from topline.corpus.records import Document, Reference, Sentence, Topic
from topline.rouge.metric import Metric

METRICS = ("rouge-1", "rouge-2", "rouge-su4", "rouge-s*", "rouge-1+rouge-2")


def grams(tokens, part):
    found = Counter()
    for end in range(len(tokens)):
        if part.kind == "n":
            if end - part.n + 1 >= 0:
                found[tuple(tokens[end - part.n + 1 : end + 1])] += 1
            continue
        for before in range(0 if part.gap is None else max(0, end - part.gap - 1), end):
            found[tokens[before], tokens[end], "skip"] += 1
        if part.kind == "su":
            found[(tokens[end],)] += 1
    return found


def extracts(sentences, budget, kind):
    """Every extract as the word lists of its sentences, the chopped one last."""
    words = [sentence.split() for sentence in sentences if sentence.split()]
    lengths = [len(some) for some in words]
    everything = range(len(words))
    for size in range(len(words) + 1):
        for chosen in combinations(everything, size):
            used = sum(lengths[i] for i in chosen)
            held = [words[i] for i in chosen]
            outside = [i for i in everything if i not in chosen]
            if kind == "chopped":
                if sum(lengths) < budget:
                    if size == len(words):
                        yield held
                elif used < budget:
                    for last in outside:
                        if used + lengths[last] >= budget:
                            yield [*held, words[last][: budget - used]]
            elif used <= budget and (kind == "fitting" or all(used + lengths[i] > budget for i in outside)):
                yield held


def brute_force(sentences, references, metric, budget, kind, *, best=False):
    """Scores (as fractions) of all extracts, with their numbers."""
    prepare = metric.preprocessing.tokens
    wanted = []
    for reference in references:
        tokens = prepare(" ".join(reference.sentences))
        counts = [grams(tokens, part) for part in metric.parts]
        for part, count in zip(metric.parts, counts, strict=True):
            if part.kind == "su":
                count[(tokens[-1],)] -= 1
        wanted.append([+count for count in counts])
    groups = [[one] for one in wanted] if best else [wanted]
    scores = Counter()
    for extract in extracts(sentences, budget, kind):
        held = [
            sum((grams(prepare(" ".join(words)), part) for words in extract), Counter())
            for part in metric.parts
        ]
        scores[
            max(
                sum(
                    Fraction(
                        sum(min(n, held[p][gram]) for one in group for gram, n in one[p].items()),
                        sum(one[p].total() for one in group),
                    )
                    for p in range(len(metric.parts))
                )
                for group in groups
            )
        ] += 1
    return scores


def random_case(rng, most=8):
    """Sentences, references, metric and budget: small vocabularies, so that n-grams saturate."""
    vocabulary = [f"w{i}" for i in range(rng.choice([3, 6, 15]))] + ["-", "a.b", "U.S."]

    def sentence(longest):
        return " ".join(rng.choice(vocabulary) for _ in range(rng.randint(1, longest)))

    longest = rng.choice([3, 8])
    sentences = [sentence(longest) for _ in range(rng.randint(1, most))]
    references = [
        Reference(str(r), ("w0 w1 w2", *(sentence(9) for _ in range(rng.randint(1, 2)))))
        for r in range(rng.choice([1, 1, 2, 4]))
    ]
    return sentences, references, Metric.parse(rng.choice(METRICS)), rng.randint(1, 14)


def random_document(seed, sentences, *, mean=12, length=60, references=1, vocabulary=400):
    """Words drawn by Zipf's law; references mix spans of the document with fresh words."""
    import numpy as np

    rng = np.random.default_rng(seed)
    shares = 1 / np.arange(1, vocabulary + 1)
    shares /= shares.sum()

    def fresh(size):
        return [f"w{x}" for x in rng.choice(vocabulary, size, p=shares)]

    texts = [fresh(max(2, int(rng.normal(mean, mean * 0.4)))) for _ in range(sentences)]
    written = []
    for r in range(references):
        words = []
        while len(words) < length:
            source = texts[rng.integers(sentences)]
            at = rng.integers(len(source))
            words += source[at : at + rng.integers(2, 6)] if rng.random() < 0.35 else fresh(4)
        written.append(Reference(f"r{r}", (" ".join(words),)))
    return topic([" ".join(words) for words in texts], written, f"d{seed}")


def topic(sentences, references, id="t", **more):
    document = Document(id, tuple(map(Sentence, sentences)), sections=more.pop("sections", ()))
    return Topic(id, (document,), tuple(references), **more)
