"""The rows that the input log shows, and the place of each frame and button in the viewport."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, QRectF

ROW = 19
HEAD = 24
FRAME_WIDTH = 66
_LEAST_MARK, _MOST_MARK = 36, 78
AXIS_WIDTH = 62
_PLAYER_GAP = 10
_LEAST_CELL, _MOST_CELL = 20, 40


@dataclass(frozen=True, slots=True)
class Cell:
    """A place in the grid; ``port`` is None over the frame numbers and the names of marks."""

    frame: int
    port: int | None
    bit: int


@dataclass(slots=True)
class Stroke:
    """Frames that are painted with the mouse down: all get ``pressed``."""

    cell: Cell
    pressed: bool
    last: int


@dataclass(slots=True)
class GridRows:
    """Content of the grid.

    ``axes`` names the columns of sticks, touches and the like, which follow those of all players.
    ``rows`` uint16 (frames, ports and axes) and ``lag`` bool (frames,) are of the frames from
    ``first`` on. ``scrolled`` frames are above the viewport, ``left`` pixels beside it;
    ``selection`` are the first and last selected frame.
    """

    buttons: tuple[str | None, ...] = ()
    bits: tuple[int, ...] = ()
    ports: int = 1
    axes: tuple[str, ...] = ()
    length: int = 0
    position: int = 0
    first: int = 1
    rows: NDArray[np.uint16] = field(default_factory=lambda: np.zeros((0, 1), np.uint16))
    lag: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    breaks: frozenset[int] = frozenset()
    marks: Mapping[int, str] = field(default_factory=dict)
    selection: tuple[int, int] | None = None
    stroke: Stroke | None = None
    width: int = 0
    scrolled: int = 0
    left: int = 0

    # -- facts --------------------------------------------------------------------------------

    def is_pressed(self, frame: int, port: int, bit: int) -> bool:
        """True when a button was down on a frame, as far as its row is known."""
        row = frame - self.first
        known = 0 <= row < len(self.rows) and port < self.rows.shape[1]
        return known and bool(self.rows[row, port] >> bit & 1)

    def number(self, frame: int, axis: int) -> int:
        """The number of an axis on a frame; 0, at rest, as long as its row is not known."""
        row, column = frame - self.first, self.ports + axis
        if not (0 <= row < len(self.rows) and column < self.rows.shape[1]):
            return 0
        return int(self.rows[row, column].astype(np.int16))

    def lags(self, frame: int) -> bool:
        """True for a frame in which the game asked for no button, as far as its row is known."""
        row = frame - self.first
        return 0 <= row < len(self.lag) and bool(self.lag[row])

    def is_selected(self, frame: int) -> bool:
        """True for a frame of the selection."""
        return self.selection is not None and self.selection[0] <= frame <= self.selection[1]

    def shows_pressed(self, frame: int, port: int, bit: int) -> bool:
        """True when a cell is pressed on record, or will be by the unfinished stroke."""
        stroke = self.stroke
        if stroke is not None and (stroke.cell.port, stroke.cell.bit) == (port, bit):
            low, high = sorted((stroke.cell.frame, stroke.last))
            if low <= frame <= high:
                return stroke.pressed
        return self.is_pressed(frame, port, bit)

    # -- places -------------------------------------------------------------------------------

    @property
    def mark_width(self) -> int:
        """Width of the column of names, which is there when the line has marks.

        Names are cut before a button is out of sight; a tip has the whole name.
        """
        if not self.marks:
            return 0
        return max(_LEAST_MARK, min(_MOST_MARK, self._room - self._columns * _LEAST_CELL))

    @property
    def cell_width(self) -> float:
        """Width of a button's column."""
        room = self._room - self.mark_width
        return max(_LEAST_CELL, min(_MOST_CELL, room / self._columns))

    @property
    def _columns(self) -> int:
        return max(1, len(self.bits) * self.ports)

    @property
    def _room(self) -> int:
        """Pixels for buttons and names of marks."""
        fixed = FRAME_WIDTH + _PLAYER_GAP * self.ports + AXIS_WIDTH * len(self.axes) + 6
        return self.width - fixed

    @property
    def needed_width(self) -> int:
        """Width of all columns."""
        cells = self.ports * (len(self.bits) * self.cell_width + _PLAYER_GAP)
        return round(cells + FRAME_WIDTH + AXIS_WIDTH * len(self.axes) + self.mark_width)

    def column_x(self, port: int, column: int) -> float:
        """Left edge of a button's column."""
        width = self.cell_width
        player = port * (len(self.bits) * width + _PLAYER_GAP)
        return FRAME_WIDTH + player + column * width - self.left

    def axis_x(self, axis: int) -> float:
        """Left edge of an axis' column."""
        return self.column_x(self.ports, 0) + axis * AXIS_WIDTH

    def axis_at(self, x: int) -> str | None:
        """The name of the axis whose column is at a place; None beside them."""
        number = int((x - self.axis_x(0)) // AXIS_WIDTH)
        return self.axes[number] if 0 <= number < len(self.axes) else None

    def row_y(self, frame: int) -> int:
        """Top edge of a frame's row."""
        return HEAD + (frame - 1 - self.scrolled) * ROW

    def row_rect(self, first: int, last: int | None = None) -> QRect:
        """The part of the viewport that shows some frames."""
        low, high = sorted((first, first if last is None else last))
        return QRect(0, self.row_y(low), self.width, (high - low + 1) * ROW)

    def cell_rect(self, frame: int, port: int, bit: int) -> QRectF:
        """The rectangle of a cell."""
        x = self.column_x(port, self.bits.index(bit))
        return QRectF(x, self.row_y(frame), self.cell_width, ROW)

    def frame_at(self, y: int) -> int:
        """The frame at a height, held or not."""
        return self.scrolled + (y - HEAD) // ROW + 1

    def cell_at(self, where: QPoint) -> Cell | None:
        """The cell at a place; None in the head, between players and below the end."""
        frame = self.frame_at(where.y())
        if where.y() < HEAD or not 1 <= frame <= self.length:
            return None
        if where.x() < FRAME_WIDTH or where.x() >= self.width - self.mark_width:
            return Cell(frame, None, 0)
        width = self.cell_width
        for port in range(self.ports):
            column = int((where.x() - self.column_x(port, 0)) // width)
            if 0 <= column < len(self.bits):
                return Cell(frame, port, self.bits[column])
        return None
