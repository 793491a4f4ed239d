"""Compiled counting: numbered tokens in, hits of pairs of texts out.

Texts are runs of `ids`; pair `p` compares `peers[p]` with `models[p]`. Pairs that share a peer should
stand behind one another: the peer's n-grams are then counted once.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

NONE = -1


@njit(cache=True, nogil=True)
def _slot(keys: NDArray[np.uint64], stamps: NDArray[np.int32], epoch: int, key: np.uint64) -> int:
    """Where a key stands in the table, or the free slot where it belongs."""
    mask = len(keys) - 1
    mixed = key * np.uint64(0x9E3779B97F4A7C15)
    slot = np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(mask))
    while stamps[slot] == epoch and keys[slot] != key:
        slot = (slot + 1) & mask
    return int(slot)


@njit(cache=True, nogil=True)
def _grams(
    ids: NDArray[np.int32],
    n: int,
    gap: int,
    unigrams: bool,
    words: int,
    keys: NDArray[np.uint64],
    values: NDArray[np.int32],
    stamps: NDArray[np.int32],
    epoch: int,
    known: int,
    insert: bool,
    grams: NDArray[np.int32],
) -> tuple[int, int]:
    """Number a text's n-grams (`gap < 0`) or skip-bigrams; those not in the table are NONE or enter it.

    A unigram's number is its token's, a longer n-gram's is `words` + its place in the table. An n-gram
    is found by its first n - 1 tokens' number and its last token. Returns how many grams were written
    and how many are known.
    """
    size = len(ids)
    written = 0
    if gap >= 0:
        for i in range(size - 1):
            if unigrams:
                grams[written] = ids[i]
                written += 1
            for j in range(i + 1, min(size, i + gap + 2)):
                key = (np.uint64(ids[i]) << np.uint64(32)) | np.uint64(ids[j])
                slot = _slot(keys, stamps, epoch, key)
                if stamps[slot] != epoch and insert:
                    stamps[slot] = epoch
                    keys[slot] = key
                    values[slot] = words + known
                    known += 1
                grams[written] = values[slot] if stamps[slot] == epoch else NONE
                written += 1
        return written, known
    for i in range(size):
        grams[i] = ids[i]
    for level in range(2, n + 1):
        for i in range(size - level + 1):
            if grams[i] == NONE:
                continue
            key = (np.uint64(grams[i]) << np.uint64(32)) | np.uint64(ids[i + level - 1])
            slot = _slot(keys, stamps, epoch, key)
            if stamps[slot] != epoch and insert:
                stamps[slot] = epoch
                keys[slot] = key
                values[slot] = words + known
                known += 1
            grams[i] = values[slot] if stamps[slot] == epoch else NONE
    return max(0, size - n + 1), known


@njit(cache=True, nogil=True)
def gram_hits(
    ids: NDArray[np.int32],
    starts: NDArray[np.int64],
    peers: NDArray[np.int64],
    models: NDArray[np.int64],
    n: int,
    gap: int,
    unigrams: bool,
    words: int,
    most: int,
    longest: int,
    hits: NDArray[np.int64],
) -> None:
    """Clipped matches of each pair. `most` is the largest number of grams that one text can add."""
    table = 16
    while table < 2 * most:
        table *= 2
    keys = np.empty(table, np.uint64)
    values = np.empty(table, np.int32)
    stamps = np.zeros(table, np.int32)
    have = np.zeros(words + most + 1, np.int32)
    left = np.zeros(words + most + 1, np.int32)
    grams = np.empty(max(longest, most) + 1, np.int32)
    owner = np.zeros(words + most + 1, np.int32)
    seen = np.zeros(words + most + 1, np.int32)
    peer = NONE
    epoch = known = 0
    for p in range(len(peers)):
        if peers[p] != peer:
            peer = peers[p]
            epoch += 1
            text = ids[starts[peer] : starts[peer + 1]]
            count, known = _grams(text, n, gap, unigrams, words, keys, values, stamps, epoch, 0, True, grams)
            for g in range(count):
                gram = grams[g]
                if owner[gram] != epoch:
                    owner[gram] = epoch
                    have[gram] = 0
                have[gram] += 1
        text = ids[starts[models[p]] : starts[models[p] + 1]]
        count, known = _grams(text, n, gap, unigrams, words, keys, values, stamps, epoch, known, False, grams)
        matched = 0
        for g in range(count):
            gram = grams[g]
            if gram != NONE and owner[gram] == epoch:
                if seen[gram] != p + 1:
                    seen[gram] = p + 1
                    left[gram] = have[gram]
                if left[gram] > 0:
                    left[gram] -= 1
                    matched += 1
        hits[p] = matched


@njit(cache=True, nogil=True)
def _bits(word: np.uint64) -> int:
    """The number of ones in a word."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True, nogil=True)
