"""Which words ROUGE-L and ROUGE-W count, one by one: for `-v` only, the kernels count them faster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

Units = Sequence[Sequence[str]]


def used_words(
    model: Units, peer: Units, model_words: Sequence[str], peer_words: Sequence[str], weight: float | None
) -> Iterator[list[str]]:
    """For each of the model's sentences the words that count as hits."""
    model_left, peer_left = Counter(model_words), Counter(peer_words)
    for wanted in model:
        marks = {i for said in peer for i in _matched(wanted, said, weight)}
        used = []
        for i in sorted(marks):
            word = wanted[i]
            if model_left[word] > 0 and peer_left[word] > 0:
                model_left[word] -= 1
                peer_left[word] -= 1
                used.append(word)
        yield used


def _matched(wanted: Sequence[str], said: Sequence[str], weight: float | None) -> Iterator[int]:
    """Places on the longest common subsequence that the script's table leads to."""
    rows = [[0.0] * (len(said) + 1)]
    runs = [0] * (len(said) + 1)
    for word in wanted:
        above, before, runs = rows[-1], runs, [0] * (len(said) + 1)
        row = [0.0]
        for j, other in enumerate(said):
            if word == other:
                runs[j + 1] = before[j] + 1
                row.append(above[j] + _power(runs[j + 1], weight) - _power(before[j], weight))
            else:
                row.append(max(above[j + 1], row[j]))
        rows.append(row)
    i, j = len(wanted), len(said)
    while i and j:
        if wanted[i - 1] == said[j - 1]:
            i, j = i - 1, j - 1
            yield i
        elif rows[i - 1][j] >= rows[i][j - 1]:
            i -= 1
        else:
            j -= 1


def _power(length: int, weight: float | None) -> float:
    return float(length) if weight is None else float(length) ** weight
