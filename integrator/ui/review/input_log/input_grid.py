"""The grid of the input log: frames down, buttons across; click to edit, drag to select."""

from collections.abc import Mapping, Sequence
from enum import Enum
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip

from integrator.session.rework import LogRows
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.review.input_log.grid_painter import AXIS_WIDTH, HEAD, ROW, GridPainter, GridRows
from integrator.ui.screen.pad_overlay import shown_bits
from integrator.ui.widgets.fitting import describe
from integrator.ui.widgets.theme import Theme

Wish = Enum(
    "Wish", "UNDO REDO INSERT CLONE DELETE CLEAR PATTERN COPY PASTE PASTE_INSERT MARK UNMARK"
)
"""Edits of the selected frames."""
_LEFT = Qt.MouseButton.LeftButton


class InputGrid(QAbstractScrollArea):
    """Shows rows that it is given: it needs ``needed``, the first frame and a count, after
    ``rows_needed``. ``edit_requested`` gives first and last frame, port, bit, and True to press the
    button; ``wished`` gives a Wish for the selected frames."""

    rows_needed = Signal()
    seek_requested = Signal(int)
    edit_requested = Signal(int, int, int, int, bool)
    wished = Signal(object)
    selection_changed = Signal()
    shown = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.seen = GridRows()
        self._painter = GridPainter(theme, self.seen)
        # The frame at which a selection by mouse or keys began, and whether it has grown since.
        self._anchor: int | None = None
        self._dragged = False
        self.needed = 1, 0
        self._add_keys()
        self.setAccessibleName(self.tr("Input log"))
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        for bar in (self.verticalScrollBar(), self.horizontalScrollBar()):
            bar.valueChanged.connect(lambda _: self._scrolled())
        self.set_length(0, (), {}, 0)
        theme.changed.connect(self.viewport().update)

    def set_buttons(self, buttons: Sequence[str | None], ports: int, axes: Sequence[str]) -> None:
        seen = self.seen
        seen.buttons, seen.bits, seen.axes = tuple(buttons), shown_bits(buttons), tuple(axes)
        seen.ports = ports
        seen.rows, seen.lag = np.zeros((0, ports), np.uint16), np.zeros(0, np.bool_)
        seen.position = 0
        self.select(None)
        self.set_length(0, (), {}, 0)

    def set_length(
        self, length: int, breaks: Sequence[int], marks: Mapping[int, str], played: int
    ) -> None:
        """Set the number of rows, of which the first are ``played``. A line is drawn after each of
        ``breaks``."""
        seen, update = self.seen, self.viewport().update
        before = seen.length, seen.played, seen.end
        if seen.breaks != set(breaks) or seen.marks != marks:
            update()
        seen.length, seen.played = length, played
        seen.breaks, seen.marks = frozenset(breaks), marks
        for old, new in zip(before, (length, played, seen.end), strict=True):
            if old != new:
                update(seen.row_rect(old, new))
        for action in (*self.edits.values(), *self._selects):
            action.setEnabled(length > 0)
        if seen.selection is not None and seen.selection[1] > length:
            self.select(None)
        self._fit()

    def _fit(self) -> None:
        # The frame on the screen may be newer than the length, which is updated less often.
        newest, bar = max(self.seen.end, self.seen.position), self.verticalScrollBar()
        bar.setRange(0, max(0, newest - self._visible()))
        bar.setPageStep(max(1, self._visible()))
        room = self.seen.width = self.viewport().width()
        self.horizontalScrollBar().setRange(0, max(0, self.seen.needed_width - room))
        self.horizontalScrollBar().setPageStep(room)
        self._ask()

    def set_position(self, frame: int) -> None:
        if frame == self.seen.position:
            return
        self.viewport().update(self.seen.row_rect(self.seen.position, frame))
        self.seen.position = frame
        self._describe(frame)
        self._keep_in_view()

    def _describe(self, frame: int) -> None:
        seen = self.seen
        masks = [seen.mask(frame, port) for port in range(seen.ports)]
        held = [str(seen.buttons[bit]) for mask in masks for bit in seen.bits if mask >> bit & 1]
        numbers = [f"{name} {seen.number(frame, at)}" for at, name in enumerate(seen.numbers)]
        parts = ", ".join(filter(None, [*held, *numbers, seen.marks.get(frame)]))
        describe(self, self.tr("frame {0}: {1}").format(frame, parts or self.tr("no buttons")))

    def show_names(self, names: Sequence[str]) -> None:
        self.seen.names = tuple(names)
        self._fit()
        self.viewport().update()

    def show_rows(self, first: int, shown: LogRows) -> None:
        """Take the rows of the frames from ``first`` on."""
        seen = self.seen
        known: tuple[NDArray[Any], ...] = (seen.rows, seen.lag, seen.values)
        newest: tuple[NDArray[Any], ...] = shown
        if first != seen.first:
            self.viewport().update()
        for old, new in zip(known, newest, strict=True):
            changed = _changed_rows(old, new)
            if len(changed):
                low, high = first + int(changed[0]), first + int(changed[-1])
                self.viewport().update(seen.row_rect(low, high))
        seen.first, (seen.rows, seen.lag, seen.values) = first, shown
        self._describe(seen.position)

    def select(self, frames: tuple[int, int] | None) -> None:
        """Select from one frame to another, in any order; None: no frame."""
        chosen = None if frames is None else (min(frames), max(frames))
        if chosen != self.seen.selection:
            self.seen.selection = chosen
            if chosen is not None:
                self._describe(chosen[1])
            self._none.setEnabled(chosen is not None)
            self.viewport().update()
            self.selection_changed.emit()

    @property
    def selection(self) -> tuple[int, int]:
        """First and last selected frame; without a selection, the frame on the screen."""
        return self.seen.selection or (self.seen.position, self.seen.position)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(320, 300)

    def _keep_in_view(self) -> None:
        bar, visible, frame = self.verticalScrollBar(), self._visible(), self.seen.position
        if self.seen.stroke is None and not bar.value() < frame <= bar.value() + visible:
            bar.setMaximum(max(bar.maximum(), frame - visible))
            bar.setValue(max(0, frame - visible * 3 // 4))

    def _scrolled(self) -> None:
        self.seen.scrolled = self.verticalScrollBar().value()
        self.seen.left = self.horizontalScrollBar().value()
        self._ask()
        self.viewport().update()

    def _visible(self) -> int:
        return max(0, (self.viewport().height() - HEAD) // ROW)

    def _ask(self) -> None:
        first = self.verticalScrollBar().value() + 1
        self.needed = first, min(self._visible() + 1, self.seen.length - first + 1)
        if self.needed[1] > 0:
            self.rows_needed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the damaged rows again: two when the frame moves on by one."""
        self._painter.paint(QPainter(self.viewport()), event.region(), self.viewport().rect())

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Catch up with frames that were played while the grid was hidden."""
        super().showEvent(event)
        self.shown.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()
        self._keep_in_view()

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self._tip(event.pos()), self)
            return True
        return super().viewportEvent(event)

    def _tip(self, where: QPoint) -> str:
        seen, cell = self.seen, self.seen.cell_at(where)
        axis = (where.x() - seen.axis_x(0)) // AXIS_WIDTH
        if 0 <= axis < len(seen.axes):
            text = self.tr("{0}: training cannot move this, as it has joypads alone")
            return text.format(seen.axes[int(axis)])
        if where.y() < HEAD and (column := seen.column_at(where.x())):
            hint = self.tr("{0}: a click holds it over the selected frames, or lets it go")
            return hint.format(seen.buttons[column[1]])
        if cell is None:
            return ""
        lag = self.tr("Lag: the game asked for no button in this frame")
        waits = self.tr("Not played yet; a click on its number runs the game up to here")
        tips = (
            seen.marks.get(cell.frame),
            lag if seen.lags(cell.frame) else "",
            waits if seen.is_planned(cell.frame) else "",
        )
        return "\n".join(filter(None, tips))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        seen, where, left = self.seen, event.position().toPoint(), event.button() is _LEFT
        if (cell := seen.cell_at(where)) is None:
            column, chosen = seen.column_at(where.x()), seen.selection
            if where.y() < HEAD and left and column is not None and chosen is not None:
                held = all(seen.is_pressed(at, *column) for at in range(chosen[0], chosen[1] + 1))
                self.edit_requested.emit(*chosen, *column, not held)
            return
        frame, port, bit = cell
        if not left:
            if not seen.is_selected(frame) and frame <= seen.length:
                self.select((frame, frame))
        elif port is None:
            self._dragged = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            if not self._dragged or self._anchor is None:
                self._anchor = self.selection[0] if self._dragged else frame
            self.select((self._anchor, frame))
        else:
            seen.begin_stroke(frame, port, bit)
            self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if not event.buttons() & _LEFT:
            return
        frame = self.seen.frame_at(event.position().toPoint().y())
        frame = max(1, min(self.seen.end if self.seen.stroke else self.seen.length, frame))
        if self.seen.stroke is not None:
            self.seen.stroke.last = frame
            self.viewport().update()
        elif self._anchor is not None and (self._dragged or frame != self._anchor):
            self._dragged = True
            self.select((self._anchor, frame))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """End the stroke, which becomes an edit; a frame's number alone goes there."""
        stroke, self.seen.stroke = self.seen.stroke, None
        if stroke is not None:
            first, last = sorted((stroke.first, stroke.last))
            self.seen.paint(stroke)
            self.edit_requested.emit(first, last, stroke.port, stroke.bit, stroke.pressed)
        elif event.button() is _LEFT and self._anchor is not None and not self._dragged:
            self.seek_requested.emit(self._anchor)

    def _add_keys(self) -> None:
        self.edits = {}
        for wish in Wish:
            wished = partial(self.wished.emit, wish)
            self.edits[wish] = panel_action(f"input_log.{wish.name.lower()}", self, wished)
        self._selects = (
            panel_action("input_log.all", self, lambda: self.select((1, self.seen.length))),
            panel_action("input_log.up", self, lambda: self._grow(-1)),
            panel_action("input_log.down", self, lambda: self._grow(1)),
        )
        self._none = panel_action("input_log.none", self, lambda: self.select(None))
        self._none.setEnabled(False)

    def _grow(self, step: int) -> None:
        """Move the end of the selection that is away from its anchor."""
        first, last = self.selection
        anchor = self._anchor if self._anchor in {first, last} else first
        end = (last if anchor == first else first) + step
        self._anchor = anchor
        if 1 <= end <= self.seen.length:
            self.select((anchor, end))


def _changed_rows(old: NDArray[Any], new: NDArray[Any]) -> NDArray[np.intp]:
    """Rows that differ between two arrays of rows, those that only one of them has included."""
    changed = np.ones(max(len(old), len(new)), np.bool_)
    if old.shape[1:] == new.shape[1:]:
        common = min(len(old), len(new))
        differs = old[:common] != new[:common]
        changed[:common] = differs if old.ndim == 1 else differs.any(axis=1)
    return np.flatnonzero(changed)
