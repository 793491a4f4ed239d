"""The scale: from random through the systems to the best possible, drawn as SVG and read as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor

from topline.report.flags import margin, rows, shortened

KINDS = {"chance": "chance", "system": "systems", "person": "people", "oracle": "best possible"}
"""The kinds of points, and what they are called."""
_WIDTH, _LEFT, _RIGHT = 1000, 40, 40
_ROW, _CHARACTER = 19, 7.2
"""The height of a row of names, and the width that a letter is given when names are kept apart."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of the scale."""

    name: str
    score: float
    kind: str
    """One of `KINDS`: its colour and shape."""


def _ticks(low: float, high: float) -> list[float]:
    """Round values that cover the range, about eight of them."""
    step = next(
        s
        for s in (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
        if (high - low) / s <= 9
    )
    first = floor(low / step)
    last = max(first + 1, ceil(high / step))
    return [round(k * step, 6) for k in range(first, last + 1)]


_SHAPES = {
    "chance": '<rect x="{x0}" y="{y0}" width="10" height="10" class="kind-chance"/>',
    "system": '<circle cx="{x}" cy="{y}" r="5.5" class="kind-system"/>',
    "person": '<path d="M{x} {y1} l6 11 h-12 z" class="kind-person"/>',
    "oracle": '<path d="M{x} {y1} l6 6 l-6 6 l-6 -6 z" class="kind-oracle"/>',
}


def draw(marks: Sequence[Mark], metric: str) -> str:
    """The scale as SVG; deterministic, its text escaped, and said in words for who cannot see it."""
    ordered = sorted(marks, key=lambda mark: (mark.score, mark.name))
    if not ordered:
        return ""
    ticks = _ticks(ordered[0].score, ordered[-1].score)
    low, high = ticks[0], ticks[-1]
    widths = [len(shortened(mark.name)) * _CHARACTER + 10 for mark in ordered]
    shares = [(mark.score - low) / (high - low) for mark in ordered]
    right = margin([_LEFT + share * (_WIDTH - _LEFT - _RIGHT) for share in shares], widths, _WIDTH, _RIGHT)

    def x(score: float) -> float:
        return _LEFT + (score - low) / (high - low) * (_WIDTH - _LEFT - right)

    places = [x(mark.score) for mark in ordered]
    levels = rows(places, widths)
    base = (max(levels) + 1) * _ROW + 24
    pieces = [_axis(ticks, x, base)]
    for mark, at, level in zip(ordered, places, levels, strict=True):
        pieces.append(_mark(mark, at, base - 22 - level * _ROW, base))
    words = "; ".join(f"{mark.name} {mark.score:.4f}" for mark in ordered)
    title = f"<title>{escape(metric)} from random to the best possible: {escape(words)}</title>"
    height = base + 66
    pieces.append(_legend([kind for kind in KINDS if any(mark.kind == kind for mark in ordered)], base + 50))
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" role="img">'
        f"{title}{''.join(pieces)}</svg>"
    )


def _axis(ticks: Sequence[float], place: Callable[[float], float], base: int) -> str:
    lines = [f'<line class="axis" x1="{_LEFT}" y1="{base}" x2="{place(ticks[-1]):.1f}" y2="{base}"/>']
    for tick in ticks:
        at = f"{place(tick):.1f}"
        lines.append(f'<line class="axis" x1="{at}" y1="{base}" x2="{at}" y2="{base + 6}"/>')
        lines.append(f'<text class="small" x="{at}" y="{base + 24}" text-anchor="middle">{tick:g}</text>')
    return "".join(lines)


def _legend(kinds: Sequence[str], y: int) -> str:
    """What the shapes stand for."""
    pieces = []
    at = _LEFT + 6.0
    for kind in kinds:
        pieces.append(
            f'{_shape(kind, at, y)}<text class="small" x="{at + 10:.1f}" y="{y + 4}">{KINDS[kind]}</text>'
        )
        at += len(KINDS[kind]) * _CHARACTER + 36
    return "".join(pieces)


def _shape(kind: str, at: float, y: int) -> str:
    return _SHAPES[kind].format(x=f"{at:.1f}", y=y, x0=f"{at - 5:.1f}", y0=y - 5, y1=y - 6)


def _mark(mark: Mark, at: float, y: float, base: int) -> str:
    shape = _shape(mark.kind, at, base)
    stem = f'<line class="rule" x1="{at:.1f}" y1="{base - 7}" x2="{at:.1f}" y2="{y - 10:.0f}"/>'
    label = f'<text x="{at + 4:.1f}" y="{y:.0f}">{escape(shortened(mark.name))}</text>'
    return f"<g>{stem}{shape}{label}<title>{escape(mark.name)}: {mark.score:.4f}</title></g>"
