"""Widgets that fit content into the available space: flow boxes, tile galleries, live labels."""

import re
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6 import QtGui
from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QFrame,
    QLabel,
    QLayout,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from integrator.ui.widgets.parts import Margins, hbox
from integrator.ui.widgets.theme import SIZES, fill_with, ui_font

Model = TypeVar("Model", bound=QAbstractItemModel)
Index = QModelIndex | QPersistentModelIndex


class FitsSize:
    """A mixin for widgets: ``_fit`` arranges the content, and is called at each new size."""

    def _fit(self) -> None:
        raise NotImplementedError

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)  # type: ignore[misc]  # of the widget
        self._fit()


class FlowBox(QWidget):
    """Places its widgets from left to right, and starts a new line where the width is used up. It
    is a widget instead of a QLayout, because Qt deletes layout items that Python still refers to.
    PySide would then take the next object at the same address for a layout item."""

    def __init__(self, spacing: int = 6) -> None:
        super().__init__()
        self._widgets: list[QWidget] = []
        self._gap = spacing
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, widget: QWidget) -> None:
        by_choice = Qt.WidgetAttribute.WA_WState_ExplicitShowHide
        was_hidden = widget.isHidden() and widget.testAttribute(by_choice)
        self._widgets.append(widget)
        widget.setParent(self)
        widget.setVisible(not was_hidden)
        widget.installEventFilter(self)
        self._changed()

    def clear(self, *kept: QWidget) -> None:
        """Remove all widgets, and delete those that are not in ``kept``."""
        for widget in self._widgets:
            widget.removeEventFilter(self)
            # Restore each kept widget's own visibility; else the owner's choice would be lost.
            if widget not in kept:
                widget.hide()
                widget.deleteLater()
        self._widgets = []
        self._changed()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = (QEvent.Type.LayoutRequest, QEvent.Type.ShowToParent, QEvent.Type.HideToParent)
        if event.type() in kinds:
            self._changed()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._changed()
        return super().event(event)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place(self.width(), move=True)

    def heightForWidth(self, width: int) -> int:
        return self._place(width, move=False)

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        shown = (each for each in self._widgets if not each.isHidden())
        width = max((each.sizeHint().width() for each in shown), default=0)
        return QSize(width, self._place(max(width, self.width()), move=False))

    def _changed(self) -> None:
        self._place(self.width(), move=True)
        self.updateGeometry()

    def _place(self, width: int, *, move: bool) -> int:
        x, y, line = 0, 0, 0
        for widget in self._widgets:
            if widget.isHidden():
                continue
            hint = widget.sizeHint()
            if x > 0 and x + hint.width() > width:
                x, y, line = 0, y + line + self._gap, 0
            if move:
                widget.setGeometry(QRect(QPoint(x, y), hint))
            x += hint.width() + self._gap
            line = max(line, hint.height())
        return y + line


class FoldingRow(QWidget):
    """Two groups side by side, or one below the other if both do not fit. The first one takes the
    remaining space; ``gap`` is the distance between them, in pixels."""

    def __init__(self, first: QLayout, second: QLayout, gap: int = 8, margins: Margins = 0) -> None:
        super().__init__()
        self._groups = (first, second)
        self.box = hbox((first, 1), second, on=self, margins=margins, gap=gap)

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            needed = sum(group.sizeHint().width() for group in self._groups) + self.box.spacing()
            across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
            self.box.setDirection(across if needed <= self.width() else down)
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        widest = max(group.minimumSize().width() for group in self._groups)
        return QSize(min(least.width(), widest), least.height())


def place_near(
    anchor: QRect, size: QSize, room: QRect, *, above: bool = False, right: bool = False
) -> QPoint:
    """Return the upper left corner for a window below ``anchor``, or above it if only that fits.

    ``above`` prefers the place above. ``right`` aligns the right edges of window and anchor instead
    of the left ones. ``room`` is the free part of the screen. All values are in global coordinates.
    A window that is larger than ``room`` shows its upper left part."""
    gap = 4
    under, over = anchor.bottom() + 1 + gap, anchor.top() - gap - size.height()
    lowest = room.bottom() + 1 - size.height()
    fitting = [top for top in (under, over) if room.top() <= top <= lowest]
    top = (fitting or [lowest])[-1 if above else 0]
    left = anchor.right() + 1 - size.width() if right else anchor.left()
    left = min(left, room.right() + 1 - size.width())
    return QPoint(max(left, room.left()), max(top, room.top()))


