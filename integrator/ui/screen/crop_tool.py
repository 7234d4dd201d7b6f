"""A tool that draws a rectangle over the game's picture, such as the part that training sees."""

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPainterPath

from integrator.domain.frames.observation import Box
from integrator.ui import widgets as ui
from integrator.ui.screen.pad_overlay import draw_frame, draw_hint, draw_note
from integrator.ui.screen.screen_view import ScreenView

WHOLE_PICTURE: Box = (0, 0, 0, 0)


class CropTool(ui.OverlaidFrame):
    """An overlay of the screen on which the user draws a rectangle. ``drawn`` gives the rectangle
    in pixels of the picture. ``hint`` is shown until the drag begins."""

    drawn = Signal(tuple)
    ended = Signal()

    def __init__(self, screen: ScreenView, hint: str = "") -> None:
        super().__init__(screen)
        self._screen = screen
        self._hint = hint or self.tr("Drag a rectangle over what training should see · Esc to stop")
        self._from: QPoint | None = None
        self._to = QPoint()
        self._within: Box | None = None
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Draw the crop"))

    def begin(self, within: Box | None = None) -> None:
        """Let the user draw a rectangle, inside ``within`` if given. Escape ends without one."""
        self._from = None
        self._within = within
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._from = self._pixel(event.position())
        self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._to = self._pixel(event.position())
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._to = self._pixel(event.position())
        crop = self._crop()
        self._end()
        if crop is not None and crop[2] > 1 and crop[3] > 1:
            self.drawn.emit(crop)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._end()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: object) -> None:
        painter = QPainter(self)
        if (crop := self._crop()) is None:
            painter.fillRect(self.rect(), QColor(0, 0, 0, 60))
            if self._within is not None:
                self._shade(painter, self._screen.rect_of(*self._within))
            draw_hint(painter, self._hint, QRectF(self.rect()))
            return
        box = self._screen.rect_of(*crop)
        self._shade(painter, box)
        draw_frame(painter, box)
        below = box.bottomRight() + QPointF(-140, 18)
        place = QPointF(max(6.0, below.x()), min(below.y(), self.height() - 6.0))
        draw_note(painter, f"{crop[0]}, {crop[1]}   {crop[2]} × {crop[3]}", place)

    def _shade(self, painter: QPainter, box: QRectF) -> None:
        outside = QPainterPath()
        outside.addRect(QRectF(self.rect()))
        outside.addRect(box)  # The overlap of two rectangles of a path is not filled.
        painter.fillPath(outside, QColor(0, 0, 0, 110))

    def _pixel(self, where: QPointF) -> QPoint:
        pixel, size = self._screen.pixel_at(where), self._screen.picture_size()
        left, top, width, height = self._within or (0, 0, size.width(), size.height())
        x, y = round(pixel.x()), round(pixel.y())
        return QPoint(min(max(x, left), left + width), min(max(y, top), top + height))

    def _crop(self) -> Box | None:
        if self._from is None:
            return None
        left, right = sorted((self._from.x(), self._to.x()))
        top, bottom = sorted((self._from.y(), self._to.y()))
        return left, top, right - left, bottom - top

    def _end(self) -> None:
        self.hide()
        self._screen.setFocus(Qt.FocusReason.OtherFocusReason)
        self.ended.emit()
