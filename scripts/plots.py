"""Panels of lines as SVG, which the plots of the book share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

_WIDE, _HIGH = 400, 260  # size of a panel, in SVG's units
_LEFT, _TOP = 60, 40  # room for its numbers and its heading
_ROW: Final = 17  # height of a line's words


class Line(NamedTuple):
    """A line of a panel: float (points, 2), with its color, width and words."""

    points: Any
    color: str
    width: float
    words: str


class Panel(NamedTuple):
    """A heading, a caption, the numbers below the panel, and lines, whose x ends at the last."""

    heading: str
    caption: str
    ticks: Sequence[float]
    lines: Sequence[Line]


def drawing(panels: Sequence[Panel]) -> str:
    """Panels in a row."""
    rows = max(len(panel.lines) for panel in panels)
    wide, high = len(panels) * (_WIDE + _LEFT) + 20, _TOP + _HIGH + 62 + _ROW * rows
    head = f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}"'
    parts = [
        f'<svg {head} font-family="sans-serif" font-size="13">',
        f'<rect width="{wide}" height="{high}" fill="white"/>',
    ]
    for number, panel in enumerate(panels):
        parts += _drawn(_LEFT + number * (_WIDE + _LEFT), panel)
    return "\n".join([*parts, "</svg>", ""])


def _drawn(left: int, panel: Panel) -> list[str]:
    most = max(line.points[:, 1].max() for line in panel.lines)
    step = next(n * 10**k for k in range(9) for n in (1, 2, 5) if most / (n * 10**k) < 6)
    top, bottom = step * (most // step + 1), _TOP + _HIGH
    parts = [f'<text x="{left}" y="24" font-size="15">{panel.heading}</text>']
    for value in np.arange(0, top + step, step):
        y = bottom - value / top * _HIGH
        parts.append(f'<path d="M{left} {y:.1f}h{_WIDE}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{value:,g}</text>')
    last = panel.ticks[-1]
    for tick in panel.ticks:
        x, y = left + tick / last * _WIDE, bottom + 18
        parts.append(f'<text x="{x:g}" y="{y}" text-anchor="middle">{tick:g}</text>')
    parts.append(f'<text x="{left}" y="{bottom + 38}">{panel.caption}</text>')
    for row, line in enumerate(panel.lines):
        points = " ".join(
            f"{left + x / last * _WIDE:.1f},{bottom - y / top * _HIGH:.1f}" for x, y in line.points
        )
        stroke = f'fill="none" stroke="{line.color}" stroke-width="{line.width}"'
        parts.append(f'<polyline points="{points}" {stroke}/>')
        y = bottom + 58 + _ROW * row
        parts.append(f'<path d="M{left} {y}h30" {stroke}/>')
        parts.append(f'<text x="{left + 40}" y="{y + 4}">{line.words}</text>')
    return parts