class TileDelegate(QStyledItemDelegate, Generic[Model]):
    """Paints the frames of tiles and chooses their size; a subclass paints the content. ``least``
    is a tile's smallest width, ``gap`` the distance between tiles, and ``cell`` the present size
    with the gap. A picture of the ``shape`` height to width is above a text of ``text_height``. In
    a low list tiles shrink to its height, but not below ``lowest``; 0 keeps their height.
    ``ground`` and ``edge`` return colors; an edge "" means no frame."""

    least = 100
    shape = 0.75
    text_height = 40
    gap = 8
    lowest = 0
    radius = SIZES.radius

    def __init__(self, model: Model, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._title_font = ui_font(SIZES.font, bold=True)
        self._small_font = ui_font(SIZES.font_small)
        self.cell = QSize()
        self.fill(self.least + self.gap)

    def ground(self, *, hovered: bool, chosen: bool) -> str:
        raise NotImplementedError

    def edge(self, row: int, *, chosen: bool) -> str:
        raise NotImplementedError

    def draw(self, painter: QtGui.QPainter, box: QRect, row: int) -> None:
        raise NotImplementedError

    def paint(self, painter: QtGui.QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        half, states = self.gap // 2, QStyle.StateFlag
        box = option.rect.adjusted(half, half, -half, -half)
        chosen = bool(option.state & states.State_Selected)
        hovered = bool(option.state & states.State_MouseOver)
        shape = QtGui.QPainterPath()
        shape.addRoundedRect(QRectF(box), self.radius, self.radius)
        painter.save()
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.fillPath(shape, QtGui.QColor(self.ground(hovered=hovered, chosen=chosen)))
        painter.setClipPath(shape)
        self.draw(painter, box, index.row())
        painter.setClipping(False)
        if edge := self.edge(index.row(), chosen=chosen):
            painter.strokePath(shape, QtGui.QPen(QtGui.QColor(edge), 2))
        painter.restore()

    def draw_label(
        self,
        painter: QtGui.QPainter,
        at: QPoint,
        text: str,
        colors: tuple[str, str],
        *,
        right: bool,
    ) -> int:
        """Draw a small label whose upper left corner, or with ``right`` its upper right one, is
        ``at``. ``colors`` are those of its background and text. Returns its width in pixels."""
        painter.setFont(self._small_font)
        width = QtGui.QFontMetrics(self._small_font).horizontalAdvance(text) + 14
        label = QRectF(at.x() - width if right else at.x(), at.y(), width, 19)
        fill_with(painter, colors[0])
        painter.drawRoundedRect(label, 9, 9)
        painter.setPen(QtGui.QColor(colors[1]))
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)
        return width

    @staticmethod
    def draw_line(
        painter: QtGui.QPainter,
        box: QRect,
        text: str,
        color: QtGui.QColor | str,
        font: QtGui.QFont,
        edge: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignTop,
    ) -> None:
        """Draw a text at the left of a box, at its upper or lower ``edge``; a long text is cut."""
        painter.setFont(font)
        painter.setPen(QtGui.QColor(color))
        shown = QtGui.QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, int(Qt.AlignmentFlag.AlignLeft | edge), shown)

    def fill(self, width: int, height: int = 0) -> None:
        """Compute the tile size from a list's width, and fit a row of tiles into its height."""
        cell = width // max(1, width // (self.least + self.gap))
        whole = round((cell - self.gap) * self.shape) + self.text_height + self.gap
        self.cell = QSize(cell, min(whole, max(height, self.lowest)) if self.lowest else whole)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return self.cell


class TileList(QListView):
    """A gallery of tiles. One tile can be selected, and the wheel scrolls smoothly."""

    def __init__(self) -> None:
        super().__init__()
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setMouseTracking(True)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        tiles = self.itemDelegate()
        if isinstance(tiles, TileDelegate):
            tiles.fill(self.viewport().width() - 4, self.viewport().height())
            if self.gridSize() != tiles.cell:
                self.setGridSize(tiles.cell)
        super().resizeEvent(event)


def rgb_image(picture: NDArray[np.uint8]) -> QtGui.QImage:
    """Return an image with a copy of the pixels of a uint8 array of shape (height, width, 3)."""
    height, width = picture.shape[:2]
    pixels = np.ascontiguousarray(picture).data
    return QtGui.QImage(pixels, width, height, 3 * width, QtGui.QImage.Format.Format_RGB888).copy()


