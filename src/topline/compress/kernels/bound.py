"""Multipliers and the bounds they prove.

`status` is 1 for a node that must stay, -1 for one that must go, 0 for a free one; with a node stay those
above it, with a node go those below it. An n-gram's gains above its price are a constant of the bound, the
price goes to the nodes that hold it; what is left is the best rooted subtrees, found in one pass.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from topline.compress.arrays import Arrays, Bytes, Floats, Ints, Prices

ROOT = -1
NEVER = 1 << 62
MOMENTUM = 0.7
PATIENCE = 20
"""Rounds without progress after which the step is cut."""
SLOWER = 0.6
SMALLEST_STEP = 0.01


@njit(cache=True, nogil=True)
def _choose(arrays: Arrays, status: Bytes, value: Floats, kept: Ints) -> float:
    """The best rooted subtrees for the profits in `value`, which become the values of whole subtrees."""
    best = 0.0
    for c in range(len(value) - 1, -1, -1):
        if status[c] == 1 or (status[c] == 0 and value[c] > 0.0):
            if arrays.parents[c] == ROOT:
                best += value[c]
            else:
                value[arrays.parents[c]] += value[c]
    for c in range(len(value)):
        above = arrays.parents[c] == ROOT or kept[arrays.parents[c]] == 1
        kept[c] = 1 if above and (status[c] == 1 or (status[c] == 0 and value[c] > 0.0)) else 0
    return best


@njit(cache=True, nogil=True)
def _evaluate(
    arrays: Arrays,
    status: Bytes,
    u: Floats,
    shares: Floats,
    charge: float,
    value: Floats,
    kept: Ints,
    slope: Floats,
) -> float:
    """The bound at these multipliers without the budget's part, and its slope in each price."""
    constant = 0.0
    for j in range(len(u)):
        slope[j] = 0.0
        for t in range(arrays.gain_starts[j], arrays.gain_starts[j + 1]):
            if arrays.gains[t] > u[j]:
                constant += arrays.gains[t] - u[j]
                slope[j] -= 1.0
    for c in range(len(value)):
        value[c] = -charge * arrays.lengths[c]
        for e in range(arrays.entry_starts[c], arrays.entry_starts[c + 1]):
            value[c] += u[arrays.entry_grams[e]] * arrays.entry_counts[e]
    for k in range(len(arrays.members)):
        share = u[arrays.link_grams[arrays.member_links[k]]] * shares[k]
        if arrays.signs[k] == 1:
            value[arrays.members[k]] += share
        else:
            value[arrays.members[k]] -= share
            constant += share
    constant += _choose(arrays, status, value, kept)
    for c in range(len(value)):
        if kept[c] == 1:
            for e in range(arrays.entry_starts[c], arrays.entry_starts[c + 1]):
                slope[arrays.entry_grams[e]] += arrays.entry_counts[e]
    for k in range(len(arrays.members)):
        if kept[arrays.members[k]] == arrays.signs[k]:
            slope[arrays.link_grams[arrays.member_links[k]]] += shares[k]
    return constant


@njit(cache=True, nogil=True)
def _share_out(arrays: Arrays, kept: Ints, shares: Floats, step: float) -> None:
    """Move a link's shares from members that do as they must to those that do not."""
    for v in range(len(arrays.link_grams)):
        first, last = arrays.member_starts[v], arrays.member_starts[v + 1]
        met = 0
        for k in range(first, last):
            met += kept[arrays.members[k]] == arrays.signs[k]
        if met in {0, last - first}:
            continue
        total = 0.0
        for k in range(first, last):
            does = 1.0 if kept[arrays.members[k]] == arrays.signs[k] else 0.0
            shares[k] = max(0.0, shares[k] - step * (does - met / (last - first)))
            total += shares[k]
        for k in range(first, last):
            shares[k] /= total


