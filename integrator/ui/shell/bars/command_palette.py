"""Every action, variable, state and game by name: type a few letters, press Enter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import QEvent, QObject, QSize, Qt, SignalInstance
from PySide6.QtGui import QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from integrator.ui.widgets.panels.parts import stack, vbox


class EntryKind(IntEnum):
    """Kinds of entries, in the order in which they are listed."""

    COMMAND = 0
    PANEL = 1
    NAME = 2
    GAME = 3


@dataclass(frozen=True, slots=True)
class Command:
    """One entry: ``hint`` is shown after the text, such as a shortcut or an address."""

    text: str
    hint: str
    icon: QIcon
    run: Callable[[], object]
    kind: EntryKind = EntryKind.COMMAND


_ICON = QSize(16, 16)
MOST_SHOWN = 100
"""Nobody reads more, and a list of a thousand games takes longer than a key press."""


def rank(query: str, text: str) -> int | None:
    """Rank of a fit of ``query`` and ``text``: less is better, None is no fit.

    Every word must occur.
    """
    lowered = text.lower()
    places = [lowered.find(word) for word in query.lower().split()]
    return sum(places) if min(places, default=0) >= 0 else None


class CommandPalette(QDialog):
    """A list under a search field, over the window."""

    def __init__(self, commands: Sequence[Command], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.FramelessWindowHint | Qt.WindowType.Dialog)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setWindowTitle(self.tr("Command palette"))
        self.setAccessibleName(self.tr("Search actions"))
        self._commands = tuple(commands)
        room = QPixmap(_ICON)
        room.fill(Qt.GlobalColor.transparent)
        self._blank = QIcon(room)  # texts begin below each other, with an icon or without
        self.field = QLineEdit(placeholderText=self.tr("Search actions, variables, states, games…"))
        self.field.setAccessibleName(self.tr("Search"))
        self.field.textChanged.connect(self._filter)
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Matches"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setIconSize(_ICON)
        self.list.itemActivated.connect(lambda _: self._run())
        self.list.itemClicked.connect(lambda _: self._run())
        card = QFrame()
        card.setObjectName("Palette")
        vbox(self.field, self.list, on=card, margins=10, gap=8)
        stack(self, card)
        self.resize(560, 380)
        self._filter("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Up, Down and Enter belong to the list while the field has the cursor."""
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run()
                return True
            step = {Qt.Key.Key_Up.value: -1, Qt.Key.Key_Down.value: 1}.get(event.key(), 0)
            if step and self.list.count():
                row = (self.list.currentRow() + step) % self.list.count()
                self.list.setCurrentRow(row)
                return True
        return super().eventFilter(watched, event)

    def add_when(self, signal: SignalInstance, commands: Callable[[], Sequence[Command]]) -> None:
        """Offer ``commands`` instead when ``signal`` comes while the palette is open."""

        def take() -> None:
            self._commands = tuple(commands())
            self._filter(self.field.text())

        connection = signal.connect(take)
        self.finished.connect(lambda _: signal.disconnect(connection))

    def _filter(self, query: str) -> None:
        ranked = [
            (command.kind, place, number)
            for number, command in enumerate(self._commands)
            if (place := rank(query, command.text)) is not None
        ]
        self.list.clear()
        for *_, number in sorted(ranked)[:MOST_SHOWN]:
            command = self._commands[number]
            text = f"{command.text}     {command.hint}" if command.hint else command.text
            item = QListWidgetItem(self._blank if command.icon.isNull() else command.icon, text)
            item.setData(Qt.ItemDataRole.UserRole, number)
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _run(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            command = self._commands[item.data(Qt.ItemDataRole.UserRole)]
            self.accept()
            command.run()
