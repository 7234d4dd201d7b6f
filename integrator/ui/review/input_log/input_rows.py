"""The model of the input log: buttons, numbers, lag and marks of each frame."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, Qt, Signal
from PySide6.QtGui import QColor

from integrator.session.recorded_rows import LogRows
from integrator.ui import widgets as ui
from integrator.ui.screen.pad_overlay import button_label, shown_bits

_ROLE = Qt.ItemDataRole
_SPARE = 30  # least number of rows beyond the recording; that many are added at once


class Stroke(NamedTuple):
    """Frames that the mouse has painted since its press at ``begin``; a button gets ``pressed``."""

    begin: int
    first: int
    last: int
    port: int
    bit: int
    pressed: bool


class InputRows(QAbstractTableModel):
    """One row for each frame. The last rows are not recorded yet, but can be painted.

    The first columns are ``keys``, each the port and bit of a button. Then come ``axes`` (sticks,
    touches and the like), the variables ``names``, and the names of marks. Of ``length`` rows, the
    first ``played`` have been played. ``rows`` uint16 (frames, ports and axes), ``lag`` bool
    (frames,) and ``values`` int64 (frames, names) hold the frames from ``first`` on. An unknown row
    has no buttons, zeros and no lag. ``sized`` follows a change of columns, rows or marks;
    ``moved`` follows a new frame on the screen."""

    sized = Signal()
    moved = Signal()

    buttons: Sequence[str | None] = ()
    ports = 1
    keys: Sequence[tuple[int, int]] = ()
    axes: Sequence[str] = ()
    names: Sequence[str] = ()
    length = played = position = 0
    first = 1
    rows: NDArray[np.uint16] = np.zeros((0, 1), np.uint16)
    lag: NDArray[np.bool_] = np.zeros(0, np.bool_)
    values: NDArray[np.int64] = np.zeros((0, 0), np.int64)
    breaks: frozenset[int] = frozenset()
    marks: Mapping[int, str] = {}
    stroke: Stroke | None = None
    _count = 0

    def set_buttons(self, buttons: Sequence[str | None], ports: int, axes: Sequence[str]) -> None:
        self.beginResetModel()
        self.buttons, self.ports, self.axes = buttons, ports, axes
        self.keys = [(port, bit) for port in range(ports) for bit in shown_bits(buttons)]
        self.rows, self.lag = np.zeros((0, ports), np.uint16), np.zeros(0, np.bool_)
        self.length = self.played = self.position = self._count = 0
        self.breaks, self.marks, self.stroke = frozenset(), {}, None
        self.endResetModel()
        self.sized.emit()

    def set_names(self, names: Sequence[str]) -> None:
        first = len(self.keys) + len(self.axes)
        if list(names) == list(self.names):
            return
        if self.names:
            self.beginRemoveColumns(ui.NO_PARENT, first, first + len(self.names) - 1)
            self.names = ()
            self.endRemoveColumns()
        if names:
            self.beginInsertColumns(ui.NO_PARENT, first, first + len(names) - 1)
            self.names = names
            self.endInsertColumns()
        self.sized.emit()

    def set_length(
        self, length: int, breaks: Sequence[int], marks: Mapping[int, str], played: int
    ) -> None:
        """Set the number of rows, ``played`` ones first, with lines after the frames ``breaks``."""
        old = self.length, self.played
        redrawn = self.breaks != set(breaks) or self.marks != marks
        self.length, self.played = length, played
        self.breaks, self.marks = frozenset(breaks), marks
        self._fit()
        for before, after in zip(old, (length, played), strict=True):
            if before != after:
                self.changed(before, after)
        if redrawn:
            self.changed(1, self._count)
        self.sized.emit()

    def set_position(self, frame: int) -> None:
        old, self.position = self.position, frame
        if old != frame:
            self._fit()
            self.changed(old, frame)
            self.moved.emit()

    def set_rows(self, first: int, shown: LogRows) -> None:
        known: tuple[NDArray[Any], ...] = (self.rows, self.lag, self.values)
        newest: tuple[NDArray[Any], ...] = shown
        spans = [(1, self._count)] if first != self.first else []
        for old, new in zip(known, newest, strict=True):
            changed = _changed_rows(old, new)
            if len(changed):
                spans.append((first + int(changed[0]), first + int(changed[-1])))
        self.first, (self.rows, self.lag, self.values) = first, shown
        for span in spans:
            self.changed(*span)

    def _fit(self) -> None:
        # The frame on the screen may be newer than ``length``, which is updated less often.
        newest = max(self.length, self.position)
        old, new = self._count, (newest // _SPARE + 2) * _SPARE if self.length else 0
        if new > old:
            self.beginInsertRows(ui.NO_PARENT, old, new - 1)
            self._count = new
            self.endInsertRows()
        elif new < old:
            self.beginRemoveRows(ui.NO_PARENT, new, old - 1)
            self._count = new
            self.endRemoveRows()

    def changed(self, *frames: int) -> None:
        """Paint the rows between two frames again; the frames may be in any order."""
        low, high = max(1, min(frames)), min(self._count, max(frames))
        if low <= high:
            last = self.index(high - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(low - 1, 0), last)

    def rowCount(self, parent: ui.Index = ui.NO_PARENT) -> int:
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: ui.Index = ui.NO_PARENT) -> int:
        columns = len(self.keys) + len(self.axes) + len(self.names) + 1
        return 0 if parent.isValid() else columns

    def data(self, index: ui.Index, role: int = _ROLE.DisplayRole) -> str | QColor | None:
        frame, column = index.row() + 1, index.column()
        if role != _ROLE.ToolTipRole:
            return self.text(frame, column) if role == _ROLE.DisplayRole else None
        if 0 <= column - len(self.keys) < len(self.axes):
            return self.headerData(column, Qt.Orientation.Horizontal, role)
        lag = self.tr("Lag: the game asked for no button in this frame")
        waits = self.tr("Not played yet; a click on its number runs the game up to here")
        tips = (
            self.marks.get(frame),
            lag if self.lags(frame) else "",
            waits if self.is_planned(frame) else "",
        )
        return "\n".join(filter(None, tips))

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _ROLE.DisplayRole
    ) -> str | QColor | None:
        if orientation is Qt.Orientation.Vertical:
            tip = self.data(self.index(section, 0), role) if role == _ROLE.ToolTipRole else None
            return str(section + 1) if role == _ROLE.DisplayRole else tip
        axis = section - len(self.keys)
        if role == _ROLE.DisplayRole:
            if axis < 0:
                return button_label(str(self.buttons[self.keys[section][1]]))[:3]
            if axis == len(self.numbers):
                return self.tr("mark") if self.marks else ""
            name = self.numbers[axis].removesuffix(" Axis")
            # A column fits about eight letters, and Qt would cut off both ends.
            return name if len(name) <= 8 else f"{name[:4]}…{name[-3:]}"
        if role == _ROLE.ForegroundRole and 0 <= axis < len(self.numbers):
            return QColor(ui.Theme.now.colors.warn)
        if role == _ROLE.ToolTipRole and axis < 0:
            hint = self.tr("{0}: a click holds it over the selected frames, or lets it go")
            return hint.format(self.buttons[self.keys[section][1]])
        if role == _ROLE.ToolTipRole and axis < len(self.axes):
            hint = self.tr("{0}: training cannot move this, because it has only joypads")
            return hint.format(self.axes[axis])
        if role == _ROLE.ToolTipRole and axis < len(self.numbers):
            return self.numbers[axis]
        return None

    @property
    def numbers(self) -> Sequence[str]:
        return [*self.axes, *self.names]

    def text(self, frame: int, column: int) -> str:
        """Return a cell's text: a pressed button's name, an input's number, or a mark's name."""
        axis = column - len(self.keys)
        if axis < 0:
            key = self.keys[column]
            return str(self.buttons[key[1]]) if self.is_pressed(frame, *key) else ""
        if axis < len(self.numbers):
            number = self.number(frame, axis)
            return "" if number is None else str(number)
        return self.marks.get(frame, "")

    def is_pressed(self, frame: int, port: int, bit: int) -> bool:
        return bool(self.mask(frame, port) >> bit & 1)

    def mask(self, frame: int, port: int) -> int:
        """Return a player's buttons at a frame, including the stroke that is being painted."""
        mask, stroke = self._cell(self.rows, frame, port), self.stroke
        if stroke is None or stroke.port != port or not stroke.first <= frame <= stroke.last:
            return mask
        bit = 1 << stroke.bit
        return mask | bit if stroke.pressed else mask & ~bit

    def _cell(self, table: NDArray[Any], frame: int, column: int) -> int:
        row = frame - self.first
        known = 0 <= row < len(table) and column < table.shape[1]
        return int(table[row, column]) if known else 0

    def number(self, frame: int, axis: int) -> int | None:
        """Return an axis's position or a variable's value; None at a frame not played yet."""
        if (name := axis - len(self.axes)) >= 0:
            played = 0 <= frame - self.first < len(self.values)
            return self._cell(self.values, frame, name) if played else None
        return self._cell(self.rows.view(np.int16), frame, self.ports + axis)

    def lags(self, frame: int) -> bool:
        """True if the game read no button during a frame."""
        return bool(self._cell(self.lag[:, np.newaxis], frame, 0))

    def is_planned(self, frame: int) -> bool:
        return self.length >= frame > max(self.played, self.position)

    def end_stroke(self) -> Stroke | None:
        """End the stroke, apply it to the rows, and return it."""
        stroke, self.stroke = self.stroke, None
        if stroke is not None:
            low, high = stroke.first - self.first, stroke.last - self.first
            bit = np.uint16(1 << stroke.bit)
            self.rows = self.rows.copy()
            cells = self.rows[max(0, low) : max(0, high + 1), stroke.port]
            cells[:] = cells | bit if stroke.pressed else cells & ~bit
        return stroke


def _changed_rows(old: NDArray[Any], new: NDArray[Any]) -> NDArray[np.intp]:
    """Return the indexes of rows that differ between two arrays, or exist in only one of them."""
    changed = np.ones(max(len(old), len(new)), np.bool_)
    if old.shape[1:] == new.shape[1:]:
        common = min(len(old), len(new))
        differs = old[:common] != new[:common]
        changed[:common] = differs if old.ndim == 1 else differs.any(axis=1)
    return np.flatnonzero(changed)
