"""Places for small windows that belong to a widget: beside it, and whole on its screen."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize

_GAP = 4


def place_beside(
    beside: QRect, size: QSize, room: QRect, *, above: bool = False, right: bool = False
) -> QPoint:
    """The upper left corner of a window under ``beside``, or above it where there is no room.

    ``above`` prefers the place above, ``right`` lets both end at the same right edge. ``room`` is
    the free part of the screen; all are in global coordinates. A window that is larger than that
    shows its upper left part.
    """
    under = beside.bottom() + 1 + _GAP
    over = beside.top() - _GAP - size.height()
    lowest = room.bottom() + 1 - size.height()
    fitting = [top for top in (under, over) if room.top() <= top <= lowest]
    top = (fitting or [lowest])[-1 if above else 0]
    left = beside.right() + 1 - size.width() if right else beside.left()
    left = min(left, room.right() + 1 - size.width())
    return QPoint(max(left, room.left()), max(top, room.top()))
