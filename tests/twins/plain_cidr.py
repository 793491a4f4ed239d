"""CIDR with dictionaries and a scan over all clusters: slow, written from the description alone."""

import math
import re
from collections import OrderedDict


class PlainCidr:
    def __init__(
        self, idf, variant="paper", threshold=0.1, decay=0.01, keep_threshold=3.0, keep=10, active=0
    ):
        self.idf, self.variant, self.threshold = idf, variant, threshold
        self.decay, self.keep_threshold, self.keep = decay, keep_threshold, keep
        self.active = active
        self.first_met: dict[str, int] = {}
        self.clusters: OrderedDict[int, tuple[int, dict[str, float]]] = OrderedDict()
        self.opened = 0

    def counts(self, text):
        counts: dict[str, float] = {}
        words = [word for word in re.split(r"[\W\d_]+", text) if word]
        for place, word in enumerate(words):
            weight = 1 - self.decay * place
            if weight <= 1e-12:
                break
            twice = len(word) > 1 and word[0].isupper() and word[1].islower()
            lower = word.lower()
            self.first_met.setdefault(lower, len(self.first_met))
            counts[lower] = counts.get(lower, 0.0) + (2 if twice else 1) * weight
        return counts

    def keep_rule(self, counts):
        ordered = sorted(counts, key=lambda word: (-counts[word] * self.idf(word), self.first_met[word]))
        kept = {}
        for word in ordered:
            value = counts[word] * self.idf(word)
            if value > self.keep_threshold or (len(kept) < self.keep and value > 0):
                kept[word] = counts[word]
        return kept

    def similarity(self, one, other):
        if self.variant == "paper":
            product = sum(one[w] * self.idf(w) * other[w] for w in one if w in other)
            return product / (math.sqrt(self.square(one)) * math.sqrt(self.square(other))) if product else 0.0
        product = sum(one[w] * (self.idf(w) * self.idf(w)) * other[w] for w in one if w in other)
        return product / (math.sqrt(self.square(one)) * math.sqrt(self.square(other))) if product else 0.0

    def square(self, counts):
        if self.variant == "paper":
            return sum(value * value for value in counts.values())
        return sum(value * value * (self.idf(word) * self.idf(word)) for word, value in counts.items())

    def add(self, text):
        mine = self.keep_rule(self.counts(text))
        best, highest = None, 0.0
        for number in sorted(self.clusters):
            similarity = self.similarity(mine, self.clusters[number][1])
            if similarity > highest:
                best, highest = number, similarity
        if best is None or highest < self.threshold:
            if self.active and len(self.clusters) >= self.active:
                self.clusters.popitem(last=False)
            best = self.opened
            self.opened += 1
            self.clusters[best] = (0, {})
        members, old = self.clusters[best]
        mean = {
            word: (old.get(word, 0.0) * members + mine.get(word, 0.0)) / (members + 1)
            for word in {**old, **mine}
        }
        self.clusters[best] = (members + 1, self.keep_rule(mean))
        self.clusters.move_to_end(best)
        return best
