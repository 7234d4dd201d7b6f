"""Start states as tiles of the gallery: picture, name, and the defaults that each is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetrics,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionViewItem, QToolTip, QWidget

from integrator.session.hidden.clips import StateInfo
from integrator.ui.actions.actions import Actions
from integrator.ui.widgets.fitting import TileDelegate, TileList, cached_pixmap
from integrator.ui.widgets.parts import EmptyOr, EmptyState, vbox
from integrator.ui.widgets.rows_model import Column, Index, RowsModel
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


SLOTS = tuple(range(2, 10))
"""Numbers of the function keys that they have at first: F1 is help, and F10 opens menus."""
_GAP = 5
_HEIGHT = 52


class SlotStrip(QWidget):
    """A click loads a slot, or saves into an empty one; with Shift it saves."""

    load_requested = Signal(int)
    save_requested = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.labels: dict[int, str] = {}
        self.tips: dict[int, str] = {}
        self._files: Mapping[int, Path | None] = {}
        self._hovered = 0
        self.setAccessibleName(self.tr("Slots"))
        self.setMouseTracking(True)
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_slots(self, files: Mapping[int, Path | None]) -> None:
        self._files = dict(files)
        self.update()

    def filled(self, slot: int) -> bool:
        return slot in self._files

    def slot_rect(self, slot: int) -> QRect:
        width = (self.width() - _GAP * (len(SLOTS) + 1)) / len(SLOTS)
        left = _GAP + SLOTS.index(slot) * (width + _GAP)
        return QRect(round(left), 2, round(width), self.height() - 6)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(320, _HEIGHT)

    def _slot_at(self, x: int) -> int:
        return next((slot for slot in SLOTS if self.slot_rect(slot).right() >= x), SLOTS[-1])

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(ui_font(SIZES.font_small - 0.5, bold=True))
        for slot in SLOTS:
            self._draw(painter, slot)

    def _draw(self, painter: QPainter, slot: int) -> None:
        colors = self._theme.colors
        box = self.slot_rect(slot)
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(box), 4, 4)
        pixmap = cached_pixmap(self._files.get(slot), box.size(), self.devicePixelRatioF())
        painter.save()
        painter.setClipPath(shape)
        painter.fillPath(shape, QColor(colors.raised if self.filled(slot) else colors.sunken))
        if pixmap is not None:
            painter.drawPixmap(box, pixmap)
            shade = QColor(0, 0, 0, 120)
            painter.fillRect(QRect(box.left(), box.bottom() - 14, box.width(), 15), shade)
        painter.restore()
        painter.setPen(QColor("#ffffff" if pixmap is not None else colors.faint))
        align = Qt.AlignmentFlag
        edge = align.AlignBottom if pixmap is not None else align.AlignVCenter
        label = self.labels.get(slot, str(slot))
        painter.drawText(box.adjusted(0, 0, 0, -1), int(align.AlignHCenter | edge), label)
        if slot == self._hovered or not self.filled(slot):
            color = colors.accent if slot == self._hovered else colors.border
            painter.strokePath(shape, QPen(QColor(color), 1.2))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._hovered = self._slot_at(event.position().toPoint().x())
        self.update()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        self._hovered = 0
        self.update()
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        slot = self._slot_at(event.position().toPoint().x())
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        saves = shift or not self.filled(slot)
        (self.save_requested if saves else self.load_requested).emit(slot)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        slot = self._slot_at(event.pos().x())
        menu = RowMenu(self._theme, self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        load, save = self.tr("Load slot {0}"), self.tr("Save into slot {0}")
        filled = self.filled(slot)
        menu.add(load.format(slot), lambda: self.load_requested.emit(slot), enabled=filled)
        menu.add(save.format(slot), lambda: self.save_requested.emit(slot))
        menu.popup(event.globalPos())

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.tips.get(self._slot_at(event.pos().x()), "")
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)


class StatesView(QWidget):
    """A gallery of start states above the slots."""

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._names: Sequence[str] = ()
        self._current = ""
        self._infos: Mapping[str, StateInfo] = {}
        self._loaded: dict[str, tuple[Path | None, str]] = {}
        self.model = StatesModel(theme, self)
        self.list = TileList()
        self.list.setAccessibleName(self.tr("Start states"))
        self.list.setModel(self.model)
        self.tiles = StateTileDelegate(theme, self.model, self.list)
        self.list.setItemDelegate(self.tiles)
        self.slots = SlotStrip(theme)
        self.slots.hide()
        empty = EmptyState(
            theme,
            "state",
            self.tr("No start states yet"),
            self.tr("Play to where an episode should begin and save that moment."),
            [actions["save_state"]],
        )
        self.pages = EmptyOr(empty, self.list)
        vbox((self.pages, 1), self.slots, on=self, margins=(4, 4, 4, 2), gap=2)

    def show_states(self, names: Sequence[str], current: str) -> None:
        """List ``names``; ``current`` is where episodes begin."""
        self._names, self._current = names, current
        self._show()
        self.pages.show_content(bool(names))

    def show_facts(self, infos: Sequence[StateInfo], stamp: str) -> None:
        """Show the facts of the states; ``stamp`` is the running core."""
        self.model.stamp = stamp
        self._infos = {info.name: info for info in infos}
        self._show()

    def show_picture(self, name: str, file: Path | None, problem: str) -> None:
        self._loaded[name] = (file, problem)
        self._show()

    def forget_pictures(self) -> None:
        self._loaded.clear()

    def show_slots(self, files: Mapping[int, Path | None] | None) -> None:
        """Show filled slots; None without a game."""
        self.slots.setVisible(files is not None)
        self.slots.show_slots(files or {})

    def selected_name(self) -> str | None:
        index = self.list.currentIndex()
        return self.model.at(index.row()).name if index.isValid() else None

    def _show(self) -> None:
        """Draw all tiles; the model is reset only when other states are listed."""
        chosen, same = self.selected_name(), self.model.names == tuple(self._names)
        tiles = [
            StateTile(
                name,
                self._infos.get(name),
                *self._loaded.get(name, (None, "")),
                is_current=name == self._current,
            )
            for name in self._names
        ]
        if same:
            self.model.rows = tiles
            self.model.all_changed()
            return
        self.model.show(tiles)
        if chosen in self._names:
            self.list.setCurrentIndex(self.model.index(self._names.index(chosen), 0))
