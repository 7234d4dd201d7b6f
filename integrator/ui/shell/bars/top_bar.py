"""The bar at the top: menus, workspaces, command palette."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QMenuBar, QPushButton, QWidget

from integrator.ui.actions.actions import MENUS, Actions
from integrator.ui.actions.shortcuts import Shortcuts, shown_keys, with_keys
from integrator.ui.shell.docks.docks import Docks
from integrator.ui.shell.docks.workspaces import workspaces
from integrator.ui.widgets.parts import Segments, action_button, hbox
from integrator.ui.widgets.texts import translate
from integrator.ui.widgets.theme import Theme, ThemeChoice, theme_titles


class WindowMenus(QMenuBar):
    """Every action by menu, the themes, the panels, and the shortcuts of the workspaces.
    ``choose_theme`` and ``use_workspace`` are called with the choice."""

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


class TopBar(QFrame):
    """Menus, workspaces, command search, Save."""

    palette_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        menu_bar: QMenuBar,
        workspaces: Sequence[tuple[str, str, str]],
        actions: Actions,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("TopBar")
        self.setFixedHeight(44)
        self.segments = Segments(workspaces, self.tr("{0} workspace"))
        name = QLabel("Integrator")
        name.setObjectName("AppName")
        self.verify_button = action_button(actions["verify"])
        self.verify_button.setText(self.tr("Verify"))
        save = actions["save"]
        self.save_button = action_button(
            save, role="primary", icon=theme.icons.icon("save", "on_accent")
        )
        save.changed.connect(lambda: self.save_button.setText(save.text().replace("&", "")))
        self.search_button = QPushButton()
        self.search_button.setIcon(theme.icons.icon("search", "faint"))
        self.search_button.setObjectName("CommandSearch")
        self.search_button.setAccessibleName(self.tr("Search actions"))
        self.search_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.search_button.clicked.connect(self.palette_requested)
        row = hbox(name, on=self, margins=(12, 0, 12, 0), gap=10)
        if not menu_bar.isNativeMenuBar():
            row.addWidget(menu_bar, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addSpacing(6)
        row.addWidget(self.segments, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        row.addWidget(self.search_button)
        row.addWidget(self.verify_button)
        row.addWidget(self.save_button)
        self._row = row
        self._workspaces, self._shortcuts = workspaces, actions.shortcuts
        self._shortcuts.changed.connect(self._show_keys)
        self._show_keys()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.search_button.setText(self._long)
        if self._row.sizeHint().width() > self.width():
            self.search_button.setText(self._short)

    def _show_keys(self) -> None:
        for key, _, tip in self._workspaces:
            action = self._shortcuts[f"workspace-{key}"].action
            self.segments.button(key).setToolTip(with_keys(tip, action))
        palette = self._shortcuts["palette"]
        keys = shown_keys(palette.keys)
        self._short = self.tr("Search…   {0}").format(keys).rstrip()
        self._long = self.tr("Search actions, variables…   {0}").format(keys).rstrip()
        self.search_button.setText(self._short)
        self.search_button.setMinimumWidth(self.search_button.sizeHint().width())
        self._fit()
        tip = self.tr("Every action, variable and recent game by name")
        self.search_button.setToolTip(with_keys(tip, palette.action))
