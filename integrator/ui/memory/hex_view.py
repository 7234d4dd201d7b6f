"""The grid of bytes in the Memory panel, with its cursor, keys and pokes."""

from bisect import bisect_right

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip

from integrator.domain.values.memory import AddressSpace
from integrator.ui import widgets as ui
from integrator.ui.memory.hex_canvas import FADE_STEPS, ROW_BYTES, HexCanvas, RowLayout, SeenBytes


class HexView(ui.FitsSize, HexCanvas):
    """A grid of bytes with a cursor. ``rows_changed`` follows a change of the visible rows.
    ``poked`` gives (address, byte) that the user typed. ``moved`` gives the new address of the
    cursor, ``place``. ``focused`` follows the keyboard focus."""

    rows_changed = Signal()
    poked = Signal(int, int)
    moved = Signal(int)
    focused = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._typed = ""
        self._home: int | None = None
        self.chosen = False  # the bar controls this grid, as a line at its top shows
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Memory bytes"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.verticalScrollBar().actionTriggered.connect(self._forget_home)
        self.verticalScrollBar().valueChanged.connect(lambda _: self.rows_changed.emit())

    def set_space(self, space: AddressSpace | None) -> None:
        self.layout_rows = RowLayout(space) if space and space.size_bytes else None
        self.seen = SeenBytes(space.size_bytes if space else 0)
        self.place = self.anchor = space.regions[0].address if self.layout_rows and space else 0
        self._typed = ""
        self.fit_bars()
        self.verticalScrollBar().setValue(0)
        self.viewport().update()

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit()

    def show_heat(self, shown: bool) -> None:
        self.shows_heat = shown
        self.viewport().update()

    def go_to(self, address: int) -> bool:
        row = self.layout_rows.row_of(address) if self.layout_rows else None
        if row is None:
            return False
        self.anchor = address
        self._move(address, keep_anchor=False)
        first, last = self.visible_rows()
        # A hidden view has no size yet, and goes there when it is shown.
        if self.isVisible() and not first + 1 <= row < last:
            self.verticalScrollBar().setValue(max(0, row - (last - first) // 3))
        self._home = address
        return True

    def byte(self, address: int) -> int:
        layout = self.layout_rows
        return int(self.seen.values[layout.space.index_of(address)]) if layout else 0

    def paintEvent(self, _event: object) -> None:
        painter = QtGui.QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), QtGui.QColor(ui.Theme.now.colors.panel))
        if self.layout_rows is None:
            return
        if self.chosen:
            line = QRect(0, 0, self.viewport().width(), 2)
            painter.fillRect(line, QtGui.QColor(ui.Theme.now.colors.accent))
        painter.translate(-self.horizontalScrollBar().value(), 0)
        self.draw_rows(painter, self.layout_rows)
        colors = ui.Theme.now.colors
        for place in self.boxes(self.place, self.place + 1):
            painter.setPen(QtGui.QColor(colors.accent if self.hasFocus() else colors.faint))
            if self._typed:
                painter.fillRect(place, QtGui.QColor(colors.accent))
                painter.setPen(QtGui.QColor(colors.on_accent))
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"{self._typed}_")
            else:
                painter.drawRoundedRect(place, 3, 3)

    def address_at(self, where: QPoint) -> int | None:
        if self.layout_rows is None:
            return None
        row = self.verticalScrollBar().value() + where.y() // self.row_height
        x = where.x() + self.horizontalScrollBar().value() + self.char / 2
        column = bisect_right(self.byte_left, x) - 1
        width = self.byte_chars * self.char
        inside = 0 <= column < ROW_BYTES and x - self.byte_left[column] < width
        if not inside or not 0 <= row < self.layout_rows.rows:
            return None
        [(start, stop)] = self.layout_rows.spans(row, row)
        address = start - start % ROW_BYTES + column
        return address if start <= address < stop else None

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Move the cursor. The right button keeps a selection if it is clicked inside."""
        address = self.address_at(event.position().toPoint())
        start, stop = self.selection
        inside = address is not None and start <= address < stop
        if address is not None and not (event.button() == Qt.MouseButton.RightButton and inside):
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._move(address, keep_anchor=shift)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        address = self.address_at(event.position().toPoint())
        if event.buttons() & Qt.MouseButton.LeftButton and address is not None:
            self._move(address, keep_anchor=True)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Move at arrow keys, poke at hexadecimal digits, drop a half-typed byte at Escape."""
        held = Qt.KeyboardModifier
        plain = not event.modifiers() & (held.ControlModifier | held.AltModifier)
        digit = event.text().upper()
        if plain and digit and digit in "0123456789ABCDEF":
            self._typed += digit
            if len(self._typed) == 2:
                value, self._typed = int(self._typed, 16), ""
                self.poked.emit(self.place, value)
                self._step_by(1, keep_anchor=False)
            self.viewport().update()
        elif event.key() == Qt.Key.Key_Escape and self._typed:
            self._typed = ""
            self.viewport().update()
        elif (step := self._step(event)) is not None:
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._step_by(step, keep_anchor=shift)
        else:
            super().keyPressEvent(event)

    def _step(self, event: QtGui.QKeyEvent) -> int | None:
        """Return the number of bytes by which a key moves the cursor, or None for other keys."""
        first, last = self.visible_rows()
        page, here, keys = max(1, last - first - 1) * ROW_BYTES, self.place % ROW_BYTES, Qt.Key
        steps = {
            keys.Key_Left: -1,
            keys.Key_Right: 1,
            keys.Key_Up: -ROW_BYTES,
            keys.Key_Down: ROW_BYTES,
            keys.Key_PageUp: -page,
            keys.Key_PageDown: page,
            keys.Key_Home: -here,
            keys.Key_End: ROW_BYTES - 1 - here,
        }
        return steps.get(keys(event.key()))

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        self._forget_home()
        super().wheelEvent(event)

    def _forget_home(self, *_: object) -> None:
        self._home = None

    def _step_by(self, step: int, *, keep_anchor: bool) -> None:
        if (layout := self.layout_rows) is None:
            return
        size = layout.space.size_bytes
        index = min(max(layout.space.index_of(self.place) + step, 0), size - 1)
        self._move(layout.space.address_of(index), keep_anchor=keep_anchor)
        row, bar = layout.row_of(self.place) or 0, self.verticalScrollBar()
        first, last = self.visible_rows()
        bar.setValue(bar.value() + min(0, row - first) + max(0, row - last + 1))

    def _move(self, address: int, *, keep_anchor: bool) -> None:
        self.place = address
        self._home = None
        if not keep_anchor:
            self.anchor = address
        self._typed = ""
        self.moved.emit(address)
        self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QtGui.QHelpEvent):
            if (address := self.address_at(event.pos())) is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), self._tip(address), self)
            return True
        return super().viewportEvent(event)

    def _tip(self, address: int) -> str:
        lines = [self.tr("{0} = {1}").format(ui.address_text(address), self.byte(address))]
        index = self.layout_rows.space.index_of(address) if self.layout_rows else 0
        writes, age = int(self.seen.writes[index]), FADE_STEPS - int(self.seen.ages[index])
        if writes:
            text = self.tr("changes seen here: {0}; frames since the last one: {1}")
            lines.append(text.format(writes, age if age < FADE_STEPS else f"{age}+"))
        text, marks = self.tr("variable {0}"), self.variables_within(address, address + 1)
        lines += [text.format(mark.name) for mark in marks]
        if self.candidates_within(address, address + 1):
            lines.append(self.tr("a candidate of the search"))
        if address in self.frozen:
            lines.append(self.tr("frozen: written after every frame"))
        return "\n".join(lines)

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        super().showEvent(event)
        self._go_home()
        self.rows_changed.emit()

    def _go_home(self) -> None:
        # An address may have been requested before the view had a size.
        if self._home is not None:
            self.go_to(self._home)

    def _fit(self) -> None:
        self.fit_bars()
        self._go_home()
        self.rows_changed.emit()

    def fit_bars(self) -> None:
        rows = self.layout_rows.rows if self.layout_rows else 0
        page = max(1, self.viewport().height() // self.row_height)
        self.verticalScrollBar().setRange(0, max(0, rows - page))
        self.verticalScrollBar().setPageStep(page)
        width = self.viewport().width()
        self.horizontalScrollBar().setRange(0, max(0, self.names_left - width))
        self.horizontalScrollBar().setPageStep(width)

    def sizeHint(self) -> QSize:
        return QSize(round(self.names_left), 10 * self.row_height)
