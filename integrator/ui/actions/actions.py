"""Every command of the window as a QAction; the tables have the texts, icons and shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from integrator.ui.actions.menus import ENTRIES, MENUS, Entry
from integrator.ui.actions.shortcuts import Shortcuts
from integrator.ui.widgets.panels.parts import plain_text
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import translate


class Actions(QObject):
    """The actions by key, as attributes of a mapping: ``actions["reset"]``.

    ``shortcuts`` has the keys of these, and of all commands that other parts of the window add.
    """

    def __init__(self, window: QWidget, theme: Theme, shortcuts: Shortcuts) -> None:
        super().__init__(window)
        self.shortcuts = shortcuts
        self._actions = {spec.key: self._build(spec, window, theme) for spec in ENTRIES}
        for title, specs in MENUS.values():
            group = translate("Menu", title).replace("&", "")
            for spec in specs:
                tip = translate("Menu", spec.tip) if spec.tip else ""
                action = self._actions[spec.key]
                shortcuts.add(spec.key, group, action, spec.shortcut, tip or plain_text(action))
        self.set_game_open(opened=False)

    def __getitem__(self, key: str) -> QAction:
        return self._actions[key]

    def on(self, key: str, command: Callable[[], object]) -> None:
        """Call ``command`` each time that the action is triggered."""
        self._actions[key].triggered.connect(lambda _=False: command())

    def all(self) -> Iterator[QAction]:
        """Every action, in the table's order."""
        return iter(self._actions.values())

    def set_game_open(self, *, opened: bool) -> None:
        """Enable or disable the actions that need a game."""
        for spec in ENTRIES:
            if spec.game:
                self._actions[spec.key].setEnabled(opened)

    @staticmethod
    def _build(spec: Entry, window: QWidget, theme: Theme) -> QAction:
        action = QAction(translate("Menu", spec.text), window, checkable=spec.checkable)
        action.setObjectName(spec.key)
        if spec.icon:
            action.setIcon(theme.icons.icon(spec.icon, spec.role))
        window.addAction(action)
        return action
