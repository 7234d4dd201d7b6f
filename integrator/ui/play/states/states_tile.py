"""Start states as tiles of the gallery: picture, name, and the defaults that each is."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from integrator.session.library.state_shelf import StateInfo
from integrator.ui.widgets.fitting import TileDelegate, cached_pixmap
from integrator.ui.widgets.rows_model import Column, Index, RowsModel
from integrator.ui.widgets.theme import SIZES, Theme, ui_font


@dataclass(frozen=True, slots=True)
class StateTile:
    """A start state: facts of its file, its picture, and the reason why it does not load."""

    name: str
    info: StateInfo | None = None
    picture: Path | None = None
    problem: str = ""
    is_current: bool = False

    @property
    def badges(self) -> list[str]:
        players = self.info.default_for if self.info is not None else ()
        return ["default" if count == 1 else f"{count}P" for count in players]


class StatesModel(RowsModel[StateTile]):
    """The listed states; ``stamp`` is the running core, and states of other cores are marked."""

    stamp = ""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(tile.name for tile in self.rows)

    def table(self) -> Sequence[Column[StateTile]]:
        return (Column("", lambda tile: tile.name),)

    def tip(self, tile: StateTile) -> str:
        lines = [tile.name]
        if tile.is_current:
            lines.append(self.tr("episodes begin here now"))
        if tile.badges:
            lines.append(self.tr("default: {0}").format(", ".join(tile.badges)))
        if tile.info is not None and tile.info.stamp:
            lines.append(self.tr("saved by {0}").format(tile.info.stamp))
            if self.stamp and tile.info.stamp != self.stamp:
                lines.append(self.tr("this is {0}: save it again").format(self.stamp))
        if tile.problem:
            lines.append(tile.problem)
        return "\n".join([*lines, self.tr("Double-click to begin an episode here")])


GAP = 8
_TEXT_HEIGHT = 40


class StateTileDelegate(TileDelegate):
    """Paints the tiles of a model."""

    least = 116
    gap = GAP
    lowest = _TEXT_HEIGHT + GAP + 36

    def __init__(self, theme: Theme, model: StatesModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._model = model
        self._name_font = ui_font(SIZES.font, bold=True)
        self._small_font = ui_font(SIZES.font_small)

    def height_of(self, width: int) -> int:
        return round(width * 0.75) + _TEXT_HEIGHT

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colors, tile = self._theme.colors, self._model.at(index.row())
        half = GAP // 2
        box = option.rect.adjusted(half, half, -half, -half)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(box), SIZES.radius, SIZES.radius)
        painter.fillPath(shape, QColor(colors.hover if hovered or chosen else colors.raised))
        painter.setClipPath(shape)
        top = QRect(box.left(), box.top(), box.width(), box.height() - _TEXT_HEIGHT)
        self._draw_picture(painter, top, tile)
        self._draw_badges(painter, top, tile)
        inner = box.adjusted(9, box.height() - _TEXT_HEIGHT + 4, -8, -4)
        self._draw_text(painter, inner, tile)
        painter.setClipping(False)
        if tile.is_current or chosen:
            color = colors.accent if tile.is_current else colors.faint
            painter.strokePath(shape, QPen(QColor(color), 2))
        painter.restore()

    def _draw_picture(self, painter: QPainter, box: QRect, tile: StateTile) -> None:
        ratio = painter.device().devicePixelRatioF()
        pixmap = cached_pixmap(tile.picture, box.size(), ratio)
        if pixmap is not None:
            painter.drawPixmap(box, pixmap)
            return
        painter.fillRect(box, QColor(self._theme.colors.sunken))
        name, color = ("warning", "bad") if tile.problem else ("state", "faint")
        size, middle = 26, box.center()
        corner = middle.x() - size // 2, middle.y() - size // 2
        self._theme.icons.icon(name, color).paint(painter, *corner, size, size)

    def _draw_badges(self, painter: QPainter, box: QRect, tile: StateTile) -> None:
        left = box.left() + 6
        painter.setFont(self._small_font)
        for text in tile.badges:
            width = QFontMetrics(self._small_font).horizontalAdvance(text) + 12
            label = QRectF(left, box.top() + 6, width, 17)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.colors.accent))
            painter.drawRoundedRect(label, 8, 8)
            painter.setPen(QColor(self._theme.colors.on_accent))
            painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)
            left += width + 4

    def _draw_text(self, painter: QPainter, box: QRect, tile: StateTile) -> None:
        align, note = Qt.AlignmentFlag, self._note(tile)
        for text, color, font, edge in (
            (tile.name, self._theme.colors.text, self._name_font, align.AlignTop),
            (*note, self._small_font, align.AlignBottom),
        ):
            painter.setFont(font)
            painter.setPen(QColor(color))
            shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
            painter.drawText(box, int(align.AlignLeft | edge), shown)

    def _note(self, tile: StateTile) -> tuple[str, str]:
        colors, info = self._theme.colors, tile.info
        if tile.problem:
            return self.tr("does not load"), colors.bad
        if info is None or info.stamp is None:
            return self.tr("core not noted") if info is not None else "", colors.faint
        strange = self._model.stamp and info.stamp != self._model.stamp
        return info.stamp, colors.warn if strange else colors.faint
