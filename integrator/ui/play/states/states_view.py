"""The States panel: start states with their pictures, the one where episodes begin, and slots."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from integrator.session.library.state_shelf import StateInfo
from integrator.ui.actions.actions import Actions
from integrator.ui.play.states.states_tile import StatesModel, StateTile, StateTileDelegate
from integrator.ui.widgets.fitting import TileList, cached_pixmap
from integrator.ui.widgets.panels.parts import EmptyOr, EmptyState, vbox
from integrator.ui.widgets.panels.table import RowMenu
from integrator.ui.widgets.theme import SIZES, Theme, ui_font

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