@njit(cache=True, nogil=True)
def relax(
    arrays: Arrays,
    budget: int,
    status: Bytes,
    u: Floats,
    shares: Floats,
    charge: Floats,
    target: float,
    rounds: int,
    often: Floats,
) -> float:
    """Lower the bound by Polyak's subgradient steps; the best multipliers end in `u`, `shares`, `charge`.

    `often` becomes each node's share of the recent rounds in which it was kept: advice for branching.
    Stops early once the bound is below `target`.
    """
    grams = len(u)
    value, slope, step_u = np.empty(len(status)), np.empty(grams), np.zeros(grams)
    kept = np.zeros(len(status), np.int64)
    here_u, here_shares, here_charge = u.copy(), shares.copy(), charge[0]
    unit = max(1.0, budget / 10.0)
    dearest = float(arrays.gains.sum())
    best, theta, stalls, step_charge = np.inf, 1.0, 0, 0.0
    for turn in range(rounds):
        bound = _evaluate(arrays, status, here_u, here_shares, here_charge, value, kept, slope)
        bound += here_charge * budget
        used = 0
        for c in range(len(status)):
            often[c] += 0.05 * (kept[c] - often[c])
            used += kept[c] * arrays.lengths[c]
        stalls = 0 if turn == 0 or bound < best - 1e-4 * abs(best) else stalls + 1
        if bound < best:
            best, charge[0] = bound, here_charge
            u[:] = here_u
            shares[:] = here_shares
        if best < target:
            break
        if stalls >= PATIENCE:
            stalls, theta, here_charge, step_charge = 0, theta * SLOWER, charge[0], 0.0
            here_u[:] = u
            here_shares[:] = shares
            step_u[:] = 0.0
            if theta < SMALLEST_STEP:
                break
            continue
        slope_charge = (budget - used) / unit
        norm = slope_charge * slope_charge
        for j in range(grams):
            if here_u[j] <= 0.0:
                slope[j] = min(slope[j], 0.0)
            norm += slope[j] * slope[j]
        if norm == 0.0:
            break
        size = theta * max(bound - target, 1e-3) / norm
        for j in range(grams):
            step_u[j] = MOMENTUM * step_u[j] + size * slope[j]
            # a price above the first gain only raises the bound
            dear = float(arrays.gains[arrays.gain_starts[j]])
            here_u[j] = min(dear, max(0.0, here_u[j] - step_u[j]))
        step_charge = MOMENTUM * step_charge + size * slope_charge
        here_charge = min(dearest, max(0.0, here_charge - step_charge / unit))
        _share_out(arrays, kept, here_shares, 0.1 * theta)
    return best


@njit(cache=True, nogil=True)
def settle(arrays: Arrays, budget: int, status: Bytes, at: Prices, target: int) -> int:
    """The bound in whole numbers, and the nodes it decides: `status` is changed in place.

    Any multipliers give a bound, so whole ones lose nothing but their rounding. A node is decided if the
    bound without it, or with it, is below `target`. Returns the bound times the scale.
    """
    n = len(status)
    own, value = np.empty(n, np.int64), np.empty(n, np.int64)
    loss_in, loss_out = np.empty(n, np.int64), np.empty(n, np.int64)
    constant = at.charge * budget
    for j in range(len(at.prices)):
        for t in range(arrays.gain_starts[j], arrays.gain_starts[j + 1]):
            constant += max(0, arrays.gains[t] * at.scale - at.prices[j])
    for c in range(n):
        own[c] = -at.charge * arrays.lengths[c]
        for e in range(arrays.entry_starts[c], arrays.entry_starts[c + 1]):
            own[c] += at.prices[arrays.entry_grams[e]] * arrays.entry_counts[e]
    for k in range(len(arrays.members)):
        if arrays.signs[k] == 1:
            own[arrays.members[k]] += at.shares[k]
        else:
            own[arrays.members[k]] -= at.shares[k]
            constant += at.shares[k]
    while True:
        changed = False
        bound = constant
        value[:] = own
        for c in range(n - 1, -1, -1):
            if status[c] == 1 or (status[c] == 0 and value[c] > 0):
                if arrays.parents[c] == ROOT:
                    bound += value[c]
                else:
                    value[arrays.parents[c]] += value[c]
        room = bound - target * at.scale
        if room < 0:
            return bound
        for c in range(n):
            parent = arrays.parents[c]
            if status[c] == 0 and parent != ROOT and status[parent] == -1:
                status[c] = -1
            if status[c] != 0:
                loss_in[c], loss_out[c] = 0, NEVER
                continue
            above = NEVER if parent == ROOT else loss_out[parent]
            loss_in[c] = max(0, -value[c]) + (0 if parent == ROOT else loss_in[parent])
            loss_out[c] = max(0, min(value[c], above))
            if loss_in[c] > room:
                status[c] = -1
                changed = True
            elif loss_out[c] > room:
                status[c] = 1
                changed = True
        if not changed:
            return bound
