"""Whole numbers of any size from residues modulo primes that compiled kernels can work with."""

from __future__ import annotations

from functools import cache
from math import isqrt, prod

from topline.problem.problem import Ints

TOP = 2**31
"""Products of two residues stay within 64 bits."""


@cache
def _prime(rank: int) -> int:
    """The prime of this rank below 2^31, the largest first."""
    number = (_prime(rank - 1) if rank else TOP) - 1
    while any(number % divisor == 0 for divisor in range(2, isqrt(number) + 1)):
        number -= 1
    return number


def primes(bits: int) -> list[int]:
    """Primes below 2^31 whose product exceeds `2**bits`."""
    found: list[int] = []
    while prod(found) >> bits == 0:
        found.append(_prime(len(found)))
    return found


def combine(residues: list[Ints], moduli: list[int]) -> list[int]:
    """The numbers with these residues (the Chinese remainder theorem); modulus 0 stands for exact values."""
    if moduli == [0]:
        return [int(x) for x in residues[0].tolist()]
    whole = prod(moduli)
    parts = [(whole // p) * pow(whole // p, -1, p) for p in moduli]
    return [
        sum(r * part for r, part in zip(column, parts, strict=True)) % whole
        for column in zip(*(some.tolist() for some in residues), strict=True)
    ]
