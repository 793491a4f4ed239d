"""Distributions as SVG, drawn as text: the same input gives the same bytes, and no library is needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import ceil, floor, log10, sqrt

import numpy as np
from numpy.typing import NDArray

from topline.report.flags import margin, rows, shortened
from topline.spread.distribution import Distribution

Floats = NDArray[np.float64]
_WIDTH, _PLOT = 720, 272
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 40, 48
_ROW, _CHARACTER = 14, 6.4
"""The height of a row of names, and the width that a letter is given when names are kept apart."""
_INK, _PALE, _BLUE = "#222222", "#dddddd", "#3b6ea5"
_COLOURS = ("#3b6ea5", "#c0504d", "#6a9a3b", "#7d5aa6", "#c98a2b", "#3f9c9c")
_FAINT = ' fill-opacity="0.5"'
_CLOSE = 10
"""Bounds further apart than by this factor are not drawn."""
_SEEN = 10
"""So many draws of a score say more than bounds."""
_DECADES = 18
"""The most decades that a logarithmic scale shows."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A system on a distribution."""

    name: str
    score: float


@dataclass(frozen=True, slots=True)
class _Frame:
    """Scales from figures to the canvas."""

    low: float
    high: float
    bottom: float
    top: float
    log: bool
    right: int = _WIDTH - _RIGHT
    """Where the scores end: what is left of the width is room for names."""
    head: int = _TOP
    """Where the heights begin: what is above it is the title and names."""

    @property
    def floor(self) -> int:
        """Where the heights end."""
        return self.head + _PLOT

    def x(self, value: float) -> str:
        share = (value - self.low) / (self.high - self.low)
        return f"{_LEFT + share * (self.right - _LEFT):.2f}"

    def y(self, value: float) -> str:
        if self.log:
            value = max(value, self.bottom)
            share = (log10(value) - log10(self.bottom)) / (log10(self.top) - log10(self.bottom))
        else:
            share = (value - self.bottom) / (self.top - self.bottom)
        return f"{self.floor - share * _PLOT:.2f}"

    @classmethod
    def around(cls, low: float, high: float, values: Iterable[float], *, log: bool) -> _Frame:
        """A frame that holds scores from low to high and these heights."""
        heights = [value for value in values if value > 0] or [1.0]
        margin = max((high - low) * 0.03, 0.005)
        most = max(heights)
        if not log:
            return cls(low - margin, high + margin, 0.0, most * 1.08, False)
        bottom = max(10.0 ** floor(log10(min(heights)) - 1e-9), 10.0 ** (ceil(log10(most)) - _DECADES))
        return cls(low - margin, high + margin, bottom, 10.0 ** ceil(log10(most) + 1e-9), True)


def _number(value: float) -> str:
    return f"{value:.10g}"


def _steps(low: float, high: float) -> list[float]:
    """About six round numbers between two."""
    rough = (high - low) / 6
    power = 10.0 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    return [k * step for k in range(ceil(low / step), floor(high / step) + 1)]


def _axes(frame: _Frame, title: str, across: str, up: str) -> list[str]:
    right, floor_ = frame.right, frame.floor
    parts = [f'<text x="{_LEFT}" y="22" font-size="14" font-weight="bold">{escape(title)}</text>']
    for value in _steps(frame.low, frame.high):
        x = frame.x(value)
        parts.append(_line("plot-ink", _INK, x, floor_, x, floor_ + 5))
        parts.append(
            f'<text x="{x}" y="{floor_ + 18}" text-anchor="middle">{_number(round(value, 10))}</text>'
        )
    if frame.log:
        first, last = round(log10(frame.bottom)), round(log10(frame.top))
        every = max(1, (last - first) // 6)
        heights = [10.0**power for power in range(first, last + 1, every)]
    else:
        heights = _steps(frame.bottom, frame.top)
    for value in heights:
        y = frame.y(value)
        label = f"1e{round(log10(value))}" if frame.log else _number(round(value, 12))
        parts.append(_line("plot-pale", _PALE, _LEFT, y, right, y))
        parts.append(f'<text x="{_LEFT - 6}" y="{y}" dy="4" text-anchor="end">{label}</text>')
    parts.append(_line("plot-ink", _INK, _LEFT, floor_, right, floor_))
    middle = (_LEFT + right) // 2
    parts.append(f'<text x="{middle}" y="{floor_ + 40}" text-anchor="middle">{escape(across)}</text>')
    half = (frame.head + floor_) // 2
    parts.append(
        f'<text x="14" y="{half}" text-anchor="middle" transform="rotate(-90 14 {half})">{escape(up)}</text>'
    )
    return parts


def _line(kind: str, colour: str, x1: float | str, y1: float | str, x2: float | str, y2: float | str) -> str:
    """A line with its colour on white paper; a page may colour its class otherwise."""
    return f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}"/>'


def _svg(frame: _Frame, title: str, parts: Sequence[str]) -> str:
    height = frame.floor + _BOTTOM
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img"'
        f' aria-label="{escape(title)}" font-family="sans-serif" font-size="11" fill="{_INK}">'
    )
    paper = f'<rect class="plot-paper" width="{_WIDTH}" height="{height}" fill="white"/>'
    return "\n".join([head, paper, *parts, "</svg>", ""])


