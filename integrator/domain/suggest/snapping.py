"""Snaps a box to the number in it: people draw boxes a few pixels off.

Rows of pixels belong to a number if they change when the middle of the box does. Others, such as
the lower half of a label, would make the same digit look different in each cell.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.glyphs import shapes_of

_TOGETHER_SHARE: Final = 0.8
"""Of the changes of a row that belongs to the number, the middle of the box has these as well."""
_LEAST_SHARE: Final = 0.2
"""Of the changes of the middle: a title that comes and goes changes all rows at a few of them.

A title may also draw columns beside the number, in as few samples.
"""
_SIDEWAYS, _UPWARDS = 1, 2
"""Bits of :func:`shapes_of`: pixels that differ from those to the left, and from those above."""


@dataclass(frozen=True, slots=True)
class Span:
    """Rows and columns of pixels, from the first to the one behind the last."""

    top: int
    bottom: int
    left: int
    right: int


def snapped(crops: NDArray[np.uint32], box: Span, limits: Span) -> Span:
    """The rows and columns of the number in ``box``, at most ``limits``, parts of ``crops``.

    ``crops`` are pixels: (samples, rows, columns). Rows at rest are left out, and rows and columns
    of digits that the box cuts are added. No columns are left out, because zeros in front never
    change.
    """
    shapes = shapes_of(crops)
    # A difference from the pixel above tells nothing of the row: one at rest may lie below digits.
    changed = (shapes[1:] ^ shapes[:-1])[:, :, box.left : box.right] & _SIDEWAYS
    rows: NDArray[np.bool_] = np.logical_or.reduce(changed, axis=2)
    live = np.flatnonzero(np.count_nonzero(rows[:, box.top : box.bottom], axis=0)) + box.top
    middle = live[len(live) // 3 : len(live) - len(live) // 3]
    core: NDArray[np.bool_] = np.logical_or.reduce(rows[:, middle], axis=1)
    together, seldom = _with_core(rows, core)
    moving = np.flatnonzero(~(together & seldom)[box.top : box.bottom]) + box.top
    if not len(moving):
        return box
    belonging = together & ~seldom
    top, bottom = int(moving[0]), int(moving[-1]) + 1
    if top == box.top:
        top = _grown(belonging, top, limits.top)
    if bottom == box.bottom:
        bottom = _grown(belonging, bottom - 1, limits.bottom - 1) + 1
    # The first row differs from a label that touches it, wherever the number ends.
    edges = np.logical_or.reduce(shapes[:, top + 1 : bottom + 1] & _UPWARDS, axis=1)
    drawn: NDArray[np.bool_] = edges.mean(axis=0) >= _LEAST_SHARE
    left = _grown(drawn, box.left, limits.left)
    right = _grown(drawn, box.right - 1, limits.right - 1) + 1
    # Digits that touch others have no gap at which they end.
    if drawn[left] and left == limits.left:
        left = box.left
    if drawn[right - 1] and right == limits.right:
        right = box.right
    return Span(top, bottom, left, right)


def _with_core(
    lines: NDArray[np.bool_], core: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The lines that change with the core only, and those that do so seldom or never.

    ``lines`` tells the changes of each: bool (changes, lines).
    """
    both = (lines & core[:, np.newaxis]).sum(axis=0)
    together: NDArray[np.bool_] = both >= _TOGETHER_SHARE * lines.sum(axis=0)
    seldom: NDArray[np.bool_] = both < max(1.0, _LEAST_SHARE * core.sum())
    return together, seldom


def _grown(belonging: NDArray[np.bool_], edge: int, limit: int) -> int:
    """The last line from the edge on towards the limit with which the number goes on."""
    step = 1 if limit > edge else -1
    while edge != limit and belonging[edge] and belonging[edge + step]:
        edge += step
    return edge
