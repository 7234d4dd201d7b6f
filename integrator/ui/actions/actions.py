"""All commands of the window: a table for each menu, and the QAction of each command."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from integrator.domain.files.reading import SMALL_BYTES, read_text
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import Shortcuts


@dataclass(frozen=True, slots=True)
class Entry:
    """A command of a menu. ``game``: it needs an open game. ``line``: a separator is above it."""

    key: str
    text: str
    tip: str = ""
    icon: str = ""
    shortcut: str = ""
    role: str = "normal"
    game: bool = True
    checkable: bool = False
    line: bool = False


_MENUS: Final[Any] = json.loads(read_text(Path(__file__).with_name("menus.json"), SMALL_BYTES))
MENUS: Final[Mapping[str, tuple[str, tuple[Entry, ...]]]] = {
    key: (menu["title"], tuple(Entry(**row) for row in menu["commands"]))
    for key, menu in _MENUS.items()
}
"""The title and the commands of each menu, by the menu's key."""

ENTRIES = tuple(each for _, menu in MENUS.values() for each in menu)


class Actions(QObject):
    """The actions of the window by key: ``actions["reset"]``. ``shortcuts`` holds the keys of these
    actions, and of all commands that other parts of the window add."""

    def __init__(self, window: QWidget, shortcuts: Shortcuts) -> None:
        super().__init__(window)
        self.shortcuts = shortcuts
        self._actions: dict[str, QAction] = {}
        for title, specs in MENUS.values():
            group = ui.words(title).replace("&", "")
            for spec in specs:
                action = QAction(ui.words(spec.text), window, checkable=spec.checkable)
                action.setObjectName(spec.key)
                if spec.icon:
                    action.setIcon(ui.icon(f"{spec.icon} {spec.role}"))
                window.addAction(action)
                self._actions[spec.key] = action
                tip = ui.words(spec.tip) or ui.plain_text(action)
                shortcuts.add(spec.key, group, action, spec.shortcut, tip)
        self.set_game_open(opened=False)

    def __getitem__(self, key: str) -> QAction:
        return self._actions[key]

    def on(self, **commands: Callable[[], object]) -> None:
        """Call each function when the action of its key is triggered."""
        for key, command in commands.items():
            self._actions[key].triggered.connect(lambda _=False, command=command: command())

    def all(self) -> Iterator[QAction]:
        return iter(self._actions.values())

    def set_game_open(self, *, opened: bool) -> None:
        for spec in ENTRIES:
            if spec.game:
                self._actions[spec.key].setEnabled(opened)
