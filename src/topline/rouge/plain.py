"""What the kernels count, in plain Python: for work so small that loading them would take longer."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Tokens = list[int]
_MULTIPLIER, _INCREMENT, _MASK, _LOW = 0x5DEECE66D, 0xB, (1 << 48) - 1, 0x330E


def _runs(ids: NDArray[np.int32], starts: Ints) -> list[Tokens]:
    tokens, bounds = ids.tolist(), starts.tolist()
    return [tokens[first:last] for first, last in pairwise(bounds)]


def grams(tokens: Tokens, n: int, gap: int, unigrams: bool) -> Counter[object]:
    """How often each n-gram (`gap < 0`) or skip-bigram stands in a text.

    >>> sorted(grams([7, 8, 7], 2, 1, False).items())
    [((7, 7), 1), ((7, 8), 1), ((8, 7), 1)]
    """
    if gap < 0:
        return Counter(tokens if n == 1 else zip(*(tokens[i:] for i in range(n)), strict=False))
    found: Counter[object] = Counter(tokens[:-1] if unigrams else ())
    for step in range(1, min(gap + 2, len(tokens))):
        found.update(zip(tokens, tokens[step:], strict=False))
    return found


def gram_hits(
    ids: NDArray[np.int32], starts: Ints, peers: Ints, models: Ints, n: int, gap: int, unigrams: bool
) -> Ints:
    """Clipped matches of each pair of texts: text `t` is `ids[starts[t]:starts[t + 1]]`."""
    texts = _runs(ids, starts)
    counted = {t: grams(texts[t], n, gap, unigrams) for t in {*peers.tolist(), *models.tolist()}}
    hits = []
    for peer, model in zip(peers.tolist(), models.tolist(), strict=True):
        said, wanted = counted[peer], counted[model]
        hits.append(sum(min(said[gram], wanted[gram]) for gram in said.keys() & wanted.keys()))
    return np.array(hits, np.int64)


def lcs_hits(
    ids: NDArray[np.int32],
    starts: Ints,
    texts: Ints,
    joined: NDArray[np.int32],
    joined_starts: Ints,
    peers: Ints,
    models: Ints,
    powers: Floats | None,
) -> Floats:
    """Union LCS of each pair, for ROUGE-L; with the `powers` of lengths, for ROUGE-W.

    Text `t` has the sentences `texts[t]:texts[t + 1]`, sentence `s` the tokens
    `ids[starts[s]:starts[s + 1]]`; the `joined` texts' tokens clip the hits.
    """
    runs = _runs(ids, starts)
    sentences = [runs[first:last] for first, last in pairwise(texts.tolist())]
    wholes = [Counter(tokens) for tokens in _runs(joined, joined_starts)]
    places = {peer: [_places(said) for said in sentences[peer] if said] for peer in set(peers.tolist())}
    worth = None if powers is None else powers.tolist()
    hits = []
    for peer, model in zip(peers.tolist(), models.tolist(), strict=True):
        left = {token: min(n, wholes[peer][token]) for token, n in wholes[model].items()}
        total = 0.0
        for wanted in sentences[model]:
            marks: set[int] = set()
            for said, masks in places[peer]:
                if worth is None:
                    _mark(wanted, said, masks, marks)
                elif not masks.keys().isdisjoint(wanted):
                    _mark_weighted(wanted, said, worth, marks)
            total = _clipped(wanted, marks, left, worth, total)
        hits.append(total)
    return np.array(hits, np.float64)


def _clipped(
    wanted: Tokens, marks: set[int], left: dict[int, int], powers: list[float] | None, hits: float
) -> float:
    """Add a sentence's marked tokens, as long as unigrams are left; for ROUGE-W by the runs they make."""
    run = 0
    for i in sorted(marks):
        token = wanted[i]
        if left.get(token, 0) > 0:
            left[token] -= 1
            run += 1
            if powers is None:
                hits += 1.0
            elif i + 1 not in marks:
                hits += powers[run]
                run = 0
    return hits


def _places(said: Tokens) -> tuple[Tokens, dict[int, int]]:
    """A sentence, and for each of its tokens the bits of the places where it stands."""
    masks: dict[int, int] = {}
    for place, token in enumerate(said):
        masks[token] = masks.get(token, 0) | 1 << place
    return said, masks


def _mark(wanted: Tokens, said: Tokens, masks: dict[int, int], marks: set[int]) -> None:
    """Add the places on the script's path through the LCS table: diagonal, else up, else left.

    Row `i` of the table is a number whose bits are 0 where the length rises (Hyyro).
    """
    row = full = (1 << len(said)) - 1
    rows = [row]
    for token in wanted:
        mask = masks.get(token, 0)
        row = (row + (row & mask) | row & ~mask) & full
        rows.append(row)
    i, j = len(wanted), len(said)
    here = j - row.bit_count()
    while here:
        if wanted[i - 1] == said[j - 1]:
            i, j, here = i - 1, j - 1, here - 1
            marks.add(i)
        elif j - (rows[i - 1] & (1 << j) - 1).bit_count() == here:
            i -= 1
        else:
            j -= 1


def _mark_weighted(wanted: Tokens, said: Tokens, powers: list[float], marks: set[int]) -> None:
    """The same for ROUGE-W, cell by cell in the script's order of floating-point operations."""
    rows = [[0.0] * (len(said) + 1)]
    before = [0] * (len(said) + 1)
    for word in wanted:
        above, row, runs = rows[-1], [0.0], [0]
        for j, other in enumerate(said):
            if word == other:
                run = before[j]
                row.append(above[j] + powers[run + 1] - powers[run])
                runs.append(run + 1)
            else:
                row.append(max(above[j + 1], row[j]))
                runs.append(0)
        rows.append(row)
        before = runs
    i, j = len(wanted), len(said)
    while i and j:
        if wanted[i - 1] == said[j - 1]:
            i, j = i - 1, j - 1
            marks.add(i)
        elif rows[i - 1][j] >= rows[i][j - 1]:
            i -= 1
        else:
            j -= 1


def resampled_sums(values: Floats, resamples: int) -> Floats:
    """Sums of resamples 0, 1, …, each from its first draw on, draw by draw: a row each."""
    state = np.arange(resamples, dtype=np.uint64) << np.uint64(16) | np.uint64(_LOW)
    sums = np.zeros((resamples, values.shape[1]))
    for draw in range(len(values)):
        state = state * np.uint64(_MULTIPLIER) + np.uint64(_INCREMENT) & np.uint64(_MASK)
        drawn = values[(state.astype(np.float64) * 2.0**-48 * len(values)).astype(np.int64)]
        sums = sums + drawn if draw else drawn
    return sums
