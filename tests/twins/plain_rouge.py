"""ROUGE written as plainly as possible, without arrays, kernels or a shared line with the package.

Tokens in, counts out: lists of strings, dictionaries, a full LCS table. The slow twin of the kernels.
"""

from collections import Counter

Tokens = list[str]


def ngrams(tokens: Tokens, n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def skip_bigrams(tokens: Tokens, gap: int | None, unigrams: bool) -> Counter[tuple[str, ...]]:
    """Pairs with at most `gap` words in between; unigrams without the last, as the script has them."""
    grams: Counter[tuple[str, ...]] = Counter()
    for i in range(len(tokens) - 1):
        if unigrams:
            grams[(tokens[i],)] += 1
        for j in range(i + 1, len(tokens)):
            if gap is None or j - i - 1 <= gap:
                grams[tokens[i], tokens[j]] += 1
    return grams


def clipped(model: Counter[tuple[str, ...]], peer: Counter[tuple[str, ...]]) -> int:
    return sum(min(count, peer[gram]) for gram, count in model.items())


def _table(model: Tokens, peer: Tokens, weight: float | None) -> list[list[str]]:
    """How each cell was reached: `match`, `up` (which wins ties) or `left`."""
    score = [[0.0] * (len(peer) + 1) for _ in range(len(model) + 1)]
    run = [[0] * (len(peer) + 1) for _ in range(len(model) + 1)]
    move = [[""] * (len(peer) + 1) for _ in range(len(model) + 1)]
    for i, wanted in enumerate(model, 1):
        for j, said in enumerate(peer, 1):
            if wanted == said:
                k = run[i - 1][j - 1]
                gain = 1 if weight is None else float(k + 1) ** weight - float(k) ** weight
                if weight is None:
                    score[i][j] = score[i - 1][j - 1] + gain
                else:
                    score[i][j] = score[i - 1][j - 1] + float(k + 1) ** weight - float(k) ** weight
                run[i][j] = k + 1
                move[i][j] = "match"
            elif score[i - 1][j] >= score[i][j - 1]:
                score[i][j], move[i][j] = score[i - 1][j], "up"
            else:
                score[i][j], move[i][j] = score[i][j - 1], "left"
    return move


def _marked(model: Tokens, peer: list[Tokens], weight: float | None) -> list[bool]:
    """Which words of a model's sentence lie on its LCS with some sentence of the peer."""
    marks = [False] * len(model)
    for said in peer:
        move = _table(model, said, weight)
        i, j = len(model), len(said)
        while i and j:
            if move[i][j] == "match":
                i, j = i - 1, j - 1
                marks[i] = True
            elif move[i][j] == "up":
                i -= 1
            else:
                j -= 1
    return marks


def lcs(
    model: list[Tokens],
    peer: list[Tokens],
    model_words: Tokens,
    peer_words: Tokens,
    weight: float | None = None,
) -> float:
    """Hits of ROUGE-L, or with a weight of ROUGE-W; each hit uses up a word of both texts."""
    model_left, peer_left = Counter(model_words), Counter(peer_words)
    hits = 0.0
    for sentence in model:
        marks = _marked(sentence, peer, weight)
        run = 0
        for at, word in enumerate(sentence):
            if not marks[at] or not model_left[word] or not peer_left[word]:
                continue
            model_left[word] -= 1
            peer_left[word] -= 1
            run += 1
            if weight is None:
                hits += 1
            elif at + 1 == len(sentence) or not marks[at + 1]:
                hits += float(run) ** weight
                run = 0
    return hits


def model_total(model: list[Tokens], weight: float | None = None) -> float:
    """What ROUGE-L's or ROUGE-W's recall is divided by; ROUGE-W weighs twice."""
    if weight is None:
        return float(sum(map(len, model)))
    base = 0.0
    for sentence in model:
        base += float(len(sentence)) ** weight
    return base**weight
