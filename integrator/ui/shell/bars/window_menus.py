"""The menu bar of the main window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from integrator.ui.actions.actions import Actions
from integrator.ui.actions.menus import MENUS
from integrator.ui.actions.shortcuts import Shortcuts
from integrator.ui.shell.docks.docks import Docks
from integrator.ui.shell.docks.workspaces import workspaces
from integrator.ui.widgets.theme import ThemeChoice, theme_titles
from integrator.ui.widgets.translation import translate


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
        for key, (title, specs) in MENUS.items():
            menus[key] = self.addMenu(translate("Menu", title))
            for spec in specs:
                if spec.line:
                    menus[key].addSeparator()
                menus[key].addAction(actions[spec.key])
        self._add_themes(menus["view"], theme, choose_theme)
        self.panels = menus["view"].addMenu(translate("WindowMenus", "&Panels"))
        for dock in docks.all.values():
            self.panels.addAction(dock.toggleViewAction())
        self._add_workspaces(window, actions.shortcuts, use_workspace)

    @staticmethod
    def _add_themes(
        menu: QMenu, present: ThemeChoice, choose: Callable[[ThemeChoice], object]
    ) -> None:
        themes = menu.addMenu(translate("WindowMenus", "&Theme"))
        group = QActionGroup(themes)
        for choice, title in theme_titles().items():
            action = themes.addAction(title)
            action.setCheckable(True)
            action.setChecked(choice is present)
            action.triggered.connect(lambda _=False, c=choice: choose(c))
            group.addAction(action)

    @staticmethod
    def _add_workspaces(
        window: QWidget, shortcuts: Shortcuts, use_workspace: Callable[[str], object]
    ) -> None:
        group = translate("WindowMenus", "Workspaces")
        for number, (key, text, _) in enumerate(workspaces(), start=1):
            action = QAction(translate("WindowMenus", "{0} workspace").format(text), window)
            shortcuts.add(f"workspace-{key}", group, action, f"Ctrl+{number}")
            action.triggered.connect(lambda _=False, k=key: use_workspace(k))
            window.addAction(action)
