"""Every command of the window as a QAction; the tables have the texts, icons and shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.ui.actions.edit_menu import EDIT_MENU
from integrator.ui.actions.file_menu import FILE_MENU
from integrator.ui.actions.help_menu import HELP_MENU
from integrator.ui.actions.play_menu import PLAY_MENU
from integrator.ui.actions.shortcuts import Shortcuts
from integrator.ui.actions.spec import ActionSpec
from integrator.ui.actions.view_menu import VIEW_MENU
from integrator.ui.widgets.panels.parts import plain_text
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import translate

MENUS: dict[str, tuple[str, tuple[ActionSpec, ...]]] = {
    "file": (QT_TRANSLATE_NOOP("Actions", "&File"), FILE_MENU),
    "play": (QT_TRANSLATE_NOOP("Actions", "&Play"), PLAY_MENU),
    "edit": (QT_TRANSLATE_NOOP("Actions", "&Edit"), EDIT_MENU),
    "view": (QT_TRANSLATE_NOOP("Actions", "&View"), VIEW_MENU),
    "help": (QT_TRANSLATE_NOOP("Actions", "&Help"), HELP_MENU),
}
"""Title and commands of each menu, by its key."""

SPECS = tuple(spec for _, menu in MENUS.values() for spec in menu)


class Actions(QObject):
    """The actions by key, as attributes of a mapping: ``actions["reset"]``.

    ``shortcuts`` has the keys of these, and of all commands that other parts of the window add.
    """

    def __init__(self, window: QWidget, theme: Theme, shortcuts: Shortcuts) -> None:
        super().__init__(window)
        self.shortcuts = shortcuts
        self._actions = {spec.key: self._build(spec, window, theme) for spec in SPECS}
        for title, specs in MENUS.values():
            group = translate("Actions", title).replace("&", "")
            for spec in specs:
                tip = translate("Actions", spec.tip) if spec.tip else ""
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
        for spec in SPECS:
            if spec.game:
                self._actions[spec.key].setEnabled(opened)

    @staticmethod
    def _build(spec: ActionSpec, window: QWidget, theme: Theme) -> QAction:
        action = QAction(translate("Actions", spec.text), window, checkable=spec.checkable)
        action.setObjectName(spec.key)
        if spec.icon:
            action.setIcon(theme.icons.icon(spec.icon, spec.role))
        window.addAction(action)
        return action
