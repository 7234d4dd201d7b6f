"""The time slider: curve, marks, branches. A drag shows any frame, and with Shift picks a range."""

from functools import partial

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QToolTip

from integrator.session.timeline_facts import TimelineFacts
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import panel_action, take_key
from integrator.ui.time_slider import painting
from integrator.ui.time_slider.painting import FactMark, PlotArea, mark_at

HEIGHT, _LEAST_HEIGHT = 106, 62
_MARGIN, _LEGEND = 12, 22


class TimelineView(QAbstractSlider):
    """A slider over the frames of the timeline. ``valueChanged`` requests a frame, repeatedly while
    the slider is dragged; :meth:`show_position` requests none. ``fact_moved`` gives (row, index of
    the frame, new frame) of a pinned fact that is dragged, and ``fact_toggled`` a fact's row.
    ``menu_requested`` gives (frame, row of the fact there or -1, point on the screen), and
    ``menu_opens`` (frame, menu) so that others add entries. ``selected`` follows a new range."""

    fact_moved = Signal(int, int, int)
    fact_toggled = Signal(int)
    menu_requested = Signal(int, int, QPoint)
    menu_opens = Signal(int, object)
    selected = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._font = ui.ui_font(8.0)
        self.facts: TimelineFacts | None = None
        self._fps = 60.0
        self._anchor: int | None = None
        self.range: tuple[int, int] | None = None  # first and last frame of the chosen range
        self.fact_marks: tuple[FactMark, ...] = ()
        self._held_fact: FactMark | None = None
        self._window: tuple[float, float] | None = None  # frames in view; None for all
        # Reused, because PySide leaks references to None for each new pixmap that is painted on.
        self._background = QtGui.QPixmap()
        self._stale = True
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setMinimumHeight(_LEAST_HEIGHT)
        self.setMaximumHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(self.tr("Timeline"))
        self._add_keys()
        ui.Theme.now.changed.connect(self._redraw)

    def set_range(self, frames: tuple[int, int] | None) -> None:
        """Choose a range of frames, including both ends, or None."""
        if frames is not None:
            frames = min(frames), max(frames)
        if frames != self.range:
            self.range = frames
            self._no_range.setEnabled(frames is not None)
            self._redraw()
            self.selected.emit()

    def show_facts(self, facts: TimelineFacts | None, fps: float) -> None:
        self.facts, self._fps = facts, fps
        self.setPageStep(round(fps))
        if facts is None:
            self._window = None
        self._show(0 if facts is None else self.value(), self.length)
        if self.range is not None and self.range[1] > self.length:
            self.set_range(None)  # The line was cut, and may have other frames there now.
        self._redraw()

    @property
    def length(self) -> int:
        return self.facts.length if self.facts is not None else 0

    @property
    def shown_frames(self) -> str:
        if self._window is not None:
            text = self.tr("frames {0} to {1} of {2} · double-click shows all")
            return text.format(*(ui.grouped(round(each)) for each in (*self._window, self.length)))
        text = self.tr("frames in the RAM log: {0}")
        if self.facts is not None and not self.facts.exact:
            text = self.tr("frames in the RAM log: {0} · states are not exact: seeks replay")
        return text.format(ui.grouped(self.length))

    def show_fact_marks(self, marks: tuple[FactMark, ...]) -> None:
        if marks != self.fact_marks:
            self.fact_marks = marks
            self.update()

    def show_position(self, frame: int) -> None:
        # Frames that were shown may be newer than the facts, which are updated less often.
        self._show(frame, self.maximum())

    def _show(self, frame: int, newest: int) -> None:
        newest = max(newest, frame)
        with QSignalBlocker(self):
            self.setRange(min(1, newest), newest)
            self.setValue(frame)

    def sizeHint(self) -> QSize:
        return QSize(640, _LEAST_HEIGHT)

    def _area(self) -> PlotArea:
        plot = QRectF(self.rect()).adjusted(_MARGIN, 6, -_MARGIN, -_LEGEND)
        whole = (1.0, float(max(self.maximum(), 2)))
        return PlotArea(plot, *(self._window or whole))

    def x_of(self, frame: float) -> int:
        return round(self._area().x_of(frame))

    def frame_at(self, x: float) -> int:
        """Return the frame at an x position, or the frame of a mark near it."""
        if (facts := self.facts) is None or not facts.length:
            return 0
        area = self._area()
        marks = (*(m.frame for m in facts.markers), *facts.drops)
        away = {at: abs(area.x_of(at) - x) for at in marks if 1 <= at <= facts.length}
        nearest = min(away, key=away.__getitem__, default=0)
        # A mark within five pixels wins, except while the cursor is dragged.
        near = nearest and away[nearest] <= 5 and not self.isSliderDown()
        return nearest if near else self._frame_under(x)

    def _frame_under(self, x: float) -> int:
        return max(1, min(self.length, round(self._area().frame_at(x))))

    def _redraw(self) -> None:
        self._stale = True
        self.update()

    def paintEvent(self, _event: object) -> None:
        """Paint the plot, which changes rarely, from a pixmap, and the cursor at every frame."""
        painter = QtGui.QPainter(self)
        if self._stale:
            self._paint_background()
            self._stale = False
        painter.drawPixmap(0, 0, self._background)
        area = self._area()
        if self.facts is None or not self.value():
            return
        painter.setFont(self._font)
        painting.paint_marks(painter, area, self.fact_marks, ui.Theme.now.colors)
        x = area.x_of(self.value())
        if area.rect.left() - 1 <= x <= area.rect.right() + 1:
            color = QtGui.QColor(ui.Theme.now.colors.text)
            painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
            painter.setPen(QtGui.QPen(color, 1.5))
            painter.drawLine(QPointF(x, area.rect.top()), QPointF(x, area.rect.bottom()))
            painter.setBrush(color)
            painter.drawEllipse(QPointF(x, area.rect.bottom()), 3.5, 3.5)

    def _paint_background(self) -> None:
        size = self.size() * self.devicePixelRatioF()
        if self._background.size() != size:
            self._background = QtGui.QPixmap(size)
            self._background.setDevicePixelRatio(self.devicePixelRatioF())
        colors, area, facts = ui.Theme.now.colors, self._area(), self.facts
        self._background.fill(QtGui.QColor(colors.chrome))
        painter = QtGui.QPainter(self._background)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        ui.fill_with(painter, colors.sunken)
        painter.drawRoundedRect(area.rect.adjusted(-1, 0, 1, 0), 5, 5)
        if facts is not None:
            painter.setFont(self._font)
            painter.save()
            painter.setClipRect(area.rect)
            painting.paint_plot(painter, area, facts, colors)
            if self.range is not None:
                painting.paint_range(painter, area, self.range, colors)
            if self._window is not None:
                painting.paint_overview(painter, area, facts.length, colors)
            painter.restore()
            bottom = QRectF(_MARGIN, self.height() - _LEGEND, self.width() - 2 * _MARGIN, _LEGEND)
            painting.paint_legend(painter, bottom, facts, colors, self.shown_frames)
        painter.end()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._redraw()

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Go to the frame under the pointer, or grab a fact. With Shift, begin a range."""
        if event.button() is not Qt.MouseButton.LeftButton or self.facts is None:
            return
        frame = self.frame_at(event.position().x())
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._anchor = frame
            self.set_range(None)
            return
        self._held_fact = mark_at(self.fact_marks, self._area(), event.position())
        if self._held_fact is None:
            self.setValue(frame)
            self.setSliderDown(True)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        x, held = event.position().x(), self._held_fact
        if held is not None:
            self.fact_moved.emit(held.row, held.which, self._frame_under(x))
            self.setValue(self._frame_under(x))
        elif self._anchor is not None:
            frame = self.frame_at(x)
            self.set_range(None if frame == self._anchor else (self._anchor, frame))
        elif self.isSliderDown():
            self.setValue(self.frame_at(x))

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        self._held_fact = None
        if event.button() is Qt.MouseButton.LeftButton:
            self.setSliderDown(False)
            self._anchor = None

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        """Show the whole line again. On a fact, switch whether the fact counts."""
        if (fact := mark_at(self.fact_marks, self._area(), event.position())) is not None:
            self.fact_toggled.emit(fact.row)
        else:
            self._window = None
            self._redraw()

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        if frame := self.frame_at(event.pos().x()):
            fact = mark_at(self.fact_marks, self._area(), QPointF(event.pos()))
            self.menu_requested.emit(frame, -1 if fact is None else fact.row, event.globalPos())

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        if self.facts is None or not event.angleDelta().y():
            return
        area = self._area()
        center = area.frame_at(event.position().x())
        factor = 0.8 if event.angleDelta().y() > 0 else 1.25
        start = max(1.0, center - (center - area.start) * factor)
        stop = min(float(self.length), center + (area.stop - center) * factor)
        if start <= 1.0 and stop >= self.length:
            self._window = None
        elif stop - start >= 30:  # Fewer than 30 frames would be too wide to be useful.
            self._window = (start, stop)
        self._redraw()
        event.accept()

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Ignore keys: :meth:`event` takes the keys of actions, which the user may change."""
        event.ignore()

    def _add_keys(self) -> None:
        go = QAbstractSlider.SliderAction
        for key, step in (
            ("back", go.SliderSingleStepSub),
            ("on", go.SliderSingleStepAdd),
            ("first", go.SliderToMinimum),
            ("newest", go.SliderToMaximum),
            ("second_back", go.SliderPageStepSub),
            ("second_on", go.SliderPageStepAdd),
        ):
            panel_action(f"slider.{key}", self, partial(self.triggerAction, step), filtered=False)
        no_range = partial(self.set_range, None)
        self._no_range = panel_action("slider.no_range", self, no_range, filtered=False)
        self._no_range.setEnabled(False)

    def event(self, event: QEvent) -> bool:
        if take_key(self, event):
            return True
        if isinstance(event, QtGui.QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            self._show_tip(event.pos(), event.globalPos())
            return True
        return super().event(event)

    def _show_tip(self, where: QPoint, on_screen: QPoint) -> None:
        facts, frame = self.facts, self.frame_at(where.x())
        if facts is None or not frame:
            QToolTip.hideText()
            return
        lines = [self.tr("frame {0} · {1}").format(frame, ui.clock_text(frame, self._fps))]
        if (at := int(facts.frames.searchsorted(frame, side="right")) - 1) >= 0:
            lines.append(self.tr("reward so far {0}").format(ui.plain_number(facts.totals[at])))
        lines += [f"{m.kind} {m.label}".strip() for m in facts.markers if m.frame == frame]
        lines += [m.says for m in self.fact_marks if m.frame == frame]
        if frame in facts.drops:
            lines.append(self.tr("{0} went down").format(facts.drops_name))
        QToolTip.showText(on_screen, "\n".join(lines), self)
