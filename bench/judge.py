"""Significance between 1,000 systems on 1,000 topics, and relative utility, beside scipy and enumeration."""

from __future__ import annotations

import os
from itertools import combinations
from time import perf_counter

import numpy as np

from bench.common import fastest, record
from topline.judge.correlation import correlate
from topline.judge.judged import SCALE, Judged
from topline.judge.significance import TESTS, Matrix, compare
from topline.judge.utility import Panel, mean

CORES = len(os.sched_getaffinity(0))


def matrix(systems: int, topics: int) -> Matrix:
    rng = np.random.default_rng(1)
    values = rng.beta(8, 12, (systems, topics)) + np.linspace(0, 0.02, systems)[:, None]
    return Matrix(tuple(map(str, range(systems))), tuple(map(str, range(topics))), values)


def peer_seconds(test: str, values: np.ndarray) -> float:
    """Seconds scipy takes for one pair (median of a few)."""
    from scipy import stats

    def one(a: np.ndarray, b: np.ndarray) -> None:
        if test == "wilcoxon":
            stats.wilcoxon(a, b)
        elif test == "randomisation":
            stats.permutation_test(
                (a, b), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples",
                n_resamples=10_000, vectorized=True, batch=500, rng=np.random.default_rng(0),
            )  # fmt: skip
        else:
            stats.bootstrap(
                (a - b,), np.mean, n_resamples=10_000, method="percentile", vectorized=True, batch=500,
                rng=np.random.default_rng(0),
            )  # fmt: skip

    times = []
    for i in range(5):
        start = perf_counter()
        one(values[i], values[i + 1])
        times.append(perf_counter() - start)
    return float(np.median(times))


def significance() -> list[dict[str, object]]:
    small, large = matrix(4, 40), matrix(1000, 1000)
    rows = []
    for test in TESTS:
        compare(small, test)  # compiled before the clock runs
        ours = fastest(lambda test=test: compare(large, test, samples=10_000, jobs=CORES), 2)
        peer = peer_seconds(test, large.values) * 499_500
        rows.append(
            {"what": f"{test}, 499,500 pairs x 1,000 topics", "seconds": ours, "peer": "scipy, pair by pair",
             "peer_seconds": peer, "ratio": peer / ours}
        )  # fmt: skip
    exact = matrix(50, 30)
    ours = fastest(lambda: compare(exact, "randomisation", jobs=CORES), 2)
    rows.append({"what": "randomisation counted out, 1,225 pairs x 30 topics (2^30 signs)", "seconds": ours})
    return rows


def correlation() -> dict[str, object]:
    from scipy import stats

    rng = np.random.default_rng(2)
    x = rng.random((30, 1))
    y = x + rng.random((30, 1))
    correlate(x, y, kind="kendall", samples=10)
    ours = fastest(lambda: correlate(x, y, kind="kendall", samples=10_000))

    def tau(a: np.ndarray, b: np.ndarray) -> float:
        return float(stats.kendalltau(a, b).statistic)

    def peer() -> None:
        stats.bootstrap(
            (x[:, 0], y[:, 0]), tau, paired=True, vectorized=False, n_resamples=500, method="percentile"
        )
        stats.permutation_test(
            (y[:, 0],), lambda b: tau(x[:, 0], b), permutation_type="pairings", n_resamples=500
        )

    theirs = fastest(peer, 1) * 20
    return {"what": "Kendall, 30 systems, 10,000 bootstrap and permutation resamples", "seconds": ours,
            "peer": "scipy", "peer_seconds": theirs, "ratio": theirs / ours}  # fmt: skip


def utility() -> list[dict[str, object]]:
    rng = np.random.default_rng(3)

    def panel(n: int) -> Panel:
        rows = rng.integers(0, 11, (6, n)).astype(np.int64) * SCALE
        return Panel(Judged("t", n, tuple("ABCDEF"), rows))

    small, large = panel(16), panel(500)
    ours = fastest(lambda: small.agreement(8).R)

    def every() -> None:
        mean([small.performance(extract, level).S for extract in combinations(range(16), 8)])

    level = small.agreement(8)
    theirs = fastest(every, 1)
    return [
        {"what": "R in closed form, 16 sentences, 6 judges", "seconds": ours, "peer": "all 12,870 extracts",
         "peer_seconds": theirs, "ratio": theirs / ours},
        {"what": "J and R at nine rates, 500 sentences, 6 judges",
         "seconds": fastest(lambda: [large.agreement(50 * k) for k in range(1, 10)])},
    ]  # fmt: skip


if __name__ == "__main__":
    record("judge", [*significance(), correlation(), *utility()])
