"""Draws an integration in the library: a picture or a drawn tile, name, system, marks."""

from __future__ import annotations

import zlib
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QLinearGradient, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from integrator.session.library.entries import LibraryEntry, LintMark
from integrator.session.setup.roots import RootKind
from integrator.ui.library.library_model import EntryRole, MarkRole, PictureRole
from integrator.ui.widgets.room.tile_list import TileDelegate, cached_pixmap
from integrator.ui.widgets.rows_model import Index
from integrator.ui.widgets.theme import SIZES, Theme, ui_font
from integrator.ui.widgets.translation import counted

GAP = 12
"""Space between two tiles, in pixels."""
_TEXT_HEIGHT = 50


def picture_height(width: int) -> int:
    """Height of a tile's picture of that width."""
    return round(width * 0.66)


class LibraryTileDelegate(TileDelegate):
    """Paints the tiles of the library."""

    least = 190
    gap = GAP

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title_font = ui_font(SIZES.font, bold=True)
        self._small_font = ui_font(SIZES.font_small)
        self._plate_font = ui_font(SIZES.font + 3.5, bold=True)

    def height_of(self, width: int) -> int:
        """A picture, and two lines below."""
        return picture_height(width) + _TEXT_HEIGHT

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one tile."""
        entry: LibraryEntry = index.data(EntryRole)
        colors = self._theme.colors
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        half = GAP // 2
        box = option.rect.adjusted(half, half, -half, -half)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(box), SIZES.radius + 2, SIZES.radius + 2)
        painter.fillPath(shape, QColor(colors.hover if hovered else colors.raised))
        painter.setClipPath(shape)
        top = QRect(box.left(), box.top(), box.width(), picture_height(box.width()))
        self._draw_picture(painter, top, entry, index.data(PictureRole))
        self._draw_badges(painter, top, entry)
        self._draw_text(painter, box, top, entry, index.data(MarkRole))
        painter.setClipping(False)
        if chosen:
            painter.strokePath(shape, QPen(QColor(colors.accent), 2))
        painter.restore()

    # -- the picture ------------------------------------------------------------------------

    def _draw_picture(
        self, painter: QPainter, box: QRect, entry: LibraryEntry, file: Path | None
    ) -> None:
        pixmap = cached_pixmap(file, box.size(), painter.device().devicePixelRatioF())
        if pixmap is not None:
            painter.drawPixmap(box, pixmap)
            return
        self._draw_plate(painter, box, entry)

    @staticmethod
    def hue_of(entry: LibraryEntry) -> int:
        """The hue of a game's console, in degrees; made of its name where none was chosen."""
        return zlib.crc32(entry.system.encode()) % 360 if entry.hue is None else entry.hue

    def _draw_plate(self, painter: QPainter, box: QRect, entry: LibraryEntry) -> None:
        """A plate in the system's colour with the game's name on it."""
        dark = self._theme.is_dark
        present = entry.rom is not None
        hue = self.hue_of(entry)
        saturation = (95 if dark else 110) if present else 42
        first, second = (62, 36) if dark else (218, 192)
        shade = QLinearGradient(QPointF(box.topLeft()), QPointF(box.bottomRight()))
        shade.setColorAt(0, QColor.fromHsl(hue, saturation, first))
        shade.setColorAt(1, QColor.fromHsl((hue + 24) % 360, saturation, second))
        painter.fillRect(box, shade)
        ink = QColor.fromHsl(hue, saturation, 205 if dark else 70)
        ink.setAlpha(235 if present else 150)
        painter.setPen(ink)
        painter.setFont(self._plate_font)
        inner = box.adjusted(14, 12, -14, -30)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
        painter.drawText(inner, int(flags), entry.title)
        painter.setFont(self._small_font)
        badge = 0 if entry.kind in (RootKind.STABLE, RootKind.SHIPPED) else 78
        foot = box.adjusted(14, 0, -10 - badge, -11)
        text = QFontMetrics(self._small_font).elidedText(
            entry.system_title, Qt.TextElideMode.ElideRight, foot.width()
        )
        painter.drawText(foot, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, text)

    def _draw_badges(self, painter: QPainter, box: QRect, entry: LibraryEntry) -> None:
        colors = self._theme.colors
        if entry.kind is RootKind.MINE:
            self._draw_label(painter, box, self.tr("yours"), colors.accent, colors.on_accent)
        elif entry.kind in (RootKind.EXPERIMENTAL, RootKind.CONTRIB):
            self._draw_label(painter, box, entry.kind.value, colors.panel, colors.secondary)

    def _draw_label(self, painter: QPainter, box: QRect, text: str, ground: str, ink: str) -> None:
        painter.setFont(self._small_font)
        width = QFontMetrics(self._small_font).horizontalAdvance(text) + 14
        label = QRectF(box.right() - width - 7, box.bottom() - 27, width, 19)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(label, 9, 9)
        painter.setPen(QColor(ink))
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)

    # -- the text ---------------------------------------------------------------------------

    def _draw_text(
        self, painter: QPainter, box: QRect, top: QRect, entry: LibraryEntry, mark: LintMark | None
    ) -> None:
        colors = self._theme.colors
        left, width = box.left() + 11, box.width() - 22
        painter.setFont(self._title_font)
        painter.setPen(QColor(colors.text if entry.rom else colors.secondary))
        metrics = QFontMetrics(self._title_font)
        name = metrics.elidedText(entry.title, Qt.TextElideMode.ElideRight, width - 18)
        first = top.bottom() + 8 + metrics.ascent()
        painter.drawText(QPoint(left, first), name)
        self._draw_mark(painter, QPoint(box.right() - 16, first - metrics.ascent() // 2 + 1), mark)
        small = QFontMetrics(self._small_font)
        painter.setFont(self._small_font)
        painter.setPen(QColor(colors.secondary if entry.rom else colors.faint))
        states = counted(self.tr("{0} state[|s]", None, entry.states), entry.states)
        facts = f"{entry.system} · {states.format(entry.states)}"
        second = first + small.height() + 3
        painter.drawText(QPoint(left, second), facts)
        if entry.rom is None:
            text = self.tr("no ROM")
            painter.setPen(QColor(colors.warn))
            right = box.right() - 11 - small.horizontalAdvance(text)
            painter.drawText(QPoint(right, second), text)

    def _draw_mark(self, painter: QPainter, centre: QPoint, mark: LintMark | None) -> None:
        if mark is None:
            return
        colors = self._theme.colors
        color = colors.bad if mark.errors else colors.warn if mark.warnings else colors.good
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(color))
        painter.drawEllipse(QPointF(centre), 4.0, 4.0)