def _zeros_before(row: NDArray[np.uint64], j: int) -> int:
    """Zeros among the first `j` bits of a row: the LCS length of the row's prefix with `j` peer tokens."""
    count = j
    for w in range(j >> 6):
        count -= _bits(row[w])
    if j & 63:
        low = (np.uint64(1) << np.uint64(j & 63)) - np.uint64(1)
        count -= _bits(row[j >> 6] & low)
    return count


@njit(cache=True, nogil=True)
def _mark_lcs_short(
    model: NDArray[np.int32],
    peer: NDArray[np.int32],
    place: NDArray[np.int32],
    masks: NDArray[np.uint64],
    rows: NDArray[np.uint64],
    marks: NDArray[np.uint8],
) -> None:
    """As `_mark_lcs`, for a peer sentence of at most 64 tokens: a row is one word."""
    one = np.uint64(1)
    row = np.uint64(0xFFFFFFFFFFFFFFFF)
    rows[0, 0] = row
    for i in range(len(model)):
        mask = masks[place[model[i]], 0]
        matched = row & mask
        row = (row + matched) | (row & ~mask)
        rows[i + 1, 0] = row
    i, j = len(model), len(peer)
    low = np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - j)
    here = j - _bits(row & low)
    above = j - _bits(rows[i - 1, 0] & low)
    while here > 0:
        if model[i - 1] == peer[j - 1]:
            i -= 1
            j -= 1
            marks[i] = 1
            here -= 1
            low >>= one
            if here > 0:
                above = j - _bits(rows[i - 1, 0] & low)
        elif above == here:
            i -= 1
            above = j - _bits(rows[i - 1, 0] & low)
        else:
            j -= 1
            low >>= one
            bit = np.uint64(j)
            here -= int(~(rows[i, 0] >> bit) & one)
            above -= int(~(rows[i - 1, 0] >> bit) & one)


@njit(cache=True, nogil=True)
def _mark_lcs(
    model: NDArray[np.int32],
    peer: NDArray[np.int32],
    place: NDArray[np.int32],
    masks: NDArray[np.uint64],
    rows: NDArray[np.uint64],
    marks: NDArray[np.uint8],
) -> None:
    """Mark the model's tokens on the script's path through the LCS table (diagonal, else up, else left).

    The table is kept as bits: row `i` has a 0 where the length rises (Hyyro's bit-vector algorithm).
    `place[token]` is the token's row in `masks`, 0 where the peer does not hold it.
    """
    words = (len(peer) + 63) >> 6
    full = np.uint64(0xFFFFFFFFFFFFFFFF)
    for w in range(words):
        rows[0, w] = full
    for i in range(len(model)):
        mask = masks[place[model[i]]]
        carry = np.uint64(0)
        for w in range(words):
            before = rows[i, w]
            matched = before & mask[w]
            added = before + matched
            over = np.uint64(1) if added < before else np.uint64(0)
            total = added + carry
            if total < added:
                over = np.uint64(1)
            rows[i + 1, w] = total | (before & ~mask[w])
            carry = over
    i, j = len(model), len(peer)
    here = _zeros_before(rows[i], j)
    above = _zeros_before(rows[i - 1], j)
    while here > 0:
        if model[i - 1] == peer[j - 1]:
            i -= 1
            j -= 1
            marks[i] = 1
        elif above == here:
            i -= 1
        else:
            j -= 1
        if i == 0 or j == 0:
            break
        here = _zeros_before(rows[i], j)
        above = _zeros_before(rows[i - 1], j)


@njit(cache=True, nogil=True)
def _mark_wlcs(
    model: NDArray[np.int32],
    peer: NDArray[np.int32],
    powers: NDArray[np.float64],
    score: NDArray[np.float64],
    runs: NDArray[np.int32],
    moves: NDArray[np.uint8],
    marks: NDArray[np.uint8],
) -> None:
    """The same for weighted LCS, cell by cell in the script's order of floating-point operations."""
    m, n = len(model), len(peer)
    score[: m + 1, : n + 1] = 0.0
    runs[: m + 1, : n + 1] = 0
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            if model[i - 1] == peer[j - 1]:
                run = runs[i - 1, j - 1]
                score[i, j] = score[i - 1, j - 1] + powers[run + 1] - powers[run]
                runs[i, j] = run + 1
                moves[i, j] = 0
            elif score[i - 1, j] >= score[i, j - 1]:
                score[i, j] = score[i - 1, j]
                moves[i, j] = 1
            else:
                score[i, j] = score[i, j - 1]
                moves[i, j] = 2
    i, j = m, n
    while i > 0 and j > 0:
        move = moves[i, j]
        if move == 0:
            i -= 1
            j -= 1
            marks[i] = 1
        elif move == 1:
            i -= 1
        else:
            j -= 1


