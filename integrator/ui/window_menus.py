"""The menu bar of the main window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from integrator.ui.actions import Actions
from integrator.ui.docks import WORKSPACES, Docks
from integrator.ui.widgets.theme import ThemeChoice

_MENUS = (
    ("file", "&File"),
    ("play", "&Play"),
    ("edit", "&Edit"),
    ("view", "&View"),
    ("help", "&Help"),
)


class WindowMenus(QMenuBar):
    """Every action by menu, the themes, the panels, and the shortcuts of the workspaces.

    ``choose_theme`` and ``use_workspace`` are called with the choice.
    """

    def __init__(
        self,
        window: QWidget,
        actions: Actions,
        docks: Docks,
        theme: ThemeChoice,
        choose_theme: Callable[[ThemeChoice], object],
        use_workspace: Callable[[str], object],
    ) -> None:
        super().__init__(window)
        self.menus: dict[str, QMenu] = {}
        menus = self.menus
        for key, title in _MENUS:
            menus[key] = self.addMenu(_text(title))
            menus[key].addActions(actions.in_menu(key))
        menus["view"].addSeparator()
        self._add_themes(menus["view"], theme, choose_theme)
        panels = menus["view"].addMenu(_text("&Panels"))
        for dock in docks.all.values():
            panels.addAction(dock.toggleViewAction())
        self._add_workspaces(window, use_workspace)

    @staticmethod
    def _add_themes(
        menu: QMenu, present: ThemeChoice, choose: Callable[[ThemeChoice], object]
    ) -> None:
        themes = menu.addMenu(_text("&Theme"))
        group = QActionGroup(themes)
        for choice, text in (
            (ThemeChoice.SYSTEM, _text("Follow the system")),
            (ThemeChoice.DARK, _text("Dark")),
            (ThemeChoice.LIGHT, _text("Light")),
        ):
            action = themes.addAction(text)
            action.setCheckable(True)
            action.setChecked(choice is present)
            action.triggered.connect(lambda _=False, c=choice: choose(c))
            group.addAction(action)

    @staticmethod
    def _add_workspaces(window: QWidget, use_workspace: Callable[[str], object]) -> None:
        for number, (key, text, _) in enumerate(WORKSPACES, start=1):
            action = QAction(_text("{0} workspace").format(text), window)
            action.setShortcut(QKeySequence(f"Ctrl+{number}"))
            action.triggered.connect(lambda _=False, k=key: use_workspace(k))
            window.addAction(action)


def _text(text: str) -> str:
    return QCoreApplication.translate("WindowMenus", text)
