"""The table of the input log: rows of frames, columns of buttons; clicks edit, drags select."""

from collections.abc import Sequence
from enum import Enum
from functools import partial

from PySide6 import QtGui
from PySide6.QtCore import QItemSelection, QItemSelectionModel, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QHeaderView, QLabel, QTableView

from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.review.input_log.input_rows import InputRows, Stroke
from integrator.ui.screen.pad_overlay import button_label

Wish = Enum(  # commands for the selected frames
    "Wish", "UNDO REDO INSERT CLONE DELETE CLEAR PATTERN COPY PASTE PASTE_INSERT MARK UNMARK"
)
_LEFT, _SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
_FLAG, _Align = QItemSelectionModel.SelectionFlag, Qt.AlignmentFlag
_MIDDLE = _Align.AlignVCenter
_ROW, _FRAME_WIDTH, _NUMBER_WIDTH = 19, 66, 62  # pixels


class _FrameNumbers(QHeaderView):
    """The column of frame numbers, with a dot at frames that have a mark."""

    def __init__(self, grid: "InputGrid") -> None:
        super().__init__(Qt.Orientation.Vertical, grid)
        self._grid = grid
        self.setFixedWidth(_FRAME_WIDTH)
        self.setMinimumSectionSize(_ROW)
        self.setDefaultSectionSize(_ROW)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSectionsClickable(True)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Let Shift+click select from the frame on the screen; Qt would begin at the first row."""
        frame = self.logicalIndexAt(event.position().toPoint()) + 1
        if frame and event.button() is _LEFT and event.modifiers() & _SHIFT:
            self._grid.extend(frame)
        else:
            super().mousePressEvent(event)

    def paintSection(self, painter: QtGui.QPainter, rect: QRect, row: int) -> None:
        frame, seen, colors = row + 1, self._grid.seen, ui.Theme.now.colors
        painter.save()
        self._grid.paint_ground(painter, rect, frame)
        painter.drawText(rect.adjusted(4, 0, -10, 0), _MIDDLE | _Align.AlignRight, str(frame))
        if frame == seen.position:
            painter.fillRect(rect.adjusted(0, 0, 3 - rect.width(), 0), QtGui.QColor(colors.accent))
        if frame in seen.marks:
            painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
            ui.fill_with(painter, colors.warn)
            painter.drawEllipse(QRectF(8, QRectF(rect).center().y() - 3.5, 7, 7))
        painter.restore()


class InputGrid(QTableView):
    """The grid of the rows ``seen``. ``rows_needed`` asks for the rows in ``needed``, a first frame
    and a count. ``edit_requested`` gives first and last frame, port, bit, and True to press the
    button. ``wished`` gives a Wish for the selected frames."""

    rows_needed = Signal()
    seek_requested = Signal(int)
    edit_requested = Signal(int, int, int, int, bool)
    wished = Signal(object)
    selection_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.seen = InputRows(self)
        # Fonts are created once, because looking them up takes longer than painting a row.
        self._key_font, self._mark_font = ui.ui_font(8.0), ui.ui_font(8.5)
        self._number_font = ui.mono_font(8.5)
        self.needed = 1, 0
        self._follows = True  # True until the user scrolls away from the frame on the screen
        ui.styled(self, "InputGrid").setAccessibleName(self.tr("Input log"))
        self.setModel(self.seen)
        self.setVerticalHeader(_FrameNumbers(self))
        # Arrow keys move between cells; Tab would never leave the table. The corner button would
        # select rows beyond the recording.
        ui.configured(self, showGrid=False, tabKeyNavigation=False, cornerButtonEnabled=False)
        self.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.ContiguousSelection)
        self.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        ui.hbox(QLabel(self.tr("frame")), on=self.findChild(QAbstractButton), margins=(12, 0, 0, 0))
        head = self.horizontalHeader()
        # Sharing the rows' selection model would make Qt examine all rows to paint each title.
        head.setSelectionModel(QItemSelectionModel(self.seen, head))
        head.setMinimumSectionSize(0)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setHighlightSections(False)
        # Qt would elide a title that barely fits, such as two letters of a button.
        head.setTextElideMode(Qt.TextElideMode.ElideNone)
        head.sectionClicked.connect(self._hold)
        self.verticalHeader().sectionClicked.connect(self._seek)
        self.clicked.connect(lambda index: self._seek(index.row()))
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self._add_keys()
        self.selectionModel().selectionChanged.connect(self._selected)
        # selectionChanged does not report resets
        self.seen.modelReset.connect(self._selected)
        self.seen.moved.connect(self._keep_in_view)
        self.seen.sized.connect(self._fit)
        self.seen.dataChanged.connect(self._changed)
        self._fit()

    def _fit(self) -> None:
        """Divide the width among the columns: names of marks are cut before buttons get out of
        sight. Restore the selection, which has all columns, and only rows of the recording."""
        seen, room = self.seen, self.viewport().width()
        for action in (*self.edits.values(), *self._selects):
            action.setEnabled(seen.length > 0)
        self.select(self.chosen)
        # In pixels: a button's column has 16 to 40, a mark's at least 36, but 78 if possible.
        numbers = _NUMBER_WIDTH * len(seen.numbers)
        cells = max(1, len(seen.keys))
        mark = max(36, min(78, room - numbers - cells * 16)) if seen.marks else 0
        width = max(16, min(40, (room - numbers - mark) // cells))
        mark = max(mark, room - numbers - width * len(seen.keys))
        widths = [width] * len(seen.keys) + [_NUMBER_WIDTH] * len(seen.numbers) + [mark]
        for column, pixels in enumerate(widths):
            self.setColumnWidth(column, pixels)
        self._ask()

    def _changed(self, first: ui.Index, last: ui.Index) -> None:
        # The model's headerDataChanged would make Qt paint the whole table.
        frames = self.verticalHeader()
        frames.headerDataChanged(frames.orientation(), first.row(), last.row())

    def select(self, frames: tuple[int, int] | None) -> None:
        """Select from one frame to another, in any order; None selects nothing."""
        chosen = QItemSelection()
        if frames is not None:
            first, last = (self.seen.index(frame - 1, 0) for frame in sorted(frames))
            chosen.select(first, last)
        self.selectionModel().select(chosen, _FLAG.ClearAndSelect | _FLAG.Rows)

    @property
    def chosen(self) -> tuple[int, int] | None:
        """The first and last selected frame of the recording, or None."""
        rows, end = self.selectionModel().selection(), self.seen.length
        if rows.isEmpty() or rows.first().top() >= end:
            return None
        return rows.first().top() + 1, min(end, rows.first().bottom() + 1)

    @property
    def selection(self) -> tuple[int, int]:
        """The first and last selected frame; without a selection, the frame on the screen."""
        return self.chosen or (self.seen.position, self.seen.position)

    def _selected(self) -> None:
        self._none.setEnabled(self.chosen is not None)
        self.verticalHeader().viewport().update()
        self.selection_changed.emit()

    def sizeHint(self) -> QSize:
        return QSize(320, 300)

    def _keep_in_view(self) -> None:
        if self.seen.stroke is None and not self._is_in_view():
            self.executeDelayedItemsLayout()
            above = self.viewport().height() // _ROW * 3 // 4
            self.verticalScrollBar().setValue(max(0, self.seen.position - above))
        self._follows = True

    def _is_in_view(self) -> bool:
        rows = self.viewport().height() // _ROW
        return 0 < self.seen.position - self.verticalScrollBar().value() <= rows

    def _scrolled(self) -> None:
        self._follows = self._is_in_view()
        self._ask()

    def _ask(self) -> None:
        first = self.verticalHeader().offset() // _ROW + 1
        # A row may be partly visible at either edge.
        self.needed = first, min(self.viewport().height() // _ROW + 2, self.seen.length - first + 1)
        if self.needed[1] > 0:
            self.rows_needed.emit()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Paint whole rows, because Qt would call a delegate for each cell."""
        painter, around = QtGui.QPainter(self.viewport()), event.region().boundingRect()
        # At the end of the scroll range, the first row is cut off, not the last row.
        offset, end = self.verticalHeader().offset(), self.seen.rowCount()
        cells = [
            QRect(self.columnViewportPosition(column), 0, self.columnWidth(column), _ROW)
            for column in range(self.seen.columnCount())
        ]
        first, last = ((y + offset) // _ROW for y in (around.top(), around.bottom()))
        for at in range(first, min(last, end - 1) + 1):
            row = QRect(0, at * _ROW - offset, self.viewport().width(), _ROW)
            if event.region().intersects(row):
                painter.save()
                self.paint_ground(painter, row, at + 1)
                for cell in cells:
                    cell.moveTop(row.top())
                self._paint_cells(painter, cells, at + 1)
                painter.restore()
        painter.setPen(QtGui.QColor(ui.Theme.now.colors.border))
        for player in range(1, self.seen.ports):
            x = cells[player * len(self.seen.keys) // self.seen.ports].left()
            painter.drawLine(x, around.top(), x, around.bottom())

    def paint_ground(self, painter: QtGui.QPainter, row: QRect, frame: int) -> None:
        """Paint the background of a row, and a line after a jump; set pen and font for numbers."""
        colors, seen, chosen = ui.Theme.now.colors, self.seen, self.chosen
        here = frame == seen.position
        if seen.is_planned(frame):
            painter.fillRect(row, QtGui.QColor(colors.sunken))
        elif frame % 2 and frame <= seen.length:
            painter.fillRect(row, QtGui.QColor(colors.stripe))
        if seen.lags(frame):
            painter.fillRect(row, QtGui.QColor(colors.bad_soft))
        if here or (chosen is not None and chosen[0] <= frame <= chosen[1]):
            painter.fillRect(row, ui.faded(colors.accent_soft, 255 if here else 150))
        if frame in seen.breaks:
            painter.setPen(QtGui.QPen(QtGui.QColor(colors.warn), 1, Qt.PenStyle.DashLine))
            painter.drawLine(row.bottomLeft(), row.bottomRight())
        painter.setPen(QtGui.QColor(colors.faint if frame > seen.position else colors.secondary))
        painter.setFont(self._number_font)

    def _paint_cells(self, painter: QtGui.QPainter, cells: Sequence[QRect], frame: int) -> None:
        colors, seen = ui.Theme.now.colors, self.seen
        played = frame <= seen.position
        for axis, cell in enumerate(cells[len(seen.keys) : -1]):
            if (shows := seen.number(frame, axis)) is not None:
                painter.setPen(QtGui.QColor(colors.text if shows and played else colors.faint))
                painter.drawText(cell, _Align.AlignCenter, str(shows))
        if frame in seen.marks:
            painter.setFont(self._mark_font)
            painter.setPen(QtGui.QColor(colors.text))
            room, cut = cells[-1].adjusted(8, 0, -4, 0), painter.fontMetrics().elidedText
            name = cut(seen.marks[frame], Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, _MIDDLE, name)
        masks = [seen.mask(frame, port) for port in range(seen.ports)]
        dots, held = QtGui.QPolygon(), []
        for cell, (port, bit) in zip(cells, seen.keys, strict=False):
            if masks[port] >> bit & 1:
                held.append((QRectF(cell), button_label(str(seen.buttons[bit]))))
            else:
                dots.append(cell.center())
        painter.setPen(QtGui.QPen(QtGui.QColor(colors.border), 2))
        painter.drawPoints(dots)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.setBrush(ui.faded(colors.accent, 255 if played else 130))
        painter.setFont(self._key_font)
        for key, label in held:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawRoundedRect(key.adjusted(2, 1.5, -2, -1.5), 4, 4)
            painter.setPen(QtGui.QColor(colors.on_accent))
            text = fitting_letters(label, key.width() - 5, QtGui.QFontMetricsF(self._key_font))
            painter.drawText(key, _Align.AlignCenter, text)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        if self._follows:
            self._keep_in_view()

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        """Let the arrow keys start at the frame on the screen; Qt would take the first row. After a
        click they start at the clicked cell, and scrolling first would move that cell away."""
        by_mouse = event.reason() is Qt.FocusReason.MouseFocusReason
        if not by_mouse and not self.currentIndex().isValid():
            self._go_to(self.seen.position)
        super().focusInEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Do nothing; Qt would search all rows for a text that begins with the typed letter."""

    def _seek(self, row: int) -> None:
        grows = QtGui.QGuiApplication.keyboardModifiers() & _SHIFT
        if row < self.seen.length and not grows:
            self.seek_requested.emit(row + 1)

    def _hold(self, column: int) -> None:
        """Press a button over the selected frames, or release it if all have it pressed."""
        if (chosen := self.chosen) is not None and column < len(self.seen.keys):
            key, frames = self.seen.keys[column], range(chosen[0], chosen[1] + 1)
            held = all(self.seen.is_pressed(frame, *key) for frame in frames)
            self.edit_requested.emit(*chosen, *key, not held)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        seen, index = self.seen, self.indexAt(event.position().toPoint())
        if event.button() is _LEFT and index.isValid() and index.column() < len(seen.keys):
            frame = index.row() + 1
            port, bit = seen.keys[index.column()]
            pressed = not seen.is_pressed(frame, port, bit)
            seen.stroke = Stroke(frame, frame, frame, port, bit, pressed)
            seen.changed(frame)
        elif event.button() is _LEFT and index.isValid() and event.modifiers() & _SHIFT:
            self.extend(index.row() + 1)
        elif event.button() is _LEFT:
            super().mousePressEvent(event)

    mouseDoubleClickEvent = mousePressEvent

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        seen, stroke = self.seen, self.seen.stroke
        if stroke is None:
            super().mouseMoveEvent(event)
            return
        y = int(event.position().y())
        frame = max(1, min(seen.rowCount(), (y + self.verticalHeader().offset()) // _ROW + 1))
        if not 0 <= y < self.viewport().height():
            self.scrollTo(seen.index(frame - 1, seen.keys.index((stroke.port, stroke.bit))))
        first, last = sorted((stroke.begin, frame))
        seen.stroke = stroke._replace(first=first, last=last)
        seen.changed(stroke.first, stroke.last, frame)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if (stroke := self.seen.end_stroke()) is None:
            super().mouseReleaseEvent(event)
        else:
            self.setAutoScroll(False)  # Scrolling would make the next click hit another row.
            self._go_to(stroke.begin)
            self.setAutoScroll(True)
            frames, key = (stroke.first, stroke.last), (stroke.port, stroke.bit)
            self.edit_requested.emit(*frames, *key, stroke.pressed)

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
        first, last = self.selection
        end = first if self.currentIndex().row() + 1 == first else last
        if 1 <= end + step <= self.seen.length:
            self.extend(end + step)

    def extend(self, frame: int) -> None:
        """Move one end of the selection to ``frame``; the end at the anchor stays."""
        first, last = self.selection
        anchor = last if self.currentIndex().row() + 1 == first else first
        if frame <= self.seen.length:
            self._go_to(frame)
            self.select((anchor, frame))

    def _go_to(self, frame: int) -> None:
        """Let the arrow keys continue from a frame without changing the selection."""
        # Use a visible column, because Qt would scroll sideways to a hidden one.
        index = self.seen.index(frame - 1, max(0, self.columnAt(self.viewport().width() // 2)))
        self.selectionModel().setCurrentIndex(index, _FLAG.NoUpdate)


def fitting_letters(label: str, room: float, metrics: QtGui.QFontMetricsF) -> str:
    """Return the first letters of a button's label that fit into a column of width ``room``."""
    while label and metrics.horizontalAdvance(label) > room:
        label = label[:-1]
    return label
