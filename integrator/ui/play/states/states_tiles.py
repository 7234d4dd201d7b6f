"""Start states as tiles: picture, name, and the defaults that each is; and the slots below."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from integrator.session.hidden.clips import StateInfo
from integrator.ui.widgets.fitting import TileDelegate, cached_pixmap
from integrator.ui.widgets.parts import hbox
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.table import RowMenu
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


_TEXT_HEIGHT = 40


class StateTileDelegate(TileDelegate[StatesModel]):
    """Paints the tiles of a model."""

    least = 116
    lowest = _TEXT_HEIGHT + TileDelegate.gap + 36

    def height_of(self, width: int) -> int:
        return round(width * 0.75) + _TEXT_HEIGHT

    def ground(self, *, hovered: bool, chosen: bool) -> str:
        colors = self._theme.colors
        return colors.hover if hovered or chosen else colors.raised

    def edge(self, row: int, *, chosen: bool) -> str:
        colors = self._theme.colors
        return colors.accent if self._model.at(row).is_current else colors.faint if chosen else ""

    def draw(self, painter: QPainter, box: QRect, row: int) -> None:
        colors, tile, align = self._theme.colors, self._model.at(row), Qt.AlignmentFlag
        top = QRect(box.left(), box.top(), box.width(), box.height() - _TEXT_HEIGHT)
        self._draw_picture(painter, top, tile)
        at = QPoint(box.left() + 6, box.top() + 6)
        badge = colors.accent, colors.on_accent
        for text in tile.badges:
            at += QPoint(self.draw_label(painter, at, text, badge, right=False) + 4, 0)
        inner = box.adjusted(9, box.height() - _TEXT_HEIGHT + 4, -8, -4)
        self.draw_line(painter, inner, tile.name, colors.text, self._title_font)
        self.draw_line(painter, inner, *self._note(tile), self._small_font, align.AlignBottom)

    def _draw_picture(self, painter: QPainter, box: QRect, tile: StateTile) -> None:
        pixmap = cached_pixmap(tile.picture, box.size(), painter.device().devicePixelRatioF())
        if pixmap is not None:
            painter.drawPixmap(box, pixmap)
            return
        painter.fillRect(box, QColor(self._theme.colors.sunken))
        icon = QRect(0, 0, 26, 26)
        icon.moveCenter(box.center())
        name, color = ("warning", "bad") if tile.problem else ("state", "faint")
        self._theme.icons.icon(name, color).paint(painter, icon)

    def _note(self, tile: StateTile) -> tuple[str, str]:
        colors, info = self._theme.colors, tile.info
        if tile.problem:
            return self.tr("does not load"), colors.bad
        if info is None or info.stamp is None:
            return self.tr("core not noted") if info is not None else "", colors.faint
        strange = self._model.stamp and info.stamp != self._model.stamp
        return info.stamp, colors.warn if strange else colors.faint


SLOTS = tuple(range(2, 10))
"""Numbers of the function keys that they have at first: F1 is help, and F10 opens menus."""


class SlotButton(QAbstractButton):
    """Paints a slot: its picture once it is filled, and its key or number."""

    def __init__(self, theme: Theme, slot: int) -> None:
        super().__init__()
        self._theme = theme
        self.file: Path | None = None
        self.filled = False
        self._label = str(slot)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        theme.changed.connect(self.update)

    def fill(self, file: Path | None, *, filled: bool = True) -> None:
        """Show that the slot is filled or empty, with the picture in ``file`` if there is one."""
        self.file, self.filled = file, filled
        self.update()

    def show_label(self, label: str) -> None:
        self._label = label
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(35, 46)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's signature
        colors, box = self._theme.colors, self.rect().adjusted(1, 1, -1, -1)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(ui_font(SIZES.font_small - 0.5, bold=True))
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(box), 4, 4)
        painter.setClipPath(shape)
        painter.fillPath(shape, QColor(colors.raised if self.filled else colors.sunken))
        pixmap = cached_pixmap(self.file, box.size(), self.devicePixelRatioF())
        if pixmap is not None:
            painter.drawPixmap(box, pixmap)
            shade = QColor(0, 0, 0, 120)
            painter.fillRect(QRect(box.left(), box.bottom() - 14, box.width(), 15), shade)
        painter.setClipping(False)
        align, on_picture = Qt.AlignmentFlag, pixmap is not None
        painter.setPen(QColor("#ffffff" if on_picture else colors.faint))
        edge = align.AlignBottom if on_picture else align.AlignVCenter
        painter.drawText(box.adjusted(0, 0, 0, -1), int(align.AlignHCenter | edge), self._label)
        if self.underMouse() or not self.filled:
            color = colors.accent if self.underMouse() else colors.border
            painter.strokePath(shape, QPen(QColor(color), 1.2))


class SlotStrip(QWidget):
    """A click loads a slot, or saves into an empty one; with Shift it saves."""

    load_requested = Signal(int)
    save_requested = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.buttons = {slot: SlotButton(theme, slot) for slot in SLOTS}
        self.setAccessibleName(self.tr("Slots"))
        self.setFixedHeight(52)
        parts = ((button, 1) for button in self.buttons.values())
        hbox(*parts, on=self, margins=(4, 1, 4, 3), gap=3)
        for slot, button in self.buttons.items():
            button.clicked.connect(lambda _, slot=slot: self._click(slot))
            button.customContextMenuRequested.connect(partial(self._open_menu, slot))

    def show_slots(self, files: Mapping[int, Path | None] | None) -> None:
        """Show filled slots; None without a game."""
        for slot, button in self.buttons.items():
            button.fill((files or {}).get(slot), filled=slot in (files or {}))
        self.setVisible(files is not None)

    def _click(self, slot: int) -> None:
        shift = QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
        saves = shift or not self.buttons[slot].filled
        (self.save_requested if saves else self.load_requested).emit(slot)

    def _open_menu(self, slot: int, where: QPoint) -> None:
        menu, button = RowMenu(self._theme, self), self.buttons[slot]
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        load, save = self.tr("Load slot {0}").format(slot), self.tr("Save into slot {0}")
        menu.add(load, lambda: self.load_requested.emit(slot), enabled=button.filled)
        menu.add(save.format(slot), lambda: self.save_requested.emit(slot))
        menu.popup(button.mapToGlobal(where))