def fitted_pixmap(
    image: QtGui.QImage, room: QSize, ratio: float, *, smooth: bool = True
) -> QtGui.QPixmap:
    """Return an image scaled to fit ``room``, with ``ratio`` device pixels to a logical pixel."""
    modes, keep = Qt.TransformationMode, Qt.AspectRatioMode.KeepAspectRatio
    mode = modes.SmoothTransformation if smooth else modes.FastTransformation
    pixmap = QtGui.QPixmap.fromImage(image.scaled(room * ratio, keep, mode))
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def cached_pixmap(file: Path | None, size: QSize, ratio: float) -> QtGui.QPixmap | None:
    """Return the picture in ``file``, cropped to fill ``size``; None if there is none."""
    if file is None:
        return None
    key = f"{file}|{size.width()}x{size.height()}|{ratio:.2f}"
    pixmap = QtGui.QPixmap()
    if QtGui.QPixmapCache.find(key, pixmap):
        return pixmap
    source = QtGui.QPixmap(str(file))
    if source.isNull():
        return None
    wanted = QRect(QPoint(), size * ratio)
    fill = Qt.AspectRatioMode.KeepAspectRatioByExpanding
    grown = source.scaled(wanted.size(), fill, Qt.TransformationMode.SmoothTransformation)
    wanted.moveCenter(grown.rect().center())
    pixmap = grown.copy(wanted)
    pixmap.setDevicePixelRatio(ratio)
    QtGui.QPixmapCache.insert(key, pixmap)
    return pixmap


def describe(widget: QWidget, text: str) -> None:
    """Set the description that a screen reader reads for a widget that paints itself."""
    if widget.accessibleDescription() != text:
        widget.setAccessibleDescription(text)
        if QtGui.QAccessible.isActive():
            event = QtGui.QAccessible.Event.DescriptionChanged
            QtGui.QAccessible.updateAccessibility(QtGui.QAccessibleEvent(widget, event))


class LiveLabel(QLabel):
    """A label of one line of plain or rich text, for texts that change often. QLabel asks for a new
    layout with every text. In a window full of docks, that takes longer than painting the whole
    window. This label asks only when its width, in steps of 24 pixels, changes."""

    def __init__(self, text: str = "", *, right: bool = False) -> None:
        super().__init__()
        self._text = self._short = ""
        self._room, self._right = 0, right
        self._drawn = QtGui.QStaticText()
        one_line = QtGui.QTextOption()
        one_line.setWrapMode(QtGui.QTextOption.WrapMode.NoWrap)
        self._drawn.setTextOption(one_line)
        self._drawn.setPerformanceHint(QtGui.QStaticText.PerformanceHint.ModerateCaching)
        self.setText(text)

    def text(self) -> str:
        return self._text

    def setText(self, text: str, short: str = "") -> None:
        """Show another text, or the plain text ``short`` where ``text`` does not fit."""
        self._short = short
        if text == self._text:
            return
        self._text = text
        self._drawn.setText(text)
        self.setAccessibleName(re.sub(r"<[^>]*>", "", text))
        self._measure()
        self.update()

    def clear(self) -> None:
        self.setText("")

    def setTextFormat(self, text_format: Qt.TextFormat) -> None:
        """Set plain or rich text. By default Qt guesses the format from the text."""
        self._drawn.setTextFormat(text_format)

    def sizeHint(self) -> QSize:
        return QSize(self._room, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        """Return a width of 0, so that the label never makes a narrow panel wider."""
        return QSize(0, self.fontMetrics().height())

    def paintEvent(self, _event: object) -> None:
        """Paint the text at half height, if all of it fits, because a cut number would mislead."""
        painter = QtGui.QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self.palette().color(self.foregroundRole()))
        if self.width() < self._drawn.size().width():
            if self.fontMetrics().horizontalAdvance(self._short) <= self.width():
                place = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
                painter.drawText(self.rect(), place, self._short)
            return
        size = self._drawn.size()
        left = max(0.0, self.width() - size.width()) if self._right else 0.0
        top = (self.height() - size.height()) / 2
        painter.drawStaticText(QPointF(left, top), self._drawn)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measure()

    def _measure(self) -> None:
        """Request width in steps of 24 pixels; release it when more than four steps are spare."""
        step, wanted = 24, 0
        if self._text:  # Most labels of a new window are empty, and preparing a text is slow.
            self._drawn.prepare(font=self.font())
            wanted = -int(-self._drawn.size().width() // step) * step
        shrinks = wanted < self._room - 4 * step or not self._text
        if wanted > self._room or (shrinks and wanted != self._room):
            self._room = wanted
            self.updateGeometry()