def _named(frame: _Frame, marks: Sequence[Mark]) -> tuple[_Frame, list[str]]:
    """The frame with room for the marks' names, and the marks: a stem each, its name on top like a flag."""
    if not marks:
        return frame, []
    ordered = sorted(marks, key=lambda mark: (mark.score, mark.name))
    widths = [len(shortened(mark.name)) * _CHARACTER + 8 for mark in ordered]
    free = margin([float(frame.x(mark.score)) for mark in ordered], widths, _WIDTH, _RIGHT)
    frame = replace(frame, right=_WIDTH - round(free))
    levels = rows([float(frame.x(mark.score)) for mark in ordered], widths)
    frame = replace(frame, head=_TOP + _ROW * max(levels) + 6)
    parts = []
    for number, (mark, level) in enumerate(zip(ordered, levels, strict=True)):
        x, y = frame.x(mark.score), frame.head - 6 - _ROW * level
        colour = _COLOURS[(number + 1) % len(_COLOURS)]
        parts.append(
            f'<g><line x1="{x}" y1="{y - 9}" x2="{x}" y2="{frame.floor}" stroke="{colour}"'
            f' stroke-dasharray="4 3"/><text x="{x}" y="{y}" dx="3" fill="{colour}">'
            f"{escape(shortened(mark.name))}</text><title>{escape(mark.name)}: {mark.score:.4f}</title></g>"
        )
    return frame, parts


def histogram(
    distribution: Distribution, title: str, metric: str, marks: Sequence[Mark] = (), *, log: bool = False
) -> str:
    """A document's histogram (figure 1), systems marked on it; a bar for each number of hits.

    Pale bars are estimates from bounds, between the draws and the exact tail.
    """
    bounded = _bounded(distribution)
    shares = {hits: count / distribution.weight for hits, count in distribution.counts.items()} | bounded
    if not distribution.exact and distribution.tail_from is not None:
        shares = {hits: share for hits, share in shares.items() if hits < distribution.tail_from}
        shares |= {hits: count / distribution.extracts for hits, count in distribution.tail.items()}
    total = distribution.total
    scores = [*(hits / total for hits in shares), *(mark.score for mark in marks)]
    frame, named = _named(_Frame.around(min(scores), max(scores), shares.values(), log=log), marks)
    width = max(0.6, 0.9 * (float(frame.x(1 / total)) - float(frame.x(0))))
    parts = _axes(frame, title, metric, "share of extracts")
    for faint in (False, True):
        bars = [hits for hits in sorted(shares) if (hits in bounded) == faint]
        floor_ = frame.floor
        outline = "".join(
            f"H{float(frame.x(hits / total)) - width / 2:.2f}V{frame.y(shares[hits])}h{width:.2f}V{floor_}"
            for hits in bars
        )
        shade = f'fill="{_BLUE}"{_FAINT if faint else ""}'
        if bars:
            parts.append(f'<path class="plot-bar" d="M{_LEFT} {floor_}{outline}" {shade}/>')
    return _svg(frame, title, [*parts, *named])


def _bounded(distribution: Distribution) -> dict[int, float]:
    """The shares that lie between bounds which are not far apart, at the middle of their logarithms.

    Only where hardly any draw came: a difference of bounds is rougher than a count of draws.
    """
    above = sum(distribution.tail.values()) / distribution.extracts
    found: dict[int, float] = {}
    for hits in sorted(distribution.rare, reverse=True):
        low, high = distribution.rare[hits]
        if not 0 < high <= _CLOSE * low:
            continue
        reached = sqrt(low / distribution.extracts) * sqrt(high / distribution.extracts)
        if reached > above:
            if distribution.counts.get(hits, 0) < _SEEN:
                found[hits] = reached - above
            above = reached
    return found


def densities(
    curves: Sequence[tuple[str, Floats]],
    title: str,
    metric: str,
    marks: Sequence[Mark] = (),
    *,
    log: bool = False,
) -> str:
    """Binned pdfs as curves with their names: a domain's (figure 2), or several (figure 4)."""
    held = [np.flatnonzero(curve > 0) for _, curve in curves]
    scores = [(at + 0.5) / len(curve) for (_, curve), at in zip(curves, held, strict=True)]
    ends = [float(end) for some in scores for end in (some.min(), some.max())]
    ends += [mark.score for mark in marks]
    heights = [float(value) for _, curve in curves for value in curve]
    frame, named = _named(_Frame.around(min(ends), max(ends), heights, log=log), marks)
    parts = _axes(frame, title, metric, "probability density")
    for number, ((name, curve), at) in enumerate(zip(curves, held, strict=True)):
        colour = _COLOURS[number % len(_COLOURS)]
        bins = range(int(at.min()), int(at.max()) + 1)
        points = " ".join(f"{frame.x((b + 0.5) / len(curve))},{frame.y(float(curve[b]))}" for b in bins)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        y = frame.head + _ROW * number
        parts.append(
            f'<text x="{_WIDTH - _RIGHT}" y="{y}" text-anchor="end" fill="{colour}">{escape(name)}</text>'
        )
    return _svg(frame, title, [*parts, *named])


def ensemble(
    distributions: Sequence[Distribution],
    title: str,
    metric: str,
    marks: Sequence[Mark] = (),
    *,
    log: bool = False,
) -> str:
    """The distributions of a domain's documents over each other (figure 3), pale so that many can be seen."""
    curves = [
        [(hits / one.total, count / one.weight * one.total) for hits, count in sorted(one.counts.items())]
        for one in distributions
    ]
    scores = [*(score for curve in curves for score, _ in curve), *(mark.score for mark in marks)]
    heights = [height for curve in curves for _, height in curve]
    frame, named = _named(_Frame.around(min(scores), max(scores), heights, log=log), marks)
    parts = _axes(frame, title, metric, "probability density")
    for curve in curves:
        points = " ".join(f"{frame.x(score)},{frame.y(height)}" for score, height in curve)
        parts.append(
            f'<polyline class="plot-curve" points="{points}" fill="none" stroke="{_BLUE}"'
            ' stroke-opacity="0.45"/>'
        )
    return _svg(frame, title, [*parts, *named])
