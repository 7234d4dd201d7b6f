"""A layer over the game's picture: the pixels that a candidate draws, or that were asked about."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from integrator.session.proof.picture import Rectangle
from integrator.ui.screen.screen_view import ScreenView
from integrator.ui.widgets.theme import Theme, mono_font

_TINT_ALPHA = 150


class ProofOverlay(QWidget):
    """Lies over the screen, lets every click through, and is hidden while it shows nothing."""

    def __init__(self, screen: ScreenView, theme: Theme) -> None:
        super().__init__(screen)
        self._screen = screen
        self._theme = theme
        self._tint: QImage | None = None
        self._shape = (0, 0)
        self._box: Rectangle | None = None
        self._label = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        screen.installEventFilter(self)
        theme.changed.connect(self.update)
        self.hide()

    @property
    def box(self) -> Rectangle | None:
        return self._box if not self.isHidden() else None

    def show_pixels(self, pixels: NDArray[np.bool_], label: str) -> None:
        """Tint these pixels of the picture, bool (height, width), and outline them all."""
        self._shape = (pixels.shape[0], pixels.shape[1])
        self._tint = _tinted(pixels, QColor(self._theme.colors.accent))
        self._show(Rectangle.around(pixels), label)

    def show_rectangle(self, rectangle: Rectangle, label: str) -> None:
        self._tint = None
        self._show(rectangle, label)

    def clear_pixels(self) -> None:
        if self._tint is not None:
            self.clear()

    def clear(self) -> None:
        self._tint, self._box = None, None
        self.hide()

    def keep_if(self, kept: bool) -> None:
        """Show no outline unless it is ``kept``."""
        if not kept:
            self.clear()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if watched is self._screen and event.type() is QEvent.Type.Resize:
            self.setGeometry(self._screen.rect())
        return super().eventFilter(watched, event)

    def _show(self, box: Rectangle | None, label: str) -> None:
        self._box, self._label = box, label
        self.setGeometry(self._screen.rect())
        self.setVisible(box is not None)
        self.raise_()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's signature
        picture, size, box = self._screen.picture_rect(), self._screen.picture_size(), self._box
        if box is None or picture.isEmpty():
            return
        painter = QPainter(self)
        fits = (size.height(), size.width()) == self._shape
        if self._tint is not None and fits:
            painter.save()
            painter.setTransform(self._screen.pixels_to_widget(), combine=True)
            painter.drawImage(0, 0, self._tint)
            painter.restore()
        colors = self._theme.colors
        place = self._screen.rect_of(box.x, box.y, box.width, box.height)
        outline = place.adjusted(-2, -2, 2, 2)
        painter.setPen(QPen(QColor(colors.accent_hover), 1.5))
        painter.drawRect(outline)
        self._draw_label(painter, outline)

    def _draw_label(self, painter: QPainter, outline: QRectF) -> None:
        painter.setFont(mono_font())
        metrics = painter.fontMetrics()
        width, height = metrics.horizontalAdvance(self._label) + 12, metrics.height() + 4
        left = min(max(outline.left(), 2.0), max(2.0, self.width() - width - 2))
        above = outline.top() - height - 3
        top = above if above >= 2 else min(outline.bottom() + 3, self.height() - height - 2)
        place = QRectF(QPointF(left, top), QPointF(left + width, top + height))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.colors.accent))
        painter.drawRoundedRect(place, 4, 4)
        painter.setPen(QColor(self._theme.colors.on_accent))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, self._label)


def _tinted(pixels: NDArray[np.bool_], color: QColor) -> QImage:
    """The pixels in one colour, the others clear."""
    height, width = pixels.shape
    cells = np.zeros((height, width, 4), np.uint8)
    cells[pixels] = (color.red(), color.green(), color.blue(), _TINT_ALPHA)
    image = QImage(cells.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
    return image.copy()  # the copy owns its pixels
