"""Every command of the window as a QAction; the tables have the texts, icons and shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.ui.actions.edit_menu import EDIT_MENU
from integrator.ui.actions.file_menu import FILE_MENU
from integrator.ui.actions.help_menu import HELP_MENU
from integrator.ui.actions.play_menu import PLAY_MENU
from integrator.ui.actions.spec import ActionSpec
from integrator.ui.actions.view_menu import VIEW_MENU
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
    """The actions by key, as attributes of a mapping: ``actions["reset"]``."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self._specs = {spec.key: spec for spec in SPECS}
        self._actions = {spec.key: self._build(spec, window, theme) for spec in SPECS}
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

    def _build(self, spec: ActionSpec, window: QWidget, theme: Theme) -> QAction:
        text = translate("Actions", spec.text)
        action = QAction(text, window)
        action.setObjectName(spec.key)
        action.setCheckable(spec.checkable)
        if spec.icon:
            action.setIcon(theme.icons.icon(spec.icon, spec.role))
        tip = (translate("Actions", spec.tip) if spec.tip else "") or text.replace("&", "")
        if spec.shortcut:
            sequence = QKeySequence(spec.shortcut)
            action.setShortcut(sequence)
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            tip = f"{tip} ({sequence.toString(QKeySequence.SequenceFormat.NativeText)})"
        action.setToolTip(tip)
        window.addAction(action)
        return action