@njit(cache=True, nogil=True)
def _clip(
    model: NDArray[np.int32],
    marks: NDArray[np.uint8],
    peer_left: NDArray[np.int32],
    model_left: NDArray[np.int32],
    powers: NDArray[np.float64],
    weighted: bool,
    hits: float,
) -> float:
    """Add a model sentence's hits: marked tokens while unigrams last on both sides, runs weighted.

    The sum runs on from sentence to sentence, so that the floating-point order is the script's.
    """
    run = 0
    for j in range(len(model)):
        token = model[j]
        if marks[j] == 1 and model_left[token] > 0 and peer_left[token] > 0:
            model_left[token] -= 1
            peer_left[token] -= 1
            run += 1
            if not weighted:
                hits += 1.0
            elif j + 1 == len(model) or marks[j + 1] == 0:
                hits += powers[run]
                run = 0
    return hits


@njit(cache=True, nogil=True)
def lcs_hits(
    ids: NDArray[np.int32],
    starts: NDArray[np.int64],
    texts: NDArray[np.int64],
    joined: NDArray[np.int32],
    joined_starts: NDArray[np.int64],
    peers: NDArray[np.int64],
    models: NDArray[np.int64],
    powers: NDArray[np.float64],
    weighted: bool,
    words: int,
    hits: NDArray[np.float64],
) -> None:
    """Union LCS of each pair, for ROUGE-L and ROUGE-W.

    Text `t` has the sentences `texts[t]:texts[t + 1]`, sentence `s` the tokens
    `ids[starts[s]:starts[s + 1]]`. Unigrams for clipping come from the joined texts, which a length
    limit may have cut elsewhere.
    """
    longest = largest = 1
    for s in range(len(starts) - 1):
        longest = max(longest, starts[s + 1] - starts[s])
    for t in range(len(texts) - 1):
        largest = max(largest, starts[texts[t + 1]] - starts[texts[t]])
    wide = (longest + 63) >> 6
    cells = longest + 1 if weighted else 1
    score = np.zeros((cells, cells), np.float64)
    runs = np.zeros((cells, cells), np.int32)
    moves = np.zeros((cells, cells), np.uint8)
    rows = np.zeros((1 if weighted else longest + 1, wide), np.uint64)
    masks = np.zeros((1 if weighted else longest + 1, wide), np.uint64)
    place = np.zeros(words, np.int32)
    marks = np.zeros(largest, np.uint8)
    peer_left = np.zeros(words, np.int32)
    model_left = np.zeros(words, np.int32)
    for p in range(len(peers)):
        peer, model = peers[p], models[p]
        first, last = texts[model], texts[model + 1]
        base = starts[first]
        marks[: starts[last] - base] = 0
        for s in range(texts[peer], texts[peer + 1]):
            said = ids[starts[s] : starts[s + 1]]
            if len(said) == 0:
                continue
            if not weighted:
                distinct = 0
                for j in range(len(said)):
                    token = said[j]
                    if place[token] == 0:
                        distinct += 1
                        place[token] = distinct
                        masks[distinct, :] = np.uint64(0)
                    masks[place[token], j >> 6] |= np.uint64(1) << np.uint64(j & 63)
            for r in range(first, last):
                wanted = ids[starts[r] : starts[r + 1]]
                if len(wanted) == 0:
                    continue
                marked = marks[starts[r] - base : starts[r + 1] - base]
                if weighted:
                    _mark_wlcs(wanted, said, powers, score, runs, moves, marked)
                elif len(said) <= 64:
                    _mark_lcs_short(wanted, said, place, masks, rows, marked)
                else:
                    _mark_lcs(wanted, said, place, masks, rows, marked)
            if not weighted:
                for j in range(len(said)):
                    place[said[j]] = 0
        for at in range(joined_starts[peer], joined_starts[peer + 1]):
            peer_left[joined[at]] += 1
        for at in range(joined_starts[model], joined_starts[model + 1]):
            model_left[joined[at]] += 1
        total = 0.0
        for r in range(first, last):
            wanted = ids[starts[r] : starts[r + 1]]
            marked = marks[starts[r] - base : starts[r + 1] - base]
            total = _clip(wanted, marked, peer_left, model_left, powers, weighted, total)
        hits[p] = total
        for at in range(joined_starts[peer], joined_starts[peer + 1]):
            peer_left[joined[at]] = 0
        for at in range(joined_starts[model], joined_starts[model + 1]):
            model_left[joined[at]] = 0
