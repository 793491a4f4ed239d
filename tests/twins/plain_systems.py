"""Summarisers as their papers define them, with lists and dictionaries: slow, and sharing no code."""

import math
from collections import Counter
from itertools import combinations

import numpy as np

from topline.text.tokens import Preprocessing

PLAIN = Preprocessing("unicode", True, "smart")


def terms_of(texts):
    return [PLAIN.tokens(text) for text in texts]


def idf_over(bags):
    number = len(bags)
    held = Counter(word for bag in bags for word in set(bag))
    return {word: math.log(number / count) for word, count in held.items()}


def vectors(bags):
    idf = idf_over(bags)
    found = []
    for bag in bags:
        raw = {word: count * idf[word] for word, count in Counter(bag).items()}
        length = math.sqrt(sum(value * value for value in raw.values()))
        found.append({word: value / length for word, value in raw.items() if length > 0})
    return found


def cosines(bags):
    rows = vectors(bags)
    return np.array([[sum(a[w] * b.get(w, 0.0) for w in a) for b in rows] for a in rows])


def textrank(bags, damping=0.85):
    n = len(bags)
    weights = np.zeros((n, n))
    for i, j in combinations(range(n), 2):
        common = len(set(bags[i]) & set(bags[j]))
        if common and len(bags[i]) * len(bags[j]) > 1:
            weights[i, j] = weights[j, i] = common / (math.log(len(bags[i])) + math.log(len(bags[j])))
    scores = np.ones(n)
    out = weights.sum(axis=1)
    for _ in range(2000):
        share = np.divide(scores, out, out=np.zeros(n), where=out > 0)
        scores = 1 - damping + damping * weights @ share
    return scores


def lexrank(bags, threshold=None, damping=0.85):
    similar = cosines(bags)
    n = len(bags)
    edges = similar if threshold is None else (similar > threshold).astype(float)
    step = np.full((n, n), 1 / n)
    for i in range(n):
        if edges[i].sum() > 0:
            step[i] = edges[i] / edges[i].sum()
    chain = damping * step + (1 - damping) / n
    values, found = np.linalg.eig(chain.T)
    stationary = np.real(found[:, np.argmax(np.real(values))])
    return stationary / stationary.sum()


def sumbasic(bags, lengths, limit):
    total = sum(map(len, bags))
    chance = {word: count / total for word, count in Counter(w for bag in bags for w in bag).items()}
    order = {word: i for i, word in enumerate(dict.fromkeys(w for bag in bags for w in bag))}
    chosen, used = [], 0
    while True:
        fitting = [i for i in range(len(bags)) if i not in chosen and used + lengths[i] <= limit and bags[i]]
        if not fitting or used >= limit:
            return chosen
        word = first_best({w for i in fitting for w in bags[i]}, chance.__getitem__, order.__getitem__)
        holders = [i for i in fitting if word in bags[i]]
        best = first_best(holders, lambda i: sum(chance[w] for w in bags[i]) / len(bags[i]), lambda i: i)
        chosen.append(best)
        used += lengths[best]
        for w in set(bags[best]):
            chance[w] **= 2


def first_best(items, score, place, scale=0.0):
    """The best item; scores that differ by rounding tie, and then the first place wins."""
    highest = max(score(item) for item in items)
    return min((i for i in items if score(i) >= highest - 1e-10 * max(scale, abs(highest))), key=place)


def greedy_kl(bags, lengths, limit, smoothing=0.01):
    whole = Counter(word for bag in bags for word in bag)
    size = sum(whole.values())

    def divergence(rows):
        have = Counter(word for row in rows for word in bags[row])
        mass = sum(have.values()) + smoothing * len(whole)
        return sum(c / size * math.log(c / size / ((have[w] + smoothing) / mass)) for w, c in whole.items())

    chosen, used = [], 0
    while True:
        fitting = [i for i in range(len(bags)) if i not in chosen and used + lengths[i] <= limit and bags[i]]
        if not fitting or used >= limit:
            return chosen
        chosen.append(first_best(fitting, lambda i: -divergence([*chosen, i]), lambda i: i, 1.0))
        used += lengths[chosen[-1]]


def mmr(relevance, similar, lengths, limit, balance=0.7):
    chosen, used = [], 0
    while True:
        fitting = [i for i in range(len(lengths)) if i not in chosen and used + lengths[i] <= limit]
        if not fitting or used >= limit:
            return chosen

        def score(i):
            nearest = max((similar[i][j] for j in chosen), default=0.0)
            return balance * relevance[i] - (1 - balance) * nearest

        chosen.append(first_best(fitting, score, lambda i: i, 1.0))
        used += lengths[chosen[-1]]


def submodular_value(rows, similar, alpha, diversity, clusters):
    n = len(similar)
    coverage = sum(
        min(sum(similar[i][j] for j in rows), min(1, alpha / n) * sum(similar[i])) for i in range(n)
    )
    reward = Counter()
    for j in rows:
        reward[clusters[j]] += sum(similar[j]) / n
    return coverage + diversity * sum(math.sqrt(value) for value in reward.values())


def log_likelihood(k1, n1, k2, n2):
    """Dunning's ratio as a binomial test, from the definition."""

    def fit(k, n, p):
        return (k * math.log(p) if k else 0.0) + ((n - k) * math.log(1 - p) if n > k else 0.0)

    p, p1, p2 = (k1 + k2) / (n1 + n2), k1 / n1, k2 / n2
    return 2 * (fit(k1, n1, p1) + fit(k2, n2, p2) - fit(k1, n1, p) - fit(k2, n2, p)) if p1 > p2 else 0.0


def brute_cover(concepts, weights, lengths, limit):
    """The heaviest cover of any set of sentences that fits."""
    best = 0
    for size in range(len(concepts) + 1):
        for rows in combinations(range(len(concepts)), size):
            if sum(lengths[i] for i in rows) <= limit:
                held = set().union(*(concepts[i] for i in rows)) if rows else set()
                best = max(best, sum(weights[c] for c in held))
    return best


def spherical_kmeans(bags, number, rounds):
    rows = vectors(bags)

    def product(a, b):
        return sum(a[w] * b.get(w, 0.0) for w in a)

    seeds = [0]
    while len(seeds) < number:
        nearness = [
            2.0 if i in seeds else max(product(row, rows[s]) for s in seeds) for i, row in enumerate(rows)
        ]
        seeds.append(min(range(len(rows)), key=lambda i: (nearness[i], i)))
    centres = [rows[seed] for seed in seeds]
    found = None
    for _ in range(rounds):
        nearest = []
        for row in rows:
            best = 0
            for k in range(number):
                if product(row, centres[k]) > product(row, centres[best]) + 1e-12:
                    best = k
            nearest.append(best)
        if nearest == found:
            break
        found = nearest
        centres = []
        for k in range(number):
            total: Counter = Counter()
            for row, mine in zip(rows, found, strict=True):
                if mine == k:
                    total.update(row)
            length = math.sqrt(sum(value * value for value in total.values()))
            centres.append({w: value / length for w, value in total.items()} if length else {})
    return found
