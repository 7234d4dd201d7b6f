"""Draws a start state in the gallery: its picture, name, and the defaults that it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractListModel, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from integrator.session.library.state_shelf import StateInfo
from integrator.ui.widgets.room.tile_list import TileDelegate, cached_pixmap
from integrator.ui.widgets.rows_model import NO_PARENT, Index
from integrator.ui.widgets.theme import SIZES, Theme, ui_font

InfoRole = Qt.ItemDataRole.UserRole + 1
PictureRole = Qt.ItemDataRole.UserRole + 2
ProblemRole = Qt.ItemDataRole.UserRole + 3
CurrentRole = Qt.ItemDataRole.UserRole + 4


class StatesModel(QAbstractListModel):
    """``data`` gives the name, and StateInfo, picture file, problem, and True for the current one.

    ``stamp`` is the running core.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.names: tuple[str, ...] = ()
        self.current = ""
        self.stamp = ""
        self.infos: Mapping[str, StateInfo] = {}
        self.pictures: dict[str, Path] = {}
        self.problems: dict[str, str] = {}

    def set_names(self, names: Sequence[str]) -> None:
        """List other states."""
        if tuple(names) != self.names:
            self.beginResetModel()
            self.names = tuple(names)
            self.endResetModel()

    def tell(self) -> None:
        """Something besides the names has changed."""
        if self.names:
            self.dataChanged.emit(self.index(0), self.index(len(self.names) - 1))

    def rowCount(self, parent: Index = NO_PARENT) -> int:  # noqa: N802 - Qt's name
        """One row a state."""
        return 0 if parent.isValid() else len(self.names)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """See the roles above."""
        name = self.names[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.UserRole):
            return name
        if role == InfoRole:
            return self.infos.get(name)
        if role == PictureRole:
            return self.pictures.get(name)
        if role == ProblemRole:
            return self.problems.get(name)
        if role == CurrentRole:
            return name == self.current
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(name)
        return None

    def _tip(self, name: str) -> str:
        info, lines = self.infos.get(name), [name]
        if name == self.current:
            lines.append(self.tr("episodes begin here now"))
        if default_badges(info):
            lines.append(self.tr("default: {0}").format(", ".join(default_badges(info))))
        if info is not None and info.stamp:
            lines.append(self.tr("saved by {0}").format(info.stamp))
            if self.stamp and info.stamp != self.stamp:
                lines.append(self.tr("this is {0}: save it again").format(self.stamp))
        if problem := self.problems.get(name):
            lines.append(problem)
        lines.append(self.tr("Double-click to begin an episode here"))
        return "\n".join(lines)


def default_badges(info: StateInfo | None) -> list[str]:
    """Short texts for the numbers of players that begin at the state."""
    players = info.default_for if info is not None else ()
    return ["default" if count == 1 else f"{count}P" for count in players]


GAP = 8
_TEXT_HEIGHT = 40


class StateTileDelegate(TileDelegate):
    """Paints the tiles. ``stamp`` is the running core: states of others are marked."""

    least = 116
    gap = GAP
    lowest = _TEXT_HEIGHT + GAP + 36

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.stamp = ""
        self._name_font = ui_font(SIZES.font, bold=True)
        self._small_font = ui_font(SIZES.font_small)

    def height_of(self, width: int) -> int:
        """A picture, and two lines below."""
        return round(width * 0.75) + _TEXT_HEIGHT

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one tile."""
        colors = self._theme.colors
        half = GAP // 2
        box = option.rect.adjusted(half, half, -half, -half)
        current = bool(index.data(CurrentRole))
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(box), SIZES.radius, SIZES.radius)
        painter.fillPath(shape, QColor(colors.hover if hovered or chosen else colors.raised))
        painter.setClipPath(shape)
        top = QRect(box.left(), box.top(), box.width(), box.height() - _TEXT_HEIGHT)
        self._draw_picture(painter, top, index)
        self._draw_badges(painter, top, index)
        self._draw_text(painter, box, index)
        painter.setClipping(False)
        if current or chosen:
            color = colors.accent if current else colors.faint
            painter.strokePath(shape, QPen(QColor(color), 2))
        painter.restore()

    def _draw_picture(self, painter: QPainter, box: QRect, index: Index) -> None:
        file: Path | None = index.data(PictureRole)
        ratio = painter.device().devicePixelRatioF()
        pixmap = cached_pixmap(file, box.size(), ratio)
        if pixmap is not None:
            painter.drawPixmap(box, pixmap)
            return
        painter.fillRect(box, QColor(self._theme.colors.sunken))
        problem = index.data(ProblemRole)
        name, color = ("warning", "bad") if problem else ("state", "faint")
        icon = self._theme.icons.icon(name, color)
        size = 26
        corner = box.center()
        icon.paint(painter, corner.x() - size // 2, corner.y() - size // 2, size, size)

    def _draw_badges(self, painter: QPainter, box: QRect, index: Index) -> None:
        info: StateInfo | None = index.data(InfoRole)
        left = box.left() + 6
        for text in default_badges(info):
            width = QFontMetrics(self._small_font).horizontalAdvance(text) + 12
            label = QRectF(left, box.top() + 6, width, 17)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.colors.accent))
            painter.drawRoundedRect(label, 8, 8)
            painter.setPen(QColor(self._theme.colors.on_accent))
            painter.setFont(self._small_font)
            painter.drawText(label, Qt.AlignmentFlag.AlignCenter, text)
            left += width + 4

    def _draw_text(self, painter: QPainter, box: QRect, index: Index) -> None:
        colors = self._theme.colors
        info: StateInfo | None = index.data(InfoRole)
        inner = box.adjusted(9, box.height() - _TEXT_HEIGHT + 4, -8, -4)
        painter.setFont(self._name_font)
        painter.setPen(QColor(colors.text))
        metrics = QFontMetrics(self._name_font)
        name = metrics.elidedText(str(index.data()), Qt.TextElideMode.ElideRight, inner.width())
        top = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
        painter.drawText(inner, int(top), name)
        text, color = self._note(info, index.data(ProblemRole))
        painter.setFont(self._small_font)
        painter.setPen(QColor(color))
        small = QFontMetrics(self._small_font)
        text = small.elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
        bottom = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
        painter.drawText(inner, int(bottom), text)

    def _note(self, info: StateInfo | None, problem: str | None) -> tuple[str, str]:
        """The small line: a problem, or the core that saved the state, if it is known."""
        colors = self._theme.colors
        if problem:
            return self.tr("does not load"), colors.bad
        if info is None:
            return "", colors.faint
        if info.stamp is None:
            return self.tr("core not noted"), colors.faint
        strange = self.stamp and info.stamp != self.stamp
        return info.stamp, colors.warn if strange else colors.faint
